"""Where two systems differ: units, parts, gold items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from lydite.frozen import FrozenDict
from lydite.model import PlainSummary
from lydite.model.comparison import FigureName, ItemCounts, PartDifference, UnitDifference
from lydite.model.tally import TINY
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from lydite.comparison.draws import Array, FigureOf

Standing = Mapping[tuple[str, str], bool]
"""Gold items by document and id: right or wrong."""


class Differences(NamedTuple):
    """What is asked of each pair of systems of a summary."""

    summary: PlainSummary
    standing: Mapping[str, Standing]
    """By system; empty where a summary does not say it."""
    top: int = 10

    def items(self, a: str, b: str) -> ItemCounts | None:
        """Gold items that both, one or none have right."""
        ours, theirs = self.standing.get(a), self.standing.get(b)
        if ours is None or theirs is None:
            return None
        found = Counter((ours.get(item) is True, theirs.get(item) is True) for item in {**ours, **theirs})
        return ItemCounts(found[True, True], found[True, False], found[False, True], found[False, False])

    def top_parts(self, figure: FigureName, a: str, b: str) -> tuple[PartDifference, ...]:
        """The parts of the figure's measurement in which the figures differ most, whatever the sign.

        A system that has no figure for a part has nothing right of it: it has 0.
        """
        found = [
            PartDifference(attribute, value, by_system.get(a), by_system.get(b))
            for attribute, parts in self._parts(figure).items()
            for value, by_system in parts.items()
        ]
        found = [part for part in found if (part.a or 0.0) != (part.b or 0.0)]
        found.sort(key=lambda part: (-_size((part.a or 0.0) - (part.b or 0.0)), part.by, part.value))
        return tuple(found[: self.top])

    def _parts(self, figure: FigureName) -> dict[str, dict[str, dict[str, float | None]]]:
        """By attribute and value: the figure of each system."""
        parts: dict[str, dict[str, dict[str, float | None]]] = {}
        for row in self.summary.rows:
            if row.scope == "corpus" and row.by and (row.measurement, row.metric) == figure[:2]:
                ((attribute, value),) = row.by.items()
                figures = parts.setdefault(attribute, {}).setdefault(value, {})
                figures[row.system] = getattr(row.score, figure.figure)
        return parts


class UnitPair(NamedTuple):
    """What two systems have of every unit: counts (units × columns), and the figure of sums of them."""

    ids: Sequence[str]
    first: Array
    second: Array
    figure: FigureOf

    def wins(self) -> Mapping[str, int]:
        """In how many units which system has the better figure; where a system has none, it has 0."""
        import numpy as np

        gaps = np.nan_to_num(self.figure(self.first)) - np.nan_to_num(self.figure(self.second))
        better, worse = int(np.count_nonzero(gaps > TINY)), int(np.count_nonzero(-gaps > TINY))
        return FrozenDict({"a": better, "equal": len(self.ids) - better - worse, "b": worse})

    def top(self, most: int) -> tuple[UnitDifference, ...]:
        """The units that contribute most to the difference, whatever its sign; those with equal counts are left out."""
        import numpy as np

        whole = self.first.sum(axis=0)
        contributions = self.figure(whole[None, :]) - self.figure(whole - self.first + self.second)
        shown = self.figure(self.first), self.figure(self.second), contributions
        changed = np.flatnonzero(np.any(self.first != self.second, axis=1))
        gaps = np.nan_to_num(contributions).tolist()
        order = sorted(changed.tolist(), key=lambda place: (-_size(gaps[place]), place))
        return tuple(
            UnitDifference(self.ids[place], *(_none_for_nan(values[place]) for values in shown))
            for place in order[:most]
        )


def _size(difference: float) -> float:
    """How large a difference is; those that differ only by how they were rounded are equally large."""
    return round(abs(difference), 12)


def _none_for_nan(figure: float) -> float | None:
    return None if isnan(figure) else float(figure)


def standing_of(summary: PlainSummary) -> dict[str, Standing]:
    """Which gold items each system has right, where the summary says it."""
    found: dict[str, dict[tuple[str, str], bool]] = {}
    for entry in summary.diagnosis.get("standing", ()):
        of_system = found.setdefault(entry["system"], {})
        for item, right in entry["items"].items():
            of_system[entry["document"], item] = right
    return dict(found)
