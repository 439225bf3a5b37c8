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
from functools import partial
from hashlib import sha256
from threading import Lock
from typing import IO, TYPE_CHECKING, BinaryIO, ClassVar, Protocol, cast
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
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from _typeshed import WriteableBuffer

CHUNK = 1 << 18
"""Files are gone through in pieces of this size, which a processor keeps at hand while they are hashed and counted."""
FEW_BYTES = 4096
"""So many bytes are worth an array, once NumPy is there."""
_ARCHIVE = r"(?i).*\.(?:zip|tar|tar\.gz|tgz)!"


class Digest(Protocol):
    """A hash that is being made of bytes."""

    def update(self, data: bytes, /) -> None:
        """Take in more."""


def without_suffix(name: str, suffix: str = ".gz") -> str:
    """A name without the suffix of packed files, in capital letters or small ones."""
    return name[: -len(suffix)] if name.lower().endswith(suffix) else name


class SourcePart(NamedTuple):
    """One file of a source: a name for messages, and a way to open it as a seekable binary stream."""

    path: str
    open: Callable[[], BinaryIO]

    @property
    def name(self) -> str:
        """The base name, the same whether it is packed with gzip or not; of a part of an archive, that of the part."""
        inside = re.sub(_ARCHIVE, "", self.path) if "!" in self.path else self.path
        return without_suffix(os.path.basename(inside))  # noqa: PTH119 - parts of archives have no Path

    def head(self) -> bytes:
        """The first bytes, by which formats are recognised."""
        with self.open() as stream:
            return stream.read(1 << 16)

    def read_bytes(self) -> bytes:
        """Everything."""
        with self.open() as stream:
            return stream.read()


def marked_lines(
    stream: BinaryIO, mark: bytes, see: Callable[[bytes], object]
) -> Iterator[tuple[int, int, bytes]]:
    """(offset, line number, line) of every line with a ``#`` and a mark; ``see`` is shown all lines, many at once.

    Memory does not grow with the file, but for its longest line.
    """
    base, line = 0, 1
    while data := _whole_lines(stream):
        see(data)
        at = counted = 0
        # A search for one byte is many times as fast as one for the mark, and '#' is rare.
        while (at := data.find(b"#", at)) >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            content = data[start:end]
            if mark in content:
                line += _breaks(data, counted, start)
                counted = start
                yield base + start, line, content
            at = end
        line += _breaks(data, counted, len(data))
        base += len(data)


def _whole_lines(stream: BinaryIO) -> bytes:
    """The next chunk up to the end of its last line."""
    data = stream.read(CHUNK)
    return data if not data or data.endswith(b"\n") else data + stream.readline()


def _breaks(data: bytes, start: int, end: int) -> int:
    """How many lines end there; NumPy counts four times as fast, if something has loaded it."""
    if end - start >= FEW_BYTES and "numpy" in sys.modules:
        import numpy as np

        return int(np.count_nonzero(np.frombuffer(data, np.uint8, end - start, start) == _BREAK))
    return data.count(b"\n", start, end)


_BREAK = ord("\n")


def read_block(part: SourcePart, stream: BinaryIO, start: int, end: int) -> bytes:
    """The bytes of a file that were found there before; raises :class:`FormatError` if they are gone."""
    stream.seek(start)
    data = stream.read(end - start)
    if len(data) < end - start:
        raise refuse(
            part.path,
            "file-changed",
            f"expected {counted(end, 'byte')}, found {start + len(data)}: the file became shorter while it was read",
            hint="is something still writing it? run again when it is complete",
        )
    return data


