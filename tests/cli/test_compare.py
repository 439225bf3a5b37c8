"""``lydite compare``, and what ``score`` has of it: intervals, gates, runs, tables for papers."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lydite.cli import run
from lydite.facade.runs import runs_in
from lydite.formats.base import Format
from lydite.pipeline.reading import recognise_format

Capture = pytest.CaptureFixture[str]
GOLD = "examples/gold.tbf"
ALDER, BIRCH, CEDAR = (f"examples/systems/{name}.tbf" for name in ("alder", "birch", "cedar"))
QUICK = ("--resamples", "200", "-q")
SCHEMA = Path("src/lydite/data/comparison.schema.json")


def said(capsys: Capture, *words: str, status: int = 0) -> str:
    assert run(list(words)) == status
    return capsys.readouterr().out


def test_three_systems_fit_on_one_screen(capsys: Capture) -> None:
    lines = said(capsys, "compare", GOLD, ALDER, BIRCH, CEDAR, *QUICK).splitlines()
    assert len(lines) < 24
    assert all(len(line) <= 80 for line in lines if not line.startswith("signature:"))
    assert any("do not tell birch and cedar apart" in line for line in lines)
    assert "|by:document|" in lines[-1]


def test_the_page_has_the_signature_that_compare_prints(tmp_path: Path, capsys: Capture) -> None:
    *_, last = said(capsys, "compare", GOLD, ALDER, BIRCH).splitlines()
    page = tmp_path / "page.html"
    said(capsys, "report", GOLD, ALDER, BIRCH, "-o", str(page))
    assert f'<code id="signature">{last.removeprefix("signature: ")}</code>' in page.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--figure", "span.f1", "--figure", "coref.b-cubed.recall"),
        ("--gold-before", CEDAR),
        ("--against", "alder", "--correction", "none"),
    ],
    ids=["headline", "two-figures", "two-golds", "against"],
)
def test_the_document_is_what_the_schema_says(more: tuple[str, ...], capsys: Capture) -> None:
    document = json.loads(said(capsys, "compare", GOLD, ALDER, BIRCH, "--format", "json", *more, *QUICK))
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def test_a_document_without_units_is_valid_too(capsys: Capture) -> None:
    case = "tests/conformance/coref/big-merge"
    words = (
        "compare",
        f"{case}/key.conll",
        f"{case}/key.conll",
        f"{case}/response.conll",
        "--format",
        "json",
    )
    document = json.loads(said(capsys, *words, *QUICK))
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
    assert document["findings"][0]["code"] == "no-units"


def test_csv_has_one_row_per_system_and_figure(capsys: Capture) -> None:
    text = said(capsys, "compare", GOLD, ALDER, BIRCH, "--format", "csv", *QUICK)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["system"], row["rank"], row["group"]) for row in rows] == [
        ("alder", "1", "a"),
        ("birch", "2", "b"),
    ]


def test_latex_has_the_best_in_bold_and_letters_above(capsys: Capture) -> None:
    text = said(
        capsys, "compare", GOLD, ALDER, BIRCH, CEDAR, "--format", "latex", "--resamples", "2000", "-q"
    )
    assert r"\textbf{74.28}\textsuperscript{a}" in text
    assert r"50.23\textsuperscript{b}" in text


# ------------------------------------------------------------------------------------------------------- gates


def test_the_gate_fails_if_the_second_system_is_significantly_worse(capsys: Capture) -> None:
    assert run(["compare", GOLD, ALDER, BIRCH, "--fail-if-worse", *QUICK]) == 1
    assert "birch is worse than alder" in capsys.readouterr().err
    assert run(["compare", GOLD, BIRCH, ALDER, "--fail-if-worse", *QUICK]) == 0
    assert run(["compare", GOLD, ALDER, BIRCH, "--fail-if-worse", "0.5", *QUICK]) == 0
    # Seven points, but twenty documents do not show that it is no accident.
    assert run(["compare", GOLD, BIRCH, CEDAR, "--fail-if-worse", *QUICK]) == 0


def test_the_gate_shows_names_that_would_move_a_cursor_as_escapes(tmp_path: Path, capsys: Capture) -> None:
    worse = tmp_path / "b\x07irch.tbf"
    worse.write_bytes(Path(BIRCH).read_bytes())
    assert run(["compare", GOLD, ALDER, str(worse), "--fail-if-worse", "-q", *QUICK]) == 1
    assert r"b\x07irch is worse than alder" in capsys.readouterr().err


def test_the_gate_is_for_two_systems_and_says_so_before_anything_is_written(capsys: Capture) -> None:
    assert run(["compare", GOLD, ALDER, BIRCH, CEDAR, "--fail-if-worse", *QUICK]) == 2
    told = capsys.readouterr()
    assert "two systems" in told.err
    assert not told.out


def test_without_units_a_drop_alone_fails() -> None:
    case = "tests/conformance/coref/big-merge"
    words = [
        "compare",
        f"{case}/key.conll",
        f"{case}/key.conll",
        f"{case}/response.conll",
        "--fail-if-worse",
        "-q",
    ]
    assert run(words) == 1


def test_a_figure_may_not_fall_below_the_last_run(tmp_path: Path, capsys: Capture) -> None:
    last = str(tmp_path / "last.json")
    assert run(["score", GOLD, ALDER, "--format", "json", "-o", last, "-q"]) == 0
    gate = ("--against", last, "--max-drop", "0.005", "-q")
    assert run(["score", GOLD, ALDER, *gate, "--max-drop", "type=0.05"]) == 0
    assert run(["score", GOLD, BIRCH, *gate]) == 1
    told = capsys.readouterr().err
    assert "fell from 0.74281 to 0.502325" in told
    assert "now wrong" in told
    assert run(["score", GOLD, BIRCH, "--against", last, "--max-drop", "type=0.5", "-q"]) == 1
    assert "type Contact_Broadcast fell" in capsys.readouterr().err


def test_a_drop_of_just_the_limit_passes_the_gate(tmp_path: Path) -> None:
    """F1 falls from 16/20 to 15/20: 0.8 - 0.75 is 0.050000000000000044 in floating point."""
    files = {"gold": range(20), "old": range(4, 24), "new": range(5, 25)}
    for name, starts in files.items():
        spans = [{"start": at, "end": at + 1, "label": "PER"} for at in starts]
        (tmp_path / name).write_text(json.dumps({"doc_id": "d", "spans": spans}), encoding="utf-8")
    words = ["compare", "spans", *(str(tmp_path / name) for name in files), "-q", "--fail-if-worse"]
    assert run([*words, "0.05"]) == 0
    assert run([*words, "0.049"]) == 1


def test_a_comparison_is_not_written_over_the_summaries_that_it_reads(tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    for path, system in {before: ALDER, after: BIRCH}.items():
        assert run(["score", GOLD, system, "--format", "json", "-o", str(path), "-q"]) == 0
    for path in (before, after):
        held = path.read_bytes()
        assert run(["compare", "--summaries", str(before), str(after), *QUICK, "-o", str(path)]) == 2
        assert path.read_bytes() == held


def test_summaries_of_different_rules_are_compared_with_a_warning(tmp_path: Path, capsys: Capture) -> None:
    before, after = str(tmp_path / "before.json"), str(tmp_path / "after.json")
    assert run(["score", GOLD, BIRCH, "--no-quirks", "--format", "json", "-o", before, "-q"]) == 0
    assert run(["score", GOLD, BIRCH, "--format", "json", "-o", after, "-q"]) == 0
    compared = ("compare", "--summaries", before, after, "--format", "json", *QUICK)
    (finding,) = json.loads(said(capsys, *compared))["findings"]
    assert finding["code"] == "rules-differ"
    assert "skip-documents-without-gold:off" in finding["message"]
    assert json.loads(said(capsys, *compared[:2], after, after, *compared[4:]))["findings"] == []
    assert run(["score", GOLD, BIRCH, "--against", before, "--max-drop", "0"]) == 0
    assert "[rules-differ]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "gate", [("--fail-under", "type.value=0.5"), ("--against", "last.json", "--max-drop", "genre=0.1")]
)
def test_a_gate_for_what_is_not_there_is_refused_before_anything_is_written(
    gate: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    gold, alder = (str(Path(name).resolve()) for name in (GOLD, ALDER))
    monkeypatch.chdir(tmp_path)
    assert run(["score", gold, alder, "--format", "json", "-o", "last.json", "-q"]) == 0
    assert run(["score", gold, alder, *gate, "-o", "scores.txt", "-q"]) == 2
    assert not Path("scores.txt").exists()
    assert run(["score", gold, alder, *gate, "-q"]) == 2
    assert not capsys.readouterr().out


def test_a_system_that_has_a_figure_at_last_is_not_worse(tmp_path: Path, capsys: Capture) -> None:
    """F1 is undefined where nothing is right."""
    for name, starts in {"gold": (0, 9), "none": (50,), "some": (0, 50)}.items():
        mentions = [f"s\td\tE{at}\t{at},{at + 4}\tw\tLife_Die\tActual" for at in starts]
        text = "\n".join(["#BeginOfDocument d", *mentions, "#EndOfDocument", ""])
        (tmp_path / f"{name}.tbf").write_text(text, encoding="utf-8")
    gold, none, some = (str(tmp_path / f"{name}.tbf") for name in ("gold", "none", "some"))
    gate = ("--fail-if-worse", "0.1", "-q")
    assert run(["compare", gold, none, some, *gate]) == 0
    assert run(["compare", gold, none, none, *gate]) == 0
    assert run(["compare", gold, some, none, *gate]) == 1
    assert "fell from 0.5 to undefined, by more than 0.1 (no test was possible)" in capsys.readouterr().err


def test_a_gate_against_the_last_run_says_what_it_lacks(tmp_path: Path, capsys: Capture) -> None:
    assert run(["score", GOLD, ALDER, "--max-drop", "0.1"]) == 2
    assert run(["score", GOLD, ALDER, "--against", str(tmp_path / "none.json"), "--max-drop", "0.1"]) == 3
    assert "No such file" in capsys.readouterr().err


def test_a_gate_names_the_headlines_that_differ(tmp_path: Path, capsys: Capture) -> None:
    last = str(tmp_path / "last.json")
    assert run(["score", GOLD, ALDER, "--format", "json", "-o", last, "-q"]) == 0
    words = ["score", GOLD, ALDER, "--attributes", "type", "--against", last, "--max-drop", "0", "-q"]
    assert run(words) == 2
    assert "kbp2017 with the headline type.detection.micro.f1" in capsys.readouterr().err


def test_a_gate_knows_systems_by_their_own_names(tmp_path: Path, capsys: Capture) -> None:
    last = str(tmp_path / "last.json")
    assert run(["score", GOLD, ALDER, BIRCH, "--format", "json", "-o", last, "-q"]) == 0
    gate = ("--against", last, "--max-drop", "0", "--anonymous", "-q")
    assert run(["score", GOLD, CEDAR, ALDER, BIRCH, *gate]) == 0
    assert "note: --against: cedar is not in the saved summary" in capsys.readouterr().err


def test_a_figure_that_reaches_the_limit_passes_the_gate(tmp_path: Path) -> None:
    """F1 of 1 right out of 1 gold and 9 system items is 0.2, and 0.19999999999999998 in floating point."""
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    spans = [{"start": at, "end": at + 1, "label": "PER"} for at in range(9)]
    gold.write_text(json.dumps({"doc_id": "d", "spans": spans[:1]}), encoding="utf-8")
    system.write_text(json.dumps({"doc_id": "d", "spans": spans}), encoding="utf-8")
    assert run(["score", "spans", str(gold), str(system), "--fail-under", "0.2", "-q"]) == 0
    assert run(["score", "spans", str(gold), str(system), "--fail-under", "0.21", "-q"]) == 1


# -------------------------------------------------------------------------------------------------------- runs


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    for team, name, system in (("oak", "1", ALDER), ("oak", "2", BIRCH), ("elm", "1", CEDAR)):
        (folder / team / name).mkdir(parents=True)
        shutil.copy(system, folder / team / name / "run.tbf")
    (folder / "README.txt").write_text("hello\n", encoding="utf-8")
    (folder / ".DS_Store").write_bytes(b"\0")
    return folder


def test_teams_have_runs_and_other_files_are_named(runs: Path, capsys: Capture) -> None:
    assert run(["score", GOLD, "--runs", str(runs), "--format", "csv"]) == 0
    found = capsys.readouterr()
    assert {row["system"] for row in csv.DictReader(io.StringIO(found.out))} == {"oak/1", "oak/2", "elm/1"}
    assert ".DS_Store, README.txt" in found.err


def test_one_file_tells_that_a_folder_of_runs_holds_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "1\td{0}\tLife.Die\tVictim\tx\t1-2\t0-9\t1-2\tNIL\tActual\t0.5\n"
    for store in ("alder", "birch"):
        (tmp_path / store).mkdir()
        for number in range(20):
            (tmp_path / store / f"d{number}").write_text(line.format(number))
    looked_at: list[object] = []

    def recognised(path: Path) -> Format:
        looked_at.append(path)
        return recognise_format(path)

    monkeypatch.setattr("lydite.facade.runs.recognise_format", recognised)
    assert runs_in(tmp_path).paths == (str(tmp_path / "alder"), str(tmp_path / "birch"))
    assert len(looked_at) == 2


def test_runs_of_a_team_may_be_files_or_archives(tmp_path: Path, capsys: Capture) -> None:
    for team, name, system in (("oak", "1", ALDER), ("oak", "2", BIRCH)):
        (tmp_path / "runs" / team).mkdir(parents=True, exist_ok=True)
        shutil.copy(system, tmp_path / "runs" / team / f"{name}.tbf")
    (tmp_path / "runs" / "oak" / "README").write_text("ours\n", encoding="utf-8")
    shutil.make_archive(str(tmp_path / "runs" / "elm" / "a"), "zip", Path(CEDAR).parent, Path(CEDAR).name)
    shutil.copy(tmp_path / "runs" / "elm" / "a.zip", tmp_path / "runs" / "elm" / "b.zip")
    assert run(["score", GOLD, "--runs", str(tmp_path / "runs"), "--format", "csv"]) == 0
    found = capsys.readouterr()
    names = {row["system"] for row in csv.DictReader(io.StringIO(found.out))}
    assert names == {"oak/1", "oak/2", "elm/a", "elm/b"}
    assert "not systems in" in found.err
    assert "oak/README" in found.err


def test_what_joins_units_names_no_anonymous_system(capsys: Capture) -> None:
    case = "tests/conformance/ace/xdoc_entity_split"
    words = ("compare", "ace", f"{case}/ref", f"{case}/sys", f"{case}/sys", "--profile", "ace08-local")
    found = json.loads(said(capsys, *words, "--anonymous", "--format", "json", *QUICK))["findings"]
    (told,) = (one["message"] for one in found if one["code"] == "units-share-elements")
    assert "in sys;" not in told
    assert "in system-1;" in told


def test_an_anonymous_comparison_is_against_a_system_by_its_own_name(capsys: Capture) -> None:
    words = [
        "compare",
        GOLD,
        ALDER,
        BIRCH,
        CEDAR,
        "--resamples",
        "9",
        "--format",
        "json",
        "--against",
        "birch",
    ]
    assert run([*words, "--anonymous"]) == 0
    found = capsys.readouterr()
    (number,) = (line.split()[1] for line in found.err.splitlines() if line.endswith(" is birch"))
    told = json.loads(found.out)
    assert told["test"]["against"] == number
    assert all(number in {pair["a"], pair["b"]} for pair in told["pairs"])


def test_a_page_names_runs_of_teams_as_scores_do_and_what_it_leaves_aside(
    tmp_path: Path, capsys: Capture
) -> None:
    team = tmp_path / "runs" / "oak"
    team.mkdir(parents=True)
    for name, system in (("1", ALDER), ("2", BIRCH)):
        shutil.copy(system, team / f"{name}.tbf")
    (team / "README").write_text("ours\n", encoding="utf-8")
    page = tmp_path / "page.html"
    assert run(["report", GOLD, "--runs", str(tmp_path / "runs"), "-o", str(page)]) == 0
    assert "oak/README" in capsys.readouterr().err
    assert '"systems":["oak/1","oak/2"]' in page.read_text("utf-8").replace(" ", "")


def test_files_of_different_documents_are_one_run(tmp_path: Path, capsys: Capture) -> None:
    blocks = Path(ALDER).read_text("utf-8").split("#BeginOfDocument")[1:]
    (tmp_path / "runs" / "oak").mkdir(parents=True)
    for number, half in enumerate((blocks[:10], blocks[10:])):
        text = "".join(f"#BeginOfDocument{block}" for block in half)
        (tmp_path / "runs" / "oak" / f"part{number}.tbf").write_text(text, encoding="utf-8")
    assert run(["score", GOLD, "--runs", str(tmp_path / "runs"), "--format", "csv", "-q"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["system"] for row in rows} == {"oak"}


def test_many_systems_have_a_rank_and_equal_ones_the_same(tmp_path: Path, capsys: Capture) -> None:
    copy = tmp_path / "ash.tbf"
    shutil.copy(ALDER, copy)
    text = said(capsys, "score", GOLD, ALDER, BIRCH, str(copy), "--format", "markdown", "-q")
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("|")]
    rank = cells[0].index("rank")
    assert {line[1]: line[rank] for line in cells[2:]} == {"alder": "1", "ash": "1", "birch": "3"}


def test_a_folder_of_systems_that_is_taken_for_one_is_told(capsys: Capture) -> None:
    assert run(["compare", GOLD, "examples/systems"]) == 2
    assert "use --runs examples/systems" in capsys.readouterr().err


def test_only_the_best_run_of_a_team_is_compared(runs: Path, capsys: Capture) -> None:
    text = said(capsys, "compare", GOLD, "--runs", str(runs), "--best-per-team", "--format", "json", *QUICK)
    assert [place["system"] for place in json.loads(text)["systems"]] == ["oak/1", "elm/1"]


def test_a_folder_that_tells_equal_names_apart_is_no_team(tmp_path: Path, capsys: Capture) -> None:
    for name in ("gold", "ash", "runs/ash", "runs/fir", "runs/oak/1", "runs/oak/2"):
        tbf(tmp_path / name, "d")
    shutil.copy(tmp_path / "ash" / "x.tbf", tmp_path / "runs" / "oak.tbf")
    paths = [f"{tmp_path}/{name}" for name in ("gold", "ash")]
    words = ["score", *paths, "--runs", f"{tmp_path}/runs", "--best-per-team", "--format", "json", "-q"]
    inputs = json.loads(said(capsys, *words))["inputs"]
    shown = {Path(one["path"]).relative_to(tmp_path).as_posix() for one in inputs if one["role"] == "system"}
    assert shown == {"ash", "runs/ash", "runs/fir", "runs/oak.tbf", "runs/oak/1"}


def test_systems_can_be_numbers(runs: Path, capsys: Capture) -> None:
    assert run(["compare", GOLD, "--runs", str(runs), "--anonymous", "--format", "json", *QUICK]) == 0
    found = capsys.readouterr()
    assert "oak" not in found.out
    assert "is oak/1" in found.err


def test_the_name_of_a_run_in_its_file_is_hidden_too(tmp_path: Path, capsys: Capture) -> None:
    system = tmp_path / "oak.tbf"
    system.write_bytes(Path(ALDER).read_bytes().replace(b"alder\t", b"oak of elm\t"))
    words = ("score", GOLD, str(system), "--format", "json", "-q")
    assert '"run": "oak of elm"' in said(capsys, *words)
    assert "oak" not in said(capsys, *words, "--anonymous")


def tbf(folder: Path, *documents: str) -> None:
    """A run with one mention in each document."""
    folder.mkdir(parents=True)
    mention = "s\t{}\tE1\t0,4\tfled\tMovement_Transport-Person\tActual"
    texts = [f"#BeginOfDocument {one}\n{mention.format(one)}\n#EndOfDocument\n" for one in documents]
    (folder / "x.tbf").write_text("".join(texts), encoding="utf-8")


def test_a_finding_has_the_number_of_its_own_system_and_no_other(tmp_path: Path, capsys: Capture) -> None:
    """Paths that begin alike, and a system that is called as numbered ones are."""
    for name, documents in {"gold": "d", "ab/1": "d", "ab/10": "dx", "ab/system": "dxy"}.items():
        tbf(tmp_path / name, *documents)
    sides = [f"{tmp_path}/{name}" for name in ("gold", "ab/1", "./ab/10/", "ab/system")]
    assert run(["score", *sides, "--anonymous"]) == 0
    lines = capsys.readouterr().err.splitlines()
    number = {line.split(" is ")[1]: line.split()[1] for line in lines if " is " in line and "note" in line}
    found = [line for line in lines if "document-missing-in-gold" in line]
    assert [(line.split(":")[0], line.split(" of ")[1].split(" is ")[0]) for line in found] == [
        (number["10"], number["10"]),
        (number["system"], number["system"]),
        (number["system"], number["system"]),
    ]


def test_findings_of_runs_that_are_not_shown_are_not_shown_either(tmp_path: Path, capsys: Capture) -> None:
    tbf(tmp_path / "gold", "d")
    for run_name, documents in {"oak/1": "d", "elm/1": "d", "elm/2": "dy"}.items():
        tbf(tmp_path / "runs" / run_name, *documents)
    gold, runs = str(tmp_path / "gold"), str(tmp_path / "runs")
    words = ["score", gold, "--runs", runs, "--best-per-team", "--anonymous", "--format", "json"]
    assert run(words) == 0
    found = capsys.readouterr()
    assert json.loads(found.out)["findings"] == []
    assert "elm" not in found.out


def test_an_invalid_run_stops_no_other_and_decides_nothing(runs: Path, capsys: Capture) -> None:
    (runs / "fir.tbf").write_text("#BeginOfDocument nw01-depot\nfir\n#EndOfDocument\n", encoding="utf-8")
    assert run(["score", GOLD, "--runs", str(runs), "-q"]) == 3
    capsys.readouterr()
    assert run(["score", GOLD, "--runs", str(runs), "--skip-invalid", "--format", "csv", "-q"]) == 0
    found = capsys.readouterr()
    assert {row["system"] for row in csv.DictReader(io.StringIO(found.out))} == {"oak/1", "oak/2", "elm/1"}
    assert "left out: " in found.err
    assert "fir" in found.err


@pytest.mark.parametrize("figures", [("precision", "recall"), ("recall", "precision")])
def test_a_gate_looks_at_every_figure_whatever_their_order(figures: tuple[str, str], capsys: Capture) -> None:
    asked = [word for figure in figures for word in ("--figure", f"type+realis.{figure}")]
    assert run(["compare", GOLD, BIRCH, CEDAR, *asked, "--fail-if-worse", "-q"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert "type+realis.detection.micro.recall fell" in told


def test_findings_of_every_figure_are_told(tmp_path: Path, capsys: Capture) -> None:
    for name, clusters in (
        ("gold", [["a", "b"], ["c"]]),
        ("one", [["a"], ["b", "c"]]),
        ("two", [["a", "c"]]),
    ):
        lines = [
            json.dumps(
                {"doc_key": document, "clusters": {f"{document}{n}": one for n, one in enumerate(clusters)}}
            )
            for document in ("d1", "d2", "d3")
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("gold", "one", "two")]
    figures = ("--figure", "coref.b-cubed.f1", "--figure", "coref.blanc.f1")
    assert run(["compare", "coref", *files, "--unit", "corpus", *figures, "--resamples", "9"]) == 0
    told = capsys.readouterr().err
    assert told.count("[few-units]") == 1
    assert "blanc also counts links between units" in told


def test_valid_runs_decide_together_what_is_compared(tmp_path: Path, capsys: Capture) -> None:
    """One of them has no realis: type is the headline of both, whether a third one is refused or not."""
    plain = tmp_path / "plain"
    assert run(["convert", BIRCH, str(plain), "--to", "brat", "-q"]) == 0
    for path in plain.glob("*.ann"):
        kept = [line for line in path.read_text().splitlines(keepends=True) if not line.startswith("A")]
        path.write_text("".join(kept))
    words = ("score", "nugget", GOLD, ALDER, str(plain), "--profile", "exact", "-q")
    capsys.readouterr()
    together = said(capsys, *words)
    assert "2 systems, by type micro F1" in together
    assert said(capsys, *words, "--skip-invalid") == together
    bad = tmp_path / "bad.tbf"
    bad.write_text("garbage\n")
    assert said(capsys, *words, "--skip-invalid", str(bad)) == together


def test_what_a_left_out_run_should_try_has_a_line_of_its_own(runs: Path, capsys: Capture) -> None:
    (runs / "fir.tbf").write_text("garbage\n", encoding="utf-8")
    assert run(["score", GOLD, "--runs", str(runs), "--skip-invalid", "-q"]) == 0
    assert "\n    hint: a document is a block" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("--anonymous",),
        ("--runs", "examples/systems"),
        ("--gold-before", GOLD),
        ("--profile", "kbp2015"),
        ("--from", "tbf"),
    ],
)
def test_what_is_asked_of_files_is_refused_beside_summaries(
    words: tuple[str, ...], tmp_path: Path, capsys: Capture
) -> None:
    saved = str(tmp_path / "saved.json")
    said(capsys, "score", GOLD, ALDER, BIRCH, "--format", "json", "-o", saved, "-q")
    assert run(["compare", "--summaries", saved, saved, *words]) == 2
    told = capsys.readouterr()
    assert told.err.endswith(f"  hint: leave out {words[0]}\n")
    assert not told.out


def test_the_signature_of_many_systems_is_short(runs: Path, capsys: Capture) -> None:
    shutil.copy(ALDER, runs / "ash.tbf")
    document = json.loads(said(capsys, "score", GOLD, "--runs", str(runs), "--format", "json", "-q"))
    assert document["signature"].count("sys:") == 1
    assert "x4|" in document["signature"]
    assert len({item["content"] for item in document["inputs"] if item["role"] == "system"}) == 3


# -------------------------------------------------------------------------------------------------- intervals


def test_intervals_stand_beside_figures_in_every_layout(capsys: Capture) -> None:
    words = ("score", GOLD, ALDER, "--ci", *QUICK)
    assert "74.28 [" in said(capsys, *words)
    assert r"74.28 \[" in said(capsys, *words, "--format", "markdown")
    assert "74.28 [" in said(capsys, *words, "--format", "latex")
    (row,) = (
        row
        for row in csv.DictReader(io.StringIO(said(capsys, *words, "--format", "csv")))
        if (row["measurement"], row["average"]) == ("type+realis", "micro")
    )
    assert float(row["f1.low"]) < float(row["f1"]) < float(row["f1.high"])
    rows = json.loads(said(capsys, *words, "--format", "json"))["scores"]
    assert {len(ends) for row in rows for ends in (row["interval"] or {}).values()} == {2}
    assert all(row["interval"] is None for row in rows if row["scope"] == "document")


def test_figures_that_follow_from_others_have_intervals_too(capsys: Capture) -> None:
    case = "tests/conformance/arguments/80-random-1"
    words = ("arguments", f"{case}/annotation", f"{case}/system", "--profile", "kbp2014", "--from", "eal")
    (line,) = (
        line
        for line in said(capsys, "score", *words, "--ci", *QUICK).splitlines()
        if "unassessed right" in line
    )
    assert line.count("[") == 3


def test_columns_of_a_table_can_be_chosen(capsys: Capture) -> None:
    text = said(capsys, "score", GOLD, ALDER, BIRCH, "--show-columns", "span.f1,coref.b-cubed", "-q")
    assert "86.28  69.06  64.78  66.85" in text
    assert run(["score", GOLD, ALDER, "--show-columns", "spam.f1", "-q"]) == 2


def test_a_curve_is_shown_with_its_best_threshold(capsys: Capture) -> None:
    text = said(capsys, "score", GOLD, ALDER, "--curve", "-q")
    assert "best F1 75.43 at 0.6; average precision 61.75" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((GOLD, ALDER), "needs at least two systems"),
        ((GOLD, ALDER, BIRCH, "--figure", "typ.f1"), "no figure"),
        ((GOLD, ALDER, BIRCH, "--resample-by", "element"), "every document is compared by itself"),
        ((GOLD, ALDER, BIRCH, "--resamples", "0"), "not in the range"),
    ],
)
def test_bad_use_gets_a_clear_error(words: tuple[str, ...], message: str, capsys: Capture) -> None:
    assert run(["compare", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "damage",
    [
        lambda saved: saved.pop("version"),
        lambda saved: saved.update(inputs=[1]),
        lambda saved: saved["scores"][0].update(f1="x"),
        lambda saved: saved["scores"][-1].update(tally={"gold_total": 1}),
        lambda saved: saved["scores"][-1].pop("scope"),
        lambda saved: saved["diagnosis"].update(standing=[1]),
        lambda saved: saved.update(headline=[]),
        lambda saved: saved["headline"].update(figure="f\ud8001"),
        lambda saved: saved.update(signature={}),
    ],
)
def test_a_damaged_summary_is_refused(
    damage: Callable[[dict[str, Any]], object], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "last.json"
    files = ["examples/gold.tbf", "examples/systems/alder.tbf"]
    assert run(["score", *files, "-q", "--format", "json", "-o", str(path)]) == 0
    saved = json.loads(path.read_bytes())
    damage(saved)
    path.write_text(json.dumps(saved), encoding="utf-8")
    assert run(["compare", "--summaries", str(path), str(path), "--resamples", "10"]) == 3
    assert "the summary document is damaged" in capfd.readouterr().err
    assert run(["score", *files, "-q", "--against", str(path), "--max-drop", "0.1"]) == 3


def test_without_units_the_text_promises_no_interval_and_no_test(capsys: Capture) -> None:
    assert run(["compare", GOLD, ALDER, BIRCH, "--only-document", "nw04-sale"]) == 0
    head = capsys.readouterr().out.split("\n\n")[0]
    assert "1 document; no interval and no test: 'nw04-sale' is the only document" in " ".join(head.split())
    assert "draws" not in head
    assert "paired" not in head


def test_equal_systems_share_the_best_figure(capsys: Capture) -> None:
    assert run(["compare", GOLD, ALDER, ALDER, BIRCH, *QUICK]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "examples/systems/alder#1 and examples/systems/alder#2 share the best figure." in said


def test_a_gate_on_a_short_name_is_for_the_figure_that_compare_would_take(capsys: Capture) -> None:
    case = "tests/conformance/coref/big-merge"
    files = [f"{case}/key.conll", f"{case}/response.conll"]
    assert run(["score", "coref", *files, "-q", "--fail-under", "coref.f1=0.99"]) == 1
    assert "coref.conll.micro.f1 is" in capsys.readouterr().err
    ace = ["examples/ace/gold", "examples/ace/systems/alder"]
    assert run(["score", "ace", *ace, "-q", "--fail-under", "entity.f1=0.5"]) == 2
    assert "does not say which metric" in capsys.readouterr().err


def test_of_many_pairs_the_text_shows_some_and_says_how_many_there_are(
    tmp_path: Path, capsys: Capture
) -> None:
    for number in range(11):
        shutil.copy(ALDER, tmp_path / f"s{number:02}.tbf")
    words = ["compare", GOLD, "--runs", str(tmp_path), *QUICK]
    assert run(words) == 0
    text = capsys.readouterr().out
    assert text.count(" – s") == 45
    assert "… and 10 more pairs; -v shows all" in text
    assert run([*words, "-v"]) == 0
    assert capsys.readouterr().out.count(" – s") == 55


def test_a_saved_summary_may_be_packed(tmp_path: Path, capsys: Capture) -> None:
    for name, system in (("old", ALDER), ("new", BIRCH)):
        summary = said(capsys, "score", GOLD, system, "--format", "json", "-q")
        (tmp_path / f"{name}.json.gz").write_bytes(gzip.compress(summary.encode()))
    files = [str(tmp_path / f"{name}.json.gz") for name in ("old", "new")]
    assert "alder is best" in said(capsys, "compare", "--summaries", *files, *QUICK)


def test_the_first_line_names_settings_that_differ_from_the_profile(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_READING", "as-official")
    first = said(capsys, "compare", GOLD, ALDER, BIRCH, *QUICK).partition("\n")[0]
    assert first.startswith("lydite compare nugget, profile kbp2017 with reading=as-official: type+realis")
    first = said(capsys, "explain", GOLD, ALDER, "--no-budget", "-q").partition("\n")[0]
    assert first.startswith("nugget · kbp2017 · with reading=as-official · alder: type+realis")


@pytest.mark.parametrize("layout", ["text", "markdown", "latex", "csv"])
def test_a_name_forges_no_line_and_turns_no_text(layout: str, tmp_path: Path, capsys: Capture) -> None:
    name = "q\u202ex\n% y"
    shutil.copy(BIRCH, tmp_path / f"{name}.tbf")
    words = ["compare", GOLD, ALDER, str(tmp_path / f"{name}.tbf"), "--against", name, "--format", layout]
    text = said(capsys, *words, *QUICK)
    assert "\u202e" not in text
    assert not any(line.startswith(("% y", "y")) for line in text.splitlines())
    assert "q\\u202ex\\n" in text or "u202ex" in text


def test_what_is_found_in_the_gold_of_before_is_told(tmp_path: Path, capsys: Capture) -> None:
    gold, before = tmp_path / "gold.tbf", tmp_path / "before.tbf"
    mention = "x\td\tE{}\t0,4\tdied\tLife_Die\tActual\n"
    for path, ids in ((gold, "1"), (before, "12")):
        path.write_text(f"#BeginOfDocument d\n{''.join(map(mention.format, ids))}#EndOfDocument\n")
    assert run(["compare", str(gold), str(gold), "--gold-before", str(before)]) == 0
    assert f"{before}:3: warning: the same span, type and realis" in capsys.readouterr().err


def test_every_table_of_two_golds_says_which_items_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "before.tbf"
    before.write_text(Path(GOLD).read_text("utf-8").replace("Contact_Meet", "Life_Die", 1), "utf-8")
    words = ("compare", GOLD, ALDER, "--gold-before", str(before), "-q", "--format")
    (change,) = [line for line in said(capsys, *words, "text").splitlines() if line.endswith(": now right")]
    assert f"```text\nitems: 1 now right\n{change}\n```" in said(capsys, *words, "markdown")
    assert f"% items: 1 now right\n% {change}\n" in said(capsys, *words, "latex")


@pytest.mark.parametrize("layout", ["text", "markdown", "latex"])
def test_several_figures_are_followed_by_ranks_and_their_agreement(layout: str, capsys: Capture) -> None:
    figures = ["--figure", "type.f1", "--figure", "type.precision", "--figure", "type.recall"]
    out = said(capsys, "compare", GOLD, ALDER, BIRCH, CEDAR, *figures, "--format", layout, *QUICK)
    rows = out[out.index("Kendall's") :].replace("&", "").replace("|", "").splitlines()
    table = [row.split() for row in rows]
    taus = {(line[0], line[2]): line[3] for line in table if len(line) > 3}
    assert taus["f1", "precision"] == "-0.33"
    assert taus["precision", "recall"] == "-1.00"


def test_one_figure_has_no_table_of_ranks(capsys: Capture) -> None:
    assert run(["compare", GOLD, ALDER, BIRCH, "--figure", "type.f1", "--resamples", "9"]) == 0
    assert "Kendall" not in capsys.readouterr().out


def _saved_under(folder: Path, profile: str, *systems: str) -> str:
    path = str(folder / f"{profile}.json")
    words = ["score", GOLD, *systems, "--profile", profile, "--format", "json", "-o", path, "-q"]
    assert run(words) == 0
    return path


def test_one_run_under_two_profiles_is_two_measures_and_never_significantly_worse(
    tmp_path: Path, capsys: Capture
) -> None:
    before, after = _saved_under(tmp_path, "kbp2017", BIRCH), _saved_under(tmp_path, "exact", BIRCH)
    words = ["compare", "--summaries", before, after, *QUICK]
    sentences = " ".join(said(capsys, *words).split())
    assert "are one run under two measures: the difference is that of the measures" in sentences
    assert "significant" not in sentences
    assert "randomisation test" not in sentences
    document = json.loads(said(capsys, *words, "--format", "json"))
    (pair,) = document["pairs"]
    assert (pair["p"], pair["p_corrected"], pair["significant"]) == (None, None, None)
    assert pair["difference"] != 0
    assert [place["group"] for place in document["systems"]] == [None, None]
    assert run([*words, "--fail-if-worse"]) == 2
    assert "under one measure" in capsys.readouterr().err


def test_systems_of_one_of_two_measures_are_still_tested(tmp_path: Path, capsys: Capture) -> None:
    before = _saved_under(tmp_path, "kbp2017", ALDER, BIRCH)
    after = _saved_under(tmp_path, "exact", BIRCH)
    words = ["compare", "--summaries", before, after, *QUICK]
    pairs = json.loads(said(capsys, *words, "--format", "json"))["pairs"]
    tested = {(one["a"], one["b"]): one["significant"] for one in pairs}
    assert sorted(tested.values(), key=str) == [None, None, True]
    assert tested["alder", "birch (before)"] is True
    sentences = " ".join(said(capsys, *words).split())
    assert "paired randomisation test of 1 pair" in sentences
    assert "were scored by two measures: the difference is not that of the systems alone" in sentences
    assert "is best" not in sentences
