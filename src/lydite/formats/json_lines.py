"""JSON lines: what formats with one object per line share; the elements of a JSON array are read as lines are."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from lydite.errors import Finding, FormatError
from lydite.formats.document_places import LinePlace
from lydite.formats.faults import Faults
from lydite.formats.json_values import fault_column
from lydite.formats.source import BlockReader, Source, SourcePart
from lydite.formats.text import encoding_finding
from lydite.model import Document
from lydite.numerals import is_whole

T = TypeVar("T")
NONE_FOUND = "expected one JSON object per line, found none"


_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
"""A text, perhaps one that is not closed, or a bracket."""


def first_line(head: bytes) -> bytes:
    """The first line in the first bytes of a file, or the first element of an array, as far as they have it."""
    text = head.removeprefix(BOM_UTF8).lstrip()
    if not text.startswith(b"["):
        return text.partition(b"\n")[0]
    start, end = next(_elements(text, 0), (0, 0))
    return text[start:end]


def first_records(head: bytes) -> Iterator[bytes]:
    """The lines in the first bytes of a file, or the elements of an array; the last one may be cut off."""
    text = head.removeprefix(BOM_UTF8).lstrip()
    if not text.startswith(b"["):
        return iter(text.splitlines())
    return (text[start:end] for start, end in _elements(text, 0))


def _elements(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Begin and end of every element of the array that begins at ``start``.

    What is no list or object in an array, and what is wrong with its commas and brackets, is an element that no reader
    takes for a record.
    """
    depth, last, separator = 0, start + 1, b""
    for found in _STRUCTURE.finditer(data, start):
        bracket = found[0]
        if bracket in {b"[", b"{"}:
            depth += 1
            if depth == 2:
                if data[last : found.start()].strip() != separator:
                    yield last, found.start()
                last, separator = found.start(), b","
        elif bracket in {b"]", b"}"}:
            depth -= 1
            if depth == 1:
                yield last, found.end()
                last = found.end()
            elif depth == 0:
                if data[last : found.start()].strip():
                    yield last, found.start()
                if data[found.end() :].strip():
                    yield found.start(), len(data)
                return
    if depth > 1:
        yield last, len(data)
    else:  # the array is not closed
        yield start, start + 1


def has_keys(head: bytes, needed: Sequence[bytes] = (), one_of: Sequence[bytes] = ()) -> bool:
    """Whether the first line looks like an object with all of the keys ``needed`` and one of ``one_of``."""
    line = first_line(head)
    if not line.startswith(b"{") or not all(b'"%b"' % key in line for key in needed):
        return False
    return not one_of or any(b'"%b"' % key in line for key in one_of)


def json_lines(source: Source, files: BlockReader | None = None) -> Iterator[tuple[LinePlace, bytes]]:
    """Every line that is not blank of every file, or every element of an array, with its place; a byte-order mark is skipped.

    With ``files``, from which blocks will be read later, the last file stays open for that.
    """
    for part in source.parts:
        with part.open() if files is None else files.opened(part) as stream:
            offset = len(BOM_UTF8) if stream.read(len(BOM_UTF8)) == BOM_UTF8 else 0
            stream.seek(offset)
            if stream.read(_WHITE_SPACE).lstrip().startswith(b"["):
                yield from _elements_of_file(part)
                continue
            stream.seek(offset)
            for number, line in enumerate(stream, 1):
                if not line.isspace():
                    yield LinePlace(part, offset, len(line), number), line
                offset += len(line)


_WHITE_SPACE = 1 << 10
"""How many bytes are looked at for the bracket of an array."""


def _elements_of_file(part: SourcePart) -> Iterator[tuple[LinePlace, bytes]]:
    """Every element of a file that is an array."""
    data = part.read_bytes()
    line, counted = 1, 0
    for start, end in _elements(data, data.index(b"[")):
        line += data.count(b"\n", counted, start)
        counted = start
        yield LinePlace(part, start, end - start, line), data[start:end]


def parsed_lines(
    source: Source, parse: Callable[[bytes, int], T], findings: list[Finding], code: str, hint: str = ""
) -> Iterator[tuple[LinePlace, T]]:
    """What ``parse`` makes of each line and its number, with the place; :class:`Faults` become findings of this code."""
    for place, line in json_lines(source):
        try:
            parsed = parse(line.removesuffix(b"\n"), place.line)
        except Faults as fault:
            bad = Finding(code, "error", str(fault), place.location, hint=hint or None)
            findings.extend(line_findings(place, line, [bad]))
        else:
            yield place, parsed


def joined_files(files: dict[str, SourcePart], doc_id: str, place: LinePlace) -> Iterator[Finding]:
    """A finding if the lines of a document continue in another file, as they do if two runs are read as one system.

    ``files`` has the last file of each document.
    """
    before = files.setdefault(doc_id, place.part)
    if before is not place.part:
        files[doc_id] = place.part
        message = f"document {doc_id!r} has two files (before: {before.path}); their lines are joined"
        yield Finding("repeated-document", "warning", message, place.location, doc_id)


def document_name(value: object) -> str | None:
    """The name of a document: a text, or a number as text; None for anything else."""
    return str(value) if isinstance(value, str) or is_whole(value) else None


def load_or_name_all(load: Callable[[str], Document], doc_ids: Iterable[str], doc_id: str) -> Document:
    """The document; if its lines are bad, the error has the findings of all documents."""
    try:
        return load(doc_id)
    except FormatError:
        findings: list[Finding] = []
        for other in doc_ids:
            try:
                load(other)
            except FormatError as error:
                findings.extend(error.findings)
        raise FormatError(findings) from None


def line_findings(place: LinePlace, line: bytes, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of a line that cannot be read, with the column where its JSON is broken, if it is.

    If the line is not UTF-8, that is the only finding.
    """
    encoding = encoding_finding(place.part.path, line, place.line)
    if encoding is not None:
        return [encoding]
    broken_at = place.location._replace(column=fault_column(line.rstrip()))
    return [finding._replace(location=broken_at) if broken_at.column else finding for finding in findings]
