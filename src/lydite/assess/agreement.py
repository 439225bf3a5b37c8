"""How far two assessors agree: a confusion table, accuracy and Cohen's kappa per judgement, B³ of coreference ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, row_per_argument
from lydite.formats.eal import JUDGED, argument_columns
from lydite.grouping import grouped
from lydite.metrics.cluster_counts import count_table
from lydite.metrics.coreference import b_cubed
from lydite.model import Score
from lydite.model.argument import Argument, ArgumentRow, Assessment, Filler
from lydite.model.cluster import ClusterTally, overlap_table
from lydite.results.agreement import kappa

COLUMNS = dict(zip((*JUDGED[:4], *JUDGED[5:]), Assessment._fields, strict=True))
"""The judgements that are compared, with the fields of an assessment that hold them."""

Cells = Counter[tuple[str, str]]
Rows = Sequence[ArgumentRow]
"""The lines of a document in one store."""


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """One kind of judgement of all arguments that both assessors judged; ``cells`` counts pairs (first, second) of values."""

    name: str
    cells: Mapping[tuple[str, str], int]

    @property
    def total(self) -> int:
        """The number of arguments that both judged."""
        return sum(self.cells.values())

    @property
    def accuracy(self) -> float | None:
        """The share of equal judgements."""
        same = sum(count for (first, second), count in self.cells.items() if first == second)
        return same / self.total if self.total else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; undefined if chance alone explains all agreement."""
        table: dict[str, dict[str, int]] = {}
        for (first, second), count in self.cells.items():
            table.setdefault(first, {})[second] = count
        return kappa(table)


class ArgumentDisagreement(TypedDict):
    """An argument that two assessors judge differently: both judgements, by column."""

    document: str
    argument: str
    judgements: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class StoreAgreement:
    """The agreement of two stores: numbers of judged arguments, agreement per judgement and of coreference, disagreements."""

    judged_by_both: int
    judged_by_first: int
    judged_by_second: int
    columns: tuple[ColumnAgreement, ...]
    coreference: Score
    disagreements: tuple[ArgumentDisagreement, ...]


def agreement(first: OpenedStore, second: OpenedStore) -> StoreAgreement:
    """The agreement of two annotation stores over the arguments that both judged."""
    doc_ids = all_documents([first, second])
    return agreement_of_documents((doc_id, first.rows(doc_id), second.rows(doc_id)) for doc_id in doc_ids)


def agreement_of_documents(documents: Iterable[tuple[str, Rows, Rows]]) -> StoreAgreement:
    """The agreement of two assessors over documents, each given as its id, the rows of the first and of the second."""
    cells: dict[str, Cells] = {name: Counter() for name in COLUMNS}
    by_first = by_second = by_both = 0
    disagreements: list[ArgumentDisagreement] = []
    coreference = ClusterTally()
    for doc_id, ours, theirs in documents:
        coreference += _b_cubed_of_ids(cluster_ids(ours), cluster_ids(theirs))
        first, second = _assessments(ours), _assessments(theirs)
        by_first += len(first)
        by_second += len(second)
        for argument in sorted(first.keys() & second.keys()):
            by_both += 1
            differing = _count_values(first[argument], second[argument], cells)
            if differing:
                columns = "\t".join(argument_columns(argument))
                disagreements.append({"document": doc_id, "argument": columns, "judgements": differing})
    return StoreAgreement(
        by_both,
        by_first,
        by_second,
        tuple(ColumnAgreement(name, dict(sorted(counts.items()))) for name, counts in cells.items()),
        coreference.score(empty="undefined"),
        tuple(disagreements),
    )


def _assessments(rows: Rows) -> dict[Argument, Assessment]:
    return {argument: row.assessment for argument, row in row_per_argument(rows).items() if row.assessment}


def _count_values(first: Assessment, second: Assessment, cells: dict[str, Cells]) -> dict[str, list[str]]:
    """Count the values of both in ``cells``, and return those that differ, by judgement."""
    differing: dict[str, list[str]] = {}
    for name, field in COLUMNS.items():
        one, two = getattr(first, field) or "NIL", getattr(second, field) or "NIL"
        cells[name][one, two] += 1
        if one != two:
            differing[name] = [one, two]
    return differing


def _b_cubed_of_ids(first: Mapping[Filler, int], second: Mapping[Filler, int]) -> ClusterTally:
    """B³ of two partitions, over the strings that have an id on both sides."""
    numbers = {filler: number for number, filler in enumerate(filler for filler in first if filler in second)}
    ours, theirs = (
        list(grouped((ids[filler], number) for filler, number in numbers.items()).values())
        for ids in (first, second)
    )
    return b_cubed(count_table(overlap_table(ours, theirs)))
