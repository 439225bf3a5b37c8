from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from xlsxwriter import Workbook

from argument_cases import argument, judged, store
from lydite.assess import sheets
from lydite.assess.guidelines import load_guidelines
from lydite.assess.stores import open_annotation
from lydite.errors import FormatError, InvalidInput
from lydite.formats.eal import write_annotation_file
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import open_texts
from lydite.model.argument import identifier_2015

TEXT = (
    "<doc>\n<DATELINE>\nNORR, May 4, 2010\n</DATELINE>\n"
    '<post author="gull" datetime="2010-05-05T09:12:00">\nAsk met Bo. They danced! Then rain came.\n</post>\n</doc>'
)
BEGIN = TEXT.index("Ask")
ASK = argument("Ask", begin=BEGIN, justification=((BEGIN, BEGIN + 11),))
BO = argument("Bo", begin=TEXT.index("Bo"), justification=((BEGIN, BEGIN + 11),))


@pytest.fixture
def annotation(tmp_path: Path) -> Any:
    return store(tmp_path / "ann", {"D": write_annotation_file([judged(ASK, ""), judged(BO, cluster=4)])})


def lines_of(path: str) -> Any:
    """The lines of a sheet of the store, as an assessor gets it."""
    return list(sheets.sheet_lines(open_annotation(path), load_taxonomy("kbp2014")))


def judgement(lines: list[list[str]]) -> Any:
    """Fill all judgement columns of the first line."""
    header, line = lines[0], lines[1]
    values = ["C", "C", "c", "I", "9", "Other", "name"]
    line[len(header) - 7 :] = values
    return lines


def written(tmp_path: Path, lines: list[list[str]], kind: Any) -> Any:
    path = tmp_path / f"sheet.{kind}"
    path.write_bytes(sheets.write_csv(lines) if kind == "csv" else sheets.write_xlsx(lines))
    return path


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_filled_sheet_reads_back_into_the_store(tmp_path: Path, annotation: str, kind: Any) -> None:
    lines = judgement(lines_of(annotation))
    outcome = sheets.read_back(open_annotation(annotation), written(tmp_path, lines, kind))
    rows = {row.argument: row for row in outcome.documents["D"]}
    assert (outcome.added, outcome.changed) == (1, 0)
    assert rows[ASK].assessment[:4] == ("C", "C", "C", "I")
    assert (rows[ASK].assessment.realis, rows[ASK].assessment.mention_type, rows[ASK].cluster) == (
        "Other",
        "NAME",
        9,
    )


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_untouched_sheet_changes_nothing(tmp_path: Path, annotation: str, kind: Any) -> None:
    outcome = sheets.read_back(open_annotation(annotation), written(tmp_path, lines_of(annotation), kind))
    assert (outcome.added, outcome.changed) == (0, 0)


def test_a_judgement_that_differs_is_refused_without_force(tmp_path: Path, annotation: str) -> None:
    lines = lines_of(annotation)
    lines[2][-4] = "W"
    path = written(tmp_path, lines, "csv")
    with pytest.raises(InvalidInput) as refused:
        sheets.read_back(open_annotation(annotation), path)
    assert [finding.code for finding in refused.value.findings] == ["judgement-differs"]
    assert sheets.read_back(open_annotation(annotation), path, force=True).changed == 1


@pytest.mark.parametrize(
    ("column", "value"), [(-7, "W"), (-6, "C"), (-5, "C"), (-4, "C"), (-2, "Actual"), (-1, "NAME")]
)
def test_a_single_judgement_is_never_taken_for_none(
    tmp_path: Path, annotation: str, column: int, value: str
) -> None:
    lines = lines_of(annotation)
    lines[1][column] = value
    path = written(tmp_path, lines, "csv")
    if column in {-7, -6}:  # what is no event of its type needs no further judgement
        assert sheets.read_back(open_annotation(annotation), path).added == 1
        return
    with pytest.raises(InvalidInput):
        sheets.read_back(open_annotation(annotation), path)


def test_a_coreference_id_alone_is_no_judgement(tmp_path: Path, annotation: str) -> None:
    lines = lines_of(annotation)
    lines[1][-3] = "9"
    outcome = sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))
    (row,) = (row for row in outcome.documents["D"] if row.argument == ASK)
    assert (outcome.added, row.assessment, row.cluster) == (0, None, 9)


