"""The workflow as an organiser runs it, on the example corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples"
RUNS, TEXT = str(EXAMPLES / "arguments" / "systems"), str(EXAMPLES / "text")


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lydite(*words: str) -> int:
    return run(list(words))


def pooled() -> None:
    assert lydite("assess", "quote-filter", "--documents", TEXT, "-o", "quotes") == 0
    assert lydite("assess", "pool", "--runs", RUNS, "--filter", "quotes", "-o", "pool") == 0
    assert lydite("assess", "import", "pool", "ann") == 0


def test_the_workflow_from_submissions_to_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    pooled()
    finished = str(EXAMPLES / "arguments" / "annotation")
    assert lydite("assess", "merge", "ann", finished, "-o", "done") == 0
    assert lydite("validate", "arguments", "done", "--annotation", "--documents", TEXT) == 0
    assert lydite("assess", "quote-filter", f"{RUNS}/birch", "--filter", "quotes", "-o", "birch") == 0
    capsys.readouterr()
    assert lydite("score", "arguments", "done", "birch", "--format", "json") == 0
    summary = json.loads(capsys.readouterr().out)
    (standard,) = (
        row
        for row in summary["scores"]
        if row["measurement"] == "standard" and row["scope"] == "corpus" and not row["by"]
    )
    assert standard["tally"]["system_total"] == 57


def test_pooling_twice_gives_the_same_bytes() -> None:
    pooled()
    first = {path.name: path.read_bytes() for path in Path("pool").iterdir()}
    manifest = Path("pool.manifest.json").read_bytes()
    assert lydite("assess", "pool", "--runs", RUNS, "--filter", "quotes", "-o", "pool") == 0
    assert {path.name: path.read_bytes() for path in Path("pool").iterdir()} == first
    assert Path("pool.manifest.json").read_bytes() == manifest


def test_a_late_submission_adds_only_new_lines() -> None:
    assert lydite("assess", "pool", f"{RUNS}/alder", "-o", "pool") == 0
    assert lydite("assess", "pool", f"{RUNS}/birch", "-o", "pool", "--append") == 0
    assert lydite("assess", "pool", f"{RUNS}/alder", f"{RUNS}/birch", "-o", "both") == 0
    assert {p.name: p.read_bytes() for p in Path("pool").iterdir()} == {
        p.name: p.read_bytes() for p in Path("both").iterdir()
    }


def test_no_system_is_named_in_what_assessors_see() -> None:
    pooled()
    assert lydite("assess", "sheet", "ann", "--documents", TEXT, "-o", "sheet.csv") == 0
    shown = Path("sheet.csv").read_bytes() + b"".join(path.read_bytes() for path in Path("ann").iterdir())
    assert not any(name in shown for name in (b"alder", b"birch", b"cedar"))
    assert b"alder" in Path("pool.manifest.json").read_bytes()


def test_importing_twice_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    pooled()
    before = {path.name: path.read_bytes() for path in Path("ann").iterdir()}
    capsys.readouterr()
    assert lydite("assess", "import", "pool", "ann") == 0
    assert "0 new lines" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in Path("ann").iterdir()} == before


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_untouched_sheet_leaves_the_store_as_it_was(kind: str) -> None:
    store = str(EXAMPLES / "arguments" / "annotation")
    assert lydite("assess", "merge", store, store, "-o", "ann") == 0
    before = {path.name: path.read_bytes() for path in Path("ann").iterdir()}
    assert lydite("assess", "sheet", "ann", "--documents", TEXT, "-o", f"sheet.{kind}") == 0
    assert lydite("assess", "read-sheet", f"sheet.{kind}", "ann") == 0
    assert {path.name: path.read_bytes() for path in Path("ann").iterdir()} == before


def test_a_broken_store_is_refused_and_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad").mkdir()
    Path("bad/D1").write_text("one column\n")
    assert lydite("assess", "pool", "bad", "-o", "pool") == 3
    assert "[column-count]" in capsys.readouterr().err
    assert sorted(path.name for path in Path().iterdir()) == ["bad"]


def test_a_store_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert lydite("assess", "status", "nowhere") == 3
    assert "[unreadable-file]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("assess", "pol"),
        ("assess", "pool", "-o", "x"),
        ("assess", "quote-filter", "-o", "x"),
        ("assess", "sheet", str(EXAMPLES / "arguments" / "annotation"), "-o", "x.doc"),
        ("assess", "pool", f"{RUNS}/alder", "--human", "somebody", "-o", "x"),
    ],
)
def test_wrong_usage_has_its_own_exit_status(words: tuple[str, ...]) -> None:
    assert lydite(*words) == 2
    assert list(Path().iterdir()) == []


def test_status_and_agreement_are_machine_readable(capsys: pytest.CaptureFixture[str]) -> None:
    store = str(EXAMPLES / "arguments" / "annotation")
    assert lydite("assess", "status", store, f"{RUNS}/alder", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["selected"] == {"alder": 0}
    assert lydite("assess", "agree", store, store, "--format", "json") == 0
    assert {column["kappa"] for column in json.loads(capsys.readouterr().out)["columns"]} == {1.0}


def test_repair_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    Path("raw").mkdir()
    line = "1\tD\tContact.Meet\tEntity\tAsk\t1-3\t0-9\t1-3\tNIL\tActual\t1.0\tC\tC\tC\tC\tNIL\tActual\tNAME\n"
    Path("raw/D").write_text(line)
    assert lydite("assess", "repair", "raw", "-o", "repaired", "-v") == 0
    assert "D:1: accepted-without-id" in capsys.readouterr().out
    assert Path("repaired/D").read_text().split("\t")[15] == "1"


def test_two_processes_give_the_same_scores_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    annotation = str(EXAMPLES / "arguments" / "annotation")
    printed = []
    for jobs in ("1", "2"):
        assert lydite("score", "arguments", annotation, "--runs", RUNS, "--format", "json", "-j", jobs) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
