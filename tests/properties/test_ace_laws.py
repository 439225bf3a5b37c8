"""What must hold for ACE values whatever the input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_formulas import completed, lev
from ace_worlds import changed, renamed
from lydite.adjudication.scores import DOWN, OPEN, UP, JudgedItem, adjudicated
from lydite.align import ace_occurrences
from lydite.align.ace_assignment import assign
from lydite.align.ace_names import _levenshtein, similarity, similarity_table
from lydite.align.ace_ties import _extremes, best_mappings, tied_groups
from lydite.model import Corpus, Document
from lydite.model.ace import (
    LAYER,
    SOURCE_LAYER,
    Element,
    ElementArgument,
    ElementMention,
    Name,
    Region,
    SourceFile,
)
from lydite.model.ace_names import normalise
from lydite.pipeline.running import run
from lydite.profile import load_profile
from lydite.tasks import TASKS

ACE = TASKS["ace"]
LOCAL = ("ace08-local", "ace08-local2007", "ace07", "ace05", "ace05-timex")
GLOBAL = ("ace08-global", "ace08-global-mentions")
TYPES = {"PER": "Individual", "ORG": "Commercial", "GPE": "Nation"}
WORDS = ("mira", "valdez", "corvale", "aldane", "oren takk")


@st.composite
def entities(draw: st.DrawFn, doc_id: str, prefix: str, *, shared: bool) -> tuple[Element, ...]:
    """Entities of one document: heads that do not overlap, names where a mention is a name."""
    place, found = 0, []
    for number in range(draw(st.integers(1, 4))):
        entity_id = f"{prefix}{number}" if shared else f"{prefix}{doc_id}-{number}"
        levels = draw(st.lists(st.sampled_from(("NAM", "NOM", "PRO")), min_size=1, max_size=3))
        mentions = []
        for position, level in enumerate(levels):
            place += draw(st.integers(1, 9))
            text = draw(st.sampled_from(WORDS))
            region = Region(place, place + len(text), text)
            mentions.append(ElementMention(f"{entity_id}-{doc_id}-{position}", region, region, level))
            place += len(text)
        names = tuple(Name(m.head.text, m.head) for m in mentions if m.type == "NAM" and m.head)
        # Attributes of a corpus-wide entity must agree in all documents, so that its number decides.
        type_ = list(TYPES)[number % 3] if shared else draw(st.sampled_from(list(TYPES)))
        class_ = "SPC" if shared else draw(st.sampled_from(("SPC", "SPC", "GEN")))
        attributes = {"TYPE": type_, "SUBTYPE": TYPES[type_], "CLASS": class_}
        found.append(Element("entity", entity_id, attributes, tuple(mentions), names=names))
    return tuple(found)


def relation(doc_id: str, prefix: str, found: tuple[Element, ...], type_: str) -> tuple[Element, ...]:
    """A relation between the first two entities, if there are two."""
    if len(found) < 2:
        return ()
    subtype = {"PHYS": "Located", "ORG-AFF": "Employment"}[type_]
    arguments = (ElementArgument("Arg-1", found[0].id), ElementArgument("Arg-2", found[1].id))
    inside = (
        ElementArgument("Arg-1", found[0].mentions[0].id),
        ElementArgument("Arg-2", found[1].mentions[0].id),
    )
    mentions = (ElementMention(f"{prefix}R-{doc_id}-1", Region(0, 50), arguments=inside),)
    return (
        Element("relation", f"{prefix}R-{doc_id}", {"TYPE": type_, "SUBTYPE": subtype}, mentions, arguments),
    )


@st.composite
def corpora(draw: st.DrawFn, prefix: str = "E", *, shared: bool = False) -> Corpus:
    documents = {}
    for doc_id in ("a", "b"):
        found = draw(entities(doc_id, prefix, shared=shared))
        type_ = draw(st.sampled_from(("PHYS", "ORG-AFF")))
        layers = {
            LAYER: found + relation(doc_id, prefix, found, type_),
            SOURCE_LAYER: SourceFile("text", "newswire", doc_id),
        }
        documents[doc_id] = Document(doc_id, layers=layers)
    return Corpus("corpus", documents)


def values(gold: Corpus, system: Corpus, profile: str) -> dict[str, float | None]:
    summary = run(ACE, gold, [replace(system, name="system")], load_profile("ace", profile, ACE.settings))
    return {row.measurement: row.score.value for row in summary.corpus_rows() if row.metric == "ace-value"}


def totals(gold: Corpus, system: Corpus, profile: str) -> dict[tuple[str, str], tuple[float | None, ...]]:
    summary = run(ACE, gold, [replace(system, name="system")], load_profile("ace", profile, ACE.settings))
    return {(row.measurement, row.metric): tuple(row.score) for row in summary.corpus_rows()}


@pytest.mark.parametrize("profile", LOCAL)
@given(gold=corpora())
@settings(max_examples=10)
def test_perfect_output_is_worth_all_within_documents(profile: str, gold: Corpus) -> None:
    for key, score in totals(gold, renamed(gold, {}), profile).items():
        defined = [figure for figure in score if figure is not None]
        assert defined == pytest.approx([1] * len(defined), abs=1e-6), key


@pytest.mark.parametrize("profile", GLOBAL)
@given(gold=corpora(shared=True))
@settings(max_examples=10)
def test_perfect_output_is_worth_all_across_documents(profile: str, gold: Corpus) -> None:
    assert values(gold, renamed(gold, {}), profile)["entity"] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("profile", LOCAL)
@given(gold=corpora("E"), system=corpora("S"))
@settings(max_examples=10)
def test_an_element_that_overlaps_nothing_never_raises_value_or_precision(
    profile: str, gold: Corpus, system: Corpus
) -> None:
    far = Region(9000, 9004, "Zork")
    spurious = Element(
        "entity",
        "X",
        {"TYPE": "PER", "SUBTYPE": "Individual", "CLASS": "SPC"},
        (ElementMention("X-1", far, far, "NAM"),),
        names=(Name("Zork", far),),
    )
    more = changed(system, lambda doc_id, found: (*found, spurious) if doc_id == "a" else found)
    before, after = totals(gold, system, profile), totals(gold, more, profile)
    for key, (precision, _, _, value) in before.items():
        then = after[key][3] if precision is None else after[key][0]
        now = value if precision is None else precision
        assert now is None or then is None or then <= now + 1e-9, key


@pytest.mark.parametrize("profile", [*LOCAL, *GLOBAL])
@given(gold=corpora(), which=st.integers(0, 7))
@settings(max_examples=10)
def test_removing_an_element_from_perfect_output_never_raises_the_value(
    profile: str, gold: Corpus, which: int
) -> None:
    perfect = renamed(gold, {})
    found = [e.id for item in perfect.documents.values() for e in item.layers[LAYER] if e.kind == "entity"]
    gone = found[which % len(found)]

    def without(_doc_id: str, elements: tuple[Element, ...]) -> tuple[Element, ...]:
        return tuple(e for e in elements if e.id != gone and all(a.filler != gone for a in e.arguments))

    for value in values(gold, changed(perfect, without), profile).values():
        assert value is not None
        assert value <= 1 + 1e-9


@pytest.mark.parametrize("profile", ["ace08-local", "ace08-global", "ace07", "ace05"])
@given(gold=corpora("E"), system=corpora("S"), data=st.data())
@settings(max_examples=10)
def test_renaming_ids_and_reordering_files_changes_no_total(
    profile: str, gold: Corpus, system: Corpus, data: st.DataObject
) -> None:
    shuffled = changed(renamed(system, {}), lambda _doc_id, found: tuple(data.draw(st.permutations(found))))
    reordered = replace(shuffled, documents=dict(reversed(shuffled.documents.items())))
    before, after = totals(gold, system, profile), totals(renamed(gold, {}), reordered, profile)
    for key, score in before.items():
        if key[1] == "ace-value":
            assert after[key] == pytest.approx(score, abs=1e-9, nan_ok=True)


@given(gold=corpora("E", shared=True), system=corpora("S", shared=True))
@settings(max_examples=15)
def test_the_mapping_over_arrays_is_the_plain_one(gold: Corpus, system: Corpus) -> None:
    plain = values(gold, system, "ace08-global")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ace_occurrences, "MIN_PAIRS_FOR_ARRAYS", 1)
        assert values(gold, system, "ace08-global") == plain


words = st.text("abcdeé ", max_size=9) | st.text("ab", min_size=60, max_size=70)


@given(words, words)
def test_the_bit_parallel_edit_distance_is_the_plain_one(first: str, second: str) -> None:
    assert _levenshtein(first, second) == lev(first, second)


@given(st.lists(words, min_size=1, max_size=5), st.lists(words, min_size=1, max_size=5))
def test_a_table_of_similarities_is_equal_to_its_cells(first: list[str], second: list[str]) -> None:
    table = similarity_table(first, second, 0.5)
    assert table.tolist() == [[similarity(one, other, 0.5) for other in second] for one in first]


@given(st.text())
def test_normalising_twice_is_normalising_once_up_to_full_stops(name: str) -> None:
    once = normalise(name)
    assert normalise(once.rstrip(".")) == normalise(once.rstrip("."))
    assert once == once.strip()


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(0, 4)),
        st.integers(0, 6).map(float) | st.sampled_from((1.2000000120000003, 1.2000000119999998, 0.1, 0.3)),
        min_size=1,
    )
)
def test_the_assignment_is_the_best_and_the_first_among_equals(gains: dict[tuple[int, int], float]) -> None:
    def choices(left: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        if not left:
            return [[]]
        first, *rest = left
        free = [pair for pair in rest if pair[0] != first[0] and pair[1] != first[1]]
        return [[first, *more] for more in choices(free)] + choices(rest)

    def total(pairs: list[tuple[int, int]]) -> Fraction:
        return sum((Fraction(gains[pair]) for pair in pairs), Fraction(0))

    found = assign(gains)
    every = choices(sorted(gains))
    best = max(map(total, every))
    assert total(found) == best
    equal = [pairs for pairs in every if total(pairs) == best]
    golds = sorted({gold for gold, _ in gains})
    assert found == min(equal, key=lambda pairs: [dict(pairs).get(gold, 99) for gold in golds])


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_the_last_bit_of_a_gain_decides_and_only_equal_totals_tie(parts: list[float]) -> None:
    first, second, third = parts
    straight, crossed = [("a", "x"), ("b", "y")], [("a", "y"), ("b", "x")]
    gains = {("a", "x"): first + second, ("b", "y"): third, ("a", "y"): first, ("b", "x"): second + third}
    left, right = (sum(Fraction(gains[pair]) for pair in pairs) for pairs in (straight, crossed))
    assert assign(gains) == (straight if left >= right else crossed)
    assert assign(gains, {("b", "x"): 1}) == (straight if left > right else crossed)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz")),
        st.tuples(st.integers(0, 3).map(float), st.integers(-3, 3).map(float)),
        min_size=1,
    )
)
def test_the_extremes_of_a_tie_are_those_of_all_best_mappings(
    table: dict[tuple[str, str], tuple[float, float]],
) -> None:
    gains = {pair: gain for pair, (gain, _) in table.items()}
    chosen = assign(gains)

    def mappings(left: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
        if not left:
            return [[]]
        first, *rest = left
        free = [pair for pair in rest if pair[0] != first[0] and pair[1] != first[1]]
        return [[first, *more] for more in mappings(free)] + mappings(rest)

    for group in tied_groups(gains, dict(chosen), frozenset()):
        every = mappings(sorted(group.weights))
        most = max(sum(gains[pair] for pair in pairs) for pairs in every)
        best = [pairs for pairs in every if sum(gains[pair] for pair in pairs) == most]
        assert sorted(map(sorted, best_mappings(group))) == sorted(map(sorted, best))
        worths = [sum(table[pair][1] for pair in pairs) for pairs in best]
        own = sum(table[pair][1] for pair in group.chosen)
        lower, higher = _extremes(group, lambda *pair: table[pair][1])
        assert (lower, higher) == (min(worths) - own, max(worths) - own)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("wxyz")), st.integers(0, 2).map(float), min_size=2
    )
)
def test_every_group_with_several_best_mappings_is_looked_at(gains: dict[tuple[str, str], float]) -> None:
    chosen = dict(assign(gains))
    groups = list(tied_groups(gains, chosen, frozenset()))
    found = {pair for group in groups for pair in group.weights}
    others = {pair: gain for pair, gain in gains.items() if pair not in found}
    for pair in others:
        less = {one: gain for one, gain in others.items() if one != pair}
        without = sum(less[one] for one in assign(less)) if less else 0.0
        total = sum(gain for one, gain in others.items() if chosen.get(one[0]) == one[1])
        is_chosen = chosen.get(pair[0]) == pair[1]
        assert (without < total) == is_chosen


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")),
        st.sampled_from((-3.0, -2.0, -1.0, -0.5, 0.25, 1.0)),
        min_size=2,
    )
)
def test_a_loss_is_taken_where_no_place_is_free(gains: dict[tuple[str, str], float]) -> None:
    best = max(sum(gains[pair] for pair in chosen) for chosen in completed(sorted(gains)))
    chosen = assign(gains, one_spare=True, one_table=True)
    assert sum(gains[pair] for pair in chosen) == best
    assert len(dict(chosen)) == len({system for _, system in chosen}) == len(chosen)


def test_a_lone_item_takes_any_partner_only_if_the_whole_table_has_no_other() -> None:
    gains = {("a", "x"): -1.0, ("b", "y"): 2.0}
    assert assign(gains, lone_takes_any="system") == [("a", "x"), ("b", "y")]
    assert assign(gains, lone_takes_any="system", one_table=True, one_spare=True) == [("b", "y")]


judgements = st.builds(
    JudgedItem,
    target=st.sampled_from(("T1", "T2")),
    doc_id=st.sampled_from(("a", "b", "c")),
    inside=st.booleans(),
    reference=st.just(False),
    found=st.dictionaries(st.sampled_from(("s1", "s2")), st.sampled_from((0.5, 1.0))),
    verdict=st.sampled_from((UP, DOWN, OPEN, None)),
    pi=st.sampled_from((0.25, 0.5, 1.0)),
)
gold_items = st.builds(
    JudgedItem,
    target=st.sampled_from(("T1", "T2")),
    doc_id=st.sampled_from(("a", "b", "c")),
    inside=st.just(True),
    reference=st.just(True),
    found=st.dictionaries(st.sampled_from(("s1", "s2")), st.sampled_from((0.5, 1.0))),
)


@given(st.lists(gold_items, min_size=1, max_size=4), st.lists(judgements, max_size=5))
def test_up_never_lowers_and_down_never_raises_the_score_of_a_system_that_has_the_item(
    gold: list[JudgedItem], items: list[JudgedItem]
) -> None:
    def score(last: str | None) -> float:
        changed_items = [*gold, *items[:-1], *(replace(item, verdict=last) for item in items[-1:])]
        return adjudicated(changed_items, "s1", false_alarm=0.75).score_plus

    assert score(DOWN) <= score(OPEN) <= score(UP)


@given(st.lists(gold_items, min_size=1, max_size=4), st.lists(judgements, max_size=5), st.randoms())
def test_the_order_of_items_does_not_matter(
    gold: list[JudgedItem], items: list[JudgedItem], chance: object
) -> None:
    together = [*gold, *items]
    shuffled = list(together)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert adjudicated(together, "s1", false_alarm=0.75) == adjudicated(shuffled, "s1", false_alarm=0.75)


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


@given(st.lists(gold_items, max_size=4), st.lists(judgements, max_size=6))
def test_adjudicated_figures_are_those_of_the_formulas(
    gold: list[JudgedItem], items: list[JudgedItem]
) -> None:
    def h(found: Iterable[JudgedItem]) -> float:
        return sum(1 if item.inside else 1 / item.pi for item in found)

    def credit(found: Iterable[JudgedItem]) -> float:
        return sum((1 if item.inside else 1 / item.pi) * item.found["s1"] for item in found)

    up, down = ([item for item in items if item.verdict == verdict] for verdict in (UP, DOWN))
    mine = [[item for item in part if "s1" in item.found] for part in (gold, up, down)]
    alarms = sum(1 for item in items if item.inside and "s1" in item.found)
    value, score = len(gold) + h(up), credit(mine[0] + mine[1]) - 0.75 * h(mine[2])

    def b_cubed(cluster: list[JudgedItem]) -> float | None:
        common = mine[0] + mine[1]
        earned = 0.0
        for target in ("T1", "T2"):
            own, both = ([item for item in part if item.target == target] for part in (cluster, common))
            earned += h(both) ** 2 / h(own) if own else 0.0
        return share(earned, h(cluster))

    wanted = {
        "ace_value_on_A": share(100 * (credit(mine[0]) - 0.75 * alarms), len(gold)),
        "value_plus": value,
        "score_plus": score,
        "ace_value_plus": share(100 * score, value),
        "adjudicated_precision": share(h(mine[1]), h(mine[1] + mine[2])),
        "relative_recall": share(h(mine[1]), h(up)),
        "b3_recall": b_cubed(gold + up),
        "b3_precision": b_cubed(mine[0] + mine[1] + mine[2]),
    }
    assert adjudicated([*gold, *items], "s1", false_alarm=0.75)._asdict() == pytest.approx(wanted)
