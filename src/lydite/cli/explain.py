"""``lydite explain``: what happened to every item, and what each kind of error costs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import NATURAL, OUTPUT, VERBOSITY, OptionRecord, layout_option, option
from lydite.cli.options import (
    PROFILE,
    TASK_KEY,
    choice_from_options,
    find_runs,
    is_given,
    split_task,
    task_verb,
)
from lydite.cli.output import ProgressBar, show_findings, show_notes, warn_of_formulas, write_output
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
    from lydite.pipeline.task import AnyTask

    Explanations = Sequence[Explanation]

FORMATS = ("text", "json", "jsonl", "csv", "markdown")
SHOWN = 20
"""The number of verdicts or cells that are shown as text without --max."""

EPILOG = """\b
Examples:
  lydite explain gold.tbf system.tbf                    headline, error budget, largest causes
  lydite explain gold.tbf a.tbf b.tbf c.tbf --budget    which errors cost each system how much
  lydite explain gold.tbf system.tbf --cause spurious   all items with one cause
  lydite explain gold.tbf system.tbf --id E5            one item and what competed for it
  lydite explain gold.tbf system.tbf --doc D --documents texts/
  lydite explain gold.tbf system.tbf --confusion type   which types are confused
  lydite explain gold.tbf --between a.tbf b.tbf         what a has right and b has wrong
  lydite explain gold.tbf system.tbf --format jsonl     all verdicts, one per line
