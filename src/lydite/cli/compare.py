"""``lydite compare``: which system is better, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lydite.cli.options import (
    NEEDS_RUNS,
    Needs,
    TaskCommand,
    check_needs,
    choice_from_options,
    find_runs,
    flag_of,
    is_given,
    organiser_options,
    profile_options,
    refuse_overwriting_input,
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
    encode_json,
    print_to_stderr,
    show_findings,
    show_notes,
    warn_of_formulas,
    write_output,
)
from lydite.cli.parameters import NATURAL, TEXT, layout_option, output_option, verbosity_options
from lydite.comparison.corrections import CORRECTIONS
from lydite.comparison.drops import Drop
from lydite.errors import UsageError
from lydite.escaping import counted, printable
from lydite.facade.sides import LeftOut
from lydite.model import Summary
from lydite.model.comparison import Comparison
from lydite.numerals import decimal_of

if TYPE_CHECKING:
    from lydite.report.tables import Table

FORMATS = ("text", "json", "csv", "markdown", "latex", "parquet")
NEEDS = {
    "gold_before": Needs(("text", "json", "markdown", "latex")),
    "top": Needs(("text", "json"), hint="text and json show where systems differ", tunes=True),
    **NEEDS_RUNS,
}
"""The layouts that can show what an option asks for, and the options that it needs."""
_WITHOUT_SUMMARIES = (
    "profile", "quirk", "no_quirks", "from_format", "runs", "skip_invalid", "best_per_team", "anonymous", "gold_before",
)  # fmt: skip
"""Options about files, which have no effect beside --summaries; --anonymous would hide nothing."""

EPILOG = """\b
Examples:
  lydite compare gold.tbf ours.tbf baseline.tbf        which is better, and how sure
  lydite compare gold.tbf --runs runs/                 all pairs, groups by letters
  lydite compare gold.tbf --runs runs/ --against base  each against one
  lydite compare gold.tbf --runs runs/ --gold-before old.tbf
  lydite compare gold.tbf last-week.tbf today.tbf --fail-if-worse 0.005
  lydite compare --summaries before.json after.json    what changed
