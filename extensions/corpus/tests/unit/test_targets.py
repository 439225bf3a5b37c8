from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from lydite.errors import InvalidInput
from lydite_corpus.judgements import JointJudgement
from lydite_corpus.profiles import NameForm, TargetProfile
from lydite_corpus.targets import (
    Candidate,
    Minimum,
    choose_targets,
    opinions_of,
    rate_candidates,
    subsample_targets,
)


def profile(
    number: int,
    *,
    alias: bool = False,
    confusable: tuple[str, ...] = (),
    languages: tuple[str, ...] = ("en",),
) -> TargetProfile:
    aliases = (NameForm("x"),) if alias else ()
    return TargetProfile(f"T{number}", f"handle {number}", "PER", languages, aliases, (), confusable)


def pool_of(
    *profiles: TargetProfile, found: dict[str, int] | None = None, judged: tuple[JointJudgement, ...] = ()
) -> list[Candidate]:
    counts = {one.id: ((found or {}).get(one.id, 20), 10) for one in profiles}
    return rate_candidates(profiles, counts, opinions_of(judged), share=1.0)


def star(target: str, stars: float, mentioned: bool = True) -> JointJudgement:
    return JointJudgement(target, "D", 1, mentioned, 1, False, False, stars)


def test_utility_is_the_formula() -> None:
    (one, other, few) = pool_of(
        profile(1, alias=True, languages=("en", "ar")), profile(2), profile(3), found={"T3": 4},
        judged=(star("T1", 4), star("T1", 5, mentioned=False)),
    )  # fmt: skip
    assert one.precision == 2 / 4
    assert one.expected == 10
    assert one.utility == pytest.approx((1 + 1 + 1) * 4.5 / 5)
    assert other.utility == pytest.approx(3 / 5)
    assert few.utility == 0


def test_targets_out_of_the_band_are_not_chosen() -> None:
    pool = pool_of(profile(1), profile(2), found={"T1": 101})
    assert [one.id for one in choose_targets(pool, 5)] == ["T2"]


def test_ties_go_to_the_smaller_ids() -> None:
    assert [one.id for one in choose_targets(pool_of(*map(profile, range(1, 7))), 3)] == ["T1", "T2", "T3"]


def test_a_minimum_is_kept_even_if_it_costs_utility() -> None:
    pool = pool_of(
        profile(1, alias=True), profile(2), profile(3), judged=(star("T1", 1), star("T2", 5), star("T3", 5))
    )
    assert [one.id for one in choose_targets(pool, 2)] == ["T2", "T3"]
    assert [one.id for one in choose_targets(pool, 2, [Minimum("alias", 1)])] == ["T1", "T2"]


def test_a_confusable_group_comes_with_two_members_or_not_at_all() -> None:
    pool = pool_of(
        profile(1, confusable=("T2",)), profile(2, confusable=("T1",)), profile(3), judged=(star("T3", 5),)
    )
    assert [one.id for one in choose_targets(pool, 1)] == ["T3"]
    assert [one.id for one in choose_targets(pool, 2)] == ["T1", "T2"]


def test_a_target_whose_partner_is_out_of_the_band_is_confusable_with_nobody() -> None:
    pool = pool_of(profile(1, confusable=("T2",)), profile(2, confusable=("T1",)), found={"T2": 1})
    assert pool[0].utility == pytest.approx(3 / 5)
    assert "confusable" not in pool[0].properties
    assert [one.id for one in choose_targets(pool, 2)] == ["T1"]


def test_impossible_minimums_are_refused_with_the_smallest_relaxation() -> None:
    pool = pool_of(profile(1, alias=True), profile(2), profile(3))
    with pytest.raises(InvalidInput) as caught:
        choose_targets(pool, 2, [Minimum("alias", 3), Minimum("PER", 1)])
    (finding,) = caught.value.findings
    assert finding.code == "infeasible-quotas"
    assert finding.hint == "the smallest relaxation is --min alias=1 --min PER=1"


def test_per_language_the_count_and_the_minimums_hold_for_each() -> None:
    pool = pool_of(
        *(profile(n, alias=n == 1) for n in range(1, 4)),
        *(profile(n, alias=n == 6, languages=("ar",)) for n in range(4, 7)),
    )
    chosen = choose_targets(pool, 2, [Minimum("alias", 1)], per_language=True)
    assert [one.id for one in chosen] == ["T1", "T2", "T4", "T6"]
    assert [one.id for one in choose_targets(pool, 1, [Minimum("alias", 1, "ar")])] == ["T6"]


def test_per_language_targets_without_a_language_are_counted_too() -> None:
    nameless = [profile(n, alias=n == 1, languages=()) for n in range(1, 5)]
    assert len(choose_targets(pool_of(*nameless), 2, per_language=True)) == 2
    with pytest.raises(InvalidInput, match="infeasible-quotas"):
        choose_targets(pool_of(*nameless), 2, [Minimum("alias", 2)], per_language=True)
    mixed = pool_of(*nameless, *(profile(n, languages=("ar",)) for n in range(5, 9)))
    assert [one.id for one in choose_targets(mixed, 2, per_language=True)] == ["T1", "T2", "T5", "T6"]


def test_the_choice_is_the_best_of_all() -> None:
    pool = pool_of(
        *(profile(n, alias=n % 2 == 0) for n in range(1, 6)),
        profile(6, confusable=("T7",)), profile(7, confusable=("T6",)),
        judged=tuple(star(f"T{n}", 1 + n * 7 % 5) for n in range(1, 8)),
    )  # fmt: skip

    def allowed(chosen: tuple[Candidate, ...]) -> bool:
        grouped = sum(one.group is not None for one in chosen)
        return grouped != 1 and sum("alias" in one.properties for one in chosen) >= 1

    best = max(
        sum(one.utility for one in some)
        for size in range(5)
        for some in combinations(pool, size)
        if allowed(some)
    )
    chosen = choose_targets(pool, 4, [Minimum("alias", 1)])
    assert sum(one.utility for one in chosen) == pytest.approx(best)


def test_a_subsample_keeps_groups_whole_and_has_every_stratum() -> None:
    pool = pool_of(
        *(profile(n, alias=n < 20) for n in range(1, 40)),
        profile(50, confusable=("T51",)), profile(51, confusable=("T50",)),
    )  # fmt: skip
    chosen = subsample_targets(pool, 10, seed=3)
    ids = {one.id for one in chosen}
    assert len(chosen) == 10
    assert ("T50" in ids) == ("T51" in ids)
    assert {"alias" in one.properties for one in chosen} == {True, False}
    assert [one.id for one in chosen] == [one.id for one in subsample_targets(pool, 10, seed=3)]
    assert ids != {one.id for one in subsample_targets(pool, 10, seed=4)}


@pytest.mark.parametrize("seed", range(5))
def test_small_strata_of_a_subsample_get_one_also_where_their_share_is_less(seed: int) -> None:
    pool = pool_of(
        *(profile(n) for n in range(1, 31)), *(profile(n, alias=True) for n in range(31, 51)),
        profile(51, languages=("ar", "en")), profile(52, alias=True, languages=("ar", "en")),
    )  # fmt: skip
    chosen = subsample_targets(pool, 12, seed)
    assert Counter(one.properties for one in chosen) == {
        frozenset(): 6, frozenset({"alias"}): 4, frozenset({"crosslingual"}): 1, frozenset({"alias", "crosslingual"}): 1,
    }  # fmt: skip
    assert len({one.properties for one in subsample_targets(pool, 4, seed)}) == 4
    assert len(subsample_targets(pool, 2, seed)) == 2