"""


class _Options(OptionRecord):
    profile = PROFILE
    runs: str | None = option("each entry of DIR is a system, or a team with its runs", metavar="DIR")
    layout: str = layout_option(*FORMATS)
    output: str | None = OUTPUT
    budget: bool | None = option(
        "show the error budget, or leave it out; by default it is shown if it is quick",
        "--budget/--no-budget",
        default=None,
    )
    between: tuple[str, str] | None = option(
        "show what system A has right and system B has wrong", nargs=2, metavar="A B"
    )
    confusion: str | None = option(
        "show which values are confused, largest counts first; csv has all", metavar="ATTRIBUTE"
    )
    doc: tuple[str, ...] = option("show the items of this document; may be repeated", metavar="D")
    ids: tuple[str, ...] = option("show one item and its rivals; may be repeated", "--id", metavar="X")
    cause: tuple[str, ...] = option("show items with this cause; may be repeated", metavar="C")
    types: tuple[str, ...] = option("show items of this type; may be repeated", "--type", metavar="T")
    measurement: str | None = option(
        "explain another measurement than the headline's: coref, after, strict, relation, …", metavar="NAME"
    )
    trait: str | None = option(
        "count verdicts by type, role, kind, size, distance, …", "--by", metavar="TRAIT"
    )
    documents: str | None = option("folder of source texts, <document>.txt, for --doc", metavar="DIR")
    context: int | None = option("with --doc: number of lines around differences", type=NATURAL, metavar="N")
    most: int | None = option("largest number of rows shown; 0 shows all", "--max", type=NATURAL, metavar="N")
    verbosity = VERBOSITY


@task_verb("explain", "[TASK] GOLD SYSTEM…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Explain what happened to every item, and how much each kind of error costs.

    The explanation follows the computation of the score: the official alignment, with all quirks.
    """
    from lydite.explanation import explain_sides
    from lydite.explanation.selection import VerdictFilter

    runs = find_runs(options.runs, quiet=options.verbosity.quiet)
    alone = not (runs.paths or options.between)
    task, paths = split_task(ctx, words, at_least=2 if alone else 1, needs="a gold file and a system")
    systems = [*paths[1:], *runs.paths]
    systems += _files_of_between(options.between or (), systems)
    selection = VerdictFilter(options.doc, options.ids, options.cause, options.types)
    _refuse_unknown_causes(ctx.meta.get(TASK_KEY), options.cause, options.measurement)
    _refuse_contradictions(options, selection)
    show_notes(_idle_options(ctx, options, selection), quiet=options.verbosity.quiet)
    with ProgressBar("scoring", quiet=options.verbosity.quiet) as progress:
        choice = choice_from_options(ctx, task, options.profile)
        request, corpora = read_sides(choice, paths[0], systems, teams=runs.teams)
        budget = _budget_choice(options, selection)
        explanations = explain_sides(request, corpora, budget=budget, progress=progress)
    show_notes(request.notes, quiet=options.verbosity.quiet)
    if options.between:
        explanations = [_explanation_of(one, systems, explanations) for one in options.between]
    for explanation in explanations:
        explanation.measurement = options.measurement
    _refuse_unknown_documents(explanations, selection)
    for explanation in explanations:
        show_findings(explanation.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
        _announce_budget(explanation, options)
    if _shows_colours(selection, options):
        _print_documents(explanations, selection, options)
        return 0
    with _progress_bar(options) as progress:
        for explanation in explanations:
            explanation.progress = progress
        write_output(_WRITERS[options.layout](explanations, selection, options), options.output)
    return 0


def _files_of_between(between: Sequence[str], systems: Sequence[str]) -> list[str]:
    """The files that --between names in addition to the systems; its other words are names of systems."""
    return [one for one in between if one not in systems and (not systems or Path(one).exists())]


def _explanation_of(word: str, systems: Sequence[str], explanations: Explanations) -> Explanation:
    """The explanation of a system that --between names by its path or by its name."""
    known = {one.system: one for one in explanations}
    if word in systems:
        return explanations[systems.index(word)]
    if word in known:
        return known[word]
    raise UsageError(f"--between {word}: no such system", hint=near_or_known(word, known))


def _progress_bar(options: _Options) -> ProgressBar:
    """The progress bar for verdicts; silent if these are printed to a terminal as they come."""
    streams = options.layout in {"json", "jsonl", "csv"}
    prints = streams and not options.output and sys.stdout.isatty()
    return ProgressBar("explaining", quiet=options.verbosity.quiet or prints)


def _budget_choice(options: _Options, selection: VerdictFilter) -> bool | None:
    """Whether to compute the budget, None if only when it is quick; lists and confusions have none by default."""
    has_none = options.confusion or _lists_verdicts(options, selection)
    return False if options.budget is None and has_none else options.budget


def _lists_verdicts(options: _Options, selection: VerdictFilter) -> bool:
    """Whether single verdicts are shown, or those of another measurement."""
    return bool(selection or options.between or options.trait or options.measurement)


def _shows_tables(options: _Options) -> bool:
    return options.layout in {"text", "markdown"}


def _shows_documents(options: _Options, selection: VerdictFilter) -> bool:
    """Whether documents are shown on both sides, not lists of verdicts or counts."""
    other = options.between or options.confusion or options.trait
    return bool(selection.documents) and not other and _shows_tables(options)


def _announce_budget(explanation: Explanation, options: _Options) -> None:
    """Before a budget that may take long: print how many scorings it needs, and how long they take."""
    if not options.budget:
        return
    work = explanation.budget_effort
    if work.units == 1 or not work.is_quick:
        what = "the whole corpus" if work.units == 1 else "documents"
        effort = f"{counted(work.scorings, 'scoring')} of {what}, {_duration(explanation.budget_seconds)}"
        note = f"the error budget of {explanation.system} takes {effort}"
        show_notes([note], quiet=options.verbosity.quiet)


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    return f"about {seconds:.0f} s" if seconds < 120 else f"about {seconds / 60:.0f} min"


def _refuse_unknown_causes(task: AnyTask | None, causes: Sequence[str], measurement: str | None) -> None:
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


def _refuse_unknown_documents(explanations: Explanations, selection: VerdictFilter) -> None:
    for doc_id in selection.documents:
        if not any(_has_document(one, doc_id) for one in explanations):
            near = did_you_mean(doc_id, list(explanations[0].inputs.gold.documents))
            raise UsageError(f"--doc {doc_id}: neither side has such a document", hint=near)


def _has_document(explanation: Explanation, doc_id: str) -> bool:
    sides = explanation.inputs.gold, explanation.inputs.system
    of_verdicts = (verdict.document for verdict in explanation.verdicts)
    return any(doc_id in corpus.documents for corpus in sides) or doc_id in of_verdicts


def _refuse_contradictions(options: _Options, selection: VerdictFilter) -> None:
    """Refuse options that contradict each other: the output would not be what the user asked for."""
    tables = _shows_tables(options)
    lists = _lists_verdicts(options, selection)
    if options.trait and not tables:
        raise UsageError(f"--by {options.trait}: the counts are a table", hint="--format text or markdown")
    if options.confusion and options.layout == "jsonl":
        raise UsageError("--confusion is not a list of verdicts", hint="--format text, markdown, csv or json")
    if options.confusion and lists and options.layout != "json":
        raise UsageError(
            f"--confusion {options.confusion} counts all items of the headline, whatever else is chosen",
            hint="leave out --doc, --id, --cause, --type, --by, --between and --measurement",
        )
    if options.budget and options.layout != "json" and (lists or options.confusion or not tables):
        hint = "--format json has both"
        raise UsageError("--budget is about the whole headline, and lists have no budget", hint=hint)


def _idle_options(ctx: click.Context, options: _Options, selection: VerdictFilter) -> Iterator[str]:
    """Notes about options without effect."""
    tables = _shows_tables(options)
    lists = not tables or options.confusion or (_lists_verdicts(options, selection) and not options.trait)
    if options.most is not None and (not lists or (options.confusion and options.layout == "csv")):
        yield "--max has no effect where nothing is listed; --cause, --type, --doc, --id and --measurement list verdicts"
    for name in ("context", "documents"):
        if is_given(ctx, name) and not _shows_documents(options, selection):
            yield f"--{name} has no effect where no text is shown; --doc D shows it, without --by and --between"


# -------------------------------------------------------------------------------------------------------- layouts


def _chosen_verdicts(
    explanations: Explanations, selection: VerdictFilter, options: _Options
) -> Iterator[tuple[Explanation, Iterable[Verdict]]]:
    """The verdicts that the user asked for, by system."""
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
    explanations: Explanations, selection: VerdictFilter
) -> Iterator[tuple[Explanation, Iterable[Verdict]]]:
    """The verdicts of the items of --id; an id that neither gold nor any system has is refused."""
    chosen = [(one, list(selection.select(one.verdicts))) for one in explanations]
    known = {verdict.id for _, verdicts in chosen for verdict in verdicts}
    for missing in [item for item in selection.ids if item not in known]:
        among = " among the chosen ones" if selection._replace(ids=()) else ""
        raise UsageError(f"--id {missing}: neither side has such an item{among}")
    yield from chosen


