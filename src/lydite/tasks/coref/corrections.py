"""The faults of a system's clusters, and the clusters that it would have written without some of them.

Every correction works on what the earlier corrections left.  A mention has a label, which is the gold mention that it stands for if
there is one, and what the file has for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, starmap
from operator import itemgetter
from typing import NamedTuple

from lydite.align.clusters import clusters_after_repeats
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Layers
from lydite.model.nodes import NodeCluster, NodeMention
from lydite.model.verdict import Explained
from lydite.tasks.coref.comparison import Coreference, over_nodes
from lydite.tasks.coref.outcomes import comparable_edges, edges_of, overlaps
from lydite.tasks.coref.settings import CorefSettings

SPAN, SPURIOUS, MISSED, MERGED, SPLIT = FAULTS = ("span", "spurious", "missed", "merged", "split")


class LabelledMention(NamedTuple):
    """A mention while clusters are corrected: its label, and what is written for it."""

    label: Hashable
    written: Hashable


Clusters = list[list[LabelledMention]]


class CopyLabel(NamedTuple):
    """The label of the second copy of a mention, which stands in another cluster, of the third, and so on."""

    mention: Hashable
    number: int


class GoldClusters:
    """The gold clusters as labels, none of which stands twice, and the cluster of every label."""

    def __init__(self, clusters: Sequence[Sequence[Hashable]]) -> None:
        self.clusters = clusters
        self.home = {label: at for at, cluster in enumerate(clusters) for label in cluster}

    def first_of(self, cluster: Sequence[LabelledMention]) -> int:
        """The first gold cluster of which a cluster holds a mention; if it holds none, a number behind all of them."""
        behind = len(self.clusters)
        return min((self.home.get(mention.label, behind) for mention in cluster), default=behind)


def _gold_mention(label: Hashable) -> LabelledMention:
    return LabelledMention(label, label.mention if isinstance(label, CopyLabel) else label)


def _text_position(cluster: Sequence[LabelledMention], order: int) -> tuple[object, ...]:
    """The sort key that puts clusters in the order of their first mentions; without places, in that of the file."""
    edges = comparable_edges(one.written for one in cluster)
    return (0, *min(edges), order) if edges else (1, order)


def correct_spans(system: Clusters, gold: GoldClusters) -> tuple[Clusters, int]:
    """A mention that gold lacks takes the span of the gold mention that it overlaps most and the system lacks."""
    mentions = [mention for cluster in system for mention in cluster]
    in_system = {mention.label for mention in mentions}
    missed = [label for label in gold.home if label not in in_system]
    spurious = list(dict.fromkeys(mention for mention in mentions if mention.label not in gold.home))
    overlapping = overlaps((mention.written for mention in spurious), missed)
    pairs = [
        (-common, edges_of(label), edges_of(mention.written), place, mention, label)
        for place, mention in enumerate(spurious)
        for common, label in overlapping.get(mention.written, ())
    ]
    taken: set[Hashable] = set()
    corrected: dict[LabelledMention, LabelledMention] = {}
    for *_, mention, label in sorted(pairs, key=lambda pair: pair[:4]):
        if mention not in corrected and label not in taken:
            taken.add(label)
            corrected[mention] = _gold_mention(label)
    for mention in mentions:
        if mention.label in gold.home and mention != _gold_mention(mention.label):
            corrected[mention] = _gold_mention(mention.label)
    return [[corrected.get(mention, mention) for mention in cluster] for cluster in system], len(corrected)


def drop_spurious(system: Clusters, gold: GoldClusters) -> tuple[Clusters, int]:
    """Mentions that gold lacks are dropped."""
    corrected = [[mention for mention in cluster if mention.label in gold.home] for cluster in system]
    return [cluster for cluster in corrected if cluster], _mention_count(system) - _mention_count(corrected)


def add_missed(system: Clusters, gold: GoldClusters) -> tuple[Clusters, int]:
    """Gold mentions that the system lacks join the cluster that holds most of their gold cluster, or a new one."""
    corrected = [list(cluster) for cluster in system]
    in_system = {mention.label for cluster in system for mention in cluster}
    holders = _holders(system, gold)
    added = 0
    for at, cluster in enumerate(gold.clusters):
        missed = [_gold_mention(label) for label in cluster if label not in in_system]
        added += len(missed)
        if at in holders:
            corrected[holders[at]].extend(missed)
        elif missed:
            corrected.append(missed)
    return corrected, added


def cut_merged(system: Clusters, gold: GoldClusters) -> tuple[Clusters, int]:
    """Clusters are cut by gold cluster; what is in none stays with the largest part."""
    corrected: Clusters = []
    moved = 0
    for cluster in system:
        parts = grouped((gold.home[one.label], one) for one in cluster if one.label in gold.home)
        if len(parts) < 2:
            corrected.append(cluster)
            continue
        order = {at: place for place, at in enumerate(parts)}
        largest = min(parts, key=lambda at: (-len(parts[at]), _text_position(parts[at], order[at])))
        staying = [mention for mention in cluster if gold.home.get(mention.label, largest) == largest]
        corrected.append(staying)
        corrected.extend(part for at, part in parts.items() if at != largest)
        moved += len(cluster) - len(staying)
    return corrected, moved


def join_split(system: Clusters, gold: GoldClusters) -> tuple[Clusters, int]:
    """The mentions of a gold cluster move to the system cluster that holds most of them."""
    holders = _holders(system, gold)
    corrected: Clusters = [[] for _ in system]
    leaving: list[tuple[int, LabelledMention]] = []
    for place, cluster in enumerate(system):
        for mention in cluster:
            at = gold.home.get(mention.label)
            if at is None or holders[at] == place:
                corrected[place].append(mention)
            else:
                leaving.append((at, mention))
    for at, mention in sorted(leaving, key=itemgetter(0)):
        corrected[holders[at]].append(mention)
    return [cluster for cluster in corrected if cluster], len(leaving)


def _holders(system: Clusters, gold: GoldClusters) -> dict[int, int]:
    """For each gold cluster the system cluster that holds most of its mentions; of several the one that begins first.

    ``system`` are the clusters before this correction, so that the order of gold clusters does not matter.
    """
    homes = ((gold.home.get(one.label), place) for place, cluster in enumerate(system) for one in cluster)
    places = grouped((at, place) for at, place in homes if at is not None)
    position = cache(lambda place: _text_position(system[place], place))
    held = {at: Counter(found) for at, found in places.items()}
    return {at: min(counts, key=lambda one: (-counts[one], position(one))) for at, counts in held.items()}


def _mention_count(system: Clusters) -> int:
    return sum(map(len, system))


CORRECTIONS: Mapping[str, Callable[[Clusters, GoldClusters], tuple[Clusters, int]]] = {
    SPAN: correct_spans,
    SPURIOUS: drop_spurious,
    MISSED: add_missed,
    MERGED: cut_merged,
    SPLIT: join_split,
}


class ClusterCorrections:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[Coreference], settings: CorefSettings) -> None:
        self._system, comparison = explained.system, explained.comparison
        self._trees = None
        if comparison.paired is not None:
            self._trees = self._system.layers.get("trees") or explained.gold.layers["trees"]
            # The label of a system mention that was paired is the gold mention of its pair.
            partner = {theirs: ours for ours, theirs in comparison.paired.pairs}
            labels = _with_copies(over_nodes(explained.gold), {})
            self._gold = GoldClusters([[one.label for one in cluster] for cluster in labels])
            self._clusters = _with_copies(over_nodes(self._system), partner)
        else:
            # Gold as it would count if a system had written it: that is what everything corrected comes to.
            gold, system = (
                clusters_after_repeats(comparison.gold, side, settings.repeats)
                for side in (comparison.gold, comparison.system)
            )
            self._gold = GoldClusters(gold)
            self._clusters = [list(map(_gold_mention, cluster)) for cluster in system]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The greatest number of mentions that each correction touches, whatever was corrected before it."""
        touched = dict.fromkeys(FAULTS, 0)
        for place, fault in enumerate(FAULTS):
            for count in range(place + 1):
                for before in combinations(FAULTS[:place], count):
                    clusters = self._corrected_clusters(frozenset(before))
                    touched[fault] = max(touched[fault], CORRECTIONS[fault](clusters, self._gold)[1])
        return {fault: count for fault, count in touched.items() if count}

    def _corrected_clusters(self, faults: frozenset[str]) -> Clusters:
        clusters = self._clusters
        for fault, correct in CORRECTIONS.items():
            if fault in faults:
                clusters, _ = correct(clusters, self._gold)
        return clusters

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults."""
        if not faults:
            return self._system
        # Where a mention stands in several clusters, their order decides which of them it is found in.
        ordered = sorted(self._corrected_clusters(faults), key=self._gold.first_of)
        written = [(str(at), tuple(one.written for one in cluster)) for at, cluster in enumerate(ordered)]
        layers: Layers = {"clusters": Partition(starmap(Cluster, written))}
        if self._trees is not None:
            layers = {"trees": self._trees._replace(clusters=tuple(starmap(NodeCluster, written)))}
        return self._system._replace(layers={**self._system.layers, **layers}, present=True)


def _with_copies(clusters: Sequence[NodeCluster], partner: Mapping[NodeMention, NodeMention]) -> Clusters:
    """Mentions with their labels; a mention that stands in several clusters has another label in each."""
    seen: Counter[NodeMention] = Counter()

    def label_mention(mention: NodeMention) -> LabelledMention:
        label = partner.get(mention, mention)
        number = seen[label]
        seen[label] += 1
        return LabelledMention(CopyLabel(label, number) if number else label, mention)

    return [list(map(label_mention, dict.fromkeys(cluster.members))) for cluster in clusters]
