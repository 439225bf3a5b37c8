"""Files under the hash of their bytes: on the disk before a row names them, never changed, never deleted after."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.conf import settings

from lydite.records import NamedTuple
from lydite.workbench.campaigns.models import StoredFile
from lydite.workbench.keys import random_id
from lydite.writing import close_on_disk, open_new, take_name

LONGEST_NAME = 150
PIECE = 1 << 20
"""Bytes of a file that are held at once."""


def _folder() -> Path:
    return Path(settings.LYDITE_FILES)


def path_of(digest: str) -> Path:
    """Where the bytes of that hash are."""
    return _folder() / "by-hash" / digest[:2] / digest


def path_under_name(digest: str, name: str) -> Path:
    """A path to the bytes of that hash that ends with the name it came under: formats and archives are recognised by their names."""
    named = _folder() / "by-name" / digest / Path(name).name
    if not named.is_symlink():
        named.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            # From one place in the folder to another one: it may be moved as a whole.
            named.symlink_to(Path("..", "..", path_of(digest).relative_to(_folder())))
    return named


class Upload(NamedTuple):
    """A file that lies in the store already: its hash, its size, and what it was called."""

    digest: str
    size: int
    name: str

    @classmethod
    def of(cls, kept: StoredFile, name: str) -> Upload:
        """A stored file under a name."""
        return cls(kept.sha256, kept.size, name)

    @property
    def row(self) -> StoredFile:
        """The row of the file; it is there from now on."""
        return row_of(self.digest, self.size)

    @property
    def safe_name(self) -> str:
        """What it was called, as it may stand in a folder: its ending counts, nothing in it leads elsewhere."""
        base = PurePosixPath(self.name.replace("\\", "/")).name
        kept = re.sub(r"[^\w.+@=,-]", "_", base).lstrip(".-")
        # File systems count bytes.
        return kept.encode()[-LONGEST_NAME:].decode(errors="ignore").lstrip(".-") or "run"

    @property
    def path(self) -> Path:
        """Where it can be read under its name."""
        return path_under_name(self.digest, self.safe_name)


class Incoming:
    """A file that is coming in: it has no name before it is whole."""

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
        """Put it under its hash, and give that back."""
        close_on_disk(self._stream, str(self.path))
        digest = self._digest.hexdigest()
        take_name(self.path, path_of(digest))
        return digest

    def discard(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self._stream.close()
            os.unlink(self.path)  # noqa: PTH108 - the stream has its name as text


def store(pieces: bytes | Iterable[bytes]) -> StoredFile:
    """Keep bytes, or pieces as they come."""
    incoming = Incoming()
    try:
        for piece in (pieces,) if isinstance(pieces, bytes) else pieces:
            incoming.write(piece)
        digest = incoming.finish()
    except BaseException:
        incoming.discard()
        raise
    return row_of(digest, incoming.size)


def store_file(path: Path) -> StoredFile:
    """Keep what is in a file."""
    return store(pieces_of(lambda: path.open("rb")))


def pieces_of(opened: Callable[[], IO[bytes]]) -> Iterator[bytes]:
    """What is in a file, piece by piece; it is opened when the first is asked for."""
    with opened() as stream:
        yield from iter(lambda: stream.read(PIECE), b"")


def kept_pieces(digest: str) -> Iterator[bytes]:
    """The bytes of that hash, piece by piece."""
    return pieces_of(lambda: path_of(digest).open("rb"))


def json_in(digest: str) -> Any:
    """What the stored document of JSON of that hash says."""
    return json.loads(path_of(digest).read_bytes())


def row_of(digest: str, size: int) -> StoredFile:
    """The row of a file that lies under its hash."""
    row, _ = StoredFile.objects.get_or_create(sha256=digest, defaults={"size": size})
    return row


def sweep(*, older_than: float) -> int:
    """Delete what is of nobody: uploads that never became whole, or that were refused; how many they were.

    ``older_than`` is in seconds: what came just now may get its row in the next moment.
    """
    limit = time.time() - older_than
    incoming, kept = _folder() / "incoming", _folder() / "by-hash"
    known = set(StoredFile.objects.values_list("sha256", flat=True))
    swept = 0
    for path in (*incoming.glob("*"), *(path for path in kept.glob("*/*") if path.name not in known)):
        with suppress(FileNotFoundError):  # it has just become whole
            if path.stat().st_mtime < limit:
                path.unlink()
                swept += 1
    return swept
