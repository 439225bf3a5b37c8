"""A summary as a workbook (XLSX): with numbers as numbers, frozen headings, and no formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from lydite.errors import UsageError
from lydite.escaping import short
from lydite.model import ScoreRow, Summary
from lydite.model.summary import flat_counts
from lydite.optional_libraries import library
from lydite.registry import Registry

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

Cell = str | float | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of the workbook; ``percents`` are the columns of shares in percent."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    percents: frozenset[str] = frozenset()


SHEETS: Registry[Callable[[Summary], Iterable[Sheet]]] = Registry(
    "workbook for task", {"triples": "lydite.report.triple_sheets:sheets"}
)
"""The tasks with sheets of their own, beside totals and breakdowns."""

FIGURES = ("precision", "recall", "f1", "value")
"""The columns of fractions of one."""
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""A fixed date, so that the same summary gives the same bytes."""


def workbook(summary: Summary) -> bytes:
    """The bytes of an XLSX file."""
    stream = BytesIO()
    xlsxwriter = library("xlsxwriter", "xlsx", "a workbook")
    book = xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_formulas": False})
    book.set_properties(
        {"title": f"lydite {summary.task}", "comments": summary.signature, "created": _CREATED}
    )
    formats = {
        "head": book.add_format({"bold": True, "bottom": 1}),
        "fraction": book.add_format({"num_format": "0.0000"}),
        "percent": book.add_format({"num_format": "0.0"}),
    }
    for sheet in sheets(summary):
        _write(book.add_worksheet(sheet.name), sheet, formats)
    book.close()
    return stream.getvalue()


def sheets(summary: Summary) -> Iterable[Sheet]:
    """The sheets of a summary: those of its task, or the general ones."""
    if summary.task in SHEETS:
        return SHEETS[summary.task](summary)
    return [_sheet("Overview", summary.corpus_rows(), ()), *breakdowns(summary)]


def breakdowns(summary: Summary) -> list[Sheet]:
    """One sheet for documents and one for each attribute by which the scores are broken down."""
    documents = summary.rows_by("doc")
    sheets = [_sheet("Documents", documents, ("document",))] if documents else []
    for attribute in dict.fromkeys(name for row in summary.rows for name in row.by):
        rows = [row for row in summary.rows_by(attribute) if row.by[attribute]]
        sheets.append(_sheet(attribute.capitalize(), rows, (attribute,)))
    return sheets


def _sheet(name: str, rows: Sequence[ScoreRow], keys: tuple[str, ...]) -> Sheet:
    counts = [
        {key: count for key, count in flat_counts(row.tally).items() if isinstance(count, str | int | float)}
        for row in rows
    ]
    count_names = tuple(dict.fromkeys(key for of_row in counts for key in of_row))
    cells: list[list[Cell]] = [
        [
            row.system,
            *(row.document if key == "document" else row.by[key] for key in keys),
            *(row.measurement, row.metric, row.average, *row.score),
            *map(of_row.get, count_names),
        ]
        for row, of_row in zip(rows, counts, strict=True)
    ]
    return Sheet(name, ("system", *keys, "measurement", "metric", "average", *FIGURES, *count_names), cells)


MOST_ROWS = 1_048_575
"""The number of rows of a sheet below its heading that the format allows."""
MOST_CHARACTERS = 16_383
"""The number of characters of a cell: the format allows twice as many UTF-16 units."""


class _Unrounded(float):
    """A number that is written with all its digits: the library writes 16, and 17 can be needed."""

    def __format__(self, layout: str) -> str:
        return super().__format__(layout) if self.is_integer() else repr(self)

    __repr__ = float.__repr__


def _write(target: Worksheet, sheet: Sheet, formats: dict[str, object]) -> None:
    if len(sheet.rows) > MOST_ROWS:
        raise UsageError(
            f"the sheet {sheet.name!r} would have {len(sheet.rows)} rows, a workbook has room for {MOST_ROWS}",
            hint="lydite score --format csv has all of them",
        )
    target.freeze_panes(1, 0)
    for column, name in enumerate(sheet.columns):
        target.write_string(0, column, name, formats["head"])
        kind = "fraction" if name in FIGURES else "percent" if name in sheet.percents else None
        width = max(
            [len(name), *(len(str(row[column])) for row in sheet.rows if isinstance(row[column], str))]
        )
        target.set_column(column, column, min(max(width, 8), 60) + 2)
        for line, row in enumerate(sheet.rows, start=1):
            value = row[column]
            if isinstance(value, str):
                target.write_string(line, column, short(value, MOST_CHARACTERS))
            elif value is not None:
                target.write_number(line, column, _Unrounded(value), formats[kind] if kind else None)
    if sheet.rows:
        target.autofilter(0, 0, len(sheet.rows), len(sheet.columns) - 1)
