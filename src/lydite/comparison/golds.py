"""What another gold, or another run, changed: figures, ranks and items before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lydite.comparison.compare import figure_in
from lydite.comparison.differences import Standing, standing_of
from lydite.model import Summary
from lydite.model.comparison import Comparison, FigureName, GoldChange, Golds, ItemChange
from lydite.model.tally import ranks
from lydite.pipeline import signed_inputs


def with_gold_before(comparison: Comparison, before: Summary, after: Summary) -> Comparison:
    """The comparison with what the systems had under the gold before."""
    return replace(comparison, golds=golds(before, after, comparison.figure))


def golds(before: Summary, after: Summary, figure: FigureName) -> Golds:
    """Figures and ranks under both golds, best first as they are now, and the items whose standing changed."""
    common = [name for name in after.systems if name in before.systems]
    sides = [[figure_in(summary, name, figure) for name in common] for summary in (before, after)]
    rows = [GoldChange(*row) for row in zip(common, *sides, *map(ranks, sides), strict=True)]
    rows.sort(key=lambda row: (row.rank_after, row.system))
    return Golds(
        before.signature, tuple(rows), tuple(item_changes(before, after, [row.system for row in rows]))
    )


def item_changes(before: Summary, after: Summary, systems: Sequence[str]) -> Iterator[ItemChange]:
    """Every gold item whose standing changed, by system."""
    earlier, later = standing_of(before), standing_of(after)
    for system in systems:
        yield from _changes(system, earlier.get(system, {}), later.get(system, {}))


def _changes(system: str, before: Standing, after: Standing) -> Iterator[ItemChange]:
    for place in sorted({*before, *after}):
        if place not in before:
            yield ItemChange(system, *place, "new in gold")
        elif place not in after:
            yield ItemChange(system, *place, "no longer in gold")
        elif before[place] != after[place]:
            yield ItemChange(system, *place, "now right" if after[place] else "now wrong")


def gold_content(summary: Summary) -> str:
    """The hash of what gold says."""
    return next((item.content for item in summary.inputs if item.role == "gold"), "")


def joined(before: Summary, after: Summary) -> Summary:
    """Two summaries of one gold as one; systems of the same name get different ones."""
    shared = {*before.systems} & {*after.systems}
    renamed = _renamed(before, {name: f"{name} (before)" for name in shared})
    now = _renamed(after, {name: f"{name} (after)" for name in shared})
    standing = [*renamed.diagnosis.get("standing", ()), *now.diagnosis.get("standing", ())]
    inputs = (*renamed.inputs, *(item for item in now.inputs if item.role == "system"))
    head, _, _ = after.signature.partition("|gold:")
    return replace(
        now,
        rows=(*renamed.rows, *now.rows),
        inputs=inputs,
        diagnosis={"standing": standing} if standing else {},
        signature=f"{head}{signed_inputs(inputs)}|v:{after.version}",
        findings=(),
    )


def _renamed(summary: Summary, names: dict[str, str]) -> Summary:
    standing = [
        {**entry, "system": names.get(entry["system"], entry["system"])}
        for entry in summary.diagnosis.get("standing", ())
    ]
    return replace(
        summary,
        rows=tuple(row._replace(system=names.get(row.system, row.system)) for row in summary.rows),
        inputs=tuple(
            item._replace(name=names.get(item.name, item.name)) if item.role == "system" else item
            for item in summary.inputs
        ),
        diagnosis={"standing": standing} if standing else {},
    )
