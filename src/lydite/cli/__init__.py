"""The command: arguments, exit statuses, and the only place that prints.

Each verb is one small module, loaded when it is called; ``lydite --help`` loads none.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from io import StringIO
from typing import NoReturn

import click

from lydite.cli.option_records import help_option, telling_option
from lydite.cli.output import show_findings, show_notes, tell
from lydite.cli.verbs import LazyVerbs
from lydite.errors import InputError, LyditeError, NoCommonDocument, errors_among
from lydite.escaping import counted
from lydite.version import __version__

OK, GATE_FAILED, WRONG_USAGE, REFUSED_INPUT, NO_COMMON_DOCUMENT = 0, 1, 2, 3, 4
DEFECT, INTERRUPTED = 70, 130

VERBS = {
    "score": ("lydite.cli.score", "Score systems against gold."),
    "compare": ("lydite.cli.compare", "Which system is better, and how sure that is."),
    "validate": ("lydite.cli.validate", "Find everything that is wrong with a submission, in one pass."),
    "explain": ("lydite.cli.explain", "Say why each point was lost, and what to mend first."),
    "report": ("lydite.cli.report", "Write everything about a comparison to one file."),
    "convert": ("lydite.cli.convert", "Convert between formats, with a report of what was lost."),
    "tokenize": ("lydite.cli.tokenize", "Make token tables from texts."),
    "agree": ("lydite.cli.agree", "Agreement of annotators, with the task's own matchers."),
    "adjudicate": ("lydite.cli.adjudicate", "From annotators who differ to one gold."),
    "assess": ("lydite.cli.assess", "Assess arguments: pool, sheets, agreement, merge, repair."),
    "corpus": ("lydite.cli.corpus", "Explore a collection, choose targets and documents, merge entities."),
    "serve": ("lydite.cli.serve", "Serve the workbench: campaigns, runs and leaderboards in the browser."),
    "submit": ("lydite.cli.submit", "Send a run to a workbench."),
    "worker": ("lydite.cli.worker", "Do the jobs of a workbench: validate, score, compare."),
    "workbench": ("lydite.cli.workbench", "Administer a workbench: accounts, campaigns, teams, copies."),
    "verify": ("lydite.cli.verify", "Prove that the numbers are those of the official programs."),
    "list": ("lydite.cli.show:list_", "List tasks, profiles, formats, metrics, quirks, settings."),
    "show": ("lydite.cli.show", "Show a task, profile, quirk, metric or format."),
    "cite": ("lydite.cli.cite", "Print BibTeX of the original measures and of lydite."),
}
"""Verb, module with a command of that name, one sentence."""

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
    epilog=EPILOG,
    params=[
        telling_option(
            "--version",
            help="Show the version and exit.",
            tell=lambda _ctx: f"lydite, version {__version__}",
        ),
        help_option(),
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
def lydite() -> None:
    """Score information extraction against gold annotation, with the numbers of the official scorers."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit status."""
    _reserve_descriptors()
    stopped = _stop_in_order()
    status = run(sys.argv[1:] if arguments is None else arguments)
    # Nothing is left to do; taking the interpreter apart, object by object, would cost as much as reading a corpus.
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(128 + stopped[0] if stopped else status)


def _stop_in_order() -> list[int]:
    """Let the signals that end a process end it as an interrupt does, so that nothing half done stays behind.

    The signal that came, if one did, is put into the list.
    """
    came: list[int] = []

    def stop(number: int, _frame: object) -> NoReturn:
        came.append(number)
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        # Who asked for none (nohup) gets none; not every system has both.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, stop)
    return came


def _reserve_descriptors() -> None:
    """Where stdin, stdout or stderr is closed, its number must not go to a file that we open."""
    while True:
        handle = os.open(os.devnull, os.O_RDWR)
        if handle > 2:
            os.close(handle)
            return


def run(arguments: list[str]) -> int:
    """Run the command; the exit status.

    0 done, 1 a gate failed, 2 wrong usage, 3 unreadable or refused input, 4 no common document, 70 a defect,
    130 interrupted.
    """
    try:
        status = lydite.main(arguments, prog_name="lydite", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return int(exit_.exit_code)
    except click.UsageError as error:
        said = StringIO()
        error.show(said)
        for line in said.getvalue().rstrip("\n").split("\n"):
            tell(line)
        return WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        tell("interrupted")
        return INTERRUPTED
    except LyditeError as error:
        return _complain(error, arguments)
    except (BrokenPipeError, SystemExit):
        # The reader of our output has seen enough (``| head``); click turns that into an exit.
        return OK
    except (OSError, MemoryError, RecursionError) as error:
        return _blame(error)
    except Exception as error:  # noqa: BLE001 - the last resort: a defect of ours, never a bare traceback
        return _confess(error)
    return status if isinstance(status, int) else OK


def _complain(error: LyditeError, arguments: list[str]) -> int:
    if isinstance(error, InputError):
        said = set(arguments)
        quiet = bool(said & {"-q", "--quiet"})
        show_notes(error.notes, quiet=quiet)
        show_findings(error.findings, show_all=bool(said & {"-v", "--verbose"}), quiet=quiet)
        tell(_refusal(error, arguments))
        return NO_COMMON_DOCUMENT if isinstance(error, NoCommonDocument) else REFUSED_INPUT
    tell(f"error: {error}")
    for line in getattr(error, "excerpt", ()):
        tell(f"    {line}")
    hint = getattr(error, "hint", None)
    if hint:
        tell(f"  hint: {hint}")
    return WRONG_USAGE


def _refusal(error: InputError, arguments: list[str]) -> str:
    """The last line of a refused run: that nothing was done, and how many errors are the reason."""
    verb = next((word for word in arguments if word in VERBS), "score")
    done = {
        "convert": "written",
        "corpus": "done",
        "tokenize": "written",
        "assess": "written",
        "adjudicate": "written",
        "validate": "validated",
    }
    return f"nothing was {done.get(verb, 'scored')}: {counted(len(errors_among(error.findings)), 'error')}"


def _blame(error: OSError | MemoryError | RecursionError) -> int:
    """What the world did, and nobody nearer to it has told: a disk, a limit of the machine."""
    _trace(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        tell(f"error: {where}{error.strerror or error}")
    elif isinstance(error, MemoryError):
        tell("error: there is not enough memory")
    else:
        tell("error: something in the input is nested too deeply")
    return REFUSED_INPUT


def _confess(error: Exception) -> int:
    _trace(error)
    tell(f"error: a defect of lydite {__version__}: {type(error).__name__}: {error}")
    for note in getattr(error, "__notes__", ()):
        tell(f"  {note}")
    tell("  hint: run it again with LYDITE_DEBUG=1 and report what it prints")
    return DEFECT


def _trace(error: BaseException) -> None:
    if os.environ.get("LYDITE_DEBUG"):
        import traceback

        traceback.print_exception(error)
