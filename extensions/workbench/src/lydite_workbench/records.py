"""Reading and writing records: JSON lines, CSV, and the plain fields of rows."""

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
    """The path of a file in an export; ``ValueError`` if its name leads out of the export, which others may have written."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise ValueError(f"{name} is outside of it")
    return path


def lines_in(path: Path) -> Iterator[dict[str, Any]]:
    """The records in a file of JSON lines; none if there is no file."""
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
    """A file for ``csv.writer``, whose ``writerow`` then returns the line."""

    def write(self, line: str) -> str:
        return line


def sheet_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows as CSV for people, line by line: a cell that a spreadsheet program would run begins with a blank."""
    writer = csv.writer(_Line())
    return (writer.writerow([f" {cell}" if would_run(cell) else cell for cell in row]) for row in rows)


def fields_of(row: Model, names: Sequence[str]) -> dict[str, object]:
    """Plain fields of a row for a record, with times as text."""
    values = ((name, getattr(row, name)) for name in names)
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}


def fields_from(record: Mapping[str, object], model: type[Model], names: Sequence[str]) -> dict[str, Any]:
    """Fields of a record for a row of that model; ``ValueError`` if a value is not among the choices of its field."""
    fields: dict[str, object] = {name: record[name] for name in names}
    for field in model._meta.fields:  # noqa: SLF001 - Django's public name for it
        value = fields.get(field.name)
        if field.choices and field.name in fields and value not in dict(field.flatchoices):
            raise ValueError(f"no {field.name} is {value!r}")
        if isinstance(field, DateTimeField) and value:
            fields[field.name] = datetime.fromisoformat(str(value))
    return fields
