"""Stores: one file per document, named after the document, in a folder, ``.zip``, ``.tar.gz`` or ``.tgz``.

A store is listed completely before anything is read, and what does not belong into it (folders, links, members that
point outside, files of the operating system) is kept with its kind, because a validator has to name it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from lydite.errors import FormatError, refuse
from lydite.formats.archives import Contents, archive_entries, damage_refused, unpacked_archive
from lydite.formats.null_characters import refuse_null
from lydite.formats.source import Source, near_name_hint, refuse_impossible_name, walk
from lydite.resource_limits import limit

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
    store: str
    """The path of the store, for messages."""
    why: str = ""

    def read(self) -> bytes:
        """The bytes of a file of text; raises :class:`FormatError` (``null-character``) if it is none."""
        data = self.read_anything()
        refuse_null(f"{self.store}/{self.stored}", data)
        return data

    def read_anything(self) -> bytes:
        """The bytes of the file, whatever it holds."""
        return self.reader(self.stored)


@dataclass(frozen=True, slots=True)
class Store:
    """A store as it lies there: its path and all its members, sorted by name."""

    path: str
    members: tuple[Member, ...]

    @property
    def name(self) -> str:
        """The name in tables: the base name without the suffixes of packed files."""
        return Source(self.path, ()).name

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
        inside = (member for member in self.members if member.name.startswith(prefix))
        members = tuple(replace(member, name=member.name.removeprefix(prefix)) for member in inside)
        return Store(f"{self.path}/{folder}", members)

    def sha256(self) -> str:
        """Hash of all files with their names, in the order of the names."""
        digest = sha256()
        for member in self.members:
            if member.kind == "file":
                digest.update(member.name.encode("utf-8", "surrogateescape") + b"\0" + member.read_anything())
        return digest.hexdigest()


def is_clutter(name: str) -> bool:
    """Whether a file is one of an operating system: a dot file, or in ``__MACOSX``."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def open_store(path: str | os.PathLike[str]) -> Store:
    """The store at ``path``; :class:`FormatError` (``unreadable-file``, ``archive-type``) if there is none."""
    path = os.fspath(path)
    refuse_impossible_name(path)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - text in, text out
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        raise refuse(path, "unreadable-file", why, hint=near_name_hint(path)) from None
    if stat.S_ISDIR(mode):
        return Store(path, _folder_members(path))
    if path.lower().endswith(ARCHIVES):
        return Store(path, _archive_members(path))
    name = os.path.basename(path)  # noqa: PTH119 - as above
    hint = "pack the files themselves, one per document, without a folder around them"
    raise refuse(name, "archive-type", f"{name!r} is not a folder, .zip, .tar.gz or .tgz", hint=hint)


def _no_bytes(_name: str) -> bytes:
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
"""How many folders are checked for changes before each file: a store has three, a wrong folder may have thousands."""


def _identify(path: str) -> tuple[int, int, int]:
    # The number of a deleted folder is used again; the time tells whether something was put into a folder.
    try:
        found = os.stat(path)  # noqa: PTH116 - text in, text out
    except OSError as error:
        raise refuse(path, "unreadable-file", f"cannot be read: {error.strerror}") from None
    return found.st_dev, found.st_ino, found.st_mtime_ns


class _Folder:
    """A folder that is read as a whole or not at all: another command may replace it meanwhile."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._identities = {path: _identify(path)}
        """By path, for the folder and those in it: a file that is put into one of them changes only its own folder."""

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
            with open(file, "rb", buffering=0) as stream:  # noqa: PTH123 - one line
                # Checked after the file was opened, so that it is surely a file of this folder.
                if not self.is_in_place():
                    raise _replaced(self._path)
                return stream.read()
        except OSError as error:
            if not self.is_in_place():
                raise _replaced(self._path) from None
            raise refuse(file, "unreadable-file", f"cannot be read: {error.strerror}") from None

    def members(self) -> Iterator[Member]:
        """Everything in the folder and in those below it."""
        for folder, subfolders, names in walk(self._path):
            inside = os.path.relpath(folder, self._path).replace(os.sep, "/")
            prefix = "" if inside == "." else f"{inside}/"
            for sub in subfolders:
                if len(self._identities) < _WATCHED:
                    inner = os.path.join(folder, sub)  # noqa: PTH118 - as above
                    self._identities[inner] = _identify(inner)
                yield Member(f"{prefix}{sub}", "folder", _no_bytes, f"{prefix}{sub}", self._path)
            for base in names:
                name = f"{prefix}{base}"
                if os.path.isfile(os.path.join(folder, base)):  # noqa: PTH113, PTH118 - as above
                    yield Member(name, "file", self.read, name, self._path)
                else:
                    yield Member(name, "unsafe", _no_bytes, name, self._path, "neither file nor folder")


def _replaced(path: str) -> FormatError:
    message = "the folder was replaced or changed while it was read"
    hint = "does another command write it? run again when it has finished"
    return refuse(path, "file-changed", message, hint=hint)


def _archive_members(path: str) -> tuple[Member, ...]:
    members: list[Member] = []
    archive = unpacked_archive(path)

    def files() -> Contents:
        for entry in archive_entries(path, limit("member")):
            name = entry.name
            while name.startswith("./"):  # some packers write the folder that they were called in
                name = name[2:]
            name = name.rstrip("/")
            if entry.danger:
                members.append(Member(entry.name, "unsafe", _no_bytes, entry.name, path, entry.danger))
            elif not entry.is_folder:
                members.append(Member(name, "file", archive.read, entry.name, path))
                yield entry.name, entry.chunks()
            elif name not in {"", "."}:
                members.append(Member(name, "folder", _no_bytes, name, path))

    with damage_refused(path):
        archive.unpack(files())
    return _sorted(members)
