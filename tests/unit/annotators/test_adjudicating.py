"""From annotators who differ to one gold."""

from __future__ import annotations

import csv
import json
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


def refused(found: lydite.Adjudication, sheet: Path) -> list[tuple[str, int | None]]:
    with pytest.raises(InvalidInput) as refusal:
        found.gold(sheet, undecided="a")
    return [(one.code, one.location.line) for one in refusal.value.findings if one.location is not None]


def test_a_row_of_an_item_that_is_not_asked_about_is_refused(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, str(ALDER), str(CEDAR))
    with sheet.open("a", encoding="utf-8") as stream:
        stream.write("nowhere#1,nowhere,mention,,,,,a,,\r\n,,,,,,,,,\r\n")
    assert refused(lydite.adjudicate(ALDER, CEDAR), sheet) == [("other-sheet", 132)]


def test_two_rows_of_one_item_are_refused(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, str(ALDER), str(CEDAR))
    fill(sheet, "a")
    first = sheet.read_text("utf-8").splitlines()[1]
    with sheet.open("a", encoding="utf-8") as stream:
        stream.write(first.replace(",a,,", ",neither,,") + "\r\n")
    assert refused(lydite.adjudicate(ALDER, CEDAR), sheet) == [("other-sheet", 132)]


def test_a_decision_on_a_document_whose_name_begins_with_an_apostrophe_counts(tmp_path: Path) -> None:
    for name, kind in (("anna", "Life_Die"), ("ben", "Conflict_Attack")):
        line = f"{name}\t'd\tE1\t0,8\tattacked\t{kind}\tActual"
        (tmp_path / f"{name}.tbf").write_text(
            f"#BeginOfDocument 'd\n{line}\n#EndOfDocument\n", encoding="utf-8"
        )
    files = [str(tmp_path / "anna.tbf"), str(tmp_path / "ben.tbf")]
    sheet = sheet_of(tmp_path, *files)
    fill(sheet, "b")
    gold, _ = lydite.adjudicate(*files).gold(sheet, undecided="a")
    assert [mention.type for mention in gold.documents["'d"].mentions] == ["Conflict_Attack"]


@pytest.mark.parametrize("span", ["-5,44", "4_1,44", "\u0664\u0661,44", "44,41", ""])
def test_an_edited_span_is_made_of_offsets(span: str, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, str(ALDER), str(CEDAR))
    edited = {"41,44 | Justice_Arrest-Jail | Actual": f"{span} | Life_Die | Actual"}
    fill(sheet, edited, "edited")
    assert refused(lydite.adjudicate(ALDER, CEDAR), sheet) == [("unknown-decision", 2)]


def gold_of(folder: Path, files: list[str], *words: str) -> int:
    sheet = sheet_of(folder, *files)
    return run(["adjudicate", *files, "--decisions", str(sheet), "--undecided", "a", *words])


@pytest.mark.parametrize("target", ["ere", "trp"])
def test_gold_in_a_format_that_cannot_hold_it_is_wrong_usage(target: str, tmp_path: Path) -> None:
    assert gold_of(tmp_path, [str(ALDER), str(CEDAR)], "-o", f"{tmp_path}/gold/", "--to", target) == 2
    assert not (tmp_path / "gold").exists()


def test_what_the_format_of_gold_cannot_hold_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(ROOT / "examples" / "systems-tokens" / name) for name in ("alder.tbf", "cedar.tbf")]
    assert gold_of(tmp_path, files, "-o", f"{tmp_path}/gold/", "--to", "brat") == 0
    assert "dropped: 174 mentions: " in capsys.readouterr().err


def test_arguments_that_are_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = '{"doc_key": "d", "sentences": [["Rebels", "fled"]], "events": [[[[1, "Escape"], [0, 0, "Agent"]]]]}\n'
    (tmp_path / "anna.jsonl").write_text(record, encoding="utf-8")
    files = ["nugget", *[str(tmp_path / "anna.jsonl")] * 2]
    assert gold_of(tmp_path, files, "-o", str(tmp_path / "gold.tbf")) == 0
    assert "note: arguments of events are not adjudicated and were left out" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--log", "GOLD"], ["--log", "-", "-o", "-"], ["-o", "-"]])
def test_gold_and_the_log_have_places_of_their_own(words: list[str], tmp_path: Path) -> None:
    gold = str(tmp_path / "gold.tbf")
    words = ["-o", gold, *(gold if word == "GOLD" else word for word in words), "--to", "tbf"]
    assert gold_of(tmp_path, [str(ALDER), str(CEDAR)], *words) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sheet.csv"]


@pytest.mark.parametrize("option", ["--undecided=a", "--to=tbf", "--log=log.csv"])
def test_options_of_gold_need_decisions(option: str, tmp_path: Path) -> None:
    assert run(["adjudicate", str(ALDER), str(CEDAR), "-o", str(tmp_path / "sheet.csv"), option]) == 2


def test_more_annotators_than_letters_are_refused(tmp_path: Path) -> None:
    assert run(["adjudicate", *[str(ALDER)] * 27, "-o", str(tmp_path / "sheet.csv")]) == 2


