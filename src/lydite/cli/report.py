"""``lydite report``: scores, comparison and errors in one page, a folder of pages, or a workbook."""

from __future__ import annotations

import os
from pathlib import Path

import click

from lydite.cli.options import (
    Needs,
    TaskCommand,
    check_needs,
    choice_from_options,
    find_runs,
    profile_options,
    split_task,
)
from lydite.cli.output import ProgressBar, show_findings, show_notes
from lydite.cli.parameters import TEXT, NumberRange, runs_option, verbosity_options
from lydite.errors import UsageError
from lydite.facade.scoring import ALL_BREAKDOWNS, score_files
from lydite.model import Summary
from lydite.pipeline.task import KeptResults
from lydite.writing import write_file, write_folder

MEGABYTE = 1_000_000
_PAGES = ("page", "folder")
NEEDS = {
    **dict.fromkeys(("anonymous", "gold_before", "figures"), Needs(_PAGES)),
    "documents": Needs(_PAGES, hint="-o page.html shows texts", tunes=True),
    "max_size": Needs(("page",), hint="it is for -o page.html", tunes=True),
}
"""The kinds of output that can show what an option asks for."""
EPILOG = """\b
Examples:
  lydite report gold.tbf a.tbf b.tbf -o page.html          one page to open in a browser
  lydite report gold.tbf --runs runs/ --documents texts/ -o page.html
  lydite report gold.tbf --runs runs/ -o report/           a folder, one page per document
  lydite report gold.tbf system.tbf -o result.xlsx         a workbook
"""


@click.command("report", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] GOLD SYSTEM…")
@profile_options
@runs_option
@click.option("--gold-before", type=TEXT, metavar="OLD", help="an older gold; the page shows what changed")
@click.option(
    "--figure",
    "figures",
    multiple=True,
    type=TEXT,
    metavar="WHAT",
    help="also rank systems by MEASUREMENT[.METRIC][.AVERAGE].FIGURE; may be repeated",
)
@click.option(
    "--documents", type=TEXT, metavar="DIR", help="folder of source texts, <document>.txt, for the viewer"
)
@click.option(
    "--max-size",
    type=NumberRange(min=0, max=1_000_000, min_open=True),
    default=25.0,
    metavar="MB",
    help="largest size of a page in megabytes; documents with the fewest errors are left out first",
)
@click.option("--anonymous", is_flag=True, help="show letters instead of the names of systems")
@click.option(
    "-o",
    "--output",
    type=TEXT,
    required=True,
    metavar="FILE",
    help="output: page.html, result.xlsx, or a folder (ends with /)",
)
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    runs: str | None,
    gold_before: str | None,
    figures: tuple[str, ...],
    documents: str | None,
    max_size: float,
    anonymous: bool,
    output: str,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Write scores, comparison, errors and documents of one or more systems to one page.

    The page opens in any browser, without a network.  A folder has the same content with one page per document; a
    workbook has scores, breakdowns and diagnosis.
    """
    found_runs = find_runs(runs, quiet=quiet)
    task, paths = split_task(
        ctx, words, at_least=1 if found_runs.paths else 2, needs="a gold file and a system"
    )
    is_folder = output.endswith("/") or os.path.isdir(output)  # noqa: PTH112 - no name is too long for it
    kind = {".html": "page", ".xlsx": "workbook"}.get(".html" if is_folder else Path(output).suffix)
    if kind is None:
        hint = "known: .html, .xlsx, and a folder with / at its end"
        raise UsageError(f"-o {output}: the extension says what to write", hint=hint)
    check_needs(ctx, NEEDS, "folder" if is_folder else kind, named="a ")
    choice = choice_from_options(ctx, task)
    systems = [*paths[1:], *found_runs.paths]
    summary: Summary
    with ProgressBar("scoring", quiet=quiet) as progress:
        if kind == "workbook":
            from lydite.report.spreadsheet import workbook

            everything = KeptResults(by=ALL_BREAKDOWNS, diagnosis=True)
            summary, request = score_files(
                choice, paths[0], systems, teams=found_runs.teams, detail=everything, progress=progress
            )
            write_file(Path(output), workbook(summary))
        else:
            from lydite.pages import page_files
            from lydite.report.page.build import page, site

            material, request = page_files(
                choice,
                paths[0],
                systems,
                teams=found_runs.teams,
                gold_before=gold_before,
                figures=figures,
                documents=documents,
                anonymous=anonymous,
                progress=progress,
            )
            summary = material.summary
            if is_folder:
                index = Path(output) / "index.html"
                # Replacing a folder that this command wrote loses nothing else.
                is_own = index.is_file() and b'content="lydite ' in index.read_bytes()[:4096]
                write_folder(output, site(material), owned=is_own)
            else:
                write_file(Path(output), page(material, max_size=int(max_size * MEGABYTE)))
    show_notes(request.notes, quiet=quiet)
    show_findings(summary.findings, show_all=verbose, quiet=quiet)
    return 0
