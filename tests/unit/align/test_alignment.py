from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from lydite.align import similarity, similarity_arrays
from lydite.align.attributes import n1, n2
from lydite.align.optimal import components, has_ties, pair_optimally
from lydite.align.pairing import pair_by_key, pair_greedily, pair_many_to_one
from lydite.align.similarity import SIMILARITIES, candidates, dice_by_precision_and_recall, dice_direct
from lydite.model import Bounds, MentionColumns, Pair, Span
from strategies import character_spans


def spans(*ranges: tuple[int, int]) -> MentionColumns:
    return columns([Span((bounds,)) for bounds in ranges])


def columns(spans: Sequence[Span]) -> MentionColumns:
    """The columns of mentions that stand there and say nothing else."""
    return MentionColumns([""] * len(spans), [""] * len(spans), [""] * len(spans), spans=spans)


def test_spans_that_only_touch_are_no_candidates() -> None:
    assert candidates(spans((0, 5)), spans((5, 9)), dice_direct) == []


def test_dice_is_twice_the_common_part_over_both_sizes() -> None:
    (pair,) = candidates(spans((0, 10)), spans((2, 13)), dice_direct)
    assert pair == Pair(0, 0, 2.0 * 8 / 21)


def test_spans_that_overlap_and_are_not_the_same_are_no_exact_candidates() -> None:
    found = candidates(spans((0, 4), (6, 9)), spans((0, 5), (6, 9)), similarity.SIMILARITIES["exact"])
    assert found == [Pair(1, 1, 1.0)]


