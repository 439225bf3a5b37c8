"""Null characters (zero bytes), which no text of any format holds: some programs end a word there, others read on."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, BinaryIO

from lydite.errors import FormatError, Location, refuse

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_NULL = b"\0"
_XML_IN_UTF_16 = (b"\xff\xfe<\0", b"\xfe\xff\0<")
"""The first bytes of XML whose parser decodes it, and refuses the null characters that it then finds."""


def refuse_null(path: str, data: bytes) -> None:
    """Raise :class:`FormatError` (``null-character``) if the bytes of a text file hold a zero byte."""
    if _NULL in data and not data.startswith(_XML_IN_UTF_16):
        raise _null_character(path, io.BytesIO(data))


def _null_character(path: str, stream: BinaryIO) -> FormatError:
    """The error for the first null character of a stream."""
    stream.seek(0)
    line = column = 1
    while (place := (data := stream.read(1 << 18)).find(_NULL)) < 0:
        feed = data.rfind(b"\n")
        line += data.count(b"\n")
        column = column + len(data) if feed < 0 else len(data) - feed
    feed = data.rfind(b"\n", 0, place)
    where = Location(path, line + data.count(b"\n", 0, place), column + place if feed < 0 else place - feed)
    stream.seek(0)
    utf_16 = stream.read(2) in {b"\xff\xfe", b"\xfe\xff"}
    hint = "this is UTF-16: save it as UTF-8" if utf_16 else "the file was damaged: fetch or write it again"
    return refuse(where, "null-character", "expected text, found a null character (a zero byte)", hint=hint)


def text_stream(path: str, stream: BinaryIO) -> BinaryIO:
    """The same bytes as a stream of text; whoever reads a null character gets the error instead."""
    return io.BufferedReader(_TextStream(path, stream), buffer_size=1 << 16)


class _TextStream(io.RawIOBase):
    def __init__(self, path: str, stream: BinaryIO) -> None:
        self._path, self._stream = path, stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        into = memoryview(buffer).cast("B")
        data = self._stream.read(len(into))
        into[: len(data)] = data
        self._check(data)
        return len(data)

    def readall(self) -> bytes:
        data = self._stream.read()
        self._check(data)
        return data

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        return self._stream.seek(position, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _check(self, data: bytes) -> None:
        if _NULL not in data:
            return
        place = self._stream.tell()
        self._stream.seek(0)
        if not self._stream.read(4).startswith(_XML_IN_UTF_16):
            raise _null_character(self._path, self._stream)
        self._stream.seek(place)
