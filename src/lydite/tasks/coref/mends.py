"""The faults of a system's clusters, and the clusters that it would have written without some of them.

Every mend sees what the earlier ones left.  A mention is a label (the gold mention that it is, if it is one) and what
is written for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, starmap
from operator import itemgetter

from lydite.align.clusters import counted_copies
from lydite.align.nodes import Paired
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Layers
from lydite.model.nodes import NodeCluster, NodeMention
from lydite.model.verdict import Explained
from lydite.records import NamedTuple
from lydite.tasks.coref.comparison import Coreference, over_nodes
from lydite.tasks.coref.fates import comparable_edges, edges_of, overlaps
from lydite.tasks.coref.settings import CorefSettings

SPAN, SPURIOUS, MISSED, MERGED, SPLIT = FAULTS = ("span", "spurious", "missed", "merged", "split")


class Placed(NamedTuple):
    """A mention while clusters are mended: which one it is, and what is written."""

    label: Hashable
    written: Hashable


Clusters = list[list[Placed]]


class Copy(NamedTuple):
    """The label of a mention that stands again, in another cluster: of the second copy, the third, and so on."""

    mention: Hashable
    number: int


class Key:
    """The gold clusters as labels, of which none stands twice, and which label is in which of them."""

    def __init__(self, clusters: Sequence[Sequence[Hashable]]) -> None:
        self.clusters = clusters
        self.home = {label: at for at, cluster in enumerate(clusters) for label in cluster}

    def place(self, cluster: Sequence[Placed]) -> int:
        """Of the gold clusters whose mentions a cluster holds, the first; behind all of them if it holds none."""
        behind = len(self.clusters)
        return min((self.home.get(one.label, behind) for one in cluster), default=behind)


def _as_gold_has_it(label: Hashable) -> Placed:
    return Placed(label, label.mention if isinstance(label, Copy) else label)


def _begin(cluster: Sequence[Placed], order: int) -> tuple[object, ...]:
    """By which clusters stand in the order of their first mentions; without places, in that of the file."""
    edges = comparable_edges(one.written for one in cluster)
    return (0, *min(edges), order) if edges else (1, order)


def mend_spans(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """A mention that gold lacks takes the span of the gold mention that it overlaps most and the system lacks."""
    held = {one.label for cluster in system for one in cluster}
    free = [mention for mention in key.home if mention not in held]
    strangers = list(dict.fromkeys(one for cluster in system for one in cluster if one.label not in key.home))
    near = overlaps((one.written for one in strangers), free)
    pairs = [
        (-common, edges_of(gold), edges_of(one.written), place, one, gold)
        for place, one in enumerate(strangers)
        for common, gold in near.get(one.written, ())
    ]
    taken: set[Hashable] = set()
    renamed: dict[Placed, Placed] = {}
    for *_, one, gold in sorted(pairs, key=lambda pair: pair[:4]):
        if one not in renamed and gold not in taken:
            taken.add(gold)
            renamed[one] = _as_gold_has_it(gold)
    spelt = {
        one: _as_gold_has_it(one.label)
        for cluster in system
        for one in cluster
        if one.label in key.home and one != _as_gold_has_it(one.label)
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
    holders = _holders(system, key)
    added = 0
    for at, cluster in enumerate(key.clusters):
        lacking = [_as_gold_has_it(label) for label in cluster if label not in held]
        added += len(lacking)
        if at in holders:
            mended[holders[at]].extend(lacking)
        elif lacking:
            mended.append(lacking)
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
        order = {at: place for place, at in enumerate(parts)}
        largest = min(parts, key=lambda at: (-len(parts[at]), _begin(parts[at], order[at])))
        stay = [one for one in cluster if key.home.get(one.label, largest) == largest]
        mended.append(stay)
        mended.extend(part for at, part in parts.items() if at != largest)
        moved += len(cluster) - len(stay)
    return mended, moved


def mend_split(system: Clusters, key: Key) -> tuple[Clusters, int]:
    """The mentions of a gold cluster move to the system cluster that holds most of them."""
    holders = _holders(system, key)
    mended: Clusters = [[] for _ in system]
    leaving: list[tuple[int, Placed]] = []
    for place, cluster in enumerate(system):
        for one in cluster:
            at = key.home.get(one.label)
            if at is None or holders[at] == place:
                mended[place].append(one)
            else:
                leaving.append((at, one))
    for at, one in sorted(leaving, key=itemgetter(0)):
        mended[holders[at]].append(one)
    return [cluster for cluster in mended if cluster], len(leaving)


def _holders(system: Clusters, key: Key) -> dict[int, int]:
    """The cluster that holds most mentions of each gold cluster; of several the one that begins first.

    ``system`` is what the earlier mends left, not what this one has begun: gold clusters have no order.
    """
    homes = ((key.home.get(one.label), place) for place, cluster in enumerate(system) for one in cluster)
    places = grouped((at, place) for at, place in homes if at is not None)
    begin = cache(lambda place: _begin(system[place], place))
    held = {at: Counter(found) for at, found in places.items()}
    return {at: min(counts, key=lambda place: (-counts[place], begin(place))) for at, counts in held.items()}


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

    def __init__(self, explained: Explained[Coreference], settings: CorefSettings) -> None:
        self._system, comparison = explained.system, explained.comparison
        self._trees = None
        if comparison.paired is not None:
            self._trees = self._system.layers.get("trees") or explained.gold.layers["trees"]
            self._clusters, self._key = _node_clusters(explained, comparison.paired)
        else:
            # Gold as it would count if a system had written it: that is what everything mended comes to.
            gold, system = (
                counted_copies(comparison.gold, side, settings.repeats)
                for side in (comparison.gold, comparison.system)
            )
            self._key = Key(gold)
            self._clusters = [list(map(_as_gold_has_it, cluster)) for cluster in system]

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
        # Where a mention stands in several clusters, their order decides which of them it is found in.
        ordered = sorted(self._mended(faults), key=self._key.place)
        written = [
            (str(number), tuple(one.written for one in cluster)) for number, cluster in enumerate(ordered)
        ]
        layers: Layers = {"clusters": Partition(starmap(Cluster, written))}
        if self._trees is not None:
            layers = {"trees": self._trees._replace(clusters=tuple(starmap(NodeCluster, written)))}
        return self._system._replace(layers={**self._system.layers, **layers}, present=True)


def _node_clusters(explained: Explained[Coreference], paired: Paired) -> tuple[Clusters, Key]:
    """Clusters over nodes; a system mention that was paired is the gold mention that it was paired with."""
    partner = {theirs: ours for ours, theirs in paired.pairs}
    gold = _with_copies(over_nodes(explained.gold), {})
    system = _with_copies(over_nodes(explained.system), partner)
    return system, Key([[one.label for one in cluster] for cluster in gold])


def _with_copies(clusters: Sequence[NodeCluster], partner: Mapping[NodeMention, NodeMention]) -> Clusters:
    """Mentions with their labels; one that several clusters hold has another label in each."""
    seen: Counter[NodeMention] = Counter()

    def placed(mention: NodeMention) -> Placed:
        label = partner.get(mention, mention)
        number = seen[label]
        seen[label] += 1
        return Placed(Copy(label, number) if number else label, mention)

    return [list(map(placed, dict.fromkeys(cluster.members))) for cluster in clusters]
