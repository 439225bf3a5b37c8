"""Stores: one file per document, named after the document, in a folder, ``.zip``, ``.tar.gz`` or ``.tgz``.

A store is listed completely before anything is read, and what does not belong into it (folders, links, members that
point outside, files of the operating system) is kept with its kind, because a validator has to name it.  Archives
are unpacked into an anonymous temporary file, never beside the input.
"""

from __future__ import annotations

import os
import stat
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import IO, Literal, cast

from lydite.errors import FormatError
from lydite.formats.source import check_member_name, check_unpacked, refuse, walk
from lydite.limits import limit, setting_of

Kind = Literal["file", "folder", "unsafe"]

ARCHIVES = (".zip", ".tar.gz", ".tgz")


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of a store: its name inside the store, what it is, and how to read it (files only).

    ``reader`` is the same for all members of a store, so that a member costs little more than its name.
    """

    name: str
    kind: Kind
    reader: Callable[[str], bytes]
    stored: str
    """The name under which the reader knows it."""
    why: str = ""

    def read(self) -> bytes:
        """The bytes of the file."""
        return self.reader(self.stored)


@dataclass(frozen=True, slots=True)
class Store:
    """A store as it lies there: its path and all its members, sorted by name."""

    path: str
    members: tuple[Member, ...]

    @property
    def name(self) -> str:
        """What tables call it: the base name without packing suffixes."""
        base = os.path.basename(self.path.rstrip("/")) or self.path  # noqa: PTH119 - text in, text out
        for suffix in (*ARCHIVES, ".tar"):
            base = base.removesuffix(suffix)
        return base

    @property
    def files(self) -> Mapping[str, Member]:
        """The document files at the top, by name; files of the operating system are left out."""
        return {
            member.name: member
            for member in self.members
            if member.kind == "file" and "/" not in member.name and not is_clutter(member.name)
        }

    @property
    def folders(self) -> tuple[str, ...]:
        """The names of the folders at the top."""
        tops = (
            member.name.split("/", 1)[0]
            for member in self.members
            if member.kind == "folder" or (member.kind == "file" and "/" in member.name)
        )
        return tuple(dict.fromkeys(tops))

    def inside(self, folder: str) -> Store:
        """The store that lies in a folder of this one."""
        prefix = f"{folder}/"
        members = (
            replace(member, name=member.name.removeprefix(prefix))
            for member in self.members
            if member.name.startswith(prefix)
        )
        return Store(f"{self.path}/{folder}", tuple(members))

    def sha256(self) -> str:
        """Hash of all files with their names, in the order of the names."""
        digest = sha256()
        for member in self.members:
            if member.kind == "file":
                digest.update(member.name.encode("utf-8", "surrogateescape") + b"\0" + member.read())
        return digest.hexdigest()


def is_clutter(name: str) -> bool:
    """Whether a file was put there by an operating system: dot files, ``__MACOSX``."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def open_store(path: str | os.PathLike[str]) -> Store:
    """The store at ``path``; :class:`FormatError` (``unreadable-file``, ``archive-type``) if there is none."""
    path = os.fspath(path)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - text in, text out
    except OSError as error:
        raise refuse(path, "unreadable-file", f"cannot be read: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        return Store(path, _folder_members(path))
    lower = path.lower()
    if lower.endswith(".zip"):
        return Store(path, _zip_members(path))
    if lower.endswith((".tar.gz", ".tgz")):
        return Store(path, _tar_members(path))
    name = os.path.basename(path)  # noqa: PTH119 - as above
    raise refuse(
        name,
        "archive-type",
        f"{name!r} is no folder, .zip, .tar.gz or .tgz",
        hint="pack the files themselves, one per document, without a folder around them",
    )


def _nothing(_name: str) -> bytes:
    return b""


def _sorted(members: Iterable[Member]) -> tuple[Member, ...]:
    return tuple(sorted(members, key=lambda member: member.name))


_ATTEMPTS = 10
"""How often a folder is listed again that is replaced while it is listed."""


def _folder_members(path: str) -> tuple[Member, ...]:
    for _ in range(_ATTEMPTS):
        folder = _Folder(path)
        try:
            members = _sorted(folder.members())
        except FormatError:
            if folder.is_in_place():
                raise
        else:
            if folder.is_in_place():
                return members
    raise _replaced(path)


_WATCHED = 16
"""Folders that are looked at before each file: a store has three, and what is none may have thousands."""


def _identify(path: str) -> tuple[int, int, int]:
    # A number is given away again when its folder is gone; what was put into a folder changes its time.
    try:
        found = os.stat(path)  # noqa: PTH116 - text in, text out
    except OSError as error:
        raise refuse(path, "unreadable-file", f"cannot be read: {error.strerror}") from None
    return found.st_dev, found.st_ino, found.st_mtime_ns


class _Folder:
    """A folder of which everything is read, or nothing: a command may put another one in its place meanwhile."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._identities = {path: _identify(path)}
        """Of the folder and of those in it; what is put into one of them changes that one alone."""

    def is_in_place(self) -> bool:
        """Whether this is still the folder that was found there, and so are those in it."""
        try:
            return all(_identify(path) == identity for path, identity in self._identities.items())
        except FormatError:
            return False

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        file = os.path.join(self._path, name)  # noqa: PTH118 - hundreds of files: text is cheaper than Path
        try:
            with open(file, "rb") as stream:  # noqa: PTH123 - one line
                # The file is that of the folder that is there after it was opened.
                if not self.is_in_place():
                    raise _replaced(self._path)
                return stream.read()
        except OSError as error:
            if not self.is_in_place():
                raise _replaced(self._path) from None
            raise refuse(file, "unreadable-file", f"cannot be read: {error.strerror}") from None

    def members(self) -> Iterator[Member]:
        """Everything that lies in the folder."""
        for folder, subfolders, names in walk(self._path):
            inside = os.path.relpath(folder, self._path).replace(os.sep, "/")
            prefix = "" if inside == "." else f"{inside}/"
            for sub in subfolders:
                if len(self._identities) < _WATCHED:
                    inner = os.path.join(folder, sub)  # noqa: PTH118 - as above
                    self._identities[inner] = _identify(inner)
                yield Member(f"{prefix}{sub}", "folder", _nothing, f"{prefix}{sub}")
            for base in names:
                name = f"{prefix}{base}"
                if os.path.isfile(os.path.join(folder, base)):  # noqa: PTH113, PTH118 - as above
                    yield Member(name, "file", self.read, name)
                else:
                    yield Member(name, "unsafe", _nothing, name, "neither file nor folder")


def _replaced(path: str) -> FormatError:
    return refuse(
        path,
        "file-changed",
        "the folder was replaced or changed while it was read",
        hint="does another command write it? run again when it has finished",
    )


def _danger(name: str) -> str:
    """Why a member's name is unsafe, or nothing."""
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or (len(name) > 1 and name[1] == ":"):
        return "has an absolute path"
    return "points outside the archive" if ".." in parts else ""


def _plain_name(name: str) -> str:
    """``./NW_01`` is ``NW_01``: some packers write the folder that they were called in."""
    while name.startswith("./"):
        name = name[2:]
    return name


def _check_sizes(path: str, name: str, size: int, total: int) -> None:
    check_member_name(path, name)
    if size > limit("member"):
        message = f"member {name!r} unpacks to {size >> 20} MiB, too large for a document"
        raise refuse(path, "unsafe-archive", message, hint=setting_of("member"))
    check_unpacked(path, total)


class _Spool:
    """The unpacked bytes of an archive, one after the other, in memory while they are few and on disk beyond that."""

    def __init__(self) -> None:
        self._stream = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=64 << 20))  # noqa: SIM115 - kept open
        self._end = 0
        self._places: dict[str, tuple[int, int]] = {}
        weakref.finalize(self, self._stream.close)

    def take(self, name: str, source: IO[bytes], size: int) -> None:
        """Copy ``size`` bytes at most; they are read again under that name."""
        begin = self._end
        self._stream.seek(begin)
        left = size
        while left and (chunk := source.read(min(left, 1 << 20))):
            self._stream.write(chunk)
            left -= len(chunk)
        self._end = begin + size - left
        self._places[name] = begin, self._end - begin

    def read(self, name: str) -> bytes:
        """What was copied under that name."""
        begin, length = self._places[name]
        self._stream.seek(begin)
        return self._stream.read(length)


