"""How far two assessors agree: a confusion table, accuracy and Cohen's kappa per judgement, B³ of coreference ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypedDict, TypeVar

from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, settled_rows
from lydite.formats.eal import JUDGED, system_columns
from lydite.grouping import grouped
from lydite.metrics.coreference import b_cubed
from lydite.model import Score
from lydite.model.argument import ArgumentRow, Assessment
from lydite.model.cluster import ClusterTally, overlap_table
from lydite.records import dataclass
from lydite.results.agreement import kappa

COLUMNS = dict(zip((*JUDGED[:4], *JUDGED[5:]), Assessment._fields, strict=True))
"""The judgements that are compared, and the fields of an assessment that hold them."""

Cells = Counter[tuple[str, str]]
Rows = Sequence[ArgumentRow]
"""The lines of a document in one store."""

K = TypeVar("K", bound=Hashable)
"""What stands for a string of a document."""


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """One judgement over all arguments that both assessors judged: ``cells`` counts (first, second) values."""

    name: str
    cells: Mapping[tuple[str, str], int]

    @property
    def total(self) -> int:
        """How many arguments both judged."""
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


class Disagreement(TypedDict):
    """An argument that two assessors judge otherwise: the judgements of both by column."""

    document: str
    argument: str
    judgements: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class StoreAgreement:
    """Everything two stores can be asked about each other."""

    judged_by_both: int
    judged_by_first: int
    judged_by_second: int
    columns: tuple[ColumnAgreement, ...]
    coreference: Score
    disagreements: tuple[Disagreement, ...]


def agreement(first: OpenedStore, second: OpenedStore) -> StoreAgreement:
    """The agreement of two annotation stores over the arguments that both judged."""
    both = all_documents([first, second])
    return agreement_over((doc_id, first.rows(doc_id), second.rows(doc_id)) for doc_id in both)


def agreement_over(documents: Iterable[tuple[str, Rows, Rows]]) -> StoreAgreement:
    """The agreement of two assessors over documents: the id of each, the rows of the first, those of the second."""
    cells: dict[str, Cells] = {name: Counter() for name in COLUMNS}
    judged = [0, 0, 0]
    disagreements: list[Disagreement] = []
    coreference = ClusterTally()
    for doc_id, ours, theirs in documents:
        coreference += b_cubed_of_ids(cluster_ids(ours), cluster_ids(theirs))
        mine = {argument: row.assessment for argument, row in settled_rows(ours).items() if row.assessment}
        other = {argument: row.assessment for argument, row in settled_rows(theirs).items() if row.assessment}
        judged[0] += len(mine)
        judged[1] += len(other)
        for argument in sorted(set(mine) & set(other)):
            judged[2] += 1
            differing = _compare(mine[argument], other[argument], cells)
            if differing:
                shown = "\t".join(system_columns(argument, 1.0)[1:10])
                disagreements.append({"document": doc_id, "argument": shown, "judgements": differing})
    return StoreAgreement(
        judged[2],
        judged[0],
        judged[1],
        tuple(ColumnAgreement(name, dict(sorted(counts.items()))) for name, counts in cells.items()),
        coreference.score(empty="undefined"),
        tuple(disagreements),
    )


def _compare(mine: Assessment, other: Assessment, cells: dict[str, Cells]) -> dict[str, list[str]]:
    differing: dict[str, list[str]] = {}
    for name, field in COLUMNS.items():
        one, two = getattr(mine, field) or "NIL", getattr(other, field) or "NIL"
        cells[name][one, two] += 1
        if one != two:
            differing[name] = [one, two]
    return differing


def b_cubed_of_ids(first: Mapping[K, int], second: Mapping[K, int]) -> ClusterTally:
    """B³ of two partitions, over the strings that have an id on both sides."""
    numbers = {filler: number for number, filler in enumerate(filler for filler in first if filler in second)}
    ours, theirs = (
        list(grouped((ids[filler], number) for filler, number in numbers.items()).values())
        for ids in (first, second)
    )
    return b_cubed(overlap_table(ours, theirs))
