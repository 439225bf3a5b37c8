"""The faults of a system's clusters, and the clusters that it would have written without some of them.

Every mend sees what the earlier ones left.  A mention is a label (the gold mention that it is, if it is one) and what
is written for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, starmap

from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Layers, some_layers
from lydite.model.nodes import NodeCluster
from lydite.model.verdict import Explained
from lydite.records import NamedTuple
from lydite.tasks.coref.comparison import Coreference, over_nodes
from lydite.tasks.coref.fates import Overlaps, edges_of

SPAN, SPURIOUS, MISSED, MERGED, SPLIT = FAULTS = ("span", "spurious", "missed", "merged", "split")


class Placed(NamedTuple):
    """A mention while clusters are mended: which one it is, and what is written."""

    label: Hashable
    written: Hashable


Clusters = list[list[Placed]]


class Key:
    """The gold clusters: which mention is in which, and what is written for it."""

    def __init__(self, clusters: Sequence[Sequence[Hashable]]) -> None:
        self.clusters = clusters
        self.home = {mention: at for at, cluster in enumerate(clusters) for mention in cluster}
        self.repeated = len(self.home) < sum(map(len, clusters))


def _begin(cluster: Sequence[Placed], order: int) -> tuple[object, ...]:
    """By which clusters stand in the order of their first mentions; without places, in that of the file."""
    edges = [edges_of(one.written) for one in cluster]
    placed = [edge for edge in edges if edge]
    kinds = {tuple(map(type, edge)) for edge in placed}
    return (
        (0, *min(placed), order) if placed and len(placed) == len(edges) and len(kinds) == 1 else (1, order)
    )


def mend_spans(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """A mention that gold lacks takes the span of the gold mention that it overlaps most and the system lacks."""
    held = {one.label for cluster in system for one in cluster}
    free = [mention for mention in key.home if mention not in held]
    near = Overlaps(free)
    strangers = list(dict.fromkeys(one for cluster in system for one in cluster if one.label not in key.home))
    pairs = [
        (-common, edges_of(gold), place, one, gold)
        for place, one in enumerate(strangers)
        for common, gold in near.overlapping(one.written)
    ]
    taken: set[Hashable] = set()
    renamed: dict[Placed, Placed] = {}
    for _, _, _, one, gold in sorted(pairs, key=lambda pair: pair[:3]):
        if one not in renamed and gold not in taken:
            taken.add(gold)
            renamed[one] = Placed(gold, gold)
    spelt = {
        one: Placed(one.label, one.label)
        for cluster in system
        for one in cluster
        if one.label in key.home and one.written != one.label
    }
    changed = {**renamed, **spelt}
    return [[changed.get(one, one) for one in cluster] for cluster in system], len(changed)


def mend_spurious(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """Mentions that gold lacks are dropped."""
    kept = [[one for one in cluster if one.label in key.home] for cluster in system]
    return [cluster for cluster in kept if cluster], _size(system) - _size(kept)


def mend_missed(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """Gold mentions that the system lacks join the cluster that holds most of their gold cluster, or a new one."""
    mended = [list(cluster) for cluster in system]
    held = {one.label for cluster in system for one in cluster}
    added = 0
    for at, cluster in enumerate(key.clusters):
        lacking = [Placed(mention, mention) for mention in dict.fromkeys(cluster) if mention not in held]
        lacking = [one for one in lacking if key.home[one.label] == at]
        if not lacking:
            continue
        added += len(lacking)
        target = _largest(system, key, at)
        if target is None:
            mended.append(lacking)
        else:
            mended[target].extend(lacking)
    return mended, added


def mend_merged(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """Clusters are cut by gold cluster; what is in none stays with the largest part."""
    mended: Clusters = []
    moved = 0
    for cluster in system:
        parts = grouped((key.home[one.label], one) for one in cluster if one.label in key.home)
        if len(parts) < 2:
            mended.append(cluster)
            continue
        ordered = list(parts)
        largest = min(ordered, key=lambda at: (-len(parts[at]), _begin(parts[at], ordered.index(at))))
        stay = [one for one in cluster if key.home.get(one.label, largest) == largest]
        mended.append(stay)
        mended.extend(part for at, part in parts.items() if at != largest)
        moved += len(cluster) - len(stay)
    return mended, moved


def mend_split(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """The mentions of a gold cluster move to the system cluster that holds most of them."""
    mended = [list(cluster) for cluster in system]
    moved = 0
    for at in range(len(key.clusters)):
        target = _largest(system, key, at)
        if target is None:
            continue
        for place, cluster in enumerate(mended):
            if place == target:
                continue
            leaving = [one for one in cluster if key.home.get(one.label) == at]
            if leaving:
                mended[place] = [one for one in cluster if key.home.get(one.label) != at]
                mended[target].extend(leaving)
                moved += len(leaving)
    return [cluster for cluster in mended if cluster], moved


def _largest(system: Clusters, key: Key, at: int) -> int | None:
    """The cluster that holds most mentions of a gold cluster; of several the one that begins first.

    ``system`` is what the earlier mends left, not what this one has begun: gold clusters have no order.
    """
    counts = Counter(
        place for place, cluster in enumerate(system) for one in cluster if key.home.get(one.label) == at
    )
    if not counts:
        return None
    return min(counts, key=lambda place: (-counts[place], _begin(system[place], place)))


def _size(system: Clusters) -> int:
    return sum(map(len, system))


MENDS: Mapping[str, Callable[[Clusters, Key], tuple[Clusters, int]]] = {
    SPAN: mend_spans,
    SPURIOUS: mend_spurious,
    MISSED: mend_missed,
    MERGED: mend_merged,
    SPLIT: mend_split,
}


class ClusterFaults:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[Coreference]) -> None:
        self._system = explained.system
        comparison = explained.comparison
        if comparison.paired is not None:
            self._clusters, self._key, self._names = _node_clusters(explained)
        else:
            self._key = Key([cluster.members for cluster in comparison.gold])
            self._clusters = [[Placed(one, one) for one in cluster.members] for cluster in comparison.system]
            self._names = [cluster.id for cluster in comparison.system]
        self._gold = explained.gold
        self._over_nodes = comparison.paired is not None

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many mentions each mend touches at most, whatever was mended before it."""
        touched = dict.fromkeys(FAULTS, 0)
        for place, fault in enumerate(FAULTS):
            for count in range(place + 1):
                for before in combinations(FAULTS[:place], count):
                    left = self._mended(frozenset(before))
                    touched[fault] = max(touched[fault], MENDS[fault](left, self._key)[1])
        return {fault: count for fault, count in touched.items() if count}

    def _mended(self, faults: frozenset[str]) -> Clusters:
        clusters = self._clusters
        for fault, mend in MENDS.items():
            if fault in faults:
                clusters, _ = mend(clusters, self._key)
        return clusters

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults."""
        if not faults:
            return self._system
        if self._key.repeated and faults == frozenset(self.items):
            # Copies have no single cluster to be moved to: with everything mended the output says what gold says.
            return self._with_layers(some_layers(self._gold.layers, ("clusters", "trees", "prefixes")))
        clusters = self._mended(faults)
        names = [*self._names, *(f"new-{number}" for number in range(len(clusters)))]
        written = [
            (name, tuple(one.written for one in cluster))
            for name, cluster in zip(names, clusters, strict=False)
        ]
        if not self._over_nodes:
            return self._with_layers({"clusters": Partition(starmap(Cluster, written))})
        trees = self._system.layers.get("trees") or self._gold.layers["trees"]
        return self._with_layers({"trees": trees._replace(clusters=tuple(starmap(NodeCluster, written)))})

    def _with_layers(self, layers: Layers) -> Document:
        return self._system._replace(layers={**self._system.layers, **layers}, present=True)


def _node_clusters(explained: Explained[Coreference]) -> tuple[Clusters, Key, list[str]]:
    """Clusters over nodes; a system mention that was paired is the gold mention that it was paired with."""
    paired = explained.comparison.paired
    assert paired is not None
    partner = {theirs: ours for ours, theirs in paired.pairs}
    sides = [over_nodes(document) for document in (explained.gold, explained.system)]
    key = Key([list(dict.fromkeys(cluster.members)) for cluster in sides[0]])
    system = [
        [Placed(partner.get(one, one), one) for one in dict.fromkeys(cluster.members)] for cluster in sides[1]
    ]
    return system, key, [cluster.id for cluster in sides[1]]
