"""Tables of mentions that are counted as wholes: which engine counts, and the corpora that hold the counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from lydite.dask_cluster import open_client
from lydite.errors import Finding, InvalidInput, Location, UsageError, errors_among
from lydite.formats.base import Options
from lydite.formats.units import WHOLE_CORPUS, unit_of
from lydite.model import Corpus, Document
from lydite.model.document import Layers
from lydite.pipeline.task import TOTALS, KeptResults
from lydite.profile import Profile
from lydite.tables.format import CONTENT, TableDocuments, refuses_repeats
from lydite.tables.plan import (
    FIRST,
    MERGE,
    REFUSE,
    CountedTables,
    CountingPlan,
    Engine,
    SideFacts,
    document_as_unit,
    pair_findings,
    side_findings,
)
from lydite.tables.table import MentionTable, agree_on_kinds
from lydite.tasks.coref.comparison import COUNTS
from lydite.tasks.coref.settings import ARRAYS, AUTO, DASK, DOCUMENTS, DUCKDB, SAME, CorefSettings

MOST_IN_MEMORY = 20_000_000
"""Mentions of a side beyond which they are not counted in memory."""
MOST_AS_DOCUMENTS = 2_000_000
"""Mentions of a side beyond which a table is not read as documents unless asked: they take about a kilobyte each."""

COUNTABLE = frozenset(
    {"mentions", "muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea", "pairwise", "pairwise-negative"}
)
"""Metrics that need no documents."""
_CEAF = ("ceaf-m", "ceaf-e")

CorefProfile: TypeAlias = Profile[CorefSettings]


def condense(
    gold: Corpus, systems: Sequence[Corpus], profile: CorefProfile, detail: KeptResults
) -> tuple[Corpus, Sequence[Corpus], CorefProfile, KeptResults]:
    """Tables as corpora of one document that holds counts, where they need not or cannot be read as documents."""
    unchanged = gold, systems, profile, detail
    if systems and all(map(_is_condensed, systems)):
        return unchanged
    findings = [one for corpus in (gold, *systems) if corpus.format == "table" for one in corpus.findings]
    if errors_among(findings):
        raise InvalidInput(findings)
    tables = [one.documents.table for one in (gold, *systems) if isinstance(one.documents, TableDocuments)]
    settings = profile.settings
    if len(tables) < 1 + len(systems):
        if settings.engine not in {AUTO, DOCUMENTS}:
            hint = "give tables (Parquet, Arrow IPC, CSV) on both sides, or leave --engine out"
            message = f"engine {settings.engine} counts over tables, and not all files are tables"
            raise UsageError(message, hint=hint)
        return unchanged
    agreed = [agree_on_kinds(tables[0], table) for table in tables[1:]]
    if unequal := [finding for _, of_kinds in agreed for finding in of_kinds]:
        raise InvalidInput(unequal)
    engine = _choose_engine(settings, tables, detail)
    if engine == DOCUMENTS:
        return unchanged
    plans = [_plan(settings, as_text) for as_text, _ in agreed]
    count = _load_engine(engine)
    outcomes = [count(tables[0], table, plan) for table, plan in zip(tables[1:], plans, strict=True)]
    if any(outcome.ceaf_refused for outcome in outcomes):
        profile = profile.replace({"metrics": [name for name in settings.metrics if name not in _CEAF]})
    counted = [
        _counted_system(system, outcome, plan)
        for system, outcome, plan in zip(systems, outcomes, plans, strict=True)
    ]
    of_gold = _counted_gold(gold, outcomes, plans)
    if not _is_totals(detail):
        message = f"counted by the engine {engine}: totals alone, no documents and nothing by cluster"
        hint = "--engine documents holds every mention in memory, about a kilobyte each"
        totals_only = Finding("totals-only", "warning", message, Location(gold.path), hint=hint)
        of_gold = replace(of_gold, findings=(*of_gold.findings, totals_only))
    return of_gold, counted, profile, TOTALS


# ------------------------------------------------------------------------------------------------------- which engine


def _choose_engine(settings: CorefSettings, tables: Sequence[MentionTable], detail: KeptResults) -> str:
    # Totals tell neither of these.
    needs_rows = ["documents to draw again"] * detail.elements
    needs_rows += ["the order of sums that the official layout shows"] * detail.for_layout
    unsupported = [*_needs_documents(settings), *needs_rows]
    if settings.engine == DOCUMENTS:
        return DOCUMENTS
    if settings.engine != AUTO:
        if unsupported:
            hint = "leave --engine out, or say --engine documents"
            message = f"engine {settings.engine} gives totals alone, without {unsupported[0]}"
            raise UsageError(message, hint=hint)
        return settings.engine
    rows = max(table.rows() for table in tables)
    if unsupported:
        if rows > MOST_IN_MEMORY:
            hint = "--engine documents holds every mention in memory, about a kilobyte each"
            raise UsageError(f"{rows:,} mentions are counted as wholes, without {unsupported[0]}", hint=hint)
        return DOCUMENTS
    as_written = settings.repeats == "v8.01" and settings.reading == "as-official"
    if rows <= MOST_AS_DOCUMENTS and (as_written or not _is_totals(detail)):
        return DOCUMENTS
    # Whoever opened a client of a Dask cluster wants it used.
    client = open_client()
    has_cluster = client is not None and client.status == "running"
    if any(table.frame is not None for table in tables) or has_cluster:
        return DASK
    return DUCKDB if rows > MOST_IN_MEMORY else ARRAYS


def _needs_documents(settings: CorefSettings) -> list[str]:
    """The settings that only documents can be scored under."""
    reasons = [f"the metric {name}" for name in settings.metrics if name not in COUNTABLE]
    if "macro" in settings.averages and settings.unit != WHOLE_CORPUS:
        reasons.append("macro averages")
    for name, value, countable in (
        ("match", settings.match, SAME),
        ("zero-division", settings.zero_division, "zero"),
        ("ceafe-alignment", settings.ceafe_alignment, "phi4"),
        ("only-document", settings.only_document, None),
    ):
        if value != countable:
            reasons.append(f"{name} = {value}")
    return reasons


def _load_engine(name: str) -> Engine:
    if name == DUCKDB:
        from lydite.tables.in_duckdb import count
    elif name == DASK:
        from lydite.tables.in_dask import count
    else:
        from lydite.tables.in_arrays import count
    return count


def _plan(settings: CorefSettings, as_text: frozenset[str]) -> CountingPlan:
    options = {name: settings.by_name(name) for name in ("unit", "topic-of", "repeats", "reading")}
    treated = {"first": FIRST, "merge": MERGE}.get(settings.repeats, REFUSE)
    assert treated == REFUSE or not refuses_repeats(options)
    return CountingPlan(
        unit_of=_unit_of(settings.unit, options),
        gold_units_only=settings.scored_documents == "gold",
        repeats=treated,
        singletons=settings.singletons == "keep",
        ceaf=not set(_CEAF).isdisjoint(settings.metrics),
        memory=memory_limit(settings.memory_limit),
        as_text=as_text,
    )


def _unit_of(unit: str, options: Options) -> Callable[[str], str] | None:
    """The unit of each document; None if there is one alone.  It is asked for every document, so it should be cheap."""
    return None if unit == WHOLE_CORPUS else document_as_unit if unit == "document" else unit_of(options)


_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)\s*([KMGT]?)i?B?", re.IGNORECASE)


def memory_limit(text: str) -> int:
    """``3GB`` in bytes; half of the machine's memory if nothing is said."""
    if not text:
        import os

        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"setting 'memory-limit': expected a size, found {text!r}", hint="for instance 3GB")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