def test_a_mention_in_two_clusters_is_refused(tmp_path: Path) -> None:
    both = tmp_path / "both.clusters"
    both.write_text("d#0-1\ta\nd#3-4\ta\nd#3-4\tb\nd#5-6\tb\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refusal:
        lydite.adjudicate(both, both, task="coref")
    assert {finding.code for finding in refusal.value.findings} == {"repeated-mention"}
    assert "mention 3 is in cluster 'a' and again in 'b'" in str(refusal.value)


def test_the_order_in_which_annotators_write_the_ids_of_a_triple_is_no_difference(tmp_path: Path) -> None:
    files = []
    for name, ids in (("anna", '"w1", "w2", "w10"'), ("ben", '"w10", "w2", "w1"')):
        files.append(tmp_path / f"{name}.jsonl")
        line = f'{{"doc": "d", "relation": "r", "first": {{"ids": [{ids}]}}, "second": {{"ids": ["w3"]}}}}\n'
        files[-1].write_text(line, encoding="utf-8")
    assert list(lydite.adjudicate(*files, task="triples").differences()) == []


@pytest.mark.parametrize("spans", [("0,3;5,8", "5,8;0,3"), ("t2,t10", "t10,t2")])
def test_the_order_in_which_annotators_write_the_parts_of_a_span_is_no_difference(
    spans: tuple[str, str], tmp_path: Path
) -> None:
    files = [tmp_path / "anna.tbf", tmp_path / "ben.tbf"]
    for path, span in zip(files, spans, strict=True):
        line = f"x\td\tE1\t{span}\tabc de\tLife_Die\tActual\n"
        path.write_text(f"#BeginOfDocument d\n{line}#EndOfDocument\n", encoding="utf-8")
    (tmp_path / "d.tab").write_text("t2\tabc\t0\t3\nt10\tde\t5\t8\n", encoding="utf-8")
    settings = {"tokens": str(tmp_path)} if spans[0].startswith("t") else {}
    assert list(lydite.adjudicate(*files, **settings).differences()) == []


@pytest.mark.parametrize("target", ["gold.lydite.jsonl", "gold.jsonl", "gold.clusters"])
def test_clusters_of_two_adjudicated_documents_stay_two(target: str, tmp_path: Path) -> None:
    anna = tmp_path / "anna.jsonl"
    anna.write_text(ANNA + ANNA.replace("d1", "d2"), encoding="utf-8")
    sheet, gold = sheet_of(tmp_path, "coref", str(anna), str(anna)), tmp_path / target
    words = [str(anna), str(anna), "--decisions", str(sheet), "-o", str(gold), "-q"]
    assert run(["adjudicate", "coref", *words]) == 0
    found = lydite.score(anna, gold, task="coref", unit="corpus")
    assert found["coref"]["muc"].f1 == 1


def test_words_without_offsets_are_placed_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "d1.txt").write_text("He fled and they voted.", encoding="utf-8")
    fled = {"id": "1", "text": "fled", "type": "Movement_Transport-Person", "realis": "Actual"}
    voted = {"id": "2", "text": "voted", "type": "Personnel_Elect", "realis": "Actual"}
    for name, mentions in {"anna": [fled], "ben": [fled, voted]}.items():
        line = json.dumps({"doc_id": "d1", "mentions": mentions})
        (tmp_path / f"{name}.jsonl").write_text(line, encoding="utf-8")
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("anna", "ben")]
    found = lydite.adjudicate(*paths, task="nugget", ground=True, documents=str(tmp_path))
    assert [row[5] for row in found.sheet()][1:] == ["17,22 | Personnel_Elect | Actual"]


def test_a_triple_that_no_annotator_has_can_be_written_into_the_sheet(tmp_path: Path) -> None:
    files = [tmp_path / "anna.jsonl", tmp_path / "ben.jsonl"]
    line = '{{"doc": "d", "relation": "r", "first": {{"ids": ["w1"]}}, "second": {{"ids": ["{}"]}}}}\n'
    for path, second in zip(files, ("w2", "w3"), strict=True):
        path.write_text(line.format(second), encoding="utf-8")
    words = ["triples", *map(str, files)]
    sheet, gold = sheet_of(tmp_path, *words), tmp_path / "gold.trp"
    fill(sheet, {"r | w1 | w2": "s | w1 w4 | w2"}, "edited")
    fill(sheet, {"r | w1 | w3": "neither"})
    assert run(["adjudicate", *words, "--decisions", str(sheet), "-o", str(gold), "--to", "trp", "-q"]) == 0
    (decided,) = lydite.read(gold).documents.values()
    (triple,) = decided.layers["triples"]
    assert (triple.relation, triple.first.ids, triple.second.ids) == ("s", ("w1", "w4"), ("w2",))


def test_a_link_to_another_mention_can_be_written_into_the_sheet(
    clusters: tuple[str, str], tmp_path: Path
) -> None:
    sheet, gold = sheet_of(tmp_path, "coref", *clusters), tmp_path / "gold.jsonl"
    # Anna has 8-9 with 0-1 and 3, Ben with 5-6 and 11 by itself: neither is taken.
    fill(sheet, {"8-9 → 3": "8-9 → (first)"}, "edited")
    fill(sheet, {"11": "neither"})
    words = ["--decisions", str(sheet), "-o", str(gold), "--to", "coref-jsonl", "-q"]
    assert run(["adjudicate", "coref", *clusters, *words]) == 0
    assert json.loads(gold.read_text())["clusters"] == [[[0, 1], [3, 3]], [[5, 6]], [[8, 9]]]


@pytest.mark.parametrize("decision", ["8-9", "8-9 → 4", "r | w1"])
def test_a_link_that_leads_to_no_mention_is_refused(
    decision: str, clusters: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, gold = sheet_of(tmp_path, "coref", *clusters), tmp_path / "gold.jsonl"
    fill(sheet, {"8-9 → 3": decision}, "edited")
    fill(sheet, {"11": "neither"})
    words = ["--decisions", str(sheet), "-o", str(gold), "--to", "coref-jsonl", "-q"]
    assert run(["adjudicate", "coref", *clusters, *words]) != 0
    assert decision in capsys.readouterr().err
    assert not gold.exists()
