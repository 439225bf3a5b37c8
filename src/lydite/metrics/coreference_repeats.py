"""Coreference metrics as the CoNLL reference scorer 8.01 computes them when a mention occurs more than once.

All copies of a mention share one identity.  Denominators count every copy, and "the gold cluster of m", its *home*, is the last one that holds it.  The formulas are valid without repeats too, where
they give the numbers of the plain definitions.

The running sums at the end are for the printed figures of that scorer: its percentages are cut, not rounded, so they
show in which order it added doubles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from lydite.assignment import assign
from lydite.grouping import grouped
from lydite.metrics import coreference as plain
from lydite.metrics.cluster_counts import cells_of, count_table, pair_count, split_by_rivals
from lydite.metrics.coreference import sum_of_fractions
from lydite.model.cluster import (
    ClusterAlignment,
    ClusterTally,
    LinkTally,
    Members,
    OverlapTable,
    homes_of,
    overlap_table,
    without_mentions,
)

Partition: TypeAlias = Sequence[Members]


def _credits(gold: Partition, system: Partition) -> Iterator[tuple[int, int, int]]:
    """For every system mention with a home: how many of its cluster occur there, and the sizes of home and cluster."""
    home = homes_of(gold)
    sets = [frozenset(cluster) for cluster in gold]
    for cluster in system:
        homes = [home[mention] for mention in cluster if mention in home]
        common = {at: sum(1 for mention in cluster if mention in sets[at]) for at in set(homes)}
        yield from ((common[at], len(gold[at]), len(cluster)) for at in homes)


def b_cubed(alignment: ClusterAlignment) -> ClusterTally:
    """B³ with repeats: every system mention m earns c/|r| and c/|home(m)|; c of its cluster r occur in its home."""
    gold, system = alignment.gold, alignment.system
    earned = [*_credits(gold, system)]
    return ClusterTally(
        sum_of_fractions((common, size) for common, size, _ in earned),
        sum(map(len, gold)),
        sum_of_fractions((common, size) for common, _, size in earned),
        sum(map(len, system)),
    )


def blanc(alignment: ClusterAlignment) -> LinkTally:
    """BLANC with repeats: links are a *set* of unordered pairs, so a pair may be a link of both kinds.

    A mention twice in one cluster is linked to itself, a mention in two clusters has a non-coreference link to itself.
    Pairs of mentions that do not repeat are counted from the table; of the others only the places in clusters matter,
    which many mentions share.
    """
    gold, system = alignment.gold, alignment.system
    of_gold, of_system = _occurrences(gold), _occurrences(system)
    repeated = {one for side in (of_gold, of_system) for one, places in side.items() if len(places) > 1}
    single_occurrences = overlap_table(without_mentions(gold, repeated), without_mentions(system, repeated))
    links = plain.blanc(count_table(single_occurrences))
    repeating, single = (
        Counter((of_gold.get(one, ()), of_system.get(one, ())) for one in mentions)
        for mentions in (repeated, (of_gold.keys() | of_system.keys()) - repeated)
    )
    counts = [0] * 6
    done: set[_Places] = set()
    for one, number in repeating.items():
        done.add(one)
        _add_links(counts, [_link_kinds_to_itself(places) for places in one], number)
        _add_links(counts, [_link_kinds(places, places) for places in one], pair_count(number))
        for others in (repeating, single):
            for other, times in others.items():
                if other not in done:
                    kinds = [_link_kinds(ours, theirs) for ours, theirs in zip(one, other, strict=True)]
                    _add_links(counts, kinds, number * times)
    return links + LinkTally(*counts)


_Places: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"
"""The gold clusters and the system clusters that a mention is in."""


def _occurrences(partition: Partition) -> dict[int, tuple[int, ...]]:
    found = grouped((mention, position) for position, cluster in enumerate(partition) for mention in cluster)
    return {mention: tuple(places) for mention, places in found.items()}


def _add_links(counts: list[int], kinds: Sequence[tuple[bool, bool]], number: int) -> None:
    """Add ``number`` pairs of mentions, each with these kinds of links in gold and in the system."""
    for kind, (in_gold, in_system) in enumerate(zip(*kinds, strict=True)):
        counts[3 * kind] += number * (in_gold and in_system)
        counts[3 * kind + 1] += number * in_gold
        counts[3 * kind + 2] += number * in_system


def _link_kinds(ours: Sequence[int], theirs: Sequence[int]) -> tuple[bool, bool]:
    """Whether two mentions with these clusters have a coreference link, and a non-coreference link."""
    return not set(ours).isdisjoint(theirs), bool(ours and theirs) and len({*ours, *theirs}) > 1


def _link_kinds_to_itself(places: Sequence[int]) -> tuple[bool, bool]:
    return len(places) > len(set(places)), len(set(places)) > 1


def running_b_cubed(gold: Partition, system: Partition) -> tuple[float, float]:
    """The B³ credits as the CoNLL scorer adds them: plain doubles, system cluster by system cluster, in file order.

    One addition of c/|k| (recall) and c/|r| (precision) per system mention.  A correctly rounded sum can be one last
    bit higher, and a percentage that is cut to two decimals then prints 0.01 higher.
    """
    for_recall = for_precision = 0.0
    for common, home_size, size in _credits(gold, system):
        for_precision += common / size
        for_recall += common / home_size
    return for_recall, for_precision


def running_ceaf_e(table: OverlapTable) -> float:
    """The CEAFe credit as the CoNLL scorer adds it: 1 - (1 - φ4) per joined gold cluster, in file order."""
    joined, contested = split_by_rivals(table)
    cells = cells_of(table, contested)
    chosen = assign(zip(cells.gold, cells.system, plain.phi4(cells), strict=True))
    credit = 0.0
    for gold, system, common in sorted([*joined, *(contested[position] for position in chosen)]):
        credit += 1 - (1 - 2 * common / (table.gold_sizes[gold] + table.system_sizes[system]))
    return credit
