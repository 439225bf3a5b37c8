"""Writing that is done or not done: a temporary name first, then one rename.

A process that is killed leaves the old file or store, or the new one, never half of one.  A store is a folder, and
two folders cannot be exchanged by a plain rename; where the operating system offers an exchange in one step it is
used, elsewhere the old store is moved aside first and :func:`recover` brings it back if the new one never came.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from lydite.errors import UsageError

_MARK = ".lydite-"
T = TypeVar("T")


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under a temporary name beside it, then give it its name."""
    with stream_file(path) as stream:
        stream.write(data)


@contextmanager
def stream_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file that gets its name when everything was written; it does not come to be if something goes wrong."""
    target = Path(path)
    _guarded(lambda: target.parent.mkdir(parents=True, exist_ok=True))
    handle, temporary = _guarded(lambda: tempfile.mkstemp(prefix=f"{_MARK}{target.name}.", dir=target.parent))
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(temporary).chmod(0o666 & ~_mask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_store(path: str | os.PathLike[str], files: Iterable[tuple[str, bytes]]) -> None:
    """Write a store with exactly these files, as they come, in place of whatever store was there."""
    target = Path(path)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: not a folder", hint="stores are written as folders; name another one")
    _guarded(lambda: target.parent.mkdir(parents=True, exist_ok=True))
    recover(target)
    fresh = Path(_guarded(lambda: tempfile.mkdtemp(prefix=f"{_MARK}{target.name}.", dir=target.parent)))
    try:
        for name, data in files:
            if "/" in name or name in {"", ".", ".."}:
                raise UsageError(f"document id {name!r} cannot be a file name")
            (fresh / name).write_bytes(data)
        fresh.chmod(0o777 & ~_mask())
        _put_in_place(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _guarded(make: Callable[[], T]) -> T:
    try:
        return make()
    except OSError as error:
        raise UsageError(f"cannot write there: {error.filename}: {error.strerror}") from None


def _put_in_place(fresh: Path, target: Path) -> None:
    """Give the fresh folder its name; the old one, if any, ends up under the temporary name."""
    if not target.exists():
        fresh.rename(target)
        return
    if _exchange(fresh, target):
        return
    aside = _aside(target)
    target.rename(aside)
    fresh.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _aside(target: Path) -> Path:
    return target.parent / f"{_MARK}{target.name}.old"


def recover(target: Path) -> None:
    """Bring back a store that an interrupted command left aside."""
    aside = _aside(target)
    if aside.is_dir():
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.rename(target)


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


def recover_path(path: str | os.PathLike[str]) -> None:
    """As :func:`recover`, for whatever a command was given."""
    recover(Path(path))
