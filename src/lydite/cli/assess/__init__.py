"""``lydite assess``: assessment and adjudication; sub-verbs are loaded when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from lydite.cli.output import ProgressBar, print_line, show_findings, show_notes
from lydite.cli.verbs import LazyVerbs

if TYPE_CHECKING:
    from lydite.assess.stores import OpenedStore

VERBS = {
    "quote-filter": (
        "lydite.cli.assess.quote_filter",
        "Build a quote filter from source documents, or apply one.",
    ),
    "pool": ("lydite.cli.assess.pool", "Pool the output of systems for assessment."),
    "import": ("lydite.cli.assess.stores:import_", "Add a pool to an annotation store."),
    "sheet": ("lydite.cli.assess.sheet", "Write an assessment sheet (CSV, XLSX)."),
    "read-sheet": ("lydite.cli.assess.stores:read_sheet", "Read the judgements of a sheet into the store."),
    "status": ("lydite.cli.assess.status", "Show how far the assessment has come."),
    "agree": ("lydite.cli.assess.agree", "Compare two assessors."),
    "merge": ("lydite.cli.assess.stores:merge", "Merge two annotation stores; the first one wins."),
    "repair": ("lydite.cli.assess.stores:repair", "Make a raw assessment release consistent."),
    "queue": ("lydite.cli.assess.queue", "ACE: write what systems found beyond gold, for people to judge."),
    "apply": ("lydite.cli.assess.apply", "ACE: score with the decisions of judges."),
}
"""Sub-verb, its command, one sentence."""


_QUIET = "lydite.assess.quiet"


def is_quiet() -> bool:
    """Whether ``-q`` was given."""
    return bool(click.get_current_context().meta.get(_QUIET))


def tell(sentence: str) -> None:
    """Print the closing line of a sub-verb, about what it wrote."""
    if not is_quiet():
        print_line(sentence)


@contextmanager
def holding(*made: str, existing: Iterable[str] = ()) -> Iterator[None]:
    """Hold the stores that a command makes and uses; say so if another command has to end first."""
    from lydite.assess.writing import hold

    def waiting(store: str) -> None:
        show_notes([f"another command is changing {store}; waiting for it to end"], quiet=is_quiet())

    with hold(*made, existing=existing, waiting=waiting):
        yield


def with_warnings(store: OpenedStore) -> OpenedStore:
    """The store, after the warnings about it as a whole were shown: what lies in it and is not read."""
    show_findings(store.store.findings, quiet=is_quiet())
    return store


EPILOG = """\b
Examples:
  lydite assess pool run1/ run2.zip --filter quotes.filter -o pool/
  lydite assess import pool/ annotation/
  lydite assess sheet annotation/ --documents texts/ -o sheet.xlsx
  lydite assess read-sheet sheet.xlsx annotation/
"""


@click.group("assess", cls=LazyVerbs, verbs=VERBS, noun="sub-verb", epilog=EPILOG)
@click.option("-q", "--quiet", is_flag=True, help="show errors only, and no progress")
@click.pass_context
def command(ctx: click.Context, *, quiet: bool) -> None:
    """Assess what systems found: from their output to judgements that can be scored against.

    Event arguments go through pool, import, sheet and the rest; queue and apply adjudicate ACE targets.

    Every command writes to a temporary name and renames, so that an interrupted one leaves the store as it was; of two
    commands on one store the second waits for the first.
    """
    ctx.meta[_QUIET] = quiet
    ctx.with_resource(ProgressBar(f"assess {ctx.invoked_subcommand}", quiet=quiet))
