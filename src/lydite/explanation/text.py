"""Explanations as text: one screen for a system, a table for several, lists of verdicts and confusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from textwrap import wrap
from typing import NamedTuple

from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.explanation.explanation import Explanation
from lydite.model.verdict import (
    LEFT_OUT,
    RIGHT,
    Budget,
    ConfusionMatrix,
    Side,
    Verdict,
    credit_as_number,
    faults_of,
)
from lydite.report.tables import (
    Table,
    departing,
    headline_name,
    markdown_lines,
    markdown_sentence,
    percent,
    titled_markdown,
)
from lydite.report.text import PAGE, plain_text

MOST_ROWS, LEAST_CAUSES = 8, 2
"""The number of faults and causes together on one screen; and of causes, however many faults there are."""


class TextLayout(NamedTuple):
    """How a layout writes tables, sentences and lines; ``below`` separates a table from a line below it."""

    table: Callable[[Table], str]
    sentence: Callable[[str], str]
    lines: Callable[[str], str]
    below: str


LAYOUTS = {
    "text": TextLayout(plain_text, str, str, "\n"),
    # In Markdown a line right below a table would be its last row.
    "markdown": TextLayout(titled_markdown, markdown_sentence, markdown_lines, "\n\n"),
}


class CauseRow(NamedTuple):
    """The items of one side with one cause: number, what they lost together, and the first of them."""

    side: Side
    cause: str
    items: int
    lost: float
    example: Verdict


def gather_causes(verdicts: Iterable[Verdict]) -> list[CauseRow]:
    """The causes, with the most lost credit first."""
    groups: dict[tuple[Side, str], list[float]] = {}
    examples: dict[tuple[Side, str], Verdict] = {}
    for verdict in verdicts:
        key = verdict.side, verdict.cause
        groups.setdefault(key, []).append(credit_as_number(verdict.lost))
        examples.setdefault(key, verdict)
    rows = [CauseRow(*key, len(lost), fsum(lost), examples[key]) for key, lost in groups.items()]
    return sorted(rows, key=lambda row: (-row.lost, row.side, row.cause))


def heading(explanation: Explanation) -> str:
    """The first line for one system: task, profile and figure."""
    summary = explanation.summary
    figure = f"{explanation.system}: {headline_name(summary.headline)} {percent(explanation.value)}"
    return " · ".join((summary.task, summary.profile, *departing(summary.departures), figure))


def series_heading(explanations: Sequence[Explanation]) -> str:
    """The first line for several systems: task, profile and the name of the figure."""
    summary = explanations[0].summary
    name = headline_name(summary.headline)
    return " · ".join((summary.task, summary.profile, *departing(summary.departures), name))


def overview(explanation: Explanation, layout: TextLayout) -> Iterator[str]:
    """The blocks of one screen: headline, budget, largest causes, what to mend first, signature."""
    causes, budget = gather_causes(explanation.verdicts), explanation.budget
    yield layout.sentence(heading(explanation))
    if budget is None:
        yield layout.sentence(f"no error budget: {explanation.why_no_budget}")
    else:
        note = "shares add up; what mending one fault alone would give does not"
        below = f"{layout.below}{note}" if budget.figure != budget.perfect else ""
        yield _table(budget_table({explanation.system: budget}), layout) + below
    faults = sum(bool(row.items) for row in budget.faults) if budget else 0
    yield _table(_cause_table(causes, max(LEAST_CAUSES, MOST_ROWS - faults)), layout)
    yield layout.lines("\n".join(advice(explanation, causes)))
    yield layout.lines(explanation.summary.signature)


def _table(table: Table, layout: TextLayout) -> str:
    """A table, or only its title if it has no rows."""
    return layout.table(table) if table.rows else layout.sentence(table.title)


def budget_table(budgets: Mapping[str, Budget]) -> Table:
    """Faults in rows; for one system items, share and gain alone, for several the shares."""
    if len(budgets) == 1:
        (one,) = budgets.values()
        title = f"error budget: {percent(float(one.perfect - one.figure))} points to {percent(float(one.perfect))}"
        faults = tuple(
            (row.fault, str(row.items), percent(float(row.share)), percent(float(row.gain_alone)))
            for row in one.faults
            if row.items
        )
        return Table(title, ("fault", "items", "share", "alone"), faults)
    first = next(iter(budgets.values()))
    rows = [
        (row.fault, *(percent(float(one.faults[place].share)) for one in budgets.values()))
        for place, row in enumerate(first.faults)
    ]
    totals = ("together", *(percent(float(one.perfect - one.figure)) for one in budgets.values()))
    lines = (*rows, totals, ("figure", *(percent(float(one.figure)) for one in budgets.values())))
    title = "error budget: points that each fault costs; they add up"
    return Table(title, ("fault", *budgets), lines, turns=True, names_in_columns=len(budgets))


def _cause_table(causes: Sequence[CauseRow], most: int) -> Table:
    wrong = [row for row in causes if row.lost]
    shown = wrong[:most]
    rows = [
        (
            f"{row.side} {row.cause}",
            f"{row.example.id} of {row.example.document}",
            str(row.items),
            f"{row.lost:.2f}",
        )
        for row in shown
    ]
    left_out = sum(row.items for row in causes if row.cause == LEFT_OUT)
    more = f", {counted(len(wrong) - len(shown), 'more cause')}" if len(wrong) > len(shown) else ""
    items = counted(sum(row.items for row in causes), "item")
    title = f"largest causes ({items}, {left_out} of them left out{more})"
    return Table(title, ("cause", "for instance", "items", "lost"), tuple(rows), text_columns=2)


def advice(explanation: Explanation, causes: Sequence[CauseRow]) -> Iterator[str]:
    """What to mend first, with an example and the option that lists the rest."""
    budget = explanation.budget
    worst = next((row for row in causes if row.lost), None)
    if worst is None:
        yield "nothing to mend: every item that counts is right"
        return
    if budget is not None:
        first = max(budget.faults, key=lambda row: row.share)
        if first.share <= 0:
            yield "nothing to mend: no fault costs a point"
            return
        faults = [row.fault for row in budget.faults]
        of_fault = (row for row in causes if first.fault in faults_of(row.side, row.cause, faults, faults))
        worst = next((row for row in of_fault if row.lost), worst)
        items = counted(first.items, "item")
        yield f"mend first: {first.fault} ({items}, {percent(float(first.share))} points)"
    else:
        yield f"mend first: {worst.cause} ({counted(worst.items, 'item')})"
    example = worst.example
    yield from _wrapped(f"{example.document}, {example.side} {example.id}: {example.why}", "  ")
    yield f"  --cause {worst.cause} lists all of them, --doc {example.document} shows the document"


def _wrapped(sentence: str, margin: str) -> list[str]:
    return wrap(sentence, PAGE, initial_indent=margin, subsequent_indent=margin, break_long_words=False)


# ---------------------------------------------------------------------------------------------------- lists


def verdict_lines(verdicts: Iterable[Verdict], most: int | None, *, rivals: bool = False) -> Iterator[str]:
    """At most ``most`` verdicts under the ids of their documents, and how many more there are."""
    document = None
    rest = 0
    for count, verdict in enumerate(verdicts):
        if most is not None and count >= most:
            rest += 1
            continue
        if verdict.document != document:
            if document is not None:
                yield ""
            document = verdict.document
            yield document
        yield from verdict_text(verdict)
        if rivals:
            yield from rival_lines(verdict)
    if rest:
        yield more_line(rest)
    elif document is None:
        yield "no such item"


def more_line(rest: int) -> str:
    """The line below a list that was cut."""
    return f"… and {rest} more; --max 0 shows all"


def verdict_text(verdict: Verdict) -> Iterator[str]:
    """The lines of one verdict: item, cause, credit, and why."""
    place = f" (line {verdict.line})" if verdict.line else ""
    text = f" {verdict.text!r}" if verdict.text else ""
    kind = f" {verdict.type}" if verdict.type else ""
    yield f"  {verdict.side} {verdict.id}{place}{kind}{text}: {verdict.cause}, credit {credit_as_number(verdict.credit):.2f}"
    yield from _wrapped(verdict.why, "    ")


def rival_lines(verdict: Verdict) -> Iterator[str]:
    """The lines of the items that competed for an item."""
    for rival in verdict.rivals:
        partner = f"paired with {rival.paired_with or 'nothing'}"
        yield f"    rival {rival.id}: similarity {rival.similarity:.2f}, {partner}"
    if not verdict.rivals:
        yield "    nothing else competed for it"


def confusion_table(matrix: ConfusionMatrix, most: int | None) -> Table:
    """The largest cells where gold and system differ, one in each row."""
    cells = matrix.largest()
    shown = cells if most is None else cells[:most]
    rest = counted(len(cells) - len(shown), "more cell")
    more = f"; {rest}, --max 0 shows all" if len(shown) < len(cells) else ""
    agree = "1 pair agrees" if matrix.agreeing == 1 else f"{matrix.agreeing} pairs agree"
    title = f"confusion of {matrix.attribute}: {agree}{more}"
    rows = tuple((row, column, str(count)) for row, column, count in shown)
    return Table(title, ("gold", "found", "count"), rows, text_columns=2)


def breakdown_table(verdicts: Iterable[Verdict], trait: str) -> Table:
    """Items, how many are right and what they earned, by a trait and side, in the order of values."""
    groups: dict[tuple[str, str], list[Verdict]] = {}
    traits = {"type"}
    for verdict in verdicts:
        traits.update(verdict.traits)
        value = verdict.type if trait == "type" else verdict.traits.get(trait)
        if value is not None and verdict.cause != LEFT_OUT:
            groups.setdefault((value, verdict.side), []).append(verdict)
    if not groups:
        raise UsageError(
            f"--by {trait}: nothing to show", hint=f"verdicts can be shown by {', '.join(sorted(traits))}"
        )
    rows = []
    for (value, side), group in sorted(groups.items()):
        earned = fsum(credit_as_number(one.credit) for one in group)
        right = sum(one.cause in RIGHT for one in group)
        per_item = percent(earned / len(group))
        rows.append((value or "(none)", side, str(len(group)), str(right), f"{earned:.2f}", per_item))
    head = (trait, "side", "items", "right", "credit", "per item")
    return Table(f"verdicts by {trait}", head, tuple(rows), text_columns=2)