def test_a_wrong_letter_is_reported_at_the_line_of_the_sheet(tmp_path: Path, annotation: str) -> None:
    lines = judgement(lines_of(annotation))
    lines[1][-7] = "Z"
    with pytest.raises(InvalidInput) as refused:
        sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))
    (finding,) = refused.value.findings
    assert (finding.code, finding.location.line, finding.location.column) == ("assessment-value", 2, 18)


@pytest.mark.parametrize("between", ["\n", "\r", "\t"])
def test_a_line_break_or_tab_in_a_judgement_is_reported_at_its_cell(
    tmp_path: Path, annotation: str, between: str
) -> None:
    lines = judgement(lines_of(annotation))
    lines[1][-7] = f"C{between}I"
    with pytest.raises(InvalidInput, match=r"sheet\.csv:2:18: error: event type: expected C, W, I .*'C I'"):
        sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))


def test_a_repeated_key_is_reported_with_both_lines(tmp_path: Path, annotation: str) -> None:
    lines = lines_of(annotation)
    lines.insert(2, lines[1])
    with pytest.raises(FormatError, match=f"the key {lines[1][0]!r} stands on line 2 already") as refused:
        sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))
    assert refused.value.findings[0].location.line == 3  # type: ignore[union-attr]


def test_a_missing_column_is_reported_at_the_header(tmp_path: Path, annotation: str) -> None:
    lines = [line[:-1] for line in lines_of(annotation)]
    with pytest.raises(FormatError, match=r"the column .* is missing") as refused:
        sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))
    assert refused.value.findings[0].location.line == 1  # type: ignore[union-attr]


def test_a_key_that_the_store_does_not_know_is_refused(tmp_path: Path, annotation: str) -> None:
    lines = lines_of(annotation)
    lines[1][0] = "r000"
    with pytest.raises(InvalidInput, match="belongs to no argument"):
        sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\xff\xfe", b'"'])
def test_any_bytes_give_a_sheet_or_a_finding(tmp_path: Path, annotation: str, data: bytes) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(data)
    with pytest.raises(FormatError):
        sheets.read_back(open_annotation(annotation), path)


def test_a_sheet_shows_the_text_the_sentence_and_where_it_was_posted(tmp_path: Path, annotation: str) -> None:
    texts = open_texts(store(tmp_path / "docs", {"D": TEXT.encode()}))
    header, first, _ = sheets.sheet_lines(open_annotation(annotation), load_taxonomy("kbp2014"), texts)
    shown = dict(zip(header, first, strict=True))
    assert shown["text at its offsets"] == "Ask"
    assert shown["sentences around it"] == "Ask met Bo."
    assert shown["dateline or post"] == "gull, 2010-05-05T09:12:00"
    assert shown["what the role means"].endswith("(PER, ORG, GPE)")


def test_the_dateline_of_a_story_is_its_origin() -> None:
    assert sheets.origin_of("<DATELINE>\nNORR, May 4\n</DATELINE> x", 30) == "NORR, May 4"


def test_poster_and_date_are_read_however_their_tags_are_written() -> None:
    head = "<poster>\ngull\n</poster>\n<PostDate>\n4 May\n</PostDate>\n"
    assert sheets.origin_of(f"{head}Ask met Bo.", len(head)) == "gull, 4 May"
    alone = "<poster>gull</poster>\n"
    assert sheets.origin_of(f"{alone}Ask met Bo.", len(alone)) == "gull"


@pytest.mark.parametrize("computed", [None, "C"])
def test_a_formula_counts_by_the_value_that_the_file_has_of_it(
    tmp_path: Path, annotation: str, computed: str | None
) -> None:
    path = tmp_path / "sheet.xlsx"
    book = Workbook(path)
    page = book.add_worksheet()
    for number, line in enumerate(judgement(lines_of(annotation))):
        page.write_row(number, 0, line)
    column = len(sheets.HELP)
    page.write_formula(1, column, '="C"', value=computed or "")
    book.close()
    if computed:
        assert sheets.read_back(open_annotation(annotation), path).added == 1
    else:
        with pytest.raises(
            FormatError,
            match=f":2: error: the value of the formula in column {column + 1} is not in the file",
        ):
            sheets.read_back(open_annotation(annotation), path)


