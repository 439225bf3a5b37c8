"""Plain text: UTF-8, every character kept: line ends as they are, a byte-order mark as one character."""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Iterator

from lydite.errors import Finding, FormatError, Location
from lydite.formats.source import CHUNK, Part, open_file

BYTE_ORDER_MARK = "\ufeff"


def whole_text(path: str) -> str:
    """The text of a small file that people write by hand: any line ends, with or without byte-order mark.

    Raises :class:`FormatError` (``unreadable-file``, ``not-utf-8``) if there is none.
    """
    text = "".join(text_pieces(open_file(path))).removeprefix(BYTE_ORDER_MARK)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_pieces(part: Part) -> Iterator[str]:
    """The text of a file, piece by piece, so that memory does not grow with it.

    Raises :class:`FormatError` (``not-utf-8``) at the first bytes that are no text.
    """
    rest, line, column = b"", 1, 1
    with part.open() as stream:
        while True:
            chunk = stream.read(CHUNK)
            data = rest + chunk
            try:
                piece, used = utf_8_decode(data, "strict", not chunk)
            except UnicodeDecodeError as error:
                raise FormatError([_not_utf_8(part, data, error.start, line, column)]) from None
            if piece:
                yield piece
            if not chunk:
                return
            line, column = _moved(data, used, line, column)
            rest = data[used:]


def _moved(data: bytes, end: int, line: int, column: int) -> tuple[int, int]:
    """Line and column (in bytes, both from 1) of ``data[end]`` if those of ``data[0]`` are given."""
    feed = data.rfind(b"\n", 0, end)
    return line + data.count(b"\n", 0, end), column + end if feed < 0 else end - feed


def _not_utf_8(part: Part, data: bytes, place: int, line: int, column: int) -> Finding:
    return Finding(
        "not-utf-8",
        "error",
        f"expected UTF-8 text, found byte 0x{data[place]:02x}",
        Location(part.path, *_moved(data, place, line, column)),
        hint="save the file as UTF-8",
    )
