"""``report``, ``--by`` and ``--what-if``: every task, everything that it can be broken down by."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_files
from lydite.tasks import TASKS
from scored_examples import EXAMPLES

Capture = pytest.CaptureFixture[str]


def breakdowns() -> list[tuple[str, str]]:
    found = []
    for task, (gold, system) in EXAMPLES.items():
        summary, asked = score_files(UserChoice(task=task), gold, [system])
        names = {name for row in summary.rows for name in row.by}
        assert names <= {
            name
            for measurement in asked.task.measurements(asked.profile.resolved(summary.settings).settings)
            for name in measurement.breakdowns
        }
        found += [(task, name) for name in ("doc", *sorted(names))]
    return found


def test_there_is_an_example_of_every_task() -> None:
    assert set(EXAMPLES) == set(TASKS)


@pytest.mark.parametrize("task", EXAMPLES)
def test_every_task_has_a_workbook(task: str, tmp_path: Path) -> None:
    target = tmp_path / "x.xlsx"
    assert run(["report", task, *EXAMPLES[task], "-o", str(target), "-q"]) == 0
    with zipfile.ZipFile(target) as book:
        assert any(name.endswith("sheet1.xml") for name in book.namelist())


@pytest.mark.parametrize("layout", ["text", "markdown", "latex"])
@pytest.mark.parametrize("task", EXAMPLES)
def test_every_breakdown_can_be_asked_what_if(task: str, layout: str, capsys: Capture) -> None:
    for _, name in [found for found in BREAKDOWNS if found[0] == task]:
        status = run(["score", task, *EXAMPLES[task], "--by", name, "--what-if", "-q", "--format", layout])
        output = capsys.readouterr()
        assert status == 0, output.err
        assert re.search(r"[+-]\d+\.\d\d", output.out), name


BREAKDOWNS = breakdowns()


def test_a_perfect_document_is_worth_what_it_lacks(capsys: Capture) -> None:
    """One document: made perfect, the total is 100, whatever the metric."""
    total = 46.43
    assert run(["score", "coref", *EXAMPLES["coref"], "--by", "doc", "--what-if", "-q"]) == 0
    assert f"{100 - total:+.2f}" in capsys.readouterr().out


def test_a_type_mended_and_scored_again_gains_what_was_printed(tmp_path: Path, capsys: Capture) -> None:
    def write(name: str, *spans: list[object]) -> str:
        (tmp_path / name).write_text(json.dumps({"doc_id": "d", "spans": spans}), encoding="utf-8")
        return str(tmp_path / name)

    gold = write("gold.jsonl", [0, 2, "PER"], [3, 5, "PER"], [6, 8, "LOC"])
    right, wrong, alarm = [0, 2, "PER"], [6, 8, "PER"], [9, 11, "LOC"]
    words = ["score", "spans", gold, write("system.jsonl", right, wrong, alarm), "--by", "type", "--what-if"]
    assert run([*words, "-q"]) == 0
    # One of three and three: 1/3.  PER without its wrong span 2/5, with [3, 5] found 4/7, with both 2/3.
    assert re.search(r"^PER +\+6\.67 +\+23\.81 +\+33\.33$", capsys.readouterr().out, flags=re.MULTILINE)
    missed = [3, 5, "PER"]
    for spans, f1 in (
        ((right, alarm), 2 / 5),
        ((right, wrong, alarm, missed), 4 / 7),
        ((right, alarm, missed), 2 / 3),
    ):
        mended = lydite.score(gold, write("mended.jsonl", *spans), task="spans")
        assert mended.headline_score() == pytest.approx(f1)


def test_what_the_total_leaves_out_has_nothing_to_give(tmp_path: Path, capsys: Capture) -> None:
    """Documents without gold mentions are skipped: false alarms there cost nothing, whatever they are counted by."""
    mention = "x\t{}\t{}\t{}\tword\t{}\tActual\n"
    both = "#BeginOfDocument d1\n{}#EndOfDocument\n#BeginOfDocument d2\n{}#EndOfDocument\n"
    attacks = [
        mention.format("d1", name, span, "Conflict_Attack") for name, span in (("a", "0,8"), ("b", "9,17"))
    ]
    alarms = [mention.format("d2", kind, "0,8", kind) for kind in ("Conflict_Attack", "Life_Die")]
    (tmp_path / "gold.tbf").write_text(both.format("".join(attacks), ""))
    (tmp_path / "system.tbf").write_text(both.format(attacks[0], "".join(alarms)))
    files = [str(tmp_path / "gold.tbf"), str(tmp_path / "system.tbf")]
    assert run(["score", *files, "--by", "doc,type", "--what-if", "-q"]) == 0
    found = re.findall(r"^(\w+) +(\+\S+) +(\+\S+) +(\+\S+)$", capsys.readouterr().out, flags=re.MULTILINE)
    # One of two is found, and nothing that counts is false: F1 is 2/3.
    attack, nothing = ("+0.00", "+33.33", "+33.33"), ("+0.00", "+0.00", "+0.00")
    assert found == [("d1", *attack), ("d2", *nothing), ("Conflict_Attack", *attack), ("Life_Die", *nothing)]


def test_what_if_without_by_says_what_it_needs(capsys: Capture) -> None:
    assert run(["score", *EXAMPLES["nugget"], "--what-if", "-q"]) == 2
    assert "--what-if needs --by" in capsys.readouterr().err


@pytest.mark.parametrize("layout", ["text", "json", "csv"])
def test_a_misspelt_breakdown_is_refused_in_every_layout(layout: str, capsys: Capture) -> None:
    assert run(["score", *EXAMPLES["nugget"], "--by", "tpye", "-q", "--format", layout]) == 2
    output = capsys.readouterr()
    assert not output.out
    assert "did you mean 'type'?" in output.err


@pytest.mark.parametrize("task", EXAMPLES)
def test_no_column_of_a_table_holds_only_dashes(task: str, capsys: Capture) -> None:
    assert run(["score", task, *EXAMPLES[task], "--by", "doc", "-q"]) == 0
    for block in capsys.readouterr().out.split("\n\n")[1:-1]:
        rows = [line.split()[::-1] for line in block.splitlines()[2:]]
        figures = [row for row in rows if row[0].replace(".", "").replace("–", "").isdigit() or row[0] == "–"]
        for place in range(min(map(len, figures), default=0)):
            assert {row[place] for row in figures} != {"–"}, block


def test_a_system_of_which_nothing_is_defined_stays_in_a_breakdown(tmp_path: Path, capsys: Capture) -> None:
    silent = tmp_path / "silent.tbf"
    silent.write_text("#BeginOfDocument nw05-wenn\n#EndOfDocument\n", encoding="utf-8")
    paths = ["examples/gold.tbf", str(silent), "examples/systems/cedar.tbf"]
    assert run(["score", *paths, "--by", "type", "--format", "markdown", "-q"]) == 0
    assert "| type | gold | cedar | silent |" in capsys.readouterr().out


def test_a_workbook_has_every_digit_of_every_figure(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    paths = ["examples/gold.tbf", "examples/systems/birch.tbf"]
    assert run(["report", *paths, "-o", str(tmp_path / "x.xlsx"), "-q"]) == 0
    head, *rows = openpyxl.load_workbook(tmp_path / "x.xlsx")["Overview"].values
    found = [tuple(row[head.index(name)] for name in ("precision", "recall", "f1")) for row in rows]
    assert found == [tuple(row.score[:3]) for row in lydite.score(*paths).corpus_rows()]


def test_a_sheet_of_parts_that_are_called_as_a_figure_names_them(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    assert run(["report", "ace", *EXAMPLES["ace"], "-o", str(tmp_path / "x.xlsx"), "-q"]) == 0
    head, *rows = openpyxl.load_workbook(tmp_path / "x.xlsx")["Value"].values
    assert head[:3] == ("system", "value", "measurement")
    assert "0.5-1.0" in {row[1] for row in rows}


def test_a_workbook_that_has_no_room_for_all_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lydite.report.spreadsheet.MOST_ROWS", 20)
    paths = ["examples/gold.tbf", "examples/systems/birch.tbf"]
    assert run(["report", *paths, "-o", str(tmp_path / "x.xlsx"), "-q"]) == 2
    assert "the sheet 'Documents' would have 280 rows" in capsys.readouterr().err
    assert not (tmp_path / "x.xlsx").exists()


def test_what_if_uses_the_weights_of_a_mean_of_metrics(tmp_path: Path, capsys: Capture) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text('{"doc_id": "d1", "clusters": [[[0, 4], [5, 9], [10, 14]]]}\n')
    system.write_text('{"doc_id": "d1", "clusters": [[[20, 24], [25, 29]]]}\n')
    told = ["--by", "doc", "--what-if", "--quiet", "--averages", "macro,micro", "--mela-weights", "1,0,0"]
    assert run(["score", "coref", str(gold), str(system), *told]) == 0
    title, _, line = capsys.readouterr().out.partition("change of ")[2].splitlines()[:3]
    assert title == "CoNLL micro F1 if a document had perfect"
    # Only MUC has a weight: two links of two are found beside one false one, F1 4/5.
    assert line.split() == ["d1", "+0.00", "+80.00", "+100.00"]
