"""Where bytes come from: a file, ``-``, ``.gz``, a folder, ``.zip``, ``.tar.gz``.

A file, a folder or an archive is one system.  Readers see a :class:`Source` as a sequence of :class:`Part` s, each a
seekable stream of plain bytes with a name for messages; what is packed is unpacked into an anonymous temporary file,
never beside the input.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, Self, cast

from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.formats.kinds import LONGEST, expect_packed, expect_text
from lydite.limits import LARGE, limit, setting_of

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import WriteableBuffer

CHUNK = 1 << 18
SPOOL_LIMIT = 64 << 20
"""What is unpacked stays in memory up to this size and goes to a temporary file beyond it."""


ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")
_ARCHIVE = re.compile(r".*\.(?:zip|tar|tar\.gz|tgz)!", re.IGNORECASE)


class Digest(Protocol):
    """A hash that is being made of bytes."""

    def update(self, data: bytes, /) -> None:
        """Take in more."""


class Part(NamedTuple):
    """One file of a source: a name for messages, and a way to open it as a seekable binary stream."""

    path: str
    open: Callable[[], BinaryIO]

    @property
    def name(self) -> str:
        """The base name; of a part of an archive, that of the part."""
        inside = _ARCHIVE.sub("", self.path)
        return os.path.basename(inside)  # noqa: PTH119 - parts of archives have no Path

    def read_bytes(self) -> bytes:
        """Everything."""
        with self.open() as stream:
            return stream.read()


def read_to_line_end(stream: BinaryIO, size: int = CHUNK) -> bytes:
    """The next chunk, and more of them as long as no line ends in them: a line of megabytes is put together once."""
    chunks = [stream.read(size)]
    while chunks[-1] and b"\n" not in chunks[-1]:
        chunks.append(stream.read(size))
    return b"".join(chunks) if len(chunks) > 1 else chunks[0]


def read_block(part: Part, stream: BinaryIO, start: int, end: int) -> bytes:
    """The bytes of a file that were found there before; raises :class:`FormatError` if they are gone."""
    stream.seek(start)
    data = stream.read(end - start)
    if len(data) < end - start:
        raise refuse(
            part.path,
            "file-changed",
            f"expected {end} bytes, found {start + len(data)}: the file became shorter while it was read",
            hint="is something still writing it? run again when it is complete",
        )
    return data


class Source(NamedTuple):
    """What a user named on the command line: one path, one or more parts."""

    path: str
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """What tables call it: the base name of the path, without packing suffixes."""
        base = os.path.basename(self.path.rstrip("/")) or self.path  # noqa: PTH119 - also for "-"
        for suffix in (".gz", ".zip", ".tar", ".tgz"):
            base = base.removesuffix(suffix)
        return "stdin" if base == "-" else base

    def sha256(self) -> str:
        """Hash of the bytes of all parts, in their order."""
        digest = sha256()
        for part in self.parts:
            with part.open() as stream:
                while chunk := stream.read(CHUNK):
                    digest.update(chunk)
        return digest.hexdigest()


def by_document(
    source: Source, doc_id_of: Callable[[str], str]
) -> tuple[dict[str, Part], tuple[Finding, ...]]:
    """The parts of a source with one document per file, by the document that their names tell.

    Two files of one document, in different folders, are a finding; the last one counts.
    """
    parts: dict[str, Part] = {}
    findings = []
    for part in source.parts:
        doc_id = doc_id_of(part.name)
        if doc_id in parts:
            message = f"document {doc_id!r} has two files (before: {parts[doc_id].path}); the last one counts"
            findings.append(Finding("repeated-document", "warning", message, Location(part.path), doc_id))
        parts[doc_id] = part
    return parts, tuple(findings)


def refuse(path: str, code: str, message: str, *, hint: str | None = None) -> FormatError:
    """The error for a path that cannot be used at all."""
    return FormatError([Finding(code, "error", message, Location(path), hint=hint)])


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
        return Source(path, (Part("stdin", _stdin()),))
    if "\0" in path:
        # Lists of files can be damaged; the system calls would answer with a ValueError.
        raise refuse(path, "unreadable-file", "cannot be read: no name of a file has a null character")
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - one call answers all three questions
    except OSError as error:
        raise refuse(
            path, "unreadable-file", f"cannot be read: {error.strerror}", hint=near_files(path)
        ) from None
    if stat.S_ISDIR(mode):
        return Source(path, _folder_parts(path, extensions))
    if not stat.S_ISREG(mode):
        return Source(path, (Part(path, _pipe(path)),))
    lower = path.lower()
    if lower.endswith(ARCHIVES):
        return Source(path, _archive_parts(path, extensions))
    if lower.endswith(".gz"):
        return Source(path, (Part(path, _Replay(partial(_fill_from_gzip, path))),))
    part = Part(path, partial(_open_plain, path))
    part.open().close()  # an unreadable file is refused here, with its name
    return Source(path, (part,))


def open_file(path: str | os.PathLike[str]) -> Part:
    """The only file at ``path``: what a setting names that takes one file, not a folder or an archive of several."""
    parts = open_source(path).parts
    if len(parts) != 1:
        raise UsageError(f"{os.fspath(path)}: expected one file, found {len(parts)}", hint="name one of them")
    return parts[0]


def _open_plain(path: str) -> BinaryIO:
    stream = _open_anything(path)
    try:
        expect_text(path, stream.peek(LONGEST)[:LONGEST])
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
    """A file whose failures to read (a disk that fails, a network that is gone) are told with its name."""

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


def file_inside(folder: str, name: str) -> Path | None:
    """The file of that name in a folder or below it, if there is one; a name of the input leads out of no folder."""
    from pathlib import Path

    if "\0" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        return None
    path = Path(folder) / name
    try:
        return path if path.is_file() else None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None
        raise _unreadable(str(path), error) from None


def near_files(path: str) -> str:
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
    """As :func:`os.walk`; a folder that cannot be listed is refused: what lies in it would be missing, untold."""

    def stop(error: OSError) -> None:
        raise _unreadable(str(error.filename), error)

    return os.walk(path, onerror=stop)


def _folder_parts(path: str, extensions: tuple[str, ...]) -> tuple[Part, ...]:
    from pathlib import Path

    files = sorted(
        entry
        for place, _, names in walk(path)
        for name in names
        if _wanted(name, extensions) and (entry := Path(place, name)).is_file()
    )
    if not files:
        raise refuse(
            path,
            "no-files",
            f"the folder holds no file{_shown(extensions)}",
            hint="is it the right folder? names that begin with a dot are not looked at",
        )
    return tuple(Part(str(file), _opener(str(file))) for file in files)


def _opener(path: str) -> Callable[[], BinaryIO]:
    return _Replay(partial(_fill_from_gzip, path)) if path.endswith(".gz") else partial(_open_plain, path)


def _wanted(name: str, extensions: tuple[str, ...]) -> bool:
    if name.startswith((".", "._")):
        return False
    return not extensions or name.lower().removesuffix(".gz").endswith(extensions)


def _shown(extensions: tuple[str, ...]) -> str:
    return f" of this kind ({', '.join(f'*{extension}' for extension in extensions)})" if extensions else ""


class _Replay:
    """Opens the same spooled bytes again and again; the spool lives as long as a part refers to it.

    ``fill`` is a function of the module, so that a corpus can be sent to a worker, which unpacks for itself; only what
    came from stdin travels along.
    """

    def __init__(self, fill: Callable[[IO[bytes]], None]) -> None:
        self._fill = fill
        self._spool: IO[bytes] | None = None

    def __call__(self) -> BinaryIO:
        spool = self._filled()
        return self.part(0, spool.seek(0, os.SEEK_END))

    def part(self, begin: int, end: int) -> BinaryIO:
        """A stream over some of the bytes."""
        return cast("BinaryIO", _View(self._filled(), self, begin, end))

    def _filled(self) -> IO[bytes]:
        if self._spool is None:
            import tempfile

            spool = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=SPOOL_LIMIT))  # noqa: SIM115
            try:
                self._fill(spool)
            except BaseException:
                spool.close()
                raise
            self._spool = spool
        return self._spool

    def __reduce__(self) -> tuple[type[_Replay], tuple[Callable[[IO[bytes]], None]]]:
        if self._fill is _fill_from_stdin or isinstance(self, _Pipe):
            return _Replay, (partial(_fill_from_bytes, self().read()),)
        return _Replay, (self._fill,)

    def __del__(self) -> None:
        if self._spool is not None:
            self._spool.close()


class _Stdin(NamedTuple):
    """Standard input can be read once; whoever asks again gets what was read."""

    stream: object
    replay: _Replay


_last_stdin: list[_Stdin] = []


def _stdin() -> _Replay:
    if not _last_stdin or _last_stdin[0].stream is not sys.stdin:
        _last_stdin[:] = [_Stdin(sys.stdin, _Replay(_fill_from_stdin))]
    return _last_stdin[0].replay


_pipes: dict[str, _Replay] = {}


def _pipe(path: str) -> _Replay:
    """A pipe (``<(command)``, a FIFO, ``/dev/stdin``) can be read once, too; it is read whole."""
    return _pipes.setdefault(path, _Pipe(path))


class _Pipe(_Replay):
    """What came from a pipe; whether it is text is seen when all of it is there: pipes may give byte by byte."""

    def __init__(self, path: str) -> None:
        super().__init__(partial(_fill_from_pipe, path))
        self._path = path

    def __call__(self) -> BinaryIO:
        stream = super().__call__()
        expect_text(self._path, stream.read(LONGEST))
        stream.seek(0)
        return stream


def forget_pipes() -> None:
    """What pipes gave belongs to one run: the next one reads them anew."""
    _pipes.clear()


class _View:
    """A stream of its own over a shared spool, or over a part of it: closing it leaves the spool open."""

    def __init__(self, spool: IO[bytes], owner: _Replay, begin: int, end: int) -> None:
        self._spool = spool
        self._owner = owner  # who closes the spool when nobody reads it any more
        self._begin, self._length = begin, end - begin
        self._position = 0

    def _left(self) -> int:
        """Go to the position; how many bytes are behind it."""
        self._spool.seek(self._begin + self._position)
        return max(self._length - self._position, 0)

    def read(self, size: int = -1) -> bytes:
        left = self._left()
        data = self._spool.read(left if size is None or size < 0 else min(size, left))
        self._position += len(data)
        return data

    def seek(self, position: int, whence: int = 0) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._length}[whence]
        self._position = start + position
        return self._position

    def tell(self) -> int:
        return self._position

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readline(self, size: int = -1) -> bytes:
        left = self._left()
        data = self._spool.readline(left if size is None or size < 0 else min(size, left))
        self._position += len(data)
        return data

    def __iter__(self) -> Iterator[bytes]:
        while line := self.readline():
            yield line

    def close(self) -> None:
        pass

    @property
    def closed(self) -> bool:
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _copy(source: IO[bytes], spool: IO[bytes]) -> None:
    while chunk := source.read(CHUNK):
        spool.write(chunk)


def _fill_from_stdin(spool: IO[bytes]) -> None:
    if sys.stdin is None:
        raise refuse("stdin", "unreadable-file", "cannot be read: it is closed")
    try:
        _copy(sys.stdin.buffer, spool)
    except OSError as error:
        raise _unreadable("stdin", error) from None


def _fill_from_pipe(path: str, spool: IO[bytes]) -> None:
    with _open_anything(path) as stream:
        _copy(stream, spool)


def _fill_from_bytes(data: bytes, spool: IO[bytes]) -> None:
    spool.write(data)


def _fill_from_gzip(path: str, spool: IO[bytes]) -> None:
    import zlib

    try:
        expect_packed(path, b"\x1f\x8b", "gzip data", ".gz")
        if _declared_size(path) > max(LARGE, limit("ratio") * os.path.getsize(path)):  # noqa: PTH202 - as above
            # Likely a bomb, or damaged: nothing of it goes to the disk before that is known.
            for _ in _unpacked(path):
                pass
        for chunk in _unpacked(path):
            spool.write(chunk)
    except (OSError, EOFError, zlib.error) as error:
        raise refuse(path, "unreadable-file", f"not a complete gzip file: {error}") from None


def _unpacked(path: str) -> Iterator[bytes]:
    import gzip

    with gzip.open(path, "rb") as stream:
        unpacked = 0
        while chunk := stream.read(CHUNK):
            unpacked += len(chunk)
            check_unpacked(path, unpacked)
            yield chunk


def _declared_size(path: str) -> int:
    """What the last four bytes of gzip data say that it unpacks to."""
    with open(path, "rb") as stream:  # noqa: PTH123 - one line
        stream.seek(-min(4, os.fstat(stream.fileno()).st_size), os.SEEK_END)
        return int.from_bytes(stream.read(4), "little")


def _archive_parts(path: str, extensions: tuple[str, ...]) -> tuple[Part, ...]:
    members = _zip_members(path) if path.lower().endswith(".zip") else _tar_members(path)
    parts = [
        Part(f"{path}!{name}", opened)
        for name, opened in members
        if _wanted(name.rpartition("/")[2], extensions)
    ]
    if not parts:
        raise refuse(path, "no-files", f"the archive holds no file{_shown(extensions)}")
    return tuple(sorted(parts, key=lambda part: part.path))


def _check_member(path: str, name: str) -> None:
    check_member_name(path, name)
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or (len(name) > 1 and name[1] == ":"):
        raise refuse(
            path,
            "unsafe-archive",
            f"member {name!r} points outside the archive",
            hint="pack it with plain names",
        )


def check_member_name(path: str, name: str) -> None:
    """Refuse an archive with a member whose name no file system would take."""
    most = limit("name")
    if len(name) > most:
        message = f"a member has a name of {len(name)} characters ({name[:20]!r}…), more than {most}"
        raise refuse(path, "unsafe-archive", message, hint=setting_of("name"))


def check_unpacked(path: str, total: int) -> None:
    """Refuse an archive that unpacks to more than is allowed, or to many times its own size: a bomb."""
    most = limit("unpacked")
    if total > most:
        message = f"unpacks to more than {most} bytes"
        raise refuse(path, "unsafe-archive", message, hint=setting_of("unpacked"))
    if total > LARGE and total > limit("ratio") * os.path.getsize(path):  # noqa: PTH202 - text in, text out
        message = f"unpacks to more than {limit('ratio')} times its size"
        raise refuse(path, "unsafe-archive", message, hint=setting_of("ratio"))


def _zip_members(path: str) -> list[tuple[str, Callable[[], BinaryIO]]]:
    import zipfile

    try:
        expect_packed(path, b"PK", "a zip archive", ".zip")
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise refuse(path, "unreadable-file", f"not a readable zip archive: {error}") from None
    names: list[str] = []
    with archive:
        infos = archive.infolist()
        check_unpacked(path, sum(info.file_size for info in infos))
        for info in infos:
            _check_member(path, info.filename)
            if stat.S_ISLNK(info.external_attr >> 16):
                raise refuse(path, "unsafe-archive", f"member {info.filename!r} is a link")
            if not info.is_dir():
                names.append(info.filename)
    return _unpacked_members(path, names)


def _tar_members(path: str) -> list[tuple[str, Callable[[], BinaryIO]]]:
    import tarfile
    import zlib

    names: list[str] = []
    total = 0
    try:
        with tarfile.open(path) as archive:
            for info in archive:
                _check_member(path, info.name)
                if info.islnk() or info.issym():
                    raise refuse(path, "unsafe-archive", f"member {info.name!r} is a link")
                total += info.size
                check_unpacked(path, total)
                if info.isfile():
                    names.append(info.name)
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise refuse(path, "unreadable-file", f"not a readable tar archive: {error}") from None
    return _unpacked_members(path, names)


def _unpacked_members(path: str, names: list[str]) -> list[tuple[str, Callable[[], BinaryIO]]]:
    """Each name with a way to open it; of members with one name the last one counts, as unpacking them would have it."""
    archive = _Archive(path)
    return [(name, partial(archive.member, name)) for name in dict.fromkeys(names)]


class _Archive:
    """The members of an archive one after the other in one spool, unpacked together when the first one is asked for.

    To look for each of many members by itself would go through the archive as often.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._places: dict[str, tuple[int, int]] = {}
        self._replay = _Replay(partial(_fill_from_archive, path, self._places))

    def member(self, name: str) -> BinaryIO:
        """A stream of its own over one member."""
        self._replay()
        return self._replay.part(*self._places[name])

    def __reduce__(self) -> tuple[type[_Archive], tuple[str]]:
        return _Archive, (self._path,)


def _fill_from_archive(path: str, places: dict[str, tuple[int, int]], spool: IO[bytes]) -> None:
    import tarfile
    import zipfile
    import zlib

    try:
        for name, size, stream in (_zip_streams if path.lower().endswith(".zip") else _tar_streams)(path):
            begin, left = spool.tell(), size
            while left and (chunk := stream.read(min(left, CHUNK))):
                spool.write(chunk)
                left -= len(chunk)
            places[name] = begin, spool.tell()
    except (OSError, EOFError, RuntimeError, tarfile.TarError, zipfile.BadZipFile, zlib.error) as error:
        raise refuse(path, "unreadable-file", f"a member cannot be unpacked: {error}") from None


def _zip_streams(path: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                with archive.open(info) as stream:
                    yield info.filename, info.file_size, stream


def _tar_streams(path: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    import tarfile

    with tarfile.open(path, "r|*") as archive:
        for info in archive:
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                yield info.name, info.size, stream
