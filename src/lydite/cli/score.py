"""``lydite score``: the numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from lydite.cli.options import TASK_KEY, TaskCommand, choice_from, profile_options, split_task, talk_options
from lydite.cli.output import (
    Patience,
    encode_json,
    show_findings,
    show_notes,
    warn_of_formulas,
    write_output,
)
from lydite.cli.verbs import OptionValue
from lydite.errors import UsageError
from lydite.escaping import printable
from lydite.facade import ALL_BREAKDOWNS, Choice, Request, Summary, runs_in, score_files
from lydite.model.plain import PlainDict, PlainMapping
from lydite.pipeline import EVERY_BREAKDOWN, Wanted
from lydite.registry import did_you_mean

if TYPE_CHECKING:
    from rich.console import Console

    from lydite.report.tables import Table

FORMATS = ("text", "json", "jsonl", "csv", "tsv", "markdown", "latex", "official")

EPILOG = """\b
Examples:
  lydite score gold.tbf system.tbf                     the official number
  lydite score gold.tbf a.tbf b.tbf c.tbf              one table, best first
  lydite score gold.tbf --runs runs/ --format latex    a table for a paper
  lydite score nugget gold.tbf sys.tbf --profile kbp2015 --tokens tkn/
  lydite score gold.tbf sys.tbf --by type              broken down by type
  lydite score gold.tbf sys.tbf --format json -o result.json
  lydite score gold.tbf sys.tbf --fail-under 0.6       exit status 1 below 60 %
"""


@click.command("score", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] GOLD SYSTEM…")
@profile_options
@click.option("--runs", metavar="DIR", help="each entry of DIR is a system")
@click.option(
    "--format", "layout", type=click.Choice(FORMATS), default="text", show_default=True, help="layout"
)
@click.option("-o", "--output", metavar="FILE", help="write there instead of stdout")
@click.option(
    "--by", metavar="doc,type,…", help="break the scores down; json has all there are unless --by none"
)
@click.option(
    "--comparison",
    metavar="FILE",
    help="also write what differs, one line each; with --format official the campaign's comparison file",
)
@click.option("--all", "everything", is_flag=True, help="with --comparison: what agrees too")
@click.option(
    "--fail-under",
    metavar="[WHAT=]X",
    help="exit status 1 if the headline, or MEASUREMENT[.METRIC][.AVERAGE].FIGURE, is below the fraction X",
)
@click.option("--what-if", is_flag=True, help="with --by: how the total would change if a part were perfect")
@click.option(
    "--bootstrap",
    type=click.IntRange(1),
    metavar="N",
    help="percentiles of the headline over N resamples of the documents",
)
@click.option("--seed", type=int, default=0, show_default=True, help="seed of the resampling")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, metavar="N", help="processes for many systems"
)
@talk_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **options: OptionValue) -> int:
    """Score one or more systems against gold.

    A file, a folder or an archive (.gz, .zip, .tar.gz, .tgz) is one system; - is stdin.  The task and the profile
    are recognised from the files and said on stderr; name them to override.
    """
    runs = runs_in(options["runs"]) if options["runs"] else []
    task, paths = split_task(ctx, words, at_least=1 if runs else 2, needs="a gold file and a system")
    gold, systems = paths[0], [*paths[1:], *runs]
    layout = options["layout"]
    gate = _gate(options["fail_under"])
    if layout == "official" and len(systems) > 1:
        raise UsageError("--format official is the report of one system", hint="score the systems one by one")
    choice = choice_from(ctx, task, options, ignore_ambient=layout == "official")
    with Patience("scoring", quiet=options["quiet"]) as progress:
        summary, asked = score_files(
            choice, gold, systems, wanted=_wanted(ctx, options), progress=progress, jobs=options["jobs"]
        )
    show_notes(asked.notes, quiet=options["quiet"])
    show_findings(summary.findings, show_all=options["verbose"], quiet=options["quiet"])
    _check_breakdowns(summary, asked, options)
    if options["comparison"]:
        write_output(_comparison(summary, choice, (gold, systems[0]), options), options["comparison"])
    _print(summary, asked, options)
    return gate(summary) if gate else 0


def _gate(text: str | None) -> Callable[[Summary], int] | None:
    if text is None:
        return None
    from lydite.cli.gate import check_gate, parse_gate

    gate = parse_gate(text)
    return lambda summary: check_gate(gate, summary)


def _asked_for_diagnosis(options: PlainDict) -> bool:
    # An official layout may show more than scores: the order in which its program adds up.
    return options["layout"] in {"json", "official"}


def _breakdowns(options: PlainDict) -> tuple[str, ...]:
    if options["by"]:
        named = tuple(part.strip() for part in options["by"].split(",") if part.strip())
        return () if named == ("none",) else tuple("doc" if name == "document" else name for name in named)
    return ALL_BREAKDOWNS if options["layout"] in {"json", "official"} else ()


def _percentiles(
    summary: Summary, asked: Request, options: PlainDict
) -> dict[str, dict[str, dict[int, float]]]:
    """Percentiles of the headline's figures, by system: precision, recall and F1, or its value."""
    from lydite.model import Tally
    from lydite.results.bootstrap import resample, resample_figures

    lead = summary.headline
    wanted = lead["measurement"], lead["metric"]
    tallies: dict[str, list[PlainMapping]] = {}
    for row in summary.by("doc").rows:
        if (row.measurement, row.metric) == wanted:
            tallies.setdefault(row.system, []).append(row.tally)
    measurements = asked.task.measurements(asked.task.with_input(asked.profile, []).settings)
    restored = next((m.restored for m in measurements if (m.name, m.metric) == wanted), None)
    plain = all("gold_credit" in tally for found in tallies.values() for tally in found)
    if not tallies or not (plain or restored):
        raise UsageError(f"--bootstrap: {lead['measurement']} has no counts that can be resampled")
    how = {"samples": options["bootstrap"], "seed": options["seed"]}
    if restored is None:
        return {
            system: resample([Tally(**tally) for tally in found], **how) for system, found in tallies.items()
        }
    return {
        system: resample_figures([restored(tally) for tally in found], figure=lead["figure"], **how)
        for system, found in tallies.items()
    }


