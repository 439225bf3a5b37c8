from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lydite.checks.arguments import reader_findings
from lydite.formats.eal import (
    confidence_text,
    open_argument_store,
    parse_confidence,
    parse_file,
    split_lines,
    system_columns,
    with_linking,
    write,
    write_annotation_file,
    write_linked_files,
    write_system_file,
)
from lydite.model import Corpus, Document
from lydite.model.argument import Argument, ArgumentRow, Frame, identifier_2015
from lydite.model.argument_lines import LAYER, ArgumentLines

LINE = "1\tD\tContact.Meet\tEntity\tAsk\t10-12\t0-40,50-60\t10-12\tNIL\tACTUAL\t0.5"


def codes(text: str, side: str = "system") -> Any:
    lines = parse_file("D", text.encode())
    return [
        (problem.code, problem.line, problem.column)
        for problem in lines.problems
        if problem.side in {"both", side}
    ]


def test_inclusive_offsets_become_half_open_ranges() -> None:
    (row,) = parse_file("D", LINE.encode()).rows
    assert row.argument.span == (10, 13)
    assert row.argument.justification == ((0, 41), (50, 61))


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}\n2{LINE[1:]}\n",
        f"{LINE}\n2{LINE[1:]}",
        f"{LINE}\r\n2{LINE[1:]}\r\n",
        f"{LINE}\n\n2{LINE[1:]}\n",
        f"# by hand\n{LINE}\n",
        f"{LINE}\n01{LINE[1:]}\n",
        f"{LINE}\n{LINE}\n",
        f"{LINE}\t\n",
        f"{LINE}\n2{LINE[1:]}\t1.0\n",
        f"{LINE}\n2{LINE[1:].replace('Ask', 'Runa')}\n",
        f"{LINE}\n2{LINE[1:].replace('0.5', '1.5')}\n",
        "",
    ],
)
def test_lines_that_were_read_before_are_read_as_they_were_the_first_time(text: str) -> None:
    parse_file("another", b"")  # so that nothing of D is known
    first = parse_file("D", text.encode())
    parse_file("D", LINE.encode())
    again = parse_file("D", text.encode())
    for part in ("rows", "broken", "problems"):
        assert getattr(again, part) == getattr(first, part)


JUDGED = f"{LINE[:-3]}1.0\tC\tC\tI\tC\t7\tActual\tNAME"
ODD_CELLS = {
    1: ("", "x", "#1", " 1"),
    2: ("E", " D", ""),
    3: ("", " Contact.Meet"),
    5: ("", "Ask ", "Ås\u2028k"),
    6: ("", "10", "12-10", "1O-12", "\u0661-2", "10-12,14-15", f"1-{'9' * 40}"),
    7: ("NIL", "", "5-6, 1-2", "1-2,"),
    9: ("", "1-2,3-4", "nil"),
    10: ("", "generic", "Perhaps"),
    11: ("0.5", "1.00", "one"),
    12: ("W", "NIL", "UNANNOTATED", "c", ""),
    14: ("NIL", "X"),
    16: ("NIL", "", "UNANNOTATED", "x", "-3", "99999999999"),
    17: ("NIL", "generic", "never"),
    18: ("NIL", "NOMINAL", "name"),
}


def with_cell(column: int, cell: str) -> str:
    cells = JUDGED.split("\t")
    cells[column - 1] = cell
    return "\t".join(cells)


@pytest.mark.parametrize(
    "text",
    [
        f"{JUDGED}\n",
        f"{JUDGED}\n{JUDGED}",
        f"{JUDGED}\n\n",
        f"{JUDGED}\r\n{JUDGED}\r\n",
        f"# remark\n{JUDGED}\n",
        f"{JUDGED}\n{LINE}\n",
        *(f"{JUDGED}\n{with_cell(column, cell)}\n" for column, cells in ODD_CELLS.items() for cell in cells),
    ],
)
def test_assessments_that_are_read_by_columns_say_what_they_say_line_by_line(text: str) -> None:
    parse_file("another", b"")  # so that nothing of D is known
    by_columns = parse_file("D", text.encode())
    parse_file("another", b"")
    by_lines = parse_file("D", f"{text}\n# a comment keeps a file from being read by columns\n".encode())
    assert (by_columns.rows, by_columns.broken, by_columns.problems) == (
        by_lines.rows,
        by_lines.broken,
        by_lines.problems,
    )


def test_realis_is_read_in_any_letter_case() -> None:
    (row,) = parse_file("D", LINE.encode()).rows
    assert row.argument.realis == "Actual"


def test_comments_and_empty_lines_are_skipped_and_counted() -> None:
    (row,) = parse_file("D", f"# run\n\n{LINE}\n".encode()).rows
    assert row.line == 3


def test_a_comment_directly_above_a_line_is_its_remark() -> None:
    (row,) = parse_file("D", f"# by hand\n{LINE}\n".encode()).rows
    assert row.remark == "# by hand"


def test_a_line_of_blanks_is_a_bad_line() -> None:
    assert codes("   \n") == [("column-count", 1, None)]


