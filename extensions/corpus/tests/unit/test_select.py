from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from lydite.errors import UsageError
from lydite_corpus.index import Record
from lydite_corpus.objective import DocumentPool, Objective, PoolTarget, TypeQuota, Weights
from lydite_corpus.select import (
    GreedyChoice,
    Limits,
    apportion,
    best_set,
    choose_within,
    draw_stratified,
    lazy_greedy,
    online_bound,
    pair_clusters,
    programme_bound,
    value_with_bonuses,
)
from lydite_corpus.selection import SelectionPlan, choose_from_pool

GUARANTEE = 0.632


def chance_pool(seed: int, documents: int, targets: int, most: int = 3) -> DocumentPool:
    chance = random.Random(seed)
    made = []
    for number in range(targets):
        forms = ["handle", *["alias"] * chance.randint(0, 1), *["variant"] * chance.randint(0, 1)]
        made.append(
            PoolTarget(
                f"T{number}", 1.0, tuple(forms), "G" if chance.random() < 0.3 else None, chance.choice("PO")
            )
        )
    mentions = {}
    for d in range(documents):
        held = {
            (target, form): chance.randint(1, most)
            for target in range(targets)
            for form in range(len(made[target].forms))
            if chance.random() < 0.25
        }
        if held:
            mentions[d] = held
    stars = {d: chance.randint(0, 5) for d in range(documents)}
    return DocumentPool(tuple(made), tuple(f"D{d:03d}" for d in range(documents)), mentions, stars)


def plain_greedy(objective: Objective, limits: Limits) -> GreedyChoice:
    """The greedy choice by its definition: every document is looked at in every step."""
    counts, chosen, gains = [0] * len(objective.tables), list[int](), list[float]()
    room = dict(limits.room or {})

    def may_take(d: int) -> bool:
        fits = limits.strata is None or room[limits.strata[d]] > 0
        return d not in chosen and fits and not (limits.hard and objective.exceeds(d, counts))

    documents = range(len(objective.pool.documents))
    while len(chosen) < limits.count:
        gain, best = min(
            ((-objective.gain(d, counts), d) for d in documents if may_take(d)), default=(0.0, -1)
        )
        if gain >= 0:
            break
        chosen.append(best)
        gains.append(-gain)
        objective.add(best, counts)
        if limits.strata is not None:
            room[limits.strata[best]] -= 1
    forbidden = [d for d in documents if d not in chosen and objective.exceeds(d, counts)]
    return GreedyChoice(tuple(chosen), tuple(gains), len(forbidden) if limits.hard else 0)


def exact(objective: Objective, count: int) -> float:
    """The optimum by an integer programme: one variable for each document and each unit of a counter."""
    documents = len(objective.pool.documents)
    worth = list(objective.modular)
    rows: list[dict[int, float]] = [{} for _ in objective.tables]
    for d in range(documents):
        for at in range(objective.ends[d], objective.ends[d + 1]):
            rows[objective.counters[at]][d] = -objective.amounts[at]
    for row, table in zip(rows, objective.tables, strict=True):
        for low, high in pairwise(table):
            row[len(worth)] = 1.0
            worth.append(high - low)
    table_ = np.zeros((len(rows) + 1, len(worth)))
    for number, row in enumerate(rows):
        for column, value in row.items():
            table_[number, column] = value
    table_[-1, :documents] = 1
    limits = LinearConstraint(table_, -np.inf, [0] * len(rows) + [count])
    whole = np.zeros(len(worth))
    whole[:documents] = 1
    solved = milp(
        -np.array(worth),
        constraints=limits,
        integrality=whole,
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return float(-solved.fun)


def test_greedy_is_never_below_its_guarantee_on_500_small_pools() -> None:
    ratios = []
    for seed in range(500):
        objective = Objective(chance_pool(seed, 4 + seed % 6, 2 + seed % 4), Weights())
        count = 1 + seed % 4
        value = objective.value(lazy_greedy(objective, Limits(count)).documents)
        ratios.append(value / best_set(objective, count)[0])
    assert min(ratios) >= GUARANTEE
    assert max(ratios) <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(40))
