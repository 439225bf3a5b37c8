"""Coreference metrics over mentions that were paired and looked up, as in the CorefUD scorer.

A mention is *found in* at most one cluster of the other side.  The two sides need not agree about that, so each sees a
table of its own: recall is counted over gold's, precision over the system's, the links of BLANC over gold's alone.
Clusters count all their mentions, a mention of several clusters in each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from lydite.assignment import assign
from lydite.grouping import grouped
from lydite.metrics.cluster_counts import ClusterCounts, count_table
from lydite.metrics.coreference import recall_and_precision_from
from lydite.model import Figures
from lydite.model.cluster import ClusterAlignment, ClusterTally, LinkTally, Members, OverlapTable
from lydite.model.cluster_indices import EitherLinkTally
from lydite.model.nodes import FoundMentions, NodeMention


def _found(alignment: ClusterAlignment) -> FoundMentions:
    assert alignment.found is not None
    return alignment.found


def _counts(alignment: ClusterAlignment) -> tuple[ClusterCounts, ClusterCounts]:
    """The counts of two tables of common mentions: gold's mentions found in system clusters, the system's found in gold clusters."""
    found = _found(alignment)
    gold_sizes, system_sizes = ([*map(len, places)] for places in (found.gold, found.system))
    ours, theirs = (
        Counter((at, home) for at, homes in enumerate(places) for home in homes if home is not None)
        for places in (found.gold, found.system)
    )
    return (
        count_table(
            OverlapTable(gold_sizes, system_sizes, [(*pair, common) for pair, common in ours.items()])
        ),
        count_table(
            OverlapTable(
                gold_sizes,
                system_sizes,
                [(gold, system, common) for (system, gold), common in theirs.items()],
            )
        ),
    )


def count_found(definition: Callable[[ClusterCounts], Figures], alignment: ClusterAlignment) -> Figures:
    """A metric over what each side finds; of BLANC a kind of link that both sides lack is left out."""
    ours, theirs = map(definition, alignment.once(_counts))
    if isinstance(ours, LinkTally):
        return EitherLinkTally(ours)
    assert isinstance(ours, ClusterTally)
    assert isinstance(theirs, ClusterTally)
    return recall_and_precision_from(ours, theirs)


def mention_overlap(alignment: ClusterAlignment) -> ClusterTally:
    """MOR: the largest one-to-one sum of common nodes of mentions, over the nodes of all mentions of a side."""
    found = _found(alignment)
    gold, system = (
        [mention.nodes for cluster in clusters for mention in cluster]
        for clusters in (found.gold_mentions, found.system_mentions)
    )
    holders = grouped((node, column) for column, nodes in enumerate(system) for node in nodes)
    edges = [
        (("gold", row), ("system", column), common)
        for row, nodes in enumerate(gold)
        for column, common in Counter(column for node in nodes for column in holders.get(node, ())).items()
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
    system = list(_in_order(alignment.system, found.system_mentions))
    beginnings = {cluster[0][0] for cluster in system}
    right = judged = total = 0
    twins: set[int] = set()
    for cluster in _in_order(alignment.gold, found.gold_mentions):
        homes: set[int] = set()
        for place, (number, mention) in enumerate(cluster):
            twin = found.twins.get(number)
            home = None if twin is None else found.system_homes[twin]
            if mention.is_zero and place:
                total += 1
                if twin is not None:
                    twins.add(twin)
                    judged += twin not in beginnings
                    right += twin not in beginnings and home in homes
            homes.update(() if home is None else (home,))
    extra = sum(
        mention.is_zero and number not in beginnings and number not in twins
        for cluster in system
        for number, mention in cluster
    )
    return ClusterTally.whole(right, total, right, judged + extra)


def _in_order(
    clusters: Sequence[Members], mentions: Sequence[Sequence[NodeMention]]
) -> Iterable[list[tuple[int, NodeMention]]]:
    """The mentions of every cluster in the order of first node, last node and number of nodes."""
    for numbers, members in zip(clusters, mentions, strict=True):
        yield sorted(
            zip(numbers, members, strict=True),
            key=lambda entry: (entry[1].nodes[0], entry[1].nodes[-1], len(entry[1].nodes)),
        )
