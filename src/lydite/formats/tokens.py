"""Token tables: one row per token, tab-separated: token id, token string, begin, end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding, Location, Severity, UsageError, refuse
from lydite.formats.null_characters import refuse_null
from lydite.formats.source import file_inside, leads_out
from lydite.formats.text import encoding_finding
from lydite.numerals import is_natural

if TYPE_CHECKING:
    from pathlib import Path

WHITE_SPACE = " \t\r\v\f"
"""What is trimmed: ASCII white space alone, as in the official scorers; a no-break space belongs to its token."""


class TokenTable(NamedTuple):
    """The tokens of one document: id to string, in the order of the table; offsets where they are numbers."""

    strings: Mapping[str, str]
    offsets: Mapping[str, tuple[int, int]]
    path: str
    findings: tuple[Finding, ...] = ()


def find_table(
    folder: str, doc_id: str, *, suffix: str = ".tab", header: bool = False, columns: tuple[int, int] = (2, 3)
) -> TokenTable | None:
    """The table of a document, ``<document><suffix>``, else the only ``<document>.<anything><suffix>``; None without any.

    ``header`` throws the first row away unread, as the pilot scorers did.  ``columns`` are the offset columns,
    counted from 0.  A folder that does not exist is a usage error.
    """
    must_be_folder(folder)
    path = file_inside(folder, f"{doc_id}{suffix}") or _table_with_extension(folder, doc_id, suffix)
    return None if path is None else read_table(path, doc_id, header=header, columns=columns)


def _table_with_extension(folder: str, doc_id: str, suffix: str) -> Path | None:
    """The table called ``<document>.<extension>.tab``; several are refused, as none of them is preferred."""
    from glob import escape
    from pathlib import Path

    if leads_out(doc_id):
        return None
    named = Path(folder, doc_id)
    pattern = f"{escape(named.name)}.*{escape(suffix)}"
    found = [path for path in sorted(named.parent.glob(pattern)) if path.is_file()]
    if len(found) > 1:
        names = [path.name for path in found]
        message = f"holds {len(names)} token tables of document {doc_id!r}: {', '.join(map(repr, names))}"
        hint = f"--token-suffix {names[0].removeprefix(named.name)} takes the first"
        raise refuse(folder, "several-token-tables", message, hint=hint)
    return found[0] if found else None


def must_be_folder(path: str) -> None:
    """Raises :class:`UsageError` unless there is a folder at ``path``."""
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib takes long to import
        what = "is no folder" if os.path.exists(path) else "no such folder"  # noqa: PTH110 - as above
        hint = "name the folder that holds the <document>.tab files; archives of them must be unpacked"
        raise UsageError(f"--tokens {path}: {what}", hint=hint)


def offset_columns(written: Sequence[object]) -> tuple[int, int]:
    """The two offset columns that the setting ``token-offsets`` names, counted from 0."""
    columns = [int(str(column)) for column in written if is_natural(str(column))]
    if len(columns) != 2 or len(written) != 2:
        shown = ",".join(map(str, written))
        message = f"setting 'token-offsets': expected two columns, found {shown!r}"
        raise UsageError(message, hint="for instance 2,3")
    return columns[0], columns[1]


def read_table(path: Path, doc_id: str, *, header: bool, columns: tuple[int, int]) -> TokenTable:
    """A token table; rows with fewer than four columns are left out, with a finding.

    Offsets that are not numbers are left out, with one finding for the table: a header that is read as a row has such.
    """
    strings: dict[str, str] = {}
    offsets: dict[str, tuple[int, int]] = {}
    findings: list[Finding] = []

    def add_finding(
        code: str, severity: Severity, message: str, line: int | None = None, hint: str | None = None
    ) -> None:
        findings.append(Finding(code, severity, message, Location(str(path), line), doc_id, hint=hint))

    try:
        data = path.read_bytes()
    except OSError as error:
        add_finding("unreadable-file", "error", f"cannot be read: {error.strerror}")
        return TokenTable({}, {}, str(path), tuple(findings))
    refuse_null(str(path), data)
    begin, end = columns
    has_rows_without_offsets = False
    if encoding := encoding_finding(str(path), data):
        findings.append(encoding._replace(document=doc_id))
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        if header and number == 1:
            continue
        row = line.rstrip(WHITE_SPACE).split("\t")
        if row == [""]:
            continue
        if len(row) < 4:
            message = (
                f"expected 4 columns (token id, token, begin, end), found {len(row)}; the row is left out"
            )
            add_finding("token-row-too-short", "warning", message, number)
            continue
        token = intern(row[0])
        if token in strings:
            message = f"token {token!r} is on an earlier row too; the last row counts"
            add_finding("token-row-repeated", "warning", message, number)
        strings[token] = row[1]
        if len(row) > max(begin, end) and is_natural(row[begin]) and is_natural(row[end]):
            offsets[token] = int(row[begin]), int(row[end])
        elif not has_rows_without_offsets:
            has_rows_without_offsets = True
            message = f"expected offsets in columns {begin + 1} and {end + 1}, found {row!r:.60}"
            hint = "--token-header leaves a header out, --token-offsets names other columns"
            add_finding("token-row-without-offsets", "warning", message, number, hint)
    return TokenTable(strings, offsets, str(path), tuple(findings))