def test_lazy_greedy_is_plain_greedy(seed: int) -> None:
    objective = Objective(
        chance_pool(seed, 60, 6, most=40), Weights(), [TypeQuota("P", 20)] if seed % 2 else []
    )
    strata = [d % 3 for d in range(60)]
    limits = [
        Limits(15), Limits(15, hard=True), Limits(15, strata=strata, room={0: 5, 1: 6, 2: 4}), Limits(100, hard=True),
    ]  # fmt: skip
    for limit in limits:
        assert lazy_greedy(objective, limit) == plain_greedy(objective, limit)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_set_is_that_of_an_integer_programme_and_below_both_bounds(seed: int) -> None:
    objective = Objective(chance_pool(seed, 12, 4, most=30), Weights())
    best = best_set(objective, 4)[0]
    assert exact(objective, 4) == pytest.approx(best, abs=1e-6)
    chosen = lazy_greedy(objective, Limits(4)).documents
    linear = programme_bound(objective, Limits(4))
    assert linear is not None
    assert linear >= best - 1e-6
    assert online_bound(objective, chosen, Limits(4)) >= best - 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_greedy_comes_near_the_integer_programme_on_larger_pools(seed: int) -> None:
    objective = Objective(chance_pool(seed, 80, 8), Weights())
    value = objective.value(lazy_greedy(objective, Limits(10)).documents)
    assert GUARANTEE <= value / exact(objective, 10) <= 1 + 1e-9


def test_gains_add_up_to_the_value() -> None:
    objective = Objective(chance_pool(1, 40, 5), Weights())
    choice = lazy_greedy(objective, Limits(12))
    assert sum(choice.gains) == pytest.approx(objective.value(choice.documents), abs=1e-9)
    assert list(choice.gains) == sorted(choice.gains, reverse=True)


def test_the_gains_of_all_documents_are_those_of_each() -> None:
    objective = Objective(chance_pool(3, 50, 5, most=60), Weights())
    counts = objective.counts([1, 2, 3])
    assert objective.gains(counts).tolist() == pytest.approx(
        [objective.gain(d, counts) for d in range(50)], abs=1e-9
    )


def test_a_hard_limit_is_never_exceeded() -> None:
    objective = Objective(chance_pool(2, 200, 4, most=20), Weights())
    choice = lazy_greedy(objective, Limits(150, hard=True))
    assert max(objective.counts(choice.documents)[:4]) <= 100
    assert choice.passed_over > 0
    soft = lazy_greedy(objective, Limits(150))
    assert max(objective.counts(soft.documents)[:4]) > 100


@pytest.mark.parametrize("seed", range(30))
def test_under_a_hard_limit_the_better_of_two_greedies_is_below_both_bounds(seed: int) -> None:
    weights = Weights(lower=2, upper=6)
    objective = Objective(chance_pool(seed, 10, 3, most=4), weights)
    limits = Limits(4, hard=True)
    found = objective.value(choose_within(objective, limits).documents)
    feasible = [
        objective.value(some)
        for size in range(5)
        for some in combinations(range(10), size)
        if max(objective.counts(some)[:3]) <= weights.upper
    ]
    assert lazy_greedy(objective, limits) == plain_greedy(objective, limits)
    assert found >= objective.value(lazy_greedy(objective, limits).documents)
    assert found <= max(feasible) + 1e-12
    for chosen in ((), choose_within(objective, limits).documents):
        assert online_bound(objective, chosen, limits) >= max(feasible) - 1e-9
    linear = programme_bound(objective, limits)
    assert linear is not None
    assert linear >= max(feasible) - 1e-6


def test_the_bound_holds_for_choices_that_keep_the_upper_limit_and_not_for_others() -> None:
    targets = tuple(PoolTarget(f"T{n}", 1.0, ("handle",)) for n in range(3))
    mentions = {0: {(0, 0): 10, (1, 0): 5}, 1: {(0, 0): 10, (2, 0): 5}}
    objective = Objective(DocumentPool(targets, ("A", "B"), mentions), Weights(upper=10))
    # Together they mention T0 20 times.  T0 is worth 1.25 with 10 mentions, and no more with 20; T1 and T2 are worth 1.
    limits = Limits(2, hard=True)
    bound = programme_bound(objective, limits)
    assert bound is not None
    assert choose_within(objective, limits).documents == (0,)
    assert objective.value([0]) <= bound + 1e-9
    assert objective.value([0, 1]) > bound + 1


def test_both_of_a_confusable_pair_are_wanted_even_if_each_alone_is_worth_less() -> None:
    plain, twins = (
        PoolTarget("T0", 1.0, ("handle",)),
        [PoolTarget(f"T{n}", 1.0, ("handle",), "G") for n in (1, 2)],
    )
    mentions = {0: {(0, 0): 5}, 1: {(0, 0): 5}, 2: {(1, 0): 1}, 3: {(2, 0): 1}}
    objective = Objective(
        DocumentPool((plain, *twins), ("A", "B", "C", "D"), mentions), Weights(confusable=0)
    )
    limits = Limits(2)
    assert set(choose_within(objective, limits, pairs=False).documents) != {2, 3}
    assert set(choose_within(objective, limits).documents) == {2, 3}
    assert pair_clusters(objective) == {(1, 2): [(2, 3)]}
    assert choose_within(objective, Limits(1)).documents == (0,)


