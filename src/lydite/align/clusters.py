"""From the clusters of two documents to partitions over shared integers: the same mention, the same number.

Two mentions are the same if and only if they are equal: same first and last token, same address.  There is no credit
for overlap or for the same head.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from lydite.grouping import closure
from lydite.model import Document
from lydite.model.cluster import Cluster, ClusterAlignment, Partition, first_copies, overlap_table_if_distinct
from lydite.records import NamedTuple


class Repeat(NamedTuple):
    """A mention that is written again: the clusters of its first and of this copy, and whether the copy was dropped."""

    side: str
    mention: Hashable
    first: str
    again: str
    dropped: bool


def clusters_of(document: Document) -> Sequence[Cluster]:
    """The clusters of a document, none if it has no such layer."""
    clusters: Sequence[Cluster] = document.layers.get("clusters", ())
    return clusters


def same_names(gold: Document, system: Document) -> tuple[Sequence[Cluster], Sequence[Cluster]]:
    """The clusters of both sides with one prefix for each name space: as gold has it, so that gold has its own names.

    Two prefixes of one address are then equal, and one prefix of two addresses is not: it is written out.  A prefix that
    one side does not declare is compared as written, which is to say that it means what it means on the other side.
    """
    ours, theirs = gold.layers.get("prefixes", {}), system.layers.get("prefixes", {})
    alike = ours == theirs and len(set(ours.values())) == len(ours)
    if alike or not ours or not theirs:
        return clusters_of(gold), clusters_of(system)
    spelt: dict[str, str] = {}
    for prefix, address in (*ours.items(), *theirs.items()):
        if ours.get(prefix, address) == theirs.get(prefix, address):
            spelt.setdefault(address, f"{prefix}:")
    return (
        _respelt(clusters_of(gold), {**theirs, **ours}, spelt),
        _respelt(clusters_of(system), {**ours, **theirs}, spelt),
    )


def _respelt(
    clusters: Iterable[Cluster], prefixes: Mapping[str, str], spelt: Mapping[str, str]
) -> list[Cluster]:
    def full(member: object) -> object:
        if isinstance(member, str):
            prefix, colon, rest = member.partition(":")
            if not colon or prefix not in prefixes:
                return member
            address = prefixes[prefix]
            return f"{spelt.get(address, f'{{{address}}}')}{rest}"
        return tuple(map(full, member)) if isinstance(member, tuple) else member

    return [Cluster(cluster.id, tuple(map(full, cluster.members))) for cluster in clusters]


def repeats(gold: Sequence[Cluster], system: Sequence[Cluster], policy: str) -> list[Repeat]:
    """Every copy after the first, side by side; ``policy`` says which of them are dropped."""
    found = list(_copies("gold", gold, dropped=policy in {"first", "merge"}))
    again = list(_copies("system", system, dropped=policy in {"first", "merge"}))
    if policy == "v8.01" and again:
        known = {mention for cluster in gold for mention in cluster.members}
        again = [repeat._replace(dropped=repeat.mention in known) for repeat in again]
    return found + again


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
    gold: Sequence[Cluster],
    system: Sequence[Cluster],
    *,
    repeats: str = "v8.01",
    singletons: bool = True,
) -> ClusterAlignment:
    """Number the mentions of both sides, treat repeats, drop singletons if asked to, and see where clusters meet.

    ``repeats``: under ``v8.01`` later system copies of a gold mention go and all other copies stay; ``first`` keeps
    the first copy on each side; ``merge`` joins clusters that share a mention.
    """
    if singletons:
        table = overlap_table_if_distinct(_members(gold), _members(system))
        if table is not None:
            return ClusterAlignment(table=table, number=partial(_number, gold, system))
    numbers: dict[Hashable, int] = {}
    ours, known = numbered(gold, numbers), len(numbers)
    theirs = numbered(system, numbers)
    repeated = any(map(_has_copies, (ours, theirs)))
    if repeated:
        ours, theirs = _TREATMENTS[repeats](ours, theirs, known)
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


def _number(gold: Sequence[Cluster], system: Sequence[Cluster]) -> tuple[_Clusters, _Clusters]:
    numbers: dict[Hashable, int] = {}
    return numbered(gold, numbers), numbered(system, numbers)


def numbered(clusters: Sequence[Cluster], numbers: dict[Hashable, int]) -> _Clusters:
    """The clusters with numbers for mentions; a mention without a number gets the next one."""
    made: _Clusters = []
    find, fresh = numbers.get, len(numbers)
    for cluster in clusters:
        members = []
        for mention in cluster.members:
            number = find(mention)
            if number is None:
                number = numbers[mention] = fresh
                fresh += 1
            members.append(number)
        made.append(members)
    return made


def _has_copies(clusters: _Clusters) -> bool:
    return len({mention for cluster in clusters for mention in cluster}) < sum(map(len, clusters))


def _components(clusters: _Clusters) -> _Clusters:
    """Clusters that share a mention joined, in the order of their first cluster."""
    return [members for _, members in closure(clusters)]


_TREATMENTS: Mapping[str, Callable[[_Clusters, _Clusters, int], tuple[_Clusters, _Clusters]]] = {
    "v8.01": lambda gold, system, known: (gold, first_copies(system, known)),
    "first": lambda gold, system, _: (first_copies(gold), first_copies(system)),
    "merge": lambda gold, system, _: (_components(gold), _components(system)),
    "error": lambda gold, system, _: (first_copies(gold), first_copies(system)),
}
"""What becomes of repeats, by the setting; mentions of gold have the numbers below the third argument."""


def counted_copies(gold: Sequence[Cluster], system: Sequence[Cluster], policy: str) -> list[list[Hashable]]:
    """The clusters of a system after repeats were treated."""
    numbers: dict[Hashable, int] = {}
    ours, known = numbered(gold, numbers), len(numbers)
    theirs = numbered(system, numbers)
    mentions = list(numbers)
    return [
        [mentions[number] for number in cluster] for cluster in _TREATMENTS[policy](ours, theirs, known)[1]
    ]
