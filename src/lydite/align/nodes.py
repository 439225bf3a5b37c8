"""The pairing of mentions that are sets of nodes, as the CorefUD scorer does it.

There are three steps; a mention that is paired in one is left out of the later ones:

1. *zeros* by the dependencies of their heads (left out under ``linear``);
2. mentions of equal identity: the same nodes, under head match with the same head;
3. under ``head`` and ``partial`` the rest by how much of the gold mention is found.

Steps 1 and 3 take a one-to-one pairing with the largest total weight.  Where several are best, the choice shows in the
scores, so it is made by one fixed procedure (:func:`best_pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from lydite.align.clusters import Repeat
from lydite.grouping import grouped
from lydite.model.cluster import ClusterAlignment, overlap_table_of_copies
from lydite.model.nodes import FoundMentions, NodeCluster, NodeMention, node_mention_text

Identity: TypeAlias = Hashable
Weight: TypeAlias = Callable[[NodeMention, NodeMention], float]
Weights: TypeAlias = Sequence[Mapping[int, float]]
"""For every row the weights that are not 0, by column."""

PLAIN_LIMIT = 40_000
"""A table with more cells than this is paired by SciPy, which follows the same procedure."""


class NodePairing(NamedTuple):
    """The outcome of pairing: the alignment, the pairs, and what findings are made of."""

    alignment: ClusterAlignment
    pairs: Sequence[tuple[NodeMention, NodeMention]]
    repeats: Sequence[Repeat]
    without_dependencies: Sequence[NodeMention]
    """Zeros without dependencies in a sentence in which the other side has zeros, too."""
    overwritten: int
    """How many mentions are not looked up as their partners, because the table of partners has another entry for them."""
    names: tuple[Sequence[str], Sequence[str]]
    """The ids of the clusters of either side that count."""
    unordered: int
    """How many mentions are paired by weight and have an order that the official scorer leaves open."""


def align_nodes(
    gold: Sequence[NodeCluster],
    system: Sequence[NodeCluster],
    *,
    match: str,
    dependent_zeros: bool,
    singletons: bool,
) -> NodePairing:
    """Pair the mentions of two documents and find the cluster of the other side that holds each one's partner."""
    by_head = match == "head"
    identity: Callable[[NodeMention], Identity] = (
        attrgetter("nodes", "head") if by_head else attrgetter("nodes")
    )
    repeats: list[Repeat] = []
    ours, theirs = (
        _Side(side, clusters, identity, repeats, singletons=singletons)
        for side, clusters in (("gold", gold), ("system", system))
    )
    pairing = _PairingSteps(ours, theirs)
    if dependent_zeros:
        pairing.pair_by_weight(_similarity_of_dependencies, only_zeros=True)
    pairing.pair_equal()
    if match in _WEIGHTS:
        pairing.pair_by_weight(_WEIGHTS[match])
    partners = pairing.partners()
    return NodePairing(
        _alignment(ours, theirs, partners),
        [(ours.mentions[one], theirs.mentions[other]) for one, other in pairing.pairs],
        repeats,
        pairing.without_dependencies,
        sum(
            (partners[one] != other) + (partners[other] != one)
            for one, other in pairing.pairs
            if one != other
        ),
        (ours.names, theirs.names),
        pairing.unordered,
    )


class _Side:
    """The clusters of a side, every identity once in a cluster; of several clusters the first has the mention."""

    def __init__(
        self,
        side: str,
        clusters: Iterable[NodeCluster],
        identity: Callable[[NodeMention], Identity],
        repeats: list[Repeat],
        *,
        singletons: bool,
    ) -> None:
        self.clusters: list[tuple[tuple[Identity, NodeMention], ...]] = []
        self.mentions: dict[Identity, NodeMention] = {}
        self.homes: dict[Identity, int] = {}
        self.names: list[str] = []
        first_clusters: dict[Identity, str] = {}
        for cluster in clusters:
            members: dict[Identity, NodeMention] = {}
            for mention in cluster.members:
                name = identity(mention)
                if name in members:
                    text = node_mention_text(mention)
                    repeats.append(Repeat(side, text, cluster.id, cluster.id, dropped=True))
                members.setdefault(name, mention)
            if len(members) == 1 and not singletons:
                continue
            for name, mention in members.items():
                if name in self.mentions:
                    repeats.append(
                        Repeat(
                            side, node_mention_text(mention), first_clusters[name], cluster.id, dropped=False
                        )
                    )
                self.mentions.setdefault(name, mention)
                first_clusters.setdefault(name, cluster.id)
                self.homes[name] = len(self.clusters)
            self.clusters.append(tuple(members.items()))
            self.names.append(cluster.id)


# ---------------------------------------------------------------------------------------------------- the pairs