def test_text_between_less_than_and_greater_than_stays_in_the_sentence() -> None:
    text = "If 5 < 6 and <b>Ask</b> met <bo@norr.org>, 7 > 4 holds."
    assert sheets.sentence_around(text, (16, 19)) == "Ask"
    assert sheets.sentence_around(text, (28, 29)) == "met <bo@norr.org>, 7 > 4 holds."
    assert sheets.sentence_around(text, (0, 8)) == "If 5 < 6 and"


def test_the_sentence_around_a_span_is_whole_wherever_the_span_begins_and_ends() -> None:
    text = "Ask met Bo. They danced! Rain"
    assert sheets.sentence_around(text, (0, 3)) == "Ask met Bo."
    assert sheets.sentence_around(text, (8, 11)) == "Ask met Bo."
    assert sheets.sentence_around(text, (12, 16)) == "They danced!"
    assert sheets.sentence_around(text, (8, 16)) == "Ask met Bo. They danced!"
    assert sheets.sentence_around(text, (25, 29)) == "Rain"


def test_a_line_is_found_by_a_letter_and_24_digits_of_its_id() -> None:
    assert re.fullmatch("r[0-9a-f]{24}", sheets.key_of(ASK))
    assert identifier_2015(ASK).startswith(sheets.key_of(ASK)[1:])


def test_empty_cells_at_the_end_of_a_line_may_be_cut(tmp_path: Path, annotation: str) -> None:
    lines = lines_of(annotation)
    whole = written(tmp_path, lines, "csv").read_text("utf-8-sig")
    kept = sheets.read_back(open_annotation(annotation), written(tmp_path, lines, "csv"))
    for cut in (1, 2, 7):
        header, *rows = csv.reader(io.StringIO(whole, newline=""))
        assert not any(rows[0][-7:])  # nobody has judged it
        short = [rows[0][:-cut], rows[1]]
        found = sheets.read_back(open_annotation(annotation), written(tmp_path, [header, *short], "csv"))
        assert found == kept


@pytest.mark.parametrize("count", [1, 3])
def test_every_line_of_a_workbook_offers_the_letters(annotation: str, count: int) -> None:
    header, line, _ = lines_of(annotation)
    book = load_workbook(io.BytesIO(sheets.write_xlsx([header, *[line] * count])))
    offered = {str(one.sqref): one.formula1 for one in book.worksheets[0].data_validations.dataValidation}
    letters = [place for place, values in offered.items() if values == '"C,I,W,NIL"']
    assert len(letters) == 4
    ends = {place.partition(":")[::2] for place in letters}
    assert all(first[-1] == "2" and (last or first)[-1] == str(count + 1) for first, last in ends)


def test_the_guidelines_of_a_workbook_stand_below_each_other() -> None:
    guidelines = load_guidelines("kbp2014")
    book = load_workbook(io.BytesIO(sheets.write_xlsx([["key"]], guidelines)))
    rows = [row for row in book.worksheets[1].iter_rows(values_only=True) if any(row)]
    assert all(len(row) == 1 for row in rows)
    written = [row[0] for row in rows]
    headed = [text for heading, one in guidelines.with_headings() for text in (heading, *one.lines())]
    assert written == [f"{guidelines.title}, version {guidelines.version}", *headed]


def test_no_cell_of_a_csv_sheet_is_a_formula() -> None:
    data = sheets.write_csv([["=1+1", "-2", "plain"]]).decode("utf-8-sig")
    assert next(csv.reader(io.StringIO(data))) == [" =1+1", " -2", "plain"]


def test_a_sheet_without_source_documents_has_empty_text_columns(annotation: str) -> None:
    header, first, _ = sheets.sheet_lines(open_annotation(annotation), load_taxonomy("kbp2014"))
    assert dict(zip(header, first, strict=True))["justification"] == ""


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_passage_that_no_cell_holds_is_cut_and_the_sheet_can_be_read_back(
    tmp_path: Path, kind: Any
) -> None:
    text = "Ask met Bo. " * 20_000
    long = argument("Ask", begin=0, justification=((0, len(text)),))
    path = store(tmp_path / "ann", {"D": write_annotation_file([judged(long, "")])})
    texts = open_texts(store(tmp_path / "texts", {"D": text.encode()}))
    lines = list(sheets.sheet_lines(open_annotation(path), load_taxonomy("kbp2014"), texts))
    shown = dict(zip(*lines, strict=True))["justification"]
    assert (len(shown), shown[-4:]) == (32767, " […]")
    assert sheets.read_back(open_annotation(path), written(tmp_path, judgement(lines), kind)).added == 1
