"""Elements of one side that are worth each other's full value, as ``lydite validate ace`` tells them."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from apf_files import document, entity, mention, write
from lydite.errors import Finding
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file

PROFILES = ("ace08-local", "ace08-local2007", "ace08-global-mentions", "ace07", "ace05", "ace05-timex")


def _mira(entity_id: str, start: int = 0, type_: str = "NAM", doc_id: str = "d", **more: str) -> str:
    names = ["Mira Valdez"] if type_ == "NAM" else []
    return entity(
        entity_id, [mention(f"{entity_id}-{doc_id}", start, "Mira Valdez", type_)], names=names, **more
    )


TOWN = entity("G", [mention("G-1", 40, "Corvale")], names=["Corvale"], type_="GPE", subtype="Nation")


def _relation(relation_id: str, *, subtype: str = "Located", second: str = "G", start: int = 0) -> str:
    extent = f'<extent><charseq START="{start}" END="{start + 20}">Mira Valdez of Corvale</charseq></extent>'
    return (
        f'<relation ID="{relation_id}" TYPE="PHYS" SUBTYPE="{subtype}">'
        f'<relation_argument REFID="E1" ROLE="Arg-1"/><relation_argument REFID="{second}" ROLE="Arg-2"/>'
        f'<relation_mention ID="{relation_id}-1">{extent}</relation_mention></relation>'
    )


def _timex(timex_id: str, more: str = "") -> str:
    return (
        f'<timex2 ID="{timex_id}" VAL="2031-05-02"{more}><timex2_mention ID="{timex_id}-1">'
        '<extent><charseq START="60" END="69">2031-05-02</charseq></extent></timex2_mention></timex2>'
    )


def _told(folder: Path, profile: str = "ace08-local", **documents: str) -> list[Finding]:
    findings, _ = validate_file(UserChoice(task="ace", profile=profile), write(folder / "run", **documents))
    return [finding for finding in findings if finding.code == "equivalent-elements"]


def _items(folder: Path, *elements: str, profile: str = "ace08-local") -> list[str | None]:
    return [finding.item for finding in _told(folder, profile, d=document("d", *elements))]


@pytest.mark.parametrize("profile", PROFILES)
def test_two_entities_with_the_same_mentions_and_attributes_are_equivalent(
    tmp_path: Path, profile: str
) -> None:
    (told,) = _told(tmp_path, profile, d=document("d", _mira("E1"), TOWN, _mira("E2")))
    assert (told.severity, told.item, told.document) == ("note", "E2", "d")
    assert told.location is not None
    assert told.location.line == 5
    assert told.message == (
        "expected different elements, found entity 'E2' in document 'd', "
        "which is worth the full value of 'E1', and the other way round"
    )


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "other",
    [
        _mira("E2", subtype="Group"),
        _mira("E2", start=1),
        _mira("E2", type_="NOM"),
        entity(
            "E2",
            [mention("E2-1", 0, "Mira Valdez"), mention("E2-2", 80, "Valdez")],
            names=["Mira Valdez"],
        ),
    ],
    ids=["another subtype", "another place", "another level", "one mention more"],
)
def test_a_pair_worth_less_than_the_full_value_of_either_element_is_not_equivalent(
    tmp_path: Path, profile: str, other: str
) -> None:
    assert _items(tmp_path, _mira("E1"), other, profile=profile) == []


def test_of_three_equivalent_elements_the_later_two_are_reported_once_each(tmp_path: Path) -> None:
    told = _told(tmp_path, d=document("d", _mira("E1"), _mira("E2"), _mira("E3")))
    assert [finding.item for finding in told] == ["E2", "E3"]
    assert all("value of 'E1'" in finding.message for finding in told)


@pytest.mark.parametrize("profile", ["ace08-local", "ace08-global", "ace08-global-mentions", "ace05"])
def test_elements_that_differ_in_a_further_document_are_not_equivalent(tmp_path: Path, profile: str) -> None:
    both = document("d", _mira("E1"), _mira("E2"))
    same = document("x", _mira("E1", doc_id="x"), _mira("E2", doc_id="x"))
    assert [one.item for one in _told(tmp_path / "same", profile, d=both, x=same)] == ["E2"]
    further = document("x", _mira("E1", doc_id="x"))
    assert _told(tmp_path / "further", profile, d=both, x=further) == []


def test_without_mentions_named_entities_with_equal_names_are_equivalent(tmp_path: Path) -> None:
    assert _items(tmp_path, _mira("E1"), _mira("E2", start=90), profile="ace08-global") == ["E2"]
    other = _mira("E2").replace('NAME="Mira Valdez"', 'NAME="Mira Valdes"')
    assert _items(tmp_path, _mira("E1"), other, profile="ace08-global") == []


def test_times_are_equivalent_only_if_neither_says_more(tmp_path: Path) -> None:
    assert _items(tmp_path, _timex("T1"), _timex("T2")) == ["T2"]
    assert _items(tmp_path, _timex("T1"), _timex("T2", ' MOD="START"'), profile="ace08-local") == []


@pytest.mark.parametrize("profile", PROFILES)
def test_relations_with_the_same_arguments_at_the_same_place_are_equivalent(
    tmp_path: Path, profile: str
) -> None:
    sides = _mira("E1"), TOWN
    assert _items(tmp_path, *sides, _relation("R1"), _relation("R2"), profile=profile) == ["R2"]
    for other in (_relation("R2", subtype="Near"), _relation("R2", start=5)):
        assert _items(tmp_path, *sides, _relation("R1"), other, profile=profile) == []


def test_equivalent_elements_of_a_file_with_errors_are_not_reported(tmp_path: Path) -> None:
    assert _items(tmp_path, _mira("E1"), _mira("E2"), _relation("R", second="nobody")) == []


def test_equivalent_elements_change_neither_validity_nor_the_score(tmp_path: Path) -> None:
    path = write(tmp_path / "run", d=document("d", _mira("E1"), _mira("E2")))
    assert [finding.severity for finding in lydite.validate(path, task="ace")].count("error") == 0
    summary = lydite.score(path, path, task="ace")
    assert "equivalent-elements" not in {finding.code for finding in summary.findings}
