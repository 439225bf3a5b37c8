"""Writing: results to stdout or a file, findings and progress to stderr."""

from __future__ import annotations

import codecs
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from lydite.errors import Finding, Location, UsageError
from lydite.escaping import counted, printable, printable_lines, would_run
from lydite.grouping import grouped
from lydite.registry import Registry

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from lydite.report.tables import Table

RENDERERS: Registry[Callable[[Table], str]] = Registry(
    "layout",
    {
        "text": "lydite.report.text:plain_text",
        "markdown": "lydite.report.tables:titled_markdown",
        "latex": "lydite.report.tables:latex",
    },
)
"""Functions that lay out a table as text, by the name of the layout."""
REMARKS: Registry[Callable[[str], str]] = Registry(
    "layout",
    {"markdown": "lydite.report.tables:markdown_sentence", "latex": "lydite.report.tables:latex_remark"},
)
"""Functions that lay out a sentence beside tables, by the name of the layout."""

GROUP_AFTER = 5
"""Of more findings of one kind only so many are shown."""


def write_output(text: str | bytes | Iterable[bytes], path: str | None) -> None:
    """Write a result, or its pieces, to stdout or a file, whole or not at all; a terminal shows escapes for control characters."""
    data = _in_bytes(text)
    if path is not None and path != "-":
        from lydite.writing import write_file

        write_file(path, data)
        return
    pieces = [data] if isinstance(data, bytes) else data
    if sys.stdout is not None and sys.stdout.isatty():
        pieces = _escape_controls(pieces)
    _write_to_stdout(pieces)


@contextmanager
def second_output(path: str | None, make: Callable[[], str | bytes | Iterable[bytes]]) -> Iterator[None]:
    """Write a second output, if it has a path, together with the first one, which the block writes: both or neither."""
    if not path or path == "-":
        if path:
            write_output(make(), path)
        yield
        return
    from lydite.writing import write_together

    with write_together(path, _in_bytes(make())):
        yield


def _escape_controls(pieces: Iterable[bytes]) -> Iterator[bytes]:
    # A piece may end in the middle of a character.
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for piece in pieces:
        yield printable_lines(decoder.decode(piece)).encode()
    yield printable_lines(decoder.decode(b"", final=True)).encode()


def _in_bytes(text: str | bytes | Iterable[bytes]) -> bytes | Iterable[bytes]:
    """Text as UTF-8; bytes, or pieces of them, as they are."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Half of a surrogate pair, from an escape in JSON: it cannot be encoded.
        return printable_lines(text).encode("utf-8")


def _write_to_stdout(pieces: Iterable[bytes]) -> None:
    hide_progress()
    if sys.stdout is None:
        raise UsageError("cannot write to stdout: it is closed", hint=_FILE_HINT)
    try:
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"cannot write to stdout: {error.strerror}", hint=_FILE_HINT) from None


_FILE_HINT = "-o FILE writes to a file, where the command has it"


def check_parquet_output(path: str | None) -> None:
    """Refuse Parquet on a terminal, or without its library, before anything is scored."""
    from lydite.report.parquet import require

    require()
    if path is None and sys.stdout is not None and sys.stdout.isatty():
        hint = "-o rows.parquet writes it to a file"
        raise UsageError("--format parquet is binary and cannot be shown", hint=hint)


def print_line(sentence: str) -> None:
    """Print a line to stdout."""
    write_output(f"{printable(sentence)}\n", None)


def print_to_stderr(sentence: str) -> None:
    """Print a line to stderr, if stderr can be written to."""
    hide_progress()
    with suppress(OSError, ValueError):
        click.echo(printable(sentence), err=True)


def encode_json(value: object) -> bytes:
    """Indented JSON as bytes; text that is not UTF-8 keeps its bytes as escapes."""
    from lydite.spool import encode, indent

    return indent(encode(value)) + b"\n"


def write_json_or_text(layout: str, document: object, text: str, path: str | None = None) -> None:
    """Write a document as JSON, or the same as text; control characters in the text are escaped, also in files."""
    write_output(encode_json(document) if layout == "json" else printable_lines(text), path)


def show_findings(findings: Sequence[Finding], *, show_all: bool = False, quiet: bool = False) -> None:
    """Print findings to stderr: errors first, of each kind the first five, notes only with ``show_all``."""
    selected = [finding for finding in findings if show_all or finding.severity != "note"]
    if quiet:
        selected = [finding for finding in selected if finding.severity == "error"]
    for block in finding_lines(selected, show_all=show_all):
        for line in block.split("\n"):
            print_to_stderr(line)


def warn_of_formulas(cells: Iterable[str], path: str | None) -> None:
    """Warn that a table has cells that a spreadsheet program would run as formulas; they are written unchanged."""
    formulas = dict.fromkeys(filter(would_run, cells))
    if formulas:
        first = next(iter(formulas))
        several = counted(len(formulas), "cell")
        message = f"{several} would be run as a formula by a spreadsheet program: {first!r}"
        hint = "import the columns of the table as text, or do not open it in a spreadsheet program"
        place = Location("stdout" if path is None else path)
        show_findings([Finding("formula-cell", "warning", message, place, hint=hint)])


def show_notes(sentences: Iterable[str], *, quiet: bool = False) -> None:
    """Print notes to stderr."""
    for sentence in () if quiet else sentences:
        print_to_stderr(f"note: {sentence}")


def finding_lines(findings: Iterable[Finding], *, show_all: bool = False) -> Iterable[str]:
    """The lines of findings, by severity and kind: the first five of each kind, and how many more there are."""
    kinds = grouped(((finding.severity, finding.code), finding) for finding in findings)
    order = {"error": 0, "warning": 1, "note": 2}
    for (severity, code), group in sorted(kinds.items(), key=lambda item: order[item[0][0]]):
        first = group if show_all else group[:GROUP_AFTER]
        yield from map(str, first)
        if len(first) < len(group):
            more = counted(len(group) - len(first), f"more {severity}")
            yield f"  … and {more} [{code}]; -v shows all"


APPEARS_AFTER = 1.0
"""The seconds before a progress bar appears."""

_active_bars: list[ProgressBar] = []


def hide_progress() -> None:
    """Remove progress bars, since something else is about to be printed."""
    while _active_bars:
        _active_bars.pop().end()


class ProgressBar:
    """A progress bar on stderr, on terminals only, and only after one second.

    Entering it gives the function that reports progress.  Even if that is never called, the bar shows that work goes
    on, and for how long.  It ends with its block, or when something is printed.
    """

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title = title
        self._bar: Bar | None = None
        self._is_silent = quiet or sys.stderr is None or not sys.stderr.isatty()
        self._timer = threading.Timer(APPEARS_AFTER, self._appear)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._has_ended = False
        self._done, self._total = 0, 0

    def __enter__(self) -> Callable[[int, int], None] | None:
        if self._is_silent:
            return None
        _active_bars.append(self)
        self._timer.start()
        return self._update

    def __exit__(self, *_exception: object) -> None:
        self.end()

    def end(self) -> None:
        """Remove the bar, or keep it from appearing."""
        self._timer.cancel()
        with self._lock:
            self._has_ended = True
            if self._bar is not None:
                self._bar.stop()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as NewBar

        columns = (TextColumn(self._title), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with self._lock:
            if self._has_ended:
                return
            bar = NewBar(*columns, console=Console(stderr=True), transient=True)
            bar.add_task(self._title, completed=self._done, total=self._total or None)
            bar.start()
            self._bar = bar

    def _update(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        if self._bar is not None and not self._has_ended:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total)
