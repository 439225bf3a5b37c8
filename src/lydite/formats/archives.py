"""Packed files: the entries of ``.zip`` and ``.tar``, the bytes of ``.gz``, and their limits.

Packed files come from strangers.  Members are unpacked one after the other into an anonymous temporary file, nothing is
written beside the input, and names that lead out of an archive, links and devices are never followed.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, cast

from lydite.errors import refuse
from lydite.escaping import counted
from lydite.formats.kinds import expect_packed
from lydite.resource_limits import LARGE, hint_to_raise, limit

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_CHUNK = 1 << 18
_SPOOL_LIMIT = 64 << 20
"""What is unpacked stays in memory up to this size and goes to a temporary file beyond it."""


class ArchiveEntry(NamedTuple):
    """One entry of an archive: its name, its unpacked size, and why it must not be unpacked, if so."""

    name: str
    is_folder: bool
    size: int
    danger: str
    """The end of a sentence about it; empty if it is an ordinary file or folder."""
    open: Callable[[], IO[bytes] | None]

    def chunks(self) -> Iterator[bytes]:
        """Its bytes, at most as many as its declared size."""
        stream, left = self.open(), self.size
        assert stream is not None
        with stream:
            while left and (chunk := stream.read(min(left, _CHUNK))):
                left -= len(chunk)
                yield chunk


def archive_entries(path: str, largest: int | None = None) -> Iterator[ArchiveEntry]:
    """The entries of an archive in its order, checked against the limits; read an entry before you ask for the next.

    ``largest`` is the largest unpacked size of a single member, where documents are held in memory.
    """
    total = 0
    files: set[str] = set()
    for number, entry in enumerate((_zip_entries if _is_zip(path) else _tar_entries)(path), 1):
        if number > limit("members"):
            message = f"holds more than {counted(limit('members'), 'member')}"
            raise refuse(path, "unsafe-archive", message, hint=hint_to_raise("members"))
        _check_name(path, entry.name)
        if largest is not None and entry.size > largest:
            message = f"member {entry.name!r} unpacks to {entry.size >> 20} MiB, too large for a document"
            raise refuse(path, "unsafe-archive", message, hint=hint_to_raise("member"))
        total += entry.size
        _check_unpacked(path, total)
        if not (entry.is_folder or entry.danger):
            file = posixpath.normpath(entry.name)
            if file in files:
                message = f"holds the file {file!r} more than once"
                raise refuse(path, "repeated-document", message, hint="pack each file once")
            files.add(file)
        yield entry


def file_names(path: str) -> list[str]:
    """The names of all files of an archive; :class:`FormatError` if an entry of it is unsafe."""
    names = []
    with damage_refused(path):
        if _is_zip(path):
            expect_packed(path, b"PK", "a zip archive", ".zip")
        for entry in archive_entries(path):
            if entry.danger:
                message = f"member {entry.name!r} {entry.danger}"
                hint = None if entry.danger.startswith("is ") else "pack it with plain names"
                raise refuse(path, "unsafe-archive", message, hint=hint)
            if not entry.is_folder:
                names.append(entry.name)
    return names


@contextmanager
def damage_refused(path: str, expected: str = "") -> Iterator[None]:
    """Raise whatever goes wrong while an archive is read as a :class:`FormatError`."""
    import struct
    import tarfile
    import zipfile
    import zlib

    damage = tarfile.TarError, zipfile.BadZipFile, zlib.error, struct.error, UnicodeDecodeError
    try:
        yield
    except (OSError, EOFError, RuntimeError, *damage) as error:
        expected = expected or f"not a readable {'zip' if _is_zip(path) else 'tar'} archive"
        # The errors of each way of unpacking that was tried are on further lines.
        reason = str(error).partition(":\n")[0]
        raise refuse(path, "unreadable-file", f"{expected}: {reason}") from None


def _is_zip(path: str) -> bool:
    return path.lower().endswith(".zip")


def _zip_entries(path: str) -> Iterator[ArchiveEntry]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
            special = kind not in {0, stat.S_IFREG, stat.S_IFDIR}
            danger = _danger(name, link=kind == stat.S_IFLNK, special=special)
            yield ArchiveEntry(name, name.endswith("/"), info.file_size, danger, partial(archive.open, info))


def _tar_entries(path: str) -> Iterator[ArchiveEntry]:
    import tarfile

    # Not as a stream: that takes an archive that is cut off for one that ends there.
    with tarfile.open(path) as archive:
        for info in archive:
            special = not (info.isfile() or info.isdir())
            danger = _danger(info.name, link=info.islnk() or info.issym(), special=special)
            yield ArchiveEntry(info.name, info.isdir(), info.size, danger, partial(archive.extractfile, info))
        assert archive.fileobj is not None
        if archive.fileobj.tell() < archive.offset + tarfile.BLOCKSIZE:
            raise tarfile.ReadError("the block that ends an archive is missing: it is cut off")


def _danger(name: str, *, link: bool, special: bool) -> str:
    if name.startswith(("/", "\\")) or (len(name) > 1 and name[1] == ":"):
        return "has an absolute path"
    if ".." in name.replace("\\", "/").split("/"):
        return "points outside the archive"
    return "is a link" if link else "is a device" if special else ""


def _check_name(path: str, name: str) -> None:
    """Refuse an archive with a member whose name no file system would take."""
    if not name:
        raise refuse(path, "unreadable-file", "not a readable archive: a member has no name")
    most = limit("name")
    if len(name) > most:
        message = f"a member has a name of {len(name)} characters ({name[:20]!r}…), more than {most}"
        raise refuse(path, "unsafe-archive", message, hint=hint_to_raise("name"))


def _check_unpacked(path: str, total: int) -> None:
    """Refuse an archive that unpacks to more than is allowed, or to many times its own size: a bomb."""
    most = limit("unpacked")
    if total > most:
        message = f"unpacks to more than {counted(most, 'byte')}"
        raise refuse(path, "unsafe-archive", message, hint=hint_to_raise("unpacked"))
    if total > LARGE and total > limit("ratio") * os.path.getsize(path):  # noqa: PTH202 - text in, text out
        message = f"unpacks to more than {counted(limit('ratio'), 'time')} its size"
        raise refuse(path, "unsafe-archive", message, hint=hint_to_raise("ratio"))


# -------------------------------------------------------------------------------------------------- unpacked bytes


Contents = Iterable[tuple[str, Iterable[bytes]]]
"""Names, each with its bytes, which are read before the next name."""


class Unpacked:
    """Bytes by name, all unpacked when the first are asked for: in memory while they are few, on disk beyond that.

    Looking for each member by itself would read an archive as often as it has members, and a pipe can be read only once.
    ``origin`` is a function of a module, so that a corpus can be sent to a worker, which unpacks for itself.
    """

    def __init__(self, origin: Callable[[], Contents]) -> None:
        self._origin = origin
        self._stream: IO[bytes] | None = None
        self._places: dict[str, tuple[int, int]] = {}

    def unpack(self, contents: Contents) -> None:
        """Store these contents, all or none; the store is deleted with this object."""
        import tempfile

        stream = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=_SPOOL_LIMIT))  # noqa: SIM115 - kept
        weakref.finalize(self, stream.close)
        for name, chunks in contents:
            begin = stream.tell()
            stream.writelines(chunks)
            self._places[name] = begin, stream.tell()
        self._stream = stream

    def open(self, name: str = "") -> BinaryIO:
        """A stream of its own over the bytes with that name."""
        if self._stream is None:
            self.unpack(self._origin())
        assert self._stream is not None
        return io.BufferedReader(_View(self._stream, self, *self._places[name]), buffer_size=1 << 16)

    def read(self, name: str) -> bytes:
        """The bytes of one member."""
        return self.open(name).read()

    def __reduce__(self) -> tuple[type[Unpacked], tuple[Callable[[], Contents]]]:
        return Unpacked, (self._origin,)


def unnamed(read: Callable[..., Iterable[bytes]], *arguments: object) -> Contents:
    """The bytes that ``read`` returns for these arguments, under the empty name."""
    yield "", read(*arguments)


def unpacked_archive(path: str) -> Unpacked:
    """The files of an archive."""
    return Unpacked(partial(_members, path))


def _members(path: str) -> Contents:
    with damage_refused(path, _CANNOT_UNPACK):
        for entry in archive_entries(path):
            if not (entry.is_folder or entry.danger):
                yield entry.name, _refusing_damage(path, entry.chunks())


_CANNOT_UNPACK = "a member cannot be unpacked"


def _refusing_damage(path: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    with damage_refused(path, _CANNOT_UNPACK):
        yield from chunks


class _View(io.RawIOBase):
    """A stream over a part of a shared spool, with a position of its own; closing it leaves the spool open."""

    def __init__(self, stream: IO[bytes], owner: Unpacked, begin: int, end: int) -> None:
        self._stream = stream
        self._owner = owner  # kept alive: with it the stream is closed
        self._begin, self._length = begin, end - begin
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        into = memoryview(buffer).cast("B")
        self._stream.seek(self._begin + self._position)
        data = self._stream.read(min(len(into), max(self._length - self._position, 0)))
        into[: len(data)] = data
        self._position += len(data)
        return len(data)

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._length}[whence]
        self._position = start + position
        return self._position


# ------------------------------------------------------------------------------------------------------------ gzip


def gunzip(path: str) -> Iterator[bytes]:
    """The bytes of a ``.gz`` file."""
    with damage_refused(path, "not a complete gzip file"):
        expect_packed(path, b"\x1f\x8b", "gzip data", ".gz")
        with open(path, "rb") as stream:  # noqa: PTH123 - errors of the system are refused above
            stream.seek(-min(4, os.fstat(stream.fileno()).st_size), os.SEEK_END)
            declared_size = int.from_bytes(stream.read(4), "little")
        if declared_size > max(LARGE, limit("ratio") * os.path.getsize(path)):  # noqa: PTH202 - as above
            # Likely a bomb, or damaged: read through once before anything is written to the disk.
            for _ in _gunzip(path):
                pass
        yield from _gunzip(path)


def _gunzip(path: str) -> Iterator[bytes]:
    import gzip

    with gzip.open(path, "rb") as stream:
        unpacked = 0
        while chunk := stream.read(_CHUNK):
            unpacked += len(chunk)
            _check_unpacked(path, unpacked)
            yield chunk
