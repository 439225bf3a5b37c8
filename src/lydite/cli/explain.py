"""``lydite explain``: why each point was lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import (
    OUTPUT,
    OptionRecord,
    VerbosityOptions,
    layout_option,
    option,
    option_group,
)
from lydite.cli.options import (
    TASK_KEY,
    ProfileOptions,
    choice_from_options,
    find_runs,
    is_given,
    split_task,
    task_verb,
)
from lydite.cli.output import (
    ProgressBar,
    show_findings,
    show_notes,
    warn_of_formulas,
    write_output,
)
from lydite.errors import UsageError
from lydite.escaping import counted, printable, printable_lines, would_run
from lydite.facade.sides import read_sides
from lydite.registry import did_you_mean, near_or_known

if TYPE_CHECKING:
    from lydite.explanation import Explanation
    from lydite.explanation.documents import Row
    from lydite.explanation.running import TextLine
    from lydite.explanation.selection import VerdictFilter
    from lydite.model.verdict import Verdict
    from lydite.pipeline import AnyTask

FORMATS = ("text", "json", "jsonl", "csv", "markdown")
SHOWN = 20
"""Verdicts or cells that are shown as text unless --max says otherwise."""

EPILOG = """\b
Examples:
  lydite explain gold.tbf system.tbf                    headline, error budget, largest causes
  lydite explain gold.tbf a.tbf b.tbf c.tbf --budget    where each system loses its points
  lydite explain gold.tbf system.tbf --cause spurious   all items with one cause
  lydite explain gold.tbf system.tbf --id E5            one item and what competed for it
  lydite explain gold.tbf system.tbf --doc D --documents texts/
  lydite explain gold.tbf system.tbf --confusion type   what is taken for what
  lydite explain gold.tbf --between a.tbf b.tbf         what a has right and b wrong
  lydite explain gold.tbf system.tbf --format jsonl     every verdict, one a line
