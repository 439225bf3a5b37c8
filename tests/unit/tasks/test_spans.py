from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lydite
from lydite.align.spans import overlapping_pairs, pair_by_rank
from lydite.assignment import assign
from lydite.cli import run
from lydite.errors import FormatError, InvalidInput
from lydite.model.span_alignment import LabelledSpan
from lydite.model.tags import ill_formed, lenient, read, scheme_of, strict
from lydite.verify import ADAPTERS
from lydite.verify.cases import find_cases, run_case

CASES = list(find_cases([Path(__file__).parents[2] / "conformance-spans"]))


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_case_agrees_in_every_leaf(folder: Path) -> None:
    outcome = run_case(folder, ADAPTERS.__getitem__)
    assert (outcome.error, outcome.differences) == (None, ())
    assert outcome.compared > 0


def test_strict_reading_takes_complete_spans_only() -> None:
    tags = ["I-A", "B-A", "I-A", "I-B", "B-A", "B-A"]
    assert [tuple(one) for one in strict(tags, "iob2")] == [(1, 3, "A"), (4, 5, "A"), (5, 6, "A")]
    assert list(ill_formed(tags, strict(tags, "iob2"))) == [0, 3]
    assert [tuple(one) for one in strict(["B-A", "I-A", "S-A", "B-A", "E-A"], "iobes")] == [
        (2, 3, "A"),
        (3, 5, "A"),
    ]
    assert scheme_of([["O", "U-A"]]) == "bilou"


LETTERS = {"iob2": "BI", "iobes": "BIES"}


@given(st.data(), st.sampled_from(sorted(LETTERS)))
def test_both_readings_of_well_formed_tags_are_the_same(data: st.DataObject, scheme: str) -> None:
    tag = st.just("O") | st.builds("{}-{}".format, st.sampled_from(LETTERS[scheme]), st.sampled_from("AB"))
    sentence = data.draw(st.lists(tag, max_size=6))
    found = read((tuple(sentence),), scheme)
    assert found.well_formed == [not list(ill_formed(sentence, found.spans[0]))]
    if all(found.well_formed):
        assert list(lenient(sentence)) == list(found.spans[0])


SPANS = st.lists(
    st.builds(
        lambda begin, size, kind: LabelledSpan(((begin, begin + size),), kind),
        st.integers(0, 8),
        st.integers(1, 3),
        st.sampled_from("AB"),
    ),
    max_size=5,
    unique=True,
).map(sorted)


@given(SPANS, SPANS)
def test_pairs_without_rivals_are_those_that_the_whole_assignment_chooses(
    gold: list[LabelledSpan], system: list[LabelledSpan]
) -> None:
    base = min(len(gold), len(system)) + 1
    candidates = list(overlapping_pairs(gold, system))
    edges = [(one.gold, one.system, base ** (2 * one.same_place + one.same_type)) for one in candidates]
    assert pair_by_rank(gold, system).pairs == [candidates[at] for at in assign(edges)]


def test_tags_that_do_not_fit_are_reported_at_their_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "loose.bio"
    path.write_text("-DOCSTART- (d1) O\n\nEU NNP B-ORG\nof NNP O\n\n\nRome\tNNP\tI-LOC \nin IN I-PER\n")
    findings = lydite.validate(path, task="spans")
    assert [(one.location and (one.location.line, one.location.column)) for one in findings] == [(7, 10)]
    assert "2 tags do not fit iob2 (I-LOC on line 7, I-PER on line 8)" in findings[0].message


