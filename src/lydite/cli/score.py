"""``lydite score``: score systems against gold."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import (
    OUTPUT,
    POSITIVE,
    VERBOSITY,
    OptionRecord,
    layout_option,
    option,
    option_group,
)
from lydite.cli.options import (
    PROFILE,
    TEAM_REQUIREMENTS,
    Requirement,
    ResamplingOptions,
    RunsOptions,
    SpreadingOptions,
    choice_from_options,
    find_runs,
    note_idle_options,
    refuse_idle_options,
    refuse_options_of_other_layouts,
    show_left_out_systems,
    shown_systems,
    split_task,
    start_workers,
    task_verb,
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
from lydite.cli.side_by_side import profiles_in, show_side_by_side
from lydite.errors import UsageError
from lydite.escaping import printable
from lydite.facade.choosing import Request
from lydite.facade.scoring import ALL_BREAKDOWNS, refuse_unknown_breakdowns, score_sides
from lydite.facade.sides import LeftOut, read_sides
from lydite.facade.summaries import Summary, rename_systems
from lydite.model import Corpus, ScoreRow
from lydite.pipeline import EVERY_BREAKDOWN, MOST_SIGNED, Detail
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

    from lydite.model.curve import Curve
    from lydite.report.tables import Table
    from lydite.results.what_if import Change

FORMATS = ("text", "json", "jsonl", "csv", "tsv", "markdown", "latex", "parquet", "official")

_TABLES = ("text", "markdown", "latex")
_LAYOUTS_WITH_PLACE = {
    "show_columns": _TABLES,
    "what_if": _TABLES,
    "bootstrap": (*_TABLES, "json"),
    "curve": (*_TABLES, "json"),
    "ci": FORMATS[:-1],
    "by": FORMATS[:-1],
}
"""The layouts that can show what an option asks for."""
_NEEDS_RESAMPLING = Requirement(("ci", "bootstrap"), "--ci shows the interval of every figure")
_NEEDS_INTERVALS = Requirement(
    ("ci",), "--ci shows intervals; --bootstrap N resamples N times and shows percentiles"
)
_REQUIREMENTS = {
    "everything": Requirement(("comparison",), "--comparison FILE --all writes what agrees too"),
    **TEAM_REQUIREMENTS,
}
_TUNING_REQUIREMENTS = {
    "resample_by": _NEEDS_RESAMPLING,
    "seed": _NEEDS_RESAMPLING,
    **dict.fromkeys(("resamples", "level", "interval"), _NEEDS_INTERVALS),
}
"""What an option needs to have an effect: one that asks for output is refused without it."""

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


class _Options(OptionRecord):
    profile = PROFILE
    submitted: RunsOptions = option_group(RunsOptions)
    layout: str = layout_option(*FORMATS)
    show_columns: str | None = option(
        "columns of the table: MEASUREMENT[.METRIC][.AVERAGE][.FIGURE]", metavar="A,B,…"
    )
    output: str | None = OUTPUT
    by: str | None = option(
        "break scores down by these; --format json has all breakdowns unless --by none", metavar="doc,type,…"
    )
    comparison: str | None = option(
        "also write the differences, one per line; with --format official the campaign's comparison file",
        metavar="FILE",
    )
    everything: bool = option("with --comparison: also write what agrees", "--all")
    fail_under: str | None = option(
        "exit status 1 if the headline, or MEASUREMENT[.METRIC][.AVERAGE].FIGURE, is below the fraction X",
        metavar="[WHAT=]X",
    )
    against: str | None = option("a saved summary to compare with, for --max-drop", metavar="LAST.json")
    max_drop: str | None = option("exit status 1 if the headline fell by more than X since then", metavar="X")
    max_drop_by: tuple[str, ...] = option(
        "exit status 1 if the headline of a part fell by more than X, as in type=0.05; may be repeated",
        metavar="ATTRIBUTE=X",
    )
    what_if: bool = option("with --by: how the total would change if a part were perfect")
    bootstrap: int | None = option(
        "percentiles of the headline over N resamples of the documents", type=POSITIVE, metavar="N"
    )
    curve: bool = option("the headline at every confidence threshold, and the best threshold")
    ci: bool = option("confidence intervals of all figures, from resampled documents")
    resampling: ResamplingOptions = option_group(ResamplingOptions)
    seed: int = option("seed of the resampling", default=0)
    spreading: SpreadingOptions = option_group(SpreadingOptions)
    verbosity = VERBOSITY


@task_verb("score", "[TASK] GOLD SYSTEM…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Score one or more systems against gold.

    A file, a folder or an archive (.gz, .zip, .tar.gz, .tgz) is one system; - is stdin.  The task and the profile
    are inferred from the files unless you name them; a note on stderr says which were taken.
    """
    quiet = options.verbosity.quiet
    runs = find_runs(options.submitted.runs, quiet=quiet)
    task, paths = split_task(ctx, words, at_least=1 if runs.paths else 2, needs="a gold file and a system")
    gold, systems = paths[0], [*paths[1:], *runs.paths]
    layout = options.layout
    if profiles := profiles_in(options.profile.profile):
        given = [gold, *systems]
        return show_side_by_side(
            ctx, task, options.profile, profiles, given, layout=layout, output=options.output, quiet=quiet
        )
    refuse_options_of_other_layouts(ctx, _LAYOUTS_WITH_PLACE)
    refuse_idle_options(ctx, _REQUIREMENTS)
    note_idle_options(ctx, _TUNING_REQUIREMENTS)
    if layout == "parquet":
        check_parquet_output(options.output)
    gates, attributes = _parse_gates(options)
    if layout == "official" and len(systems) > 1:
        raise UsageError("--format official is the report of one system", hint="score the systems one by one")
    left_out: LeftOut | None = {} if options.submitted.skip_invalid else None
    choice = choice_from_options(ctx, task, options.profile, ignore_ambient=layout == "official")
    notes: list[str] = []
    with ProgressBar("scoring", quiet=quiet) as progress, start_workers(options.spreading) as workers:
        request, corpora = read_sides(
            choice, gold, systems, teams=runs.teams, left_out=left_out, unread=workers is not None
        )
        summary = score_sides(
            request,
            corpora,
            detail=_detail_of(request, options, attributes),
            progress=progress,
            workers=workers,
            left_out=left_out,
            notes=notes,
        )
    show_left_out_systems(left_out)
    # The settings that all systems decided together hold for each of them.
    request = request.with_settings_of_run(summary.settings)
    names = shown_systems(summary, options.submitted, runs)
    # Gates know systems by their own names, as anonymous numbers differ from run to run.
    gated = rename_systems(summary, {name: name for name in names})
    # A gate whose figure does not exist is refused before anything is written.
    failed = [sentence for gate in gates for sentence in gate(gated)]
    scored = rename_systems(summary, names)
    results = _resample(scored, request, corpora, names, options)
    summary = _select_rows(results.summary, options)
    show_notes([*request.notes, *notes], quiet=quiet)
    show_findings(summary.findings, show_all=options.verbosity.verbose, quiet=quiet)
    if options.verbosity.verbose and len(summary.systems) > MOST_SIGNED:
        inputs = [item for item in summary.inputs if item.role == "system"]
        show_notes([f"sys:{item.content} is {item.name}" for item in inputs])
    _check_breakdowns(summary, request, options)
    with second_output(options.comparison, lambda: _comparison(summary, request, corpora, names, options)):
        curves = _compute_curves(request, corpora, names, options)
        changes = _compute_changes(scored, request, options)
        _write(results._replace(summary=summary, curves=curves, changes=changes), options)
    for sentence in failed:
        print_to_stderr(sentence)
    return 1 if failed else 0


