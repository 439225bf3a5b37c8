"""Files by the hash of their bytes: on the disk before a row names them, and never changed or deleted afterwards."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from django.conf import settings

from lydite.writing import close_on_disk, open_new, take_name
from lydite_workbench.campaigns.models import StoredFile
from lydite_workbench.keys import random_id

LONGEST_NAME = 150
PIECE = 1 << 20
"""Bytes of a file in one piece."""


def _folder() -> Path:
    return Path(settings.LYDITE_FILES)


def path_of(digest: str) -> Path:
    """The path of the file with that hash."""
    return _folder() / "by-hash" / digest[:2] / digest


def path_under_name(digest: str, name: str) -> Path:
    """A path to the file with that hash that ends with a name, by which formats and archives are recognised."""
    named = _folder() / "by-name" / digest / Path(name).name
    if not named.is_symlink():
        named.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            # A relative link, so that the folder can be moved.
            named.symlink_to(Path("..", "..", path_of(digest).relative_to(_folder())))
    return named


class Upload(NamedTuple):
    """A file in the store: its hash, its size and its original name."""

    digest: str
    size: int
    name: str

    @classmethod
    def of(cls, kept: StoredFile, name: str) -> Upload:
        """The upload of a stored file and a name."""
        return cls(kept.sha256, kept.size, name)

    @property
    def row(self) -> StoredFile:
        """The row of the file, which is made if there is none."""
        return stored_file_row(self.digest, self.size)

    @property
    def safe_name(self) -> str:
        """The name as the name of a file in a folder: it keeps its ending and cannot lead out of the folder."""
        kept = re.sub(r"[^\w.+@=,-]", "_", PurePosixPath(self.name.replace("\\", "/")).name).lstrip(".-")
        # File systems count bytes.
        return kept.encode()[-LONGEST_NAME:].decode(errors="ignore").lstrip(".-") or "run"

    @property
    def path(self) -> Path:
        """A path to the file that ends with its name."""
        return path_under_name(self.digest, self.safe_name)


class Incoming:
    """A file that is arriving; it gets its place in the store when it is complete."""

    def __init__(self) -> None:
        folder = _folder() / "incoming"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / random_id()
        self.size = 0
        self._digest = sha256()
        self._stream = open_new(self.path, str(self.path))

    def write(self, piece: bytes) -> None:
        """Add a piece."""
        self._digest.update(piece)
        self._stream.write(piece)
        self.size += len(piece)

    def finish(self) -> str:
        """Put the file into the store; return its hash."""
        close_on_disk(self._stream, str(self.path))
        digest = self._digest.hexdigest()
        take_name(self.path, path_of(digest))
        return digest

    def discard(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self._stream.close()
            os.unlink(self.path)  # noqa: PTH108 - the stream has its name as text


def store(pieces: bytes | Iterable[bytes]) -> StoredFile:
    """Store bytes, or pieces as they come."""
    incoming = Incoming()
    try:
        for piece in (pieces,) if isinstance(pieces, bytes) else pieces:
            incoming.write(piece)
        digest = incoming.finish()
    except BaseException:
        incoming.discard()
        raise
    return stored_file_row(digest, incoming.size)


def store_file(path: Path) -> StoredFile:
    """Store a copy of a file."""
    return store(pieces_of(lambda: path.open("rb")))


def pieces_of(opened: Callable[[], IO[bytes]]) -> Iterator[bytes]:
    """The content of a file in pieces; the file is opened for the first one."""
    with opened() as stream:
        yield from iter(lambda: stream.read(PIECE), b"")


def stored_pieces(digest: str) -> Iterator[bytes]:
    """The content of the file with that hash, in pieces."""
    return pieces_of(lambda: path_of(digest).open("rb"))


def stored_json(digest: str) -> Any:
    """The content of the stored JSON file with that hash."""
    return json.loads(path_of(digest).read_bytes())


def stored_file_row(digest: str, size: int) -> StoredFile:
    """The row of a file in the store, which is made if there is none."""
    row, _ = StoredFile.objects.get_or_create(sha256=digest, defaults={"size": size})
    return row


def delete_orphans(*, older_than: float) -> int:
    """Delete files without a row: unfinished or refused uploads; return how many.

    Only those older than ``older_than`` seconds: a new file may get its row in the next moment.
    """
    limit = time.time() - older_than
    incoming, kept = _folder() / "incoming", _folder() / "by-hash"
    with_row = set(StoredFile.objects.values_list("sha256", flat=True))
    swept = 0
    for path in (*incoming.glob("*"), *(path for path in kept.glob("*/*") if path.name not in with_row)):
        with suppress(FileNotFoundError):  # it has just been finished
            if path.stat().st_mtime < limit:
                path.unlink()
                swept += 1
    return swept
