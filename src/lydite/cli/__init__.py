"""The command line: arguments, exit statuses, and all printing.

Each verb is a small module, loaded when it is called; ``lydite --help`` loads none.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from functools import cache
from io import StringIO
from typing import NoReturn

import click

from lydite.cli.output import print_to_stderr, show_findings, show_notes
from lydite.cli.verbs import LazyVerbs
from lydite.errors import InputError, LyditeError, NoCommonDocument, errors_among
from lydite.escaping import counted
from lydite.version import __version__

OK, GATE_FAILED, WRONG_USAGE, REFUSED_INPUT, NO_COMMON_DOCUMENT = 0, 1, 2, 3, 4
DEFECT, INTERRUPTED = 70, 130

VERBS = {
    "score": ("lydite.cli.score", "Score systems against gold."),
    "compare": ("lydite.cli.compare", "Compare systems: which one is better, and how sure that is."),
    "validate": ("lydite.cli.validate", "Find everything that is wrong with a submission, in one pass."),
    "explain": ("lydite.cli.explain", "Explain why points were lost, and which errors cost most."),
    "report": ("lydite.cli.report", "Write scores, errors and charts to one HTML page or workbook."),
    "convert": ("lydite.cli.convert", "Convert between formats, with a report of what was lost."),
    "tokenize": ("lydite.cli.tokenize", "Make token tables from texts."),
    "agree": ("lydite.cli.agree", "Measure the agreement of annotators."),
    "adjudicate": ("lydite.cli.adjudicate", "Make one gold standard from annotators who differ."),
    "assess": ("lydite.cli.assess", "Assess arguments: pool, sheets, agreement, merge, repair."),
    "verify": ("lydite.cli.verify", "Verify that the numbers are those of the official programs."),
    "list": ("lydite.cli.show:list_", "List tasks, profiles, formats, metrics, quirks, settings."),
    "show": ("lydite.cli.show", "Show a task, profile, quirk, metric or format."),
    "cite": ("lydite.cli.cite", "Print BibTeX entries of the measures and of lydite."),
}
"""The verbs of the core: the module of each with its command, and one sentence."""


@cache
def verbs_of_extensions() -> dict[str, tuple[str, str]]:
    """The verbs that other packages add; each entry point is a table like ``VERBS``."""
    from importlib.metadata import entry_points

    tables = [point.load() for point in sorted(entry_points(group="lydite.verbs"))]
    return {name: verb for table in tables for name, verb in table.items() if name not in VERBS}


def all_verbs() -> dict[str, tuple[str, str]]:
    """The verbs of the core and of what is installed beside it."""
    return VERBS | verbs_of_extensions()


IN_EXTENSIONS = {
    "corpus": "corpus", "serve": "workbench", "submit": "workbench", "worker": "workbench", "workbench": "workbench",
}  # fmt: skip
"""Verbs of the other two parts, and the extra that installs each."""

EPILOG = """\b
Examples:
  lydite score gold.tbf system.tbf
  lydite score gold.tbf --runs submissions/ --format latex
  lydite validate system.tbf
  lydite show profile nugget/kbp2015
"""


@click.group(
    cls=LazyVerbs,
    verbs=VERBS,
    more_verbs=verbs_of_extensions,
    extras=IN_EXTENSIONS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110, "show_default": True},
)
@click.version_option(__version__, prog_name="lydite")
def lydite() -> None:
    """Score information extraction against gold annotation, with the numbers of the official scorers."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    _reserve_descriptors()
    stopped = _interrupt_on_signals()
    status = run(sys.argv[1:] if arguments is None else arguments)
    # Nothing is left to do; freeing every object of the interpreter would cost as much as reading a corpus.
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(128 + stopped[0] if stopped else status)


def _interrupt_on_signals() -> list[int]:
    """Make the signals that end a process interrupt it, so that it leaves nothing half done; they are added to the list."""
    received: list[int] = []

    def interrupt(number: int, _frame: object) -> NoReturn:
        received.append(number)
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        # A signal that is ignored (nohup) stays ignored; not every system has both.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, interrupt)
    return received


def _reserve_descriptors() -> None:
    """If stdin, stdout or stderr is closed, keep its number from being given to a file that is opened later."""
    while True:
        handle = os.open(os.devnull, os.O_RDWR)
        if handle > 2:
            os.close(handle)
            return


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status.

    0 done, 1 a gate failed, 2 wrong usage, 3 unreadable or refused input, 4 no common document, 70 a defect,
    130 interrupted.
    """
    try:
        status = lydite.main(arguments, prog_name="lydite", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return int(exit_.exit_code)
    except click.UsageError as error:
        message = StringIO()
        error.show(message)
        for line in message.getvalue().rstrip("\n").split("\n"):
            print_to_stderr(line)
        return WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        print_to_stderr("interrupted")
        return INTERRUPTED
    except LyditeError as error:
        return _report_error(error, arguments)
    except (BrokenPipeError, SystemExit):
        # The reader of the output has closed it (``| head``); click turns that into an exit.
        return OK
    except (OSError, MemoryError, RecursionError) as error:
        return _report_failure(error)
    except Exception as error:  # noqa: BLE001 - the last resort: a defect of ours, never a bare traceback
        return _report_defect(error)
    return status if isinstance(status, int) else OK


def _report_error(error: LyditeError, arguments: list[str]) -> int:
    if isinstance(error, InputError):
        quiet = not {"-q", "--quiet"}.isdisjoint(arguments)
        show_notes(error.notes, quiet=quiet)
        show_findings(error.findings, show_all=not {"-v", "--verbose"}.isdisjoint(arguments), quiet=quiet)
        print_to_stderr(_refusal(error, arguments))
        return NO_COMMON_DOCUMENT if isinstance(error, NoCommonDocument) else REFUSED_INPUT
    print_to_stderr(f"error: {error}")
    for line in getattr(error, "excerpt", ()):
        print_to_stderr(f"    {line}")
    hint = getattr(error, "hint", None)
    if hint:
        print_to_stderr(f"  hint: {hint}")
    return WRONG_USAGE


def _refusal(error: InputError, arguments: list[str]) -> str:
    """The last line of a refused run: that nothing was done, and because of how many errors."""
    verb = next((word for word in arguments if word in all_verbs()), "score")
    done = dict.fromkeys(("convert", "tokenize", "assess", "adjudicate"), "written")
    done |= {"corpus": "done", "validate": "validated"}
    return f"nothing was {done.get(verb, 'scored')}: {counted(len(errors_among(error.findings)), 'error')}"


def _report_failure(error: OSError | MemoryError | RecursionError) -> int:
    """Report a failure of the machine that was not handled before: of a disk, of its memory."""
    _print_traceback(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        print_to_stderr(f"error: {where}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        print_to_stderr("error: there is not enough memory")
    else:
        print_to_stderr("error: something in the input is nested too deeply")
    return REFUSED_INPUT


def _report_defect(error: Exception) -> int:
    _print_traceback(error)
    print_to_stderr(f"error: a defect of lydite {__version__}: {type(error).__name__}: {error}")
    for note in getattr(error, "__notes__", ()):
        print_to_stderr(f"  {note}")
    print_to_stderr("  hint: run it again with LYDITE_DEBUG=1 and report what it prints")
    return DEFECT


def _print_traceback(error: BaseException) -> None:
    if os.environ.get("LYDITE_DEBUG"):
        import traceback

        traceback.print_exception(error)
