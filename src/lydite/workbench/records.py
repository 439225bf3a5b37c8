"""Records as they are written and read: JSON lines, CSV, and the plain fields of rows."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import DateTimeField, Model

from lydite.escaping import would_run


def json_lines(records: Iterable[Mapping[str, object]]) -> Iterator[bytes]:
    """Records as JSON, line by line."""
    return (json.dumps(record, sort_keys=True).encode() + b"\n" for record in records)


def file_in(folder: Path, name: str) -> Path:
    """A file of an export by its name there; one that leads out of it is a ``ValueError``: others may have written it."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise ValueError(f"{name} lies outside of it")
    return path


def lines_in(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file of JSON lines; none where there is no file."""
    if path.is_file():
        with path.open("rb") as stream:
            for line in stream:
                yield json.loads(line)


def csv_text(rows: Iterable[Sequence[object]], dialect: type[csv.Dialect] = csv.excel) -> str:
    """Rows as CSV."""
    table = io.StringIO()
    csv.writer(table, dialect).writerows(rows)
    return table.getvalue()


class _Line:
    """Where a line of CSV is written to: it is what writing it gives back."""

    def write(self, line: str) -> str:
        return line


def sheet_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows as CSV for people, line by line: a cell that a spreadsheet program would run begins with a blank."""
    writer = csv.writer(_Line())
    return (writer.writerow([f" {cell}" if would_run(cell) else cell for cell in row]) for row in rows)


def fields_of(row: Model, names: Sequence[str]) -> dict[str, object]:
    """Plain fields of a row, as a record has them: times as text."""
    values = {name: getattr(row, name) for name in names}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()
    }


def fields_from(record: Mapping[str, object], model: type[Model], names: Sequence[str]) -> dict[str, Any]:
    """The same fields, as a row of that kind takes them; a value that a field does not know is a ``ValueError``."""
    found: dict[str, object] = {name: record[name] for name in names}
    for field in model._meta.fields:  # noqa: SLF001 - Django's public name for it
        told = found.get(field.name)
        if field.choices and field.name in found and told not in dict(field.flatchoices):
            raise ValueError(f"no {field.name} is {told!r}")
        if isinstance(field, DateTimeField) and told:
            found[field.name] = datetime.fromisoformat(str(told))
    return found
