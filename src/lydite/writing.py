"""Writing files and folders as wholes: under a temporary name first, then one rename.

Every command writes through this module.  If a process is killed, or a disk is full, the old file or folder is still
there, or the new one, never half of one; of two writers the last one wins.

* A file is written beside its place, synchronised to the disk and renamed.  Symbolic links are followed: their target
  is replaced, and the link stays.  Anything but a regular file (a device, a pipe, ``/dev/stdout``) is written directly.
* A folder is written beside its place and moved there as a whole.  To replace a folder with other files is refused.
* New files and folders get the permissions of the umask, replaced ones keep theirs.

Two folders cannot be exchanged by a plain rename; if the operating system can exchange them in one step, that is used,
else the old folder is moved aside first, and :func:`recover` brings it back if the new one was never put in its place.

What a killed process leaves under a temporary name is removed by the next command that writes beside it.
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

_PREFIX = ".lydite-"
_TEMPORARY = re.compile(r"\.lydite-.*\.([0-9]+)-[0-9a-f]{12}", re.DOTALL)
_OPEN_FILE = r"/dev/(?:fd/(\d+)|stdout|stderr)|/proc/self/fd/(\d+)"
_BINARY = getattr(os, "O_BINARY", 0)  # only Windows has this flag
_FSYNC_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.EROFS, errno.EACCES, errno.EBADF}
"""The errors of systems that cannot synchronise a file or folder to the disk."""


# ---------------------------------------------------------------------------------------------------------- files


def write_file(path: PathLike, data: bytes | Iterable[bytes]) -> None:
    """Write a file from bytes, or from pieces as they come, whole or not at all."""
    with stream_file(path) as stream:
        stream.writelines(in_pieces(data))


def json_lines(records: Iterable[object]) -> str:
    """Records as JSON, one on each line; letters of all scripts are kept as they are."""
    import json

    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def in_pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    """The data as pieces."""
    return (data,) if isinstance(data, bytes) else data


def refuse_place_without_name(path: PathLike) -> None:
    """Refuse an empty path, which would be the working folder, and ``-`` for stdout."""
    if not os.fspath(path):
        raise UsageError("cannot write to a place without a name", hint="a variable of a script may be empty")
    if os.fspath(path) == "-":
        raise UsageError("this cannot be written to stdout", hint="name a file or folder; ./- is one, too")


def real_place(path: PathLike) -> str:
    """The place to write to, with links followed."""
    refuse_place_without_name(path)
    return os.path.realpath(path)


@contextmanager
def stream_file(path: PathLike) -> Iterator[IO[bytes]]:
    """Open a file that gets its name when everything is written; if something goes wrong, there is no file."""
    path = os.fspath(path)
    if _is_regular_or_new(path):
        with _renamed_when_whole(path, real_place(path)) as stream:
            yield stream
    else:
        handle = _report_failures(path, lambda: _open_for_writing(path))
        with _stream(handle, path) as stream:
            yield stream


@contextmanager
def write_together(path: PathLike, data: bytes | Iterable[bytes]) -> Iterator[None]:
    """Write a file and the output of the block: both, or neither; devices and pipes at once, as readers may wait."""
    if not _is_regular_or_new(os.fspath(path)):
        write_file(path, data)
        yield
        return
    broken_pipe: BrokenPipeError | None = None
    with stream_file(path) as stream:
        stream.writelines(in_pieces(data))
        stream.flush()
        try:
            yield
        except BrokenPipeError as error:
            broken_pipe = error  # the reader of stdout has closed it, which is not a failure
    if broken_pipe is not None:
        raise broken_pipe


@contextmanager
def _renamed_when_whole(path: str, target: str) -> Iterator[IO[bytes]]:
    remove_leftovers(os.path.dirname(target))
    temporary = _temporary_name(target)
    handle = _report_failures(path, lambda: _create(temporary, _permissions_of(target)))
    _lock(handle)
    try:
        with _stream(handle, path) as stream:
            yield stream
            close_on_disk(stream, path)
        _report_failures(path, lambda: os.replace(temporary, target))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _fsync_folder(os.path.dirname(target))


def _is_regular_or_new(path: str) -> bool:
    """Whether the path is that of a regular or new file, not of a device, a pipe or an open descriptor."""
    if re.fullmatch(_OPEN_FILE, path):
        return False
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        if not path.endswith("/"):
            return True
        mode = stat.S_IFDIR
    except (OSError, ValueError) as error:
        raise _write_error(path, error) from None
    if stat.S_ISDIR(mode):
        raise UsageError(f"cannot write {path}: it is a folder", hint="name a file in it")
    return stat.S_ISREG(mode)


def _open_for_writing(path: str) -> int:
    """Open a device or pipe; an open descriptor is duplicated, so that a redirected ``/dev/stdout`` is continued."""
    if known := re.fullmatch(_OPEN_FILE, path):
        number = known[1] or known[2] or {"/dev/stdout": "1", "/dev/stderr": "2"}[path]
        return os.dup(int(number))
    return os.open(path, os.O_WRONLY | _BINARY)


def _create(temporary: str, mode: int | None) -> int:
    # The system applies the umask; a file that is replaced keeps its permissions.
    handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    if mode is not None:
        with suppress(OSError):
            os.chmod(temporary, mode)
    return handle


def _permissions_of(target: str) -> int | None:
    """The permissions of the file to be replaced, which must be writable; None if there is none."""
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def _temporary_name(target: str) -> str:
    """A hidden temporary name beside the target, with only the beginning of its name, which may be too long."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f"{_PREFIX}{name[:20]}.{os.getpid()}-{os.urandom(6).hex()}")


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files and folders in a folder whose process is gone.

    The number of a process says nothing in another container, so a process also locks what it is writing.
    """
    if sys.platform == "win32" or os.path.basename(folder).startswith(_PREFIX):
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _TEMPORARY.fullmatch(entry.name)
            if found is None or entry.is_symlink() or _is_running(int(found[1])):
                continue
            with suppress(OSError), _locked(entry.path) as is_ours:
                if is_ours and entry.is_dir():
                    import shutil

                    shutil.rmtree(entry.path, ignore_errors=True)
                elif is_ours:
                    os.unlink(entry.path)


def _is_running(process: int) -> bool:
    """Whether there is a process of this number, also one of another user."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


