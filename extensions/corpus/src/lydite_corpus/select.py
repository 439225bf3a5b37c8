"""Choose documents: lazy greedy, an upper bound on what is possible, random baselines, strata.

Greedy takes the document with the largest gain, of equal gains the smallest id.  Gains only shrink, so lazy evaluation
with a heap of old gains chooses the same set.  Its value is at least 1 − 1/e of the best set of that size, and at least
half of the best one within strata (a partition matroid).  Where the hard upper limit forbids documents, or clusters are
used, there is no such guarantee; the bound then says how far the best set can be.  A bonus for both targets of a
confusable pair is not submodular, so small clusters of documents that mention both are taken in one step.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, product
from typing import TypeVar

from lydite.errors import UsageError
from lydite.grouping import grouped
from lydite_corpus.objective import Objective

K = TypeVar("K", bound=Hashable)

SEEDS = 20
MAX_NONZEROS = 1_000_000
"""A linear programme with more non-zeros is not solved; only the online bound is used."""
PAIR_BONUS = 20.0
"""The bonus for documents that mention both targets of a confusable pair."""
CLUSTER_CANDIDATES = 5
"""How many documents of each target are tried in clusters."""
MAX_STARTS = 100_000
"""How many sets of documents may be tried as starts of a choice."""
SLACK = 1e-9
"""Old gains in the heap are a little too large, so that rounding never hides a document."""


Pair = tuple[int, int]
"""Two confusable targets, by number."""
Cluster = tuple[int, ...]
"""Documents that are taken together."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a choice: its size, whether the upper limit of mentions is hard, the size of each stratum."""

    count: int
    hard: bool = False
    strata: Sequence[Hashable] | None = None
    """The stratum of each document."""
    room: dict[Hashable, int] | None = None
    """How many documents of each stratum may be taken."""


@dataclass(frozen=True, slots=True)
class GreedyChoice:
    """The chosen documents in order, their gains, and how many others the upper limit forbids in the end."""

    documents: tuple[int, ...]
    gains: tuple[float, ...]
    passed_over: int = 0


def lazy_greedy(
    objective: Objective,
    limits: Limits,
    costs: Sequence[float] | None = None,
    clusters: Mapping[Pair, Sequence[Cluster]] | None = None,
    start: Cluster = (),
) -> GreedyChoice:
    """Choose greedily, with a heap of gains of which only the largest are updated.

    With ``costs``, the gain per cost decides.  A cluster of documents that mention both targets of a confusable pair is
    taken like one document, with a bonus, once per pair.  ``start`` is taken first, as far as the limits allow.
    """
    counts = [0] * len(objective.tables)
    cost = costs or [1.0] * len(objective.pool.documents)
    run = _GreedyRun(objective, limits, counts)
    run.take_allowed(start)
    first = objective.gains(counts).tolist()
    heap = [(-(gain + SLACK) / cost[d], d) for d, gain in enumerate(first) if gain > 0]
    heapq.heapify(heap)
    open_pairs = {
        pair: list(sets) for pair, sets in (clusters or {}).items() if not all(counts[one] for one in pair)
    }
    while len(run.chosen) < limits.count:
        while heap and not _update_first(heap, run, cost):
            pass
        best = run.best_cluster(open_pairs, costs)
        if best is None:
            open_pairs = {}  # what the limits forbid once, they always forbid
        if best is not None and (not heap or best[0] >= -heap[0][0]):
            run.take_allowed(best[1])
        elif heap:
            run.take(heapq.heappop(heap)[1])
        else:
            break
        open_pairs = {pair: sets for pair, sets in open_pairs.items() if not all(counts[one] for one in pair)}
    return run.choice()


def _update_first(heap: list[tuple[float, int]], run: _GreedyRun, cost: Sequence[float]) -> bool:
    """Update the gain of the first document of the heap; return whether it is still the first."""
    _, d = heapq.heappop(heap)
    gain = run.gain(d)
    if gain <= 0:
        return False
    heapq.heappush(heap, (-gain / cost[d], d))
    return heap[0] == (-gain / cost[d], d)


def choose_within(
    objective: Objective, limits: Limits, *, pairs: bool = True, enumerated: int = 0
) -> GreedyChoice:
    """Choose greedily by gain and, where costs differ, also by gain per cost; return the best choice.

    Clusters may cost two documents, and if the hard upper limit forbids documents, every document costs its mentions, so
    that documents with few of them leave room for others.  With ``enumerated``, greedy by gain per document also starts
    from every set of up to so many documents or clusters; with three, without strata and if the upper limit forbids
    nothing, the best choice reaches at least 1 − 1/e of what documents and clusters allow (Sviridenko 2004).
    """
    clusters = pair_clusters(objective) if pairs else {}
    units = [1.0] * len(objective.pool.documents)
    choices = [lazy_greedy(objective, limits, clusters=clusters)]
    if any(len(cluster) > 1 for sets in clusters.values() for cluster in sets):
        choices.append(lazy_greedy(objective, limits, units, clusters))
    if choices[0].passed_over:
        sizes = [float(max(1, size)) for size in objective.mention_counts]
        choices.append(lazy_greedy(objective, limits, sizes, clusters))
    starts = _starting_sets(objective, limits, clusters, enumerated) if enumerated else ()
    others = (lazy_greedy(objective, limits, units, clusters, start) for start in starts)
    return max(chain(choices, others), key=lambda one: value_with_bonuses(objective, one.documents, clusters))


