"""The counts of a corpus of clusters, all documents together, as one addition of theirs gives them.

Metrics that are sums over cells are counted once over the cells of all documents: that is the same sum of the same
whole numbers, and a training loop notices the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add
from typing import Any

from lydite.metrics import METRICS
from lydite.metrics import coreference as plain
from lydite.model import Figures
from lydite.model.cluster import Blocks, ClusterAlignment, MeanTally, Table

_SUMS_OVER_CELLS: dict[str, Callable[[Table], Any]] = {
    "mentions": plain.mention_detection,
    "muc": plain.muc,
    "b-cubed": plain.b_cubed,
    "lea": plain.lea,
    "exact-clusters": plain.exact_clusters,
}
_BY_TABLE: dict[str, Callable[[Table], Any]] = {
    "ceaf-m": plain.ceaf_m,
    "ceaf-e": plain.ceaf_e,
    "blanc": plain.blanc,
    "pairwise": plain.pairwise,
    "pairwise-negative": plain.pairwise_negative,
    "rand": plain.rand,
    "adjusted-rand": plain.adjusted_rand,
}
_MEANS = {"conll": ("muc", "b-cubed", "ceaf-e"), "kbp": ("muc", "b-cubed", "ceaf-e", "blanc")}


def needs_tables_only(metric: str) -> bool:
    """Whether a metric looks at nothing but how clusters meet."""
    return metric in _SUMS_OVER_CELLS or metric in _BY_TABLE or metric in _MEANS


def blocks_tally(metric: str, blocks: Blocks, others: Sequence[ClusterAlignment]) -> Figures:
    """The counts of a metric over all documents of a table; ``others`` are the documents that have no table."""
    if metric in _MEANS:
        return MeanTally({part: blocks_tally(part, blocks, others) for part in _MEANS[metric]})
    if metric in _SUMS_OVER_CELLS:
        figures = _SUMS_OVER_CELLS[metric](blocks.table)
    else:
        figures = _added(map(_BY_TABLE[metric], blocks.tables()), _BY_TABLE[metric](Table([], [], [])))
    return _added(map(METRICS[metric].measure, others), figures)


def corpus_tally(metric: str, alignments: Iterable[ClusterAlignment]) -> Figures:
    """The counts of a metric over all documents, each aligned by itself."""
    measure = METRICS[metric].measure
    return _added(map(measure, alignments), measure(ClusterAlignment.of((), ())))


def _added(figures: Iterable[Figures], nothing: Figures) -> Figures:
    return reduce(add, figures, nothing)
