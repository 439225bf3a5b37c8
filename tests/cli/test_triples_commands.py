from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from triple_files import triple, write

CASES = Path(__file__).parent.parent / "conformance"
SEED = CASES / "triples" / "seed-example"


def test_every_triple_case_agrees(capfd: pytest.CaptureFixture[str]) -> None:
    status = run(["verify", str(CASES / "triples"), str(CASES / "triples-convert"), "--format", "json"])
    summary = json.loads(capfd.readouterr().out)["summary"]
    assert (status, summary["cases"], summary["agree"]) == (0, 85, 85)


def test_a_score_needs_two_files_and_nothing_else(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(SEED / "gold.trp"), str(SEED / "system.trp")]) == 0
    assert "partial_same *         75.00   60.00  66.67" in capfd.readouterr().out


def test_the_official_tables_belong_to_the_reference(capfd: pytest.CaptureFixture[str]) -> None:
    files = [str(SEED / "gold.trp"), str(SEED / "system.trp"), "--format", "official"]
    assert run(["score", *files]) == 2
    assert "choose --profile reference" in capfd.readouterr().err
    assert run(["score", *files, "--profile", "reference"]) == 0
    out = capfd.readouterr().out
    assert "evaluate\tper_relation\tpart-of\tgold_percent\t40\n" in out
    assert "debug\tmodes\tpartial_same\tprecision\t0.75\n" in out


def test_the_comparison_file_is_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    assert run(["score", str(SEED / "gold.trp"), str(SEED / "system.trp"), "--comparison", str(log)]) == 0
    capfd.readouterr()
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "## missed triples: 2"
    assert "agent\t1" in lines
    table = lines[
        lines.index("## overlapping pairs: system relations in rows, gold relations in columns") + 1 :
    ]
    assert table == [
        "\tagent\tlocation\tpart-of\ttime\t(spurious)",
        "agent\t0\t0\t0\t0\t1",
        "location\t0\t1\t0\t0\t0",
        "part-of\t0\t0\t1\t0\t0",
        "time\t0\t0\t0\t1\t0",
        "(missed)\t1\t0\t1\t0\t0",
        "",
    ]


def test_a_relation_that_is_called_like_what_lacks_has_a_row_of_its_own(
    tmp_path: Path,
) -> None:
    write(tmp_path / "gold.trp", triple("(spurious)", "w1"), triple("(missed)", "w2"))
    write(tmp_path / "system.trp", triple("(missed)", "w1"), triple("(spurious)", "w3"))
    files = [str(tmp_path / name) for name in ("gold.trp", "system.trp", "log")]
    assert run(["score", "triples", *files[:2], "--comparison", files[2]]) == 0
    assert Path(files[2]).read_text(encoding="utf-8").splitlines()[-5:] == [
        "\t'(missed)'\t'(spurious)'\t(spurious)",
        "'(missed)'\t0\t1\t0",
        "'(spurious)'\t0\t0\t1",
        "(missed)\t1\t0\t0",
        "",
    ]


