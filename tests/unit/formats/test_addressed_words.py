"""The words of coreference sets in XML, from the KAF and NAF files that their addresses name."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError
from lydite.formats.addressed_words import read_addressed_words
from lydite.model.word_text import AddressedWords
from lydite.report.page.sides import page_side, text_of

FIRST = """<NAF><text><wf id="w1">Prices</wf><wf id="w2">rose</wf><wf id="w3">in</wf><wf id="w4">New</wf><wf id="w5">York</wf></text>
<terms><term id="t1"><span><target id="w1"/></span></term>
<term id="t5"><span><target id="w4"/><target id="w5"/></span></term></terms></NAF>"""
SECOND = """<KAF><text><wf wid="w1">They</wf><wf wid="w2">fell</wf></text>
<terms><term tid="t1"><span><target id="w1"/></span></term></terms></KAF>"""
SETS = """<coreferences xmlns:n="http://example.org/n"><coref cid="n:1_1"><target id="n:1/first.naf#t1"/>
<target id="n:2/second#w1"/></coref><coref cid="n:1_2"><target id="n:1/first.naf#t5"/></coref></coreferences>"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for name, text in (("1/first.naf", FIRST), ("2/second.kaf", SECOND), ("2/notes.txt", "no words")):
        path = tmp_path / "texts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(tmp_path / "texts")


def words(folder: str, unit: str = "corpus", kind: str = "corpus") -> AddressedWords:
    return read_addressed_words(folder, unit, kind, r"^([^/]*)/")


def at(found: AddressedWords, mention: object) -> list[str]:
    return [found.words[place] for place in found.places_of(mention)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("1/first.naf#t5", ["New", "York"]),
        ("1/first.naf#w2", ["rose"]),
        ("n:1/first.naf#t1", ["Prices"]),
        ("1/first#t1", ["Prices"]),
        ("first.naf#t1", ["Prices"]),
        ("second#t1", ["They"]),
        (("1/first.naf#w1", "1/first.naf#w2"), ["Prices", "rose"]),
        ("1/first.naf#t9", []),
        ("1/third.naf#t1", []),
        ("#t1", []),
        ((3, 5), []),
    ],
)
def test_an_address_leads_to_the_words_of_a_term_or_token(
    folder: str, mention: object, expected: list[str]
) -> None:
    assert at(words(folder), mention) == expected


def test_a_name_that_several_files_have_is_the_name_of_none(folder: str) -> None:
    Path(folder, "2", "first.naf").write_text(SECOND, encoding="utf-8")
    found = words(folder)
    assert at(found, "first.naf#t1") == []
    assert at(found, "2/first.naf#t1") == ["They"]


def test_a_unit_has_the_words_of_its_documents(folder: str) -> None:
    assert words(folder).text == "Prices rose in New York They fell"
    assert words(folder, "2", "topic").text == "They fell"
    assert words(folder, "2/second", "document").text == "They fell"
    assert words(folder, "2/missing", "document").text == ""


def test_files_outside_of_topic_folders_may_belong_to_any_topic(tmp_path: Path) -> None:
    (tmp_path / "first.naf").write_text(FIRST, encoding="utf-8")
    assert at(words(str(tmp_path), "1", "topic"), "1/first.naf#t1") == ["Prices"]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        words(str(tmp_path / "none"))


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    path = tmp_path / "gold.xml"
    path.write_text(SETS, encoding="utf-8")
    return path


def test_verdicts_have_the_words_of_mentions(folder: str, sets: Path) -> None:
    explanation = lydite.explain(sets, sets, task="coref", documents=folder)
    texts = {one.id: one.text for one in explanation.verdicts}
    assert texts == {"n:1/first.naf#t1": "Prices", "n:2/second#w1": "They", "n:1/first.naf#t5": "New York"}


def test_the_page_shows_the_words_of_mentions(folder: str, sets: Path) -> None:
    document = lydite.read(sets, documents=folder, unit="corpus").documents["corpus"]
    assert text_of(document) == "Prices rose in New York They fell"
    assert [(one.text, one.ranges) for one in page_side(document).items] == [
        ("Prices", ((0, 6),)),
        ("They", ((24, 28),)),
        ("New York", ((15, 23),)),
    ]


def test_the_context_of_a_sheet_shows_the_words_of_mentions(folder: str, sets: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.xml"
    other.write_text(SETS.replace('<target id="n:1/first.naf#t5"/>', ""), encoding="utf-8")
    (item,) = lydite.adjudicate(sets, other, task="coref", documents=folder).differences()
    assert item.context == "Prices rose in [New York] They fell"


def test_words_change_neither_figures_nor_the_signature(folder: str, sets: Path) -> None:
    plain, with_words = (
        lydite.score(sets, sets, task="coref", **more) for more in ({}, {"documents": folder})
    )
    assert with_words.signature == plain.signature


def test_mentions_without_words_are_counted(folder: str, sets: Path) -> None:
    sets.write_text(SETS.replace("#t5", "#t99"), encoding="utf-8")
    findings = lydite.score(sets, sets, task="coref", documents=folder).findings
    (message,) = (one.message for one in findings if one.code == "unknown-token")
    assert message.startswith("1 of 3 mentions has no words")
