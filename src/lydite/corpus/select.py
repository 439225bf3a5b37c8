"""Choosing documents: lazy greedy, the bound that certifies it, baselines, strata.

Greedy takes the document with the largest gain, then the smallest id.  Gains only shrink, so that a heap of old gains is
enough (lazy), and the set is the same.  Under a plain budget it is worth at least 1 − 1/e of the best set, under strata
(a partition matroid) at least half; with a hard upper limit nothing is promised, and the bound says how good it is.
Wanting both of a confusable pair is not submodular: small clusters of documents that hold both are taken as one.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from typing import TypeVar

from lydite.corpus.objective import Objective
from lydite.errors import UsageError
from lydite.grouping import grouped
from lydite.records import dataclass

K = TypeVar("K", bound=Hashable)

SEEDS = 20
LARGEST_PROGRAMME = 1_000_000
"""A linear programme with more non-zeros than this is not solved; the online bound stands in."""
PAIR_BONUS = 20.0
"""What a cluster of documents that hold both of a confusable pair is worth beside its gain."""
MOST_CLUSTERED = 5
"""So many documents of each target are tried in clusters."""
MOST_STARTS = 100_000
"""So many sets of documents may be tried as beginnings of a choice."""
SLACK = 1e-9
"""Old gains are kept a little larger than they are, so that rounding never hides a document."""


Pair = tuple[int, int]
"""Two confusable targets, by their positions."""
Cluster = tuple[int, ...]
"""Documents that are taken together."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a choice must keep to: how many documents, the hard upper limit, how many of each stratum."""

    count: int
    hard: bool = False
    strata: Sequence[Hashable] | None = None
    """The stratum of each document."""
    room: dict[Hashable, int] | None = None
    """How many documents of each stratum may be taken."""


@dataclass(frozen=True, slots=True)
class GreedyChoice:
    """The documents that were chosen, in order, with their gains; how many others the upper limit forbids in the end."""

    documents: tuple[int, ...]
    gains: tuple[float, ...]
    passed_over: int = 0


def lazy_greedy(
    objective: Objective,
    limits: Limits,
    costs: Sequence[float] | None = None,
    clusters: Mapping[Pair, Sequence[Cluster]] | None = None,
    begin: Cluster = (),
) -> GreedyChoice:
    """The greedy choice by a heap of gains, of which only the largest are brought up to date.

    With ``costs`` the gain for each unit of cost decides.  A cluster of documents that hold both of a confusable pair is
    taken like a document, with a bonus, once for each pair.  ``begin`` is taken first, as far as the limits allow.
    """
    counts = [0] * len(objective.tables)
    cost = costs or [1.0] * len(objective.pool.documents)
    state = _State(objective, limits, counts)
    state.take_all(begin)
    first = objective.gains(counts).tolist()
    heap = [(-(gain + SLACK) / cost[d], d) for d, gain in enumerate(first) if gain > 0]
    heapq.heapify(heap)
    open_pairs = {
        pair: list(sets) for pair, sets in (clusters or {}).items() if not all(counts[one] for one in pair)
    }
    while len(state.chosen) < limits.count:
        while heap and not _is_fresh(heap, state, cost):
            pass
        best = state.best_cluster(open_pairs, costs)
        if best is None:
            open_pairs = {}  # what limits forbid now they forbid for ever
        if best is not None and (not heap or best[0] >= -heap[0][0]):
            state.take_all(best[1])
        elif heap:
            state.take(heapq.heappop(heap)[1])
        else:
            break
        open_pairs = {pair: sets for pair, sets in open_pairs.items() if not all(counts[one] for one in pair)}
    return state.choice()


def _is_fresh(heap: list[tuple[float, int]], state: _State, cost: Sequence[float]) -> bool:
    """Bring the first document of a heap up to date; whether it stays the first."""
    _, d = heapq.heappop(heap)
    gain = state.gain(d)
    if gain <= 0:
        return False
    heapq.heappush(heap, (-gain / cost[d], d))
    return heap[0] == (-gain / cost[d], d)


