"""Locks: files that one process at a time holds.  The operating system lets go of what a killed process held."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lydite.errors import UsageError

_PAUSE = 0.05
"""Seconds between two attempts."""


@contextmanager
def lock(path: Path, *, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file ``path``, which is there for as long as somebody holds it; ``waiting`` is called once."""
    handle = _attempt(path)
    if handle is None:
        waiting()
    while handle is None:
        time.sleep(_PAUSE)
        handle = _attempt(path)
    try:
        yield
    finally:
        # Gone before it is free: whoever opened this very file meanwhile sees that it is no longer the one at its path.
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
        os.close(handle)


def _attempt(path: Path) -> int | None:
    """The open lock file, or None if another process holds it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UsageError(f"cannot write there: {path}: {error.strerror}") from None
    try:
        _lock(handle)
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


def _lock(handle: int) -> None:
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
