"""``lydite compare``: which system is better, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import (
    NATURAL,
    OUTPUT,
    VERBOSITY,
    OptionRecord,
    layout_option,
    option,
    option_group,
)
from lydite.cli.options import (
    PROFILE,
    TEAM_REQUIREMENTS,
    ResamplingOptions,
    RunsOptions,
    SpreadingOptions,
    choice_from_options,
    find_runs,
    is_given,
    refuse_idle_options,
    refuse_options_of_other_layouts,
    refuse_overwriting_input,
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
    encode_json,
    print_to_stderr,
    show_findings,
    show_notes,
    warn_of_formulas,
    write_output,
)
from lydite.comparison.corrections import CORRECTIONS
from lydite.comparison.drops import Drop
from lydite.errors import UsageError
from lydite.escaping import counted, printable
from lydite.facade.sides import LeftOut
from lydite.model import Summary
from lydite.model.comparison import Comparison
from lydite.numerals import decimal_of

if TYPE_CHECKING:
    from lydite.comparison.files import ComparisonPlan
    from lydite.report.tables import Table

FORMATS = ("text", "json", "csv", "tsv", "markdown", "latex", "parquet")
_LAYOUTS_WITH_PLACE = {
    "gold_before": ("text", "json", "markdown", "latex"),
    "show_columns": ("markdown", "latex"),
}
"""The layouts that can show what an option asks for."""

EPILOG = """\b
Examples:
  lydite compare gold.tbf ours.tbf baseline.tbf        which is better, and how sure
  lydite compare gold.tbf --runs runs/                 all pairs, groups by letters
  lydite compare gold.tbf --runs runs/ --against base  each against one
  lydite compare gold.tbf --runs runs/ --gold-before old.tbf
  lydite compare gold.tbf last-week.tbf today.tbf --fail-if-worse 0.005
  lydite compare --summaries before.json after.json    what changed