def choose_within(
    objective: Objective, limits: Limits, *, pairs: bool = True, enumerated: int = 0
) -> GreedyChoice:
    """Greedy by gain, with clusters for confusable pairs; the best of several where costs matter.

    Clusters of two cost two documents, and under a hard upper limit documents cost mentions: where the limit binds,
    documents that spend few mentions leave room for others.  For each of the two another greedy goes by the gain for that
    cost, and the best of all is kept.  ``enumerated`` also begins a greedy by cost from every set of so many documents or
    clusters; with three the best of them is worth at least 1 − 1/e of what is possible also where clusters cost more than
    one document (Sviridenko 2004).
    """
    clusters = pair_clusters(objective) if pairs else {}
    choices = [lazy_greedy(objective, limits, clusters=clusters)]
    if any(len(cluster) > 1 for sets in clusters.values() for cluster in sets):
        choices.append(lazy_greedy(objective, limits, [1.0] * len(objective.pool.documents), clusters))
    if choices[0].passed_over:
        sizes = [float(max(1, size)) for size in objective.sizes]
        choices.append(lazy_greedy(objective, limits, sizes, clusters))
    units = [1.0] * len(objective.pool.documents)
    starts = _starts(objective, limits, clusters, enumerated) if enumerated else ()
    others = (lazy_greedy(objective, limits, units, clusters, begin) for begin in starts)
    return max(chain(choices, others), key=lambda choice: with_bonus(objective, choice.documents, clusters))


def _starts(
    objective: Objective, limits: Limits, clusters: Mapping[Pair, Sequence[Cluster]], most: int
) -> list[Cluster]:
    """Every set of at most ``most`` documents that are worth something, or clusters, within the count."""
    gains = objective.gains([0] * len(objective.tables)).tolist()
    ground: set[Cluster] = {(d,) for d, gain in enumerate(gains) if gain > 0}
    ground.update(cluster for sets in clusters.values() for cluster in sets)
    tried = sum(math.comb(len(ground), size) for size in range(1, most + 1))
    if tried > MOST_STARTS:
        raise UsageError(
            f"--enumerate {most}: expected at most {MOST_STARTS:,} sets to begin with,"
            f" found {tried:,} (of {len(ground):,} documents and pairs)",
            hint="leave it out, or narrow the pool: greedy alone comes with a certified ratio",
        )
    found = {
        tuple(sorted({d for cluster in chosen for d in cluster}))
        for size in range(1, most + 1)
        for chosen in combinations(sorted(ground), size)
    }
    return sorted(begin for begin in found if len(begin) <= limits.count)


def pair_clusters(objective: Objective) -> dict[Pair, list[Cluster]]:
    """By pair of confusable targets, the smallest sets of documents that hold both: one document, else two.

    Of many, those of the documents with the largest gains are enough.
    """
    targets = enumerate(objective.pool.targets)
    members = grouped((target.group, place) for place, target in targets if target.group is not None)
    confusable = {place for group in members.values() for place in group}
    holders: dict[int, list[int]] = {place: [] for place in confusable}
    for d, mentions in objective.pool.mentions.items():
        for place in {target for target, _ in mentions} & confusable:
            holders[place].append(d)
    gains = objective.gains([0] * len(objective.tables))

    def largest(documents: Iterable[int]) -> list[int]:
        return sorted(documents, key=lambda d: (-round(float(gains[d]), 12), d))[:MOST_CLUSTERED]

    clusters: dict[Pair, list[Cluster]] = {}
    for group in members.values():
        for one, other in combinations(group, 2):
            both = largest(set(holders[one]) & set(holders[other]))
            apart = product(largest(holders[one]), largest(holders[other]))
            clusters[one, other] = [(d,) for d in both] or [tuple(sorted(found)) for found in apart]
    return clusters


def with_bonus(objective: Objective, chosen: Sequence[int], pairs: Iterable[Pair]) -> float:
    """F and the bonus for every confusable pair of which both are mentioned."""
    counts = objective.counts(chosen)
    return objective.value(chosen) + PAIR_BONUS * sum(
        bool(counts[one] and counts[other]) for one, other in pairs
    )