def test_lines_end_in_three_ways_and_no_other() -> None:
    assert split_lines("a\r\nb\rc\nd\x85e\u2028f") == ["a", "b", "c", "d\x85e\u2028f"]


def test_order_and_repetition_of_spans_carry_no_meaning() -> None:
    one = parse_file("D", LINE.encode()).rows[0].argument
    other = parse_file("D", LINE.replace("0-40,50-60", "50-60 , 0-40,50-60").encode()).rows[0].argument
    assert one == other


@pytest.mark.parametrize("text", ["0", "1", ".5", "1.", "+0.5", "1e-3", "0.5E+0"])
def test_these_are_confidences(text: str) -> None:
    assert parse_confidence(text) is not None


@pytest.mark.parametrize("text", ["", "-0", "nan", "inf", "0x1p-1", "0.5f", "1_0", "0,5", "1.1", " 0.5", "٠"])
def test_these_are_no_confidences(text: str) -> None:
    assert parse_confidence(text) is None


@pytest.mark.parametrize(("text", "value"), [("0.5f", 0.5), ("1d", 1), ("0x1p-1", 0.5), ("0x1.8p-1D", 0.75)])
def test_the_official_program_accepts_further_confidences(text: str, value: float) -> None:
    lines = parse_file("D", LINE.replace("0.5", text).encode())
    assert lines.rows[0].confidence == value
    assert [(problem.code, problem.item) for problem in lines.problems] == [("confidence", "official")]


@pytest.mark.parametrize(
    ("value", "text"), [(0.9, "0.9"), (1, "1.0"), (1e-7, "0.0000001"), (0.1 + 0.2, "0.30000000000000004")]
)
def test_confidences_are_written_as_the_shortest_decimal_with_a_fraction(value: float, text: str) -> None:
    assert confidence_text(value) == text
    assert float(text) == value


def test_a_file_in_another_encoding_is_reported_by_its_first_bad_byte_and_nothing_else() -> None:
    lines = parse_file("D", f"{LINE}\n{LINE.replace('Ask', 'Åsk')}\n{LINE}\tmore".encode("latin-1"))
    document = Document("D", layers={LAYER: lines})
    for side in ("system", "gold"):
        found = [(said.code, said.location.line) for said in reader_findings(document, side) if said.location]
        assert found == [("encoding", 2)]


def test_a_byte_order_mark_is_skipped_and_reported() -> None:
    lines = parse_file("D", b"\xef\xbb\xbf" + LINE.encode())
    assert len(lines.rows) == 1
    assert [problem.code for problem in lines.problems if problem.side == "both"] == ["byte-order-mark"]


def test_several_faults_of_one_line_are_all_told() -> None:
    broken = LINE.replace("10-12\t0-40,50-60", "12-10\tNIL").replace("ACTUAL", "Sure")
    assert codes(broken) == [("span-order", 1, 6), ("empty-justification", 1, 7), ("realis", 1, 10)]


def test_the_id_of_a_line_with_another_number_of_columns_is_not_checked() -> None:
    assert ("duplicate-id", 2, 1) not in codes(f"{LINE}\tmore\n{LINE}")
    assert ("duplicate-id", 2, 1) in codes(f"{LINE}\n{LINE}")


def test_a_run_that_goes_on_in_spite_of_a_width_or_an_encoding_loses_no_line_in_silence() -> None:
    broken = LINE.replace("10-12", "12-10")
    for data in (f"{broken}\tmore".encode(), broken.replace("Ask", "Åsk").encode("latin-1")):
        document = Document("D", layers={LAYER: parse_file("D", data)})
        assert "span-order" not in {said.code for said in reader_findings(document, "system")}
        assert "span-order" in {said.code for said in reader_findings(document, "system", everything=True)}


def test_a_folder_of_arguments_beside_files_is_a_folder_too_many(tmp_path: Path) -> None:
    (tmp_path / "arguments").mkdir()
    (tmp_path / "D").write_text(LINE, encoding="utf-8")
    found = open_argument_store(str(tmp_path))
    assert found.doc_ids == ("D",)
    assert [(finding.code, finding.item) for finding in found.findings] == [("subdirectory", "arguments")]
    (tmp_path / "linking").mkdir()
    found = open_argument_store(str(tmp_path))
    assert [(finding.code, finding.item) for finding in found.findings] == [("extra-document", "D")]


def test_a_store_of_2015_may_lack_the_folder_of_a_system_that_found_nothing(tmp_path: Path) -> None:
    (tmp_path / "linking").mkdir()
    (tmp_path / "linking" / "D").write_text("", encoding="utf-8")
    found = open_argument_store(str(tmp_path))
    assert (found.nested, found.doc_ids) == (True, ())
    assert "subdirectory" not in {finding.code for finding in found.findings}


def test_a_written_system_file_reads_back_equal() -> None:
    arguments = {row.argument: row.confidence for row in parse_file("D", LINE.encode()).rows}
    again = parse_file("D", write_system_file(arguments))
    assert {row.argument: row.confidence for row in again.rows} == arguments