def test_a_tagged_document_is_explained_over_its_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("EU B-ORG\nrejects O\n\nGerman B-MISC\ncall O\n")
    system.write_text("EU B-ORG\nrejects O\n\nGerman B-LOC\ncall I-LOC\n")
    assert run(["explain", "spans", str(gold), str(system), "--doc", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "gold               A-----",
        "        EU rejects German call",
        "system             a----------",
    ]


def test_lenient_reading_gives_every_tag_a_span() -> None:
    assert [tuple(one) for one in lenient(["I-A", "I-B", "O", "E-A", "B"])] == [
        (0, 1, "A"),
        (1, 2, "B"),
        (3, 4, "A"),
        (4, 5, "_"),
    ]


def score(gold: list[Any], system: list[Any], profile: str) -> lydite.Summary:
    return lydite.score([gold], [system], task="spans", profile=profile)


def test_pairs_do_not_depend_on_the_order_of_spans() -> None:
    gold = [(0, 9, "A")]
    for system in ([(0, 4, "B"), (5, 9, "A")], [(5, 9, "A"), (0, 4, "B")]):
        row = score(gold, system, "semeval2013")["type"].rows[0]
        assert (row.tally["correct"], row.tally["spurious"]) == (1, 1)
    nested = [(0, 4, "A"), (0, 9, "A")]
    assert score(gold, nested, "semeval2013")["strict"].rows[0].tally["correct"] == 1


def test_adjacent_spans_do_not_overlap() -> None:
    row = score([(0, 4, "A")], [(4, 6, "A")], "semeval2013")["partial"].rows[0]
    assert (row.tally["missed"], row.tally["spurious"]) == (1, 1)


def test_the_slots_of_muc_are_type_and_text() -> None:
    summary = score([(0, 4, "A"), (6, 8, "A")], [(0, 4, "B"), (6, 9, "A")], "muc")
    assert summary["muc"].micro.f1 == 0.5


def test_overlap_earns_the_dice_coefficient_within_a_type() -> None:
    summary = score([(0, 4, "A"), (6, 8, "B")], [(0, 3, "A"), (6, 8, "A")], "overlap")
    assert summary["overlap"].micro.f1 == pytest.approx(6 / 7 / 2)


def test_means_over_types_are_of_each_figure_by_itself() -> None:
    summary = score([(0, 1, "A"), (2, 3, "A"), (4, 5, "B")], [(0, 1, "A"), (4, 5, "A")], "exact")
    assert summary["types"].micro == lydite.Score(0.25, 0.25, 0.25)
    assert summary["types-weighted"].micro.recall == pytest.approx(1 / 3)


def test_sides_with_other_words_are_refused(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("EU B-ORG\nrejects O\n")
    system.write_text("EU B-ORG\nrejected O\n")
    with pytest.raises(lydite.InvalidInput, match="'rejects' in gold, 'rejected' here"):
        lydite.score(gold, system, task="spans")
    with pytest.raises(lydite.InvalidInput, match="has 2 words in gold and 1 here"):
        lydite.score([["O", "O"]], [["O"]], task="spans")
    with pytest.raises(lydite.InvalidInput, match="one side has tags of words"):
        lydite.score([["B-A"]], [[(0, 1, "A")]], task="spans")


def test_ill_formed_tags_are_refused_where_a_profile_knows_no_reading_of_them() -> None:
    with pytest.raises(lydite.InvalidInput, match="I-A at word 1"):
        score(["O", "I-A"], ["O", "O"], "exact")
    assert score(["O", "I-A"], ["O", "B-A"], "conll03").headline_score() == 1
    assert score(["O", "I-A"], ["O", "O"], "seqeval-strict")["entity"].rows[0].tally["gold_total"] == 0


def test_a_brat_folder_with_text_bounds_alone_is_scored_as_spans(tmp_path: Path) -> None:
    for side, kind in (("gold", "LOC"), ("system", "ORG")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "d.ann").write_text(f"T1\tPER 0 4\tAnna\nT2\t{kind} 10 14\tRome\n")
    summary = lydite.score(tmp_path / "gold", tmp_path / "system")
    assert (summary.task, summary.headline_score()) == ("spans", 0.5)
    as_events = lydite.score(tmp_path / "gold", tmp_path / "system", task="nugget")
    assert [one.code for one in as_events.findings].count("only-text-bounds") == 2


def test_a_folder_in_which_one_file_has_an_event_is_scored_as_events(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text("T1\tPER 0 4\tAnna\n")
    (tmp_path / "b.ann").write_text("T1\tDie 0 4\tdied\nE1\tDie:T1\n")
    assert lydite.score(tmp_path, tmp_path).task == "nugget"


def test_words_are_compared_by_their_places_whatever_tokens_are_called(tmp_path: Path) -> None:
    tagged = (
        '{{"schema":"lydite.document/1","doc_id":"d","tokens":{{{}}},"layers":{{"tags":[["B-X","O"]]}}}}\n'
    )
    for name, tokens in (
        ("gold", '"t1":"a","t2":"b"'),
        ("system", '"0":"a","1":"b"'),
        ("other", '"0":"a","1":"c"'),
    ):
        (tmp_path / f"{name}.lydite.jsonl").write_text(tagged.format(tokens), encoding="utf-8")
    gold, system, other = (str(tmp_path / f"{name}.lydite.jsonl") for name in ("gold", "system", "other"))
    assert lydite.score(gold, system, task="spans").headline_score() == 1
    with pytest.raises(InvalidInput, match="1 word differs, the first at word 1: 'b' in gold, 'c' here"):
        lydite.score(gold, other, task="spans")


@pytest.mark.parametrize("profile", ["conll03", "seqeval-strict", "exact", "muc", "semeval2013", "overlap"])
def test_spans_without_characters_are_refused_rather_than_taken_for_the_same(
    profile: str, tmp_path: Path
) -> None:
    def path(name: str, **place: object) -> Path:
        record = {"doc_id": "d1", "mentions": [{"id": "T1", "type": "PER", **place}]}
        (tmp_path / name).write_text(json.dumps(record) + "\n")
        return tmp_path / name

    for one, other in (({"tokens": ["t1"]}, {"tokens": ["t9"]}), ({"span": [[5, 5]]}, {"span": [[9, 9]]})):
        sides = path("gold.lydite.jsonl", **one), path("system.lydite.jsonl", **other)
        with pytest.raises(InvalidInput, match="covers no characters"):
            lydite.score(*sides, task="spans", profile=profile)


@pytest.mark.parametrize("profile", ["conll03", "semeval2013"])
def test_a_span_beyond_the_text_that_the_file_brings_is_refused(profile: str, tmp_path: Path) -> None:
    record = {"doc_id": "d1", "text": "Anna left", "spans": [[0, 4, "PER"], [5, 10, "ACT"]]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(InvalidInput, match="expected offsets from 0 to 9, found 5,10"):
        lydite.score(tmp_path / "gold.jsonl", tmp_path / "gold.jsonl", task="spans", profile=profile)


def test_words_that_stand_elsewhere_in_the_text_are_reported_by_validation(tmp_path: Path) -> None:
    span = {"start": 0, "end": 4, "label": "PER", "text": "Anne"}
    (tmp_path / "gold.jsonl").write_text(json.dumps({"text": "Anna left", "spans": [span]}) + "\n")
    found = lydite.validate(tmp_path / "gold.jsonl", task="spans")
    assert [(one.code, one.severity) for one in found] == [("text-mismatch", "warning")]


def test_sides_with_different_texts_are_reported(tmp_path: Path) -> None:
    for name, text in (("gold", "Anna left"), ("system", "He left")):
        record = {"doc_id": "d1", "text": text, "spans": [[0, 2, "PER"]]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    summary = lydite.score(tmp_path / "gold.jsonl", tmp_path / "system.jsonl", task="spans")
    assert [one.code for one in summary.findings] == ["texts-differ"]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ('{"text": 5, "spans": []}', "text: expected a text, found 5"),
        ('{"tokens": "a b", "tags": ["O", "O"]}', "expected a list of tokens, found 'a b'"),
        ('{"tokens": ["a", null], "tags": ["O", "O"]}', "expected a word as token 1, found None"),
        ('{"tags": ["O"], "spans": []}', "found both 'tags' and 'spans'"),
        ('{"spans": [], "entities": [[0, 1, "PER"]]}', "found both 'spans' and 'entities'"),
    ],
)
def test_a_line_that_says_something_else_than_it_should_is_refused(
    tmp_path: Path, record: str, expected: str
) -> None:
    (tmp_path / "a.jsonl").write_text(record)
    with pytest.raises(FormatError, match=expected):
        lydite.read(tmp_path / "a.jsonl", format="spans-jsonl")


def test_the_tokens_of_an_object_may_be_a_tuple() -> None:
    gold = {"d": {"tags": ["O"], "tokens": ("a",)}}
    system = {"d": {"tags": ["O"], "tokens": ("b",)}}
    with pytest.raises(InvalidInput, match="1 word differs"):
        lydite.score(gold, system, task="spans")


def test_sides_that_are_read_by_other_schemes_are_told_apart() -> None:
    # Within the scheme of gold the system closes no span.
    gold, open_span = ["B-PER", "E-PER"], ["B-PER", "I-PER"]
    summary = score(gold, open_span, "seqeval-strict")
    assert [finding.code for finding in summary.findings] == ["schemes-differ"]
    assert summary["entity"].micro.f1 == 1
    named = lydite.score([gold], [open_span], task="spans", profile="seqeval-strict", scheme="iobes")
    assert [finding.code for finding in named.findings] == ["ill-formed-tags"]
    assert named["entity"].micro.f1 == 0


def test_a_side_without_spans_has_no_scheme_that_could_differ() -> None:
    summary = score(["B-PER", "E-PER"], ["O", "O"], "seqeval-strict")
    assert not summary.findings


@pytest.mark.parametrize(("measures", "signed"), [("exact,entity", True), ("entity,exact", False)])
def test_measures_stand_in_the_signature_where_the_first_is_another_than_the_profiles(
    tmp_path: Path, measures: str, signed: bool
) -> None:
    (tmp_path / "gold.bio").write_text("John B-PER\n\n", encoding="utf-8")
    gold = str(tmp_path / "gold.bio")
    summary = lydite.score(gold, gold, task="spans", measures=measures)
    assert summary.headline["metric"] == ("span-boundaries" if signed else "span-exact")
    assert ("measures:exact" in summary.signature.split("|")) == ("measures" in summary.signature) == signed
