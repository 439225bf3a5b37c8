"""Agreement of annotators of events and of clusters: kappa beside the scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError

LINE = "x\td1\t{id}\t{begin},{end}\tw\t{type}\t{realis}\n"


def write_tbf(path: Path, mentions: list[tuple[int, str, str]]) -> str:
    lines = [
        LINE.format(id=f"E{n}", begin=begin, end=begin + 3, type=kind, realis=realis)
        for n, (begin, kind, realis) in enumerate(mentions)
    ]
    path.write_text("#BeginOfDocument d1\n" + "".join(lines) + "#EndOfDocument\n", encoding="utf-8")
    return str(path)


def test_kappa_of_attributes_looks_at_paired_mentions_alone(tmp_path: Path) -> None:
    kinds = ["Life_Die", "Life_Die", "Life_Injure", "Life_Injure"]
    others = ["Life_Die", "Life_Injure", "Life_Injure", "life.injure"]
    first = write_tbf(tmp_path / "a.tbf", [(10 * n, kind, "Actual") for n, kind in enumerate(kinds)])
    second = write_tbf(
        tmp_path / "b.tbf", [(10 * n, kind, "Actual") for n, kind in enumerate(others)] + [(90, "X", "Other")]
    )
    (pair,) = lydite.agree(first, second, task="nugget").pairs
    # po = 3/4, pe = (2·1 + 2·3)/16 = 1/2
    assert pair.kappa["type"] == pytest.approx(0.5)
    assert pair.kappa["realis"] is None


def test_an_attribute_that_one_annotator_does_not_have_has_no_kappa(tmp_path: Path) -> None:
    first, second = (write_tbf(tmp_path / f"{name}.tbf", [(0, "Life_Die", "Actual")]) for name in "ab")
    third = tmp_path / "c"
    third.mkdir()
    (third / "d1.txt").write_text("www")
    (third / "d1.ann").write_text("T1\tLife_Die 0 3\twww\nE1\tLife_Die:T1\n")
    pairs = lydite.agree(first, second, third, task="nugget", profile="exact").pairs
    assert [[*pair.kappa] for pair in pairs] == [["type", "realis"], ["type"], ["type"]]


def test_kappa_of_links_looks_at_pairs_of_common_mentions(tmp_path: Path) -> None:
    paths = []
    for name, clusters in (
        ("a", [[[0, 0], [1, 1], [2, 2]], [[3, 3]], [[9, 9]]]),
        ("b", [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[8, 8]]]),
    ):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}), encoding="utf-8")
        paths.append(str(path))
    (pair,) = lydite.agree(*paths, task="coref").pairs
    assert pair.contingency["link"] == {
        "linked": {"linked": 1, "apart": 2},
        "apart": {"linked": 1, "apart": 2},
    }
    assert pair.kappa["link"] == pytest.approx(0.0)


ENTITY = """<entity ID="{doc}-E{n}" TYPE="{type}" SUBTYPE="{subtype}" CLASS="{class_}">
<entity_mention ID="{doc}-E{n}-1" TYPE="{level}">
<extent><charseq START="{begin}" END="{end}">{word}</charseq></extent>
<head><charseq START="{begin}" END="{end}">{word}</charseq></head>
</entity_mention></entity>"""
SUBTYPES = {"PER": "Individual", "ORG": "Government", "GPE": "Nation"}


def write_apf(folder: Path, entities: list[tuple[int, str, str, str]]) -> str:
    """A document of entities of one mention: (begin, type, class, type of the mention)."""
    folder.mkdir()
    said = "".join(
        ENTITY.format(
            doc="d",
            n=number,
            type=kind,
            subtype=SUBTYPES[kind],
            class_=class_,
            level=level,
            begin=begin,
            end=begin + 3,
            word="Hest",
        )
        for number, (begin, kind, class_, level) in enumerate(entities, 1)
    )
    (folder / "d.apf.xml").write_text(
        f'<source_file URI="d" SOURCE="newswire" TYPE="text"><document DOCID="d">{said}</document></source_file>',
        encoding="utf-8",
    )
    return str(folder)


def test_kappa_of_ace_looks_at_mentions_of_one_place_and_not_at_the_mapping(tmp_path: Path) -> None:
    first = write_apf(
        tmp_path / "a",
        [
            (0, "PER", "SPC", "NAM"),
            (10, "PER", "SPC", "NOM"),
            (20, "ORG", "SPC", "NAM"),
            (30, "ORG", "GEN", "NAM"),
        ],
    )
    second = write_apf(
        tmp_path / "b",
        [
            (0, "PER", "SPC", "NAM"),
            (10, "ORG", "SPC", "NOM"),
            (20, "ORG", "SPC", "NAM"),
            (30, "ORG", "SPC", "NOM"),
            (90, "GPE", "SPC", "NAM"),
        ],
    )
    (pair,) = lydite.agree(first, second, task="ace").pairs
    assert pair.contingency["entity type"] == {"PER": {"PER": 1, "ORG": 1}, "ORG": {"ORG": 2}}
    # po = 3/4, pe = (2·1 + 2·3)/16 = 1/2
    assert pair.kappa["entity type"] == pytest.approx(0.5)
    # po = 3/4, pe = (3·2 + 1·2)/16 = 1/2
    assert pair.kappa["mention type"] == pytest.approx(0.5)
    # po = 3/4 = pe: no better than chance
    assert pair.kappa["entity class"] == pytest.approx(0.0)


def test_mentions_of_ace_are_paired_once_and_by_the_larger_overlap(tmp_path: Path) -> None:
    first = write_apf(tmp_path / "a", [(0, "PER", "SPC", "NAM")])
    second = write_apf(tmp_path / "b", [(1, "PER", "SPC", "NAM"), (0, "GPE", "SPC", "NAM")])
    (pair,) = lydite.agree(first, second, task="ace").pairs
    assert pair.contingency["entity type"] == {"PER": {"GPE": 1}}


def write_events(path: Path, events: list[tuple[int, str, str, dict[int, list[str]]]]) -> str:
    """Events as (begin of the trigger, type, realis, begin of an argument → its roles)."""
    lines = [
        {
            "type": kind,
            "trigger": [begin, begin + 3],
            "realis": realis,
            "arguments": [
                {"role": role, "span": [place, place + 2]} for place, roles in found.items() for role in roles
            ],
        }
        for begin, kind, realis, found in events
    ]
    path.write_text(json.dumps({"doc_id": "d", "events": lines}) + "\n", encoding="utf-8")
    return str(path)


def test_kappa_of_arguments_looks_at_equal_triggers_and_at_equal_spans(tmp_path: Path) -> None:
    first = write_events(
        tmp_path / "a.jsonl",
        [
            (0, "Attack", "Actual", {50: ["Place"], 60: ["Target"], 70: ["Agent", "Place"]}),
            (10, "Die", "Other", {80: ["Victim"]}),
            (20, "Die", "Actual", {}),
        ],
    )
    second = write_events(
        tmp_path / "b.jsonl",
        [
            (0, "Attack", "Actual", {50: ["Place"], 60: ["Place"], 70: ["Agent"]}),
            (10, "Attack", "Actual", {80: ["Victim"]}),
            (20, "Die", "Actual", {}),
            (30, "Die", "Actual", {}),
        ],
    )
    (pair,) = lydite.agree(first, second, task="arguments").pairs
    assert pair.contingency["type"] == {"Attack": {"Attack": 1}, "Die": {"Attack": 1, "Die": 1}}
    assert pair.contingency["realis"] == {"Actual": {"Actual": 2}, "Other": {"Actual": 1}}
    # Two roles at 70 are no single one; the victim belongs to events of two types.
    assert pair.contingency["role"] == {"Place": {"Place": 1}, "Target": {"Place": 1}}
    # po = 2/3, pe = (1·2 + 2·1)/9 = 4/9
    assert pair.kappa["type"] == pytest.approx(0.4)
    assert pair.kappa["realis"] == pytest.approx(0.0)
    assert pair.kappa["role"] == pytest.approx(0.0)


def test_realis_has_no_kappa_where_nobody_says_any(tmp_path: Path) -> None:
    paths = [write_events(tmp_path / f"{name}.jsonl", [(0, "Attack", "", {})]) for name in "ab"]
    (pair,) = lydite.agree(*paths, task="arguments").pairs
    assert set(pair.kappa) == {"type", "role"}


def test_two_stores_of_answers_are_no_two_annotators() -> None:
    systems = [f"examples/arguments/systems/{name}" for name in ("alder", "birch")]
    with pytest.raises(UsageError, match="two annotators give no such pair"):
        lydite.agree(*systems, task="arguments")