class BlockReader:
    """Reads blocks of files by their places and keeps the last file open; another process opens it anew.

    Of many such readers, as of a hundred systems, only some keep a file open: a process may have few.  Threads that share
    one wait for each other: none must read from the place that another one was looking for.
    """

    _room: ClassVar[list[None]] = [None] * 16
    """A place for each file that may still be kept open; taking and returning one needs no lock, also at the very end."""

    def __init__(self) -> None:
        self._part: SourcePart | None = None
        self._stream: BinaryIO | None = None
        self._one_at_a_time = Lock()

    def read(self, part: SourcePart, start: int, end: int) -> bytes:
        """As :func:`read_block`."""
        with self._one_at_a_time:
            if self._stream is not None and self._part is part:
                return read_block(part, self._stream, start, end)
            self._close()
            stream = part.open()
            try:
                self._room.pop()
            except IndexError:
                with stream:
                    return read_block(part, stream, start, end)
            self._part, self._stream = part, stream
            # Unlike a method of ours, it has the file alive: the collector of garbage cannot take that first, and warn.
            self._closing = finalize(self, _give_up, stream, self._room)
            return read_block(part, stream, start, end)

    def _close(self) -> None:
        if self._stream is not None:
            self._closing()
            self._stream = None

    def __reduce__(self) -> tuple[type[BlockReader], tuple[()]]:
        return BlockReader, ()


def _give_up(stream: BinaryIO, room: list[None]) -> None:
    """Close a file that was kept open, and return its place."""
    stream.close()
    room.append(None)


class Source(NamedTuple):
    """What a user named on the command line: one path, one or more parts."""

    path: str
    parts: tuple[SourcePart, ...]

    @property
    def name(self) -> str:
        """What tables call it: the base name of the path, without packing suffixes."""
        base = os.path.basename(self.path.rstrip("/")) or self.path  # noqa: PTH119 - also for "-"
        for suffix in (".gz", ".zip", ".tar", ".tgz"):
            base = without_suffix(base, suffix)
        return "stdin" if base == "-" else base

    def sha256(self) -> str:
        """Hash of the bytes of all parts, in their order."""
        digest = sha256()
        for part in self.parts:
            with part.open() as stream:
                while chunk := stream.read(CHUNK):
                    digest.update(chunk)
        return digest.hexdigest()


