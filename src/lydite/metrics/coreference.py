"""The cluster metrics: each is one function of the counts of two sides (:class:`ClusterCounts`).

Recall divides by what gold has, precision by what the system has.  A mention known to one side only stays where it is:
no mention is added or removed (Pradhan et al. 2014).  All counts are integers and fractions are added by denominator,
so a tally is exact, whatever the clusters come from.

``cluster_counts`` says what is counted and counts documents, ``label_counts`` counts arrays, and the engines of
``tables`` count tables.  ``coreference_variants`` holds the older treatments of predicted mentions,
``coreference_repeats`` what happens when a mention occurs twice, and ``clusters`` the declarations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lydite.assignment import assign, assign_arrays
from lydite.exact_sums import FractionSum
from lydite.grouping import connected
from lydite.metrics.cluster_counts import Cells, ClusterCounts, Histogram, Shape, pair_count
from lydite.model import Share
from lydite.model.cluster import ClusterTally, LinkTally

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lydite.model.cluster_indices import AdjustedRandTally, OriginalLinkTally

    Integers: TypeAlias = npt.NDArray[np.int64]
    Weights: TypeAlias = Integers | npt.NDArray[np.float64]

ARRAY_LIMIT = 8_000
"""More contested cells than this are assigned as arrays; below, importing NumPy costs more than it saves."""

EXACT_DOUBLES = 1 << 53
"""The first whole number after which doubles have gaps."""


def sum_of_fractions(terms: Iterable[tuple[int, int]]) -> FractionSum:
    """The sum of fractions given as (numerator, denominator)."""
    sums: dict[int, int] = {}
    for numerator, denominator in terms:
        sums[denominator] = sums.get(denominator, 0) + numerator
    return FractionSum(sums)


def recall_and_precision_from(for_recall: ClusterTally, for_precision: ClusterTally) -> ClusterTally:
    """The tally with the recall of the first and the precision of the second."""
    return ClusterTally(
        for_recall.gold_credit, for_recall.gold_total, for_precision.system_credit, for_precision.system_total
    )


def _mentions(sizes: Histogram) -> int:
    return sum([size * number for size, number in sizes.items()])


def _clusters(sizes: Histogram) -> int:
    return sum(sizes.values())


def _pairs(sizes: Histogram) -> int:
    return sum([pair_count(size) * number for size, number in sizes.items()])


def mention_detection(counts: ClusterCounts) -> ClusterTally:
    """Common mentions over the mentions of a side, whatever their clusters."""
    common = _mentions(counts.gold_common)
    return ClusterTally.whole(common, _mentions(counts.gold_sizes), common, _mentions(counts.system_sizes))


def muc(counts: ClusterCounts) -> ClusterTally:
    """MUC (Vilain et al. 1995): how many links must be added to restore a cluster.

    A gold cluster of k mentions needs k-1 links; cut along the system it falls into p parts (a missed mention is a part
    of its own), so k-p links survive.  Summed over clusters that is Σ(n - 1) over the cells, for both sides.
    """
    links = sum([(common - 1) * number for (_, _, common), number in counts.shapes.items()])
    gold, system = counts.gold_sizes, counts.system_sizes
    return ClusterTally.whole(
        links, _mentions(gold) - _clusters(gold), links, _mentions(system) - _clusters(system)
    )


def b_cubed(counts: ClusterCounts) -> ClusterTally:
    """B-cubed (Bagga & Baldwin 1998): how much of its cluster each mention keeps.

    Each of the n common mentions of a cell earns n/k towards recall and n/r towards precision.  A mention known to one
    side only earns nothing, but it counts in that side's total.
    """
    shapes = counts.shapes.items()
    return ClusterTally(
        sum_of_fractions([(common * common * number, size) for (size, _, common), number in shapes]),
        _mentions(counts.gold_sizes),
        sum_of_fractions([(common * common * number, size) for (_, size, common), number in shapes]),
        _mentions(counts.system_sizes),
    )


def ceaf_m(counts: ClusterCounts) -> ClusterTally:
    """Mention-based CEAF (Luo 2005, φ3): clusters are joined one to one such that they share most mentions."""
    joined = _joined_shapes(counts, lambda cells: cells.common, lambda cells: cells.common)
    common = sum([common * number for (_, _, common), number in joined.items()])
    return ClusterTally.whole(common, _mentions(counts.gold_sizes), common, _mentions(counts.system_sizes))


def ceaf_e(counts: ClusterCounts) -> ClusterTally:
    """Entity-based CEAF (Luo 2005, φ4): every cluster counts the same, a joined pair 2·n/(k + r)."""
    return _entity_credit(counts, _joined_shapes(counts, phi4, _phi4_array))


def ceaf_e_over_phi3(counts: ClusterCounts) -> ClusterTally:
    """φ4 summed over the alignment that is best for φ3; of several such alignments the one with the largest sum.

    The table of the NewsReader deliverable was made so; CEAFe proper aligns for φ4 itself.
    """
    return _entity_credit(counts, _joined_shapes(counts, _phi3_then_phi4))


def _entity_credit(counts: ClusterCounts, joined: Mapping[Shape, int]) -> ClusterTally:
    credit = sum_of_fractions([(2 * common * number, k + r) for (k, r, common), number in joined.items()])
    return ClusterTally(credit, _clusters(counts.gold_sizes), credit, _clusters(counts.system_sizes))


def _joined_shapes(
    counts: ClusterCounts,
    weigh: Callable[[Cells[Sequence[int]]], Sequence[int]],
    weigh_arrays: Callable[[Cells[Integers]], Weights] | None = None,
) -> Counter[Shape]:
    """The shapes of joined cells: those that are alone, and of the contested ones the choice with the largest weight."""
    contested = counts.contested
    assert contested is not None, "CEAF is not asked for where the cells do not fit into memory"
    joined = Counter(counts.alone)
    if weigh_arrays is not None and len(contested.common) > ARRAY_LIMIT:
        import numpy as np

        arrays = Cells(*(np.asarray(column, dtype=np.int64) for column in contested))
        chosen = assign_arrays(arrays.gold, arrays.system, weigh_arrays(arrays))
        joined.update(zip(*(column[chosen].tolist() for column in arrays[2:]), strict=True))
    else:
        cells = Cells[Sequence[int]](*([*map(int, column)] for column in contested))
        positions = assign(zip(cells.gold, cells.system, weigh(cells), strict=True))
        joined.update((cells.gold_size[at], cells.system_size[at], cells.common[at]) for at in positions)
    return joined


def phi4(cells: Cells[Sequence[int]]) -> list[int]:
    """φ4 of the cells, times the least common denominator of those that rival each other: integers compare exactly."""
    weights = [0] * len(cells.common)
    for rivals in connected([*zip(cells.gold, cells.system, range(len(weights)), strict=True)]):
        scale = math.lcm(*{cells.gold_size[at] + cells.system_size[at] for _, _, at in rivals})
        for _, _, at in rivals:
            weights[at] = 2 * cells.common[at] * (scale // (cells.gold_size[at] + cells.system_size[at]))
    return weights


def _phi4_array(cells: Cells[Integers]) -> Weights:
    """φ4 as integers where 53 bits hold their sums, else as doubles."""
    import numpy as np

    together = cells.gold_size + cells.system_size
    scale = 1
    for size in np.unique(together).tolist():
        scale = math.lcm(scale, size)
        if scale * len(together) >= EXACT_DOUBLES:
            return 2 * cells.common / together
    return 2 * cells.common * (scale // together)


def _phi3_then_phi4(cells: Cells[Sequence[int]]) -> list[int]:
    weights = phi4(cells)
    # More than all pairs together can be worth in φ4: one mention more outweighs every difference there.
    scale = 1 + len(weights) * max(weights, default=0)
    return [common * scale + weight for common, weight in zip(cells.common, weights, strict=True)]


def lea(counts: ClusterCounts) -> ClusterTally:
    """LEA (Moosavi & Strube 2016): the share of a cluster's links that was found, weighed by the cluster's size.

    A gold cluster of size k > 1 earns k · Σ T(n)/T(k) over its cells, with T(n) = n(n-1)/2: that is 2·ΣT(n)/(k-1).  A
    singleton is a link of the mention to itself: it earns 1 if the mention is a singleton on the other side too, else
    nothing.
    """
    singletons = counts.shapes.get((1, 1, 1), 0)
    linked = [
        (shape, 2 * pair_count(shape[2]) * number) for shape, number in counts.shapes.items() if shape[2] > 1
    ]
    gold_credit, system_credit = (
        sum_of_fractions([(singletons, 1), *((links, shape[side] - 1) for shape, links in linked)])
        for side in (0, 1)
    )
    return ClusterTally(
        gold_credit, _mentions(counts.gold_sizes), system_credit, _mentions(counts.system_sizes)
    )


def blanc(counts: ClusterCounts) -> LinkTally:
    """BLANC (Luo et al. 2014, as the CoNLL scorer 8.01 has it): coreference and non-coreference links, half and half.

    Coreference links are the pairs of mentions inside a cluster, non-coreference links all other pairs of a document.
    With x common mentions, x_i of them in gold cluster i and x_j in system cluster j, the common non-coreference links
    are T(x) - ΣT(x_i) - ΣT(x_j) + ΣT(n).
    """
    return _links(counts, (_pairs(counts.gold_sizes), _pairs(counts.system_sizes)), counts.pairs)


def blanc_of_common_mentions(counts: ClusterCounts) -> LinkTally:
    """The same without the mentions that only one side has."""
    linked = _pairs(counts.gold_common), _pairs(counts.system_common)
    return _links(counts, linked, (counts.pairs[0],) * 3)


def _links(counts: ClusterCounts, linked: tuple[int, int], pairs: tuple[int, int, int]) -> LinkTally:
    """The links from the coreference links of gold and the system, and the pairs of mentions."""
    common = sum([pair_count(shared) * number for (_, _, shared), number in counts.shapes.items()])
    apart = pairs[0] - _pairs(counts.gold_common) - _pairs(counts.system_common) + common
    gold, system = linked
    return LinkTally(common, gold, system, apart, pairs[1] - gold, pairs[2] - system)


def pairwise(counts: ClusterCounts) -> ClusterTally:
    """Coreference links alone: common links over the links of a side."""
    return blanc(counts).coreference


def pairwise_negative(counts: ClusterCounts) -> ClusterTally:
    """Non-coreference links alone."""
    return blanc(counts).other


def exact_clusters(counts: ClusterCounts) -> ClusterTally:
    """Clusters that are equal on both sides (Luo 2005, φ1)."""
    equal = sum([number for (k, r, common), number in counts.shapes.items() if k == r == common])
    return ClusterTally.whole(equal, _clusters(counts.gold_sizes), equal, _clusters(counts.system_sizes))


def blanc_original(counts: ClusterCounts) -> OriginalLinkTally:
    """BLANC as first defined (Recasens & Hovy 2011), for two sides with the same mentions."""
    from lydite.model.cluster_indices import OriginalLinkTally

    return OriginalLinkTally(blanc(counts), _mentions(counts.gold_sizes))


def rand(counts: ClusterCounts) -> Share:
    """Rand index: the share of pairs on which the sides agree, over the mentions that both have."""
    links = blanc_of_common_mentions(counts)
    return Share(links.common_coreference + links.common_other, counts.pairs[0])


def adjusted_rand(counts: ClusterCounts) -> AdjustedRandTally:
    """Adjusted Rand index (Hubert & Arabie 1985) over the mentions of one document that both sides have.

    (index - expected) / (maximum - expected) with the common coreference links as index, gold·system/all links as
    expectation and the mean of gold and system links as maximum; documents add each of the three.
    """
    from lydite.model.cluster_indices import AdjustedRandTally

    links = blanc_of_common_mentions(counts)
    gold, system, pairs = links.gold_coreference, links.system_coreference, counts.pairs[0]
    expected = FractionSum({pairs: gold * system}) if pairs else FractionSum()
    return AdjustedRandTally(links.common_coreference, expected, gold + system)
