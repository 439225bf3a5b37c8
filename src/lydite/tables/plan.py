"""The plan of counting over two tables of mentions, which every engine follows, and the findings on the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted
from lydite.metrics.cluster_counts import ClusterCounts
from lydite.tables.table import Identity, MentionTable, repeat_findings, row_findings, total_findings

FIRST, MERGE, REFUSE = "first", "merge", "refuse"
"""What becomes of a mention in two clusters: it stays in the first, joins them, or refuses the table."""

CELL_BYTES = 200
"""The memory of a cell while clusters are joined one to one: its ends, sizes and weight, and the assignment."""


def document_as_unit(doc_id: str) -> str:
    """The unit of a document, where every document is one."""
    return doc_id


class CountingPlan(NamedTuple):
    """What is counted: the same steps for every engine.

    Rows of both sides belong to units by their documents; if only gold's units are scored, system rows of other units
    are dropped.  Repeats are treated, then clusters of one mention dropped if they do not count.  The remaining rows of
    both sides are joined by mention, and the common mentions of each two clusters counted.
    """

    unit_of: Callable[[str], str] | None
    """The unit of a document; None if the whole corpus is one unit."""
    gold_units_only: bool = True
    repeats: str = REFUSE
    singletons: bool = True
    ceaf: bool = True
    """Whether the cells that CEAF needs are counted."""
    memory: int = 4 << 30
    """How many bytes of memory may be used."""
    as_text: frozenset[str] = frozenset()
    """Columns that are compared as text."""


class SideFacts(NamedTuple):
    """What an engine noted of one side."""

    bad_rows: int = 0
    """Rows that lack a value."""
    repeats: int = 0
    """How many mentions are there more than once."""
    repeated: Sequence[Identity] = ()
    """The first of them, in the order of their values."""
    units: int = 0
    unit_names: Sequence[str] = ()
    """Some of the units that the other side lacks."""
    unshared_units: int = 0
    """How many units the other side lacks."""
    cut: int = 0
    """Clusters whose names occur in several units."""
    content: int = 0


class CountedTables(NamedTuple):
    """What an engine counted; no counts if a side is unsound."""

    gold: SideFacts
    system: SideFacts
    counts: ClusterCounts | None = None
    ceaf_refused: str | None = None
    """Why the cells for CEAF could not be held, if they could not."""


def is_refused(facts: Iterable[SideFacts], plan: CountingPlan) -> bool:
    """Whether a mention in two clusters refuses a table, so that nothing can be counted.

    Rows that lack a value are left out: a profile need not list them as errors.
    """
    return plan.repeats == REFUSE and any(one.repeats for one in facts)


Engine: TypeAlias = Callable[[MentionTable, MentionTable, CountingPlan], CountedTables]


def why_no_ceaf(cells: int, memory: int) -> str | None:
    """Why CEAF cannot be computed over so many cells in this memory; None if it can."""
    needed = cells * CELL_BYTES
    if needed <= memory:
        return None
    size, room = (f"{number / (1 << 30):.1f} GB" for number in (needed, memory))
    return f"CEAF would hold {cells:,} cells at once, about {size}, and may hold {room}"


# -------------------------------------------------------------------------------------------------------- findings


def side_findings(table: MentionTable, facts: SideFacts, plan: CountingPlan) -> list[Finding]:
    """The findings on one side."""
    findings: list[Finding] = []
    if facts.bad_rows:
        findings += row_findings(table)
        findings += total_findings("null-cell", table.path, facts.bad_rows, "rows lack a value")
    if facts.repeats and plan.repeats == REFUSE:
        findings += repeat_findings(table, facts.repeated, plan.as_text)
        what = "mentions are there more than once"
        findings += total_findings("mention-in-two-clusters", table.path, facts.repeats, what)
    elif facts.repeats:
        fate = "stays where it is first" if plan.repeats == FIRST else "joins its clusters"
        message = f"{counted(facts.repeats, 'mention')} there more than once; each {fate}"
        findings.append(Finding("repeat-dropped", "warning", message, Location(table.path)))
    if facts.cut:
        findings.append(cut_finding(facts.cut, table.path))
    return findings


def cut_finding(number: int, path: str) -> Finding:
    """The finding that clusters are cut at the boundaries of units."""
    message = f"{counted(number, 'name')} of clusters in several units; each unit has a cluster of its own"
    hint = "score with --unit corpus if a name means one cluster everywhere"
    return Finding("cluster-cut", "warning", message, Location(path), hint=hint)


def pair_findings(
    system: MentionTable, name: str, outcome: CountedTables, plan: CountingPlan
) -> Iterator[Finding]:
    """Findings on units that one side lacks, and on metrics that could not be computed."""
    if outcome.ceaf_refused is not None:
        hint = "allow more with --memory-limit, or drop clusters of one mention: --singletons drop"
        yield Finding("ceaf-refused", "warning", outcome.ceaf_refused, Location(system.path), hint=hint)
    of_gold, of_system = outcome.gold, outcome.system
    if plan.unit_of is None:
        return
    if of_system.units == of_system.unshared_units:
        message = f"gold and system share no document: gold has {_unshared_names(of_gold)}; {name} has {_unshared_names(of_system)}"
        hint = "are these tables of the same collection, and is the first one the gold table?"
        severity: Severity = "error" if of_system.units else "warning"
        yield Finding("no-common-document", severity, message, Location(system.path), hint=hint)
    if of_gold.unshared_units:
        message = f"{counted(of_gold.unshared_units, 'document')} of gold missing in {name}, counted as empty: {_unshared_names(of_gold)}"
        yield Finding("document-missing-in-system", "warning", message, Location(system.path))
    if of_system.unshared_units:
        fate = "not scored" if plan.gold_units_only else "with spurious mentions only"
        documents = counted(of_system.unshared_units, "document")
        message = f"{documents} of {name} not in gold, {fate}: {_unshared_names(of_system)}"
        yield Finding("document-missing-in-gold", "warning", message, Location(system.path))


def _unshared_names(facts: SideFacts) -> str:
    shown = ", ".join(map(repr, facts.unit_names[:3])) or "none"
    return f"{shown}, …" if facts.unshared_units > 3 else shown
