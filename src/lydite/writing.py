"""Writing that is done or not done: a temporary name first, then one rename.

Every command writes through this module.  A process that is killed, or a disk that is full, leaves the old file or
folder, or the new one, never half of one; of two writers the last one wins, whole.

* A file is written beside its place, brought to the disk and renamed.  Symbolic links are followed: what they point
  to is replaced, and the link stays.  Anything but a regular file (a device, a pipe, ``/dev/stdout``) is written to.
* A folder is written beside its place and takes it as a whole.  One that holds anything that would be lost is refused.
* New files and folders get the permissions of the umask, replaced ones keep theirs.

Two folders cannot be exchanged by a plain rename; where the operating system offers an exchange in one step it is
used, elsewhere the old folder is moved aside first and :func:`recover` brings it back if the new one never came.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, TypeVar

from lydite.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PathLike = str | os.PathLike[str]
T = TypeVar("T")

_MARK = ".lydite-"
_DESCRIPTOR = r"/dev/(?:fd/(\d+)|stdout|stderr)|/proc/self/fd/(\d+)"
_BINARY = getattr(os, "O_BINARY", 0)  # only Windows needs to be told
_UNTOLD = {errno.EINVAL, errno.ENOTSUP, errno.EROFS, errno.EACCES, errno.EBADF}
"""What systems answer that cannot bring a file or folder to the disk on demand."""


# ---------------------------------------------------------------------------------------------------------- files


def write_file(path: PathLike, data: bytes | Iterable[bytes]) -> None:
    """Write a file, or its pieces as they come, whole or not at all."""
    with stream_file(path) as stream:
        stream.writelines(in_pieces(data))


def json_lines(records: Iterable[object]) -> str:
    """Records as JSON, one on each line; letters of all scripts stay what they are."""
    import json

    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def in_pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    """What is one piece, or comes in pieces, in pieces."""
    return (data,) if isinstance(data, bytes) else data


def check_place(path: PathLike) -> None:
    """Refuse what names no place: nothing, which would be the working folder, and stdout; who writes there does not ask."""
    if not os.fspath(path):
        raise UsageError("cannot write to a place without a name", hint="a variable of a script may be empty")
    if os.fspath(path) == "-":
        raise UsageError("this cannot be written to stdout", hint="name a file or folder; ./- is one, too")


def real_place(path: PathLike) -> str:
    """Where something is written, links followed."""
    check_place(path)
    return os.path.realpath(path)


@contextmanager
def stream_file(path: PathLike) -> Iterator[IO[bytes]]:
    """A file that gets its name when everything was written; it does not come to be if something goes wrong."""
    path = os.fspath(path)
    if _is_regular_or_new(path):
        with _renamed_when_whole(path, real_place(path)) as stream:
            yield stream
    else:
        handle = _guarded(path, lambda: _descriptor(path))
        with _stream(handle, path) as stream:
            yield stream


@contextmanager
def written_together(path: PathLike, data: bytes | Iterable[bytes]) -> Iterator[None]:
    """A file that is there when what is written meanwhile is there, too: both, or neither.

    Devices and pipes are written to at once; whoever reads them may wait for the end.
    """
    if not _is_regular_or_new(os.fspath(path)):
        write_file(path, data)
        yield
        return
    enough: BrokenPipeError | None = None
    with stream_file(path) as stream:
        stream.writelines(in_pieces(data))
        stream.flush()
        try:
            yield
        except BrokenPipeError as error:
            enough = error  # the reader of stdout has seen enough, and nothing has failed
    if enough is not None:
        raise enough


@contextmanager
def _renamed_when_whole(path: str, target: str) -> Iterator[IO[bytes]]:
    temporary = _temporary(target)
    handle = _guarded(path, lambda: _create(temporary, _mode_of(target)))
    try:
        with _stream(handle, path) as stream:
            yield stream
            close_on_disk(stream, path)
        _guarded(path, lambda: os.replace(temporary, target))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _folder_to_disk(os.path.dirname(target))


def _is_regular_or_new(path: str) -> bool:
    """Whether a file is to be made or replaced; devices, pipes and open descriptors are written to instead."""
    if re.fullmatch(_DESCRIPTOR, path):
        return False
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        if not path.endswith("/"):
            return True
        mode = stat.S_IFDIR
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    if stat.S_ISDIR(mode):
        raise UsageError(f"cannot write {path}: it is a folder", hint="name a file in it")
    return stat.S_ISREG(mode)


def _descriptor(path: str) -> int:
    """What is open already keeps its place: a redirected ``/dev/stdout`` is continued, not begun anew."""
    if known := re.fullmatch(_DESCRIPTOR, path):
        number = known[1] or known[2] or {"/dev/stdout": "1", "/dev/stderr": "2"}[path]
        return os.dup(int(number))
    return os.open(path, os.O_WRONLY | _BINARY)


def _create(temporary: str, mode: int | None) -> int:
    # The system takes the umask away; a file that is replaced keeps its permissions.
    handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    if mode is not None:
        with suppress(OSError):
            os.chmod(temporary, mode)
    return handle


def _mode_of(target: str) -> int | None:
    """The permissions of what is replaced, which must be writable; None if nothing is there."""
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def _temporary(target: str) -> str:
    """A hidden name beside the target; only the beginning of its name, which may be as long as names can be."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f"{_MARK}{name[:20]}.{os.urandom(6).hex()}")


