from __future__ import annotations

from hypothesis import given

from lydite.align import first_come
from lydite.align.first_come import (
    FirstComeItem,
    ItemIndex,
    conditions,
    exact,
    items,
    partial,
    without_duplicates,
)
from lydite.align.triple_scope import TripleSide, relation_key
from lydite.model.triple import Triple, TripleElement
from triple_files import triple, triples

KEY = relation_key(case_sensitive=False)


def made(*content: Triple) -> tuple[FirstComeItem, ...]:
    return items(TripleSide(content, None, KEY))


def one(relation: str, first: str, second: str = "") -> FirstComeItem:
    return made(triple(relation, first, second))[0]


def test_exact_compares_lengths_so_that_repeated_ids_upset_it() -> None:
    (repeated,) = made(Triple("a", TripleElement(("w1", "w1"))))
    assert not exact(one("a", "w1"), repeated)
    assert exact(repeated, one("a", "w1 w2"))


def test_participant_stands_for_a_role_on_one_side_only_and_only_for_exact_ids() -> None:
    same = conditions(lump=True)["partial_same"]
    assert same(one("patient", "w1", "w2"), one("participant", "w1", "w2"))
    assert not same(one("participant", "w1", "w2"), one("patient", "w1", "w2"))
    assert not same(one("patient", "w1 w3", "w2"), one("participant", "w1", "w2"))
    assert not same(one("Patient", "w1", "w2"), one("participant", "w1", "w2"))
    assert not conditions(lump=False)["partial_same"](
        one("patient", "w1", "w2"), one("participant", "w1", "w2")
    )


def test_a_file_against_itself_need_not_get_everything() -> None:
    content = made(triple("a", "w1 w2", "w5"), triple("a", "w2 w3", "w5"), triple("a", "w9", "w8"))
    same = conditions(lump=True)["partial_same"]
    credited = first_come.credit(ItemIndex(content), content, fits=same, taken=same)
    assert [found.gold.position for found in credited] == [0, 2]


def test_elements_that_share_an_id_with_an_earlier_one_are_not_counted() -> None:
    gold = made(triple("a", "w1 w2"), triple("a", "w2 w3"), triple("a", "w3"))
    system = made(triple("a", "w3"), triple("a", "w7"))
    found = first_come.elements(gold, system, "first")
    assert (found.gold, found.system, found.correct) == (2, 2, 1)


def test_a_gold_label_fits_when_it_is_empty_or_equal() -> None:
    gold = made(Triple("a", TripleElement(("w1",), "event")), Triple("a", TripleElement(("w2",))))
    system = made(Triple("a", TripleElement(("w1",), "state")), Triple("a", TripleElement(("w2",), "state")))
    found = first_come.elements(gold, system, "first")
    assert found.correct == 1
    assert found.matches == {"": 1}
    assert found.mismatches == {("event", "state"): 1}


def test_a_system_triple_strikes_off_the_first_remaining_part_of_the_gold_triple_it_meets() -> None:
    gold = made(
        triple("a", "w1", "w2", id="e1"),
        triple("b", "w1 w3", "w2", id="e1"),
        triple("c", "w9", "w8", id="e2"),
    )
    system = made(triple("x", "w3", "w2"))
    assert [item.triple.relation for item in first_come.missed(ItemIndex(gold), system)] == ["b", "c"]


@given(triples(), triples())
def test_the_index_finds_what_a_plain_loop_finds(ours: list[Triple], theirs: list[Triple]) -> None:
    gold, system = made(*ours), made(*theirs)
    index = ItemIndex(gold)
    for item in system:
        for test in conditions(lump=True).values():
            expected = next((other for other in gold if test(other, item)), None)
            assert index.first(item, test) == expected


@given(triples())
def test_kept_triples_are_those_that_no_kept_one_makes_a_duplicate(content: list[Triple]) -> None:
    kept: list[FirstComeItem] = []
    for item in made(*content):
        if not any(partial(item, other) for other in kept):
            kept.append(item)
    assert without_duplicates(made(*content), partial) == kept
