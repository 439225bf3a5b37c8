"""``lydite report``: everything about a comparison in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from lydite.cli.options import TaskCommand, choice_from, profile_options, split_task, talk_options
from lydite.cli.output import Patience, show_findings, show_notes
from lydite.cli.verbs import OptionValue
from lydite.errors import UsageError
from lydite.facade import ALL_BREAKDOWNS, Summary, runs_in, score_files
from lydite.pipeline import Wanted
from lydite.registry import Registry
from lydite.writing import write_file

KINDS: Registry[Callable[[Summary], bytes]] = Registry(
    "kind of report",
    {
        ".xlsx": "lydite.report.spreadsheet:workbook",
    },
)
"""Extension of the output → what makes it."""

EPILOG = """\b
Examples:
  lydite report gold.trp system.trp -o result.xlsx
  lydite report triples gold/ --runs runs/ -o runs.xlsx
"""


@click.command("report", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] GOLD SYSTEM…")
@profile_options
@click.option("--runs", metavar="DIR", help="each entry of DIR is a system")
@click.option(
    "-o", "--output", metavar="FILE", required=True, help="the file to write; its extension says what it is"
)
@talk_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **options: OptionValue) -> int:
    """Write scores, breakdowns and diagnosis of one or more systems to one file."""
    runs = [*runs_in(options["runs"]).paths] if options["runs"] else []
    task, paths = split_task(ctx, words, at_least=1 if runs else 2, needs="a gold file and a system")
    target = Path(options["output"])
    if target.suffix not in KINDS:
        raise UsageError(f"-o {target}: the extension says what to write", hint=f"known: {', '.join(KINDS)}")
    with Patience("scoring", quiet=options["quiet"]) as progress:
        summary, asked = score_files(
            choice_from(ctx, task, options),
            paths[0],
            [*paths[1:], *runs],
            wanted=Wanted(by=ALL_BREAKDOWNS, diagnosis=True),
            progress=progress,
        )
    show_notes(asked.notes, quiet=options["quiet"])
    show_findings(summary.findings, show_all=options["verbose"], quiet=options["quiet"])
    write_file(target, KINDS[target.suffix](summary))
    return 0