"""


class _Options(OptionRecord):
    profile: ProfileOptions = option_group(ProfileOptions)
    runs: str | None = option("each entry of DIR is a system, or a team with its runs", metavar="DIR")
    layout: str = layout_option(*FORMATS)
    output: str | None = OUTPUT
    budget: bool | None = option(
        "the error budget; if it is quick unless said", "--budget/--no-budget", default=None
    )
    between: tuple[str, str] | None = option(
        "what system A has right and system B wrong", nargs=2, metavar="A B"
    )
    confusion: str | None = option("what is taken for what, largest first; csv has all", metavar="ATTRIBUTE")
    doc: tuple[str, ...] = option("the items of this document; may be repeated", metavar="D")
    ids: tuple[str, ...] = option("one item and its rivals; may be repeated", "--id", metavar="X")
    cause: tuple[str, ...] = option("items with this cause; may be repeated", metavar="C")
    types: tuple[str, ...] = option("items of this type; may be repeated", "--type", metavar="T")
    measurement: str | None = option(
        "verdicts of another measurement than the headline's: coref, after, strict, relation, …",
        metavar="NAME",
    )
    trait: str | None = option(
        "count verdicts by type, role, kind, size, distance, …", "--by", metavar="TRAIT"
    )
    documents: str | None = option("folder of source texts, <document>.txt, for --doc", metavar="DIR")
    context: int | None = option(
        "with --doc: so many lines around differences", type=click.IntRange(0), metavar="N"
    )
    most: int | None = option("show so many; 0 shows all", "--max", type=click.IntRange(0), metavar="N")
    verbosity: VerbosityOptions = option_group(VerbosityOptions)


@task_verb("explain", "[TASK] GOLD SYSTEM…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Say what happened to every item, and which kinds of error cost how much.

    The figure is explained as it was computed: the official alignment, quirks included.
    """
    from lydite.explanation import explain_sides
    from lydite.explanation.selection import VerdictFilter

    runs = find_runs(options.runs, quiet=options.verbosity.quiet)
    alone = not (runs.paths or options.between)
    task, paths = split_task(ctx, words, at_least=2 if alone else 1, needs="a gold file and a system")
    systems = [*paths[1:], *runs.paths]
    systems += _new_ones(options.between or (), systems)
    selection = VerdictFilter(options.doc, options.ids, options.cause, options.types)
    _check_causes(ctx.meta.get(TASK_KEY), options.cause, options.measurement)
    _refuse_idle(options, selection)
    show_notes(_idle(ctx, options, selection), quiet=options.verbosity.quiet)
    with ProgressBar("scoring", quiet=options.verbosity.quiet) as progress:
        choice = choice_from_options(ctx, task, options.profile)
        asked, read = read_sides(choice, paths[0], systems, teams=runs.teams)
        budget = _wants_budget(options, selection)
        explanations = explain_sides(asked, read, budget=budget, progress=progress)
    show_notes(asked.notes, quiet=options.verbosity.quiet)
    if options.between:
        explanations = [_explanation_of(one, systems, explanations) for one in options.between]
    for explanation in explanations:
        explanation.measurement = options.measurement
    _check_documents(explanations, selection)
    for explanation in explanations:
        show_findings(explanation.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
        _announce(explanation, options)
    if _is_coloured(selection, options):
        _show_documents(explanations, selection, options)
        return 0
    with _patience(options) as progress:
        for explanation in explanations:
            explanation.progress = progress
        write_output(_WRITERS[options.layout](explanations, selection, options), options.output)
    return 0


def _new_ones(between: Sequence[str], systems: Sequence[str]) -> list[str]:
    """What --between names beside the systems: files; other words are names of systems, if there are any."""
    return [one for one in between if one not in systems and (not systems or Path(one).exists())]


def _explanation_of(word: str, systems: Sequence[str], explanations: Sequence[Explanation]) -> Explanation:
    """The explanation of a system that --between calls by its path or by its name."""
    known = {one.system: one for one in explanations}
    if word in systems:
        return explanations[systems.index(word)]
    if word in known:
        return known[word]
    raise UsageError(f"--between {word}: no such system", hint=near_or_known(word, known))


def _patience(options: _Options) -> ProgressBar:
    """Progress while verdicts are made, unless they go to the terminal themselves as they come."""
    streams = options.layout in {"json", "jsonl", "csv"}
    shown = streams and not options.output and sys.stdout.isatty()
    return ProgressBar("explaining", quiet=options.verbosity.quiet or shown)


def _wants_budget(options: _Options, selection: VerdictFilter) -> bool | None:
    """What was asked for; lists and confusions have no budget unless it was."""
    said: bool | None = options.budget
    unasked = options.confusion or _is_list(options, selection)
    return False if said is None and unasked else said


def _is_list(options: _Options, selection: VerdictFilter) -> bool:
    """Whether some of the verdicts are asked for, or others than the headline's."""
    return bool(selection or options.between or options.trait or options.measurement)


def _is_table(options: _Options) -> bool:
    return options.layout in {"text", "markdown"}


def _shows_documents(options: _Options, selection: VerdictFilter) -> bool:
    """Whether documents are shown on both sides, not lists of verdicts or counts."""
    other = options.between or options.confusion or options.trait
    return bool(selection.documents) and not other and _is_table(options)


def _announce(explanation: Explanation, options: _Options) -> None:
    """Before a budget that was asked for and may take long: how many scorings it is, and how long that takes."""
    if not options.budget:
        return
    work = explanation.budget_effort
    if work.units == 1 or not work.is_quick:
        what = "the whole corpus" if work.units == 1 else "documents"
        sentence = (
            f"the error budget of {explanation.system} takes {counted(work.scorings, 'scoring')} of {what}"
        )
        show_notes([f"{sentence}, {_duration(explanation.budget_seconds)}"], quiet=options.verbosity.quiet)


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    return f"about {seconds:.0f} s" if seconds < 120 else f"about {seconds / 60:.0f} min"


def _check_causes(task: AnyTask | None, causes: Sequence[str], measurement: str | None) -> None:
    if task is None:
        return
    explainer = task.explainer()
    known = dict(explainer.causes)
    if measurement is not None:
        known |= explainer.measured_causes
    for cause in causes:
        if cause not in known:
            hint = did_you_mean(cause, list(known)) or f"causes of {task.name}: {', '.join(known)}"
            raise UsageError(f"--cause {cause}: no such cause", hint=hint)


def _check_documents(explanations: Sequence[Explanation], selection: VerdictFilter) -> None:
    for doc_id in selection.documents:
        if not any(_has_document(one, doc_id) for one in explanations):
            near = did_you_mean(doc_id, list(explanations[0].inputs.gold.documents))
            raise UsageError(f"--doc {doc_id}: neither side has such a document", hint=near)


def _has_document(explanation: Explanation, doc_id: str) -> bool:
    sides = explanation.inputs.gold, explanation.inputs.system
    return any(doc_id in corpus.documents for corpus in sides) or any(
        verdict.document == doc_id for verdict in explanation.verdicts
    )


def _refuse_idle(options: _Options, selection: VerdictFilter) -> None:
    """Refuse what would have no effect: who asked for it would take the output for what it is not."""
    tables = _is_table(options)
    some = _is_list(options, selection)
    if options.trait and not tables:
        raise UsageError(f"--by {options.trait}: the counts are a table", hint="--format text or markdown")
    if options.confusion and options.layout == "jsonl":
        raise UsageError("--confusion is no list of verdicts", hint="--format text, markdown, csv or json")
    if options.confusion and some and options.layout != "json":
        raise UsageError(
            f"--confusion {options.confusion} counts every item of the headline, whatever else is chosen",
            hint="leave out --doc, --id, --cause, --type, --by, --between and --measurement",
        )
    if options.budget and options.layout != "json" and (some or options.confusion or not tables):
        raise UsageError(
            "--budget is the whole headline's, and lists have none", hint="--format json has both"
        )


def _idle(ctx: click.Context, options: _Options, selection: VerdictFilter) -> Iterator[str]:
    """Options that only tune what was not asked for."""
    tables = _is_table(options)
    lists = not tables or options.confusion or (_is_list(options, selection) and not options.trait)
    if options.most is not None and (not lists or (options.confusion and options.layout == "csv")):
        yield "--max has no effect where nothing is listed; --cause, --type, --doc, --id and --measurement list verdicts"
    for name in ("context", "documents"):
        if is_given(ctx, name) and not _shows_documents(options, selection):
            yield f"--{name} has no effect where no text is shown; --doc D shows it, without --by and --between"


# -------------------------------------------------------------------------------------------------------- layouts


def _chosen(
    explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options
) -> Iterator[tuple[Explanation, Iterable[Verdict]]]:
    """The verdicts that are asked for, by system."""
    if options.between:
        from lydite.explanation.selection import lost_by_second

        first, second = explanations
        yield second, selection.select(lost_by_second(first.verdicts, second.verdicts))
    elif selection.ids:
        yield from _with_all_ids(explanations, selection)
    else:
        for explanation in explanations:
            yield explanation, selection.select(explanation.verdicts)


def _with_all_ids(
    explanations: Sequence[Explanation], selection: VerdictFilter
) -> Iterator[tuple[Explanation, Iterable[Verdict]]]:
    """The verdicts of named items; an item that no system and not gold has is refused."""
    found = [(one, list(selection.select(one.verdicts))) for one in explanations]
    known = {verdict.id for _, verdicts in found for verdict in verdicts}
    for missing in [item for item in selection.ids if item not in known]:
        among = " among those that are asked for" if selection._replace(ids=()) else ""
        raise UsageError(f"--id {missing}: neither side has such an item{among}")
    yield from found


def _limit(options: _Options, default: int | None) -> int | None:
    most: int | None = options.most
    return default if most is None else most or None


def _at_most(verdicts: Iterable[Verdict], options: _Options) -> Iterator[Verdict]:
    from itertools import islice

    return islice(verdicts, _limit(options, None))


def _json(
    explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options
) -> Iterator[bytes]:
    from lydite.explanation.documents import document_pieces

    every = _chosen(explanations, selection, options)
    chosen = [(explanation, _at_most(verdicts, options)) for explanation, verdicts in every]
    if options.confusion:
        return document_pieces(chosen, [options.confusion])
    return document_pieces(chosen, [] if _is_list(options, selection) else None)


def _jsonl(
    explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options
) -> Iterator[bytes]:
    from lydite.spool import encode

    for explanation, verdicts in _chosen(explanations, selection, options):
        more = {"system": explanation.system} if len(explanations) > 1 else {}
        for verdict in _at_most(verdicts, options):
            yield encode({**more, **verdict.to_dict()}) + b"\n"


def _csv(explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options) -> Iterator[bytes]:
    from lydite.explanation.documents import confusion_rows, csv_lines, verdict_rows

    if options.confusion:
        (explanation,) = _one_system(explanations, "--confusion")
        rows = confusion_rows(explanation.confusion(options.confusion))
    else:
        every = _chosen(explanations, selection, options)
        # What cannot be chosen is refused before the heading is written.
        chosen = [(explanation.system, _at_most(verdicts, options)) for explanation, verdicts in every]
        rows = verdict_rows(chosen, name_systems=len(explanations) > 1)
    run_as_formulas: dict[str, None] = {}
    yield from csv_lines(_noticed(rows, run_as_formulas))
    warn_of_formulas(run_as_formulas, options.output)


def _noticed(rows: Iterable[Row], found: dict[str, None]) -> Iterator[Row]:
    """The rows as they go by; their cells that a spreadsheet program would run are found then."""
    for row in rows:
        found.update(dict.fromkeys(cell for cell in row if isinstance(cell, str) and would_run(cell)))
        yield row


def _one_system(explanations: Sequence[Explanation], option: str) -> Sequence[Explanation]:
    if len(explanations) > 1:
        raise UsageError(f"{option} is of one system", hint="explain the systems one by one")
    return explanations


def _tables(explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options) -> str:
    return printable_lines("\n\n".join(_blocks(explanations, selection, options)) + "\n")


def _blocks(
    explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options
) -> Iterator[str]:
    from lydite.explanation import text

    layout = text.LAYOUTS[options.layout]
    if options.confusion:
        (explanation,) = _one_system(explanations, "--confusion")
        yield layout.sentence(text.heading(explanation))
        matrix = explanation.confusion(options.confusion)
        yield layout.table(text.confusion_table(matrix, _limit(options, SHOWN)))
    elif options.trait:
        for explanation, verdicts in _chosen(explanations, selection, options):
            yield layout.sentence(text.heading(explanation))
            yield layout.table(text.breakdown_table(verdicts, options.trait))
    elif _shows_documents(options, selection):
        for document in _documents(explanations, selection, options):
            yield layout.lines("\n".join(line.text for line in document))
    elif _is_list(options, selection):
        for explanation, verdicts in _chosen(explanations, selection, options):
            if options.between:
                yield layout.sentence(f"{explanations[0].system} has right and {explanation.system} has not")
            elif len(explanations) > 1:
                yield layout.sentence(explanation.system)
            lines = text.verdict_lines(verdicts, _limit(options, SHOWN), rivals=bool(selection.ids))
            yield layout.lines("\n".join(lines))
    elif len(explanations) > 1:
        budgets = {one.system: one.budget for one in explanations if one.budget is not None}
        if options.budget is False:
            raise UsageError(
                "systems are explained side by side by their error budgets", hint="leave out --no-budget"
            )
        without = [one.why_no_budget for one in explanations if one.budget is None]
        if without:
            raise UsageError(f"no error budget: {without[0]}")
        yield layout.sentence(text.series_heading(explanations))
        yield layout.table(text.budget_table(budgets))
        yield layout.lines("\n".join(one.summary.signature for one in explanations))
    else:
        yield from text.overview(explanations[0], layout)


def _documents(
    explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options
) -> Iterator[Iterator[TextLine]]:
    """Documents on both sides, line by line, system by system."""
    from lydite.explanation.running import document_lines

    for explanation, chosen in _chosen(explanations, selection, options):
        verdicts = list(chosen)
        for doc_id in selection.documents:
            yield document_lines(
                explanation,
                doc_id,
                [verdict for verdict in verdicts if verdict.document == doc_id],
                folder=options.documents or explanation.inputs.settings.documents,
                context=options.context,
                most=_limit(options, None),
                rivals=bool(selection.ids),
            )


def _is_coloured(selection: VerdictFilter, options: _Options) -> bool:
    """Whether documents are shown on a terminal."""
    plain = options.output or options.layout != "text"
    return _shows_documents(options, selection) and not plain and sys.stdout.isatty()


def _show_documents(explanations: Sequence[Explanation], selection: VerdictFilter, options: _Options) -> None:
    """Documents on a terminal: gold and system have colours, and letters for those who see none."""
    with ProgressBar("explaining", quiet=options.verbosity.quiet) as progress:
        for explanation in explanations:
            explanation.progress = progress
        lines = [line for one in _documents(explanations, selection, options) for line in one]
    for line in lines:
        click.secho(printable(line.text), fg=_COLOURS.get(line.side))


_COLOURS = {"gold": "yellow", "system": "cyan"}


_WRITERS: dict[str, Callable[..., str | Iterable[bytes]]] = {
    "text": _tables,
    "json": _json,
    "jsonl": _jsonl,
    "csv": _csv,
    "markdown": _tables,
}
