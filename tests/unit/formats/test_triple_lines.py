from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import FormatError
from lydite.formats.triples import TRIPLES
from lydite.model.triple import Element, Triple

LINES = """{"doc": "d1", "relation": "agent", "first": {"ids": ["w2", "w2"]}, "second": {"ids": ["w1"], "label": "x"}}

{"doc": "d2", "relation": "PER", "first": {"ids": ["w7"], "comment": "é"}, "profile_confidence": 0.5, "layer": "ne"}
"""


def test_json_lines_hold_many_documents_and_are_written_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINES, encoding="utf-8")
    corpus = lydite.read(path)
    assert [document.layers[TRIPLES] for document in corpus.documents.values()] == [
        (Triple("agent", Element(("w2",)), Element(("w1",), "x")),),
        (Triple("PER", Element(("w7",), "", "é"), profile_confidence=0.5, layer="ne"),),
    ]
    writer = lydite.FORMATS["triples-jsonl"].write
    assert writer is not None
    path.write_bytes(writer(corpus))
    again = lydite.read(path)
    assert [document.layers for document in again.documents.values()] == [
        document.layers for document in corpus.documents.values()
    ]


def test_json_lines_without_documents_pair_with_any_single_file(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.trp"
    gold.write_text('{"relation": "r", "first": {"ids": ["w1"]}}\n')
    system.write_text(
        '<t><triple relation="r"><elementFirstIds><elementFirst id="w1"/></elementFirstIds></triple></t>'
    )
    assert lydite.score(gold, system).headline_score() == 1.0


@pytest.mark.parametrize(
    "line", ["nothing", "[]", '{"first": 1}', '{"relation": 3}', '{"profile_confidence": "x"}']
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"relation": "r", "first": {{}}}}\n{line}\n{line}\n')
    with pytest.raises(FormatError) as caught:
        lydite.read(path)
    assert [finding.location and finding.location.line for finding in caught.value.findings] == [2, 3]


def test_plain_triples_compare_strings_with_single_spaces(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("Marie  Curie\tborn in\t Warsaw\r\n\nRain\tfalls\t\n")
    (document,) = lydite.read(path, format="triples-tsv").documents.values()
    assert [(found.first.ids, found.relation, found.second.ids) for found in document.layers[TRIPLES]] == [
        (("Marie Curie",), "born in", ("Warsaw",)),
        (("Rain",), "falls", ()),
    ]


def test_plain_triples_have_three_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\tc\na\tb\n")
    with pytest.raises(FormatError, match="wrong-column-count"):
        list(lydite.read(path, format="triples-tsv").documents.values())
