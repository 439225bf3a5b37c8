"""Where two systems differ: units, parts, gold items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from lydite.frozen import FrozenDict
from lydite.model import Summary
from lydite.model.comparison import FigureName, ItemCounts, PartDifference, UnitDifference
from lydite.model.tally import TINY

if TYPE_CHECKING:
    from lydite.comparison.draws import Array, FigureOf

Standing = Mapping[tuple[str, str], bool]
"""Whether a system has each gold item right, by document and id."""


class Differences(NamedTuple):
    """Where the systems of a summary differ, pair by pair."""

    summary: Summary
    standing: Mapping[str, Standing]
    """By system, for the items of the figure; empty where the summary does not have it."""
    top: int = 10

    def items(self, a: str, b: str) -> ItemCounts | None:
        """How many gold items both, one or none have right; None where the summary does not have it."""
        of_a, of_b = self.standing.get(a), self.standing.get(b)
        if of_a is None or of_b is None:
            return None
        right = Counter((of_a.get(item) is True, of_b.get(item) is True) for item in {**of_a, **of_b})
        return ItemCounts(right[True, True], right[True, False], right[False, True], right[False, False])

    def top_parts(self, figure: FigureName, a: str, b: str) -> tuple[PartDifference, ...]:
        """The parts of the figure's measurement in which the figures differ most, whatever the sign.

        A system without a figure for a part has nothing right in it: it counts as 0.
        """
        parts = [
            PartDifference(attribute, value, by_system.get(a), by_system.get(b))
            for attribute, by_value in self._parts(figure).items()
            for value, by_system in by_value.items()
        ]
        parts = [part for part in parts if (part.a or 0.0) != (part.b or 0.0)]
        parts.sort(key=lambda part: (-_size((part.a or 0.0) - (part.b or 0.0)), part.by, part.value))
        return tuple(parts[: self.top])

    def _parts(self, figure: FigureName) -> dict[str, dict[str, dict[str, float | None]]]:
        """The figure of each system by attribute and value."""
        parts: dict[str, dict[str, dict[str, float | None]]] = {}
        for row in self.summary.rows:
            if row.scope == "corpus" and row.by and (row.measurement, row.metric) == figure[:2]:
                ((attribute, value),) = row.by.items()
                figures = parts.setdefault(attribute, {}).setdefault(value, {})
                figures[row.system] = getattr(row.score, figure.figure)
        return parts


class UnitPair(NamedTuple):
    """The counts of two systems (units × columns), and how a figure is made from their sums."""

    ids: Sequence[str]
    first: Array
    second: Array
    figure: FigureOf

    def wins(self) -> Mapping[str, int]:
        """The number of units in which each system has the better figure; an undefined one counts as 0."""
        import numpy as np

        gaps = np.nan_to_num(self.figure(self.first)) - np.nan_to_num(self.figure(self.second))
        better, worse = int(np.count_nonzero(gaps > TINY)), int(np.count_nonzero(-gaps > TINY))
        return FrozenDict({"a": better, "equal": len(self.ids) - better - worse, "b": worse})

    def top(self, most: int) -> tuple[UnitDifference, ...]:
        """The units that contribute most to the difference, whatever its sign; those with equal counts are left out."""
        import numpy as np

        whole = self.first.sum(axis=0)
        contributions = self.figure(whole[None, :]) - self.figure(whole - self.first + self.second)
        columns = self.figure(self.first), self.figure(self.second), contributions
        changed = np.flatnonzero(np.any(self.first != self.second, axis=1))
        gaps = np.nan_to_num(contributions).tolist()
        order = sorted(changed.tolist(), key=lambda place: (-_size(gaps[place]), place))
        return tuple(
            UnitDifference(
                self.ids[place],
                *(None if isnan(values[place]) else float(values[place]) for values in columns),
            )
            for place in order[:most]
        )


def _size(difference: float) -> float:
    """How large a difference is, for sorting: differences that are equal but for rounding errors are equally large."""
    return round(abs(difference), 12)


def standing_of(summary: Summary, figure: FigureName) -> dict[str, Standing]:
    """Whether each system has each gold item of a figure right, where the summary has it."""
    lead = summary.headline
    standing: dict[str, dict[tuple[str, str], bool]] = {}
    for entry in summary.diagnosis.get("standing", ()):
        measured = entry.get("measurement", lead["measurement"]), entry.get("metric", lead["metric"])
        if measured != (figure.measurement, figure.metric):
            continue
        of_system = standing.setdefault(entry["system"], {})
        for item, right in entry["items"].items():
            of_system[entry["document"], item] = right
    return dict(standing)
