"""Explanations for programs: JSON in pieces, rows of CSV.  Both are streamed, since verdicts may not fit into memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from lydite.escaping import printable
from lydite.explanation.explanation import SCHEMA, Explanation
from lydite.model.verdict import ConfusionMatrix, Verdict, credit_as_number
from lydite.spool import encode

VerdictsBySystem = Sequence[tuple[Explanation, Iterable[Verdict]]]


def document_pieces(chosen: VerdictsBySystem, confusions: Sequence[str] | None = None) -> Iterator[bytes]:
    """The explanation document, a verdict a line; of several systems one document with all of them."""
    if len(chosen) == 1:
        yield from _document(*chosen[0], confusions)
    else:
        before = b'{"schema": ' + encode(SCHEMA) + b', "systems": [\n'
        for explanation, verdicts in chosen:
            # Unknown confusions are refused with the first piece, before anything is written.
            pieces_of_one = _document(explanation, verdicts, confusions)
            yield before + next(pieces_of_one)
            yield from pieces_of_one
            before = b",\n"
        yield b"]}"
    yield b"\n"


def _document(
    explanation: Explanation, verdicts: Iterable[Verdict], confusions: Sequence[str] | None
) -> Iterator[bytes]:
    head = explanation.head(confusions)
    yield b"{"
    for key, value in head.items():
        yield encode(key) + b": " + encode(value) + b",\n "
    yield b'"verdicts": ['
    before = b"\n  "
    for verdict in verdicts:
        yield before + encode(verdict.to_dict())
        before = b",\n  "
    yield b"]}"


Row = Sequence[object]


def csv_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    """Rows as CSV, each in one line, also where cells hold line breaks."""
    for row in rows:
        line = io.StringIO()
        cells = (printable(cell) if isinstance(cell, str) else cell for cell in row)
        csv.writer(line, lineterminator="\n").writerow(cells)
        yield line.getvalue().encode()


COLUMNS = ("document", "side", "id", "line", "type", "text", "other", "cause", "credit", "lost", "why")


def verdict_rows(
    chosen: Iterable[tuple[str, Iterable[Verdict]]], *, name_systems: bool = False
) -> Iterator[Row]:
    """A heading and one row per verdict; with ``name_systems`` the system stands in front."""
    yield (*(("system",) if name_systems else ()), *COLUMNS)
    for system, verdicts in chosen:
        for one in verdicts:
            row = one._replace(credit=credit_as_number(one.credit), lost=credit_as_number(one.lost))._asdict()
            yield (*((system,) if name_systems else ()), *(row[name] for name in COLUMNS))


def confusion_rows(matrix: ConfusionMatrix) -> Iterator[Row]:
    """The whole matrix: gold values in rows, system values in columns."""
    yield (f"gold {matrix.attribute}", *matrix.columns)
    for name, counts in zip(matrix.rows, matrix.counts, strict=True):
        yield (name, *counts)
