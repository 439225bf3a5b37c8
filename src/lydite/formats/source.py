"""Where bytes come from: a file, ``-``, ``.gz``, a folder, ``.zip``, ``.tar.gz``, a pattern, an address.

A file, a folder or an archive is one system, and so are all files of a pattern (``part-*.csv``), also where they lie in
an object store (``s3://bucket/part-*.csv``).  Readers see a :class:`Source` as a sequence of :class:`SourcePart` s, each a
seekable stream of plain bytes with a name for messages.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import sha256
from threading import Lock
from typing import IO, TYPE_CHECKING, BinaryIO, ClassVar, NamedTuple, cast
from weakref import finalize

from lydite.errors import Finding, FormatError, Location, UsageError, refuse
from lydite.escaping import counted
from lydite.formats.archives import (
    ARCHIVES,
    Contents,
    Unpacked,
    file_names,
    gunzip,
    unnamed,
    unpacked_archive,
)
from lydite.formats.kinds import HEAD_SIZE, expect_text, kind_of
from lydite.formats.null_characters import text_stream

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from _typeshed import WriteableBuffer

    from lydite.formats.first_reading import FirstReading

CHUNK = 1 << 18
"""Files are read in pieces of this size, which stay in the cache of a processor while they are hashed and counted."""
FEW_BYTES = 4096
"""From this many bytes on an array is faster, if NumPy is loaded."""
_ARCHIVE = r"(?i).*\.(?:zip|tar|tar\.gz|tgz)!"


def without_suffix(name: str, suffix: str = ".gz") -> str:
    """The name without a suffix in capital or small letters, by default that of packed files."""
    return name[: -len(suffix)] if name.lower().endswith(suffix) else name


class SourcePart(NamedTuple):
    """One file of a source: a name for messages, and a way to open it as a seekable binary stream."""

    path: str
    open_anything: Callable[[], BinaryIO]
    """Opens the file whatever it holds, as tables need that are no text."""
    is_plain: bool = False
    """Whether it is a file of this machine, neither packed nor a pipe."""
    see: Callable[[int, bytes], object] | None = None
    """Gets the position and the bytes of everything that is read of the text."""

    def open(self) -> BinaryIO:
        """The bytes of a text; reading a null character raises :class:`FormatError` (``null-character``)."""
        return text_stream(self.path, self.open_anything(), self.see)

    @property
    def name(self) -> str:
        """The base name without ``.gz``; of a part of an archive, its base name there."""
        inside = re.sub(_ARCHIVE, "", self.path) if "!" in self.path else self.path
        return without_suffix(os.path.basename(inside))  # noqa: PTH119 - parts of archives have no Path

    def head(self) -> bytes:
        """The first bytes, by which formats are recognised."""
        if self.is_plain:
            return head_of_file(self.path)
        with self.open_anything() as stream:
            return stream.read(_HEAD)

    def read_bytes(self) -> bytes:
        """The whole content."""
        with self.open() as stream:
            return stream.read()


def marked_lines(
    stream: BinaryIO, mark: bytes, see: Callable[[bytes], object]
) -> Iterator[tuple[int, int, bytes]]:
    """(offset, line number, line) of every line with a ``#`` and ``mark``; ``see`` is called with all lines, many at once.

    Memory grows with the longest line of the file alone.
    """
    base, line = 0, 1
    while data := stream.read(CHUNK):
        if not data.endswith(b"\n"):
            data += stream.readline()
        see(data)
        at = counted = 0
        # Searching one byte is many times as fast as searching the mark, and '#' is rare.
        while (at := data.find(b"#", at)) >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            content = data[start:end]
            if mark in content:
                line += _count_line_feeds(data, counted, start)
                counted = start
                yield base + start, line, content
            at = end
        line += _count_line_feeds(data, counted, len(data))
        base += len(data)


def _count_line_feeds(data: bytes, start: int, end: int) -> int:
    """The number of line feeds in a part of the data; NumPy counts four times as fast, if it is loaded."""
    if end - start >= FEW_BYTES and "numpy" in sys.modules:
        import numpy as np

        return int(np.count_nonzero(np.frombuffer(data, np.uint8, end - start, start) == _LINE_FEED))
    return data.count(b"\n", start, end)


_LINE_FEED = ord("\n")


def read_block(part: SourcePart, stream: BinaryIO, start: int, end: int) -> bytes:
    """The bytes of a file that were there before; raises :class:`FormatError` if they are gone."""
    stream.seek(start)
    data = stream.read(end - start)
    if len(data) < end - start:
        found = start + len(data)
        message = f"expected {counted(end, 'byte')}, found {found}: the file became shorter while it was read"
        hint = "is something still writing it? run again when it is complete"
        raise refuse(part.path, "file-changed", message, hint=hint)
    return data


class BlockReader:
    """Reads blocks of files by their places and keeps the last file open; another process opens it anew.

    Of many such readers, as for a hundred systems, only some keep a file open, because a process may open only a few.
    Threads that share a reader wait for each other, because they share the position in its file.
    """

    _free_places: ClassVar[list[None]] = [None] * 16
    """An item for each further file that may be kept open; taking and returning one needs no lock, even at exit."""

    def __init__(self) -> None:
        self._part: SourcePart | None = None
        self._stream: BinaryIO | None = None
        self._close: Callable[[], object] | None = None
        self._one_at_a_time = Lock()

    def read(self, part: SourcePart, start: int, end: int) -> bytes:
        """As :func:`read_block`."""
        with self._one_at_a_time:
            if self._stream is not None and self._part is part:
                return read_block(part, self._stream, start, end)
            with self.opened(part) as stream:
                return read_block(part, stream, start, end)

    @contextmanager
    def opened(self, part: SourcePart) -> Iterator[BinaryIO]:
        """The file at its beginning; it stays open for blocks, if one more file may."""
        if self._close is not None:
            self._close()
            self._stream = self._close = None
        stream = part.open()
        try:
            self._free_places.pop()
        except IndexError:
            with stream:
                yield stream
            return
        self._part, self._stream = part, stream
        # Unlike a method, it keeps the file alive, so that the garbage collector cannot take that first, and warn.
        self._close = finalize(self, _release, stream, self._free_places)
        yield stream

    def __reduce__(self) -> tuple[type[BlockReader], tuple[()]]:
        return BlockReader, ()


def _release(stream: BinaryIO, room: list[None]) -> None:
    """Close a file that was kept open, and give its place free."""
    stream.close()
    room.append(None)


class Source(NamedTuple):
    """The input that a user named: one path, one or more parts."""

    path: str
    parts: tuple[SourcePart, ...]
    first_reading: FirstReading | None = None
    """Hashes the parts while they are read, if somebody watches this."""

    @property
    def name(self) -> str:
        """The name in tables: the base name of the path without the suffixes of packed files."""
        base = os.path.basename(self.path.rstrip("/")) or self.path  # noqa: PTH119 - also for "-"
        for suffix in (".gz", ".zip", ".tar", ".tgz"):
            base = without_suffix(base, suffix)
        return "stdin" if base == "-" else base

    def sha256(self) -> str:
        """Hash of the bytes of all parts, in their order."""
        if self.first_reading is not None:
            return self.first_reading.sha256()
        digest = sha256()
        for part in self.parts:
            with part.open_anything() as stream:
                while chunk := stream.read(CHUNK):
                    digest.update(chunk)
        return digest.hexdigest()


def parts_by_document(
    source: Source, doc_id_of: Callable[[str], str]
) -> tuple[dict[str, SourcePart], tuple[Finding, ...]]:
    """The parts of a source with one document per file, by document; ``doc_id_of`` takes the name of a file.

    Two files of one document, in different folders, are a finding; the last one counts.
    """
    parts: dict[str, SourcePart] = {}
    findings = []
    for part in source.parts:
        doc_id = doc_id_of(part.name)
        if doc_id in parts:
            message = f"document {doc_id!r} has two files (before: {parts[doc_id].path}); the last one counts"
            findings.append(Finding("repeated-document", "warning", message, Location(part.path), doc_id))
        parts[doc_id] = part
    return parts, tuple(findings)


def refuse_line_break(name: str) -> FormatError:
    """The error for a name that would break the line or the columns of what is written."""
    message = f"{name!r} holds a tab or a line break and cannot stand in a column of a line"
    hint = "rename it, or choose a format that is JSON or XML, lydite for instance"
    return FormatError([Finding("unwritable-text", "error", message, hint=hint)])


def open_source(path: str | os.PathLike[str], *, extensions: tuple[str, ...] = ()) -> Source:
    """The source at ``path``; of a folder or an archive the files with these extensions, sorted by name.

    Raises :class:`FormatError` (``unreadable-file``, ``no-files``, ``unsafe-archive``) if there is nothing to read.
    """
    path = os.fspath(path)
    if path == "-":
        if not _last_stdin or _last_stdin[0][0] is not sys.stdin:
            _last_stdin[:] = [(sys.stdin, _Stream("stdin", _from_stdin))]
        return Source(path, (SourcePart("stdin", _last_stdin[0][1].open),))
    refuse_impossible_name(path)
    if is_address(path):
        return Source(path, _remote_parts(path, extensions))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - one call answers all three questions
    except OSError as error:
        if files := files_of_pattern(path):
            return Source(path, tuple(map(_part, files)))
        why = f"cannot be read: {error.strerror}"
        raise refuse(path, "unreadable-file", why, hint=near_name_hint(path)) from None
    if stat.S_ISDIR(mode):
        return Source(path, _folder_parts(path, extensions))
    if not stat.S_ISREG(mode):
        pipe = _pipes.setdefault(path, _Stream(path, partial(_from_pipe, path)))
        return Source(path, (SourcePart(path, pipe.open),))
    if path.lower().endswith(ARCHIVES):
        return Source(path, _archive_parts(path, extensions))
    part = _part(path)
    if part.is_plain:
        part.head()  # an unreadable file is refused here, with its name
    return Source(path, (part,))


def is_stream(path: str) -> bool:
    """Whether this is stdin or a pipe, which can be read only once; its bytes are kept for a run."""
    try:
        mode = 0 if path == "-" else stat.S_IFMT(os.stat(path).st_mode)  # noqa: PTH116 - as in open_source
    except (OSError, ValueError):
        return False
    return mode not in {stat.S_IFREG, stat.S_IFDIR}


def refuse_impossible_name(path: str) -> None:
    """Refuse what cannot be the name of a file, as in a damaged list of files: functions of the system would fail."""
    if "\0" in path:
        raise refuse(path, "unreadable-file", "cannot be read: a file name cannot hold a null character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        message = "cannot be read: a file name cannot hold half of a character (a surrogate)"
        raise refuse(path, "unreadable-file", message) from None


_PATTERN_CHARACTERS = frozenset("*?[")


def is_address(path: str) -> bool:
    """Whether this is an address (``s3://…``), not a file of this machine."""
    return "://" in path and re.match(r"[a-z][a-z0-9+.-]+://", path, re.IGNORECASE) is not None


def files_of_pattern(path: str) -> list[str]:
    """The files that match a pattern, in the order in which they are read; none if it is no pattern."""
    if _PATTERN_CHARACTERS.isdisjoint(path):
        return []
    from glob import glob

    found = filter(os.path.isfile, glob(path, recursive=True))  # noqa: PTH207 - text
    return sorted(found, key=_folder_order)


def _remote_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    """The files at an address: a single one, those of a pattern, or those of a folder."""
    fsspec = _fsspec(path)
    try:
        store, inside = fsspec.core.url_to_fs(path)
        if not _PATTERN_CHARACTERS.isdisjoint(inside):
            found = store.glob(inside)
        else:
            found = store.find(inside) if store.isdir(inside) else [inside]
        names = sorted(
            name
            for name in found
            if found == [inside] or _matches_extensions(os.path.basename(name), extensions)  # noqa: PTH119 - no path of ours
        )
    except (OSError, ValueError, ImportError) as error:
        raise refuse(path, "unreadable-file", f"cannot be read: {error}") from None
    if not names:
        raise refuse(path, "no-files", f"the address holds no file{_extension_note(extensions)}")
    addresses = [str(store.unstrip_protocol(name)) for name in names]
    return tuple(SourcePart(address, partial(_open_remote, address)) for address in addresses)


def _fsspec(address: str) -> ModuleType:
    from lydite.optional_libraries import library

    return library("fsspec", "tables", f"reading {address.partition('://')[0]}://")


def _open_remote(address: str) -> BinaryIO:
    fsspec = _fsspec(address)
    try:
        return cast("BinaryIO", fsspec.open(address, "rb").open())
    except (OSError, ValueError, ImportError) as error:
        raise refuse(address, "unreadable-file", f"cannot be read: {error}") from None


def open_file(path: str | os.PathLike[str]) -> SourcePart:
    """The only file at ``path``; a usage error for a folder or an archive of several."""
    parts = open_source(path).parts
    if len(parts) != 1:
        raise UsageError(f"{os.fspath(path)}: expected one file, found {len(parts)}", hint="name one of them")
    return parts[0]


_HEAD = 1 << 16


def head_of_file(path: str) -> bytes:
    """The first bytes of a file of this machine, read once as long as the file stays as it is."""
    try:
        state = os.stat(path)  # noqa: PTH116 - as in open_source
    except OSError as error:
        raise _unreadable(path, error) from None
    return _head_in_state(path, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _head_in_state(path: str, _inode: int, _size: int, _changed: int) -> bytes:
    with _open_plain(path) as stream:
        return stream.read(_HEAD)


def forget_heads() -> None:
    """Forget the first bytes of files, which nobody needs when the formats of these are known."""
    _head_in_state.cache_clear()


def _open_plain(path: str) -> BinaryIO:
    stream = _open_anything(path)
    try:
        expect_text(path, stream.peek(HEAD_SIZE)[:HEAD_SIZE])
    except FormatError:
        stream.close()
        raise
    return stream


def _open_anything(path: str) -> io.BufferedReader:
    try:
        # A larger buffer than usual: documents are read one after the other, each by its place.
        return io.BufferedReader(_PlainFile(path), buffer_size=1 << 16)
    except OSError as error:
        raise _unreadable(path, error) from None


class _PlainFile(io.FileIO):
    """A file whose read errors (a failing disk, a lost network) are reported with its name."""

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise _unreadable(str(self.name), error) from None

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise _unreadable(str(self.name), error) from None


def _unreadable(path: str, error: OSError) -> FormatError:
    return refuse(path, "unreadable-file", f"cannot be read: {error.strerror or error}")


def leads_out(name: str) -> bool:
    """Whether a relative path in the input would lead out of its folder."""
    return "\0" in name or any(part in {"", ".", ".."} for part in name.split("/"))


def file_inside(folder: str, name: str) -> Path | None:
    """The file with that relative path in a folder; None if there is none, or if the path leads out of the folder."""
    from pathlib import Path

    if leads_out(name):
        return None
    path = Path(folder) / name
    try:
        return path if path.is_file() else None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None
        raise _unreadable(str(path), error) from None


def near_name_hint(path: str) -> str:
    """The hint if there is no file of that name: similar names in its folder, or where it was searched."""
    from pathlib import Path

    from lydite.registry import did_you_mean

    folder = Path(path).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"there is no folder {str(folder)!r}; the command runs in {os.getcwd()!r}"  # noqa: PTH109 - text
    near = did_you_mean(Path(path).name, names)
    return near or f"there is nothing of that name in {str(folder.resolve())!r}"


def walk(path: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """As :func:`os.walk`, but a folder that cannot be listed is refused: its files would be missing silently."""

    def stop(error: OSError) -> None:
        raise _unreadable(str(error.filename), error)

    return os.walk(path, onerror=stop)


def _folder_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    files: list[str] = []
    if os.path.normpath(path) != path:
        from pathlib import Path  # it takes long to import

        path = str(Path(path))
    for place, _, names in walk(path):
        inside = f"{place.rstrip(os.sep)}{os.sep}".removeprefix(f"{os.curdir}{os.sep}")
        matching = [inside + name for name in names if _matches_extensions(name, extensions)]
        files += filter(os.path.isfile, matching)
    files.sort(key=_folder_order)
    if not files:
        message = f"the folder holds no file{_extension_note(extensions)}"
        hint = "is it the right folder? files whose names begin with a dot are skipped"
        raise refuse(path, "no-files", message, hint=hint)
    return tuple(map(_part, files))


def _folder_order(path: str) -> list[str]:
    """The sort key of files, folder by folder: the same in a folder and in an archive of it."""
    return os.path.normcase(os.path.normpath(path)).split(os.sep)  # noqa: PTH206 - the order of paths


def _part(path: str) -> SourcePart:
    """A file of this machine."""
    if path.lower().endswith(".gz"):
        return SourcePart(path, Unpacked(partial(unnamed, gunzip, path)).open)
    return SourcePart(path, partial(_open_plain, path), is_plain=True)


def _matches_extensions(name: str, extensions: tuple[str, ...]) -> bool:
    if name.startswith((".", "._")):
        return False
    return not extensions or name.lower().removesuffix(".gz").endswith(extensions)


def _extension_note(extensions: tuple[str, ...]) -> str:
    return f" of this kind ({', '.join(f'*{extension}' for extension in extensions)})" if extensions else ""


_last_stdin: list[tuple[object, Unpacked]] = []
"""Standard input can be read only once; its bytes are kept."""


_pipes: dict[str, Unpacked] = {}
"""The bytes of pipes (``<(command)``, a FIFO, ``/dev/stdin``), which can be read only once, too."""


class _Stream(Unpacked):
    """The bytes of stdin or a pipe; they are checked for text when all of them are there: they may come one by one."""

    def __init__(self, path: str, origin: Callable[[], Iterable[bytes]]) -> None:
        super().__init__(partial(unnamed, origin))
        self._path = path

    def open(self, name: str = "") -> BinaryIO:
        hint = "what comes through a pipe is plain text: gunzip -c FILE | lydite …"
        return _expect_plain(self._path, super().open(name), hint)

    def __reduce__(self) -> tuple[type[Unpacked], tuple[Callable[[], Contents]]]:
        # A worker cannot read it again, so that the bytes are sent along.
        return Unpacked, (partial(unnamed, tuple, [self.read("")]),)


def forget_pipes() -> None:
    """Forget the bytes of pipes at the end of a run: the next one reads them anew."""
    _pipes.clear()


def _stream_chunks(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(stream.read, CHUNK), b"")


def _from_stdin() -> Iterator[bytes]:
    if sys.stdin is None:
        raise refuse("stdin", "unreadable-file", "cannot be read: it is closed")
    try:
        yield from _stream_chunks(sys.stdin.buffer)
    except OSError as error:
        raise _unreadable("stdin", error) from None


def _from_pipe(path: str) -> Iterator[bytes]:
    with _open_anything(path) as stream:
        yield from _stream_chunks(stream)


def _archive_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    unpacked = unpacked_archive(path)
    parts = [
        SourcePart(f"{path}!{name}", partial(_open_member, unpacked, name, path))
        for name in sorted(file_names(path), key=_folder_order)
        if _matches_extensions(name.rpartition("/")[2], extensions)
    ]
    if not parts:
        raise refuse(path, "no-files", f"the archive holds no file{_extension_note(extensions)}")
    return tuple(parts)


def _open_member(unpacked: Unpacked, name: str, path: str) -> BinaryIO:
    return _expect_plain(f"{path}!{name}", unpacked.open(name), "unpack it before it goes into the archive")


def _expect_plain(path: str, stream: BinaryIO, hint: str) -> BinaryIO:
    """The stream, at its beginning; packed data are refused, not read as a text without documents."""
    found = kind_of(stream.read(HEAD_SIZE))
    if found is not None:
        stream.close()
        raise refuse(path, "other-kind", f"expected text, found {found[0]}", hint=hint)
    stream.seek(0)
    return stream