# ------------------------------------------------------------------------------------------- corpora that hold counts


def _is_totals(detail: KeptResults) -> bool:
    return not (detail.by or detail.diagnosis or detail.standing or detail.elements)


def _counted_gold(gold: Corpus, outcomes: Sequence[CountedTables], plans: Sequence[CountingPlan]) -> Corpus:
    findings = [
        finding
        for outcome, plan in zip(outcomes, plans, strict=True)
        for finding in side_findings(_table_of(gold), outcome.gold, plan)
    ]
    return _condensed(gold, outcomes[0].gold, plans[0], {}, list(dict.fromkeys(findings)))


def _counted_system(system: Corpus, outcome: CountedTables, plan: CountingPlan) -> Corpus:
    from lydite.metrics.label_counts import count_labels

    table = _table_of(system)
    findings = side_findings(table, outcome.system, plan)
    findings += pair_findings(table, system.name, outcome, plan)
    # Where a side is unsound nothing was counted; its findings refuse the run.
    counts = count_labels([], []) if outcome.counts is None else outcome.counts
    return _condensed(system, outcome.system, plan, {COUNTS: counts}, findings)


def _table_of(corpus: Corpus) -> MentionTable:
    assert isinstance(corpus.documents, TableDocuments)
    return corpus.documents.table


def _is_condensed(corpus: Corpus) -> bool:
    """Whether the corpus holds counts already, as in a run that was to be shared and stays in one process."""
    documents = corpus.documents
    return (
        isinstance(documents, dict) and WHOLE_CORPUS in documents and COUNTS in documents[WHOLE_CORPUS].layers
    )


def _condensed(
    corpus: Corpus, facts: SideFacts, plan: CountingPlan, layers: Layers, findings: Sequence[Finding]
) -> Corpus:
    layers = {CONTENT: facts.content, **layers}
    document = Document(WHOLE_CORPUS, path=corpus.path, layers=layers)
    return replace(
        corpus,
        documents={WHOLE_CORPUS: document},
        findings=(*corpus.findings, *findings),
        facts={**corpus.facts, "documents": 1 if plan.unit_of is None else facts.units},
    )
