from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import FormatError
from lydite.formats.triples import TRIPLES
from lydite.model.triple import Triple, TripleElement

LINES = """{"doc": "d1", "relation": "agent", "first": {"ids": ["w2", "w2"]}, "second": {"ids": ["w1"], "label": "x"}}

{"doc": "d2", "relation": "PER", "first": {"ids": ["w7"], "comment": "é"}, "profile_confidence": 0.5, "layer": "ne"}
"""


def test_json_lines_hold_many_documents_and_are_written_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINES, encoding="utf-8")
    corpus = lydite.read(path)
    assert [document.layers[TRIPLES] for document in corpus.documents.values()] == [
        (Triple("agent", TripleElement(("w2",)), TripleElement(("w1",), "x")),),
        (Triple("PER", TripleElement(("w7",), "", "é"), profile_confidence=0.5, layer="ne"),),
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
    "line",
    [
        "nothing",
        "[]",
        '{"first": 1}',
        '{"first": []}',
        '{"second": ""}',
        '{"relation": 3}',
        '{"profile_confidence": "x"}',
    ],
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


def test_a_document_may_have_a_slash_in_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc": "a/1", "relation": "r", "first": {"ids": ["w1"]}}\n')
    (document,) = lydite.read(path).documents.values()
    assert document.doc_id == "a/1"


def test_folders_of_two_formats_belong_together_by_names_without_extensions(tmp_path: Path) -> None:
    lines = tmp_path / "gold.jsonl"
    lines.write_text(
        "".join(f'{{"doc": "{n}", "relation": "r", "first": {{"ids": ["w1"]}}}}\n' for n in "ab")
    )
    folder = tmp_path / "system"
    folder.mkdir()
    triple = '<triple relation="r"><elementFirstIds><elementFirst id="w1"/></elementFirstIds></triple>'
    for name in "ab":
        (folder / f"{name}.trp").write_text(f"<triples>{triple}</triples>")
    assert lydite.score(lines, folder, task="triples")["exact_same"].micro.f1 == 1.0


def test_the_extension_tsv_means_plain_triples_where_the_task_is_named(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.trp"
    gold.write_text("w1\tr\tw2\n")
    system.write_text(
        '<triples><triple relation="r"><elementFirst id="w1"/><elementSecond id="w2"/></triple></triples>'
    )
    assert lydite.score(gold, system, task="triples")["exact_same"].micro.f1 == 1.0
    with pytest.raises(FormatError, match="not recognised"):
        lydite.score(gold, system)