def _starting_sets(
    objective: Objective, limits: Limits, clusters: Mapping[Pair, Sequence[Cluster]], most: int
) -> list[Cluster]:
    """Return every set of at most ``most`` documents with a gain, or clusters, within the count."""
    gains = objective.gains([0] * len(objective.tables)).tolist()
    ground: set[Cluster] = {(d,) for d, gain in enumerate(gains) if gain > 0}
    ground.update(cluster for sets in clusters.values() for cluster in sets)
    tried = sum(math.comb(len(ground), size) for size in range(1, most + 1))
    if tried > MAX_STARTS:
        raise UsageError(
            f"--enumerate {most}: expected at most {MAX_STARTS:,} sets to start from,"
            f" found {tried:,} (of {len(ground):,} documents and pairs)",
            hint="leave it out, or use a smaller pool: the certified ratio is reported without it, too",
        )
    starts = {
        tuple(sorted({d for cluster in chosen for d in cluster}))
        for size in range(1, most + 1)
        for chosen in combinations(sorted(ground), size)
    }
    return sorted(start for start in starts if len(start) <= limits.count)


def pair_clusters(objective: Objective) -> dict[Pair, list[Cluster]]:
    """Return the smallest sets of documents that mention both targets of each confusable pair: one document, else two.

    Only the documents with the largest gains are considered.
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
        return sorted(documents, key=lambda d: (-round(float(gains[d]), 12), d))[:CLUSTER_CANDIDATES]

    clusters: dict[Pair, list[Cluster]] = {}
    for group in members.values():
        for one, other in combinations(group, 2):
            both = largest(set(holders[one]) & set(holders[other]))
            apart = product(largest(holders[one]), largest(holders[other]))
            clusters[one, other] = [(d,) for d in both] or [tuple(sorted(found)) for found in apart]
    return clusters


def value_with_bonuses(objective: Objective, chosen: Sequence[int], pairs: Iterable[Pair]) -> float:
    """Return F plus the bonus for every confusable pair of which both targets are mentioned."""
    counts = objective.counts(chosen)
    return objective.value(chosen) + PAIR_BONUS * sum(
        bool(counts[one] and counts[other]) for one, other in pairs
    )


class _GreedyRun:
    """The documents chosen so far, and what the limits still allow."""

    def __init__(self, objective: Objective, limits: Limits, counts: list[int]) -> None:
        self._objective, self._limits, self._counts = objective, limits, counts
        self._room = dict(limits.room or {})
        self._taken: set[int] = set()
        self.chosen: list[int] = []
        self._gains: list[float] = []

    def may_take(self, d: int) -> bool:
        """Whether the limits allow a document; what they forbid once, they always forbid."""
        strata = self._limits.strata
        if d in self._taken or (strata is not None and not self._room.get(strata[d], 0)):
            return False
        return not (self._limits.hard and self._objective.exceeds(d, self._counts))

    def gain(self, d: int) -> float:
        """Return what a document adds; 0 if it may not be taken."""
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
        """Return the cluster with the largest gain, bonus included (per cost); of equal ones that with the smallest ids."""
        candidates = [
            (-(gain + PAIR_BONUS) / (sum(costs[d] for d in new) if costs else 1.0), new)
            for clusters in pairs.values()
            for cluster in clusters
            if (new := tuple(d for d in cluster if d not in self._taken))
            and (gain := self._joint_gain(new)) is not None
        ]
        best = min(candidates, default=None)
        return None if best is None else (-best[0], best[1])

    def _joint_gain(self, documents: Cluster) -> float | None:
        """Return what documents add together; None if they may not all be taken."""
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

    def take_allowed(self, documents: Cluster) -> None:
        for d in documents:
            if self.may_take(d):
                self.take(d)

    def choice(self) -> GreedyChoice:
        documents = range(len(self._objective.pool.documents)) if self._limits.hard else ()
        forbidden = sum(d not in self._taken and self._objective.exceeds(d, self._counts) for d in documents)
        return GreedyChoice(tuple(self.chosen), tuple(self._gains), forbidden)


def best_set(objective: Objective, count: int) -> tuple[float, tuple[int, ...]]:
    """Return the best set of ``count`` documents (F is monotone) and its value, by trying all sets: for small pools."""
    documents = range(len(objective.pool.documents))
    sets = combinations(documents, min(count, len(documents)))
    return max(((objective.value(chosen), chosen) for chosen in sets), key=lambda one: one[0])


# --------------------------------------------------------------------------------------------------------- bounds


def online_bound(objective: Objective, chosen: Sequence[int], limits: Limits) -> float:
    """Return F(X) plus the largest remaining gains: no set within the limits has a larger value.

    Under a hard upper limit no set has more than U mentions of a target, so gains may be charged for their mentions:
    Σ g ≤ λ·U·|targets| + Σ of the largest g − λ·mentions for every price λ.  The smallest of several bounds is returned.
    """
    import numpy as np

    gains = objective.gains(objective.counts(chosen))
    gains[list(chosen)] = 0.0

    def largest_gains(price: float) -> float:
        charged = gains - price * mentions if price else gains
        largest = np.sort(charged)[::-1][: limits.count]
        return price * max_mentions + math.fsum(gain for gain in largest.tolist() if gain > 0)

    mentions = np.array(objective.mention_counts if limits.hard else [0])
    max_mentions = objective.weights.upper * len(objective.pool.targets)
    return objective.value(chosen) + min(map(largest_gains, PRICES if limits.hard else PRICES[:1]))


PRICES = (0.0, *(2.0**power for power in range(-8, 2)))
"""The prices of a mention that are tried."""


def programme_bound(objective: Objective, limits: Limits) -> float | None:
    """Return the optimum of the linear relaxation; None if that is too large, or not solved.

    Parts of documents may be taken.  Each counter is split into the linear pieces of its table, with their sizes and
    decreasing slopes; together the pieces are at most the count.
    """
    documents = len(objective.pool.documents)
    if 3 * len(objective.counters) + documents > MAX_NONZEROS:
        return None
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix

    worth = list(objective.modular)
    bounds: list[tuple[float, float]] = [(0, 1)] * documents
    held = [(counter, d, float(n)) for d in range(documents) for counter, n in objective.amounts_of(d)]
    entries = [(counter, d, -amount) for counter, d, amount in held]
    limit: list[float] = []
    for counter, table in enumerate(objective.tables):
        for size, unit in _linear_pieces(table):
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
    table_ = coo_matrix((values, (rows.astype(int), columns.astype(int))), shape=(len(limit), len(worth)))
    solved = linprog(  # type: ignore[call-overload]  # sparse tables are not in the stubs
        -np.array(worth), A_ub=table_.tocsr(), b_ub=limit, bounds=bounds, method="highs"
    )
    return float(-solved.fun) if solved.status == 0 else None


def _linear_pieces(table: Sequence[float]) -> list[tuple[int, float]]:
    """Return the size and the slope of the linear pieces of a concave table."""
    pieces: list[tuple[int, float]] = []
    for low, high in pairwise(table):
        if pieces and math.isclose(pieces[-1][1], high - low, rel_tol=1e-9, abs_tol=1e-12):
            pieces[-1] = pieces[-1][0] + 1, pieces[-1][1]
        else:
            pieces.append((1, high - low))
    return [(size, unit) for size, unit in pieces if unit > 0]


# ---------------------------------------------------------------------------------------------- strata, baselines


def apportion(sizes: Mapping[K, int], count: int) -> dict[K, int]:
    """Distribute ``count`` over strata in proportion to their sizes; the largest remainders get the rest."""
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


def draw_stratified(strata: Strata, among: Sequence[int], count: int, seed: int) -> list[int]:
    """Draw ``count`` of these documents at random in the proportions of the whole pool; other strata fill up short ones."""
    return _draw(_by_stratum(strata, among), apportion(Counter(strata.values()), count), count, seed)


def _by_stratum(strata: Strata, among: Iterable[int]) -> dict[Hashable, list[int]]:
    groups = grouped((strata[d], d) for d in among)
    return {name: groups[name] for name in sorted(groups, key=str)}


def _draw(groups: dict[Hashable, list[int]], shares: dict[Hashable, int], count: int, seed: int) -> list[int]:
    chance = random.Random(seed)  # noqa: S311 - seeded chance is meant
    drawn: list[int] = []
    for name, members in groups.items():
        drawn += chance.sample(members, min(len(members), shares.get(name, 0)))
    if len(drawn) < count:
        rest = sorted({d for members in groups.values() for d in members} - set(drawn))
        drawn += chance.sample(rest, min(len(rest), count - len(drawn)))
    return sorted(drawn)


def random_values(objective: Objective, count: int) -> list[float]:
    """Return F of random sets, one for each seed."""
    documents = range(len(objective.pool.documents))
    size = min(count, len(documents))
    return [
        objective.value(random.Random(seed).sample(documents, size))  # noqa: S311 - seeded chance is meant
        for seed in range(SEEDS)
    ]


def stratified_values(objective: Objective, strata: Strata, count: int) -> list[float]:
    """Return F of random sets with the proportions of the pool, one for each seed."""
    groups = _by_stratum(strata, strata)
    shares = apportion(Counter(strata.values()), count)
    return [objective.value(_draw(groups, shares, count, seed)) for seed in range(SEEDS)]
