"""Writing: results to stdout or a file, findings and progress to stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from lydite.errors import Finding, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.progress import Progress as Bar

GROUP_AFTER = 5
"""More findings of one kind than this are grouped."""


def write_output(text: str | bytes | Iterable[bytes], path: str | None) -> None:
    """Write a result, or its pieces: to stdout, or to a file through a temporary name, so that no half file is ever seen."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    if path is None or path == "-":
        sys.stdout.flush()
        for piece in _pieces(data):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    from pathlib import Path

    write_file(Path(path), data)


def _pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def write_file(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file through a temporary name beside it, then rename."""
    import tempfile
    from pathlib import Path

    if path.is_dir():
        raise UsageError(f"cannot write {path}: it is a folder", hint="name a file in it")
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except FileNotFoundError:
        folder = str(path.parent)
        raise UsageError(f"cannot write {path}: no folder {folder!r}", hint=f"mkdir -p {folder}") from None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(_pieces(data))
        # mkstemp makes files private; a result is as readable as any other file of the user.
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def encode_json(value: object, *, indent: bool = True) -> bytes:
    """JSON as bytes; text that is not UTF-8 keeps its bytes as escapes."""
    from lydite.spool import encode, lay_out

    encoded = encode(value)
    return lay_out(encoded) + b"\n" if indent else encoded


def show_findings(findings: Sequence[Finding], *, show_all: bool = False, quiet: bool = False) -> None:
    """Findings on stderr: errors first, more than five of one kind grouped, notes only on request."""
    shown = [finding for finding in findings if show_all or finding.severity != "note"]
    if quiet:
        shown = [finding for finding in shown if finding.severity == "error"]
    for line in finding_lines(shown, show_all=show_all):
        click.echo(printable(line), err=True)


def show_notes(sentences: Iterable[str], *, quiet: bool = False) -> None:
    """What was inferred, on stderr."""
    for sentence in () if quiet else sentences:
        click.echo(printable(f"note: {sentence}"), err=True)


def finding_lines(findings: Iterable[Finding], *, show_all: bool = False) -> Iterable[str]:
    """One line (and a hint) per finding, grouped by kind beyond the first five."""
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        kinds.setdefault((finding.severity, finding.code), []).append(finding)
    order = {"error": 0, "warning": 1, "note": 2}
    for (severity, code), group in sorted(kinds.items(), key=lambda item: order[item[0][0]]):
        first = group if show_all else group[:GROUP_AFTER]
        yield from map(str, first)
        if len(first) < len(group):
            yield f"  … and {len(group) - len(first)} more {severity}s [{code}]; -v shows all"


def printable(text: str) -> str:
    """Text for a terminal: bytes that were not UTF-8 are shown as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Patience:
    """A progress bar on stderr, for terminals only, and only after one second."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title = title
        self._started = time.monotonic()
        self._bar: Bar | None = None
        self._silent = quiet or not sys.stderr.isatty()
        self._job: Any = None

    def __enter__(self) -> Callable[[int, int], None] | None:
        return None if self._silent else self._step

    def __exit__(self, *_exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _step(self, done: int, total: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._started < 1:
                return
            from rich.console import Console
            from rich.progress import Progress as NewBar

            self._bar = NewBar(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._job = self._bar.add_task(self._title, total=total)
        self._bar.update(self._job, completed=done)