def _limit(options: _Options, default: int | None) -> int | None:
    most: int | None = options.most
    return default if most is None else most or None


def _cut_to_limit(verdicts: Iterable[Verdict], options: _Options) -> Iterator[Verdict]:
    from itertools import islice

    return islice(verdicts, _limit(options, None))


def _json_pieces(explanations: Explanations, selection: VerdictFilter, options: _Options) -> Iterator[bytes]:
    from lydite.explanation.documents import document_pieces

    every = _chosen_verdicts(explanations, selection, options)
    chosen = [(explanation, _cut_to_limit(verdicts, options)) for explanation, verdicts in every]
    if options.confusion:
        return document_pieces(chosen, [options.confusion])
    return document_pieces(chosen, [] if _lists_verdicts(options, selection) else None)


def _json_lines(explanations: Explanations, selection: VerdictFilter, options: _Options) -> Iterator[bytes]:
    from lydite.spool import encode

    for explanation, verdicts in _chosen_verdicts(explanations, selection, options):
        more = {"system": explanation.system} if len(explanations) > 1 else {}
        for verdict in _cut_to_limit(verdicts, options):
            yield encode({**more, **verdict.to_dict()}) + b"\n"


def _csv_pieces(explanations: Explanations, selection: VerdictFilter, options: _Options) -> Iterator[bytes]:
    from lydite.explanation.documents import confusion_rows, csv_lines, verdict_rows

    if options.confusion:
        (explanation,) = _require_one_system(explanations, "--confusion")
        rows = confusion_rows(explanation.confusion(options.confusion))
    else:
        every = _chosen_verdicts(explanations, selection, options)
        # A wrong choice is refused before the heading is written.
        chosen = [(explanation.system, _cut_to_limit(verdicts, options)) for explanation, verdicts in every]
        rows = verdict_rows(chosen, name_systems=len(explanations) > 1)
    formulas: dict[str, None] = {}
    yield from csv_lines(_collect_formulas(rows, formulas))
    warn_of_formulas(formulas, options.output)


