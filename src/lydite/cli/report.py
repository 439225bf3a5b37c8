"""``lydite report``: everything about a comparison in one file, or in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from lydite.cli.option_records import OptionRecord, TalkOptions, group, option
from lydite.cli.options import ProfileOptions, choice_from, split_task, task_verb
from lydite.cli.output import Patience, show_findings, show_notes
from lydite.errors import UsageError
from lydite.facade import ALL_BREAKDOWNS, Choice, Request, Summary, runs_in, score_files
from lydite.model import Summary as PlainSummary
from lydite.pipeline import Progress, Wanted
from lydite.writing import write_file, write_folder

if TYPE_CHECKING:
    from lydite.report.page.material import Material

MEGABYTE = 1_000_000
EPILOG = """\b
Examples:
  lydite report gold.tbf a.tbf b.tbf -o page.html          one page to open in a browser
  lydite report gold.tbf --runs runs/ --documents texts/ -o page.html
  lydite report gold.tbf --runs runs/ -o report/           a folder, one page per document
  lydite report gold.tbf system.tbf -o result.xlsx         a workbook
"""


class Options(OptionRecord):
    """What is said on the command line."""

    profile: ProfileOptions = group(ProfileOptions)
    runs: str | None = option("each entry of DIR is a system", metavar="DIR")
    gold_before: str | None = option("gold of before; the page shows what changed with it", metavar="OLD")
    documents: str | None = option("folder of source texts, <document>.txt, for the viewer", metavar="DIR")
    curve: bool | None = option(
        "curves over confidences; where they are quick unless said: every threshold is scored again",
        "--curve/--no-curve",
        default=None,
    )
    max_size: float = option(
        "megabytes of a page; the documents that lost least are left out above it",
        metavar="MB",
        type=click.FloatRange(min=0, min_open=True),
        default=25.0,
    )
    anonymous: bool = option("letters instead of the names of systems")
    output: str = option(
        "what to write: page.html, result.xlsx, or a folder (ends with /)",
        "-o",
        "--output",
        metavar="FILE",
        required=True,
    )
    talk: TalkOptions = group(TalkOptions)


@task_verb("report", "[TASK] GOLD SYSTEM…", Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: Options) -> int:
    """Write scores, comparison, errors and documents of one or more systems to one page.

    The page opens in any browser, without a network.  A folder holds the same with one page per document; a workbook
    holds scores, breakdowns and diagnosis.
    """
    runs = [*runs_in(options.runs).paths] if options.runs else []
    task, paths = split_task(ctx, words, at_least=1 if runs else 2, needs="a gold file and a system")
    write = _kind(options.output)
    with Patience("scoring", quiet=options.talk.quiet) as progress:
        choice = choice_from(ctx, task, options.profile)
        summary, asked = write(_Asked(choice, paths[0], [*paths[1:], *runs], options, progress))
    show_notes(asked.notes, quiet=options.talk.quiet)
    show_findings(summary.findings, show_all=options.talk.verbose, quiet=options.talk.quiet)
    return 0


class _Asked(NamedTuple):
    """What is compared, and what is wanted of it."""

    choice: Choice
    gold: str
    systems: Sequence[str]
    options: Options
    progress: Progress | None


Writer = Callable[[_Asked], tuple[PlainSummary, Request]]


def _kind(output: str) -> Writer:
    """What the name of the output asks for."""
    path = Path(output)
    if output.endswith("/") or path.is_dir():
        return _write_site
    if path.suffix in _WRITERS:
        return _WRITERS[path.suffix]
    hint = f"known: {', '.join(_WRITERS)}, and a folder with / at its end"
    raise UsageError(f"-o {output}: the extension says what to write", hint=hint)


def _material(wanted: _Asked) -> tuple[Material, Request]:
    from lydite.pages import page_files

    choice, gold, systems, options, progress = wanted
    return page_files(
        choice,
        gold,
        systems,
        gold_before=options.gold_before,
        documents=options.documents,
        curves=options.curve,
        progress=progress,
    )


def _write_page(wanted: _Asked) -> tuple[PlainSummary, Request]:
    from lydite.report.page.build import page

    options = wanted.options
    material, asked = _material(wanted)
    limit = int(options.max_size * MEGABYTE)
    write_file(Path(options.output), page(material, max_size=limit, letters=options.anonymous))
    return material.summary, asked


def _write_site(wanted: _Asked) -> tuple[PlainSummary, Request]:
    from lydite.report.page.build import site

    options = wanted.options
    material, asked = _material(wanted)
    folder = Path(options.output)
    write_folder(folder, site(material, letters=options.anonymous), owned=_holds_pages(folder))
    return material.summary, asked


def _holds_pages(folder: Path) -> bool:
    """Whether a folder was written by this command, so that nothing else is lost with it."""
    index = folder / "index.html"
    return index.is_file() and b'content="lydite ' in index.read_bytes()[:4096]


def _write_workbook(wanted: _Asked) -> tuple[Summary, Request]:
    from lydite.report.spreadsheet import workbook

    choice, gold, systems, options, progress = wanted
    for name in ("anonymous", "gold_before", "curve"):
        if getattr(options, name):
            said = f"--{name.replace('_', '-')}"
            raise UsageError(f"{said} is for pages, not for workbooks", hint="-o page.html")
    everything = Wanted(by=ALL_BREAKDOWNS, diagnosis=True)
    summary, asked = score_files(choice, gold, systems, wanted=everything, progress=progress)
    write_file(Path(options.output), workbook(summary))
    return summary, asked


_WRITERS: dict[str, Writer] = {".html": _write_page, ".xlsx": _write_workbook}
"""Extension of the output → what writes it."""