class _Raw(io.FileIO):
    """A file whose failures to write say which file; failures to read, in between, are not mistaken for them."""

    def __init__(self, handle: int, shown: str) -> None:
        super().__init__(handle, "wb")
        self.shown = shown

    def write(self, data: ReadableBuffer, /) -> int:
        return _guarded(self.shown, lambda: super(_Raw, self).write(data))


def _stream(handle: int, shown: str) -> IO[bytes]:
    return io.BufferedWriter(_Raw(handle, shown), buffer_size=1 << 16)


def open_new(path: PathLike, shown: str) -> IO[bytes]:
    """A file that is not there yet; failures to write it speak of ``shown``."""
    return _stream(_guarded(shown, lambda: _create(os.fspath(path), None)), shown)


def close_on_disk(stream: IO[bytes], shown: str) -> None:
    """Close a file when everything in it is on the disk."""
    stream.flush()
    _guarded(shown, lambda: _to_disk(stream.fileno()))
    stream.close()


def take_name(finished: PathLike, path: PathLike) -> None:
    """Give a file that is on the disk its name; one of that name is replaced."""
    shown = os.fspath(path)
    _guarded(shown, lambda: os.makedirs(os.path.dirname(shown), exist_ok=True))
    _guarded(shown, lambda: os.replace(finished, shown))
    _folder_to_disk(os.path.dirname(shown))


def _guarded(path: str, act: Callable[[], T]) -> T:
    try:
        return act()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError | ValueError) -> UsageError:
    full = isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    folder = os.path.dirname(path)
    if isinstance(error, FileNotFoundError) and folder and not os.path.lexists(folder):
        return UsageError(f"cannot write {path}: no folder {folder!r}", hint=f"mkdir -p {folder}")
    return UsageError(
        f"cannot write {path}: {why}",
        hint="nothing was changed; make room or name another place" if full else None,
    )


