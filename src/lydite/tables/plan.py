"""What is counted over two tables of mentions, whichever engine counts it, and what is found on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted
from lydite.metrics.coreference_arrays import ArrayTable
from lydite.metrics.coreference_cells import CellCounts
from lydite.records import NamedTuple
from lydite.tables.table import Identity, MentionTable, more_rows, repeat_findings, row_findings

FIRST, MERGE, REFUSE = "first", "merge", "refuse"
"""What becomes of a mention in two clusters: it stays in the first, joins them, or is no mention of a sound table."""

CELL_BYTES = 200
"""What a cell takes while clusters are joined one to one: its ends, sizes and weight, and what the assignment adds."""

Counts: TypeAlias = ArrayTable | CellCounts


def itself(doc_id: str) -> str:
    """The unit of a document, where every document is one."""
    return doc_id


class CountingPlan(NamedTuple):
    """What is counted: the same steps for every engine.

    Rows of both sides belong to units by their documents; system rows of a unit that gold does not have go, if only
    gold's units are scored.  Repeats are treated, then clusters of one mention dropped if they do not count.  What is
    left is joined by mention, and how many mentions each two clusters share is counted.
    """

    unit_of: Callable[[str], str] | None
    """The unit that a document belongs to; None if the whole corpus is one."""
    gold_units_only: bool = True
    repeats: str = REFUSE
    singletons: bool = True
    ceaf: bool = True
    """Whether the cells that CEAF needs are wanted."""
    memory: int = 4 << 30
    """How many bytes may be held."""
    as_text: frozenset[str] = frozenset()
    """Columns that are compared as text."""


class SideFacts(NamedTuple):
    """What an engine saw of one side."""

    bad_rows: int = 0
    """Rows that lack a value."""
    repeats: int = 0
    """Mentions that are there more than once."""
    repeated: Sequence[Identity] = ()
    """The first of them, in the order of their values."""
    units: int = 0
    unit_names: Sequence[str] = ()
    """Some units that the other side does not have."""
    strangers: int = 0
    """How many such units there are."""
    cut: int = 0
    """Clusters whose names occur in several units."""
    content: int = 0


class CountedTables(NamedTuple):
    """What an engine counted; no counts if a side is unsound."""

    gold: SideFacts
    system: SideFacts
    counts: Counts | None = None
    ceaf_refused: str | None = None
    """Why the cells for CEAF could not be held, if they could not."""


def is_refused(facts: Iterable[SideFacts], plan: CountingPlan) -> bool:
    """Whether a mention is in two clusters that must not be, so that nothing can be counted.

    Rows that lack a value are left out; a profile may say that they refuse nothing.
    """
    return plan.repeats == REFUSE and any(one.repeats for one in facts)


Engine: TypeAlias = Callable[[MentionTable, MentionTable, CountingPlan], CountedTables]


def needed_for_ceaf(cells: int, memory: int) -> str | None:
    """Why so many cells cannot be held in so much memory; None if they can."""
    needed = cells * CELL_BYTES
    if needed <= memory:
        return None
    return (
        f"CEAF would hold {cells:,} cells at once, about {needed / (1 << 30):.1f} GB, and may hold "
        f"{memory / (1 << 30):.1f} GB"
    )


# -------------------------------------------------------------------------------------------------------- findings


def side_findings(table: MentionTable, facts: SideFacts, plan: CountingPlan) -> list[Finding]:
    """What is wrong with a side, or odd about it."""
    found: list[Finding] = []
    if facts.bad_rows:
        found += row_findings(table)
        found += more_rows("null-cell", table.path, facts.bad_rows, "rows lack a value")
    if facts.repeats and plan.repeats == REFUSE:
        found += repeat_findings(table, facts.repeated, plan.as_text)
        found += more_rows(
            "mention-in-two-clusters", table.path, facts.repeats, "mentions are there more than once"
        )
    elif facts.repeats:
        fate = "stays where it is first" if plan.repeats == FIRST else "joins its clusters"
        message = f"{counted(facts.repeats, 'mention')} there more than once; each {fate}"
        found.append(Finding("repeat-dropped", "warning", message, Location(table.path)))
    if facts.cut:
        found.append(cut_finding(facts.cut, table.path))
    return found


def cut_finding(number: int, path: str) -> Finding:
    """That clusters end at the boundaries of units."""
    message = f"{counted(number, 'name')} of clusters in several units; each unit has a cluster of its own"
    hint = "score with --unit corpus if a name means one cluster everywhere"
    return Finding("cluster-cut", "warning", message, Location(path), hint=hint)


def pair_findings(
    system: MentionTable, name: str, outcome: CountedTables, plan: CountingPlan
) -> Iterator[Finding]:
    """Units that one side lacks, and metrics that could not be computed."""
    if outcome.ceaf_refused is not None:
        hint = "allow more with --memory-limit, or drop clusters of one mention: --singletons drop"
        yield Finding("ceaf-refused", "warning", outcome.ceaf_refused, Location(system.path), hint=hint)
    missing, strangers = outcome.gold, outcome.system
    if plan.unit_of is None:
        return
    if strangers.units == strangers.strangers:
        message = (
            f"gold and system share no document: gold has {_some(missing)}; {name} has {_some(strangers)}"
        )
        hint = "are these tables of the same collection, and is the first one the gold table?"
        severity: Severity = "error" if strangers.units else "warning"
        yield Finding("no-common-document", severity, message, Location(system.path), hint=hint)
    if missing.strangers:
        message = f"{counted(missing.strangers, 'document')} of gold missing in {name}, counted as empty: {_some(missing)}"
        yield Finding("document-missing-in-system", "warning", message, Location(system.path))
    if strangers.strangers:
        fate = "not scored" if plan.gold_units_only else "with spurious mentions only"
        documents = counted(strangers.strangers, "document")
        message = f"{documents} of {name} not in gold, {fate}: {_some(strangers)}"
        yield Finding("document-missing-in-gold", "warning", message, Location(system.path))


def _some(facts: SideFacts) -> str:
    shown = ", ".join(map(repr, facts.unit_names[:3])) or "none"
    return f"{shown}, …" if facts.strangers > 3 else shown