def _wanted(ctx: click.Context, options: PlainDict) -> Wanted:
    diagnosis = bool(options["comparison"]) or _asked_for_diagnosis(options)
    if options["layout"] != "official":
        by = _breakdowns(options)
        if options["bootstrap"] and "doc" not in by:
            by = (*by, "doc")
        if options["layout"] == "json":
            from lydite.spool import Spool

            return Wanted(by, diagnosis, Spool)
        return Wanted(by=by, diagnosis=diagnosis)
    from lydite.report.official import LAYOUTS_OF_DIAGNOSES

    task = ctx.meta.get(TASK_KEY)
    needed = task is not None and task.name in LAYOUTS_OF_DIAGNOSES
    return Wanted(by=ALL_BREAKDOWNS, diagnosis=diagnosis or needed, for_layout=not options["comparison"])


def _comparison(
    summary: Summary, choice: Choice, paths: tuple[str, str], options: dict[str, Any]
) -> str | Iterable[bytes]:
    from lydite.report.official import COMPARISONS, READ_AGAIN

    if len(summary.systems) > 1:
        raise UsageError("--comparison is of one system", hint="score the systems one by one")
    if options["layout"] == "official" or summary.task in READ_AGAIN:
        return COMPARISONS[summary.task](summary)
    from lydite.explanation import explain_files
    from lydite.explanation.side_by_side import comparison_file

    (explanation,), _ = explain_files(choice, paths[0], [paths[1]], budget=False)
    return comparison_file(explanation, everything=options["everything"], folder=options.get("documents"))


