"""Draws, intervals, ranks, the paired test, corrections and letters, against their definitions."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from lydite.comparison import draws, randomization
from lydite.comparison.compare import compact_letters
from lydite.comparison.corrections import CORRECTIONS, benjamini_hochberg, holm
from lydite.comparison.draws import draw_sums, draw_weights, interval, rank_intervals, tail_share
from lydite.comparison.randomization import randomization_test
from lydite.model.letters import letters

Counts = NDArray[np.float64]


def share(sums: Counts) -> Counts:
    """A figure: the first column over the second."""
    found: Counts = sums[..., 0] / sums[..., 1]
    return found


def world(units: int, seed: int) -> tuple[Counts, Counts]:
    random = np.random.default_rng(seed)
    first, second = (
        np.stack([random.integers(0, 9, units), np.full(units, 9)], axis=1).astype(float) for _ in range(2)
    )
    return first, second


def test_a_draw_is_one_call_of_the_generator_for_as_many_units_as_there_are() -> None:
    random = np.random.Generator(np.random.PCG64(3))
    expected = [np.bincount(random.integers(0, 7, size=7), minlength=7) for _ in range(50)]
    assert np.array_equal(np.vstack(list(draw_weights(7, 50, 3))), expected)


def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = world(12, 0)
    whole = draw_sums(tables, 100, 5)
    monkeypatch.setattr(draws, "BLOCK", 31)
    for one, other in zip(whole, draw_sums(tables, 100, 5), strict=True):
        assert np.array_equal(one, other)


def test_equal_columns_are_summed_once_and_given_to_every_table() -> None:
    first, second = world(5, 1)
    together = draw_sums([first, second], 20, 0)
    alone = [draw_sums([table], 20, 0)[0] for table in (first, second)]
    assert all(np.array_equal(one, other) for one, other in zip(together, alone, strict=True))


@pytest.mark.parametrize("units", [2, 10, 500])
def test_the_expanded_tail_is_that_of_hesterberg(units: int) -> None:
    t = stats.t.ppf(0.975, units - 1)
    assert tail_share(units, 0.95, "expanded") == pytest.approx(
        stats.norm.cdf(-np.sqrt(units / (units - 1)) * t)
    )


def test_the_expanded_interval_becomes_the_percentile_for_many_units() -> None:
    assert tail_share(100_000, 0.95, "expanded") == pytest.approx(0.025, rel=1e-3)
    assert tail_share(3, 0.95, "percentile") == pytest.approx(0.025)


def test_an_interval_is_a_linear_quantile_of_the_draws_that_have_a_value() -> None:
    values = np.array([0.1, np.nan, 0.4, 0.2, 0.3, np.nan])
    ends = interval(values, 20, kind="percentile")
    assert ends == pytest.approx(np.quantile([0.1, 0.2, 0.3, 0.4], [0.025, 0.975]).tolist())


def test_equal_units_have_an_interval_of_width_zero_and_one_unit_has_none() -> None:
    assert interval(np.full(9, 0.5), 4)[:2] == (0.5, 0.5)
    assert interval(np.full(9, 0.5), 1)[:2] == (None, None)


def test_ranks_count_the_systems_that_are_better_by_more_than_noise() -> None:
    figures = np.array([[0.5, 0.5, 0.1, np.nan], [0.5 + 1e-14, 0.4, 0.2, np.nan], [0.3, 0.3, 0.3, 0.1]])
    assert rank_intervals(figures[:, :1]) == [(1, 1), (1, 1), (3, 3)]
    assert rank_intervals(figures[:, 2:3]) == [(3, 3), (2, 2), (1, 1)]
    assert rank_intervals(figures[:, 3:]) == [(2, 2), (2, 2), (1, 1)]


def test_a_rank_that_more_than_one_draw_in_forty_has_is_in_the_interval() -> None:
    once, twice = (np.array([[1.0] * (40 - lost) + [0.0] * lost, [0.5] * 40]) for lost in (1, 2))
    assert rank_intervals(once) == [(1, 1), (1, 2)]
    assert rank_intervals(twice) == [(1, 2), (1, 2)]


# --------------------------------------------------------------------------------------------------- the paired test


def by_definition(first: Counts, second: Counts) -> float:
    """All patterns of swaps of all units, one after the other."""

    def difference(swaps: tuple[int, ...]) -> float:
        swapped = np.array(swaps, dtype=bool)[:, None]
        ours, theirs = np.where(swapped, second, first), np.where(swapped, first, second)
        return float(abs(share(ours.sum(axis=0)) - share(theirs.sum(axis=0))))

    observed = difference((0,) * len(first))
    found = [difference(swaps) for swaps in product((0, 1), repeat=len(first))]
    return sum(one >= observed - 1e-12 for one in found) / len(found)


@given(st.integers(2, 8), st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_the_exact_test_evaluates_all_patterns(units: int, seed: int) -> None:
    first, second = world(units, seed)
    outcome = randomization_test(first, second, share, resamples=10, seed=0)
    assert outcome.exact
    assert outcome.p == pytest.approx(by_definition(first, second))


def test_a_copy_of_a_system_has_a_p_of_one() -> None:
    first, _ = world(30, 0)
    assert randomization_test(first, first.copy(), share, resamples=10, seed=0) == (1.0, True, 0)


@given(st.integers(0, 99))
@settings(max_examples=10, deadline=None)
def test_swapping_the_systems_keeps_p(seed: int) -> None:
    first, second = world(25, seed)
    one, other = (
        randomization_test(*pair, share, resamples=200, seed=4) for pair in ((first, second), (second, first))
    )
    assert one == other


def test_a_pattern_that_leaves_a_system_without_a_figure_is_no_smaller_difference() -> None:
    first, second = np.array([[2.0, 2], [0, 2], [1, 2]]), np.array([[0.0, 2], [1, 2], [0, 2]])

    def undefined_at_zero(sums: Counts) -> Counts:
        found: Counts = np.where(sums[..., 0] == 0, np.nan, share(sums))
        return found

    # Six of eight patterns have a difference of 2/6 or more; in two of them one system has nothing.
    p = randomization_test(first, second, share, resamples=9, seed=0).p
    assert p == 6 / 8
    assert randomization_test(first, second, undefined_at_zero, resamples=9, seed=0).p == p


def test_a_unit_without_counts_changes_nothing() -> None:
    first, second = world(10, 3)
    empty = np.zeros((1, 2))
    longer = (np.vstack([first, empty]), np.vstack([second, empty]))
    assert randomization_test(*longer, share, resamples=9, seed=0) == randomization_test(
        first, second, share, resamples=9, seed=0
    )
    assert share(longer[0].sum(axis=0)) == share(first.sum(axis=0))


def test_monte_carlo_comes_close_to_the_exact_p() -> None:
    first, second = world(12, 8)
    second[:, 0] = np.where(second[:, 0] == first[:, 0], second[:, 0] + 1, second[:, 0])  # all units differ
    exact = randomization_test(first, second, share, resamples=1, seed=0)
    random = randomization_test(first, second, share, resamples=10_000, seed=0, exact_limit=0)
    assert exact.exact
    assert not random.exact
    assert exact.p is not None
    assert random.p is not None
    error = np.sqrt(exact.p * (1 - exact.p) / 10_000)
    assert abs(exact.p - random.p) < 4 * error


def test_random_patterns_are_those_of_the_generator() -> None:
    first, second = world(20, 2)
    first[:, 0], second[:, 0] = first[:, 0] + 10, second[:, 0]  # all units differ
    random = np.random.Generator(np.random.PCG64(6))
    observed = abs(share(first.sum(axis=0)) - share(second.sum(axis=0)))
    count = 0
    for _ in range(300):
        swapped = random.integers(0, 2, size=20).astype(bool)[:, None]
        ours, theirs = np.where(swapped, second, first), np.where(swapped, first, second)
        count += abs(share(ours.sum(axis=0)) - share(theirs.sum(axis=0))) >= observed - 1e-12
    outcome = randomization_test(first, second, share, resamples=300, seed=6)
    assert outcome == ((1 + count) / 301, False, 20)


def test_sixteen_units_that_differ_are_evaluated_exactly_and_seventeen_are_not() -> None:
    for units, exact in ((16, True), (17, False)):
        first = np.tile([1.0, 2.0], (units, 1))
        second = np.tile([0.0, 2.0], (units, 1))
        assert randomization_test(first, second, share, resamples=50, seed=0).exact is exact
    assert randomization.EXACT_LIMIT == 16


# ------------------------------------------------------------------------------------------------------- corrections

PS = st.lists(st.floats(0, 1), min_size=1, max_size=8)


@given(PS)
@settings(max_examples=40, deadline=None)
def test_benjamini_and_hochberg_correct_as_scipy_does(ps: list[float]) -> None:
    assert benjamini_hochberg(ps) == pytest.approx(stats.false_discovery_control(ps).tolist())


def test_holm_multiplies_the_smallest_by_the_number_of_pairs() -> None:
    assert holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])


@given(st.lists(st.floats(0, 0.1) | st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_a_pair_becomes_significant_exactly_at_its_limit(ps: list[float]) -> None:
    for correction in CORRECTIONS.values():
        limits = correction.limits(ps, 0.05)
        for place, p in enumerate(correction.correct(ps)):
            if p > 0.05:
                below, above = (
                    [*ps[:place], factor * limits[place], *ps[place + 1 :]] for factor in (0.999, 1.001)
                )
                assert correction.correct(below)[place] <= 0.05 < correction.correct(above)[place]


@given(PS)
@settings(max_examples=40, deadline=None)
def test_corrected_ps_keep_their_order_and_stay_below_one(ps: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        found = correct(ps)
        assert all(one <= other <= 1 for one, other in zip(ps, found, strict=True))
        order = sorted(range(len(ps)), key=ps.__getitem__)
        assert all(found[a] <= found[b] for a, b in pairwise(order))


# ----------------------------------------------------------------------------------------------------------- letters


@given(st.integers(1, 7), st.data())
@settings(max_examples=60, deadline=None)
def test_two_systems_share_a_letter_exactly_if_they_do_not_differ(systems: int, data: st.DataObject) -> None:
    pairs = [frozenset({a, b}) for a in range(systems) for b in range(a)]
    differing = set(data.draw(st.lists(st.sampled_from(pairs)))) if pairs else set()
    found = compact_letters(systems, differing)
    for pair in pairs:
        one, other = pair
        assert bool(set(found[one]) & set(found[other])) == (pair not in differing)
    seen = "".join(found)
    firsts = [letter for place, letter in enumerate(seen) if letter not in seen[:place]]
    assert firsts == sorted(firsts)


def test_letters_of_many_systems_are_not_made_of_others() -> None:
    """Neighbours do not differ and all others do: there are more groups than small letters."""
    systems = 80
    found = compact_letters(systems, {frozenset({a, b}) for a in range(systems) for b in range(a - 1)})
    assert found[0] == "a"
    assert found[1] == "ab"
    assert found[26] == "zA"
    assert found[51] == "YZ"
    shared = {(a, b) for a in range(systems) for b in range(a) if set(found[a]) & set(found[b])}
    assert shared == {(a, a - 1) for a in range(1, systems)}


def test_after_z_come_two_letters() -> None:
    assert [letters(number) for number in (0, 25, 26, 27, 26 + 26 * 26)] == ["A", "Z", "AA", "AB", "AAA"]
