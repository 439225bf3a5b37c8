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
    Blocks,
    ClusterAlignment,
    MeanTally,
    Sides,
    Table,
    link_documents,
    meet_documents,
)

_SUMS_OVER_CELLS: dict[str, Callable[[Table], Figures]] = {
    "mentions": plain.mention_detection,
    "muc": plain.muc,
    "b-cubed": plain.b_cubed,
    "lea": plain.lea,
    "exact-clusters": plain.exact_clusters,
}
_BY_TABLE: dict[str, Callable[[Table], Figures]] = {
    "ceaf-m": plain.ceaf_m,
    "blanc": plain.blanc,
    "pairwise": plain.pairwise,
    "pairwise-negative": plain.pairwise_negative,
    "rand": plain.rand,
    "adjusted-rand": plain.adjusted_rand,
}


Counts = tuple[Figures, Sequence[int]]
"""What was counted over documents, and the positions of those in which a mention occurs twice on a side, which have no table."""


_WITHOUT_TABLE: dict[str, Callable[[Sequence[Sides]], Counts]] = {"muc": link_documents}


def needs_tables_only(metric: str) -> bool:
    """Whether a metric looks at nothing but how clusters meet."""
    return metric == "ceaf-e" or any(metric in metrics for metrics in (_SUMS_OVER_CELLS, _BY_TABLE, MEANS))


def documents_tally(metric: str, documents: Sequence[Sides]) -> Counts:
    """The counts of a metric over documents of plain clusters; those that have no table must be aligned."""
    if metric in _WITHOUT_TABLE:
        return _WITHOUT_TABLE[metric](documents)
    blocks = meet_documents(documents)
    return _blocks_tally(metric, blocks), blocks.repeated


def _blocks_tally(metric: str, blocks: Blocks) -> Figures:
    if metric in MEANS:
        return MeanTally({part: _blocks_tally(part, blocks) for part in MEANS[metric]})
    if metric in _SUMS_OVER_CELLS:
        return _SUMS_OVER_CELLS[metric](blocks.table)
    if metric == "ceaf-e":
        return plain.ceaf_e_of_documents(blocks.table, [columns for _, columns in blocks.bounds])
    return reduce(add, map(_BY_TABLE[metric], blocks.tables()), _BY_TABLE[metric](Table([], [], [])))


def corpus_tally(
    metric: str, alignments: Iterable[ClusterAlignment], counted: Figures | None = None
) -> Figures:
    """The counts of a metric over all documents, each aligned by itself, added to those that are counted already."""
    measure = METRICS[metric].measure
    return reduce(add, map(measure, alignments), measure(ClusterAlignment()) if counted is None else counted)
