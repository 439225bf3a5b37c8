"""Two golds or two runs: figures, ranks and items before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from lydite.comparison.compare import figure_of_system
from lydite.comparison.differences import Standing, standing_of
from lydite.errors import Finding
from lydite.facade.summaries import rename_systems, signature_of_inputs
from lydite.frozen import FrozenDict
from lydite.model import Summary
from lydite.model.comparison import Comparison, FigureName, Golds, ItemChange, SystemChange
from lydite.model.tally import ranks


def with_gold_before(comparison: Comparison, before: Summary, after: Summary) -> Comparison:
    """Add figures and ranks under the gold before, in the order of present ranks, and items whose standing changed."""
    common = [name for name in after.systems if name in before.systems]
    sides = [[figure_of_system(one, name, comparison.figure) for name in common] for one in (before, after)]
    rows = [SystemChange(*row) for row in zip(common, *sides, *map(ranks, sides), strict=True)]
    rows.sort(key=lambda row: (row.rank_after, row.system))
    changes = item_changes(before, after, comparison.figure, {row.system: row.system for row in rows})
    return replace(comparison, golds=Golds(before.signature, tuple(rows), tuple(changes)))


def item_changes(
    before: Summary, after: Summary, figure: FigureName, systems: Mapping[str, str]
) -> Iterator[ItemChange]:
    """Every gold item of a figure whose standing changed; ``systems`` are their present names by their former ones."""
    earlier, later = standing_of(before, figure), standing_of(after, figure)
    for old, new in systems.items():
        yield from _changes(new, earlier.get(old, {}), later.get(new, {}))


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


def rules_differ(before: Summary, after: Summary) -> Iterator[Finding]:
    """A warning if two summaries were made under different rules, which also makes their figures differ."""
    then, now = (_rules(summary) for summary in (before, after))
    if then != now:
        are_two = measure_of(before) != measure_of(after)
        so = ", which makes them two measures" if are_two else ""
        message = f"the two summaries were made under different rules{so}: {then} and {now}"
        hint = "score both runs under one profile, with the same settings and version"
        yield Finding("rules-differ", "warning", message, hint=hint)


def measure_of(summary: Summary) -> str:
    """The measure of a summary: its task, profile and departures, which are the signature without inputs and version."""
    return summary.signature.partition("|gold:")[0]


def _rules(summary: Summary) -> str:
    return f"{measure_of(summary)}|v:{summary.version}"


def describe_ranking(summary: Summary) -> str:
    """The profile of a summary, and the figure by which it ranks."""
    return (
        f"{summary.task}/{summary.profile} with the headline {'.'.join(map(str, summary.headline.values()))}"
    )


def join_summaries(before: Summary, after: Summary) -> Summary:
    """Join two summaries of one gold; systems with the same name get different ones."""
    shared = {*before.systems} & {*after.systems}
    first, second = _mark_shared(before, shared, "before"), _mark_shared(after, shared, "after")
    standing = [*first.diagnosis["standing"], *second.diagnosis["standing"]]
    inputs = (*first.inputs, *(item for item in second.inputs if item.role == "system"))
    return replace(
        second,
        rows=(*first.rows, *second.rows),
        inputs=inputs,
        diagnosis=FrozenDict({"standing": standing} if standing else {}),
        signature=signature_of_inputs(after, inputs),
    )


def measures_of_joined(before: Summary, after: Summary) -> dict[str, str]:
    """The measure of every system of two joined summaries, by its name there; empty if they have the same one."""
    shared = {*before.systems} & {*after.systems}
    sides = _mark_shared(before, shared, "before"), _mark_shared(after, shared, "after")
    measures = {name: measure_of(side) for side in sides for name in side.systems}
    return measures if len(set(measures.values())) > 1 else {}


def _mark_shared(summary: Summary, shared: Collection[str], when: str) -> Summary:
    names = {name: f"{name} ({when})" if name in shared else name for name in summary.systems}
    diagnosis = {"standing": summary.diagnosis.get("standing", ())}
    return rename_systems(replace(summary, diagnosis=diagnosis, findings=()), names)
