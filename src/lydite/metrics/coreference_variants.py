"""B³ and CEAF for predicted mentions, as they were computed before the CoNLL reference scorer 8.01.

Each variant changes the two partitions and then applies the plain metric; recall and precision may use different
partitions.  They exist to reproduce old figures only, and the papers leave room for other readings of all but the forms
of Cai & Strube.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lydite.metrics.cluster_counts import ClusterCounts, count_table
from lydite.metrics.coreference import b_cubed, ceaf_e, ceaf_m, recall_and_precision_from, sum_of_fractions
from lydite.model.cluster import ClusterTally, Members, overlap_table, without_mentions

Partition: TypeAlias = Sequence[Members]
PartitionPair: TypeAlias = tuple[Partition, Partition]


def b_cubed_all(gold: Partition, system: Partition) -> ClusterTally:
    """B³all (Stoyanov et al. 2009): a missed mention counts as a system singleton, a spurious one as a gold singleton."""
    plain = b_cubed(count_table(overlap_table(gold, system)))
    missed, spurious = _mentions_only_in(gold, system), _mentions_only_in(system, gold)
    return ClusterTally(
        plain.gold_credit
        + sum_of_fractions((1, len(cluster)) for cluster in gold for m in cluster if m in missed),
        plain.gold_total,
        plain.system_credit
        + sum_of_fractions((1, len(cluster)) for cluster in system for m in cluster if m in spurious),
        plain.system_total,
    )


def _mentions_only_in(ours: Partition, theirs: Partition) -> set[int]:
    """The mentions of one side that the other side lacks."""
    return {mention for cluster in ours for mention in cluster}.difference(*theirs)


def _as_read(gold: Partition, system: Partition) -> PartitionPair:
    return gold, system


def _without_spurious(gold: Partition, system: Partition) -> PartitionPair:
    return gold, without_mentions(system, _mentions_only_in(system, gold))


def _without_spurious_singletons(gold: Partition, system: Partition) -> PartitionPair:
    spurious = _mentions_only_in(system, gold)
    return gold, [cluster for cluster in system if len(cluster) > 1 or cluster[0] not in spurious]


def _completed_without_spurious(gold: Partition, system: Partition) -> PartitionPair:
    return complete(*_without_spurious(gold, system))


def _completed_on_both_sides(gold: Partition, system: Partition) -> PartitionPair:
    return complete(*_without_spurious_singletons(gold, system))


def complete(gold: Partition, system: Partition) -> PartitionPair:
    """Both sides with all mentions: a mention that a side lacks becomes a singleton there."""
    missed, spurious = sorted(_mentions_only_in(gold, system)), sorted(_mentions_only_in(system, gold))
    return [*gold, *((mention,) for mention in spurious)], [*system, *((mention,) for mention in missed)]


def adjusted_metric(
    metric: Callable[[ClusterCounts], ClusterTally],
    for_recall: Callable[[Partition, Partition], PartitionPair],
    for_precision: Callable[[Partition, Partition], PartitionPair],
) -> Callable[[Partition, Partition], ClusterTally]:
    """A metric over partitions that were adjusted, in one way for recall and in another for precision."""
    return lambda gold, system: recall_and_precision_from(
        metric(count_table(overlap_table(*for_recall(gold, system)))),
        metric(count_table(overlap_table(*for_precision(gold, system)))),
    )


# Stoyanov et al. 2009: spurious mentions do not count.
b_cubed_0 = adjusted_metric(b_cubed, _without_spurious, _without_spurious)

# Rahman & Ng 2009: spurious singletons do not cost precision.
b_cubed_rn = adjusted_metric(b_cubed, _as_read, _without_spurious_singletons)
ceaf_m_rn = adjusted_metric(ceaf_m, _as_read, _without_spurious_singletons)
ceaf_e_rn = adjusted_metric(ceaf_e, _as_read, _without_spurious_singletons)

# Cai & Strube 2010, "sys": both sides are completed, without spurious mentions for recall.
b_cubed_cs = adjusted_metric(b_cubed, _completed_without_spurious, _completed_on_both_sides)
ceaf_m_cs = adjusted_metric(ceaf_m, _completed_without_spurious, _completed_on_both_sides)
ceaf_e_cs = adjusted_metric(ceaf_e, _completed_without_spurious, _completed_on_both_sides)
