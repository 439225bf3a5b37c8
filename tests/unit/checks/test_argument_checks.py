from __future__ import annotations

from typing import Any

import pytest

from lydite.checks.arguments import (
    linking_findings,
    reader_findings,
    repeated_findings,
    taxonomy_findings,
    unaccepted_id_findings,
)
from lydite.formats.eal import parse_file, with_linking
from lydite.formats.taxonomy import load_taxonomy
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


def judged(letter: str, cluster: str, *, text: str = "Ask") -> str:
    """A line of an annotation store, by what it says of the string."""
    judgement = ("C", "C", letter, "C", cluster, "Actual", "NAME")
    if letter == "NIL":
        judgement = ("W", "NIL", "NIL", "NIL", cluster, "NIL", "NIL")
    columns = ("1", "D", "Contact.Meet", "Entity", text, "10-12", "0-40", "10-12", "NIL", "Actual", "1.0")
    return "\t".join((*columns, *judgement))


@pytest.mark.parametrize(
    ("lines", "reported"),
    [
        ([judged("W", "7")], [1]),
        ([judged("NIL", "7")], [1]),
        ([judged("W", "7"), judged("NIL", "7")], [1]),
        ([judged("W", "NIL"), judged("W", "3", text="Bob")], [2]),
        ([judged("W", "NIL")], []),
        ([judged("I", "7")], []),
        ([judged("W", "7"), judged("C", "7")], []),
        (
            [
                "\t".join(
                    (*judged("W", "7").split("\t")[:11], *["UNANNOTATED"] * 4, "7", *["UNANNOTATED"] * 2)
                )
            ],
            [],
        ),
    ],
)
def test_an_id_of_a_string_that_was_accepted_on_no_line_is_told(
    lines: list[str], reported: list[int]
) -> None:
    document = Document("D", layers={LAYER: parse_file("D", "\n".join(lines).encode())})
    found = list(unaccepted_id_findings(document, ()))
    assert [(one.code, one.severity) for one in found] == [("coref-unaccepted", "warning")] * len(reported)
    assert [one.location.line for one in found if one.location] == reported


@pytest.mark.parametrize(("column", "spans"), [(7, "0-40, 50-60"), (7, "0-40 ,50-60"), (9, "0-4, 5-6")])
@pytest.mark.parametrize("side", ["system", "gold"])
def test_a_blank_in_a_list_of_spans_is_told_and_the_spans_are_read(
    column: int, spans: str, side: str
) -> None:
    columns = judged("C", "1").split("\t")[: 11 if side == "system" else 18]
    columns[column - 1] = spans
    lines = parse_file("D", ("\t".join(columns) + "\n").encode())
    (found,) = reader_findings(Document("D", layers={LAYER: lines}), side)
    assert found.location is not None
    assert (found.code, found.severity, found.location.column) == ("span-blank", "warning", column)
    assert len(lines.rows[0].argument[5 if column == 7 else 7]) == 2


@pytest.mark.parametrize(
    "name", ["Life.Be-Born", "Life.Born", "life.be-born", "Business.Start-Org", "Business.StartOrg"]
)
def test_a_type_that_the_campaign_removed_is_said_to_be_removed_however_it_is_spelt(name: str) -> None:
    line = judged("C", "1").replace("Contact.Meet", name)
    document = Document("D", layers={LAYER: parse_file("D", line.encode())})
    (found,) = taxonomy_findings(document, load_taxonomy("kbp2014"))
    assert "the campaign removed" in found.message
