"""Coreference metrics: the plain definitions.

All of them see two partitions over shared integers (:class:`~lydite.model.cluster.ClusterAlignment`), mostly through
their table: k_i and r_j are the sizes of gold and system clusters, n_ij the number of mentions that cluster i of gold
and cluster j of the system share.  Recall divides by what gold has, precision by what the system has.  A mention known
to one side only stays where it is: no mention is added or removed (Pradhan et al. 2014).

The same metrics over arrays are in ``coreference_arrays``; the two agree in every bit.  ``coreference_variants`` holds
the older treatments of predicted mentions, ``coreference_repeats`` what happens when a mention occurs twice, and
``clusters`` the declarations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lydite.assignment import assign
from lydite.exact_sums import FractionSum
from lydite.model import Share
from lydite.model.cluster import ClusterTally, LinkTally, OverlapTable

if TYPE_CHECKING:
    from lydite.model.cluster_indices import AdjustedRandTally, OriginalLinkTally

Cell: TypeAlias = tuple[int, int, int]
WeighedCell: TypeAlias = tuple[int, int, int, int]


def pair_count(size: int) -> int:
    """The number of unordered pairs of ``size`` things: size·(size-1)/2."""
    return size * (size - 1) // 2


def sum_of_fractions(terms: Iterable[tuple[int, int]]) -> FractionSum:
    """The sum of fractions given as (numerator, denominator)."""
    sums: dict[int, int] = {}
    for numerator, denominator in terms:
        sums[denominator] = sums.get(denominator, 0) + numerator
    return FractionSum(sums)


def recall_and_precision_from(for_recall: ClusterTally, for_precision: ClusterTally) -> ClusterTally:
    """The tally with the recall of the one and the precision of the other."""
    return ClusterTally(
        for_recall.gold_credit, for_recall.gold_total, for_precision.system_credit, for_precision.system_total
    )


def mention_detection(table: OverlapTable) -> ClusterTally:
    """Which mentions were found, whatever their clusters: common mentions over the mentions of a side."""
    common = sum(common for _, _, common in table.cells)
    return ClusterTally.whole(common, sum(table.gold_sizes), common, sum(table.system_sizes))


def muc(table: OverlapTable) -> ClusterTally:
    """MUC (Vilain et al. 1995): how many links must be added to restore a cluster.

    A gold cluster of k mentions needs k-1 links; cut along the system it falls into p parts (a missed mention is a part
    of its own), so k-p links survive.  Summed over clusters that is Σ(n_ij - 1) over the cells, for both sides.
    """
    gold_sizes, system_sizes, cells = table
    links = sum([common - 1 for _, _, common in cells])
    return ClusterTally.whole(
        links, sum(gold_sizes) - len(gold_sizes), links, sum(system_sizes) - len(system_sizes)
    )


def b_cubed(table: OverlapTable) -> ClusterTally:
    """B-cubed (Bagga & Baldwin 1998): how much of its cluster each mention keeps.

    Each of the n_ij mentions that gold cluster i and system cluster j share earns n_ij/k_i towards recall and n_ij/r_j
    towards precision.  A mention known to one side only earns nothing, but it counts in that side's total.
    """
    gold_sizes, system_sizes, cells = table
    ours: dict[int, int] = {}
    theirs: dict[int, int] = {}
    for gold, system, common in cells:
        square = common * common
        size = gold_sizes[gold]
        ours[size] = ours.get(size, 0) + square
        size = system_sizes[system]
        theirs[size] = theirs.get(size, 0) + square
    return ClusterTally(FractionSum(ours), sum(gold_sizes), FractionSum(theirs), sum(system_sizes))


def ceaf_m(table: OverlapTable) -> ClusterTally:
    """Mention-based CEAF (Luo 2005, φ3): clusters are joined one to one such that they share most mentions."""
    joined, contested = _split_contested(table)
    common = sum(cell[2] for cell in joined) + sum(contested[position][2] for position in assign(contested))
    return ClusterTally.whole(common, sum(table.gold_sizes), common, sum(table.system_sizes))


def ceaf_e(table: OverlapTable) -> ClusterTally:
    """Entity-based CEAF (Luo 2005, φ4): every cluster counts the same, a joined pair 2·n_ij/(k_i + r_j)."""
    return ceaf_e_of_documents(table, (len(table.system_sizes),))


def ceaf_e_of_documents(table: OverlapTable, ends: Iterable[int]) -> ClusterTally:
    """The same for all documents of a table together; ``ends`` are the numbers of system clusters up to each end."""
    joined, contested = _split_contested(table)
    at = 0
    for end in ends:
        begin = at
        while at < len(contested) and contested[at][1] < end:
            at += 1
        if begin < at:
            joined += _join_by_phi4(table, contested[begin:at])
    return _entity_credit(table, joined)


def ceaf_e_over_phi3(table: OverlapTable) -> ClusterTally:
    """φ4 summed over the alignment that is best for φ3; of several such alignments the one with the largest sum.

    The table of the NewsReader deliverable was made so; CEAFe proper aligns for φ4 itself.
    """
    joined, contested = _split_contested(table)
    weights = _phi4(table, contested)
    # More than all pairs together can be worth in φ4: one mention more outweighs every difference there.
    scale = 1 + len(weights) * max(weights, default=0)
    edges = [
        (gold, system, common * scale + weight)
        for (gold, system, common), weight in zip(contested, weights, strict=True)
    ]
    return _entity_credit(table, [*joined, *(contested[position] for position in assign(edges))])


def joined_by_phi4(table: OverlapTable) -> list[Cell]:
    """The cells of the clusters that CEAFe joins; of several alignments with the largest sum the one that ``assign`` makes."""
    joined, contested = _split_contested(table)
    weights = _phi4(table, contested)
    edges = [(gold, system, weight) for (gold, system, _), weight in zip(contested, weights, strict=True)]
    return [*joined, *(contested[position] for position in assign(edges))]


def _join_by_phi4(table: OverlapTable, cells: Sequence[Cell]) -> list[Cell]:
    """The cells with the largest sum of φ4: dominant ones as long as there are some, then those of the assignment."""
    edges = [(*cell, weight) for cell, weight in zip(cells, _phi4(table, cells), strict=True)]
    joined: list[Cell] = []
    while edges:
        dominant = _dominant_edges(edges)
        if not dominant:
            chosen = assign([(gold, system, weight) for gold, system, _, weight in edges])
            return joined + [edges[position][:3] for position in chosen]
        joined += [edge[:3] for edge in dominant]
        gold, system = {edge[0] for edge in dominant}, {edge[1] for edge in dominant}
        edges = [edge for edge in edges if edge[0] not in gold and edge[1] not in system]
    return joined


def _dominant_edges(edges: Iterable[WeighedCell]) -> list[WeighedCell]:
    """Edges that weigh at least as much as the best other edges at both ends together: a best choice has all of them."""
    at_gold: dict[int, tuple[int, int]] = {}
    at_system: dict[int, tuple[int, int]] = {}
    for gold, system, _, weight in edges:
        first, second = at_gold.get(gold, _NO_EDGES)
        if weight > second:
            at_gold[gold] = (weight, first) if weight > first else (first, weight)
        first, second = at_system.get(system, _NO_EDGES)
        if weight > second:
            at_system[system] = (weight, first) if weight > first else (first, weight)
    dominant: dict[int, WeighedCell] = {}
    taken: set[int] = set()
    for edge in edges:
        gold, system, _, weight = edge
        best, gold_rival = at_gold[gold]
        if weight < best or gold in dominant or system in taken:
            continue
        best, system_rival = at_system[system]
        if weight == best and weight >= gold_rival + system_rival:
            dominant[gold] = edge
            taken.add(system)
    return list(dominant.values())


def _split_contested(table: OverlapTable) -> tuple[list[Cell], list[Cell]]:
    """The cells that are alone in their row and column, whose clusters are joined in any case, and the other cells."""
    gold_cells, system_cells = [0] * len(table.gold_sizes), [0] * len(table.system_sizes)
    for gold, system, _ in table.cells:
        gold_cells[gold] += 1
        system_cells[system] += 1
    joined: list[Cell] = []
    contested: list[Cell] = []
    for cell in table.cells:
        (joined if gold_cells[cell[0]] == 1 == system_cells[cell[1]] else contested).append(cell)
    return joined, contested


_NO_EDGES = (0, 0)


def _phi4(table: OverlapTable, cells: Iterable[Cell]) -> list[int]:
    """φ4 of the cells, times the least common denominator: whole numbers are compared exactly."""
    gold_sizes, system_sizes, _ = table
    terms = [(2 * common, gold_sizes[gold] + system_sizes[system]) for gold, system, common in cells]
    scale = math.lcm(*{size for _, size in terms})
    return [twice * (scale // size) for twice, size in terms]


def _entity_credit(table: OverlapTable, joined: Iterable[Cell]) -> ClusterTally:
    credit = sum_of_fractions(
        (2 * common, table.gold_sizes[gold] + table.system_sizes[system]) for gold, system, common in joined
    )
    return ClusterTally(credit, len(table.gold_sizes), credit, len(table.system_sizes))


def lea(table: OverlapTable) -> ClusterTally:
    """LEA (Moosavi & Strube 2016): the share of a cluster's links that was found, weighed by the cluster's size.

    A gold cluster of size k > 1 earns k · Σ_j T(n_ij)/T(k) with T(n) = n(n-1)/2, that is 2·ΣT(n_ij)/(k-1).  A singleton
    is a link of the mention to itself: it earns 1 if the mention is a singleton on the other side too, else nothing.
    """
    gold_sizes, system_sizes, cells = table
    singletons = sum(1 for gold, system, _ in cells if gold_sizes[gold] == 1 == system_sizes[system])
    return ClusterTally(
        _resolved_links(((gold_sizes[gold], common) for gold, _, common in cells), singletons),
        sum(gold_sizes),
        _resolved_links(((system_sizes[system], common) for _, system, common in cells), singletons),
        sum(system_sizes),
    )


def _resolved_links(cells: Iterable[tuple[int, int]], singletons: int) -> FractionSum:
    links = ((2 * pair_count(common), size - 1) for size, common in cells if common > 1)
    return sum_of_fractions([(singletons, 1), *links])


def blanc(table: OverlapTable) -> LinkTally:
    """BLANC (Luo et al. 2014, as the CoNLL scorer 8.01 has it): coreference and non-coreference links, half and half.

    Coreference links are the pairs of mentions inside a cluster, non-coreference links all other pairs of a document.
    Neither is enumerated: with x common mentions, x_i of them in gold cluster i and x_j in system cluster j, the common
    non-coreference links are T(x) - ΣT(x_i) - ΣT(x_j) + ΣT(n_ij).
    """
    gold_sizes, system_sizes, cells = table
    in_gold: dict[int, int] = {}
    in_system: dict[int, int] = {}
    common_links = 0
    for gold, system, common in cells:
        in_gold[gold] = in_gold.get(gold, 0) + common
        in_system[system] = in_system.get(system, 0) + common
        common_links += pair_count(common)
    margins = sum(map(pair_count, in_gold.values())) + sum(map(pair_count, in_system.values()))
    return link_tally(
        (common_links, sum(map(pair_count, gold_sizes)), sum(map(pair_count, system_sizes))),
        (pair_count(sum(in_gold.values())), pair_count(sum(gold_sizes)), pair_count(sum(system_sizes))),
        margins,
    )


def link_tally(coreference: tuple[int, int, int], every: tuple[int, int, int], margins: int) -> LinkTally:
    """The counts of BLANC from coreference links and links of any kind: common ones, gold's and the system's.

    ``margins`` are the pairs of common mentions that share a gold cluster, and those that share a system cluster.
    """
    common, gold, system = coreference
    return LinkTally(common, gold, system, every[0] - margins + common, every[1] - gold, every[2] - system)


def pairwise(table: OverlapTable) -> ClusterTally:
    """Coreference links alone: common links over the links of a side."""
    return blanc(table).coreference


def pairwise_negative(table: OverlapTable) -> ClusterTally:
    """Non-coreference links alone."""
    return blanc(table).other


def exact_clusters(table: OverlapTable) -> ClusterTally:
    """Clusters that are equal on both sides (Luo 2005, φ1)."""
    equal = sum(
        1
        for gold, system, common in table.cells
        if common == table.gold_sizes[gold] == table.system_sizes[system]
    )
    return ClusterTally.whole(equal, len(table.gold_sizes), equal, len(table.system_sizes))


def blanc_original(table: OverlapTable) -> OriginalLinkTally:
    """BLANC as first defined (Recasens & Hovy 2011), for two sides with the same mentions."""
    from lydite.model.cluster_indices import OriginalLinkTally

    return OriginalLinkTally(blanc(table), sum(table.gold_sizes))


def rand(table: OverlapTable) -> Share:
    """Rand index: the share of pairs on which the sides agree, over the mentions that both have."""
    links = blanc(common_part(table))
    agreed = links.common_coreference + links.common_other
    return Share(agreed, links.gold_coreference + links.gold_other)


def adjusted_rand(table: OverlapTable) -> AdjustedRandTally:
    """Adjusted Rand index (Hubert & Arabie 1985) over the mentions that both sides have.

    (index - expected) / (maximum - expected) with the common coreference links as index, gold·system/all links as
    expectation and the mean of gold and system links as maximum; documents add each of the three.
    """
    from lydite.model.cluster_indices import AdjustedRandTally

    links = blanc(common_part(table))
    gold, system = links.gold_coreference, links.system_coreference
    everything = gold + links.gold_other
    expected = FractionSum({everything: gold * system}) if everything else FractionSum()
    return AdjustedRandTally(links.common_coreference, expected, gold + system)


def common_part(table: OverlapTable) -> OverlapTable:
    """The table without the mentions that only one side has."""
    gold_sizes, system_sizes = [0] * len(table.gold_sizes), [0] * len(table.system_sizes)
    for gold, system, common in table.cells:
        gold_sizes[gold] += common
        system_sizes[system] += common
    return OverlapTable(gold_sizes, system_sizes, table.cells)
