"""Coreference metrics where mentions were paired and looked up, as the CorefUD scorer has them.

A mention is *found in* at most one cluster of the other side.  The two sides need not agree about that, so recall and
precision are counted each from their own side; the non-coreference and coreference links of BLANC from gold's alone.
Clusters count all their mentions, a mention of several clusters in each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lydite.assignment import assign
from lydite.exact import FractionSum
from lydite.grouping import grouped
from lydite.metrics.coreference import by_denominator, link_tally, pairs_of
from lydite.model.cluster import ClusterAlignment, ClusterTally, Members
from lydite.model.cluster_indices import EitherLinkTally
from lydite.model.nodes import FoundMentions, NodeMention

Places = Sequence[Sequence[int | None]]


def _found(alignment: ClusterAlignment) -> FoundMentions:
    assert alignment.found is not None
    return alignment.found


def _parts(places: Places) -> Iterator[tuple[int, Sequence[int]]]:
    """The size of every cluster, and how many of its mentions are found in each cluster of the other side."""
    for cluster in places:
        counts = Counter(place for place in cluster if place is not None)
        yield len(cluster), list(counts.values())


def muc(alignment: ClusterAlignment) -> ClusterTally:
    """MUC: mentions that are found, less the clusters that they are found in."""
    counts = []
    for places in (_found(alignment).gold, _found(alignment).system):
        counts.append(sum(sum(parts) - len(parts) for _, parts in _parts(places)))
        counts.append(sum(len(cluster) - 1 for cluster in places))
    return ClusterTally.whole(*counts)


def b_cubed(alignment: ClusterAlignment) -> ClusterTally:
    """B³: every mention earns the share of its cluster that is found where it is found."""
    found = _found(alignment)
    gold, system = (
        by_denominator((part * part, size) for size, parts in _parts(places) for part in parts)
        for places in (found.gold, found.system)
    )
    return ClusterTally(gold, _size(found.gold), system, _size(found.system))


def lea(alignment: ClusterAlignment) -> ClusterTally:
    """LEA: the share of links found, weighed by size; a singleton counts if it is found in a singleton."""
    found = _found(alignment)
    return ClusterTally(
        _resolved(found.gold, found.system),
        _size(found.gold),
        _resolved(found.system, found.gold),
        _size(found.system),
    )


def _resolved(ours: Places, theirs: Places) -> FractionSum:
    alike = sum(
        1 for cluster in ours if len(cluster) == 1 and cluster[0] is not None and len(theirs[cluster[0]]) == 1
    )
    links = ((2 * pairs_of(part), size - 1) for size, parts in _parts(ours) for part in parts if part > 1)
    return by_denominator([(alike, 1), *links])


def blanc(alignment: ClusterAlignment) -> EitherLinkTally:
    """BLANC: links of gold whose ends are found in one system cluster, or in two; a kind that both lack is left out."""
    found = _found(alignment)
    in_gold = [sum(parts) for _, parts in _parts(found.gold)]
    in_system = Counter(place for cluster in found.gold for place in cluster if place is not None)
    common = sum(pairs_of(part) for _, parts in _parts(found.gold) for part in parts)
    gold_links, system_links = (
        sum(pairs_of(len(cluster)) for cluster in places) for places in (found.gold, found.system)
    )
    every = pairs_of(sum(in_gold)), pairs_of(_size(found.gold)), pairs_of(_size(found.system))
    margins = sum(map(pairs_of, in_gold)) + sum(map(pairs_of, in_system.values()))
    return EitherLinkTally(link_tally((common, gold_links, system_links), every, margins))


def _size(places: Places) -> int:
    return sum(map(len, places))


def mention_overlap(alignment: ClusterAlignment) -> ClusterTally:
    """MOR: the largest one-to-one sum of nodes that mentions share, over the nodes of all mentions of a side."""
    found = _found(alignment)
    gold, system = (
        [mention.nodes for cluster in clusters for mention in cluster]
        for clusters in (found.gold_mentions, found.system_mentions)
    )
    holders = grouped((node, column) for column, nodes in enumerate(system) for node in nodes)
    edges = [
        (("gold", row), ("system", column), shared)
        for row, nodes in enumerate(gold)
        for column, shared in Counter(column for node in nodes for column in holders.get(node, ())).items()
    ]
    common = sum(edges[position][2] for position in assign(edges))
    return ClusterTally.whole(common, sum(map(len, gold)), common, sum(map(len, system)))


def zero_anaphors(alignment: ClusterAlignment) -> ClusterTally:
    """The score of zeros as anaphors: is a zero linked to something that its cluster has before it?

    A gold zero that is not the first of its cluster is *missed* if it has no twin or its twin begins a system cluster,
    *right* if its twin is in the cluster of an earlier mention's twin, else wrongly linked.  A system zero that begins
    no cluster and is no twin of such a zero is extra.
    """
    found = _found(alignment)
    system = list(_sorted(alignment.system, found.system_mentions))
    beginnings = {cluster[0][0] for cluster in system}
    right = judged = missed = 0
    twins: set[int] = set()
    for cluster in _sorted(alignment.gold, found.gold_mentions):
        homes: set[int] = set()
        for place, (number, mention) in enumerate(cluster):
            twin = found.twins.get(number)
            home = None if twin is None else found.system_homes[twin]
            if mention.is_zero and place:
                missed += twin is None or twin in beginnings
                judged += twin is not None and twin not in beginnings
                right += twin is not None and twin not in beginnings and home in homes
                twins.update(() if twin is None else (twin,))
            homes.update(() if home is None else (home,))
    extra = sum(
        mention.is_zero and number not in beginnings and number not in twins
        for cluster in system
        for number, mention in cluster
    )
    return ClusterTally.whole(right, judged + missed, right, judged + extra)


def _sorted(
    clusters: Sequence[Members], mentions: Sequence[Sequence[NodeMention]]
) -> Iterable[list[tuple[int, NodeMention]]]:
    """The mentions of every cluster by first node, last node and number of nodes."""
    for numbers, members in zip(clusters, mentions, strict=True):
        yield sorted(
            zip(numbers, members, strict=True),
            key=lambda entry: (entry[1].nodes[0], entry[1].nodes[-1], len(entry[1].nodes)),
        )
