"""``lydite agree``: measure the agreement of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from lydite.cli.option_records import OUTPUT, VERBOSITY, OptionRecord, layout_option, option
from lydite.cli.options import (
    PROFILE,
    Requirement,
    choice_from_options,
    note_idle_options,
    refuse_idle_options,
    split_task,
    task_verb,
)
from lydite.cli.output import (
    RENDERERS,
    ProgressBar,
    encode_json,
    second_output,
    show_findings,
    show_notes,
    write_output,
)
from lydite.errors import UsageError
from lydite.facade.agreeing import agree_files
from lydite.facade.choosing import UserChoice
from lydite.facade.sides import read_sides
from lydite.model.agreement import Agreement

_REQUIREMENTS = {"everything": Requirement(("comparison",), "--comparison FILE --all writes what agrees too")}
_TUNING_REQUIREMENTS = {
    "documents": Requirement(("comparison",), "--comparison FILE writes disagreements with their context")
}
"""What an option needs to have an effect: one that asks for output is refused without it."""

EPILOG = """\b
Examples:
  lydite agree triples anna.trp ben.trp
  lydite agree triples anna/ ben/ carla/ --format json
  lydite agree triples anna.trp ben.trp --comparison disagreements.txt
  lydite agree ace anna/ ben/
  lydite agree arguments anna.jsonl ben.jsonl --profile exact
"""


class _Options(OptionRecord):
    profile = PROFILE
    layout: str = layout_option("text", "json", "markdown", "latex")
    output: str | None = OUTPUT
    comparison: str | None = option(
        "also write the disagreements of two annotators side by side", metavar="FILE"
    )
    documents: str | None = option("folder of source texts, <document>.txt, for the context", metavar="DIR")
    everything: bool = option("with --comparison: also write what agrees", "--all")
    verbosity = VERBOSITY


@task_verb("agree", "[TASK] A B [C…]", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Compare annotators pairwise, in the way in which systems are scored.

    In each pair the first annotator takes the place of gold.  If both have the same documents, most F1 figures do not
    depend on the order.
    """
    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    refuse_idle_options(ctx, _REQUIREMENTS)
    note_idle_options(ctx, _TUNING_REQUIREMENTS)
    choice = choice_from_options(ctx, task, options.profile)
    with ProgressBar("comparing", quiet=options.verbosity.quiet) as progress:
        agreement, request = agree_files(choice, paths, progress=progress)
    show_notes(request.notes, quiet=options.verbosity.quiet)
    for one in agreement.pairs:
        show_findings(one.summary.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    if options.comparison and len(agreement.pairs) > 1:
        raise UsageError("--comparison is for two annotators", hint="compare them two by two")
    names = agreement.annotators
    with second_output(options.comparison, lambda: _disagreements(choice, paths, names, options)):
        write_output(_render(agreement, options.layout), options.output)
    return 0


def _render(agreement: Agreement, layout: str) -> str | bytes:
    if layout == "json":
        return encode_json(agreement.to_dict())
    from lydite.report.agreement import tables

    return "\n\n".join(map(RENDERERS[layout], tables(agreement))) + "\n"


def _disagreements(
    choice: UserChoice, paths: Sequence[str], names: Sequence[str], options: _Options
) -> Iterable[bytes]:
    """The items on which two annotators differ, under their names."""
    from lydite.explanation import explain_sides
    from lydite.explanation.side_by_side import comparison_file

    (explanation,) = explain_sides(*read_sides(choice, paths[0], paths[1:]), budget=False)
    folder = options.documents or explanation.inputs.settings.documents
    pair = (names[0], names[1])
    return comparison_file(explanation, everything=options.everything, folder=folder, names=pair)
