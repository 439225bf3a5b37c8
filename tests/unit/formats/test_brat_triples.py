"""brat standoff as triples (spec: T unary, R binary, E one triple per argument)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.errors import FormatError, UsageError
from lydite.model import Document

ANNOTATION = (
    "T1\tPerson 0 4\tAnna\n"
    "T2\tAttack 5 9\tshot\n"
    "T3\tPerson 10 18\tBen Vane\n"
    "T4\tPlace 22 26\tOslo\n"
    "E1\tAttack:T2 Agent:T1 Target:T3\n"
)
TEXT = "Anna shot Ben Vane in Oslo.\n"
NAF = """<NAF><text>
<wf id="w1" offset="0" length="4">Anna</wf><wf id="w2" offset="5" length="4">shot</wf>
<wf id="w3" offset="10" length="3">Ben</wf><wf id="w4" offset="14" length="4">Vane</wf>
</text></NAF>
"""


def document_of(folder: Path, annotation: str, beside: str | None = TEXT, **settings: object) -> Document:
    (folder / "d1.ann").write_text(annotation, encoding="utf-8")
    if beside is not None:
        (folder / "d1.txt").write_text(beside, encoding="utf-8")
    corpus = lydite.convert(folder / "d1.ann", task="triples", format="brat", **settings)
    return corpus.documents["d1.ann"]


def said(document: Document) -> list[tuple[str, str, Sequence[str], Sequence[str]]]:
    return [(one.id, one.relation, one.first.ids, one.second.ids) for one in document.layers["triples"]]


def characters(*ranges: tuple[int, int]) -> tuple[str, ...]:
    return tuple(f"c{at}" for begin, end in ranges for at in range(begin, end))


def test_a_text_bound_annotation_is_a_unary_triple_of_its_characters_without_white_space(
    tmp_path: Path,
) -> None:
    found = said(document_of(tmp_path, "T3\tPerson 10 18\tBen Vane\n"))
    assert found == [("T3", "Person", characters((10, 13), (14, 18)), ())]


@pytest.mark.parametrize(
    ("words", "ids"),
    [("Ben Vane", characters((10, 13), (14, 18))), ("Ben", characters((10, 18)))],
    ids=["of the same length", "of another length"],
)
def test_without_a_text_the_words_of_the_annotation_say_where_white_space_is(
    tmp_path: Path, words: str, ids: tuple[str, ...]
) -> None:
    ((_, _, first, _),) = said(document_of(tmp_path, f"T3\tPerson 10 18\t{words}\n", None))
    assert first == ids


@pytest.mark.parametrize("text", [TEXT, None])
def test_the_parts_of_a_discontinuous_annotation_are_one_element(tmp_path: Path, text: str | None) -> None:
    ((_, _, first, _),) = said(document_of(tmp_path, "T1\tPerson 0 4;14 18\tAnna Vane\n", text))
    assert first == characters((0, 4), (14, 18))


def test_an_event_is_one_triple_for_each_argument_from_its_trigger(tmp_path: Path) -> None:
    found = said(document_of(tmp_path, ANNOTATION))
    trigger = characters((5, 9))
    assert [one for one in found if one[0] == "E1"] == [
        ("E1", "Agent", trigger, characters((0, 4))),
        ("E1", "Target", trigger, characters((10, 13), (14, 18))),
    ]


def test_the_number_of_a_further_filler_is_not_part_of_the_role(tmp_path: Path) -> None:
    found = said(document_of(tmp_path, ANNOTATION.replace("Target:T3", "Target:T3 Target2:T4")))
    assert [relation for name, relation, _, _ in found if name == "E1"] == ["Agent", "Target", "Target"]


def test_an_argument_that_is_an_event_stands_for_its_trigger(tmp_path: Path) -> None:
    found = said(document_of(tmp_path, ANNOTATION + "R1\tBefore Arg1:E1 Arg2:T4\n"))
    assert ("R1", "Before", characters((5, 9)), characters((22, 26))) in found


def test_elements_have_the_type_of_the_annotation_for_label_and_its_words_for_comment(tmp_path: Path) -> None:
    triples = document_of(tmp_path, ANNOTATION).layers["triples"]
    (agent,) = (one for one in triples if one.relation == "Agent")
    assert agent.first[1:] == ("Attack", "shot")
    assert agent.second[1:] == ("Person", "Anna")


def test_tokens_that_share_a_character_are_the_ids_where_a_text_has_them(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "d1.naf").write_text(NAF, encoding="utf-8")
    for place in (texts / "d1.naf", texts):  # the file, and a folder with one for each document
        found = said(document_of(tmp_path, ANNOTATION, None, text=str(place)))
        assert ("E1", "Target", ("w2",), ("w3", "w4")) in found
        assert ("T4", "Place", (), ()) in found


def test_tokens_that_lie_over_each_other_all_share_the_character(tmp_path: Path) -> None:
    places = {"w1": (0, 27), "w2": (5, 4), "w3": (5, 13), "w4": (9, 1)}
    tokens = (f'<wf id="{name}" offset="{at}" length="{size}"/>' for name, (at, size) in places.items())
    naf = tmp_path / "all.naf"
    naf.write_text(f"<NAF><text>{''.join(tokens)}</text></NAF>", encoding="utf-8")
    found = said(document_of(tmp_path, ANNOTATION, text=str(naf)))
    assert [(name, ids) for name, _, ids, _ in found[:3]] == [
        ("T1", ("w1",)),
        ("T2", ("w1", "w2", "w3")),
        ("T3", ("w1", "w3")),
    ]


def test_a_text_whose_tokens_have_no_place_is_refused(tmp_path: Path) -> None:
    naf = tmp_path / "d1.naf"
    naf.write_text("<NAF><text><wf id='w1'>Anna</wf></text></NAF>", encoding="utf-8")
    with pytest.raises(UsageError, match=r"expected tokens \(wf\) with id, offset and length, found none"):
        document_of(tmp_path, ANNOTATION, text=str(naf))


def test_an_id_without_annotation_is_left_out_and_reported(tmp_path: Path) -> None:
    document = document_of(tmp_path, ANNOTATION + "R1\tNear Arg1:T9 Arg2:T4\n")
    assert not [one for one in said(document) if one[0] == "R1"]
    assert [(one.code, one.message) for one in document.findings] == [
        ("unknown-annotation", "1 left out: triples of what the file does not hold (R1)")
    ]


def test_a_span_of_a_million_millions_is_refused_and_not_written_out(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="at most 1048576 characters"):
        document_of(tmp_path, "T1\tPerson 0 1000000000000\tAnna\n")


def test_triples_of_brat_are_written_and_scored_as_such(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document_of(tmp_path, ANNOTATION)
    paths = str(tmp_path / "d1.ann"), str(tmp_path / "d1.trp")
    assert run(["convert", *paths]) == 2
    assert "name the task that makes triples of it: lydite convert TASK IN OUT" in capfd.readouterr().err
    assert run(["convert", "triples", *paths, "--quiet"]) == 0
    assert lydite.score(*paths, task="triples")["partial_same"].micro.f1 == 1
