"""The coreference metrics from counted cells: for tables of mentions that are counted where they lie.

An engine that joins two tables out of memory, or on other machines, need not hand over every cell: cells of the same
shape (k mentions in the gold cluster, r in the system cluster, n in both) earn the same, so their number is enough for
every metric but CEAF.  CEAF needs the cells whose clusters meet others too; those come as arrays.  All counts are whole
numbers and fractions are gathered by denominator, so the tallies equal those of ``coreference`` exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lydite.metrics import coreference_arrays as arrays
from lydite.metrics.coreference import link_tally, pair_count, sum_of_fractions
from lydite.model.cluster import ClusterTally, LinkTally

Histogram = Mapping[int, int]
"""How many there are of each size."""


class Shape(NamedTuple):
    """All that matters of a cell, except to CEAF; ``alone`` says that its clusters share no mention with others."""

    gold_size: int
    system_size: int
    common: int
    alone: bool


class CellCounts(NamedTuple):
    """The counts of two partitions of a corpus; of a pair the first is gold's.

    ``sizes`` are those of clusters, ``common`` the numbers of mentions of a cluster that the other side has, without 0.
    ``links`` are pairs of common mentions, of gold mentions and of system mentions of one document, linked or not.
    """

    sizes: tuple[Histogram, Histogram]
    shapes: Mapping[Shape, int]
    common: tuple[Histogram, Histogram]
    links: tuple[int, int, int]
    contested: arrays.ArrayTable | None
    """The cells that are not alone, over their clusters; None if they do not fit into memory."""


def mention_detection(counts: CellCounts) -> ClusterTally:
    """Common mentions over the mentions of a side."""
    return _over_mentions(counts, sum(shape.common * number for shape, number in counts.shapes.items()))


def muc(counts: CellCounts) -> ClusterTally:
    """MUC: common mentions less cells, over mentions less clusters."""
    links = sum((shape.common - 1) * number for shape, number in counts.shapes.items())
    gold, system = (sum((size - 1) * number for size, number in sizes.items()) for sizes in counts.sizes)
    return ClusterTally.whole(links, gold, links, system)


def b_cubed(counts: CellCounts) -> ClusterTally:
    """B³: n²/k and n²/r over the cells."""
    shapes = counts.shapes.items()
    gold, system = map(_mention_count, counts.sizes)
    return ClusterTally(
        sum_of_fractions((shape.common**2 * number, shape.gold_size) for shape, number in shapes),
        gold,
        sum_of_fractions((shape.common**2 * number, shape.system_size) for shape, number in shapes),
        system,
    )


def ceaf_m(counts: CellCounts) -> ClusterTally:
    """CEAFm: cells that are alone are joined whatever the weights, the others where it is best."""
    alone = sum(shape.common * number for shape, number in counts.shapes.items() if shape.alone)
    best = arrays.ceaf_m(_contested(counts)).gold_credit.value
    return _over_mentions(counts, alone + int(best))


def ceaf_e(counts: CellCounts) -> ClusterTally:
    """CEAFe, likewise, with 2n/(k + r) for a joined pair."""
    alone = sum_of_fractions(
        (2 * shape.common * number, shape.gold_size + shape.system_size)
        for shape, number in counts.shapes.items()
        if shape.alone
    )
    credit = alone + arrays.ceaf_e(_contested(counts)).gold_credit
    gold, system = (sum(sizes.values()) for sizes in counts.sizes)
    return ClusterTally(credit, gold, credit, system)


def lea(counts: CellCounts) -> ClusterTally:
    """LEA: 2·T(n)/(k-1) over the cells, and singletons that are singletons on both sides."""
    shapes = counts.shapes.items()
    singletons = sum(number for shape, number in shapes if shape.gold_size == 1 == shape.system_size)
    found_links = [(2 * pair_count(one.common) * number, one) for one, number in shapes if one.common > 1]
    gold, system = map(_mention_count, counts.sizes)
    return ClusterTally(
        sum_of_fractions([(singletons, 1), *((links, shape.gold_size - 1) for links, shape in found_links)]),
        gold,
        sum_of_fractions(
            [(singletons, 1), *((links, shape.system_size - 1) for links, shape in found_links)]
        ),
        system,
    )


def blanc(counts: CellCounts) -> LinkTally:
    """BLANC: the six link counts from sizes, cells and margins."""
    common = sum(pair_count(shape.common) * number for shape, number in counts.shapes.items())
    gold, system = map(_link_count, counts.sizes)
    return link_tally((common, gold, system), counts.links, sum(map(_link_count, counts.common)))


def _over_mentions(counts: CellCounts, common: int) -> ClusterTally:
    gold, system = map(_mention_count, counts.sizes)
    return ClusterTally.whole(common, gold, common, system)


def _mention_count(sizes: Histogram) -> int:
    return sum(size * number for size, number in sizes.items())


def _link_count(sizes: Histogram) -> int:
    return sum(pair_count(size) * number for size, number in sizes.items())


def _contested(counts: CellCounts) -> arrays.ArrayTable:
    assert counts.contested is not None, "CEAF is not asked for where the cells do not fit into memory"
    return counts.contested