def test_a_written_annotation_file_reads_back_equal_with_assessed_lines_first() -> None:
    judged = f"{LINE}\tC\tI\tC\tC\t5\tOther\tNAME"
    open_ = f"{LINE.replace('Ask', 'Bo')}\t" + "\t".join(
        ["UNANNOTATED"] * 4 + ["7", "UNANNOTATED", "UNANNOTATED"]
    )
    rows = parse_file("D", f"{open_}\n{judged}\n".encode()).rows
    again = parse_file("D", write_annotation_file(rows)).rows
    assert [row.argument.text for row in again] == ["Ask", "Bo"]
    assert {(row.argument, row.assessment, row.cluster) for row in again} == {
        (row.argument, row.assessment, row.cluster) for row in rows
    }


def test_a_linking_file_has_a_frame_per_line_and_one_incomplete_line() -> None:
    lines = with_linking(ArgumentLines(), b"# x\na\tb\n\nINCOMPLETE\tc\nINCOMPLETE\td\n")
    assert [frame.members for frame in lines.frames] == [("a", "b")]
    assert lines.incomplete == ("c", "d")
    assert [problem.code for problem in lines.problems] == ["linking-line"]


def linked_rows(*names: str) -> ArgumentLines:
    """One argument per id, all in one frame."""
    rows = tuple(
        ArgumentRow(
            Argument("d", "Life.Die", "Victim", "Ben", (n, n + 3), ((0, 9),), (n, n + 3), (), "Actual"),
            id=name,
        )
        for n, name in enumerate(names)
    )
    return ArgumentLines(rows, frames=(Frame(names),), linked=True)


def test_a_linked_document_becomes_two_files_over_the_same_ids() -> None:
    files = write_linked_files(linked_rows("b", "a"))
    assert [line.split("\t")[0] for line in files["arguments"].decode().splitlines()] == ["b", "a"]
    assert files["linking"] == b"b\ta\n"


@pytest.mark.parametrize("name", ["", "#1", "INCOMPLETE", "a\tb", " a", "a\nb", "\ud800"])
def test_an_id_that_no_file_can_hold_becomes_the_identifier_on_both_sides(name: str) -> None:
    lines = linked_rows(name, "2")
    files = write_linked_files(lines)
    identifier = identifier_2015(lines.rows[0].argument)
    assert files["linking"].decode() == f"{identifier}\t2\n"
    assert files["arguments"].decode().startswith(f"{identifier}\td\t")


def test_ids_that_wait_for_a_frame_stand_on_the_incomplete_line() -> None:
    lines = replace(linked_rows("1", "2"), frames=(), incomplete=("2",))
    assert write_linked_files(lines)["linking"] == b"INCOMPLETE\t2\n"


def test_a_document_without_a_linking_has_no_linking_file() -> None:
    lines = replace(linked_rows("1"), frames=(), linked=False)
    assert list(write_linked_files(lines)) == ["arguments"]


def test_line_breaks_and_tabs_of_a_canonical_string_are_blanks() -> None:
    argument = linked_rows("1").rows[0].argument._replace(text="Ben\tOro\nJr")
    assert system_columns(argument, 1.0)[4] == "Ben Oro Jr"


def test_of_a_repeated_argument_the_highest_confidence_is_written() -> None:
    row = linked_rows("1").rows[0]
    lines = ArgumentLines((row._replace(confidence=0.9), row._replace(id="2", confidence=0.2)))
    corpus = Corpus("x", {"d": Document("d", layers={"arguments": lines})})
    (line,) = write(corpus).decode().splitlines()
    assert line.endswith("\t0.9")


def test_two_files_of_one_document_are_told_apart_by_no_ending(tmp_path: Path) -> None:
    for name in ("arguments/D", "arguments/D.tab", "arguments/E.tsv", "linking/D"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    found = open_argument_store(str(tmp_path))
    assert [(one.code, one.severity) for one in found.findings] == [
        ("repeated-document", "error"),
        ("file-suffix", "warning"),
    ]
    assert found.doc_ids == ("D", "E")


def test_a_judgement_is_held_against_the_rules_on_every_line_that_gives_it() -> None:
    line = "{}\tD\tLife.Die\tVictim\tAnn\t0-2\t0-9\t0-2\tNIL\tActual\t1.0\tW\tNIL\tC\tNIL\t{}\tNIL\tNIL"
    lines = parse_file("D", f"{line.format(1, 'x')}\n{line.format(2, 7)}\n".encode())
    assert [(one.code, one.line) for one in lines.problems if one.side == "gold"] == [
        ("assessment-value", 1),
        ("assessment-extra", 2),
    ]


def test_what_a_linked_document_says_is_what_its_frames_join_whatever_the_ids() -> None:
    one, two = (LINE.replace("Ask", text) for text in ("Ask", "Bo"))

    def said(first: str, second: str, frame: str) -> str:
        lines = [first + one[1:], second + two[1:]]
        return repr(with_linking(parse_file("D", "\n".join(lines).encode()), frame.encode()))

    assert said("a", "b", "a\n") == said("b", "a", "b\n") != said("b", "a", "a\n")
    named = identifier_2015(parse_file("D", one.encode()).rows[0].argument)
    assert said("a", "b", named) == said("a", "b", "a")