@contextmanager
def _locked(path: str) -> Iterator[bool]:
    """Lock a file or folder for the block; whether that is possible."""
    if sys.platform == "win32":
        yield False
        return
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        yield _lock(handle)
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file or folder until it is closed; whether that is possible: some file systems have no locks."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class _ReportingFile(io.FileIO):
    """A file whose write errors name the file, so that they are not confused with read errors."""

    def __init__(self, handle: int, shown: str) -> None:
        super().__init__(handle, "wb")
        self.shown = shown

    def write(self, data: ReadableBuffer, /) -> int:
        return _report_failures(self.shown, lambda: super(_ReportingFile, self).write(data))


def _stream(handle: int, shown: str) -> IO[bytes]:
    return io.BufferedWriter(_ReportingFile(handle, shown), buffer_size=1 << 16)


def open_new(path: PathLike, shown: str) -> IO[bytes]:
    """Open a new file; write errors name ``shown``."""
    return _stream(_report_failures(shown, lambda: _create(os.fspath(path), None)), shown)


def close_on_disk(stream: IO[bytes], shown: str) -> None:
    """Close a file after everything in it is on the disk."""
    stream.flush()
    _report_failures(shown, lambda: _fsync(stream.fileno()))
    stream.close()


def take_name(finished: PathLike, path: PathLike) -> None:
    """Give a finished file its name, replacing a file of that name."""
    shown = os.fspath(path)
    _report_failures(shown, lambda: os.makedirs(os.path.dirname(shown), exist_ok=True))
    _report_failures(shown, lambda: os.replace(finished, shown))
    _fsync_folder(os.path.dirname(shown))


def _report_failures(path: str, act: Callable[[], T]) -> T:
    try:
        return act()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise _write_error(path, error) from None


def _write_error(path: str, error: OSError | ValueError) -> UsageError:
    full = isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    folder = os.path.dirname(path)
    if isinstance(error, FileNotFoundError) and folder and not os.path.lexists(folder):
        return UsageError(f"cannot write {path}: no folder {folder!r}", hint=f"mkdir -p {folder}")
    hint = "nothing was changed; make room or name another place" if full else None
    return UsageError(f"cannot write {path}: {why}", hint=hint)