class _State:
    """What has been chosen so far, and what may still be."""

    def __init__(self, objective: Objective, limits: Limits, counts: list[int]) -> None:
        self._objective, self._limits, self._counts = objective, limits, counts
        self._room = dict(limits.room or {})
        self._taken: set[int] = set()
        self.chosen: list[int] = []
        self._gains: list[float] = []

    def may_take(self, d: int) -> bool:
        """Whether the limits allow a document; what they once forbid they forbid for ever."""
        strata = self._limits.strata
        if d in self._taken or (strata is not None and not self._room.get(strata[d], 0)):
            return False
        return not (self._limits.hard and self._objective.exceeds(d, self._counts))

    def gain(self, d: int) -> float:
        """What a document adds; 0 if it may not be taken."""
        return self._objective.gain(d, self._counts) if self.may_take(d) else 0.0

    def take(self, d: int) -> None:
        self._gains.append(self._objective.gain(d, self._counts))
        self._objective.add(d, self._counts)
        if self._limits.strata is not None:
            self._room[self._limits.strata[d]] -= 1
        self.chosen.append(d)
        self._taken.add(d)

    def best_cluster(
        self, pairs: Mapping[Pair, Sequence[Cluster]], costs: Sequence[float] | None
    ) -> tuple[float, Cluster] | None:
        """The cluster with the largest gain (for its cost), the bonus included; the smallest documents among equals."""
        found = [
            (-(gain + PAIR_BONUS) / (sum(costs[d] for d in new) if costs else 1.0), new)
            for clusters in pairs.values()
            for cluster in clusters
            if (new := tuple(d for d in cluster if d not in self._taken))
            and (gain := self._joint_gain(new)) is not None
        ]
        best = min(found, default=None)
        return None if best is None else (-best[0], best[1])

    def _joint_gain(self, documents: Cluster) -> float | None:
        """What documents add together; None if they may not all be taken."""
        if len(self.chosen) + len(documents) > self._limits.count:
            return None
        total, added = 0.0, []
        for d in documents:
            if not self.may_take(d):
                break
            total += self._objective.gain(d, self._counts)
            self._objective.add(d, self._counts)
            added.append(d)
        for d in added:
            self._objective.add(d, self._counts, -1)
        return total if len(added) == len(documents) else None

    def take_all(self, documents: Cluster) -> None:
        for d in documents:
            if self.may_take(d):
                self.take(d)

    def choice(self) -> GreedyChoice:
        documents = range(len(self._objective.pool.documents)) if self._limits.hard else ()
        forbidden = sum(d not in self._taken and self._objective.exceeds(d, self._counts) for d in documents)
        return GreedyChoice(tuple(self.chosen), tuple(self._gains), forbidden)


def best_set(objective: Objective, count: int) -> tuple[float, tuple[int, ...]]:
    """The best set of at most ``count`` documents, by trying all of them: for small pools."""
    documents = range(len(objective.pool.documents))
    # F is monotone, so that larger sets are never worse.
    return max(
        ((objective.value(chosen), chosen) for chosen in combinations(documents, min(count, len(documents)))),
        key=lambda found: found[0],
    )


# --------------------------------------------------------------------------------------------------------- bounds


def online_bound(objective: Objective, chosen: Sequence[int], limits: Limits) -> float:
    """F(X) and the largest gains that are left: no set that keeps to the count is worth more.

    Under a hard upper limit no set holds more than U mentions of each target, so that gains may be charged for their
    mentions: Σ g ≤ λ·U·|targets| + Σ of the largest g − λ·mentions, for every price λ; the best price is looked for.
    """
    import numpy as np

    gains = objective.gains(objective.counts(chosen))
    gains[list(chosen)] = 0.0

    def most(price: float) -> float:
        charged = gains - price * sizes if price else gains
        largest = np.sort(charged)[::-1][: limits.count]
        return price * room + math.fsum(gain for gain in largest.tolist() if gain > 0)

    sizes = np.array(objective.sizes if limits.hard else [0])
    room = objective.weights.upper * len(objective.pool.targets)
    return objective.value(chosen) + min(most(price) for price in (PRICES if limits.hard else PRICES[:1]))


PRICES = (0.0, *(2.0**power for power in range(-8, 2)))
"""What a mention may be charged."""


