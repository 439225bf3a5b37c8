"""The counts of a corpus of clusters, all documents together, as one addition of theirs gives them.

Metrics that are sums over cells are counted once over the cells of all documents: that is the same sum of the same
whole numbers, and a training loop notices the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add

from lydite.metrics import MEANS, METRICS
from lydite.metrics import coreference as plain
from lydite.model import Figures
from lydite.model.cluster import (
    ClusterAlignment,
    ClusterPair,
    DocumentTables,
    MeanTally,
    OverlapTable,
    muc_of_documents,
    overlap_tables_of_documents,
)

_SUMS_OVER_CELLS: dict[str, Callable[[OverlapTable], Figures]] = {
    "mentions": plain.mention_detection,
    "muc": plain.muc,
    "b-cubed": plain.b_cubed,
    "lea": plain.lea,
    "exact-clusters": plain.exact_clusters,
}
_BY_TABLE: dict[str, Callable[[OverlapTable], Figures]] = {
    "ceaf-m": plain.ceaf_m,
    "blanc": plain.blanc,
    "pairwise": plain.pairwise,
    "pairwise-negative": plain.pairwise_negative,
    "rand": plain.rand,
    "adjusted-rand": plain.adjusted_rand,
}


CountedDocuments = tuple[Figures, Sequence[int]]
"""The counts of documents, and the positions of those without a table: a mention occurs twice on one of their sides."""

_WITHOUT_TABLE: dict[str, Callable[[Sequence[ClusterPair]], CountedDocuments]] = {"muc": muc_of_documents}


def needs_tables_only(metric: str) -> bool:
    """Whether a metric needs nothing but how many mentions clusters have in common."""
    return metric == "ceaf-e" or any(metric in metrics for metrics in (_SUMS_OVER_CELLS, _BY_TABLE, MEANS))


def documents_tally(metric: str, documents: Sequence[ClusterPair]) -> CountedDocuments:
    """The counts of a metric over documents of plain clusters; those that have no table must be aligned."""
    if metric in _WITHOUT_TABLE:
        return _WITHOUT_TABLE[metric](documents)
    tables = overlap_tables_of_documents(documents)
    return _tables_tally(metric, tables), tables.repeated


def _tables_tally(metric: str, tables: DocumentTables) -> Figures:
    if metric in MEANS:
        return MeanTally({part: _tables_tally(part, tables) for part in MEANS[metric]})
    if metric in _SUMS_OVER_CELLS:
        return _SUMS_OVER_CELLS[metric](tables.table)
    if metric == "ceaf-e":
        return plain.ceaf_e_of_documents(tables.table, [columns for _, columns in tables.bounds])
    return reduce(add, map(_BY_TABLE[metric], tables.tables()), _BY_TABLE[metric](OverlapTable([], [], [])))


def corpus_tally(
    metric: str, alignments: Iterable[ClusterAlignment], counted: Figures | None = None
) -> Figures:
    """The counts of a metric over all documents, each aligned by itself, added to those that are counted already."""
    measure = METRICS[metric].measure
    return reduce(add, map(measure, alignments), measure(ClusterAlignment()) if counted is None else counted)
