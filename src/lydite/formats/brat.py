"""brat standoff: annotation beside a text, one line each, told apart by the first letter of the id.

::

    T1 <TAB> Conflict_Attack 10 18 <TAB> attacked
    T2 <TAB> Conflict_Attack 30 33;40 47 <TAB> set on fire
    E1 <TAB> Conflict_Attack:T1

Text-bound annotations (``T``) are read here; all other lines are left to whoever needs them.  Offsets count
characters, the end is exclusive, and a discontinuous annotation has several segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lydite.errors import Finding, Location
from lydite.formats.source import Part
from lydite.formats.text import text_pieces

EXTENSION = ".ann"
NO_TEXT = "-"
BYTE_ORDER_MARK = "\ufeff"

_SEGMENT = r"\d{1,18} \d{1,18}"
_SEGMENTS = re.compile(rf"{_SEGMENT}(?:;{_SEGMENT})*", re.ASCII)
_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?(?:[TEAMRN]\d+\t|\*\t|#\d*\t)")


class TextBound(NamedTuple):
    """One ``T`` line: a type at one or more segments of the text; ``line`` is its 1-based number."""

    id: str
    type: str
    ranges: tuple[tuple[int, int], ...]
    text: str
    line: int


class TextBounds(NamedTuple):
    """The text-bound annotations of a file in file order, and what is wrong with the others."""

    items: tuple[TextBound, ...]
    findings: tuple[Finding, ...]


def recognise(head: bytes) -> bool:
    """Whether the first line is one of brat: an id such as ``T1`` and a tab."""
    return _FIRST_LINE.match(head) is not None


def read_text_bounds(part: Part) -> TextBounds:
    """The ``T`` lines of a file.  Raises :class:`~lydite.errors.FormatError` if it is no text at all."""
    items: list[TextBound] = []
    findings: list[Finding] = []
    for number, line in _lines(part):
        if line.startswith("T"):
            found = _parse_text_bound(line, number)
            if isinstance(found, TextBound):
                items.append(found)
            else:
                findings.append(_malformed(found, Location(part.path, number)))
    return TextBounds(tuple(items), tuple(findings))


def _lines(part: Part) -> Iterator[tuple[int, str]]:
    text = "".join(text_pieces(part)).removeprefix(BYTE_ORDER_MARK)
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line.removesuffix("\r")


def _parse_text_bound(line: str, number: int) -> TextBound | str:
    """The annotation, or what was found instead.  A line is split on tabs at most twice; its text may be missing."""
    name, *columns = line.split("\t", 2)
    type_, _, places = columns[0].partition(" ") if columns else ("", "", "")
    if not type_ or _SEGMENTS.fullmatch(places) is None:
        return repr(line)
    ranges = []
    for segment in places.split(";"):
        begin, _, end = segment.partition(" ")
        if int(begin) >= int(end):
            return f"the segment '{segment}', which is empty"
        ranges.append((int(begin), int(end)))
    return TextBound(name, type_, tuple(ranges), columns[1] if len(columns) > 1 else NO_TEXT, number)


def _malformed(found: str, location: Location) -> Finding:
    return Finding(
        "bad-text-bound",
        "error",
        f"expected an id, a tab, a type and 'begin end' segments joined by ';', found {found}",
        location,
        hint="brat writes T1<TAB>Type 10 18<TAB>text",
    )
