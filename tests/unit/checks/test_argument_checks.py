from __future__ import annotations

from typing import Any

from lydite.checks.arguments import linking_findings, repeated_findings
from lydite.formats.eal import parse_file, with_linking
from lydite.model import Document
from lydite.model.argument import identifier_2015
from lydite.model.argument_lines import LAYER, ArgumentLines

LINES = "\n".join(
    f"{id_}\tD\tContact.Meet\tEntity\t{text}\t10-12\t0-40\t10-12\tNIL\t{realis}\t0.5"
    for id_, text, realis in (("a", "Ask", "Actual"), ("b", "Bob", "Other"), ("c", "Cal", "Generic"))
)


def codes(linking: str) -> Any:
    lines = with_linking(parse_file("D", LINES.encode()), linking.encode())
    return [finding.code for finding in linking_findings(Document("D", layers={LAYER: lines}))]


def test_the_linking_names_exactly_the_arguments_that_are_not_generic() -> None:
    assert codes("a\tb\n") == []
    assert codes("a\n") == ["linking-missing"]
    assert codes("a\tb\tc\n") == ["linking-generic"]
    assert codes("a\tb\td\n") == ["linking-id"]


def test_arguments_that_wait_on_the_incomplete_line_make_a_submission_invalid() -> None:
    assert codes("a\nINCOMPLETE\tb\n") == ["linking-incomplete"]
    assert codes("a\tb\nINCOMPLETE\n") == []


def test_a_repeated_argument_is_reported_also_where_arguments_have_no_lines() -> None:
    rows = tuple(row._replace(line=0) for row in parse_file("D", LINES.encode()).rows)
    document = Document("D", layers={LAYER: ArgumentLines((*rows, rows[1]))})
    assert [finding.message for finding in repeated_findings(document)] == [
        "the same argument as elsewhere; the higher confidence counts"
    ]


def test_the_linking_may_name_arguments_by_their_2015_identifiers() -> None:
    first, second, _ = (identifier_2015(row.argument) for row in parse_file("D", LINES.encode()).rows)
    assert codes(f"{first}\n{second}\ta\n") == []
