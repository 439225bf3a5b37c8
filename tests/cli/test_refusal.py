"""What a refused input leaves on stderr."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli import run

CASE = Path(__file__).parent.parent / "conformance" / "nugget" / "missing-footer"
FILES = (str(CASE / "gold.tbf"), str(CASE / "system.tbf"))


def test_quiet_shows_only_the_errors_of_a_refused_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", *FILES, "-q"]) == 3
    shown = capsys.readouterr().err
    assert "error:" in shown
    assert "warning:" not in shown


def test_a_refused_input_shows_its_warnings_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", *FILES]) == 3
    assert "warning:" in capsys.readouterr().err


def test_half_a_character_in_an_id_stops_neither_the_official_order_nor_a_sheet(tmp_path: Path) -> None:
    record = {"id": "d", "content": [{"tokens": ["a", "b"]}], "events": []}
    mentions = [{"id": f"m\ud800{place}", "sent_id": 0, "offset": [place, place + 1]} for place in (0, 1)]
    event = {"id": "\ud800", "type": "T", "mention": mentions}
    path, sheet = tmp_path / "d.jsonl", tmp_path / "sheet.csv"
    path.write_text(json.dumps({**record, "events": [event]}) + "\n")
    words = [str(path), str(path), "--from", "maven", "-q"]
    for layout in ("official", "text", "json"):
        assert run(["score", "nugget", *words, "--format", layout]) == 0
    clusters = tmp_path / "c.jsonl"
    clusters.write_text('{"doc_key": "\\ud800", "clusters": {"\\ud800": ["a", "\\ud800"]}}\n')
    other = tmp_path / "o.jsonl"
    other.write_text('{"doc_key": "\\ud800", "clusters": {"\\ud800": ["a"]}}\n')
    assert run(["adjudicate", "coref", str(clusters), str(other), "-o", str(sheet)]) == 0
    assert "\\ud800" in sheet.read_text("utf-8-sig")


def test_gold_of_annotators_is_not_written_in_a_format_that_holds_nothing_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["adjudicate", *(f"examples/systems/{name}.tbf" for name in ("alder", "birch"))]
    sheet, gold = tmp_path / "sheet.csv", tmp_path / "gold"
    assert run([*words, "-o", str(sheet)]) == 0
    assert run([*words, "--decisions", str(sheet), "--undecided", "a", "-o", f"{gold}/", "--to", "eal"]) == 2
    assert "tbf cannot become eal: they have nothing in common" in capsys.readouterr().err
    assert not gold.exists()


def test_a_code_that_no_finding_has_is_refused_with_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    columns = str(CASE.parents[1] / "coref" / "multi-part" / "key.conll")
    assert run(["score", "coref", columns, columns, "--errors", "duplicate-idd"]) == 2
    told = capsys.readouterr().err
    assert "no finding has the code 'duplicate-idd'" in told
    assert "did you mean 'duplicate-id'" in told
