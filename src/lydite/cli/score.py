"""``lydite score``: score systems against gold."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import click

from lydite.cli.options import (
    NEEDS_RUNS,
    Needs,
    TaskCommand,
    check_needs,
    choice_from_options,
    find_runs,
    organiser_options,
    profile_options,
    resampling_options,
    show_left_out_systems,
    shown_systems,
    split_task,
    spreading_options,
    start_workers,
)
from lydite.cli.output import (
    REMARKS,
    RENDERERS,
    ProgressBar,
    check_parquet_output,
    print_to_stderr,
    second_output,
    show_findings,
    show_notes,
    warn_of_formulas,
    write_output,
)
from lydite.cli.parameters import NATURAL, TEXT, layout_option, output_option, verbosity_options
from lydite.cli.side_by_side import profiles_in, show_side_by_side
from lydite.errors import UsageError
from lydite.escaping import printable
from lydite.facade.choosing import Request
from lydite.facade.scoring import ALL_BREAKDOWNS, refuse_unknown_breakdowns, score_sides
from lydite.facade.sides import LeftOut, read_sides
from lydite.facade.suites import is_suite, score_suite
from lydite.facade.summaries import rename_systems
from lydite.model import ScoreRow, Summary
from lydite.pipeline.gathering import EVERY_BREAKDOWN
from lydite.pipeline.running import MOST_SIGNED
from lydite.pipeline.task import KeptResults
from lydite.report.official import BREAKDOWNS, COMPARISONS, LAYOUTS, READ_AGAIN
from lydite.report.tables import Table

FORMATS = ("text", "json", "csv", "markdown", "latex", "parquet", "official")

_TABLES = ("text", "markdown", "latex")
_TUNES_INTERVALS = Needs(options=("ci",), hint="--ci shows the interval of every figure", tunes=True)
NEEDS = {
    "show_columns": Needs(_TABLES),
    "what_if": Needs(_TABLES),
    "curve": Needs((*_TABLES, "json")),
    "ci": Needs(FORMATS[:-1]),
    "by": Needs(FORMATS[:-1]),
    "against": Needs(options=("max_drop",), hint="how far may the headline fall? --max-drop 0.005"),
    "max_drop": Needs(options=("against",), hint="--against last.json names the saved summary"),
    **dict.fromkeys(("resample_by", "resamples", "level", "interval", "seed"), _TUNES_INTERVALS),
    **NEEDS_RUNS,
}
"""The layouts that can show what an option asks for, and the options that it needs."""

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
@organiser_options
@layout_option(*FORMATS)
@click.option(
    "--show-columns",
    type=TEXT,
    metavar="A,B,…",
    help="columns of the table: MEASUREMENT[.METRIC][.AVERAGE][.FIGURE]",
)
@output_option
@click.option(
    "--by",
    type=TEXT,
    metavar="doc,type,…",
    help="break scores down by these; --format json has all breakdowns unless --by none",
)
@click.option(
    "--comparison",
    type=TEXT,
    metavar="FILE",
    help="with --format official, and for triples and ace: also write the campaign's comparison file",
)
@click.option(
    "--fail-under",
    type=TEXT,
    metavar="[WHAT=]X",
    help="exit status 1 if the headline, or MEASUREMENT[.METRIC][.AVERAGE].FIGURE, is below the fraction X",
)
@click.option(
    "--against", type=TEXT, metavar="LAST.json", help="a saved summary to compare with, for --max-drop"
)
@click.option(
    "--max-drop",
    type=TEXT,
    multiple=True,
    metavar="[ATTRIBUTE=]X",
    help="exit status 1 if the headline fell by more than X since then, or that of a part, as in type=0.05; may be repeated",
)
@click.option("--what-if", is_flag=True, help="with --by: how the total would change if a part were perfect")
@click.option(
    "--curve", is_flag=True, help="the headline at every confidence threshold, and the best threshold"
)
@click.option("--ci", is_flag=True, help="confidence intervals of all figures, from resampled documents")
@resampling_options
@click.option("--seed", type=NATURAL, default=0, help="seed of the resampling")
@spreading_options
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    runs: str | None,
    skip_invalid: bool,
    best_per_team: bool,
    anonymous: bool,
    layout: str,
    show_columns: str | None,
    output: str | None,
    by: str | None,
    comparison: str | None,
    fail_under: str | None,
    against: str | None,
    max_drop: tuple[str, ...],
    what_if: bool,
    curve: bool,
    ci: bool,
    resample_by: str | None,
    resamples: int,
    level: float,
    interval: str,
    seed: int,
    jobs: int,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Score one or more systems against gold.

    A file, a folder or an archive (.gz, .zip, .tar.gz, .tgz) is one system; - is stdin.  The task and the profile
    are inferred from the files unless you name them; a note on stderr says which were taken.
    """
    found_runs = find_runs(runs, quiet=quiet)
    task, paths = split_task(
        ctx, words, at_least=1 if found_runs.paths else 2, needs="a gold file and a system"
    )
    gold, systems = paths[0], [*paths[1:], *found_runs.paths]
    if profiles := profiles_in(ctx.params["profile"]):
        return show_side_by_side(
            ctx, task, profiles, [gold, *systems], layout=layout, output=output, quiet=quiet
        )
    check_needs(ctx, NEEDS, layout)
    if layout == "parquet":
        check_parquet_output(output)
    gates, attributes = _parse_gates(fail_under, against, max_drop)
    if layout == "official" and len(systems) > 1:
        raise UsageError("--format official is the report of one system", hint="score the systems one by one")
    breakdowns = _breakdowns(by, layout)
    named = [name for name in breakdowns if name != EVERY_BREAKDOWN]
    if what_if and not named:
        raise UsageError("--what-if needs --by", hint="for instance --by doc --what-if")
    left_out: LeftOut | None = {} if skip_invalid else None
    choice = choice_from_options(ctx, task, ignore_ambient=layout == "official")
    if is_suite(choice):
        if ci or curve or what_if or layout == "official":
            message = "--suite datasets has no --ci, --curve, --what-if or --format official"
            raise UsageError(message, hint="score the datasets one by one")
        summary, request = score_suite(
            choice, gold, systems, detail=KeptResults(tuple(dict.fromkeys((*breakdowns, *attributes))))
        )
        failed = [sentence for gate in gates for sentence in gate(summary)]
        show_notes(request.notes, quiet=quiet)
        show_findings(summary.findings, show_all=verbose, quiet=quiet)
        if layout in _TABLES:
            _write_tables(summary, [*_tables(summary, layout, show_columns, breakdowns, {})], layout, output)
        else:
            _write_document(summary, layout, output, {})
        for sentence in failed:
            print_to_stderr(sentence)
        return 1 if failed else 0
    notes: list[str] = []
    with ProgressBar("scoring", quiet=quiet) as progress, start_workers(jobs, cluster) as workers:
        request, corpora = read_sides(
            choice, gold, systems, teams=found_runs.teams, left_out=left_out, unread=workers is not None
        )
        if comparison and layout != "official" and request.task.name not in READ_AGAIN:
            hint = "--format official writes the campaign's file; lydite explain shows the differences"
            raise UsageError(f"--comparison has no place in --format {layout}", hint=hint)
        if comparison and len(systems) > 1:
            raise UsageError("--comparison is for one system", hint="score the systems one by one")
        if layout == "official":
            name = request.task.name
            shown_parts = BREAKDOWNS[name](request.profile.values) if name in BREAKDOWNS else ALL_BREAKDOWNS
            needed = tuple(dict.fromkeys((*shown_parts, *attributes)))
            # An official layout may show more than scores: the order in which its program adds up.
            detail = KeptResults(needed, diagnosis=True, for_layout=comparison is None)
        else:
            by_document = ("doc",) if ci or what_if else ()
            needed = tuple(dict.fromkeys((*breakdowns, *attributes, *by_document)))
            detail = KeptResults(
                needed,
                diagnosis=layout == "json" or comparison is not None,
                standing=(None,) if against or (layout == "json" and "doc" in needed) else (),
                elements=ci,
                parts=ci or what_if,
            )
        if layout == "json":
            from lydite.spool import Spool

            detail = detail._replace(keep=Spool)
        summary = score_sides(
            request,
            corpora,
            detail=detail,
            progress=progress,
            workers=workers,
            left_out=left_out,
            notes=notes,
        )
    show_left_out_systems(left_out)
    # The settings that all systems decided together hold for each of them.
    request = request.with_settings_of_run(summary.settings)
    names = shown_systems(summary, found_runs, best_only=best_per_team, anonymous=anonymous)
    # Gates know systems by their own names, as anonymous numbers differ from run to run.
    gated = rename_systems(summary, {name: name for name in names})
    # A gate whose figure does not exist is refused before anything is written.
    failed = [sentence for gate in gates for sentence in gate(gated)]
    scored = summary = rename_systems(summary, names)
    if ci:
        from lydite.comparison.files import units_of_run
        from lydite.comparison.intervals import with_intervals
        from lydite.comparison.library import comparison_plan

        plan = comparison_plan(seed=seed, resamples=resamples, level=level, interval=interval)
        units = units_of_run(summary, request, corpora, resample_by, names)
        summary = with_intervals(summary, units, plan.resampling)
    if layout != "official":
        # Intervals, gates and --what-if needed more rows.
        summary = summary.keep(partial(_is_selected, breakdowns))
    show_notes([*request.notes, *notes], quiet=quiet)
    show_findings(summary.findings, show_all=verbose, quiet=quiet)
    if verbose and len(summary.systems) > MOST_SIGNED:
        show_notes([f"sys:{item.content} is {item.name}" for item in summary.inputs if item.role == "system"])
    refuse_unknown_breakdowns(named, request, summary.settings)
    with second_output(comparison, lambda: COMPARISONS[summary.task](summary)):
        curves = []
        if curve:
            from lydite.comparison.curves import curve as curve_of

            shown = [
                replace(corpus, name=names[corpus.name]) for corpus in corpora[1:] if corpus.name in names
            ]
            curves = [curve_of(request, corpora[0], corpus) for corpus in shown]
        if layout in _TABLES:
            from lydite.report.curves import curve_table

            what_if_tables = _what_if_tables(scored, request, breakdowns) if what_if else {}
            tables = [
                *_tables(summary, layout, show_columns, breakdowns, what_if_tables),
                *map(curve_table, curves),
            ]
            _write_tables(summary, tables, layout, output)
        else:
            more = {"curves": [drawn.to_dict() for drawn in curves]} if curves else {}
            _write_document(summary, layout, output, more)
    for sentence in failed:
        print_to_stderr(sentence)
    return 1 if failed else 0


