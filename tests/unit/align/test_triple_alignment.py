from __future__ import annotations

from itertools import permutations

from hypothesis import given

from lydite.align.triple_scope import (
    Preparation,
    TripleSide,
    first_element_scope,
    relation_key,
    sentence_scope,
)
from lydite.align.triples import (
    CONDITIONS,
    Overlap,
    align_elements,
    any_to_any,
    elements,
    equal_elements,
    one_to_one,
    overlaps,
    weights,
)
from lydite.model.triple import Triple, TripleElement
from triple_files import triple, triples


def side(*content: Triple, scope: frozenset[str] | None = None) -> TripleSide:
    return TripleSide(content, scope, relation_key(case_sensitive=False))


def under(mode: str, gold: TripleSide, system: TripleSide) -> list[Overlap]:
    unique = set(system.unique)
    return [found for found in overlaps(gold, system) if CONDITIONS[mode](found) and found.system in unique]


def largest(found: list[Overlap]) -> int:
    """The size of a maximum matching by trying every order of the edges."""
    golds = sorted({overlap.gold for overlap in found})
    systems = sorted({overlap.system for overlap in found})
    edges = {(overlap.gold, overlap.system) for overlap in found}
    if len(golds) > len(systems):
        golds, systems = systems, golds
        edges = {(system, gold) for gold, system in edges}
    return max(
        (
            sum(pair in edges for pair in zip(golds, order, strict=False))
            for order in permutations(systems, len(golds))
        ),
        default=0,
    )


def test_one_shared_id_in_both_elements_is_a_partial_match() -> None:
    (found,) = overlaps(side(triple("a", "w1 w2", "w3")), side(triple("b", "w2", "w3 w4")))
    assert found == Overlap(0, 0, 2, same=False, exact=False)


def test_sharing_the_first_element_alone_is_no_match() -> None:
    assert not overlaps(side(triple("a", "w1", "w3")), side(triple("a", "w1", "w4")))


def test_two_empty_elements_match_and_an_empty_and_a_filled_one_never_do() -> None:
    unary, binary = side(triple("a", "w1")), side(triple("a", "w1", "w2"))
    assert overlaps(unary, unary)[0].exact
    assert not overlaps(unary, binary)
    assert not overlaps(binary, unary)


def test_duplicates_agree_in_relation_without_case_and_in_both_sets() -> None:
    content = side(triple("a", "w1 w2", "w3"), triple("A ", "w2 w1", "w3"), triple("a", "w1", "w3"))
    assert content.unique == (0, 2)


def test_a_triple_is_in_range_by_its_first_element_alone() -> None:
    content = side(
        triple("a", "w1 w2", "w9"), triple("a", "w3", "w1"), triple("a", ""), scope=frozenset({"w1"})
    )
    assert [found.first.ids for found in content.in_range] == [("w1", "w2")]
    assert content.out_of_range == 2


def test_the_sentence_scope_is_all_tokens_of_sentences_with_a_gold_token() -> None:
    sentences = {"w1": "1", "w2": "1", "w3": "2", "w4": "2", "w5": "3"}
    assert sentence_scope([triple("a", "w1", "w4")], sentences) == {"w1", "w2", "w3", "w4"}
    assert first_element_scope([triple("a", "w1", "w4")]) == {"w1"}


def test_preparation_maps_once_then_drops_filters_and_empties() -> None:
    steps = Preparation(
        {"x": "y", "y": "z", "t": "TIME"},
        dropped=frozenset({"TIME"}),
        relations=frozenset({"y"}),
        without_second=True,
    )
    content = [triple("x", "w1", "w2"), triple("y", "w1", "w2"), triple("t", "w1", "w2")]
    assert steps.apply(content) == (triple("y", "w1"),)


