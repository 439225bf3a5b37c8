"""Writing of stores: whole or not at all (:mod:`lydite.writing`), and by one command at a time.

A command locks a store (:func:`hold`) from reading to writing, so that of two commands the second sees the result of
the first.

A pool and its manifest change together: the new manifest lies under a temporary name while the store is exchanged.  It
ends with a digest of its store, by which :func:`recover` finds out whether the exchange took place.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from lydite.errors import UsageError
from lydite.formats.store import ARCHIVES, is_clutter
from lydite.writing import (
    Files,
    PathLike,
    add_file,
    beside,
    close_on_disk,
    open_new,
    parent_folders,
    put_in_place,
    real_place,
    refuse_loss,
    remove_leftovers,
    waiting_folder,
)
from lydite.writing import recover as recover_folder

# The lock is held on a file beside the store; the operating system releases it if the process is killed.

_PAUSE = 0.05
"""Seconds between two attempts."""


@contextmanager
def hold(
    *made: PathLike, existing: Iterable[PathLike] = (), waiting: Callable[[str], None] = lambda _store: None
) -> Iterator[None]:
    """Lock stores against other commands: those that are ``made``, and ``existing`` ones that are read.

    ``waiting`` is called with a store that another command holds.  An existing store is not locked if it is no folder,
    or lies where nothing can be written: nobody can change it.
    """
    stores = {store for store in map(_real, existing) if store.is_dir()}
    changeable = {store for store in stores if os.access(store.parent, os.W_OK)}
    with ExitStack() as held:
        for target in sorted({_real(store) for store in made} | changeable):
            held.enter_context(parent_folders(target))
            held.enter_context(_lock(_beside(target, "lock"), waiting=partial(waiting, str(target))))
            recover(target)
        yield


def _real(path: PathLike) -> Path:
    return Path(real_place(path))


def _beside(target: Path, what: str) -> Path:
    return Path(beside(target, what))


@contextmanager
def _lock(path: Path, *, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file ``path``, which exists while somebody holds it; ``waiting`` is called once if another one does."""
    handle = _try_lock(path)
    if handle is None:
        waiting()
    while handle is None:
        time.sleep(_PAUSE)
        handle = _try_lock(path)
    try:
        yield
    finally:
        # Removed before it is released: who opened this file meanwhile sees that another one is at its path now.
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
        os.close(handle)


def _try_lock(path: Path) -> int | None:
    """The open lock file, or None if another process holds it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UsageError(f"cannot write there: {path}: {error.strerror}") from None
    try:
        _lock_at_once(handle)
        if os.path.samestat(os.fstat(handle), path.stat()):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError as error:
        os.close(handle)
        hint = "stores are changed on file systems that have locks; copy the store to one"
        raise UsageError(f"cannot lock {path}: {error.strerror}", hint=hint) from None
    os.close(handle)
    return None


def _lock_at_once(handle: int) -> None:
    """Lock an open file at once, or raise :class:`BlockingIOError`."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError from None
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_among(path: str, stores: Iterable[str]) -> bool:
    """Whether ``path`` is one of these stores."""
    return _real(path) in map(_real, stores)


# Stores


def write_store(
    path: PathLike, files: Files, *, owned: bool = False, manifest: Manifest | None = None
) -> None:
    """Write a store that consists of these files; the caller holds it.

    A store that was read before is ``owned``: it is replaced, unless it holds folders.  Another folder is replaced only
    if nothing in it would be lost.  A ``manifest`` takes its place together with the store.
    """
    target = _real(path)
    is_archive = target.name.lower().endswith(ARCHIVES)
    if is_archive or (target.exists() and not target.is_dir()):
        hint = "stores are written as folders; name one" + (", and pack it afterwards" if is_archive else "")
        raise UsageError(f"{os.fspath(path)}: not a folder", hint=hint)
    digests: dict[str, str] = {}
    with waiting_folder(path, inside_empty=False) as waiting:
        for name, data in files:
            if "/" in name:
                raise UsageError(f"document id {name!r} cannot be a file name")
            add_file(waiting, name, data)
            digests[name] = sha256(data).hexdigest()
        if manifest is not None:
            manifest.finish(_digest(digests))
        if owned:
            # Its documents were read; folders inside it were not.
            refuse_loss(path, waiting, spare=lambda name: os.sep not in name or is_clutter(name))
        put_in_place(waiting, path, owned=owned)
        if manifest is not None:
            manifest.put_in_place()


# Manifests


class Manifest:
    """A manifest that is being written: everything but its end goes to ``stream`` before the store is in place."""

    def __init__(self, store: PathLike) -> None:
        self._target = _real(store)
        self._part = _beside(self._target, "manifest-part")
        self._next = _beside(self._target, "manifest-next")
        self.stream = open_new(self._part, str(manifest_path(store)))

    def finish(self, digest: str) -> None:
        """End the manifest with the digest of its store; it is complete, and waits for the store to be in place."""
        self.stream.write(f', "store": "{digest}"}}\n'.encode())
        close_on_disk(self.stream, str(manifest_path(self._target)))
        self._part.replace(self._next)

    def put_in_place(self) -> None:
        """Replace the old manifest."""
        self._next.replace(manifest_path(self._target))

    def discard(self) -> None:
        """Remove the files of a manifest that did not take its place."""
        with suppress(OSError, UsageError):
            self.stream.close()
        self._part.unlink(missing_ok=True)
        self._next.unlink(missing_ok=True)


@contextmanager
def new_manifest(store: PathLike) -> Iterator[Manifest]:
    """A new manifest for a store that is about to be written; discarded if something goes wrong."""
    manifest = Manifest(store)
    try:
        yield manifest
    finally:
        manifest.discard()


def manifest_path(store: PathLike) -> Path:
    """The path of the manifest of a store."""
    target = _real(store)
    return target.parent / f"{target.name}.manifest.json"


def store_digest(store: PathLike) -> str:
    """The digest of the files of a store, as its manifest has it."""
    return _digest(
        {
            file.name: sha256(file.read_bytes()).hexdigest()
            for file in _real(store).iterdir()
            if file.is_file()
        }
    )


def _digest(files: Mapping[str, str]) -> str:
    return sha256(
        "".join(f"{name}\0{digest}\n" for name, digest in sorted(files.items())).encode(
            "utf-8", "surrogateescape"
        )
    ).hexdigest()


def _digest_in_manifest(manifest: Path) -> str:
    """The digest at the end of a manifest, where :meth:`Manifest.finish` wrote it."""
    with manifest.open("rb") as stream:
        stream.seek(max(0, manifest.stat().st_size - 200))
        return stream.read().decode("utf-8", "replace").rpartition('"store": "')[2].partition('"')[0]


# After an interruption


def recover(target: Path) -> None:
    """Complete or undo what an interrupted command left; the caller holds the store."""
    recover_folder(target)
    remove_leftovers(str(target.parent))
    _beside(target, "manifest-part").unlink(missing_ok=True)
    waiting = _beside(target, "manifest-next")
    if not waiting.exists():
        return
    if target.is_dir() and _digest_in_manifest(waiting) == store_digest(target):
        waiting.replace(manifest_path(target))
    else:
        waiting.unlink()


def recover_path(path: PathLike) -> None:
    """As :func:`recover`, for a store that is about to be read; waits for a command that is writing it."""
    target = _real(path)
    if any(_beside(target, what).exists() for what in ("old", "manifest-next")):
        with hold(target):
            pass
