"""``lydite report``: scores, comparison and errors in one page, a folder of pages, or a workbook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from lydite.cli.option_records import VERBOSITY, NumberRange, OptionRecord, option
from lydite.cli.options import PROFILE, choice_from_options, find_runs, is_given, split_task, task_verb
from lydite.cli.output import ProgressBar, show_findings, show_notes
from lydite.errors import UsageError
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.runs import Runs
from lydite.facade.scoring import ALL_BREAKDOWNS, score_files
from lydite.model import Summary
from lydite.parallel import Progress
from lydite.pipeline.task import KeptResults
from lydite.writing import write_file, write_folder

MEGABYTE = 1_000_000
EPILOG = """\b
Examples:
  lydite report gold.tbf a.tbf b.tbf -o page.html          one page to open in a browser
  lydite report gold.tbf --runs runs/ --documents texts/ -o page.html
  lydite report gold.tbf --runs runs/ -o report/           a folder, one page per document
  lydite report gold.tbf system.tbf -o result.xlsx         a workbook
"""


class _Options(OptionRecord):
    profile = PROFILE
    runs: str | None = option("each entry of DIR is a system, or a team with its runs", metavar="DIR")
    gold_before: str | None = option("an older gold; the page shows what changed", metavar="OLD")
    figures: tuple[str, ...] = option(
        "also rank systems by MEASUREMENT[.METRIC][.AVERAGE].FIGURE; may be repeated",
        "--figure",
        metavar="WHAT",
    )
    documents: str | None = option("folder of source texts, <document>.txt, for the viewer", metavar="DIR")
    curve: bool | None = option(
        "curves over confidences, for which every threshold is scored; by default only if that is quick",
        "--curve/--no-curve",
        default=None,
    )
    max_size: float = option(
        "largest size of a page in megabytes; documents with the fewest errors are left out first",
        metavar="MB",
        type=NumberRange(min=0, max=1_000_000, min_open=True),
        default=25.0,
    )
    anonymous: bool = option("show letters instead of the names of systems")
    output: str = option(
        "output: page.html, result.xlsx, or a folder (ends with /)",
        "-o",
        "--output",
        metavar="FILE",
        required=True,
    )
    verbosity = VERBOSITY


@task_verb("report", "[TASK] GOLD SYSTEM…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Write scores, comparison, errors and documents of one or more systems to one page.

    The page opens in any browser, without a network.  A folder has the same content with one page per document; a
    workbook has scores, breakdowns and diagnosis.
    """
    runs = find_runs(options.runs, quiet=options.verbosity.quiet)
    task, paths = split_task(ctx, words, at_least=1 if runs.paths else 2, needs="a gold file and a system")
    is_workbook = _is_workbook(options.output)
    show_notes(_idle_options(ctx, options, is_workbook=is_workbook), quiet=options.verbosity.quiet)
    write = _write_workbook if is_workbook else _write_pages
    with ProgressBar("scoring", quiet=options.verbosity.quiet) as progress:
        choice = choice_from_options(ctx, task, options.profile)
        systems = runs._replace(paths=(*paths[1:], *runs.paths))
        summary, request = write(choice, paths[0], systems, options, progress)
    show_notes(request.notes, quiet=options.verbosity.quiet)
    show_findings(summary.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    return 0


def _is_workbook(output: str) -> bool:
    """Whether the extension of the output is that of a workbook, not of pages."""
    suffix = ".html" if _is_folder(output) else Path(output).suffix
    if suffix in {".html", ".xlsx"}:
        return suffix == ".xlsx"
    hint = "known: .html, .xlsx, and a folder with / at its end"
    raise UsageError(f"-o {output}: the extension says what to write", hint=hint)


def _idle_options(ctx: click.Context, options: _Options, *, is_workbook: bool) -> Iterator[str]:
    """Notes about options without effect; an option whose output has no place in the workbook is refused."""
    for name in ("anonymous", "gold_before", "curve", "figures") if is_workbook else ():
        if getattr(options, name):
            flag = f"--{name.replace('_', '-').removesuffix('s')}"
            raise UsageError(f"{flag} is for pages, not for workbooks", hint="-o page.html")
    if is_given(ctx, "documents") and is_workbook:
        yield "--documents has no effect on a workbook; -o page.html shows texts"
    if is_given(ctx, "max_size") and (is_workbook or _is_folder(options.output)):
        yield "--max-size has no effect on workbooks and folders; it is for -o page.html"


def _is_folder(output: str) -> bool:
    return output.endswith("/") or os.path.isdir(output)  # noqa: PTH112 - no name is too long for it


def _write_pages(
    choice: UserChoice, gold: str, systems: Runs, options: _Options, progress: Progress | None
) -> tuple[Summary, Request]:
    from lydite.pages import page_files
    from lydite.report.page.build import page, site

    material, request = page_files(
        choice,
        gold,
        systems.paths,
        teams=systems.teams,
        gold_before=options.gold_before,
        figures=options.figures,
        documents=options.documents,
        curves=options.curve,
        anonymous=options.anonymous,
        progress=progress,
    )
    output = Path(options.output)
    if _is_folder(options.output):
        write_folder(output, site(material), owned=_was_written_by_lydite(output))
    else:
        limit = int(options.max_size * MEGABYTE)
        write_file(output, page(material, max_size=limit))
    return material.summary, request


def _was_written_by_lydite(folder: Path) -> bool:
    """Whether a folder was written by this command, so that replacing it loses nothing else."""
    index = folder / "index.html"
    return index.is_file() and b'content="lydite ' in index.read_bytes()[:4096]


def _write_workbook(
    choice: UserChoice, gold: str, systems: Runs, options: _Options, progress: Progress | None
) -> tuple[Summary, Request]:
    from lydite.report.spreadsheet import workbook

    everything = KeptResults(by=ALL_BREAKDOWNS, diagnosis=True)
    summary, request = score_files(
        choice, gold, systems.paths, teams=systems.teams, detail=everything, progress=progress
    )
    write_file(Path(options.output), workbook(summary))
    return summary, request
