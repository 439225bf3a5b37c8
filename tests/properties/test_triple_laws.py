"""The laws of the default profile for triples."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lydite.align.triple_scope import TripleSide, relation_key
from lydite.model.triple import Triple
from lydite.profile import load_profile
from lydite.tasks.triples.comparison import ELEMENTS, MODES, SAME_MODES, TripleComparison
from lydite.tasks.triples.diagnosis import diagnose
from lydite.tasks.triples.settings import TripleSettings
from triple_files import triple, triples

KEY = relation_key(case_sensitive=False)
SETTINGS = load_profile("triples", "default", TripleSettings).settings


def compared(gold: list[Triple], system: list[Triple]) -> TripleComparison:
    return TripleComparison(
        TripleSide(tuple(gold), None, KEY), TripleSide(tuple(system), None, KEY), SETTINGS
    )


def correct(comparison: TripleComparison) -> dict[str, int]:
    found = {mode: comparison.matched(mode).correct for mode in MODES}
    return {**found, **{name: len(aligned.pairs) for name, aligned in comparison.elements.items()}}


@given(triples(), triples())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    gold: list[Triple], system: list[Triple]
) -> None:
    ours, theirs = compared(gold, system), compared(system, gold)
    for mode in MODES:
        for one, other in ((ours.matched, theirs.matched), (ours.coverage, theirs.coverage)):
            precision, recall, f1, value = other(mode).score()
            assert one(mode).score() == (recall, precision, f1, value)
    assert correct(ours) == correct(theirs)


@given(triples(), triples(), st.randoms(use_true_random=False))
def test_the_order_of_triples_and_ids_changes_no_count(
    gold: list[Triple], system: list[Triple], random: st.DataObject
) -> None:
    def shuffled(content: list[Triple]) -> list[Triple]:
        mixed = [
            found._replace(
                first=found.first._replace(ids=tuple(random.sample(found.first.ids, len(found.first.ids))))
            )
            for found in content
        ]
        random.shuffle(mixed)
        return mixed

    assert correct(compared(gold, system)) == correct(compared(shuffled(gold), shuffled(system)))


@given(triples())
def test_a_file_against_itself_gets_one_everywhere(content: list[Triple]) -> None:
    comparison = compared(content, content)
    for mode in MODES:
        score = comparison.matched(mode).score()
        expected = 1.0 if content else None
        assert (score.precision, score.recall, score.f1) == (expected, expected, expected)
    for name in ELEMENTS:
        aligned = comparison.elements[name]
        assert len(aligned.pairs) == len(aligned.gold) == len(aligned.system)


@given(triples(), triples())
def test_an_exact_copy_of_a_system_triple_changes_no_count(gold: list[Triple], system: list[Triple]) -> None:
    assert correct(compared(gold, system)) == correct(compared(gold, [*system, *system[:1]]))


@given(triples(), triples())
def test_a_triple_that_overlaps_nothing_lowers_precision_only(
    gold: list[Triple], system: list[Triple]
) -> None:
    before = compared(gold, system).matched("partial_same")
    after = compared(gold, [*system, triple("agent", "w99", "w98")]).matched("partial_same")
    assert after.score().recall == before.score().recall
    if before.correct:
        assert (after.score().precision or 0) < (before.score().precision or 0)


@given(triples(), triples())
def test_a_weaker_condition_never_finds_less(gold: list[Triple], system: list[Triple]) -> None:
    found = correct(compared(gold, system))
    assert found["exact_same"] <= found["exact_ignored"] <= found["partial_ignored"]
    assert found["exact_same"] <= found["partial_same"] <= found["partial_ignored"]


@given(triples(), triples())
def test_relations_add_up_to_the_total(gold: list[Triple], system: list[Triple]) -> None:
    comparison = compared(gold, system)
    for mode in SAME_MODES:
        parts = [counts.counts for _, counts in comparison.by_relation(mode)]
        total = comparison.matched(mode)
        assert sum(part.correct for part in parts) == total.correct
        assert sum(part.gold_total for part in parts) == total.gold_total
        assert sum(part.system_total for part in parts) == total.system_total


@given(triples(), triples())
def test_the_diagnosis_adds_up(gold: list[Triple], system: list[Triple]) -> None:
    comparison = compared(gold, system)
    found = diagnose(comparison)
    met_gold = {overlap.gold for overlap in comparison.overlaps}
    right = {overlap.system for overlap in comparison.overlaps if overlap.same}
    assert found["missed"]["count"] + len(met_gold) == len(comparison.gold.unique)
    assert found["wrong_relation"]["count"] + found["spurious"]["count"] + len(right) == len(
        comparison.system.unique
    )


@given(triples(), triples())
def test_with_one_relation_it_makes_no_difference_to_ignore_it(
    gold: list[Triple], system: list[Triple]
) -> None:
    def renamed(content: list[Triple]) -> list[Triple]:
        return [found._replace(relation="r") for found in content]

    found = correct(compared(renamed(gold), renamed(system)))
    assert found["partial_same"] == found["partial_ignored"]
    assert found["exact_same"] == found["exact_ignored"]
