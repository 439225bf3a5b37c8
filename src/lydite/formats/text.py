"""Plain text: UTF-8 with every character kept, line ends as they are, a byte-order mark as one character."""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Iterator

from lydite.errors import Finding, FormatError, Location, refuse
from lydite.escaping import counted
from lydite.formats.null_characters import refuse_null
from lydite.formats.source import CHUNK, SourcePart, open_file
from lydite.resource_limits import hint_to_raise, limit

BYTE_ORDER_MARK = "\ufeff"
NOT_UTF_8 = "not-utf-8"
SAVE_AS_UTF_8 = "save the file as UTF-8"


def whole_text(path: str) -> str:
    """The text of a small file with line ends as LF and without byte-order mark.

    Raises :class:`FormatError` (``unreadable-file``, ``not-utf-8``) if the file cannot be read or is not text.
    """
    return text_of(open_file(path)).replace("\r\n", "\n").replace("\r", "\n")


def text_of(part: SourcePart) -> str:
    """The text of a file with its line ends as they are, without byte-order mark; errors as in :func:`text_pieces`."""
    return "".join(text_pieces(part)).removeprefix(BYTE_ORDER_MARK)


def text_pieces(part: SourcePart) -> Iterator[str]:
    """The text of a file, piece by piece, so that memory does not grow with it.

    Raises :class:`FormatError` (``not-utf-8``) at the first bytes that are not text.
    """
    rest, line, column = b"", 1, 1
    with part.open() as stream:
        while True:
            chunk = stream.read(CHUNK)
            data = rest + chunk
            try:
                piece, used = utf_8_decode(data, "strict", not chunk)
            except UnicodeDecodeError as error:
                raise FormatError([_not_utf_8(part.path, data, error.start, line, column)]) from None
            if piece:
                yield piece
            if not chunk:
                return
            line, column = _position_of(data, used, line, column)
            rest = data[used:]


def refuse_many_columns(place: Location, columns: int) -> None:
    """Refuse a heading, or a row, with more columns than the limit: every row below would cost as much."""
    if columns > limit("columns"):
        message = f"expected at most {counted(limit('columns'), 'column')}, found more"
        raise refuse(place, "too-large", message, hint=hint_to_raise("columns"))


def byte_order_mark_finding(path: str, why: str) -> Finding:
    """The error for a file whose first line an official program does not recognise behind a byte-order mark."""
    message = f"the file begins with a byte-order mark, {why}"
    hint = "save it as UTF-8 without byte-order mark"
    return Finding("byte-order-mark", "error", message, Location(path, 1, 1), hint=hint)


def encoding_findings(part: SourcePart) -> Iterator[Finding]:
    """One finding, at the first byte that is not UTF-8, if there is one; for readers that keep bytes as they are."""
    try:
        for _ in text_pieces(part):
            pass
    except FormatError as error:
        yield from (finding for finding in error.findings if finding.code == NOT_UTF_8)


def plain_text(path: str, data: bytes) -> str:
    """The text of the bytes of a file, every character kept; errors as in :func:`text_pieces`."""
    refuse_null(path, data)
    if (finding := encoding_finding(path, data)) is not None:
        raise FormatError([finding])
    return data.decode("utf-8")


def encoding_finding(path: str, data: bytes, number: int = 1) -> Finding | None:
    """The finding for one line, or all lines from number ``number`` on, if they are not UTF-8; None if they are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf_8(path, data, error.start, number, 1)
    return None


def _position_of(data: bytes, end: int, line: int, column: int) -> tuple[int, int]:
    """Line and column (in bytes, both from 1) of ``data[end]``, where those of ``data[0]`` are given."""
    feed = data.rfind(b"\n", 0, end)
    return line + data.count(b"\n", 0, end), column + end if feed < 0 else end - feed


def _not_utf_8(path: str, data: bytes, place: int, line: int, column: int) -> Finding:
    message = f"expected UTF-8 text, found byte 0x{data[place]:02x}"
    where = Location(path, *_position_of(data, place, line, column))
    return Finding(NOT_UTF_8, "error", message, where, hint=SAVE_AS_UTF_8)