def _zip_members(path: str) -> tuple[Member, ...]:
    import zipfile
    import zlib

    members: list[Member] = []
    spool, total = _Spool(), 0
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                mode = info.external_attr >> 16
                special = stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}
                why = _danger(info.filename) or ("is a link or device" if special else "")
                name = _plain_name(info.filename)
                if why:
                    members.append(Member(info.filename, "unsafe", _nothing, info.filename, why))
                elif info.is_dir():
                    members.append(Member(name.rstrip("/"), "folder", _nothing, name))
                else:
                    total += info.file_size
                    _check_sizes(path, name, info.file_size, total)
                    with archive.open(info) as stream:
                        spool.take(name, stream, info.file_size)
                    members.append(Member(name, "file", spool.read, name))
    except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _unreadable(path, "zip", error) from None
    return _sorted(members)


def _tar_members(path: str) -> tuple[Member, ...]:
    import tarfile
    import zlib

    members: list[Member] = []
    spool, total = _Spool(), 0
    try:
        with tarfile.open(path, "r|*") as archive:
            for info in archive:
                name = _plain_name(info.name)
                why = _danger(info.name) or ("" if info.isfile() or info.isdir() else "is a link or device")
                if why:
                    members.append(Member(info.name, "unsafe", _nothing, info.name, why))
                elif info.isdir():
                    if name not in {"", "."}:
                        members.append(Member(name.rstrip("/"), "folder", _nothing, name))
                else:
                    total += info.size
                    _check_sizes(path, name, info.size, total)
                    stream = archive.extractfile(info)
                    assert stream is not None
                    spool.take(name, stream, info.size)
                    members.append(Member(name, "file", spool.read, name))
    except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
        raise _unreadable(path, "tar", error) from None
    return _sorted(members)


def _unreadable(path: str, kind: str, error: Exception) -> FormatError:
    return refuse(path, "unreadable-file", f"not a readable {kind} archive: {error}")