def test_credit_is_given_where_a_greedy_choice_would_block_it() -> None:
    gold = side(triple("a", "w1 w2", "w9"), triple("a", "w1", "w9"))
    system = side(triple("a", "w1", "w9"), triple("a", "w2", "w9"))
    assert len(one_to_one(gold, system, under("partial_same", gold, system)).pairs) == 2


def test_among_maximum_alignments_exact_pairs_are_preferred() -> None:
    gold = side(triple("a", "w1 w2", "w9"), triple("a", "w1", "w9"))
    system = side(triple("a", "w1", "w9"), triple("a", "w1 w2", "w9"))
    pairs = one_to_one(gold, system, under("partial_same", gold, system)).pairs
    assert {(pair.gold, pair.system) for pair in pairs} == {(0, 1), (1, 0)}


def test_size_counts_before_exact_pairs_and_these_before_relations_and_shared_ids() -> None:
    def weighed(*overlaps: tuple[int, bool, bool]) -> list[int]:
        found = [Overlap(0, place, *values) for place, values in enumerate(overlaps)]
        return list(weights(found, most=2))

    rich, poor = (9, True, True), (1, False, False)
    best, least = weighed(rich, poor)
    assert best < 2 * least  # two pairs outweigh one, whatever it is
    exact, same, shared = weighed((1, False, True), (1, True, False), (9, False, False))
    assert exact > same > shared > least


def test_labels_must_agree_if_asked_for() -> None:
    gold = side(Triple("a", TripleElement(("w1",), "event")))
    system = side(Triple("a", TripleElement(("w1",), "state")))
    assert overlaps(gold, system)
    assert not overlaps(gold, system, labels=("first",))
    assert overlaps(gold, system, labels=("second",))


def test_elements_are_distinct_sets_under_their_first_label() -> None:
    content = side(
        Triple("a", TripleElement(("w1",))),
        Triple("b", TripleElement(("w1",), "event")),
        triple("a", "w1 w2", "w3"),
    )
    assert [(sorted(found.ids), found.label) for found in elements(content, "first")] == [
        (["w1"], "event"),
        (["w1", "w2"], ""),
    ]
    assert [sorted(found.ids) for found in elements(content, "second")] == [["w3"]]


def test_elements_align_one_to_one() -> None:
    gold, system = (
        elements(side(triple("a", "w1 w2"), triple("a", "w3")), "first"),
        elements(side(triple("a", "w1"), triple("a", "w2 w3")), "first"),
    )
    assert len(align_elements(gold, system).pairs) == 2
    assert not equal_elements(gold, system).pairs


@given(triples(most=6), triples(most=6))
def test_the_alignment_is_as_large_as_any(ours: list[Triple], theirs: list[Triple]) -> None:
    gold, system = side(*ours), side(*theirs)
    for mode in CONDITIONS:
        found = under(mode, gold, system)
        assert len(one_to_one(gold, system, found).pairs) == largest(found)


@given(triples(), triples())
def test_all_overlapping_pairs_are_found_and_no_others(ours: list[Triple], theirs: list[Triple]) -> None:
    gold, system = side(*ours), side(*theirs)

    def meet(a: TripleElement, b: TripleElement) -> bool:
        return not set(a.ids).isdisjoint(b.ids) or not (a.ids or b.ids)

    expected = {
        (ours_, theirs_)
        for ours_ in gold.unique
        for theirs_, other in enumerate(system.in_range)
        if meet(gold.in_range[ours_].first, other.first) and meet(gold.in_range[ours_].second, other.second)
    }
    assert {(found.gold, found.system) for found in overlaps(gold, system)} == expected


@given(triples(), triples())
def test_covered_triples_are_those_with_a_partner(ours: list[Triple], theirs: list[Triple]) -> None:
    gold, system = side(*ours), side(*theirs)
    found = under("partial_ignored", gold, system)
    covered = any_to_any(gold, system, found)
    assert len(set(covered.missed)) == len(gold.unique) - len({overlap.gold for overlap in found})