def _print(summary: Summary, asked: Request, options: PlainDict) -> None:
    layout, path = options["layout"], options["output"]
    if layout == "json":
        from lydite.report.summary_document import pieces

        more = {"bootstrap": _percentiles(summary, asked, options)} if options["bootstrap"] else {}
        write_output(pieces(summary, more=more), path)
    elif layout == "jsonl":
        lines = [encode_json(row.to_dict(), indent=False) for row in summary.rows]
        write_output(b"".join(line + b"\n" for line in lines), path)
    elif layout in {"csv", "tsv"}:
        from lydite.model.summary import flat_row
        from lydite.report.tables import separated

        write_output(separated(summary, "," if layout == "csv" else "\t"), path)
        cells = (value for row in summary.rows for value in flat_row(row).values())
        warn_of_formulas((value for value in cells if isinstance(value, str)), path)
    elif layout == "official":
        from lydite.report.official import LAYOUTS

        write_output(LAYOUTS[summary.task](summary), path)
    else:
        _print_tables(summary, asked, options)


def _print_tables(summary: Summary, asked: Request, options: PlainDict) -> None:
    from lydite.report import tables
    from lydite.results.what_if import what_if

    shown = [tables.overview(summary)]
    for attribute in _breakdowns(options):
        table = tables.breakdown(summary, attribute)
        if table is not None:
            shown.append(table)
            if options["what_if"]:
                shown.append(tables.what_if_table(summary, attribute, what_if(summary, attribute)))
    if options["bootstrap"]:
        shown.append(tables.percentile_table(summary, _percentiles(summary, asked, options)))
    if options["layout"] == "text":
        _print_text(summary, shown, options["output"])
        return
    render = {"markdown": tables.markdown, "latex": tables.latex}[options["layout"]]
    comment = {"markdown": "{}", "latex": "% {}"}[options["layout"]]
    blocks = [
        comment.format(printable(tables.heading(summary))),
        *map(render, shown),
        *(comment.format(printable(line)) for line in tables.count_lines(summary)),
        comment.format(tables.signature_line(summary, options["layout"])),
    ]
    write_output("\n\n".join(blocks) + "\n", options["output"])


def _print_text(summary: Summary, shown: Sequence[Table], path: str | None) -> None:
    """Tables as wide as the terminal, or a page; on a terminal headings and the headline stand out."""
    from lydite.report import tables, text

    console = _terminal() if path is None else None
    width = console.width if console else text.PAGE
    blocks = [
        [text.Line(printable(tables.heading(summary)), strong=True)],
        *(text.text_lines(table, width) for table in shown),
        *(
            [text.Line(text.wrapped(printable(line).split(", "), ", ", width))]
            for line in tables.count_lines(summary)
        ),
        [text.Line(tables.signature_line(summary, "text"))],
    ]
    if console is None:
        pages = ("\n".join(line.text for line in block) for block in blocks)
        write_output("\n\n".join(pages) + "\n", path)
        return
    for position, block in enumerate(blocks):
        if position:
            console.print()
        for line in block:
            console.out(line.text, style="bold" if line.strong else None, highlight=False)


def _terminal() -> Console | None:
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console()


def _check_breakdowns(summary: Summary, asked: Request, options: dict[str, object]) -> None:
    """Refuse what cannot be shown: a name that no measurement is broken down by, and --what-if without --by."""
    named = [name for name in _breakdowns(options) if name != EVERY_BREAKDOWN]
    if options["what_if"] and not named:
        raise UsageError("--what-if needs --by", hint="for instance --by doc --what-if")
    measurements = asked.task.measurements(asked.profile.resolved(summary.settings).settings)
    known = ["doc", *sorted({name for measurement in measurements for name in measurement.breakdowns})]
    for name in named:
        if name not in known:
            near = did_you_mean(name, known)
            hint = f"task {summary.task} can be shown by {', '.join(known)}"
            raise UsageError(f"--by {name}: nothing to show", hint=f"{near} {hint}" if near else hint)