"""


class _Options(OptionRecord):
    profile = PROFILE
    submitted: RunsOptions = option_group(RunsOptions)
    figures: tuple[str, ...] = option(
        "compare MEASUREMENT[.METRIC][.AVERAGE].FIGURE instead of the headline; several are also compared by their ranks",
        "--figure",
        metavar="WHAT",
    )
    against: str | None = option("test each system against this one instead of all pairs", metavar="NAME")
    gold_before: str | None = option("also score with this older gold, and show what changed", metavar="OLD")
    summaries: tuple[str, str] | None = option(
        "compare two saved summary documents instead", nargs=2, metavar="BEFORE AFTER"
    )
    correction: str = option(
        "correction of p-values for several pairs", type=click.Choice(CORRECTIONS), default="holm"
    )
    alpha: float = option("significance level of corrected p-values", default=0.05)
    resampling: ResamplingOptions = option_group(ResamplingOptions)
    seed: int = option("seed of resampling and test", default=0)
    top: int | None = option(
        "number of units and parts shown for each pair  [default: 10]", type=NATURAL, metavar="N"
    )
    fail_if_worse: str | None = option(
        "two systems, the old one first: exit status 1 if the second is significantly worse by more than BY",
        is_flag=False,
        flag_value="0",
        metavar="[BY]",
    )
    layout: str = layout_option(*FORMATS)
    show_columns: str | None = option(
        "latex and markdown: columns of the table, MEASUREMENT[.METRIC][.AVERAGE][.FIGURE]", metavar="A,B,…"
    )
    output: str | None = OUTPUT
    spreading: SpreadingOptions = option_group(SpreadingOptions)
    verbosity = VERBOSITY


@task_verb("compare", "[TASK] GOLD SYSTEM SYSTEM…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Compare systems: intervals, paired tests, groups, and where they differ.

    Systems are compared by the campaign's headline figure unless --figure names others.  Systems that share a letter
    are not significantly different.
    """
    from lydite.comparison.library import comparison_plan

    plan = comparison_plan(
        figures=options.figures,
        against=options.against,
        seed=options.seed,
        correction=options.correction,
        alpha=options.alpha,
        top=10 if options.top is None else options.top,
        **vars(options.resampling),
    )
    gate = _parse_limit(options.fail_if_worse)
    if options.summaries:
        _refuse_beside_summaries(words, options)
    refuse_options_of_other_layouts(ctx, _LAYOUTS_WITH_PLACE)
    refuse_idle_options(ctx, TEAM_REQUIREMENTS)
    if options.layout == "parquet":
        check_parquet_output(options.output)
    if options.summaries:
        from lydite.comparison.files import compare_summaries

        comparisons, systems = compare_summaries(options.summaries, plan)
        summary = None
    else:
        comparisons, summary = _compare_files(ctx, words, options, plan)
        systems = summary.systems
    _require_two_systems(options, len(systems))
    show_notes(_idle_options(ctx, options, systems), quiet=options.verbosity.quiet)
    found = list(dict.fromkeys(finding for one in comparisons for finding in one.findings))
    show_findings(found, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    write_output(_render(comparisons, summary, options), options.output)
    if options.layout in {"csv", "tsv"}:
        warn_of_formulas((place.system for one in comparisons for place in one.systems), options.output)
    return 0 if gate is None else max([_check_gate(one, gate, systems) for one in comparisons])


def _idle_options(ctx: click.Context, options: _Options, systems: Sequence[str]) -> Iterator[str]:
    """Notes about options without effect."""
    pair_options = ("against", "correction", "alpha", "top") if len(systems) < 2 else ()
    for name in pair_options:
        if is_given(ctx, name):
            yield f"--{name} has no effect on a single system; name another one to compare it with"
    if is_given(ctx, "top") and not pair_options and options.layout not in {"text", "json"}:
        yield f"--top has no effect in --format {options.layout}; text and json show where systems differ"
    for name in ("jobs", "cluster"):
        if is_given(ctx, name) and options.summaries:
            yield f"--{name} has no effect with --summaries; no document is scored again"


def _refuse_beside_summaries(words: Sequence[str], options: _Options) -> None:
    """Refuse options about files together with --summaries: they would have no effect, and --anonymous would hide nothing."""
    given = {**vars(options.submitted), **vars(options.profile)}
    given |= {"gold_before": options.gold_before, "show_columns": options.show_columns}
    idle = [f"--{name.removesuffix('_format').replace('_', '-')}" for name, value in given.items() if value]
    if words or idle:
        hint = f"leave out {[*map(repr, words), *idle][0]}"
        raise UsageError("--summaries takes the place of gold and systems", hint=hint)
    refuse_overwriting_input(options.summaries or (), options.output)


def _compare_files(
    ctx: click.Context, words: Sequence[str], options: _Options, plan: ComparisonPlan
) -> tuple[tuple[Comparison, ...], Summary]:
    from lydite.comparison.files import compare_sides
    from lydite.facade.sides import read_sides

    quiet = options.verbosity.quiet
    runs = find_runs(options.submitted.runs, quiet=quiet)
    task, paths = split_task(ctx, words, at_least=1 if runs.paths else 2, needs="a gold file and two systems")
    gold, systems = paths[0], [*paths[1:], *runs.paths]
    if not (options.submitted.best_per_team or options.submitted.skip_invalid):
        _require_two_systems(options, len(systems))
    if len(systems) < 2 and not options.gold_before:
        hint = "one is enough with --gold-before; lydite score --ci gives the intervals of one"
        if systems and os.path.isdir(systems[0]) and not runs.paths:  # noqa: PTH112 - a word of the command line
            hint = f"if each entry of the folder is a system, use --runs {systems[0]}; {hint}"
        raise UsageError(f"lydite compare needs at least two systems, found {len(systems)}", hint=hint)
    choice = choice_from_options(ctx, task, options.profile)
    left_out: LeftOut | None = {} if options.submitted.skip_invalid else None

    def choose(summary: Summary) -> dict[str, str]:
        chosen = shown_systems(summary, options.submitted, runs)
        names = [chosen[name] for name in summary.systems if name in chosen]
        if len(names) < 2 and options.gold_before is None:
            raise UsageError(f"only {names[0]} is left: there is nothing to compare it with")
        return chosen

    notes: list[str] = []
    with ProgressBar("scoring", quiet=quiet) as progress, start_workers(options.spreading) as workers:
        unread = workers is not None
        request, read = read_sides(choice, gold, systems, teams=runs.teams, left_out=left_out, unread=unread)
        found = compare_sides(
            request,
            read,
            plan,
            gold_before=options.gold_before,
            left_out=left_out,
            choose=choose,
            progress=progress,
            workers=workers,
            notes=notes,
        )
    show_left_out_systems(left_out)
    show_notes([*request.notes, *notes], quiet=quiet)
    return found.with_all_findings(), found.summary


# -------------------------------------------------------------------------------------------------------- layouts


def _render(comparisons: Sequence[Comparison], summary: Summary | None, options: _Options) -> str | bytes:
    layout = options.layout
    if layout == "json":
        from lydite.comparison.rankings import with_others

        return encode_json(with_others(comparisons).to_dict())
    if layout in {"csv", "tsv"}:
        from lydite.report.comparison import separated

        return separated(comparisons, "," if layout == "csv" else "\t")
    if layout == "parquet":
        from lydite.report.parquet import comparison_rows

        return comparison_rows(comparisons)
    tables = _ranks_tables(comparisons)
    if layout == "text":
        from lydite.report.text import plain_text

        blocks = ["\n\n".join(_text_blocks(one, options)) for one in comparisons]
        ranks = ["\n\n".join(map(plain_text, tables))] if tables else []
        return "\n\n\n".join([*blocks, *ranks]) + "\n"
    papers = [block for one in comparisons for block in _paper_blocks(one, summary, options)]
    return "\n\n".join([*papers, *map(RENDERERS[layout], tables)]) + "\n"


def _ranks_tables(comparisons: Sequence[Comparison]) -> list[Table]:
    from lydite.comparison.rankings import ranks_of_comparisons
    from lydite.report.comparison import ranks_tables

    ranks = ranks_of_comparisons(comparisons)
    return [] if ranks is None else list(ranks_tables(ranks))


def _text_blocks(comparison: Comparison, options: _Options) -> Iterator[str]:
    from textwrap import fill

    from lydite.report import comparison as report
    from lydite.report.text import plain_text

    def without_title(table: Table) -> str:
        return plain_text(table).partition("\n")[2]

    def wrap(sentence: str) -> str:
        return fill(
            printable(sentence), 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )

    yield "\n".join(map(wrap, report.heading(comparison)))
    yield without_title(report.systems_table(comparison))
    if comparison.pairs:
        most = None if options.verbosity.verbose else report.PAIRS_AT_ONCE
        more = len(comparison.pairs[most:]) if most else 0
        rest = f"\n… and {counted(more, 'more pair')}; -v shows all, --format json has them" if more else ""
        yield without_title(report.pairs_table(comparison, most)) + rest
    if sentences := list(report.sentences(comparison)):
        yield "\n".join(map(wrap, sentences))
    detailed = len(comparison.pairs) == 1 or options.top is not None
    for pair in comparison.pairs if detailed else ():
        if lines := list(report.where_lines(comparison, pair)):
            yield "\n".join(map(wrap, lines))
        for table in report.difference_tables(comparison, pair):
            yield plain_text(table)
    if comparison.golds is not None:
        yield plain_text(report.golds_table(comparison.golds))
        changes = report.change_lines(comparison.golds, show_all=options.verbosity.verbose)
        yield "\n".join(map(printable, changes))
    if options.verbosity.verbose:
        yield "\n".join(f"sys:{content}  {printable(name)}" for name, content in comparison.contents.items())
    yield printable(f"signature: {comparison.signature}")


def _paper_blocks(comparison: Comparison, summary: Summary | None, options: _Options) -> Iterator[str]:
    from lydite.report import comparison as report
    from lydite.report.tables import markdown_lines

    layout = options.layout
    render, remark = RENDERERS[layout], REMARKS[layout]
    yield "\n".join(map(remark, report.heading(comparison)))
    if summary is not None and (layout == "latex" or options.show_columns):
        yield render(_paper_table(comparison, summary, options))
        if any(place.group for place in comparison.systems):
            yield remark("Systems that share a letter are not significantly different.")
    else:
        yield render(report.systems_table(comparison))
    if comparison.pairs:
        yield render(report.pairs_table(comparison))
    if comparison.golds is not None:
        yield render(report.golds_table(comparison.golds))
        changes = map(printable, report.change_lines(comparison.golds, show_all=options.verbosity.verbose))
        yield "\n".join(map(remark, changes)) if layout == "latex" else markdown_lines("\n".join(changes))
    signature = comparison.signature
    yield remark(f"signature: {signature}") if layout == "latex" else printable(f"signature: `{signature}`")


def _paper_table(comparison: Comparison, summary: Summary, options: _Options) -> Table:
    from lydite.report.paper import chosen_columns, paper_table

    columns = chosen_columns(summary, options.show_columns)
    if comparison.figure not in columns:
        columns.append(comparison.figure)
    letters = {place.system: place.group for place in comparison.systems if place.group}
    return paper_table(summary, columns, raised=letters, at=comparison.figure)


# ----------------------------------------------------------------------------------------------------------- gate


def _parse_limit(text: str | None) -> float | None:
    if text is None:
        return None
    by = decimal_of(text)
    if by is None:
        raise UsageError(
            f"--fail-if-worse {text}: expected a fraction such as 0.005, found {text!r}",
            hint="without a fraction it stands behind the systems",
        )
    if not 0 <= by <= 1:
        raise UsageError(f"--fail-if-worse {text}: expected a fraction from 0 to 1, found {text}")
    return by


def _require_two_systems(options: _Options, systems: int) -> None:
    if options.fail_if_worse is not None and systems != 2:
        raise UsageError(f"--fail-if-worse compares two systems, the old one first; found {systems}")


def _check_gate(comparison: Comparison, by: float, systems: Sequence[str]) -> int:
    """The exit status: 1 if the second system is worse by more than ``by`` and significantly so, or untested."""
    old, new = systems
    figures = {place.system: place.figure for place in comparison.systems}
    (pair,) = comparison.pairs
    if not comparison.is_tested(pair):
        raise UsageError(
            "--fail-if-worse compares systems under one measure, and these were scored by two",
            hint="score both under one profile, with the same settings",
        )
    drop = Drop(new, str(comparison.figure), figures[old], figures[new], by)
    is_sure = pair.p is None or pair.p <= comparison.test.alpha
    if not (drop.is_too_large and is_sure):
        return 0
    p = "no test was possible" if pair.p is None else f"p {pair.p:.4g}"
    print_to_stderr(f"gate: {new} is worse than {old}: {drop.sentence} ({p})")
    return 1
