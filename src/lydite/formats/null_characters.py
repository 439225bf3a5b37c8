"""Null characters (zero bytes), which no text of any format holds: some programs end a word there, others read on."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, BinaryIO

from lydite.errors import FormatError, Location, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

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


def text_stream(path: str, stream: BinaryIO, see: Callable[[int, bytes], object] | None = None) -> BinaryIO:
    """The same bytes as a stream of text; whoever reads a null character gets the error instead.

    ``see`` gets the position and the bytes of everything that is read.
    """
    return io.BufferedReader(_TextStream(path, stream, see), buffer_size=1 << 16)


class _TextStream(io.RawIOBase):
    def __init__(self, path: str, stream: BinaryIO, see: Callable[[int, bytes], object] | None) -> None:
        self._path, self._stream, self._see = path, stream, see

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        into = memoryview(buffer).cast("B")
        data = self._read(len(into))
        into[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        data = self._read(-1)
        if self._see is not None and data:
            self._see(self.tell(), b"")
        return data

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        return self._stream.seek(position, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def close(self) -> None:
        self._stream.close()
        super().close()

    def _read(self, size: int) -> bytes:
        data = self._stream.read(size)
        if _NULL in data:
            end = self._stream.tell()
            self._stream.seek(0)
            if not self._stream.read(4).startswith(_XML_IN_UTF_16):
                raise _null_character(self._path, self._stream)
            self._stream.seek(end)
        if self._see is not None:
            self._see(self._stream.tell() - len(data), data)
        return data