def _collect_formulas(rows: Iterable[Row], formulas: dict[str, None]) -> Iterator[Row]:
    """The rows; cells that a spreadsheet program would run are added to ``formulas`` on the way."""
    for row in rows:
        formulas.update(dict.fromkeys(cell for cell in row if isinstance(cell, str) and would_run(cell)))
        yield row


def _require_one_system(explanations: Explanations, option: str) -> Explanations:
    if len(explanations) > 1:
        raise UsageError(f"{option} is for one system", hint="explain the systems one by one")
    return explanations


def _text_or_markdown(explanations: Explanations, selection: VerdictFilter, options: _Options) -> str:
    return printable_lines("\n\n".join(_text_blocks(explanations, selection, options)) + "\n")


def _text_blocks(explanations: Explanations, selection: VerdictFilter, options: _Options) -> Iterator[str]:
    from lydite.explanation import text

    layout = text.LAYOUTS[options.layout]
    if options.confusion:
        (explanation,) = _require_one_system(explanations, "--confusion")
        yield layout.sentence(text.heading(explanation))
        matrix = explanation.confusion(options.confusion)
        yield layout.table(text.confusion_table(matrix, _limit(options, SHOWN)))
    elif options.trait:
        for explanation, verdicts in _chosen_verdicts(explanations, selection, options):
            yield layout.sentence(text.heading(explanation))
            yield layout.table(text.breakdown_table(verdicts, options.trait))
    elif _shows_documents(options, selection):
        for document in _document_lines(explanations, selection, options):
            yield layout.lines("\n".join(line.text for line in document))
    elif _lists_verdicts(options, selection):
        for one, verdicts in _chosen_verdicts(explanations, selection, options):
            if options.between:
                yield layout.sentence(f"{explanations[0].system} has right and {one.system} has wrong")
            elif len(explanations) > 1:
                yield layout.sentence(one.system)
            lines = text.verdict_lines(verdicts, _limit(options, SHOWN), rivals=bool(selection.ids))
            yield layout.lines("\n".join(lines))
    elif len(explanations) > 1:
        budgets = {one.system: one.budget for one in explanations if one.budget is not None}
        if options.budget is False:
            hint = "leave out --no-budget"
            raise UsageError("several systems are compared by their error budgets", hint=hint)
        without = [one.why_no_budget for one in explanations if one.budget is None]
        if without:
            raise UsageError(f"no error budget: {without[0]}")
        yield layout.sentence(text.series_heading(explanations))
        yield layout.table(text.budget_table(budgets))
        yield layout.lines("\n".join(one.summary.signature for one in explanations))
    else:
        yield from text.overview(explanations[0], layout)


def _document_lines(
    explanations: Explanations, selection: VerdictFilter, options: _Options
) -> Iterator[Iterator[TextLine]]:
    """The lines of both sides of the chosen documents, by system and document."""
    from lydite.explanation.running import document_lines

    most, rivals = _limit(options, None), bool(selection.ids)
    for explanation, chosen in _chosen_verdicts(explanations, selection, options):
        folder = options.documents or explanation.inputs.settings.documents
        verdicts = list(chosen)
        for doc_id in selection.documents:
            own = [verdict for verdict in verdicts if verdict.document == doc_id]
            yield document_lines(
                explanation, doc_id, own, folder=folder, context=options.context, most=most, rivals=rivals
            )


def _shows_colours(selection: VerdictFilter, options: _Options) -> bool:
    """Whether documents are shown on a terminal."""
    is_plain = options.output or options.layout != "text"
    return _shows_documents(options, selection) and not is_plain and sys.stdout.isatty()


def _print_documents(explanations: Explanations, selection: VerdictFilter, options: _Options) -> None:
    """Print documents on a terminal, with colours for gold and system beside their letters."""
    with ProgressBar("explaining", quiet=options.verbosity.quiet) as progress:
        for explanation in explanations:
            explanation.progress = progress
        lines = [line for one in _document_lines(explanations, selection, options) for line in one]
    for line in lines:
        click.secho(printable(line.text), fg=_COLOURS.get(line.side))


_COLOURS = {"gold": "yellow", "system": "cyan"}


_WRITERS: dict[str, Callable[..., str | Iterable[bytes]]] = {
    "text": _text_or_markdown,
    "json": _json_pieces,
    "jsonl": _json_lines,
    "csv": _csv_pieces,
    "markdown": _text_or_markdown,
}