def test_ill_formed_xml_is_refused_with_its_place(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.trp").write_text("<triples>\n<triple>\n")
    assert run(["score", "triples", str(SEED / "gold.trp"), str(tmp_path / "bad.trp")]) == 3
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "bad.trp:3:1: error: expected well-formed XML" in captured.err


def test_a_file_is_converted_with_a_report_of_what_was_left_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    case = CASES / "triples-convert" / "kybot-threshold-60"
    target = tmp_path / "out.trp"
    options = ["--kaf", str(case / "a.kaf"), "--wsd-threshold", "60"]
    assert run(["convert", str(case / "input.kybot.xml"), str(target), *options]) == 0
    assert "2 left out: roles below the word-sense threshold (r2, r9)" in capfd.readouterr().err
    assert target.read_bytes().count(b"<triple ") == 7


def test_a_folder_is_converted_file_by_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = CASES / "triples-convert" / "kaf-entity"
    (tmp_path / "in").mkdir()
    for name in ("a.kaf", "b.kaf"):
        (tmp_path / "in" / name).write_bytes((case / "input.kaf").read_bytes())
    assert (
        run(["convert", str(tmp_path / "in"), str(tmp_path / "out"), "--from", "kaf", "--layers", "entity"])
        == 0
    )
    assert "2 documents written as trp" in capfd.readouterr().err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.trp", "b.trp"]


@pytest.mark.parametrize(("there", "back"), [("trp", "triples-jsonl"), ("triples-jsonl", "trp")])
def test_files_of_triples_keep_their_names_and_change_their_extensions(
    tmp_path: Path, there: str, back: str
) -> None:
    (tmp_path / "a.trp").write_text("<triples><triple relation='r'/></triples>")
    folders = [f"{tmp_path}/{name}/" for name in ("one", "two")]
    assert run(["convert", str(tmp_path / "a.trp"), folders[0], "--to", there, "-q"]) == 0
    assert run(["convert", folders[0], folders[1], "--to", back, "-q"]) == 0
    endings = {"trp": ".trp", "triples-jsonl": ".jsonl"}
    names = [path.name for folder in folders for path in Path(folder).iterdir()]
    assert names == [f"a{endings[there]}", f"a{endings[back]}"]


@pytest.mark.parametrize("target", ["out/", "out.zip"])
def test_a_folder_that_was_converted_is_scored_against_what_it_was_scored_against_before(
    tmp_path: Path, target: str
) -> None:
    text = (CASES / "triples-convert" / "kaf-entity" / "input.kaf").read_bytes()
    for name in ("gold", "system"):
        (tmp_path / name).mkdir()
    for name in ("a", "b"):
        (tmp_path / "system" / f"{name}.kaf").write_bytes(text)
        words = [str(tmp_path / "system" / f"{name}.kaf"), str(tmp_path / "gold" / f"{name}.trp")]
        assert run(["convert", *words, "-q"]) == 0
    assert run(["convert", str(tmp_path / "system"), str(tmp_path / target), "--to", "trp", "--strict"]) == 0
    for system in ("system", target):
        assert lydite.score(tmp_path / "gold", tmp_path / system).headline_score() == 1.0


def test_a_format_that_cannot_be_written_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    case = CASES / "triples-convert" / "kaf-entity" / "input.kaf"
    assert run(["convert", str(case), str(tmp_path / "out.naf")]) == 2
    assert "cannot be written" in capfd.readouterr().err


def test_a_workbook_has_numbers_as_numbers_and_frozen_headings(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    target = tmp_path / "result.xlsx"
    assert run(["report", str(SEED / "gold.trp"), str(SEED / "system.trp"), "-o", str(target), "-q"]) == 0
    book = openpyxl.load_workbook(target)
    assert book.sheetnames == [
        "Overview",
        "Relations",
        "Profiles",
        "Documents",
        "Confusion",
        "Missed",
        "Wrong relation",
        "Spurious",
        "Correct",
    ]
    assert {sheet.freeze_panes for sheet in book} == {"A2"}
    relations = [[cell.value for cell in row] for row in book["Relations"].iter_rows(min_row=2)]
    (part_of,) = (row for row in relations if row[1:3] == ["partial_same", "part-of"])
    assert part_of[3:] == [2, 40, 1, 25, 1, 1, 0.5, pytest.approx(2 / 3)]
    assert [row[0].value for row in book["Confusion"].iter_rows(min_row=2)][-1] == "(missed)"
    again = tmp_path / "again.xlsx"
    run(["report", str(SEED / "gold.trp"), str(SEED / "system.trp"), "-o", str(again), "-q"])
    assert target.read_bytes() == again.read_bytes()


def test_a_text_that_looks_like_a_formula_stays_text(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    path = write(tmp_path / "gold.trp", triple("=1+1", "w1"))
    assert run(["report", "triples", path, path, "-o", str(tmp_path / "x.xlsx"), "-q"]) == 0
    cell = openpyxl.load_workbook(tmp_path / "x.xlsx")["Correct"]["D2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")


def test_annotators_are_compared(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = write(tmp_path / "anna.trp", triple("x", "w1"), triple("y", "w2"))
    second = write(tmp_path / "ben.trp", triple("x", "w1"), triple("x", "w2"))
    assert run(["agree", "triples", first, second]) == 0
    out = capfd.readouterr().out
    assert "relation: anna in rows, ben in columns" in out
    assert run(["agree", "triples", first, second, "--format", "json", "-q"]) == 0
    assert json.loads(capfd.readouterr().out)["schema"] == "lydite.agreement/1"


def test_a_system_may_come_from_stdin() -> None:
    import subprocess
    import sys

    with (SEED / "system.trp").open("rb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "lydite", "score", "triples", str(SEED / "gold.trp"), "-", "-q"],
            stdin=stream,
            capture_output=True,
            check=True,
        )
    assert b"partial_same *         75.00   60.00  66.67" in done.stdout


def what_if_rows(output: str) -> dict[str, list[str]]:
    rows = re.findall(r"^(\w+) +([+-]\S+) +([+-]\S+) +([+-]\S+)$", output, flags=re.MULTILINE)
    return {name: figures for name, *figures in rows}


def test_a_perfect_part_of_triples_changes_what_the_total_counts_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = [triple("a", name) for name in ("w1", "w2", "w3")] + [triple("b", name) for name in ("w4", "w5")]
    # Rule p: two right; rule q: one right, and w8, which is wrong, three times; w9 is wrong, and of both rules.
    right = [("a", "w1", "p"), ("a", "w2", "p"), ("b", "w4", "q")]
    wrong = [*3 * [("a", "w8", "q")], ("a", "w9", "p"), ("a", "w9", "q")]
    system = [triple(relation, token, profile_id=rule) for relation, token, rule in right + wrong]
    files = write(tmp_path / "gold.trp", *gold), write(tmp_path / "system.trp", *system)
    words = ["score", "triples", *files, "--what-if", "-q"]
    assert run([*words, "--by", "relation"]) == 0
    # C = 3, S = 5, G = 5: F1 = 6/10.  Relation a without its two false ones 6/8, with w3 found 8/11, both 8/9;
    # relation b has no false one, and with w5 found 8/11.
    assert what_if_rows(capsys.readouterr().out) == {
        "a": ["+15.00", "+12.73", "+28.89"],
        "b": ["+0.00", "+12.73", "+12.73"],
    }
    assert run([*words, "--by", "profile"]) == 0
    # A perfect q would not give w8, but p would still give w9: 6/9.  Gold knows no rules, so recall stays.
    assert what_if_rows(capsys.readouterr().out) == {
        "q": ["+6.67", "+0.00", "+6.67"],
        "p": ["+0.00", "+0.00", "+0.00"],
    }


@pytest.mark.parametrize("attribute", ["relation", "profile", "doc"])
def test_what_if_is_refused_where_the_order_of_the_file_decides_on_credit(
    attribute: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The triple of ``b`` is a duplicate, which costs nothing, and among those of ``b`` it is a false alarm."""
    gold = write(tmp_path / "gold.trp", triple("a", "w1", "w2"))
    system = [triple(name, "w1", "w2", profile_id="p") for name in ("a", "b")]
    words = ["score", "triples", gold, write(tmp_path / "system.trp", *system), "--by", attribute, "-q"]
    assert run([*words, "--profile", "reference", "--ignore-relations"]) == 0
    assert run([*words, "--profile", "reference", "--ignore-relations", "--what-if"]) == 2
    assert "which triples get credit depends on their order" in capsys.readouterr().err.replace("\n", " ")