def parts_by_document(
    source: Source, doc_id_of: Callable[[str], str]
) -> tuple[dict[str, SourcePart], tuple[Finding, ...]]:
    """The parts of a source with one document per file, by the document that their names tell.

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
    """The error for a name that would forge a line or a column of what is written."""
    message = f"{name!r} holds a tab or a line break and cannot stand in a column of a line"
    hint = "rename it, or choose a format that is JSON or XML, lydite for instance"
    return FormatError([Finding("line-break-in-name", "error", message, hint=hint)])


def open_source(path: str | os.PathLike[str], *, extensions: tuple[str, ...] = ()) -> Source:
    """The source at ``path``; of a folder or an archive the files with these extensions, sorted by name.

    Raises :class:`FormatError` (``unreadable-file``, ``no-files``, ``unsafe-archive``) if there is nothing to read.
    """
    path = os.fspath(path)
    if path == "-":
        return Source(path, (SourcePart("stdin", _stdin().open),))
    refuse_impossible_name(path)
    if is_address(path):
        return Source(path, _remote_parts(path, extensions))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - one call answers all three questions
    except OSError as error:
        if files := files_of_pattern(path):
            return Source(path, tuple(SourcePart(file, _opener(file)) for file in files))
        raise refuse(
            path, "unreadable-file", f"cannot be read: {error.strerror}", hint=near_name_hint(path)
        ) from None
    if stat.S_ISDIR(mode):
        return Source(path, _folder_parts(path, extensions))
    if not stat.S_ISREG(mode):
        return Source(path, (SourcePart(path, _pipe(path).open),))
    lower = path.lower()
    if lower.endswith(ARCHIVES):
        return Source(path, _archive_parts(path, extensions))
    if lower.endswith(".gz"):
        return Source(path, (SourcePart(path, _opener(path)),))
    part = SourcePart(path, partial(_open_plain, path))
    part.open().close()  # an unreadable file is refused here, with its name
    return Source(path, (part,))


def is_stream(path: str) -> bool:
    """Whether this is stdin or a pipe, which can be read once; what was read is kept for a run."""
    try:
        mode = 0 if path == "-" else stat.S_IFMT(os.stat(path).st_mode)  # noqa: PTH116 - as in open_source
    except (OSError, ValueError):
        return False
    return mode not in {stat.S_IFREG, stat.S_IFDIR}


def refuse_impossible_name(path: str) -> None:
    """Refuse what cannot be the name of a file: a list of files may be damaged, and the system does not answer then."""
    if "\0" in path:
        raise refuse(path, "unreadable-file", "cannot be read: no name of a file has a null character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        message = "cannot be read: no name of a file has half of a character (a surrogate)"
        raise refuse(path, "unreadable-file", message) from None


_MAGIC = frozenset("*?[")


def is_address(path: str) -> bool:
    """Whether this names something in an object store or on the network, not a file of this machine."""
    return "://" in path and re.match(r"[a-z][a-z0-9+.-]+://", path, re.IGNORECASE) is not None


def files_of_pattern(path: str) -> list[str]:
    """The files that a pattern means, in the order in which they are read; none if it is no pattern."""
    if _MAGIC.isdisjoint(path):
        return []
    from glob import glob

    found = filter(os.path.isfile, glob(path, recursive=True))  # noqa: PTH207 - text
    return sorted(found, key=_as_in_folders)


def _remote_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    """The files of an address: one, those of a pattern, or those of a folder."""
    fsspec = _fsspec(path)
    try:
        store, inside = fsspec.core.url_to_fs(path)
        if not _MAGIC.isdisjoint(inside):
            found = store.glob(inside)
        else:
            found = store.find(inside) if store.isdir(inside) else [inside]
        names = sorted(
            name
            for name in found
            if found == [inside] or _is_wanted(os.path.basename(name), extensions)  # noqa: PTH119 - no path of ours
        )
    except (OSError, ValueError, ImportError) as error:
        raise refuse(path, "unreadable-file", f"cannot be read: {error}") from None
    if not names:
        raise refuse(path, "no-files", f"the address holds no file{_of_kind(extensions)}")
    addresses = [str(store.unstrip_protocol(name)) for name in names]
    return tuple(SourcePart(address, partial(_open_remote, address)) for address in addresses)


def _fsspec(address: str) -> ModuleType:
    from lydite.extras import library

    return library("fsspec", "tables", f"reading {address.partition('://')[0]}://")


def _open_remote(address: str) -> BinaryIO:
    fsspec = _fsspec(address)
    try:
        return cast("BinaryIO", fsspec.open(address, "rb").open())
    except (OSError, ValueError, ImportError) as error:
        raise refuse(address, "unreadable-file", f"cannot be read: {error}") from None


def open_file(path: str | os.PathLike[str]) -> SourcePart:
    """The only file at ``path``: what a setting names that takes one file, not a folder or an archive of several."""
    parts = open_source(path).parts
    if len(parts) != 1:
        raise UsageError(f"{os.fspath(path)}: expected one file, found {len(parts)}", hint="name one of them")
    return parts[0]


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
        return io.BufferedReader(_Plain(path), buffer_size=1 << 16)
    except OSError as error:
        raise _unreadable(path, error) from None


class _Plain(io.FileIO):
    """A file whose failures to read (a disk that fails, a network that is gone) are reported with its name."""

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
    """Whether a name of the input is not that of something below the folder at hand."""
    return "\0" in name or any(part in {"", ".", ".."} for part in name.split("/"))


def file_inside(folder: str, name: str) -> Path | None:
    """The file of that name in a folder or below it, if there is one; a name of the input leads out of no folder."""
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
    """What to try if there is no file of that name: near names in its folder, or where it was looked for."""
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
    """As :func:`os.walk`; a folder that cannot be listed is refused: what lies in it would be missing in silence."""

    def stop(error: OSError) -> None:
        raise _unreadable(str(error.filename), error)

    return os.walk(path, onerror=stop)


def _folder_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    files: list[str] = []
    for place, _, names in walk(_tidy(path)):
        inside = f"{place.rstrip(os.sep)}{os.sep}".removeprefix(f"{os.curdir}{os.sep}")
        wanted = [inside + name for name in names if _is_wanted(name, extensions)]
        files += filter(os.path.isfile, wanted)
    files.sort(key=_as_in_folders)
    if not files:
        raise refuse(
            path,
            "no-files",
            f"the folder holds no file{_of_kind(extensions)}",
            hint="is it the right folder? names that begin with a dot are not looked at",
        )
    return tuple(SourcePart(file, _opener(file)) for file in files)


def _as_in_folders(path: str) -> list[str]:
    """The order of files, folder by folder: the same whether they lie in one or in an archive of it."""
    return os.path.normcase(os.path.normpath(path)).split(os.sep)  # noqa: PTH206 - the order of paths


def _tidy(path: str) -> str:
    """The path as pathlib writes it; most are written so, and pathlib takes long to import."""
    if os.path.normpath(path) == path:
        return path
    from pathlib import Path

    return str(Path(path))


def _opener(path: str) -> Callable[[], BinaryIO]:
    if path.lower().endswith(".gz"):
        return Unpacked(partial(unnamed, gunzip, path)).open
    return partial(_open_plain, path)


def _is_wanted(name: str, extensions: tuple[str, ...]) -> bool:
    if name.startswith((".", "._")):
        return False
    return not extensions or name.lower().removesuffix(".gz").endswith(extensions)


def _of_kind(extensions: tuple[str, ...]) -> str:
    return f" of this kind ({', '.join(f'*{extension}' for extension in extensions)})" if extensions else ""


_last_stdin: list[tuple[object, Unpacked]] = []
"""Standard input can be read once; whoever asks again gets what was read."""


def _stdin() -> Unpacked:
    if not _last_stdin or _last_stdin[0][0] is not sys.stdin:
        _last_stdin[:] = [(sys.stdin, _Stream("stdin", _from_stdin))]
    return _last_stdin[0][1]


_pipes: dict[str, Unpacked] = {}


def _pipe(path: str) -> Unpacked:
    """A pipe (``<(command)``, a FIFO, ``/dev/stdin``) can be read once, too; it is read whole."""
    return _pipes.setdefault(path, _Stream(path, partial(_from_pipe, path)))


class _Stream(Unpacked):
    """What came from stdin or a pipe; whether it is text is seen when all of it is there: it may come byte by byte."""

    def __init__(self, path: str, origin: Callable[[], Iterable[bytes]]) -> None:
        super().__init__(partial(unnamed, origin))
        self._path = path

    def open(self, name: str = "") -> BinaryIO:
        hint = "what comes through a pipe is plain text: gunzip -c FILE | lydite …"
        return _unpacked(self._path, super().open(name), hint)

    def __reduce__(self) -> tuple[type[Unpacked], tuple[Callable[[], Contents]]]:
        # A worker cannot read it again: the bytes travel along.
        return Unpacked, (partial(unnamed, tuple, [self.read("")]),)


def forget_pipes() -> None:
    """What pipes gave belongs to one run: the next one reads them anew."""
    _pipes.clear()


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(stream.read, CHUNK), b"")


def _from_stdin() -> Iterator[bytes]:
    if sys.stdin is None:
        raise refuse("stdin", "unreadable-file", "cannot be read: it is closed")
    try:
        yield from _chunks(sys.stdin.buffer)
    except OSError as error:
        raise _unreadable("stdin", error) from None


def _from_pipe(path: str) -> Iterator[bytes]:
    with _open_anything(path) as stream:
        yield from _chunks(stream)


def _archive_parts(path: str, extensions: tuple[str, ...]) -> tuple[SourcePart, ...]:
    unpacked = unpacked_archive(path)
    parts = [
        SourcePart(f"{path}!{name}", partial(_open_member, unpacked, name, path))
        for name in sorted(file_names(path), key=_as_in_folders)
        if _is_wanted(name.rpartition("/")[2], extensions)
    ]
    if not parts:
        raise refuse(path, "no-files", f"the archive holds no file{_of_kind(extensions)}")
    return tuple(parts)


def _open_member(unpacked: Unpacked, name: str, path: str) -> BinaryIO:
    return _unpacked(f"{path}!{name}", unpacked.open(name), "unpack it before it goes into the archive")


def _unpacked(path: str, stream: BinaryIO, hint: str) -> BinaryIO:
    """A stream from its beginning; one that is packed is refused, not read as a text without documents."""
    found = kind_of(stream.read(HEAD_SIZE))
    if found is not None:
        stream.close()
        raise refuse(path, "other-kind", f"expected text, found {found[0]}", hint=hint)
    stream.seek(0)
    return stream
