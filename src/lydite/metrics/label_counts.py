"""The counts of clusters that are given as arrays of labels, for millions of mentions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from lydite.metrics.cluster_counts import Cells, ClusterCounts, Shape, pair_count

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.bool_]

SMALL = 64
"""The size up to which clusters are counted in an array of all shapes."""


def count_labels(gold_labels: object, system_labels: object, documents: object = None) -> ClusterCounts:
    """The counts of two label arrays: position is a mention, its label the cluster, a negative label "not there".

    ``documents`` gives the document of every mention; labels of different documents are different clusters.
    """
    import numpy as np

    gold_array, system_array = np.asarray(gold_labels), np.asarray(system_labels)
    document_of = None if documents is None else np.unique(np.asarray(documents), return_inverse=True)[1]
    gold, gold_sizes = _clusters(gold_array, document_of)
    system, system_sizes = _clusters(system_array, document_of)
    in_gold, in_system = gold >= 0, system >= 0
    both = in_gold & in_system
    width = np.int64(max(len(system_sizes), 1))
    code = gold * width + system if both.all() else gold[both] * width + system[both]
    code.sort()
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    common = np.diff(np.append(starts, len(code)))
    cells = code[starts]
    return count_cells(
        (gold_sizes, system_sizes),
        (cells // width, cells % width, common.astype(np.int64)),
        (
            _pairs_in_documents(both, document_of),
            _pairs_in_documents(in_gold, document_of),
            _pairs_in_documents(in_system, document_of),
        ),
    )


def count_cells(
    sizes: tuple[Integers, Integers], cells: tuple[Integers, Integers, Integers], pairs: tuple[int, int, int]
) -> ClusterCounts:
    """The counts of cells, given as gold cluster, system cluster and common mentions."""
    import numpy as np

    gold, system, common = cells
    columns = Cells(gold, system, sizes[0][gold], sizes[1][system], common)
    rivals = (np.bincount(end, minlength=1)[end] for end in (gold, system))
    is_alone = np.equal(next(rivals), 1) & np.equal(next(rivals), 1)
    alone = _count_shapes(columns, is_alone)
    contested = Cells(*(column[~is_alone] for column in columns))
    margins = (np.bincount(end, weights=common).astype(np.int64) for end in (gold, system))
    gold_common, system_common = (_histogram(margin[margin > 0]) for margin in margins)
    return ClusterCounts(
        _histogram(sizes[0]),
        _histogram(sizes[1]),
        _count_shapes(columns, ~is_alone) + alone,
        alone,
        gold_common,
        system_common,
        pairs,
        contested,
    )


def _count_shapes(cells: Cells[Integers], which: Flags) -> Counter[Shape]:
    """The number of these cells by shape; small numbers are counted in an array, the others are sorted."""
    import numpy as np

    k, r, n = (column[which] for column in cells[2:])
    small = (k < SMALL) & (r < SMALL)
    found = np.bincount((k[small] * SMALL + r[small]) * SMALL + n[small])
    codes = np.flatnonzero(found)
    shapes = zip(
        (codes // SMALL**2).tolist(), (codes // SMALL % SMALL).tolist(), (codes % SMALL).tolist(), strict=True
    )
    counts = Counter(dict(zip(shapes, found[codes].tolist(), strict=True)))
    counts.update(zip(k[~small].tolist(), r[~small].tolist(), n[~small].tolist(), strict=True))
    return counts


def _histogram(sizes: Integers) -> dict[int, int]:
    import numpy as np

    values, numbers = np.unique(sizes, return_counts=True)
    return dict(zip(values.tolist(), numbers.tolist(), strict=True))


def _pairs_in_documents(present: Flags, document_of: Integers | None) -> int:
    """The pairs of present mentions that are in the same document."""
    import numpy as np

    if document_of is None:
        return pair_count(int(np.count_nonzero(present)))
    sizes = np.bincount(document_of[present]).astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _clusters(labels: Integers, document_of: Integers | None) -> tuple[Integers, Integers]:
    """Cluster numbers 0, 1, 2 … unique over documents (-1: not there), and the sizes of the clusters."""
    import numpy as np

    present = labels >= 0
    known = labels if present.all() else labels[present]
    if document_of is not None:
        of_known = document_of if known is labels else document_of[present]
        width = int(labels.max(initial=0)) + 1
        if width * (int(of_known.max(initial=0)) + 1) > np.iinfo(np.int64).max:
            # Labels so large that pairs of document and label would not fit into 64 bits.
            known = np.unique(known, return_inverse=True)[1]
            width = len(known) + 1
        known = of_known * np.int64(width) + known
    if not len(known):
        return np.full(len(labels), -1, dtype=np.int64), np.empty(0, dtype=np.int64)
    if known.max() < 4 * len(known):
        # Numbers that are small already need no sorting: count them and close the gaps.
        sizes = np.bincount(known)
        used = sizes > 0
        if not used.all():
            known, sizes = (np.cumsum(used) - 1)[known], sizes[used]
    else:
        _, known, sizes = np.unique(known, return_inverse=True, return_counts=True)
    if len(known) == len(labels):
        return known.astype(np.int64, copy=False), sizes.astype(np.int64)
    clusters = np.full(len(labels), -1, dtype=np.int64)
    clusters[present] = known
    return clusters, sizes.astype(np.int64)