"""


@click.command("compare", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] GOLD SYSTEM SYSTEM…")
@profile_options
@organiser_options
@click.option(
    "--figure",
    "figures",
    type=TEXT,
    multiple=True,
    metavar="WHAT",
    help="compare MEASUREMENT[.METRIC][.AVERAGE].FIGURE instead of the headline; several are also compared by their ranks",
)
@click.option(
    "--against", type=TEXT, metavar="NAME", help="test each system against this one instead of all pairs"
)
@click.option(
    "--gold-before", type=TEXT, metavar="OLD", help="also score with this older gold, and show what changed"
)
@click.option(
    "--summaries",
    type=TEXT,
    nargs=2,
    metavar="BEFORE AFTER",
    help="compare two saved summary documents instead",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default="holm",
    help="correction of p-values for several pairs",
)
@click.option("--alpha", type=float, default=0.05, help="significance level of corrected p-values")
@resampling_options
@click.option("--seed", type=NATURAL, default=0, help="seed of resampling and test")
@click.option(
    "--top", type=NATURAL, metavar="N", help="number of units and parts shown for each pair  [default: 10]"
)
@click.option(
    "--fail-if-worse",
    type=TEXT,
    is_flag=False,
    flag_value="0",
    metavar="[BY]",
    help="two systems, the old one first: exit status 1 if the second is significantly worse by more than BY",
)
@layout_option(*FORMATS)
@output_option
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
    figures: tuple[str, ...],
    against: str | None,
    gold_before: str | None,
    summaries: tuple[str, str] | None,
    correction: str,
    alpha: float,
    resample_by: str | None,
    resamples: int,
    level: float,
    interval: str,
    seed: int,
    top: int | None,
    fail_if_worse: str | None,
    layout: str,
    output: str | None,
    jobs: int,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Compare systems: intervals, paired tests, groups, and where they differ.

    Systems are compared by the campaign's headline figure unless --figure names others.  Systems that share a letter
    are not significantly different.
    """
    from lydite.comparison.files import compare_sides, compare_summaries
    from lydite.comparison.library import comparison_plan
    from lydite.facade.sides import read_sides

    plan = comparison_plan(
        figures=figures,
        against=against,
        resample_by=resample_by,
        resamples=resamples,
        seed=seed,
        level=level,
        interval=interval,
        correction=correction,
        alpha=alpha,
        top=10 if top is None else top,
    )
    gate = _parse_limit(fail_if_worse)
    if summaries:
        idle = [flag_of(ctx, name) for name in _WITHOUT_SUMMARIES if ctx.params[name]]
        if words or idle:
            hint = f"leave out {[*map(repr, words), *idle][0]}"
            raise UsageError("--summaries takes the place of gold and systems", hint=hint)
        refuse_overwriting_input(summaries, output)
    check_needs(ctx, NEEDS, layout)
    if layout == "parquet":
        check_parquet_output(output)
    if summaries:
        comparisons, systems = compare_summaries(summaries, plan)
        summary = None
    else:
        found_runs = find_runs(runs, quiet=quiet)
        needs = "a gold file and two systems"
        task, paths = split_task(ctx, words, at_least=1 if found_runs.paths else 2, needs=needs)
        gold, files = paths[0], [*paths[1:], *found_runs.paths]
        if not (best_per_team or skip_invalid):
            _require_two_systems(gate, len(files))
        if len(files) < 2 and not gold_before:
            hint = "one is enough with --gold-before; lydite score --ci gives the intervals of one"
            if files and os.path.isdir(files[0]) and not found_runs.paths:  # noqa: PTH112 - a word of the command line
                hint = f"if each entry of the folder is a system, use --runs {files[0]}; {hint}"
            raise UsageError(f"lydite compare needs at least two systems, found {len(files)}", hint=hint)
        choice = choice_from_options(ctx, task)
        left_out: LeftOut | None = {} if skip_invalid else None

        def choose(summary: Summary) -> dict[str, str]:
            chosen = shown_systems(summary, found_runs, best_only=best_per_team, anonymous=anonymous)
            names = [chosen[name] for name in summary.systems if name in chosen]
            if len(names) < 2 and gold_before is None:
                raise UsageError(f"only {names[0]} is left: there is nothing to compare it with")
            return chosen

        notes: list[str] = []
        with ProgressBar("scoring", quiet=quiet) as progress, start_workers(jobs, cluster) as workers:
            unread = workers is not None
            request, read = read_sides(
                choice, gold, files, teams=found_runs.teams, left_out=left_out, unread=unread
            )
            compared = compare_sides(
                request,
                read,
                plan,
                gold_before=gold_before,
                left_out=left_out,
                choose=choose,
                progress=progress,
                workers=workers,
                notes=notes,
            )
        show_left_out_systems(left_out)
        show_notes([*request.notes, *notes], quiet=quiet)
        comparisons, summary = compared.with_all_findings(), compared.summary
        systems = summary.systems
    _require_two_systems(gate, len(systems))
    if len(systems) < 2:
        idle = [name for name in ("against", "correction", "alpha", "top") if is_given(ctx, name)]
        notes = [
            f"--{name} has no effect on a single system; name another one to compare it with" for name in idle
        ]
        show_notes(notes, quiet=quiet)
    if summaries:
        idle = [name for name in ("jobs", "cluster") if is_given(ctx, name)]
        notes = [f"--{name} has no effect with --summaries; no document is scored again" for name in idle]
        show_notes(notes, quiet=quiet)
    findings = list(dict.fromkeys(finding for comparison in comparisons for finding in comparison.findings))
    show_findings(findings, show_all=verbose, quiet=quiet)
    write_output(_render(comparisons, summary, layout, detailed=top is not None, verbose=verbose), output)
    if layout == "csv":
        warn_of_formulas((place.system for comparison in comparisons for place in comparison.systems), output)
    return 0 if gate is None else max([_check_gate(comparison, gate, systems) for comparison in comparisons])