Gate = Callable[[Summary], Iterable[str]]
"""Checks a summary and returns a sentence for every figure that fails."""


def _parse_gates(options: _Options) -> tuple[list[Gate], tuple[str, ...]]:
    """The gates, and the attributes by which scores must be broken down for them."""
    drops = options.against or options.max_drop or options.max_drop_by
    if options.fail_under is None and not drops:
        return [], ()
    from lydite.cli.gate import check_drop_gate, check_limit_gate, parse_drop_gate, parse_limit_gate

    gates: list[Gate] = []
    if options.fail_under is not None:
        gates.append(partial(check_limit_gate, *parse_limit_gate(options.fail_under)))
    if not drops:
        return gates, ()
    before, limits = parse_drop_gate(options.against, options.max_drop, options.max_drop_by)
    return [*gates, partial(check_drop_gate, before, limits)], tuple(limits.parts)


def _breakdowns(options: _Options) -> tuple[str, ...]:
    if options.by:
        named = tuple(part.strip() for part in options.by.split(",") if part.strip())
        return () if named == ("none",) else tuple("doc" if name == "document" else name for name in named)
    return ALL_BREAKDOWNS if options.layout in {"json", "official"} else ()


class Results(NamedTuple):
    """All that is to be written: a summary, perhaps with intervals, percentiles (``--bootstrap``) and curves."""

    summary: Summary
    percentiles: Mapping[str, Mapping[str, Mapping[int, float]]] | None = None
    unit_kind: str = "document"
    """What was resampled."""
    curves: Sequence[Curve] = ()
    changes: Mapping[str, Sequence[Change]] = {}
    """The changes of ``--what-if`` by attribute."""


