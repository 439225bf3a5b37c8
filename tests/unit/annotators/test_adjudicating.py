"""From annotators who differ to one gold."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.errors import InvalidInput

ROOT = Path(__file__).parent.parent.parent.parent
SYSTEMS = ROOT / "examples" / "systems"
ALDER, CEDAR = SYSTEMS / "alder.tbf", SYSTEMS / "cedar.tbf"
TRIPLES = ROOT / "examples" / "triples"

ANNA = '{"doc_key": "d1", "clusters": [[[0, 1], [3, 3], [8, 9]], [[5, 6]]]}\n'
BEN = '{"doc_key": "d1", "clusters": [[[0, 1], [3, 3]], [[5, 6], [8, 9]], [[11, 11]]]}\n'


def sheet_of(folder: Path, *words: str) -> Path:
    sheet = folder / "sheet.csv"
    assert run(["adjudicate", *words, "-o", str(sheet), "-q"]) == 0
    return sheet


def fill(sheet: Path, decide: dict[str, str] | str, column: str = "decision") -> None:
    rows = list(csv.reader(sheet.read_text("utf-8-sig").splitlines()))
    at = rows[0].index(column)
    for row in rows[1:]:
        row[at] = decide if isinstance(decide, str) else decide.get(row[4] or row[5], row[at])
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


@pytest.fixture
def clusters(tmp_path: Path) -> tuple[str, str]:
    anna, ben = tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"
    anna.write_text(ANNA, encoding="utf-8")
    ben.write_text(BEN, encoding="utf-8")
    return str(anna), str(ben)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_whoever_is_always_right_becomes_gold(letter: str, tmp_path: Path) -> None:
    files = [str(ALDER), str(CEDAR)]
    sheet, gold = sheet_of(tmp_path, *files), tmp_path / "gold.tbf"
    fill(sheet, letter)
    assert run(["adjudicate", *files, "--decisions", str(sheet), "-o", str(gold), "-q"]) == 0
    score = lydite.score(gold, files["ab".index(letter)])["type+realis"].micro
    assert (score.precision, score.recall) == (1.0, 1.0)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_coreference_is_decided_by_mention_and_by_link(
    letter: str, clusters: tuple[str, str], tmp_path: Path
) -> None:
    sheet, gold = sheet_of(tmp_path, "coref", *clusters), tmp_path / "gold.jsonl"
    kinds = [row[2] for row in csv.reader(sheet.read_text("utf-8-sig").splitlines())][1:]
    assert kinds == ["link", "mention"]
    fill(sheet, letter)
    words = [
        "adjudicate",
        "coref",
        *clusters,
        "--decisions",
        str(sheet),
        "-o",
        str(gold),
        "--to",
        "coref-jsonl",
        "-q",
    ]
    assert run(words) == 0
    chosen = clusters["ab".index(letter)]
    assert lydite.score(gold, chosen, task="coref")["coref"]["b-cubed"].f1 == 1.0


def fill_book(sheet: Path, decide: str) -> list[list[str]]:
    """Decide in every row of a workbook, as a spreadsheet would save it; the rows before."""
    from openpyxl import load_workbook

    book = load_workbook(sheet)
    page = book.worksheets[0]
    rows = [["" if cell is None else str(cell) for cell in row] for row in page.iter_rows(values_only=True)]
    at = rows[0].index("decision") + 1
    for line in range(2, len(rows) + 1):
        page.cell(line, at).value = decide
    book.save(sheet)
    return rows


@pytest.mark.parametrize("letter", ["a", "b"])
def test_a_workbook_holds_the_same_sheet_and_its_decisions_come_back(letter: str, tmp_path: Path) -> None:
    files = [str(ALDER), str(CEDAR)]
    sheet, gold = tmp_path / "sheet.xlsx", tmp_path / "gold.tbf"
    assert run(["adjudicate", *files, "-o", str(sheet), "-q"]) == 0
    assert fill_book(sheet, letter.upper()) == list(lydite.adjudicate(*files).sheet())
    assert run(["adjudicate", *files, "--decisions", str(sheet), "-o", str(gold), "-q"]) == 0
    score = lydite.score(gold, files["ab".index(letter)])["type+realis"].micro
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_mentions_that_look_like_numbers_and_dates_stay_text_in_a_workbook(
    clusters: tuple[str, str], tmp_path: Path
) -> None:
    sheet, gold = tmp_path / "sheet.xlsx", tmp_path / "gold.jsonl"
    assert run(["adjudicate", "coref", *clusters, "-o", str(sheet), "-q"]) == 0
    rows = fill_book(sheet, "b")
    assert [row[5] for row in rows[1:]] == ["8-9 → 5-6", "11"]
    words = ["--decisions", str(sheet), "-o", str(gold), "--to", "coref-jsonl", "-q"]
    assert run(["adjudicate", "coref", *clusters, *words]) == 0
    assert lydite.score(gold, clusters[1], task="coref")["coref"]["b-cubed"].f1 == 1.0


def test_a_workbook_offers_the_decisions_that_there_are(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    sheet = tmp_path / "sheet.xlsx"
    assert run(["adjudicate", str(ALDER), str(CEDAR), str(ALDER), "-o", str(sheet), "-q"]) == 0
    page = load_workbook(sheet).worksheets[0]
    (rule,) = page.data_validations.dataValidation
    assert (rule.formula1, str(rule.sqref).split(":")[0]) == ('"a,b,c,both,neither"', "I2")
    assert page["I1"].value == "decision"


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_triples_without_a_second_element_come_back_from_a_sheet(ending: str, tmp_path: Path) -> None:
    files = [str(TRIPLES / "pos.gold.trp"), str(TRIPLES / "pos.system.trp")]
    sheet, gold = tmp_path / f"sheet.{ending}", tmp_path / "gold.trp"
    assert run(["adjudicate", *files, "-o", str(sheet), "-q"]) == 0
    words = ["--decisions", str(sheet), "-o", str(gold), "--to", "trp", "--undecided", "b", "-q"]
    assert run(["adjudicate", *files, *words]) == 0
    assert lydite.score(gold, files[1])["exact_same"].micro.f1 == 1.0


def test_triples_are_decided_by_their_relations(tmp_path: Path) -> None:
    files = [str(TRIPLES / "gold.trp"), str(TRIPLES / "system.trp")]
    sheet, gold = sheet_of(tmp_path, *files), tmp_path / "gold.trp"
    fill(sheet, "b")
    assert run(["adjudicate", *files, "--decisions", str(sheet), "-o", str(gold), "--to", "trp", "-q"]) == 0
    assert lydite.score(gold, files[1])["exact_same"].micro.f1 == 1.0


def test_spans_in_brat_are_decided_too(tmp_path: Path) -> None:
    folders = []
    for name, end in (("anna", 8), ("ben", 6)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "d1.txt").write_text("attacked the town", encoding="utf-8")
        words = "attacked the town"[:end]
        lines = [f"T1\tConflict_Attack 0 {end}\t{words}", "E1\tConflict_Attack:T1", "A1\tRealis E1 Actual"]
        (folder / "d1.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
        folders.append(str(folder))
    sheet, gold = sheet_of(tmp_path, "nugget", *folders), tmp_path / "gold"
    fill(sheet, "b")
    words_ = [
        "adjudicate",
        "nugget",
        *folders,
        "--decisions",
        str(sheet),
        "-o",
        f"{gold}/",
        "--to",
        "brat",
        "-q",
    ]
    assert run(words_) == 0
    assert lydite.score(gold, folders[1], task="nugget")["span"].micro.f1 == 1.0


def test_an_edited_value_counts_and_is_logged(tmp_path: Path) -> None:
    files = [str(ALDER), str(CEDAR)]
    sheet, gold = sheet_of(tmp_path, *files), tmp_path / "gold.tbf"
    fill(sheet, {"41,44 | Justice_Arrest-Jail | Actual": "40,44 | Life_Die | Other"}, "edited")
    words = ["adjudicate", *files, "--decisions", str(sheet), "-o", str(gold), "--undecided", "drop", "-q"]
    assert run(words) == 0
    assert "E1\t40,44\t" in gold.read_text("utf-8")
    log = (tmp_path / "gold.tbf.decisions.csv").read_text("utf-8-sig").splitlines()
    assert log[1] == 'df01-boots#1,df01-boots,mention,edit,"40,44 | Life_Die | Other",'
    assert log[2].startswith("df01-boots#2,df01-boots,mention,undecided: drop,nothing")


def test_the_majority_of_three_is_suggested() -> None:
    found = lydite.adjudicate(ALDER, CEDAR, ALDER)
    rows = list(found.sheet())
    suggestions = {row[rows[0].index("suggestion")] for row in rows[1:]}
    assert suggestions == {"a", "neither"}


def test_undecided_and_unknown_decisions_are_refused_together(tmp_path: Path) -> None:
    files = [str(ALDER), str(CEDAR)]
    sheet = sheet_of(tmp_path, *files)
    fill(sheet, {"41,44 | Justice_Arrest-Jail | Actual": "maybe"})
    with pytest.raises(InvalidInput) as refusal:
        lydite.adjudicate(*files).gold(sheet)
    codes = {finding.code for finding in refusal.value.findings}
    assert codes == {"undecided-item", "unknown-decision"}


def test_a_sheet_of_other_files_is_refused(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, str(ALDER), str(CEDAR))
    with pytest.raises(InvalidInput) as refusal:
        lydite.adjudicate(ALDER, SYSTEMS / "birch.tbf").gold(sheet, undecided="a")
    assert {finding.code for finding in refusal.value.findings} == {"other-sheet"}
