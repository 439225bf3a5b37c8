"""A JSON array is read where JSON lines are: every element is a record with a place of its own."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from lydite.errors import FormatError
from lydite.facade.library import read, score
from lydite.formats.json_lines import first_line, first_records
from lydite.formats.json_records import keys_of_first_record

RECORDS = [
    {"doc_id": "d", "sent_id": "d-0", "tokens": ["a", 'b"]'], "event_mentions": []},
    {
        "doc_id": "d",
        "sent_id": "d-1",
        "tokens": ["{", "c"],
        "event_mentions": [{"event_type": "T", "trigger": {"start": 1, "end": 2}}],
    },
]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\n \n"])
def test_an_array_is_read_as_its_lines_are(tmp_path: Path, indent: int | None, mark: str) -> None:
    lines, array = tmp_path / "lines.jsonl", tmp_path / "array.json"
    lines.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    array.write_text(mark + json.dumps(RECORDS, indent=indent), encoding="utf-8")
    found = score(lines, array)
    assert found.task == "arguments"
    assert [row.score.f1 for row in found.corpus_rows() if row.measurement == "tc"] == [1]
    assert found.findings == ()


def test_an_element_has_its_line(tmp_path: Path) -> None:
    array = tmp_path / "array.json"
    array.write_text(
        json.dumps([*RECORDS, RECORDS[1]], indent=0).replace("},\n{", "},\n\n{"), encoding="utf-8"
    )
    with pytest.raises(FormatError) as refused:
        read(array)
    (finding,) = refused.value.findings
    assert finding.code == "repeated-window"
    line = array.read_text(encoding="utf-8").splitlines()
    assert finding.location is not None
    assert finding.location.line is not None
    assert line[finding.location.line - 1] == "{"


ONE = json.dumps(RECORDS[0])


@pytest.mark.parametrize(
    "broken",
    [
        f"[{ONE}",
        f"[{ONE},",
        f"[{ONE}, {ONE[:-5]}",
        f"[{ONE} {ONE.replace('d-0', 'd-1')}]",
        f"[,{ONE}]",
        f"[{ONE},]",
        f"[1, {ONE}]",
        f"[{ONE}, 1]",
        f"[{ONE}] x",
        f"[{ONE}] {ONE.replace('d-0', 'd-1')}",
        f"[{ONE}, []]",
        f"[{ONE}, null]",
        "[]",
    ],
)
def test_an_array_that_is_no_list_of_objects_is_refused(tmp_path: Path, broken: str) -> None:
    array = tmp_path / "array.json"
    array.write_text(broken, encoding="utf-8")
    with pytest.raises(FormatError):
        read(array, format="oneie")


def test_the_first_bytes_of_an_array_show_its_first_element() -> None:
    assert first_line(b' [ {"a": 1}, {"b": 2}]') == b'{"a": 1}'
    assert list(first_records(b'[{"a": 1}, {"b": [')) == [b'{"a": 1}', b'{"b": [']


@pytest.mark.parametrize(
    "unclosed", [b'{"' + b'\\"' * 30_000, b'[{"' + b'\\"' * 30_000, b'"' * 60_000, b"[" * 60_000]
)
def test_texts_and_brackets_that_are_not_closed_cost_linear_time(unclosed: bytes) -> None:
    start = perf_counter()
    keys_of_first_record(unclosed)
    list(first_records(unclosed))
    assert perf_counter() - start < 1