Gate = Callable[[Summary], Iterable[str]]
"""Checks a summary and returns a sentence for every figure that fails."""


def _parse_gates(
    fail_under: str | None, against: str | None, max_drop: Sequence[str]
) -> tuple[list[Gate], tuple[str, ...]]:
    """The gates, and the attributes by which scores must be broken down for them."""
    if fail_under is None and against is None:
        return [], ()
    from lydite.cli.gate import check_drop_gate, check_limit_gate, parse_drop_limits, parse_limit_gate
    from lydite.comparison.files import load_summary

    gates: list[Gate] = []
    if fail_under is not None:
        gates.append(partial(check_limit_gate, *parse_limit_gate(fail_under)))
    if against is None:
        return gates, ()
    limits = parse_drop_limits(max_drop)
    return [*gates, partial(check_drop_gate, load_summary(against), limits)], tuple(limits.parts)


def _breakdowns(by: str | None, layout: str) -> tuple[str, ...]:
    if by:
        named = tuple(part.strip() for part in by.split(",") if part.strip())
        return () if named == ("none",) else tuple("doc" if name == "document" else name for name in named)
    return ALL_BREAKDOWNS if layout in {"json", "official"} else ()


def _is_selected(breakdowns: Sequence[str], row: ScoreRow) -> bool:
    """Whether a row belongs to a total or to a breakdown that was asked for."""
    if row.scope != "corpus":
        return "doc" in breakdowns and not row.by
    return not row.by or EVERY_BREAKDOWN in breakdowns or not row.by.keys().isdisjoint(breakdowns)


