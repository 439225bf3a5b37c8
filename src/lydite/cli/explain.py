"""``lydite explain``: what happened to every item, and what each kind of error costs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from lydite.cli.options import (
    TASK_KEY,
    TaskCommand,
    choice_from_options,
    find_runs,
    is_given,
    profile_options,
    split_task,
)
from lydite.cli.output import ProgressBar, show_findings, show_notes, warn_of_formulas, write_output
from lydite.cli.parameters import NATURAL, TEXT, layout_option, output_option, runs_option, verbosity_options
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

FORMATS = ("text", "json", "csv", "markdown")
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
  lydite explain gold.tbf system.tbf --format csv       all verdicts, one per line
"""


class View(NamedTuple):
    """What is shown of the explanations."""

    layout: str
    selection: VerdictFilter
    between: tuple[str, str] | None
    confusion: str | None
    trait: str | None
    budget: bool | None
    measurement: str | None
    most: int | None
    documents: str | None
    context: int | None

    @property
    def lists_verdicts(self) -> bool:
        """Whether single verdicts are shown, or those of another measurement."""
        return bool(self.selection or self.between or self.trait or self.measurement)

    @property
    def has_tables(self) -> bool:
        """Whether people read the layout."""
        return self.layout in {"text", "markdown"}

    @property
    def shows_documents(self) -> bool:
        """Whether documents are shown on both sides, not lists of verdicts or counts."""
        other = self.between or self.confusion or self.trait
        return bool(self.selection.documents) and not other and self.has_tables

    def limit(self, default: int | None) -> int | None:
        """The largest number of rows; None for all."""
        return default if self.most is None else self.most or None


