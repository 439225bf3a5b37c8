"""Writing that is done or not done, by one command at a time.

Whoever changes a store holds it (:func:`hold`) from reading to writing, so that of two commands the second sees what
the first one did.  A new store is made under a temporary name and then given its own: a process that is killed leaves
the old store or the new one, never half of one.  A store is a folder, and two folders cannot be exchanged by a plain
rename; where the operating system offers an exchange in one step it is used, elsewhere the old store is moved aside
first and :func:`recover` brings it back if the new one never came.

A pool and its manifest are two things and change together: the new manifest waits under a name of its own while the
store is exchanged.  It names the content of its store; from this :func:`recover` knows whether the exchange took place.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO

from lydite.assess.locking import lock
from lydite.errors import UsageError

_MARK = ".lydite-"
PathLike = str | os.PathLike[str]


def write_file(path: PathLike, data: bytes) -> None:
    """Write a file under a temporary name beside it, then give it its name."""
    target = Path(path)
    with _guarded():
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f"{_MARK}{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).chmod(0o666 & ~_mask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write there: {error.filename}: {error.strerror}") from None


# One at a time


def _nobody_told(_store: str) -> None:
    pass


@contextmanager
def hold(
    *made: PathLike, existing: Iterable[PathLike] = (), waiting: Callable[[str], None] = _nobody_told
) -> Iterator[None]:
    """Keep other commands from these stores until the end: those that are ``made``, and ``existing`` ones.

    ``waiting`` is told of a store that another command holds.  What is no folder yet, or lies where nothing can be
    written, is not held as an existing store: nobody can change it there.
    """
    there = {store for store in map(_real, existing) if store.is_dir() and os.access(store.parent, os.W_OK)}
    with ExitStack() as held:
        for target in sorted({_real(store) for store in made} | there):
            with _guarded():
                target.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(lock(_beside(target, "lock"), waiting=partial(waiting, str(target))))
            recover(target)
        yield


def _real(path: PathLike) -> Path:
    # Two names of one store are one store.
    return Path(os.path.realpath(path))


def _beside(target: Path, what: str) -> Path:
    return target.parent / f"{_MARK}{target.name}.{what}"


# Stores


def write_store(
    path: PathLike, files: Iterable[tuple[str, bytes]], *, manifest: Manifest | None = None
) -> None:
    """Write a store with exactly these files, as they come, in place of whatever store was there.

    The caller holds the store.  A ``manifest`` takes its place together with the store.
    """
    target = _real(path)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: not a folder", hint="stores are written as folders; name another one")
    fresh = _beside(target, "new")
    with _guarded():
        fresh.mkdir()
    digests: dict[str, str] = {}
    try:
        for name, data in files:
            if "/" in name or name in {"", ".", ".."}:
                raise UsageError(f"document id {name!r} cannot be a file name")
            with _guarded():
                (fresh / name).write_bytes(data)
            digests[name] = sha256(data).hexdigest()
        if manifest is not None:
            manifest.finish(_digest(digests))
        _put_in_place(fresh, target)
        if manifest is not None:
            manifest.put_in_place()
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _put_in_place(fresh: Path, target: Path) -> None:
    """Give the fresh folder its name; the old one, if any, ends up under the temporary name."""
    if not target.exists():
        fresh.rename(target)
        return
    if _exchange(fresh, target):
        return
    aside = _beside(target, "old")
    target.rename(aside)
    fresh.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two folders in one step, if the system can (Linux: renameat2 with RENAME_EXCHANGE)."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    at_working_folder, exchange = -100, 2
    outcome: int = rename(
        at_working_folder, os.fsencode(first), at_working_folder, os.fsencode(second), exchange
    )
    return outcome == 0


# Manifests


class Manifest:
    """A manifest in the making: everything but its end is written to ``stream`` before the store is in place."""

    def __init__(self, store: PathLike) -> None:
        self._target = _real(store)
        self._part = _beside(self._target, "manifest-part")
        self._next = _beside(self._target, "manifest-next")
        with _guarded():
            self.stream: IO[bytes] = self._part.open("wb")

    def finish(self, digest: str) -> None:
        """Name the content of the store that it belongs to; from now on it only waits for that store."""
        self.stream.write(f', "store": "{digest}"}}\n'.encode())
        self.stream.close()
        self._part.replace(self._next)

    def put_in_place(self) -> None:
        """Take the place of the old manifest."""
        self._next.replace(manifest_path(self._target))

    def discard(self) -> None:
        """Leave no trace of what did not take its place."""
        self.stream.close()
        self._part.unlink(missing_ok=True)
        self._next.unlink(missing_ok=True)


@contextmanager
def new_manifest(store: PathLike) -> Iterator[Manifest]:
    """The manifest of a store that is about to be written; it does not come to be if something goes wrong."""
    manifest = Manifest(store)
    try:
        yield manifest
    finally:
        manifest.discard()


def manifest_path(store: PathLike) -> Path:
    """Where the manifest of a store lies."""
    target = _real(store)
    return target.parent / f"{target.name}.manifest.json"


def store_digest(store: PathLike) -> str:
    """The content of a store, as its manifest names it."""
    return _digest(
        {
            file.name: sha256(file.read_bytes()).hexdigest()
            for file in _real(store).iterdir()
            if file.is_file()
        }
    )


def _digest(files: Mapping[str, str]) -> str:
    return sha256(
        "".join(f"{name}\0{digest}\n" for name, digest in sorted(files.items())).encode()
    ).hexdigest()


def _named_digest(manifest: Path) -> str:
    """The end of a manifest as :meth:`Manifest.finish` wrote it."""
    with manifest.open("rb") as stream:
        stream.seek(max(0, manifest.stat().st_size - 200))
        return stream.read().decode("utf-8", "replace").rpartition('"store": "')[2].partition('"')[0]


# After an interruption


def recover(target: Path) -> None:
    """Bring order into what an interrupted command left; the caller holds the store."""
    aside = _beside(target, "old")
    if aside.is_dir():
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.rename(target)
    shutil.rmtree(_beside(target, "new"), ignore_errors=True)
    _beside(target, "manifest-part").unlink(missing_ok=True)
    waiting = _beside(target, "manifest-next")
    if not waiting.exists():
        return
    if target.is_dir() and _named_digest(waiting) == store_digest(target):
        waiting.replace(manifest_path(target))
    else:
        waiting.unlink()


def recover_path(path: PathLike) -> None:
    """As :func:`recover`, before a store is read; another command that is about to finish is waited for."""
    target = _real(path)
    if any(_beside(target, what).exists() for what in ("old", "manifest-next")):
        with hold(target):
            pass
