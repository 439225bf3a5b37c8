"""Whether a figure fell since the last run: totals, parts, and the items that broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.comparison.golds import item_changes, ranked_by
from lydite.errors import UsageError
from lydite.model import PlainSummary
from lydite.model.comparison import ItemChange
from lydite.model.tally import TINY
from lydite.records import NamedTuple


class Drop(NamedTuple):
    """A figure before and after, and whether it fell by more than it may."""

    system: str
    what: str
    before: float | None
    after: float | None
    limit: float

    @property
    def is_too_large(self) -> bool:
        """Whether the figure fell too far; one that is gone fell to 0."""
        return self.before is not None and self.before - (self.after or 0.0) - self.limit > TINY

    @property
    def sentence(self) -> str:
        """What fell, from where to where."""
        old, new = shown(self.before), shown(self.after)
        return f"{self.what} fell from {old} to {new}, by more than {self.limit:g}"


def shown(figure: float | None) -> str:
    """A figure as gates tell it."""
    return "undefined" if figure is None else f"{figure:.6g}"


class DropLimits(NamedTuple):
    """How far the headline may fall (None: as far as it likes), and the headline by parts of an attribute."""

    headline: float | None = None
    parts: Mapping[str, float] = {}


def drops(before: PlainSummary, after: PlainSummary, limits: DropLimits) -> Iterator[Drop]:
    """Every figure that has a limit, by system."""
    if before.task != after.task or dict(before.headline) != dict(after.headline):
        raise UsageError(
            f"--against: the saved summary is of {ranked_by(before)}, this run of {ranked_by(after)}"
        )
    for old, new in paired_systems(before, after).items():
        lead = after.headline
        name = f"{lead['measurement']}.{lead['metric']}.{lead['average']}.{lead['figure']}"
        if limits.headline is not None:
            yield Drop(new, name, before.headline_score(old), after.headline_score(new), limits.headline)
        for attribute, limit in limits.parts.items():
            earlier, later = _parts(before, attribute, old), _parts(after, attribute, new)
            for value, figure in earlier.items():
                yield Drop(new, f"{attribute} {value}", figure, later.get(value), limit)


def paired_systems(before: PlainSummary, after: PlainSummary) -> dict[str, str]:
    """Systems of two runs, by name; the only one of each run is the same one, whatever it is called."""
    if len(before.systems) == len(after.systems) == 1:
        return {before.systems[0]: after.systems[0]}
    shared = [name for name in after.systems if name in before.systems]
    if not shared:
        raise UsageError(
            f"--against: no system of this run is in the saved summary: it has {', '.join(before.systems)}"
        )
    return {name: name for name in shared}


def _parts(summary: PlainSummary, attribute: str, system: str) -> dict[str, float | None]:
    rows = [row for row in summary.parts(attribute) if row.system == system]
    if not rows:
        raise UsageError(f"--max-drop-by {attribute}: a summary has no parts of this name for {system}")
    figure = summary.headline["figure"]
    shown = {row.document or row.by.get(attribute, ""): row for row in rows}
    return {value: getattr(row.score, figure) for value, row in shown.items()}


def broken_items(before: PlainSummary, after: PlainSummary) -> list[ItemChange]:
    """Gold items that were right and are wrong now."""
    changes = item_changes(before, after, paired_systems(before, after))
    return [one for one in changes if one.change == "now wrong"]