def _write_document(summary: Summary, layout: str, output: str | None, more: Mapping[str, object]) -> None:
    """Write what programs read: the summary document, its rows, or the report of the official program."""
    if layout == "json":
        from lydite.report.summary_document import pieces

        write_output(pieces(summary, more=more), output)
    elif layout == "csv":
        from lydite.model.summary import flat_row
        from lydite.report.tables import separated

        write_output(separated(summary), output)
        cells = (value for row in summary.rows for value in flat_row(row).values())
        warn_of_formulas((value for value in cells if isinstance(value, str)), output)
    elif layout == "parquet":
        from lydite.report.parquet import summary_rows

        write_output(summary_rows(summary), output)
    else:
        write_output(LAYOUTS[summary.task](summary), output)


def _what_if_tables(summary: Summary, request: Request, breakdowns: Sequence[str]) -> dict[str, Table]:
    """By attribute: how the total would change if a part of it were perfect."""
    from lydite.comparison.counts import documents_outside_totals, weights_of_means
    from lydite.metrics import METRICS
    from lydite.metrics.base import Law
    from lydite.report.tables import what_if_table
    from lydite.results.what_if import what_if

    name = summary.headline["metric"]
    metric = METRICS[name] if name in METRICS else None  # noqa: SIM401 - a registry has no get
    if metric is not None and Law.SHUFFLE not in metric.laws:
        raise UsageError(
            f"--what-if: with {metric.name}, which {metric.domain} get credit depends on their order, "
            "so that a change of one part changes others",
            hint="leave --what-if out, or choose another --profile",
        )
    exceptions = documents_outside_totals(summary, request.task), weights_of_means(summary, request.task)
    return {
        attribute: what_if_table(summary, attribute, what_if(summary, attribute, *exceptions))
        for attribute in breakdowns
    }


