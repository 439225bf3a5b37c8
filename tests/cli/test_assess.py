"""The workflow as an organiser runs it, on the example corpus."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lydite.cli import run
from lydite.profile import load_profile, profile_names
from lydite.tasks.arguments.settings import ArgumentSettings

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


def _content(store: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(store).iterdir()}


def _manifest(store: str) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(Path(f"{store}.manifest.json").read_bytes())
    return manifest


ARGUMENT = ("D", "Life.Die", "Victim", "Ask", "10-12")


def _run(name: str, *lines: tuple[str, str, str]) -> str:
    """A system with arguments that differ in base filler and justification: (justification, filler, confidence)."""
    Path(name).mkdir()
    rows = [
        "\t".join((str(number), *ARGUMENT, justification, filler, "NIL", "Actual", confidence))
        for number, (justification, filler, confidence) in enumerate(lines)
    ]
    Path(name, "D").write_text("\n".join(rows) + "\n")
    return name


@pytest.mark.parametrize("rules", [(), ("--collapse", "none"), ("--top-n", "1"), ("--keep-inference",)])
def test_a_pool_that_grew_says_what_one_that_was_made_at_once_says(rules: tuple[str, ...]) -> None:
    first = _run("a", ("0-99", "10-12", "0.9"), ("0-99", "40-42", "0.3"))
    second = _run("b", ("0-99", "60-62", "0.8"), ("0-50,60-99", "10-12", "0.7"))
    third = _run("c", ("0-99", "40-42", "0.5"), ("0-99", "10-12", "0.2"))
    assert lydite("assess", "pool", first, second, "-o", "grown", *rules) == 0
    assert lydite("assess", "pool", third, "-o", "grown", "--append", *rules) == 0
    assert lydite("assess", "pool", first, second, third, "-o", "made", *rules) == 0
    assert _content("grown") == _content("made")
    grown, made = _manifest("grown"), _manifest("made")
    assert [part["systems"] for part in grown.pop("appended")] == [["c"]]
    assert grown == made


def test_adding_to_a_pool_collapses_the_new_systems_alone() -> None:
    assert lydite("assess", "pool", _run("a", ("0-99", "10-12", "0.9")), "-o", "pool") == 0
    late = _run("b", ("0-99", "40-42", "0.95"), ("0-99", "60-62", "0.8"))
    assert lydite("assess", "pool", late, "-o", "pool", "--append", "--collapse", "pool") == 0
    fillers = {line.split("\t")[7] for line in Path("pool/D").read_text().splitlines()}
    assert fillers == {"10-12", "40-42"}


def test_a_manifest_of_another_content_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert lydite("assess", "pool", _run("a", ("0-99", "10-12", "0.9")), "-o", "pool") == 0
    before = Path("pool/D").read_text().replace("0.9", "0.8")
    Path("pool/D").write_text(before)
    late = _run("b", ("0-99", "40-42", "0.95"))
    assert lydite("assess", "pool", late, "-o", "pool", "--append") == 3
    assert "[pool-manifest]" in capsys.readouterr().err
    assert Path("pool/D").read_text() == before


def test_a_manifest_with_a_broken_entry_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = JUDGED.partition("\tC\t")[0] + "\n"
    put("one/D", line)
    put("two/D", line.replace("Ann", "Bob"))
    assert lydite("assess", "pool", "one", "-o", "pool") == 0
    manifest = Path("pool.manifest.json")
    broken = manifest.read_text().replace(', "represents": []', "")
    manifest.write_text(broken)
    pooled = Path("pool/D").read_bytes()
    assert lydite("assess", "pool", "two", "--append", "-o", "pool") == 3
    assert "missing required field `represents`" in capsys.readouterr().err
    assert (manifest.read_text(), Path("pool/D").read_bytes()) == (broken, pooled)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"documents": 5}', '{"documents": {}, "systems": [{}]}'])
def test_what_is_no_manifest_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lydite("assess", "pool", _run("a", ("0-99", "10-12", "0.9")), "-o", "pool") == 0
    Path("pool.manifest.json").write_text(text)
    late = _run("b", ("0-99", "40-42", "0.95"))
    assert lydite("assess", "pool", late, "-o", "pool", "--append") == 3
    assert "[pool-manifest]" in capsys.readouterr().err


def _started(*words: str) -> subprocess.Popen[str]:
    script = [sys.executable, "-m", "lydite", *words]
    return subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _ended(*processes: subprocess.Popen[str]) -> list[str]:
    said = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), said
    return said


def test_of_pools_that_are_added_at_once_none_is_lost() -> None:
    names = [f"run{number}" for number in range(4)]
    for number, name in enumerate(names):
        _run(name, (f"{number}-99", "10-12", "0.9"))
    _ended(*(_started("assess", "pool", name, "-o", "pool", "--append") for name in names))
    assert len(Path("pool/D").read_text().splitlines()) == len(names)
    assert {system["name"] for system in _manifest("pool")["systems"]} == set(names)


def test_of_two_sheets_and_an_import_at_once_nothing_is_lost() -> None:
    runs = [_run(f"run{number}", (f"{number}-99", "10-12", "0.9")) for number in range(3)]
    assert lydite("assess", "pool", *runs[:2], "-o", "pool") == 0
    assert lydite("assess", "import", "pool", "ann") == 0
    assert lydite("assess", "sheet", "ann", "-o", "sheet.csv") == 0
    with Path("sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        head, *rows = list(csv.reader(stream))
    judged = dict(zip(head[-7:], ("C", "C", "C", "C", "1", "Actual", "NAME"), strict=True))
    for number, row in enumerate(rows):
        row[-7:] = [judged[name] for name in head[-7:]]
        with Path(f"sheet{number}.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([head, row])
    assert lydite("assess", "pool", runs[2], "-o", "pool", "--append") == 0
    reading = [_started("assess", "read-sheet", f"sheet{number}.csv", "ann") for number in range(2)]
    _ended(
        *reading,
        _started("assess", "import", "pool", "ann"),
        _started("assess", "repair", "ann", "-o", "ann"),
    )
    lines = Path("ann/D").read_text().splitlines()
    assert sorted("UNANNOTATED" in line for line in lines) == [False, False, True]


def test_a_command_says_that_it_waits_for_another() -> None:
    from lydite.assess.writing import hold

    pooled()
    with hold("ann"):
        second = _started("assess", "import", "pool", "ann")
        assert second.stderr is not None
        assert "waiting" in second.stderr.readline()
        assert second.poll() is None
    _ended(second)


def test_a_store_that_is_not_there_makes_no_folders(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sheet.csv").write_text("id\n")
    assert lydite("assess", "read-sheet", "sheet.csv", "no/such/store") == 3
    assert "[unreadable-file]" in capsys.readouterr().err
    assert not Path("no").exists()


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


def test_sheets_carry_the_guidelines() -> None:
    from openpyxl import load_workbook

    pooled()
    assert lydite("assess", "sheet", "ann", "-o", "sheet.csv") == 0
    assert "1. event type" in Path("sheet.csv.guidelines.txt").read_text()
    assert lydite("assess", "sheet", "ann", "-o", "sheet.xlsx") == 0
    page = load_workbook("sheet.xlsx")["guidelines"]
    assert "Heightened scrutiny" in [cell.value for cell in page["A"]]


def test_a_sheet_carries_the_guidelines_of_the_campaign_or_none() -> None:
    pooled()
    Path("own.toml").write_text('[[rules]]\nname = "Mercy"\ndefinition = "in doubt, inexact"')
    assert lydite("assess", "sheet", "ann", "-o", "sheet.csv", "--guidelines", "own.toml") == 0
    assert "in doubt, inexact" in Path("sheet.csv.guidelines.txt").read_text()
    assert lydite("assess", "sheet", "ann", "-o", "plain.csv", "--guidelines", "none") == 0
    assert not Path("plain.csv.guidelines.txt").exists()


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


JUDGED = "7\tD\tLife.Die\tVictim\tAnn\t0-2\t0-9\t0-2\tNIL\tActual\t1.0\tC\tC\tC\tC\t3\tActual\tNAME\n"


def put(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def test_repair_refuses_a_store_with_a_folder_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    put("ann/D", JUDGED)
    put("ann/more/E", JUDGED.replace("\tD\t", "\tE\t"))
    assert lydite("assess", "repair", "ann", "-o", "ann") == 3
    assert "[subdirectory]" in capsys.readouterr().err
    assert Path("ann/more/E").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("quote-filter", "run", "--filter", "quotes", "-o", "out"),
        ("quote-filter", "run", "--filter", "quotes", "-o", "run"),
        ("repair", "ann", "-o", "out"),
        ("merge", "plain", "ann", "-o", "out"),
        ("import", "pool", "ann"),
        ("read-sheet", "sheet.csv", "ann"),
    ],
)
def test_a_linking_is_not_lost_when_a_store_is_written(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    put("ann/arguments/D", JUDGED)
    put("plain/D", JUDGED)
    for place in ("run/arguments/D", "pool/D"):
        put(place, JUDGED.partition("\tC\t")[0] + "\n")
    for place in ("ann/linking/D", "run/linking/D"):
        put(place, "7\n")
    put("quotes", "1\nD\n\n")
    assert lydite("assess", "sheet", "ann", "-o", "sheet.csv") == 0
    assert lydite("assess", *words) == 2
    said = capsys.readouterr().err
    assert "has a linking, which would be lost: no rule says how its frames change" in said
    assert "hint: name the folder arguments/ inside it" in said
    assert all(Path(place).exists() for place in ("ann/linking/D", "run/linking/D"))
    assert not Path("out").exists()


def test_a_packed_store_with_a_linking_is_to_be_unpacked_first(capsys: pytest.CaptureFixture[str]) -> None:
    put("ann/arguments/D", JUDGED)
    put("ann/linking/D", "7\n")
    shutil.make_archive("packed", "zip", "ann")
    assert lydite("assess", "repair", "packed.zip", "-o", "out") == 2
    assert "hint: unpack it, and name the folder arguments/ inside it" in capsys.readouterr().err


def test_repair_reports_what_it_cannot_fix_in_every_document(capsys: pytest.CaptureFixture[str]) -> None:
    put("ann/D", JUDGED)
    put("ann/E", JUDGED.replace("D\t", "E\t").replace("\tC\t", "\tX\t", 1))
    put("ann/F", "one column\n")
    assert lydite("assess", "repair", "ann", "-o", "out") == 3
    said = capsys.readouterr().err
    assert said.index("[assessment-value]") < said.index("[assessment-columns]")
    assert "nothing was written: 2 errors" in said


def test_a_store_is_written_over_in_spite_of_what_an_operating_system_put_there() -> None:
    put("ann/D", JUDGED)
    put("ann/.DS_Store", "")
    assert lydite("assess", "repair", "ann", "-o", "ann") == 0
    assert [path.name for path in Path("ann").iterdir()] == ["D"]


def test_comments_above_lines_stay_with_them_in_every_store_that_is_written() -> None:
    remarked = "# ask the judge\n" + JUDGED
    put("ann/D", "# of nothing\n\n" + remarked)
    put("pool/D", JUDGED.partition("\tC\t")[0].replace("Ann", "Bo") + "\n")
    assert lydite("assess", "repair", "ann", "-o", "ann") == 0
    assert lydite("assess", "import", "pool", "ann") == 0
    assert lydite("assess", "sheet", "ann", "-o", "sheet.csv") == 0
    assert lydite("assess", "read-sheet", "sheet.csv", "ann") == 0
    assert lydite("assess", "merge", "ann", "ann", "-o", "merged") == 0
    first, second, *_ = Path("merged/D").read_text(encoding="utf-8").split("\n")
    assert (first, second.split("\t")[1:]) == ("# ask the judge", JUDGED.rstrip().split("\t")[1:])


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


def test_a_store_is_not_written_under_the_name_of_an_archive(capsys: pytest.CaptureFixture[str]) -> None:
    assert lydite("assess", "pool", f"{RUNS}/alder", "-o", "pool.zip") == 2
    assert "stores are written as folders" in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_status_and_agreement_are_machine_readable(capsys: pytest.CaptureFixture[str]) -> None:
    store = str(EXAMPLES / "arguments" / "annotation")
    assert lydite("assess", "status", store, f"{RUNS}/alder", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["selected"] == {"alder": 0}
    assert lydite("assess", "agree", store, store, "--format", "json") == 0
    assert {column["kappa"] for column in json.loads(capsys.readouterr().out)["columns"]} == {1.0}


def test_status_tells_systems_of_one_name_apart(capsys: pytest.CaptureFixture[str]) -> None:
    for team in ("north", "south"):
        Path(team, "run1").mkdir(parents=True)
    line = "1\tD\tLife.Die\tVictim\tAsk\t0-2\t0-9\t0-2\tNIL\tActual\t0.5\n"
    Path("north", "run1", "D").write_text(line)
    Path("store").mkdir()
    Path("store", "D").write_text("")
    assert lydite("assess", "status", "store", "north/run1", "south/run1", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["selected"] == {"north/run1": 1, "south/run1": 0}


@pytest.mark.parametrize(("folder", "hidden"), [("run", ".E"), ("run/arguments", "arguments/.E")])
def test_a_hidden_file_of_a_store_is_named_and_not_read(
    folder: str, hidden: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = JUDGED.partition("\tC\t")[0] + "\n"
    put(f"{folder}/D", line)
    put(f"{folder}/.E", line.replace("D", ".E"))
    assert lydite("assess", "pool", "run", "-o", "pool") == 0
    assert f"run: warning: '{hidden}' is not read: it is hidden" in capsys.readouterr().err
    assert [path.name for path in Path("pool").iterdir()] == ["D"]


@pytest.mark.parametrize("again", ["run", "./run", "link"])
def test_a_system_that_is_named_twice_is_refused(again: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("run/D", JUDGED.partition("\tC\t")[0] + "\n")
    put("ann/D", JUDGED)
    Path("link").symlink_to("run")
    assert lydite("assess", "pool", "run", again, "-o", "pool") == 2
    assert (
        f"one store is named 2 times: run, {again}\n  hint: name each system once" in capsys.readouterr().err
    )
    assert lydite("assess", "status", "ann", "run", again) == 2
    assert not Path("pool").exists()


def test_of_two_systems_of_one_name_the_human_one_is_named_by_its_path() -> None:
    for team in ("north", "south"):
        shutil.copytree(f"{RUNS}/alder", f"{team}/run1")
    assert lydite("assess", "pool", "north/run1", "south/run1", "--human", "run1", "-o", "pool") == 2
    assert lydite("assess", "pool", "north/run1", "south/run1", "--human", "south/run1", "-o", "pool") == 0
    systems = json.loads(Path("pool.manifest.json").read_text())["systems"]
    assert [(system["name"], system["human"]) for system in systems] == [
        ("north/run1", False),
        ("south/run1", True),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are UTF-8 elsewhere")
def test_a_pool_names_a_system_whose_name_is_no_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(f"{RUNS}/alder", "run\udcff")
    Path("run\udcff", "D\udcff").touch()
    assert lydite("assess", "pool", "run\udcff", "-o", "pool") == 0
    assert lydite("assess", "pool", f"{RUNS}/cedar", "--append", "-o", "pool") == 0
    systems = json.loads(Path("pool.manifest.json").read_text("utf-8"))["systems"]
    assert [system["name"] for system in systems] == ["run\\udcff", "cedar"]
    assert "Traceback" not in capsys.readouterr().err


def test_the_kappa_of_a_judgement_is_that_of_its_confusion_table(capsys: pytest.CaptureFixture[str]) -> None:
    # First against second: 20 C/C, 5 C/W, 10 W/C, 15 W/W: equal in 35 of 50, by chance (25·30 + 25·20)/2500 = 1/2.
    pairs = [("C", "C")] * 20 + [("C", "W")] * 5 + [("W", "C")] * 10 + [("W", "W")] * 15
    for side, name in enumerate(("first", "second")):
        Path(name).mkdir()
        lines = []
        for number, letters in enumerate(pairs, 1):
            place = f"{10 * number}-{10 * number + 2}"
            claim = ("D", "Life.Die", "Victim", "Ask", place, "0-999", place, "NIL", "Actual", "1.0")
            judged = ("C", "C", "C", letters[side], "1", "Actual", "NAME")
            lines.append("\t".join((str(number), *claim, *judged)))
        Path(name, "D").write_text("\n".join(lines) + "\n")
    assert lydite("assess", "agree", "first", "second", "--format", "json") == 0
    columns = {column["name"]: column for column in json.loads(capsys.readouterr().out)["columns"]}
    assert columns["base filler"]["accuracy"] == pytest.approx(0.7)
    assert columns["base filler"]["kappa"] == pytest.approx(0.4)
    # Both say C throughout: chance alone explains it.
    assert (columns["role"]["accuracy"], columns["role"]["kappa"]) == (1.0, None)


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


@pytest.fixture
def inputs() -> dict[str, bytes]:
    """Inputs of every sub-verb, copied so that a command could harm them."""
    for name in ("arguments/annotation", "arguments/systems/alder", "ace", "text"):
        shutil.copytree(EXAMPLES / name, Path(name).name)
    assert lydite("assess", "queue", *ACE, "-o", "queue.tsv") == 0
    return _files()


def _files() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}


ACE = ("ace/gold", "ace/systems/alder", "--targets", "ace/targets.jsonl")
APPLY = ("assess", "apply", *ACE, "--queue", "queue.tsv", "--decisions", "ace/decisions.tsv")


@pytest.mark.parametrize(
    "words",
    [
        ("assess", "pool", "alder", "-o", "alder"),
        ("assess", "pool", "alder", "-o", "alder", "--append"),
        ("assess", "quote-filter", "--documents", "text", "-o", "text/df01-boots.txt"),
        ("assess", "sheet", "annotation", "-o", "annotation/new.csv"),
        ("assess", "agree", "annotation", "annotation", "-o", "annotation/df01-boots"),
        ("assess", "queue", *ACE, "-o", "ace/targets.jsonl"),
        ("assess", "queue", *ACE, "--text", "text", "-o", "text/df01-boots.txt"),
        (*APPLY, "-o", "queue.tsv"),
        (*APPLY, "--resolved", "ace/decisions.tsv"),
        (*APPLY, "--resolved", "new", "-o", "new"),
        ("assess", "queue", *ACE, "--max-items", "-1"),
        (*APPLY, "--resamples", "-1"),
    ],
)
def test_what_a_command_reads_is_not_written_over(words: tuple[str, ...], inputs: dict[str, bytes]) -> None:
    assert lydite(*words) == 2
    assert _files() == inputs


def test_a_quiet_sub_verb_prints_no_warning_and_no_closing_line(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(f"{RUNS}/alder", "run")
    Path("run/.E").write_text("", encoding="utf-8")
    assert lydite("assess", "-q", "pool", "run", "-o", "pool") == 0
    assert lydite("assess", "--quiet", "import", "pool", "ann") == 0
    assert lydite("assess", "-q", "merge", "ann", "ann", "-o", "merged") == 0
    assert tuple(capsys.readouterr()) == ("", "")


def test_a_quiet_sub_verb_still_prints_its_result_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    store = str(EXAMPLES / "arguments" / "annotation")
    assert lydite("assess", "-q", "status", store) == 0
    assert "unassessed" in capsys.readouterr().out
    assert lydite("assess", "-q", "status", "nowhere") == 3
    assert "nowhere" in capsys.readouterr().err


# ------------------------------------------------------------------------------- from a sheet to a score

POSTS = "Ann met Bob. Cal met Dan. <quote>Eve met Flo.</quote> Gus met Hal. Ian met Jon."
"""The text of a document with a quote."""
FILLED = {
    "Ann": ("C", "C", "C", "C", "1", "Actual", "NAME"),
    "Bob": ("C", "C", "W", "C", "NIL", "Actual", "NAME"),
    "Cal": ("NIL", "NIL", "NIL", "NIL", "NIL", "NIL", "NIL"),
}
"""How the sheet is filled: one string is right, one wrong (its id is NIL, as the task definition says), one item ignored."""


def _claims(place: str, names: str) -> str:
    """A store of responses to one document, by the names in them; the earlier name is the more confident."""
    Path(place).mkdir(parents=True)
    lines = []
    for number, name in enumerate(names.split()):
        begin = POSTS.index(name)
        span = f"{begin}-{begin + 2}"
        columns = ("D", "Contact.Meet", "Entity", name, span, span, span, "NIL", "Actual")
        lines.append("\t".join((str(number), *columns, f"0.{9 - number}")))
    Path(place, "D").write_text("\n".join(lines) + "\n")
    return place


def _sheet_to_store() -> None:
    """Pool the best three responses of a run outside of quotes, fill a sheet for them, and read it."""
    Path("texts").mkdir()
    Path("texts/D.txt").write_text(POSTS)
    assert lydite("assess", "quote-filter", "--documents", "texts", "-o", "quotes") == 0
    run_ = _claims("run", "Ann Eve Bob Cal Gus")
    assert lydite("assess", "pool", run_, "--filter", "quotes", "--top-n", "3", "-o", "pool") == 0
    assert lydite("assess", "import", "pool", "ann") == 0
    assert lydite("assess", "sheet", "ann", "--documents", "texts", "-o", "sheet.csv") == 0
    with Path("sheet.csv").open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    judgements = next(place for place, name in enumerate(header) if name.startswith("type (C"))
    strings = header.index("canonical string")
    assert sorted(row[strings] for row in rows) == sorted(FILLED)
    with Path("sheet.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        filled = ([*row[:judgements], *FILLED[row[strings]]] for row in rows)
        csv.writer(stream).writerows([header, *filled])
    assert lydite("assess", "read-sheet", "sheet.csv", "ann") == 0


def _standard(capsys: pytest.CaptureFixture[str]) -> tuple[int, int, int]:
    """Right responses, responses, and right answers of the pool, as they were just printed."""
    rows = json.loads(capsys.readouterr().out)["scores"]
    (row,) = (
        one["tally"]
        for one in rows
        if one["measurement"] == "standard" and one["scope"] == "corpus" and not one["by"]
    )
    return row["system_credit"], row["system_total"], row["gold_total"]


OF_ASSESSMENTS = sorted(
    name
    for name in profile_names("arguments")
    if (settings := load_profile("arguments", name, ArgumentSettings).settings).match == "assessment"
    and settings.compare_strings == "none"
)


@pytest.mark.parametrize("profile", OF_ASSESSMENTS)
def test_what_a_sheet_judges_as_the_task_definition_says_is_scored(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _sheet_to_store()
    judged = _claims("judged/arguments", "Ann Bob Cal")
    for linking in ("judged/linking", "links"):
        Path(linking).mkdir()
        Path(linking, "D").write_text("0\t1\t2\n" if linking != "links" else "")
    capsys.readouterr()
    settings = ("--profile", profile, "--format", "json")
    if load_profile("arguments", profile, ArgumentSettings).settings.frames:
        settings += ("--linking", "links")
    assert lydite("validate", "arguments", "ann", "--annotation", "--documents", "texts", "--quiet") == 0
    capsys.readouterr()
    assert lydite("score", "arguments", "ann", str(Path(judged).parent), *settings) == 0
    assert _standard(capsys) == (1, 3, 1)


@pytest.mark.parametrize("profile", OF_ASSESSMENTS)
@pytest.mark.parametrize(
    ("late", "expected"), [("", (1, 5, 1)), ("Ann Ian", (1, 2, 1))], ids=["quote and top N", "late run"]
)
def test_what_nobody_judged_is_scored_under_the_profile_or_under_that_of_the_hint(
    profile: str, late: str, expected: tuple[int, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    _sheet_to_store()
    system = _claims("late", late) if late else "run"
    Path("links").mkdir()
    capsys.readouterr()
    settings = load_profile("arguments", profile, ArgumentSettings).settings
    linking = ("--linking", "links") if settings.frames else ()
    status = lydite("score", "arguments", "ann", system, "--profile", profile, "--format", "json", *linking)
    assert status == (3 if settings.unassessed == "refuse" else 0)
    if status:
        said = capsys.readouterr().err
        assert "[unassessed]" in said
        named = re.search("hint: .*--profile (kbp[0-9a-z-]+)", said)
        assert named is not None
        assert lydite("score", "arguments", "ann", system, "--profile", named[1], "--format", "json") == 0
    assert _standard(capsys) == expected
