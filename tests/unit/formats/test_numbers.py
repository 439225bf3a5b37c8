"""Numbers in input are ASCII digits, and not more of them than a text has characters; anything else is a finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from format_samples import FILE_SETTINGS, FILES
from lydite.errors import FormatError
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file
from lydite.formats import FORMATS
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.triples import parse_number
from lydite.numerals import TOO_LARGE, decimal_of, is_natural, is_whole

PLACES = {
    "tbf": (b"41,44", b"41,%b"),
    "brat": (b"7 14", b"7 %b"),
    "apf": (b'START="0" END="9"', b'START="0" END="%b"'),
    "ere": (b'offset="29" length="6"', b'offset="29" length="%b"'),
    "lydite": (b"[[7,14]]", b"[[7,%b]]"),
    "oneie": (b'"triggers": [[1, 2,', b'"triggers": [[1, %b,'),
    "textee": (b'"start": 0, "end": 1', b'"start": 0, "end": %b'),
    "dygie": (b"[0, 0,", b"[0, %b,"),
    "maven": (b'"y", "offset": [2, 3]', b'"y", "offset": [2, %b]'),
    "coref-jsonl": (b"[4, 5]", b"[4, %b]"),
    "events": (b'"trigger": [1, 2]', b'"trigger": [1, %b]'),
    "spans-jsonl": (b'"end": 3', b'"end": %b'),
}
"""Of each format with offsets one of them, and where another number is put instead."""


def faults(folder: Path, name: str, content: bytes) -> set[str]:
    path = folder / f"d{FORMATS[name].extensions[0]}"
    path.write_bytes(content)
    choice = UserChoice(task=FORMATS[name].tasks[0], format=name, options=FILE_SETTINGS.get(name, {}))
    try:
        findings, _ = validate_file(choice, str(path))
    except FormatError as refused:
        findings = refused.findings
    return {finding.message for finding in findings if finding.severity != "note"}


@pytest.mark.parametrize("number", ["9" * 19, "9" * 400, "1_0", "٣٣", "3.0"])
@pytest.mark.parametrize("name", PLACES)
def test_an_offset_that_is_not_a_number_is_a_finding_in_every_format(
    tmp_path: Path, name: str, number: str
) -> None:
    old, new = PLACES[name]
    assert old in FILES[name]
    before = faults(tmp_path, name, FILES[name])
    content = FILES[name].replace(old, new % number.encode(), 1)
    assert faults(tmp_path, name, content) - before


@pytest.mark.parametrize("text", ["1_000", "٣", "nan", "inf", "1e999", "", "+-3", "0x10", "1 2", "9" * 5000])
def test_python_takes_more_for_a_number_than_a_format_means(text: str) -> None:
    assert not is_natural(text)
    assert decimal_of(text) is None
    assert parse_number(text) is None


def test_a_number_keeps_its_kind() -> None:
    assert (parse_number(" 30 "), parse_number("-3"), parse_number("+3"), parse_number("0.5")) == (
        30,
        -3,
        3,
        0.5,
    )
    assert [type(parse_number(text)) for text in ("30", "30.0", "1e2", "9" * 18, "9" * 19)] == [
        int,
        float,
        float,
        int,
        float,
    ]


@pytest.mark.parametrize("value", [True, 1.0, "1", None, TOO_LARGE, -TOO_LARGE])
def test_what_looks_like_a_whole_number_may_be_none(value: object) -> None:
    assert not is_whole(value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1, "b": {"c": [], "c": [1]}}', "the key 'c' twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ("[1e999]", "too large"),
        ("[" * 100_000, "nested too deeply"),
        (f"[{'9' * 5000}]", "digits"),
        ("{", "column 2"),
    ],
)
def test_what_is_no_json_is_reported(text: str, found: str) -> None:
    with pytest.raises(NotJSONError, match=found):
        json_value(text)


def test_json_is_read_as_the_standard_library_reads_it() -> None:
    text = '\ufeff{"a": [1, -2.5, 1e3, "\\ud83d\\ude00 \\ud800", true, null, {"": {}}]}'
    assert json_value(text.encode()) == json_value(text) == json.loads(text[1:])


@pytest.mark.parametrize("name", [name for name in FORMATS if ".jsonl" in FORMATS[name].extensions])
def test_a_repeated_key_loses_nothing_silently(tmp_path: Path, name: str) -> None:
    key = {
        "triples-jsonl": "first",
        "lydite": "mentions",
        "coref-jsonl": "clusters",
        "spans-jsonl": "spans",
        "entities": "entities",
        "relations": "relations",
        "grit": "extracts",
        "gtt": "templates",
        "records-jsonl": "record",
    }
    key |= {"spert": "entities", "docred": "labels", "rams": "gold_evt_links", "gen-arg": "predicted"}
    key |= {"maven-ere": "coreference", "maven-arg": "preds"}
    wanted = f'"{key.get(name, "events")}"'.encode()
    lines = [line for line in FILES[name].splitlines() if wanted in line] or FILES[name].splitlines()
    content = lines[0].rstrip()[:-1] + b", " + (wanted if wanted in lines[0] else b'"tokens"') + b": []}\n"
    assert faults(tmp_path, name, content)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ('"mentions": [{"id": "E1", "span": [[0, 5]], "span": [[7, 9]], "text": ""}, {"id": "E2"}]', "span"),
        ('"mentions": [{"id": "E1"}], "doc_id": "d2"', "doc_id"),
        ('"mentions": [], "tokens": {"t1": "a", "t1": "b"}', "t1"),
        ('"layers": {"clusters": [{"id": "1", "members": [[0, 3]]}], "clusters": []}', "clusters"),
        ('"layers": {"events": [{"type": "a", "trigger": [[0, 3]], "trigger": [[5, 6]]}]}', "trigger"),
    ],
)
def test_no_key_of_the_lydite_format_is_repeated_at_any_depth(tmp_path: Path, content: str, key: str) -> None:
    line = f'{{"schema": "lydite.document/1", "doc_id": "d1", {content}}}\n'
    (fault,) = faults(tmp_path, "lydite", line.encode())
    assert f"the key {key!r} twice" in str(fault)