def test_candidates_come_best_first_then_in_file_order_of_the_system() -> None:
    found = candidates(spans((0, 4), (0, 4)), spans((0, 4), (0, 4)), dice_direct)
    assert [(pair.system, pair.gold) for pair in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_repeated_characters_count_in_the_size_only_when_the_quirk_is_on() -> None:
    twice = columns([Span(((0, 5), (3, 8)))])
    assert candidates(twice, twice, dice_direct, count_repeats=True)[0].similarity == 0.8
    assert candidates(twice, twice, dice_direct)[0].similarity == 1.0


def test_a_mention_of_two_pieces_and_one_of_one_piece_meet_once() -> None:
    pieces = columns([Span(((0, 2), (5, 8)))])
    whole = MentionColumns([""], [""], [""], bounds=Bounds([0], [10]))
    assert candidates(pieces, whole, dice_direct) == [Pair(0, 0, 2 * 5 / 15)]
    assert candidates(whole, pieces, dice_direct) == [Pair(0, 0, 2 * 5 / 15)]


def test_the_two_ways_to_compute_dice_differ_in_the_last_bit() -> None:
    assert dice_by_precision_and_recall(3, 4, 5) != dice_direct(3, 4, 5)
    assert abs(dice_by_precision_and_recall(3, 4, 5) - dice_direct(3, 4, 5)) < 1e-15


def _all_pairs(gold: list[Span], system: list[Span]) -> list[Pair]:
    """The definition: every pair of mentions, sets of offsets."""
    found = []
    for system_position, theirs in enumerate(system):
        for gold_position, ours in enumerate(gold):
            common = len(set(ours.offsets) & set(theirs.offsets))
            if common:
                found.append(
                    Pair(gold_position, system_position, dice_direct(common, ours.size, theirs.size))
                )
    return sorted(found, key=lambda pair: (-pair.similarity, pair.system, pair.gold))


many_spans = st.lists(character_spans(), max_size=7)


@given(many_spans, many_spans)
def test_the_sweep_finds_what_comparing_all_pairs_finds(gold: list[Span], system: list[Span]) -> None:
    assert candidates(columns(gold), columns(system), dice_direct) == _all_pairs(gold, system)


@given(many_spans, many_spans)
def test_the_sweep_for_long_ranges_finds_the_same(gold: list[Span], system: list[Span]) -> None:
    longest = [*gold, Span(((0, 10 * similarity.LONG_RANGE),))]
    for side in (gold, longest):
        pieces = similarity._pieces(columns(side)), similarity._pieces(columns(system))
        looked_up = similarity._add_up(similarity._common_characters(*pieces))
        assert sorted(looked_up) == sorted(similarity._add_up(similarity._sweep(*pieces)))


@given(many_spans, many_spans)
def test_ranges_alone_give_the_same_candidates_as_spans(gold: list[Span], system: list[Span]) -> None:
    def first_ranges(side: list[Span]) -> MentionColumns:
        ranges = [span.ranges[0] for span in side if span.ranges]
        bounds = Bounds([begin for begin, _ in ranges], [end for _, end in ranges])
        return MentionColumns([""] * len(ranges), [""] * len(ranges), [""] * len(ranges), bounds=bounds)

    plain = first_ranges(gold), first_ranges(system)
    as_spans = (columns(side.spans) for side in plain)
    assert candidates(*plain, dice_direct) == candidates(*as_spans, dice_direct)


@given(many_spans, many_spans)
def test_tokens_and_characters_give_the_same_candidates(gold: list[Span], system: list[Span]) -> None:
    def as_tokens(span: Span) -> Span:
        return Span(tokens=tuple(dict.fromkeys(f"t{offset}" for offset in span.offsets)))

    tokens = candidates(columns([*map(as_tokens, gold)]), columns([*map(as_tokens, system)]), dice_direct)
    assert tokens == candidates(columns(gold), columns(system), dice_direct)


def test_greedy_pairing_is_not_optimal() -> None:
    found = candidates(spans((0, 10), (8, 14)), spans((2, 13), (0, 3)), dice_direct)
    assert pair_greedily(found, 2, 2) == (Pair(0, 0, 16 / 21),)
    assert {(pair.gold, pair.system) for pair in pair_optimally(found)} == {(1, 0), (0, 1)}


def test_a_gold_mention_may_have_several_partners_in_the_pilot() -> None:
    found = candidates(spans((0, 12)), spans((0, 4), (8, 12)), dice_direct)
    assert [(pair.gold, pair.system) for pair in pair_many_to_one(found)] == [(0, 0), (0, 1)]


def test_equal_members_of_a_set_count_once() -> None:
    alignment = pair_by_key(["a", "a", "b"], ["a", "c", "c"])
    assert (len(alignment.gold), len(alignment.system), len(alignment.pairs)) == (2, 2, 1)


def _best_total(found: list[Pair]) -> Fraction:
    """Every one-to-one choice."""
    exact = {(pair.gold, pair.system): Fraction(pair.similarity).limit_denominator(10**6) for pair in found}
    gold = sorted({pair.gold for pair in found})
    system = sorted({pair.system for pair in found})
    padded = [*system, *[-1] * len(gold)]
    return max(
        (
            sum((exact.get(pair, Fraction(0)) for pair in zip(gold, order, strict=False)), Fraction(0))
            for order in set(permutations(padded, len(gold)))
        ),
        default=Fraction(0),
    )


few_spans = st.lists(character_spans(most=12), max_size=4)


@given(few_spans, few_spans)
def test_the_optimal_total_is_the_largest_of_all(gold: list[Span], system: list[Span]) -> None:
    found = candidates(columns(gold), columns(system), dice_direct)
    total = sum(
        (Fraction(pair.similarity).limit_denominator(10**6) for pair in pair_optimally(found)), Fraction(0)
    )
    assert total == _best_total(found)


@given(few_spans, few_spans)
def test_optimal_pairing_is_one_to_one(gold: list[Span], system: list[Span]) -> None:
    pairs = pair_optimally(candidates(columns(gold), columns(system), dice_direct))
    assert len({pair.gold for pair in pairs}) == len({pair.system for pair in pairs}) == len(pairs)


def test_equal_totals_are_decided_by_file_order_and_reported() -> None:
    found = candidates(spans((0, 4), (0, 4)), spans((0, 4)), dice_direct)
    assert pair_optimally(found) == (Pair(0, 0, 1.0),)
    (component,) = components(found)
    assert has_ties(component)


def test_normalisations_keep_what_they_promise() -> None:
    assert n2("Life_Die") == n2("life.die") == n2("LIFE-DIE") == "lifedie"
    assert n2("Attaqué") == "attaqu"
    assert n1("Attaqu\u00e9 !") == "attaqu\u00e9"


many_words = st.lists(
    st.builds(lambda begin, size: (begin, begin + size), st.integers(0, 60), st.integers(-1, 9)), min_size=1
)


@given(many_words, many_words, st.sampled_from(sorted(SIMILARITIES)))
def test_arrays_give_the_candidates_of_the_definition(
    gold: list[tuple[int, int]], system: list[tuple[int, int]], similarity: str
) -> None:
    sides = [MentionColumns((), (), (), bounds=Bounds(*zip(*side, strict=True))) for side in (gold, system)]
    found = similarity_arrays.candidates(
        *(side.bounds for side in sides if side.bounds), SIMILARITIES[similarity]
    )
    assert found == candidates(sides[0], sides[1], SIMILARITIES[similarity])


def test_of_equal_totals_the_one_with_more_pairs_is_chosen_and_a_larger_total_before_it() -> None:
    two = [Pair(0, 1, 0.5), Pair(1, 0, 0.5)]
    assert set(pair_optimally([Pair(0, 0, 1.0), *two])) == set(two)
    assert pair_optimally([Pair(0, 0, 0.8), Pair(0, 1, 0.3), Pair(1, 0, 0.4)]) == (Pair(0, 0, 0.8),)
    three = [Pair(0, 1, 0.5), Pair(1, 0, 0.25), Pair(2, 2, 0.25)]
    assert set(pair_optimally([Pair(0, 0, 0.75), Pair(2, 1, 0.25), *three])) == set(three)


def test_chosen_pairs_stand_by_similarity_then_by_the_order_of_the_system() -> None:
    pairs = [Pair(0, 2, 0.5), Pair(1, 1, 1.0), Pair(2, 0, 0.5)]
    assert pair_optimally(pairs) == (pairs[1], pairs[2], pairs[0])