def programme_bound(objective: Objective, limits: Limits) -> float | None:
    """The optimum of the linear relaxation; None if it is too large, or not solved.

    Documents are taken in part.  Each counter is split at the corners of its table: pieces of falling worth, each with
    its size, that together are at most the count.
    """
    documents = len(objective.pool.documents)
    if 3 * len(objective.counters) + documents > LARGEST_PROGRAMME:
        return None
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix

    worth = list(objective.modular)
    bounds: list[tuple[float, float]] = [(0, 1)] * documents
    held = [(counter, d, float(n)) for d in range(documents) for counter, n in objective.held(d)]
    entries = [(counter, d, -amount) for counter, d, amount in held]
    limit: list[float] = []
    for counter, table in enumerate(objective.tables):
        for size, unit in _pieces(table):
            entries.append((counter, len(worth), 1.0))
            worth.append(unit)
            bounds.append((0, size))
        limit.append(0.0)
    row = len(limit)
    entries += ((row, d, 1.0) for d in range(documents))
    limit.append(float(limits.count))
    if limits.hard:
        targets = len(objective.pool.targets)
        entries += ((row + 1 + counter, d, amount) for counter, d, amount in held if counter < targets)
        limit += [float(objective.weights.upper)] * targets
    if limits.strata is not None:
        room = limits.room or {}
        number = {name: place for place, name in enumerate(room, len(limit))}
        entries += ((number[stratum], d, 1.0) for d, stratum in enumerate(limits.strata))
        limit += map(float, room.values())
    rows, columns, values = np.array(entries, dtype=float).reshape(-1, 3).T
    places = rows.astype(int), columns.astype(int)
    table_ = coo_matrix((values, places), shape=(len(limit), len(worth)))
    solved = linprog(  # type: ignore[call-overload]  # sparse tables are not in the stubs
        -np.array(worth), A_ub=table_.tocsr(), b_ub=limit, bounds=bounds, method="highs"
    )
    return float(-solved.fun) if solved.status == 0 else None


def _pieces(table: Sequence[float]) -> list[tuple[int, float]]:
    """Size and worth per unit of the straight pieces of a concave table."""
    pieces: list[tuple[int, float]] = []
    for low, high in pairwise(table):
        if pieces and math.isclose(pieces[-1][1], high - low, rel_tol=1e-9, abs_tol=1e-12):
            pieces[-1] = pieces[-1][0] + 1, pieces[-1][1]
        else:
            pieces.append((1, high - low))
    return [(size, unit) for size, unit in pieces if unit > 0]


# ---------------------------------------------------------------------------------------------- strata, baselines


def apportion(sizes: Mapping[K, int], count: int) -> dict[K, int]:
    """How many of ``count`` each stratum gets, in proportion to its size; the largest remainders get the rest."""
    total = sum(sizes.values())
    count = min(count, total)
    shares = {name: divmod(size * count, total) for name, size in sizes.items()} if total else {}
    given = {name: whole for name, (whole, _) in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (-shares[name][1], str(name)))
    for name in by_remainder[: count - sum(given.values())]:
        given[name] += 1
    return given


Strata = Mapping[int, Hashable]
"""The stratum of every document of a pool."""


def stratified(strata: Strata, among: Sequence[int], count: int, seed: int) -> list[int]:
    """``count`` of these documents by chance, in the proportions of the whole pool; filled up where a stratum is short."""
    return _drawn(_by_stratum(strata, among), apportion(Counter(strata.values()), count), count, seed)


def _by_stratum(strata: Strata, among: Iterable[int]) -> dict[Hashable, list[int]]:
    held = grouped((strata[d], d) for d in among)
    return {name: held[name] for name in sorted(held, key=str)}


def _drawn(held: dict[Hashable, list[int]], wanted: dict[Hashable, int], count: int, seed: int) -> list[int]:
    chance = random.Random(seed)  # noqa: S311 - seeded chance is meant
    taken: list[int] = []
    for name, members in held.items():
        taken += chance.sample(members, min(len(members), wanted.get(name, 0)))
    if len(taken) < count:
        left = sorted({d for members in held.values() for d in members} - set(taken))
        taken += chance.sample(left, min(len(left), count - len(taken)))
    return sorted(taken)


def random_values(objective: Objective, count: int) -> list[float]:
    """F of random sets, one for each seed."""
    documents = range(len(objective.pool.documents))
    size = min(count, len(documents))
    return [
        objective.value(random.Random(seed).sample(documents, size))  # noqa: S311 - seeded chance is meant
        for seed in range(SEEDS)
    ]


def stratified_values(objective: Objective, strata: Strata, count: int) -> list[float]:
    """F of random sets with the proportions of the pool, one for each seed."""
    held = _by_stratum(strata, strata)
    wanted = apportion(Counter(strata.values()), count)
    return [objective.value(_drawn(held, wanted, count, seed)) for seed in range(SEEDS)]
