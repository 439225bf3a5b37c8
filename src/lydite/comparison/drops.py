"""Whether a figure fell since the last run: totals, parts, and the items that broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lydite.comparison.golds import describe_ranking, item_changes
from lydite.errors import UsageError
from lydite.model import Summary
from lydite.model.comparison import ItemChange
from lydite.model.tally import TINY
from lydite.report.paper import find_figure


class Drop(NamedTuple):
    """A figure before and after, and by how much it may fall."""

    system: str
    figure: str
    before: float | None
    after: float | None
    limit: float

    @property
    def is_too_large(self) -> bool:
        """Whether the figure fell by more than it may; one that is no longer there fell to 0."""
        return self.before is not None and self.before - (self.after or 0.0) - self.limit > TINY

    @property
    def sentence(self) -> str:
        """Which figure fell, from where to where."""
        old, new = show_figure(self.before), show_figure(self.after)
        return f"{self.figure} fell from {old} to {new}, by more than {self.limit:g}"


def show_figure(figure: float | None) -> str:
    """A figure as the messages of gates have it."""
    return "undefined" if figure is None else f"{figure:.6g}"


class DropLimits(NamedTuple):
    """By how much the headline may fall (None: no limit), and the headline of each value of an attribute."""

    headline: float | None = None
    parts: Mapping[str, float] = {}


def find_drops(before: Summary, after: Summary, limits: DropLimits) -> Iterator[Drop]:
    """Every figure that has a limit, before and after, by system."""
    if before.task != after.task or dict(before.headline) != dict(after.headline):
        raise UsageError(
            f"--against: the saved summary is of {describe_ranking(before)}, this run of {describe_ranking(after)}"
        )
    for old, new in pair_systems(before, after).items():
        lead = after.headline
        name = f"{lead['measurement']}.{lead['metric']}.{lead['average']}.{lead['figure']}"
        if limits.headline is not None:
            yield Drop(new, name, before.headline_score(old), after.headline_score(new), limits.headline)
        for attribute, limit in limits.parts.items():
            earlier = _headline_by(attribute, before, old)
            later = _headline_by(attribute, after, new)
            for value, figure in earlier.items():
                yield Drop(new, f"{attribute} {value}", figure, later.get(value), limit)


def pair_systems(before: Summary, after: Summary) -> dict[str, str]:
    """The names of systems in the second run by those in the first; single systems are paired whatever their names."""
    if len(before.systems) == len(after.systems) == 1:
        return {before.systems[0]: after.systems[0]}
    shared = [name for name in after.systems if name in before.systems]
    if not shared:
        raise UsageError(
            f"--against: no system of this run is in the saved summary: it has {', '.join(before.systems)}"
        )
    return {name: name for name in shared}


def _headline_by(attribute: str, summary: Summary, system: str) -> dict[str, float | None]:
    """The headline of a system by the values of an attribute, or by document."""
    rows = [row for row in summary.parts(attribute) if row.system == system]
    if not rows:
        raise UsageError(f"--max-drop {attribute}=…: a summary has no parts of this name for {system}")
    figure = summary.headline["figure"]
    return {row.document or row.by.get(attribute, ""): getattr(row.score, figure) for row in rows}


def broken_items(before: Summary, after: Summary) -> list[ItemChange]:
    """Gold items that were right and are wrong now."""
    changes = item_changes(before, after, find_figure(after, None), pair_systems(before, after))
    return [one for one in changes if one.change == "now wrong"]