def _tables(
    summary: Summary,
    layout: str,
    show_columns: str | None,
    breakdowns: Sequence[str],
    what_if_tables: Mapping[str, Table],
) -> Iterator[Table]:
    """The overview, with the columns of --show-columns, for LaTeX the usual ones of papers, else all totals; breakdowns."""
    from lydite.report import tables

    if show_columns or layout == "latex":
        from lydite.report.paper import chosen_columns, paper_table

        yield paper_table(summary, chosen_columns(summary, show_columns))
    else:
        yield tables.overview(summary)
    for attribute in breakdowns:
        table = tables.breakdown(summary, attribute)
        if table is not None:
            yield table
            if attribute in what_if_tables:
                yield what_if_tables[attribute]


def _write_tables(summary: Summary, shown: Sequence[Table], layout: str, output: str | None) -> None:
    """Write tables; text is as wide as the terminal or a page, and a terminal shows headings and the headline bold."""
    from lydite.report import tables, text

    if layout != "text":
        remark = REMARKS[layout]
        blocks = [
            remark(tables.heading(summary)),
            *map(RENDERERS[layout], shown),
            *map(remark, tables.count_lines(summary)),
            tables.signature_line(summary.signature, layout),
        ]
        write_output("\n\n".join(blocks) + "\n", output)
        return
    console = None
    if output is None and sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
    width = console.width if console else text.PAGE
    paragraphs = [
        [text.Line(printable(tables.heading(summary)), strong=True)],
        *(text.text_lines(table, width) for table in shown),
        *(
            [text.Line(text.wrap_parts(printable(line).split(", "), ", ", width))]
            for line in tables.count_lines(summary)
        ),
        [text.Line(tables.signature_line(summary.signature, "text"))],
    ]
    if console is None:
        pages = ("\n".join(line.text for line in paragraph) for paragraph in paragraphs)
        write_output("\n\n".join(pages) + "\n", output)
        return
    for position, paragraph in enumerate(paragraphs):
        if position:
            console.print()
        for line in paragraph:
            console.out(line.text, style="bold" if line.strong else None, highlight=False)