class _PairingSteps:
    """The pairs of identities, and the mentions that are still free."""

    def __init__(self, gold: _Side, system: _Side) -> None:
        self._free = [dict(gold.mentions), dict(system.mentions)]
        self.pairs: list[tuple[Identity, Identity]] = []
        self.without_dependencies: list[NodeMention] = []
        self.unordered = 0

    def pair_equal(self) -> None:
        """Pair the free mentions of equal identity."""
        for name in [name for name in self._free[0] if name in self._free[1]]:
            self._pair(name, name)

    def pair_by_weight(self, weigh: Weight, *, only_zeros: bool = False) -> None:
        """Pair free mentions with the largest total weight; pairs of weight 0 are left out."""
        rows, columns = (
            sorted(
                ((name, mention) for name, mention in free.items() if mention.is_zero or not only_zeros),
                key=lambda entry: (_position(entry[1]), entry[1].nodes, entry[1].head),
            )
            for free in self._free
        )
        if not rows or not columns:
            return
        ours, theirs = ([mention for _, mention in side] for side in (rows, columns))
        if only_zeros:
            self._note_missing_dependencies(ours, theirs)
        self.unordered += sum(_ties_in_position(side) for side in (rows, columns))
        weights = _weights(ours, theirs, weigh)
        for row, column in best_pairs(weights, len(columns)):
            if weights[row].get(column, 0.0) > 0:
                self._pair(rows[row][0], columns[column][0])

    def _pair(self, one: Identity, other: Identity) -> None:
        del self._free[0][one], self._free[1][other]
        self.pairs.append((one, other))

    def _note_missing_dependencies(self, gold: Sequence[NodeMention], system: Sequence[NodeMention]) -> None:
        """Zeros without dependencies cannot be compared with the zeros of the other side in their sentence."""
        ours, theirs = (grouped((mention.head[0], mention) for mention in side) for side in (gold, system))
        for sentence in ours.keys() & theirs.keys():
            zeros = [*ours[sentence], *theirs[sentence]]
            self.without_dependencies += [mention for mention in zeros if mention.dependencies is None]

    def partners(self) -> dict[Identity, Identity]:
        """The partners of both sides in one table: all pairs of different identities, gold's entries, then the system's."""
        differing = [(one, other) for one, other in self.pairs if one != other]
        return dict(differing) | {other: one for one, other in differing}


def _position(mention: NodeMention) -> tuple[object, ...]:
    return mention.nodes[0], mention.nodes[-1], len(mention.nodes)


def _ties_in_position(entries: Sequence[tuple[Identity, NodeMention]]) -> int:
    """How many of these mentions begin and end where another one does and have as many nodes."""
    positions = [_position(mention) for _, mention in entries]
    return len(positions) - len(set(positions))


def _weights(rows: Sequence[NodeMention], columns: Sequence[NodeMention], weigh: Weight) -> Weights:
    """The weights that are not 0; only mentions with a common sentence can have one."""
    in_sentence = grouped(
        (sentence, column) for column, mention in enumerate(columns) for sentence in _sentences(mention)
    )
    table = []
    for mention in rows:
        candidates = {column for sentence in _sentences(mention) for column in in_sentence.get(sentence, ())}
        weighed = ((column, weigh(mention, columns[column])) for column in sorted(candidates))
        table.append({column: weight for column, weight in weighed if weight})
    return table


def _sentences(mention: NodeMention) -> set[int]:
    return {sentence for sentence, _ in mention.nodes}


def _similarity_of_dependencies(gold: NodeMention, system: NodeMention) -> float:
    """Ten times the F1 of the dependencies of two zeros, and the F1 of their parents; 0 in different sentences."""
    if gold.head[0] != system.head[0] or gold.dependencies is None or system.dependencies is None:
        return 0.0
    ours, theirs = frozenset(gold.dependencies), frozenset(system.dependencies)
    parents = (frozenset(parent for parent, _ in side) for side in (ours, theirs))
    return 10 * _f1(ours, theirs) + _f1(*parents)


def _f1(ours: frozenset[object], theirs: frozenset[object]) -> float:
    common = len(ours & theirs)
    if not common:
        return 0.0
    precision, recall = common / len(theirs), common / len(ours)
    return 2 * precision * recall / (precision + recall)


def _share_with_same_head(gold: NodeMention, system: NodeMention) -> float:
    """The share of gold's nodes that the system mention has, if the heads are the same node."""
    if gold.head != system.head:
        return 0.0
    return len(set(gold.nodes).intersection(system.nodes)) / len(gold.nodes)


def _share_inside(gold: NodeMention, system: NodeMention) -> float:
    """The share of gold's nodes that the system mention has, if it lies inside gold and has gold's head."""
    if gold.head in system.nodes and set(gold.nodes).issuperset(system.nodes):
        return len(system.nodes) / len(gold.nodes)
    return 0.0


_WEIGHTS: Mapping[str, Weight] = {"head": _share_with_same_head, "partial": _share_inside}


