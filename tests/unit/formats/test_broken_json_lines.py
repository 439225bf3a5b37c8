"""Lines that are no JSON: every format of JSON lines names the line and the column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import lydite
from lydite.errors import Finding, FormatError

SOUND = {
    "spans-jsonl": '{"doc_id": "a", "spans": []}',
    "coref-jsonl": '{"doc_key": "a", "sentences": [["x"]], "clusters": []}',
    "triples-jsonl": '{"doc": "a", "relation": "r", "first": {"ids": ["w1"]}, "second": {"ids": ["w2"]}}',
    "events": '{"doc_id": "a", "events": []}',
    "dygie": '{"doc_key": "a", "sentences": [["x"]], "events": [[]]}',
    "lydite": '{"doc_id": "a", "mentions": []}',
}


def _findings(path: Path, format_: str) -> Sequence[Finding]:
    try:
        corpus = lydite.read(path, format=format_)
        return [
            *corpus.findings,
            *(one for document in corpus.documents.values() for one in document.findings),
        ]
    except FormatError as refused:
        return refused.findings


@pytest.mark.parametrize("format_", SOUND)
def test_the_line_and_the_column_where_json_breaks_are_reported(tmp_path: Path, format_: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(SOUND[format_] + '\n{"doc_id" "b"}\n')
    (found,) = _findings(path, format_)
    assert found.location is not None
    assert (found.location.line, found.location.column) == (2, 11)
    assert "line 1" not in found.message


def test_a_span_without_a_label_is_reported_with_the_keys_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": "a", "spans": [{"start": 0, "end": 3, "lable": "ORG"}]}\n')
    with pytest.raises(
        FormatError, match=r"spans\[0\]: expected a key 'label' or 'type', found start, end, lable"
    ):
        lydite.read(path, format="spans-jsonl")