def _resample(
    summary: Summary, request: Request, corpora: Sequence[Corpus], names: Mapping[str, str], options: _Options
) -> Results:
    if not (options.ci or options.bootstrap):
        return Results(summary)
    from lydite.comparison.files import units_of_run
    from lydite.comparison.intervals import headline_percentiles, with_intervals, with_unit_findings
    from lydite.comparison.library import comparison_plan

    units = units_of_run(summary, request, corpora, options.resampling.resample_by, names)
    percentiles = None
    if options.bootstrap:
        samples, seed = options.bootstrap, options.seed
        percentiles = headline_percentiles(summary, units, samples=samples, seed=seed)
    if options.ci:
        plan = comparison_plan(seed=options.seed, **vars(options.resampling))
        summary = with_intervals(summary, units, plan.resampling)
    else:
        summary = with_unit_findings(summary, units)
    return Results(summary, percentiles, units.kind)


def _compute_curves(
    request: Request, corpora: Sequence[Corpus], names: Mapping[str, str], options: _Options
) -> list[Curve]:
    if not options.curve:
        return []
    from lydite.comparison.curves import curve

    return [curve(request, corpora[0], corpus) for corpus in _shown_systems(corpora, names)]


def _compute_changes(summary: Summary, request: Request, options: _Options) -> dict[str, Sequence[Change]]:
    if not options.what_if:
        return {}
    from lydite.comparison.counts import documents_outside_totals, weights_of_means
    from lydite.metrics import METRICS
    from lydite.metrics.base import Law
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
    return {attribute: what_if(summary, attribute, *exceptions) for attribute in _breakdowns(options)}


def _shown_systems(corpora: Sequence[Corpus], names: Mapping[str, str]) -> list[Corpus]:
    """The systems that are shown, under their new names."""
    from lydite.records import replace

    return [replace(corpus, name=names[corpus.name]) for corpus in corpora[1:] if corpus.name in names]


def _select_rows(summary: Summary, options: _Options) -> Summary:
    """The summary with only the rows that were asked for; intervals, gates and --what-if needed more."""
    by = _breakdowns(options)

    def is_selected(row: ScoreRow) -> bool:
        if row.scope != "corpus":
            return "doc" in by and not row.by
        return not row.by or EVERY_BREAKDOWN in by or not row.by.keys().isdisjoint(by)

    return summary if options.layout == "official" else summary.keep(is_selected)


def _detail_of(request: Request, options: _Options, attributes: tuple[str, ...]) -> Detail:
    if options.layout != "official":
        diagnosis = bool(options.comparison) or options.layout == "json"
        by = _breakdowns(options)
        resampled, parts = bool(options.bootstrap or options.ci), options.ci or options.what_if
        by = tuple(dict.fromkeys((*by, *attributes, *(("doc",) if resampled or parts else ()))))
        detail = Detail(by, diagnosis, standing=bool(options.against), elements=resampled, parts=parts)
        if options.layout != "json":
            return detail
        from lydite.spool import Spool

        return detail._replace(keep=Spool, standing="doc" in by or detail.standing)
    from lydite.report.official import BREAKDOWNS

    task = request.task.name
    needed = BREAKDOWNS[task](request.profile.values) if task in BREAKDOWNS else ALL_BREAKDOWNS
    return Detail(
        by=tuple(dict.fromkeys((*needed, *attributes))),
        # An official layout may show more than scores: the order in which its program adds up.
        diagnosis=True,
        for_layout=not options.comparison,
    )