def _to_disk(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNTOLD:
            raise


def _folder_to_disk(folder: str) -> None:
    """So that the new name outlives a power cut; the file itself is safe before."""
    with suppress(OSError):
        handle = os.open(folder or ".", os.O_RDONLY)
        try:
            _to_disk(handle)
        finally:
            os.close(handle)


# ------------------------------------------------------------------------------------------- archives and folders

Files = Iterable[tuple[str, bytes]]
"""Names, which may stand in folders (``a/b``), and contents."""


def write_archive(path: PathLike, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> None:
    """Write a zip archive with exactly these files, each whole or in pieces, as they come."""
    with stream_file(path) as stream:
        _pack(stream, files)


def archive_bytes(files: Files) -> bytes:
    """The bytes of a zip archive with exactly these files: the same files give the same bytes."""
    packed = io.BytesIO()
    _pack(packed, files)
    return packed.getvalue()


def _pack(stream: IO[bytes], files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> None:
    import zipfile

    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            member = zipfile.ZipInfo(_checked(name))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            if isinstance(data, bytes):
                archive.writestr(member, data)
                continue
            # How much will come is not known, and the head of a file that turns out large has another form.
            with archive.open(member, "w", force_zip64=True) as entry:
                entry.writelines(data)


def write_folder(path: PathLike, files: Files, *, owned: bool = False) -> None:
    """Write a folder with exactly these files, as they come; it takes its place when it is whole.

    A folder that is there is replaced if all its files are written anew, so that nothing is lost, or if it is known to
    be ``owned`` by the caller, who has read it.
    """
    with waiting_folder(path) as waiting:
        for name, data in files:
            add_file(waiting, name, data)
        put_in_place(waiting, path, owned=owned)


@contextmanager
def waiting_folder(path: PathLike, *, at: str | None = None) -> Iterator[str]:
    """A fresh folder for files that are not finished, beside the one they are for; nothing of it stays behind.

    Inside of one that is empty: such a folder may be the working folder or a mounted one, and keeps its identity.
    Whoever keeps others away says ``at`` which place beside it, to find there what an interruption left.
    """
    shown, target = os.fspath(path), real_place(path)
    with parent_folders(path):
        recover(target)
        waiting = at or _temporary(os.path.join(target, "") if _is_empty(target) else target)
        _guarded(shown, lambda: os.mkdir(waiting, 0o777))
        try:
            yield waiting
        finally:
            import shutil

            shutil.rmtree(waiting, ignore_errors=True)


@contextmanager
def parent_folders(path: PathLike) -> Iterator[None]:
    """The folders that a folder is to lie in; those that were made for it and stay empty are taken away again."""
    made = _guarded(os.fspath(path), lambda: _make_parents(real_place(path)))
    try:
        yield
    finally:
        for folder in made:
            with suppress(OSError):
                os.rmdir(folder)


def _make_parents(target: str) -> list[str]:
    """Make the folders that the target lies in; those that were not there, innermost first."""
    made, parent = [], os.path.dirname(target)
    while not os.path.lexists(parent):
        made.append(parent)
        parent = os.path.dirname(parent)
    for folder in reversed(made):
        os.makedirs(folder, exist_ok=True)
    if os.path.lexists(target) and not os.path.isdir(target):
        raise NotADirectoryError(errno.ENOTDIR, "it is a file, not a folder")
    return made


def _is_empty(folder: str) -> bool:
    return os.path.isdir(folder) and not os.listdir(folder)


def _checked(name: str) -> str:
    """A name that stays inside the folder or archive it is meant for."""
    parts = name.split("/")
    if "\0" in name or "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise UsageError(f"document id {name!r} cannot be a file name")
    return name


def add_file(waiting: str, name: str, data: bytes) -> None:
    """Write one file into a waiting folder; two of one name are refused."""
    path = os.path.join(waiting, _checked(name))
    _guarded(name, lambda: os.makedirs(os.path.dirname(path), exist_ok=True))
    with open_new(path, name) as stream:
        stream.write(data)
        close_on_disk(stream, name)


def put_in_place(waiting: str, path: PathLike, *, owned: bool = False) -> None:
    """Give a waiting folder its name; the old one, if any, ends up under the temporary name."""
    shown, target = os.fspath(path), real_place(path)
    if os.path.dirname(waiting) == target:
        _guarded(shown, lambda: _move_files(waiting, target))
        return
    if not os.path.lexists(target):
        try:
            os.rename(waiting, target)
        except OSError as error:
            # Another writer was faster; its folder is treated as any other that is there.
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise _unwritable(shown, error) from None
        else:
            return
    if not owned:
        refuse_loss(path, waiting)
    with suppress(OSError):
        os.chmod(waiting, stat.S_IMODE(os.stat(target).st_mode))
    _guarded(shown, lambda: _swap(waiting, target))


def add_to_folder(waiting: str, path: PathLike) -> None:
    """Move finished files into a folder that may hold others; they replace those of their names, each at once."""
    shown, target = os.fspath(path), real_place(path)
    if os.path.lexists(target):
        _guarded(shown, lambda: _move_files(waiting, target))
    else:
        put_in_place(waiting, path)


def _move_files(waiting: str, target: str) -> None:
    for name in sorted(os.listdir(waiting)):
        place = os.path.realpath(os.path.join(target, name))
        os.replace(os.path.join(waiting, name), place)


def refuse_loss(path: PathLike, waiting: str, *, spare: Callable[[str], bool] = lambda _name: False) -> None:
    """Refuse to replace a folder that holds what the waiting one does not, apart from what is ``spare``."""
    gone = _files_in(real_place(path)) - _files_in(waiting)
    lost = sorted(name for name in gone if not spare(name))
    if lost:
        others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise UsageError(
            f"cannot write {os.fspath(path)}: the folder holds {lost[0]!r}{others}, which would be lost",
            hint="name a folder that is not there yet, or empty this one first",
        )


def _files_in(folder: str) -> set[str]:
    """Everything below a folder except folders, by its path inside."""
    return {
        os.path.relpath(os.path.join(place, name), folder)
        for place, folders, names in os.walk(folder)
        for name in (*names, *(each for each in folders if os.path.islink(os.path.join(place, each))))
    }


def _swap(waiting: str, target: str) -> None:
    if _exchange(waiting, target):
        return
    aside = beside(target, "old")
    os.rename(target, aside)
    os.rename(waiting, target)
    import shutil

    shutil.rmtree(aside, ignore_errors=True)


def beside(target: PathLike, what: str) -> str:
    """The place of something that belongs to a file or folder and lies beside it."""
    folder, name = os.path.split(os.fspath(target))
    return os.path.join(folder, f"{_MARK}{name}.{what}")


def recover(path: PathLike) -> None:
    """Bring back a folder that an interrupted command left aside."""
    target = real_place(path)
    aside = beside(target, "old")
    if not os.path.isdir(aside):
        return
    if os.path.lexists(target):
        import shutil

        shutil.rmtree(aside, ignore_errors=True)
    else:
        with suppress(OSError):
            os.rename(aside, target)


def _exchange(first: str, second: str) -> bool:
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
