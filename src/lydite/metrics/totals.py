"""The counts of many documents of clusters, all together.

Counts over cells are the same for all documents in one table as for each by itself, and a training loop notices the
difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from lydite.metrics import MEANS, METRICS
from lydite.metrics.cluster_counts import count_table
from lydite.model import Figures
from lydite.model.cluster import ClusterAlignment, ClusterPair, overlap_tables_of_documents

_OVER_COUNTS = {
    *("mentions", "muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea"),
    *("pairwise", "pairwise-negative", "exact-clusters", "rand"),
    *MEANS,
}


def can_count_together(metric: str) -> bool:
    """Whether a metric of several documents is that of their added counts."""
    return metric in _OVER_COUNTS


def documents_tally(metric: str, documents: Sequence[ClusterPair]) -> tuple[Figures, Sequence[int]]:
    """The counts of a metric over documents, and the positions of those that must be aligned one by one.

    In these a mention occurs twice on a side, so that they have no table.
    """
    tables = overlap_tables_of_documents(documents)
    counts = count_table(tables.table, tables.bounds)
    return METRICS[metric].measure(ClusterAlignment(counts=counts)), tables.repeated


def corpus_tally(
    metric: str, alignments: Iterable[ClusterAlignment], counted: Figures | None = None
) -> Figures:
    """The counts of a metric over all documents, each aligned by itself, added to those that are counted already."""
    measure = METRICS[metric].measure
    return reduce(add, map(measure, alignments), measure(ClusterAlignment()) if counted is None else counted)