# -------------------------------------------------------------------------------------------------------- layouts


def _render(
    comparisons: Sequence[Comparison],
    summary: Summary | None,
    layout: str,
    *,
    detailed: bool,
    verbose: bool,
) -> str | bytes:
    from lydite.report import comparison as report
    from lydite.report.text import plain_text

    if layout == "json":
        from lydite.comparison.rankings import with_others

        return encode_json(with_others(comparisons).to_dict())
    if layout == "csv":
        return report.separated(comparisons)
    if layout == "parquet":
        from lydite.report.parquet import comparison_rows

        return comparison_rows(comparisons)
    from lydite.comparison.rankings import ranks_of_comparisons

    ranks = ranks_of_comparisons(comparisons)
    tables = [] if ranks is None else list(report.ranks_tables(ranks))
    if layout == "text":
        blocks = [
            "\n\n".join(_text_blocks(comparison, detailed=detailed, verbose=verbose))
            for comparison in comparisons
        ]
        told = ["\n\n".join(map(plain_text, tables))] if tables else []
        return "\n\n\n".join([*blocks, *told]) + "\n"
    papers = [
        block
        for comparison in comparisons
        for block in _paper_blocks(comparison, summary, layout, verbose=verbose)
    ]
    return "\n\n".join([*papers, *map(RENDERERS[layout], tables)]) + "\n"


def _text_blocks(comparison: Comparison, *, detailed: bool, verbose: bool) -> Iterator[str]:
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
        most = None if verbose else report.PAIRS_AT_ONCE
        more = len(comparison.pairs[most:]) if most else 0
        rest = f"\n… and {counted(more, 'more pair')}; -v shows all, --format json has them" if more else ""
        yield without_title(report.pairs_table(comparison, most)) + rest
    if sentences := list(report.sentences(comparison)):
        yield "\n".join(map(wrap, sentences))
    for pair in comparison.pairs if detailed or len(comparison.pairs) == 1 else ():
        if lines := list(report.where_lines(comparison, pair)):
            yield "\n".join(map(wrap, lines))
        for table in report.difference_tables(comparison, pair):
            yield plain_text(table)
    if comparison.golds is not None:
        yield plain_text(report.golds_table(comparison.golds))
        changes = report.change_lines(comparison.golds, show_all=verbose)
        yield "\n".join(map(printable, changes))
    if verbose:
        yield "\n".join(f"sys:{content}  {printable(name)}" for name, content in comparison.contents.items())
    yield printable(f"signature: {comparison.signature}")


def _paper_blocks(
    comparison: Comparison, summary: Summary | None, layout: str, *, verbose: bool
) -> Iterator[str]:
    from lydite.report import comparison as report
    from lydite.report.paper import chosen_columns, paper_table
    from lydite.report.tables import markdown_lines

    render, remark = RENDERERS[layout], REMARKS[layout]
    yield "\n".join(map(remark, report.heading(comparison)))
    if summary is not None and layout == "latex":
        columns = chosen_columns(summary, None)
        if comparison.figure not in columns:
            columns.append(comparison.figure)
        letters = {place.system: place.group for place in comparison.systems if place.group}
        yield render(paper_table(summary, columns, raised=letters, at=comparison.figure))
        if any(place.group for place in comparison.systems):
            yield remark("Systems that share a letter are not significantly different.")
    else:
        yield render(report.systems_table(comparison))
    if comparison.pairs:
        yield render(report.pairs_table(comparison))
    if comparison.golds is not None:
        yield render(report.golds_table(comparison.golds))
        changes = map(printable, report.change_lines(comparison.golds, show_all=verbose))
        yield "\n".join(map(remark, changes)) if layout == "latex" else markdown_lines("\n".join(changes))
    signature = comparison.signature
    yield remark(f"signature: {signature}") if layout == "latex" else printable(f"signature: `{signature}`")


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


def _require_two_systems(gate: float | None, systems: int) -> None:
    if gate is not None and systems != 2:
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