def _comparison(
    summary: Summary, request: Request, corpora: Sequence[Corpus], names: Mapping[str, str], options: _Options
) -> str | Iterable[bytes]:
    from lydite.report.official import COMPARISONS, READ_AGAIN

    if len(summary.systems) > 1:
        raise UsageError("--comparison is for one system", hint="score the systems one by one")
    if options.layout == "official" or summary.task in READ_AGAIN:
        return COMPARISONS[summary.task](summary)
    from lydite.explanation import explain_sides
    from lydite.explanation.side_by_side import comparison_file

    (explanation,) = explain_sides(request, [corpora[0], *_shown_systems(corpora, names)], budget=False)
    folder = request.profile.settings.documents
    return comparison_file(explanation, everything=options.everything, folder=folder)


def _write(results: Results, options: _Options) -> None:
    summary = results.summary
    layout, path = options.layout, options.output
    if layout == "json":
        from lydite.report.summary_document import pieces

        more: dict[str, object] = {}
        if results.percentiles is not None:
            more["bootstrap"] = results.percentiles
        if results.curves:
            more["curves"] = [one.to_dict() for one in results.curves]
        write_output(pieces(summary, more=more), path)
    elif layout == "jsonl":
        from lydite.spool import encode

        write_output((encode(row.to_dict()) + b"\n" for row in summary.rows), path)
    elif layout in {"csv", "tsv"}:
        from lydite.model.summary import flat_row
        from lydite.report.tables import separated

        write_output(separated(summary, "," if layout == "csv" else "\t"), path)
        cells = (value for row in summary.rows for value in flat_row(row).values())
        warn_of_formulas((value for value in cells if isinstance(value, str)), path)
    elif layout == "parquet":
        from lydite.report.parquet import summary_rows

        write_output(summary_rows(summary), path)
    elif layout == "official":
        from lydite.report.official import LAYOUTS

        write_output(LAYOUTS[summary.task](summary), path)
    else:
        _write_tables(results, options)


def _overview(summary: Summary, options: _Options) -> Table:
    """The overview: the columns of --show-columns, for LaTeX the usual ones of papers, else all totals."""
    from lydite.report.tables import overview

    if options.show_columns or options.layout == "latex":
        from lydite.report.paper import chosen_columns, paper_table

        return paper_table(summary, chosen_columns(summary, options.show_columns))
    return overview(summary)


def _write_tables(results: Results, options: _Options) -> None:
    summary = results.summary
    from lydite.report import tables

    shown_tables = [_overview(summary, options)]
    for attribute in _breakdowns(options):
        table = tables.breakdown(summary, attribute)
        if table is not None:
            shown_tables.append(table)
            if options.what_if:
                shown_tables.append(tables.what_if_table(summary, attribute, results.changes[attribute]))
    if results.percentiles is not None:
        shown_tables.append(tables.percentile_table(summary, results.percentiles, results.unit_kind))
    if results.curves:
        from lydite.report.curves import curve_table

        shown_tables.extend(map(curve_table, results.curves))
    if options.layout == "text":
        _write_text(summary, shown_tables, options.output)
        return
    remark = REMARKS[options.layout]
    blocks = [
        remark(tables.heading(summary)),
        *map(RENDERERS[options.layout], shown_tables),
        *map(remark, tables.count_lines(summary)),
        tables.signature_line(summary.signature, options.layout),
    ]
    write_output("\n\n".join(blocks) + "\n", options.output)


def _write_text(summary: Summary, shown_tables: Sequence[Table], path: str | None) -> None:
    """Write tables as wide as the terminal or, in a file, as a page; a terminal shows headings and the headline bold."""
    from lydite.report import tables, text

    console = _console() if path is None else None
    width = console.width if console else text.PAGE
    blocks = [
        [text.Line(printable(tables.heading(summary)), strong=True)],
        *(text.text_lines(table, width) for table in shown_tables),
        *(
            [text.Line(text.wrap_parts(printable(line).split(", "), ", ", width))]
            for line in tables.count_lines(summary)
        ),
        [text.Line(tables.signature_line(summary.signature, "text"))],
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


def _console() -> Console | None:
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console()


def _check_breakdowns(summary: Summary, request: Request, options: _Options) -> None:
    """Refuse --by with an unknown name, and --what-if without --by."""
    named = [name for name in _breakdowns(options) if name != EVERY_BREAKDOWN]
    if options.what_if and not named:
        raise UsageError("--what-if needs --by", hint="for instance --by doc --what-if")
    refuse_unknown_breakdowns(named, request, summary.settings)
