"""``lydite explain`` as people call it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from lydite.cli import run

ROOT = Path(__file__).parent.parent.parent
GOLD = str(ROOT / "examples" / "gold.tbf")
ALDER, BIRCH = (str(ROOT / "examples" / "systems" / f"{name}.tbf") for name in ("alder", "birch"))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["explain", *words]) == 0
    return capsys.readouterr().out


def test_the_overview_of_an_example_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, GOLD, BIRCH).splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("mend first: spurious") for line in lines)


def test_verdicts_stream_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in said(capsys, GOLD, BIRCH, "--format", "jsonl").splitlines()]
    assert {line["side"] for line in lines} == {"gold", "system"}
    assert all(line["why"] for line in lines)


def test_several_systems_have_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert "together     25.72  49.77" in said(capsys, GOLD, ALDER, BIRCH, "--budget")


def test_between_lists_what_the_second_system_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, GOLD, "--between", ALDER, BIRCH, "--format", "jsonl")
    assert {json.loads(line)["side"] for line in out.splitlines()} == {"gold"}


def test_a_confusion_matrix_is_whole_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(
        csv.reader(said(capsys, GOLD, BIRCH, "--confusion", "realis", "--format", "csv").splitlines())
    )
    assert rows[0] == ["gold realis", "Actual", "Generic", "Other", "(missed)"]
    assert len(rows) == 5


def test_verdicts_do_not_change_when_documents_are_reordered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    blocks = Path(BIRCH).read_text("utf-8").split("#BeginOfDocument")
    turned = tmp_path / "birch.tbf"
    turned.write_text("#BeginOfDocument".join([blocks[0], *reversed(blocks[1:])]), encoding="utf-8")
    plain, other = (
        [
            (one["document"], one["side"], one["id"], one["cause"])
            for one in map(json.loads, said(capsys, GOLD, path, "--format", "jsonl").splitlines())
        ]
        for path in (BIRCH, str(turned))
    )
    assert plain == other


def test_an_unknown_cause_or_document_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", GOLD, BIRCH, "--cause", "spuriuos"]) == 2
    assert "spurious" in capsys.readouterr().err
    assert run(["explain", GOLD, BIRCH, "--doc", "df03"]) == 2
    assert "df03" in capsys.readouterr().err


def test_a_document_is_shown_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    texts = str(ROOT / "examples" / "text")
    out = said(capsys, GOLD, BIRCH, "--doc", "df03-witness", "--documents", texts, "--context", "0", "-q")
    assert "gold                                                 A---" in out
    assert "when they shot her. The band was" in out