@click.command("explain", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] GOLD SYSTEM…")
@profile_options
@runs_option
@layout_option(*FORMATS)
@output_option
@click.option(
    "--budget/--no-budget",
    default=None,
    help="show the error budget, or leave it out; by default it is shown if it is quick",
)
@click.option(
    "--between", type=TEXT, nargs=2, metavar="A B", help="show what system A has right and system B has wrong"
)
@click.option(
    "--confusion",
    type=TEXT,
    metavar="ATTRIBUTE",
    help="show which values are confused, largest counts first; csv has all",
)
@click.option(
    "--doc", type=TEXT, multiple=True, metavar="D", help="show the items of this document; may be repeated"
)
@click.option(
    "--id", "ids", type=TEXT, multiple=True, metavar="X", help="show one item and its rivals; may be repeated"
)
@click.option(
    "--cause", type=TEXT, multiple=True, metavar="C", help="show items with this cause; may be repeated"
)
@click.option(
    "--type", "types", type=TEXT, multiple=True, metavar="T", help="show items of this type; may be repeated"
)
@click.option(
    "--measurement",
    type=TEXT,
    metavar="NAME",
    help="explain another measurement than the headline's: coref, after, strict, relation, …",
)
@click.option(
    "--by",
    "trait",
    type=TEXT,
    metavar="TRAIT",
    help="count verdicts by type, role, kind, size, distance, …",
)
@click.option(
    "--documents", type=TEXT, metavar="DIR", help="folder of source texts, <document>.txt, for --doc"
)
@click.option("--context", type=NATURAL, metavar="N", help="with --doc: number of lines around differences")
@click.option("--max", "most", type=NATURAL, metavar="N", help="largest number of rows shown; 0 shows all")
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    runs: str | None,
    layout: str,
    output: str | None,
    budget: bool | None,
    between: tuple[str, str] | None,
    confusion: str | None,
    doc: tuple[str, ...],
    ids: tuple[str, ...],
    cause: tuple[str, ...],
    types: tuple[str, ...],
    measurement: str | None,
    trait: str | None,
    documents: str | None,
    context: int | None,
    most: int | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Explain what happened to every item, and how much each kind of error costs.

    The explanation follows the computation of the score: the official alignment, with all quirks.
    """
    from lydite.explanation import explain_sides
    from lydite.explanation.selection import VerdictFilter

    found_runs = find_runs(runs, quiet=quiet)
    alone = not (found_runs.paths or between)
    task, paths = split_task(ctx, words, at_least=2 if alone else 1, needs="a gold file and a system")
    systems = [*paths[1:], *found_runs.paths]
    # Of the words of --between, names of systems are no further files.
    systems += [one for one in between or () if one not in systems and (not systems or Path(one).exists())]
    selection = VerdictFilter(doc, ids, cause, types)
    view = View(layout, selection, between, confusion, trait, budget, measurement, most, documents, context)
    _refuse_unknown_causes(ctx.meta.get(TASK_KEY), cause, measurement)
    _refuse_contradictions(view)
    show_notes(_idle_options(ctx, view), quiet=quiet)
    with ProgressBar("scoring", quiet=quiet) as progress:
        choice = choice_from_options(ctx, task)
        request, corpora = read_sides(choice, paths[0], systems, teams=found_runs.teams)
        # Lists and confusions have no budget unless it is asked for.
        has_none = budget is None and (confusion or view.lists_verdicts)
        explanations = explain_sides(
            request, corpora, budget=False if has_none else budget, progress=progress
        )
    show_notes(request.notes, quiet=quiet)
    if between:
        explanations = [_explanation_of(word, systems, explanations) for word in between]
    for explanation in explanations:
        explanation.measurement = measurement
    _refuse_unknown_documents(explanations, doc)
    for explanation in explanations:
        show_findings(explanation.findings, show_all=verbose, quiet=quiet)
        if budget:
            _announce_budget(explanation, quiet=quiet)
    if view.shows_documents and not output and layout == "text" and sys.stdout.isatty():
        _print_documents(explanations, view, quiet=quiet)
        return 0
    # Verdicts that are printed to a terminal as they come show the progress themselves.
    prints = layout in {"json", "csv"} and not output and sys.stdout.isatty()
    with ProgressBar("explaining", quiet=quiet or prints) as progress:
        for explanation in explanations:
            explanation.progress = progress
        if layout == "json":
            write_output(_json_pieces(explanations, view), output)
        elif layout == "csv":
            write_output(_csv_pieces(explanations, view, output), output)
        else:
            write_output(printable_lines("\n\n".join(_text_blocks(explanations, view)) + "\n"), output)
    return 0


def _explanation_of(word: str, systems: Sequence[str], explanations: Explanations) -> Explanation:
    """The explanation of a system that --between names by its path or by its name."""
    known = {explanation.system: explanation for explanation in explanations}
    if word in systems:
        return explanations[systems.index(word)]
    if word in known:
        return known[word]
    raise UsageError(f"--between {word}: no such system", hint=near_or_known(word, known))


def _announce_budget(explanation: Explanation, *, quiet: bool) -> None:
    """Before a budget that may take long: print how many scorings it needs, and how long they take."""
    work = explanation.budget_effort
    if work.units == 1 or not work.is_quick:
        what = "the whole corpus" if work.units == 1 else "documents"
        seconds = explanation.budget_seconds
        duration = f"about {seconds:.0f} s" if seconds < 120 else f"about {seconds / 60:.0f} min"
        effort = f"{counted(work.scorings, 'scoring')} of {what}, {duration if seconds >= 1 else 'less than a second'}"
        show_notes([f"the error budget of {explanation.system} takes {effort}"], quiet=quiet)


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


def _refuse_unknown_documents(explanations: Explanations, documents: Sequence[str]) -> None:
    for doc_id in documents:
        for explanation in explanations:
            sides = explanation.inputs.gold, explanation.inputs.system
            of_verdicts = (verdict.document for verdict in explanation.verdicts)
            if any(doc_id in corpus.documents for corpus in sides) or doc_id in of_verdicts:
                break
        else:
            near = did_you_mean(doc_id, list(explanations[0].inputs.gold.documents))
            raise UsageError(f"--doc {doc_id}: neither side has such a document", hint=near)


def _refuse_contradictions(view: View) -> None:
    """Refuse options that contradict each other: the output would not be what the user asked for."""
    if view.trait and not view.has_tables:
        raise UsageError(f"--by {view.trait}: the counts are a table", hint="--format text or markdown")
    if view.confusion and view.lists_verdicts and view.layout != "json":
        raise UsageError(
            f"--confusion {view.confusion} counts all items of the headline, whatever else is chosen",
            hint="leave out --doc, --id, --cause, --type, --by, --between and --measurement",
        )
    lists = view.lists_verdicts or view.confusion or not view.has_tables
    if view.budget and view.layout != "json" and lists:
        hint = "--format json has both"
        raise UsageError("--budget is about the whole headline, and lists have no budget", hint=hint)


def _idle_options(ctx: click.Context, view: View) -> Iterator[str]:
    """Notes about options without effect."""
    lists = not view.has_tables or view.confusion or (view.lists_verdicts and not view.trait)
    if view.most is not None and (not lists or (view.confusion and view.layout == "csv")):
        yield "--max has no effect where nothing is listed; --cause, --type, --doc, --id and --measurement list verdicts"
    for name in ("context", "documents"):
        if is_given(ctx, name) and not view.shows_documents:
            yield f"--{name} has no effect where no text is shown; --doc D shows it, without --by and --between"


# -------------------------------------------------------------------------------------------------------- layouts


def _chosen_verdicts(
    explanations: Explanations, view: View
) -> Iterator[tuple[Explanation, Iterable[Verdict]]]:
    """The verdicts that the user asked for, by system."""
    if view.between:
        from lydite.explanation.selection import lost_by_second

        first, second = explanations
        yield second, view.selection.select(lost_by_second(first.verdicts, second.verdicts))
    elif view.selection.ids:
        chosen = [
            (explanation, list(view.selection.select(explanation.verdicts))) for explanation in explanations
        ]
        known = {verdict.id for _, verdicts in chosen for verdict in verdicts}
        for missing in [item for item in view.selection.ids if item not in known]:
            among = " among the chosen ones" if view.selection._replace(ids=()) else ""
            raise UsageError(f"--id {missing}: neither side has such an item{among}")
        yield from chosen
    else:
        for explanation in explanations:
            yield explanation, view.selection.select(explanation.verdicts)


def _json_pieces(explanations: Explanations, view: View) -> Iterator[bytes]:
    from lydite.explanation.documents import document_pieces

    every = _chosen_verdicts(explanations, view)
    chosen = [(explanation, islice(verdicts, view.limit(None))) for explanation, verdicts in every]
    if view.confusion:
        return document_pieces(chosen, [view.confusion])
    return document_pieces(chosen, [] if view.lists_verdicts else None)


def _csv_pieces(explanations: Explanations, view: View, output: str | None) -> Iterator[bytes]:
    from lydite.explanation.documents import confusion_rows, csv_lines, verdict_rows

    if view.confusion:
        (explanation,) = _require_one_system(explanations, "--confusion")
        rows = confusion_rows(explanation.confusion(view.confusion))
    else:
        every = _chosen_verdicts(explanations, view)
        # A wrong choice is refused before the heading is written.
        chosen = [(explanation.system, islice(verdicts, view.limit(None))) for explanation, verdicts in every]
        rows = verdict_rows(chosen, name_systems=len(explanations) > 1)
    formulas: dict[str, None] = {}

    def noting_formulas() -> Iterator[Row]:
        for row in rows:
            formulas.update(dict.fromkeys(cell for cell in row if isinstance(cell, str) and would_run(cell)))
            yield row

    yield from csv_lines(noting_formulas())
    warn_of_formulas(formulas, output)


def _require_one_system(explanations: Explanations, option: str) -> Explanations:
    if len(explanations) > 1:
        raise UsageError(f"{option} is for one system", hint="explain the systems one by one")
    return explanations


def _text_blocks(explanations: Explanations, view: View) -> Iterator[str]:
    from lydite.explanation import text

    layout = text.LAYOUTS[view.layout]
    if view.confusion:
        (explanation,) = _require_one_system(explanations, "--confusion")
        yield layout.sentence(text.heading(explanation))
        matrix = explanation.confusion(view.confusion)
        yield layout.table(text.confusion_table(matrix, view.limit(SHOWN)))
    elif view.trait:
        for explanation, verdicts in _chosen_verdicts(explanations, view):
            yield layout.sentence(text.heading(explanation))
            yield layout.table(text.breakdown_table(verdicts, view.trait))
    elif view.shows_documents:
        for document in _document_lines(explanations, view):
            yield layout.lines("\n".join(line.text for line in document))
    elif view.lists_verdicts:
        for explanation, verdicts in _chosen_verdicts(explanations, view):
            if view.between:
                yield layout.sentence(
                    f"{explanations[0].system} has right and {explanation.system} has wrong"
                )
            elif len(explanations) > 1:
                yield layout.sentence(explanation.system)
            lines = text.verdict_lines(verdicts, view.limit(SHOWN), rivals=bool(view.selection.ids))
            yield layout.lines("\n".join(lines))
    elif len(explanations) > 1:
        budgets = {
            explanation.system: explanation.budget
            for explanation in explanations
            if explanation.budget is not None
        }
        if view.budget is False:
            hint = "leave out --no-budget"
            raise UsageError("several systems are compared by their error budgets", hint=hint)
        without = [explanation.why_no_budget for explanation in explanations if explanation.budget is None]
        if without:
            raise UsageError(f"no error budget: {without[0]}")
        yield layout.sentence(text.series_heading(explanations))
        yield layout.table(text.budget_table(budgets))
        yield layout.lines("\n".join(explanation.summary.signature for explanation in explanations))
    else:
        yield from text.overview(explanations[0], layout)


def _document_lines(explanations: Explanations, view: View) -> Iterator[Iterator[TextLine]]:
    """The lines of both sides of the chosen documents, by system and document."""
    from lydite.explanation.running import document_lines

    most, rivals = view.limit(None), bool(view.selection.ids)
    for explanation, chosen in _chosen_verdicts(explanations, view):
        folder = view.documents or explanation.inputs.settings.documents
        verdicts = list(chosen)
        for doc_id in view.selection.documents:
            own = [verdict for verdict in verdicts if verdict.document == doc_id]
            yield document_lines(
                explanation, doc_id, own, folder=folder, context=view.context, most=most, rivals=rivals
            )


def _print_documents(explanations: Explanations, view: View, *, quiet: bool) -> None:
    """Print documents on a terminal, with colours for gold and system beside their letters."""
    with ProgressBar("explaining", quiet=quiet) as progress:
        for explanation in explanations:
            explanation.progress = progress
        lines = [line for document in _document_lines(explanations, view) for line in document]
    for line in lines:
        click.secho(printable(line.text), fg=_COLOURS.get(line.side))


_COLOURS = {"gold": "yellow", "system": "cyan"}
