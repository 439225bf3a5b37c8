"""From the clusters of two documents to partitions over shared integers: the same mention, the same number.

Two mentions are the same if and only if they are equal: same first and last token, same address.  There is no credit
for overlap or for the same head.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from lydite.grouping import closure
from lydite.model import Document
from lydite.model.cluster import Cluster, ClusterAlignment, Partition, first_copies, overlap_table_if_distinct


class Repeat(NamedTuple):
    """A further copy of a mention: the ids of the clusters of its first and of this copy, and whether it is dropped."""

    side: str
    mention: Hashable
    first: str
    again: str
    dropped: bool


def clusters_of(document: Document) -> Sequence[Cluster]:
    """The clusters of a document, none if it has no such layer."""
    clusters: Sequence[Cluster] = document.layers.get("clusters", ())
    return clusters


def with_common_prefixes(gold: Document, system: Document) -> tuple[Sequence[Cluster], Sequence[Cluster]]:
    """The clusters of both sides with one prefix for each name space, that of gold if it has one.

    Two prefixes of one address become equal.  A prefix that has different addresses on the two sides is written out as
    its address.  A prefix that one side does not declare means what it means on the other side.
    """
    ours, theirs = gold.layers.get("prefixes", {}), system.layers.get("prefixes", {})
    are_same = ours == theirs and len(set(ours.values())) == len(ours)
    if are_same or not ours or not theirs:
        return clusters_of(gold), clusters_of(system)
    prefix_of: dict[str, str] = {}
    for prefix, address in (*ours.items(), *theirs.items()):
        if ours.get(prefix, address) == theirs.get(prefix, address):
            prefix_of.setdefault(address, f"{prefix}:")
    return (
        _replace_prefixes(clusters_of(gold), {**theirs, **ours}, prefix_of),
        _replace_prefixes(clusters_of(system), {**ours, **theirs}, prefix_of),
    )


def _replace_prefixes(
    clusters: Iterable[Cluster], addresses: Mapping[str, str], prefix_of: Mapping[str, str]
) -> list[Cluster]:
    def replace(member: object) -> object:
        if isinstance(member, str):
            prefix, colon, rest = member.partition(":")
            if not colon or prefix not in addresses:
                return member
            address = addresses[prefix]
            return f"{prefix_of.get(address, f'{{{address}}}')}{rest}"
        return tuple(map(replace, member)) if isinstance(member, tuple) else member

    return [Cluster(cluster.id, tuple(map(replace, cluster.members))) for cluster in clusters]


def find_repeats(gold: Sequence[Cluster], system: Sequence[Cluster], policy: str) -> list[Repeat]:
    """Every copy of a mention after the first, gold's before the system's; ``policy`` says which are dropped."""
    in_gold = list(_copies("gold", gold, dropped=policy in {"first", "merge"}))
    in_system = list(_copies("system", system, dropped=policy in {"first", "merge"}))
    if policy == "v8.01" and in_system:
        mentions = {mention for cluster in gold for mention in cluster.members}
        in_system = [repeat._replace(dropped=repeat.mention in mentions) for repeat in in_system]
    return in_gold + in_system


def _copies(side: str, clusters: Sequence[Cluster], *, dropped: bool) -> Iterator[Repeat]:
    size = sum(len(cluster.members) for cluster in clusters)
    if len({mention for cluster in clusters for mention in cluster.members}) == size:
        return
    first: dict[Hashable, str] = {}
    for cluster in clusters:
        for mention in cluster.members:
            if mention in first:
                yield Repeat(side, mention, first[mention], cluster.id, dropped)
            first.setdefault(mention, cluster.id)


def align_clusters(
    gold: Sequence[Cluster], system: Sequence[Cluster], *, repeats: str = "v8.01", singletons: bool = True
) -> ClusterAlignment:
    """Number the mentions of both sides, treat repeats, drop singletons if asked to, and count common mentions.

    ``repeats``: under ``v8.01`` later system copies of a gold mention go and all other copies stay; ``first`` keeps
    the first copy on each side; ``merge`` joins clusters that share a mention.
    """
    if singletons:
        table = overlap_table_if_distinct(_members(gold), _members(system))
        if table is not None:
            return ClusterAlignment(table=table, number=partial(_number_sides, gold, system))
    numbers: dict[Hashable, int] = {}
    ours, gold_count = number_mentions(gold, numbers), len(numbers)
    theirs = number_mentions(system, numbers)
    repeated = any(map(_has_copies, (ours, theirs)))
    if repeated:
        ours, theirs = _TREATMENTS[repeats](ours, theirs, gold_count)
        repeated = any(map(_has_copies, (ours, theirs)))
    if not singletons:
        ours = [cluster for cluster in ours if len(cluster) > 1]
        theirs = [cluster for cluster in theirs if len(cluster) > 1]
    return ClusterAlignment.of(ours, theirs, repeated=repeated)


def _members(clusters: Sequence[Cluster]) -> Sequence[tuple[Hashable, ...]]:
    if isinstance(clusters, Partition):
        return clusters.members
    return [cluster.members for cluster in clusters]


_Clusters: TypeAlias = list[Sequence[int]]


def _number_sides(gold: Sequence[Cluster], system: Sequence[Cluster]) -> tuple[_Clusters, _Clusters]:
    numbers: dict[Hashable, int] = {}
    return number_mentions(gold, numbers), number_mentions(system, numbers)


def number_mentions(clusters: Sequence[Cluster], numbers: dict[Hashable, int]) -> _Clusters:
    """The clusters with numbers for mentions; a mention without a number gets the next one."""
    numbered: _Clusters = []
    find, fresh = numbers.get, len(numbers)
    for cluster in clusters:
        members = []
        for mention in cluster.members:
            number = find(mention)
            if number is None:
                number = numbers[mention] = fresh
                fresh += 1
            members.append(number)
        numbered.append(members)
    return numbered


def _has_copies(clusters: _Clusters) -> bool:
    return len({mention for cluster in clusters for mention in cluster}) < sum(map(len, clusters))


def _components(clusters: _Clusters) -> _Clusters:
    """Clusters that share a mention joined, in the order of their first cluster."""
    return [members for _, members in closure(clusters)]


_TREATMENTS: Mapping[str, Callable[[_Clusters, _Clusters, int], tuple[_Clusters, _Clusters]]] = {
    "v8.01": lambda gold, system, gold_count: (gold, first_copies(system, gold_count)),
    "first": lambda gold, system, _: (first_copies(gold), first_copies(system)),
    "merge": lambda gold, system, _: (_components(gold), _components(system)),
    "error": lambda gold, system, _: (first_copies(gold), first_copies(system)),
}
"""What becomes of repeats, by the setting; the third argument is the number of gold's mentions, which come first."""


def clusters_after_repeats(
    gold: Sequence[Cluster], system: Sequence[Cluster], policy: str
) -> list[list[Hashable]]:
    """The clusters of a system after repeats were treated."""
    numbers: dict[Hashable, int] = {}
    ours, gold_count = number_mentions(gold, numbers), len(numbers)
    theirs = number_mentions(system, numbers)
    mentions = list(numbers)
    treated = _TREATMENTS[policy](ours, theirs, gold_count)[1]
    return [[mentions[number] for number in cluster] for cluster in treated]