def _fsync(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _FSYNC_UNSUPPORTED:
            raise


def _fsync_folder(folder: str) -> None:
    """Synchronise a folder, so that a new name in it survives a power cut."""
    with suppress(OSError):
        handle = os.open(folder or ".", os.O_RDONLY)
        try:
            _fsync(handle)
        finally:
            os.close(handle)


# ------------------------------------------------------------------------------------------- archives and folders

Files = Iterable[tuple[str, bytes]]
"""Names, which may include folders (``a/b``), and contents."""


def write_archive(path: PathLike, files: Iterable[tuple[str, bytes | Iterable[bytes]]]) -> None:
    """Write a zip archive with exactly these files, each given as bytes or as pieces."""
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
            member = zipfile.ZipInfo(_check_member_name(name))
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            if isinstance(data, bytes):
                archive.writestr(member, data)
                continue
            # The size is not known yet, and a large file needs another header.
            with archive.open(member, "w", force_zip64=True) as entry:
                entry.writelines(data)


def write_folder(path: PathLike, files: Files, *, owned: bool = False) -> None:
    """Write a folder with exactly these files; it is put in its place when it is complete.

    An existing folder is replaced if all its files are written again, so that nothing is lost, or if it is ``owned`` by
    the caller, who has read it.
    """
    with waiting_folder(path) as waiting:
        for name, data in files:
            add_file(waiting, name, data)
        put_in_place(waiting, path, owned=owned)


@contextmanager
def waiting_folder(path: PathLike, *, inside_empty: bool = True) -> Iterator[str]:
    """A temporary folder for unfinished files, beside the one that they are for; it is removed at the end.

    If that one is empty, the temporary folder is inside it, as it may be the working folder or a mounted one, which must
    not be replaced; ``inside_empty`` switches this off.
    """
    shown, target = os.fspath(path), real_place(path)
    with parent_folders(path):
        recover(target)
        remove_leftovers(os.path.dirname(target))
        remove_leftovers(target)
        inside = inside_empty and os.path.isdir(target) and not os.listdir(target)
        waiting = _temporary_name(os.path.join(target, "") if inside else target)
        _report_failures(shown, lambda: os.mkdir(waiting, 0o777))
        try:
            with _locked(waiting):
                yield waiting
        finally:
            import shutil

            shutil.rmtree(waiting, ignore_errors=True)


@contextmanager
def parent_folders(path: PathLike) -> Iterator[None]:
    """Make the folders in which a folder is to be; those that stay empty are removed again."""
    made = _report_failures(os.fspath(path), lambda: _make_parents(real_place(path)))
    try:
        yield
    finally:
        for folder in made:
            with suppress(OSError):
                os.rmdir(folder)


def _make_parents(target: str) -> list[str]:
    """Make the parent folders of the target; return the new ones, innermost first."""
    made, parent = [], os.path.dirname(target)
    while not os.path.lexists(parent):
        made.append(parent)
        parent = os.path.dirname(parent)
    for folder in reversed(made):
        os.makedirs(folder, exist_ok=True)
    if os.path.lexists(target) and not os.path.isdir(target):
        raise NotADirectoryError(errno.ENOTDIR, "it is a file, not a folder")
    return made


def _check_member_name(name: str) -> str:
    """The name, if it stays inside its folder or archive; else refuse it."""
    parts = name.split("/")
    if "\0" in name or "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise UsageError(f"document id {name!r} cannot be a file name")
    return name


def add_file(waiting: str, name: str, data: bytes) -> None:
    """Write one file into a waiting folder; two of one name are refused."""
    path = os.path.join(waiting, _check_member_name(name))
    _report_failures(name, lambda: os.makedirs(os.path.dirname(path), exist_ok=True))
    with open_new(path, name) as stream:
        stream.write(data)
        close_on_disk(stream, name)


def put_in_place(waiting: str, path: PathLike, *, owned: bool = False) -> None:
    """Give a temporary folder its name; an old folder of that name gets the temporary name."""
    shown, target = os.fspath(path), real_place(path)
    if os.path.dirname(waiting) == target:
        _report_failures(shown, lambda: _move_files(waiting, target))
        return
    if not os.path.lexists(target):
        try:
            os.rename(waiting, target)
        except OSError as error:
            # Another writer was faster; its folder is treated like any other.
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise _write_error(shown, error) from None
        else:
            return
    if not owned:
        refuse_loss(path, waiting)
    with suppress(OSError):
        os.chmod(waiting, stat.S_IMODE(os.stat(target).st_mode))
    _report_failures(shown, lambda: _swap(waiting, target))


def add_to_folder(waiting: str, path: PathLike) -> None:
    """Move finished files one by one into a folder that may hold others, replacing those of the same names."""
    shown, target = os.fspath(path), real_place(path)
    if os.path.lexists(target):
        _report_failures(shown, lambda: _move_files(waiting, target))
    else:
        put_in_place(waiting, path)


def _move_files(waiting: str, target: str) -> None:
    for name in sorted(os.listdir(waiting)):
        place = os.path.realpath(os.path.join(target, name))
        os.replace(os.path.join(waiting, name), place)


def refuse_loss(path: PathLike, waiting: str, *, spare: Callable[[str], bool] = lambda _name: False) -> None:
    """Refuse to replace a folder that has files that the new one lacks, apart from ``spare`` ones."""
    missing = _files_in(real_place(path)) - _files_in(waiting)
    lost = sorted(name for name in missing if not spare(name))
    if lost:
        others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise UsageError(
            f"cannot write {os.fspath(path)}: the folder holds {lost[0]!r}{others}, which would be lost",
            hint="name a folder that is not there yet, or empty this one first",
        )


def _files_in(folder: str) -> set[str]:
    """The paths of all files below a folder, and of links to folders."""
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
    """The place beside a file or folder of something that belongs to it."""
    folder, name = os.path.split(os.fspath(target))
    return os.path.join(folder, f"{_PREFIX}{name}.{what}")


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
    working_folder, exchange = -100, 2
    outcome: int = rename(working_folder, os.fsencode(first), working_folder, os.fsencode(second), exchange)
    return outcome == 0