def best_pairs(weights: Weights, columns: int) -> list[tuple[int, int]]:
    """A one-to-one pairing of rows and columns with the largest total weight, by shortest augmenting paths.

    The smaller side is paired completely.  Of several best pairings it is the one that the CorefUD scorer gets; the
    order of rows and columns decides.
    """
    if len(weights) > columns:
        transposed: list[dict[int, float]] = [{} for _ in range(columns)]
        for row, weighed in enumerate(weights):
            for column, weight in weighed.items():
                transposed[column][row] = weight
        return [(row, column) for column, row in best_pairs(transposed, len(weights))]
    if len(weights) * columns > PLAIN_LIMIT:
        return _pairs_by_library(weights, columns)
    return _ShortestPaths(weights, columns).pairs()


def _pairs_by_library(weights: Weights, columns: int) -> list[tuple[int, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    dense = np.zeros((len(weights), columns))
    for row, weighed in enumerate(weights):
        for column, weight in weighed.items():
            dense[row, column] = weight
    rows, chosen = linear_sum_assignment(dense, maximize=True)
    return list(zip(rows.tolist(), chosen.tolist(), strict=True))


class _ShortestPaths:
    """Rows are added one by one, each along a shortest path to a free column; all in doubles, in a fixed order."""

    def __init__(self, weights: Weights, columns: int) -> None:
        self._weights, self._columns = weights, columns
        self._row_price = [0.0] * len(weights)
        self._column_price = [0.0] * columns
        self._row_of: list[int | None] = [None] * columns
        self._column_of: list[int] = [-1] * len(weights)

    def pairs(self) -> list[tuple[int, int]]:
        """Every row with its column."""
        for row in range(len(self._weights)):
            self._add(row)
        return list(enumerate(self._column_of))

    def _add(self, start: int) -> None:
        distance = [inf] * self._columns
        before = [-1] * self._columns
        waiting = list(range(self._columns - 1, -1, -1))
        taken: list[int] = []
        row, base = start, 0.0
        while True:
            self._relax(row, base, waiting, distance, before)
            place = self._nearest(waiting, distance)
            column = waiting[place]
            base = distance[column]
            taken.append(column)
            last = waiting.pop()
            if place < len(waiting):
                waiting[place] = last
            following = self._row_of[column]
            if following is None:
                break
            row = following
        self._row_price[start] += base
        for other in taken[:-1]:
            visited = self._row_of[other]
            assert visited is not None
            self._row_price[visited] += base - distance[other]
        for other in taken:
            self._column_price[other] -= base - distance[other]
        self._augment(start, taken[-1], before)

    def _relax(
        self, row: int, base: float, waiting: Sequence[int], distance: list[float], before: list[int]
    ) -> None:
        weigh, price = self._weights[row].get, self._row_price[row]
        for column in waiting:
            length = base - weigh(column, 0.0) - price - self._column_price[column]
            if length < distance[column]:
                distance[column] = length
                before[column] = row

    def _nearest(self, waiting: Sequence[int], distance: Sequence[float]) -> int:
        """The position of the nearest column: of several the last free one, or the first if none is free."""
        least = min(distance[column] for column in waiting)
        places = [place for place, column in enumerate(waiting) if distance[column] == least]
        free = [place for place in places if self._row_of[waiting[place]] is None]
        return free[-1] if free else places[0]

    def _augment(self, start: int, column: int, before: Sequence[int]) -> None:
        """Give every column on the path back to the row that was added to the row before it."""
        while True:
            row = before[column]
            self._row_of[column] = row
            self._column_of[row], column = column, self._column_of[row]
            if row == start:
                return


# ---------------------------------------------------------------------------------------------- where mentions are


def _alignment(gold: _Side, system: _Side, partners: Mapping[Identity, Identity]) -> ClusterAlignment:
    numbers: dict[Identity, int] = {}
    ours, theirs = (
        [[numbers.setdefault(name, len(numbers)) for name, _ in cluster] for cluster in side.clusters]
        for side in (gold, system)
    )
    found = FoundMentions(
        _clusters_of_partners(gold, system, partners),
        _clusters_of_partners(system, gold, partners),
        [[mention for _, mention in cluster] for cluster in gold.clusters],
        [[mention for _, mention in cluster] for cluster in system.clusters],
        {
            numbers[name]: numbers[twin]
            for name in gold.mentions
            if (twin := name if name in system.mentions else partners.get(name)) is not None
        },
        {numbers[name]: home for name, home in system.homes.items()},
    )
    # A partner may be in several clusters.
    table = overlap_table_of_copies(
        [[partners.get(name, name) for name, _ in cluster] for cluster in gold.clusters],
        [[name for name, _ in cluster] for cluster in system.clusters],
    )
    return ClusterAlignment(ours, theirs, table, found=found)


def _clusters_of_partners(
    ours: _Side, theirs: _Side, partners: Mapping[Identity, Identity]
) -> list[list[int | None]]:
    """For every mention the cluster of the other side that holds its partner, the last one if there are several."""
    return [[theirs.homes.get(partners.get(name, name)) for name, _ in cluster] for cluster in ours.clusters]