@pytest.mark.parametrize("seed", range(20))
def test_clusters_keep_to_the_limits_and_cover_the_pairs_that_they_can(seed: int) -> None:
    objective = Objective(chance_pool(seed, 30, 6, most=10), Weights(upper=20))
    strata = [d % 2 for d in range(30)]
    limits = Limits(6, hard=True, strata=strata, room={0: 4, 1: 2})
    chosen = choose_within(objective, limits).documents
    assert len(set(chosen)) == len(chosen) <= 6
    assert sum(strata[d] for d in chosen) <= 2
    assert max(objective.counts(chosen)[:6]) <= 20
    pairs = pair_clusters(objective)
    alone = lazy_greedy(objective, limits).documents
    covered = [value_with_bonuses(objective, some, pairs) - objective.value(some) for some in (chosen, alone)]
    assert covered[0] >= covered[1]


def test_beginnings_with_every_set_find_what_greedy_alone_misses() -> None:
    better = 0
    for seed in range(60):
        objective = Objective(chance_pool(seed, 9, 5), Weights())
        pairs = pair_clusters(objective)
        count = 3 + seed % 3
        best = max(value_with_bonuses(objective, some, pairs) for some in combinations(range(9), count))
        alone, begun = (
            value_with_bonuses(
                objective, choose_within(objective, Limits(count), enumerated=most).documents, pairs
            )
            for most in (0, 3)
        )
        assert begun >= max(alone, GUARANTEE * best)
        assert count > 3 or begun == pytest.approx(best, abs=1e-9)
        better += begun > alone + 1e-9
    assert better


def test_a_large_pool_is_refused_instead_of_trying_all_beginnings() -> None:
    objective = Objective(chance_pool(1, 100, 4), Weights())
    with pytest.raises(UsageError, match=r"--enumerate 3: expected at most 100,000 sets"):
        choose_within(objective, Limits(10), enumerated=3)


def test_the_formula_by_hand() -> None:
    target = PoolTarget("T", 1.0, ("handle", "alias"), "G")
    objective = Objective(DocumentPool((target,), ("D",), {0: {(0, 0): 5, (0, 1): 1}}, {0: 5}), Weights())
    # 6 mentions: 5/5 + 0.25 · 1/95; the alias once of three; confusable in full; five stars.
    assert objective.value([0]) == pytest.approx(1 + 0.25 / 95 + 2 / 3 + 10 + 0.2, abs=1e-12)


def test_a_quota_is_a_covering_term() -> None:
    pool = chance_pool(5, 30, 4)
    plain, with_quota = Objective(pool, Weights()), Objective(pool, Weights(), [TypeQuota("P", 10)])
    count = sum(
        n
        for d in range(5)
        for (target, _), n in pool.mentions.get(d, {}).items()
        if pool.targets[target].type == "P"
    )
    assert with_quota.value(range(5)) - plain.value(range(5)) == pytest.approx(10 * min(count, 10) / 10)


def test_a_table_ends_where_the_mentions_do_and_no_value_moves() -> None:
    pool = chance_pool(5, 30, 4)
    enough, billions = (
        Objective(pool, Weights(upper=upper), [TypeQuota("P", upper)]) for upper in (10_000, 10**12)
    )
    assert [len(table) for table in billions.tables] == [len(table) for table in enough.tables]
    share = Objective(pool, Weights(), [TypeQuota("P", 10**12)]).value(range(5)) - Objective(
        pool, Weights()
    ).value(range(5))
    assert 0 < share < 1e-6


def test_shares_are_proportional_and_add_up() -> None:
    assert apportion({"a": 50, "b": 30, "c": 20}, 7) == {"a": 4, "b": 2, "c": 1}
    assert apportion({"a": 1, "b": 1}, 10) == {"a": 1, "b": 1}


def test_a_stratified_draw_has_the_proportions_of_the_pool() -> None:
    strata = dict(enumerate(["x"] * 60 + ["y"] * 40))
    drawn = draw_stratified(strata, range(100), 10, seed=1)
    assert Counter(strata[d] for d in drawn) == {"x": 6, "y": 4}
    assert (
        drawn
        == draw_stratified(strata, range(100), 10, seed=1)
        != draw_stratified(strata, range(100), 10, seed=2)
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_a_stratum_is_filled_with_has_its_own_proportions(seed: int) -> None:
    places = [(genre, source) for genre in ("nw", "wl") for source in "AB" for _ in range(20)]
    records = [
        Record(number, f"D{number:02}", "", genre, source, "", 9, 9, "", (), markup=False)
        for number, (genre, source) in enumerate(places)
    ]
    pool = DocumentPool((PoolTarget("T", 1.0, ("handle",)),), tuple(record.id for record in records), {})
    found = choose_from_pool(pool, records, SelectionPlan(40, strata=("genre",), seed=seed))
    chosen = Counter(places[int(one.document[1:])] for one in found.documents)
    assert set(chosen.values()) == {10}
