"""``lydite adjudicate``: one gold standard from annotators who differ."""

from __future__ import annotations

import click

from lydite.cli.options import (
    Needs,
    TaskCommand,
    check_needs,
    choice_from_options,
    profile_options,
    refuse_overwriting_input,
    split_task,
)
from lydite.cli.output import print_to_stderr, second_output, show_findings, show_notes, write_output
from lydite.cli.parameters import TEXT, verbosity_options
from lydite.errors import InvalidInput, UsageError, errors_among
from lydite.escaping import counted

_ABOUT_GOLD = Needs(options=("decisions",), hint="it is about writing gold, and this writes a sheet")
NEEDS = dict.fromkeys(("undecided", "to_format", "log"), _ABOUT_GOLD)
"""The options that need others to have an effect."""

EPILOG = """\b
Examples:
  lydite adjudicate anna.tbf ben.tbf --documents texts/ -o sheet.csv
  lydite adjudicate anna.tbf ben.tbf --decisions sheet.csv -o gold.tbf
  lydite adjudicate coref anna.conll ben.conll carla.conll -o sheet.xlsx
  lydite adjudicate anna/ ben/ --from brat --decisions sheet.csv -o gold/ --to brat
"""


@click.command("adjudicate", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] A B [C…]")
@profile_options
@click.option(
    "-o", "--output", type=TEXT, required=True, metavar="FILE", help="the sheet (.csv, .xlsx), or gold"
)
@click.option(
    "--documents", type=TEXT, metavar="DIR", help="folder of source texts, <document>.txt, for the context"
)
@click.option("--decisions", type=TEXT, metavar="SHEET", help="the sheet with the decisions filled in")
@click.option(
    "--to",
    "to_format",
    type=TEXT,
    metavar="FORMAT",
    help="format of gold; by the extension of the output if not given",
)
@click.option(
    "--undecided",
    type=TEXT,
    metavar="a|b|drop",
    help="decision for items that have none; without it they are refused",
)
@click.option(
    "--log",
    type=TEXT,
    metavar="FILE",
    help="file for the log of decisions; OUTPUT.decisions.csv if not given",
)
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    output: str,
    documents: str | None,
    decisions: str | None,
    to_format: str | None,
    undecided: str | None,
    log: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Write a sheet of the items on which annotators differ, or make gold from the decisions in it.

    In the column decision write a, b, … for the annotator who is right, both, or neither; or write another value in the
    column edited.  Items on which all annotators agree become gold as they are.
    """
    from lydite.annotators import adjudicate_files
    from lydite.assess.sheets import write_csv, write_xlsx

    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    check_needs(ctx, NEEDS)
    if decisions is not None and output == "-" and log is None:
        raise UsageError("with gold on stdout, the log of decisions needs a file", hint="name it with --log")
    choice = choice_from_options(ctx, task)
    found = adjudicate_files(choice, paths, documents=documents)
    show_notes(found.request.notes, quiet=quiet)
    if decisions is None:
        rows = list(found.sheet())
        if output.lower().endswith(".xlsx"):
            write_output(write_xlsx(rows, title="adjudication", choices=found.choices), output)
        else:
            write_output(write_csv(rows), output)
        show_notes([f"{counted(len(rows) - 1, 'item')} to decide on"], quiet=quiet)
        return 0
    from lydite.cli.convert import single_file_name, target_format, write_corpus
    from lydite.facade.converting import measure_conversion

    log_path = log or f"{output.rstrip('/')}.decisions.csv"
    for written in (output, log_path):
        refuse_overwriting_input([*paths, decisions], written)
    gold, log_rows = found.gold(decisions, undecided=undecided)
    chosen = target_format(to_format, output, gold)
    losses, findings = measure_conversion(gold, chosen, file=single_file_name(gold, chosen, output))
    if errors_among(findings):
        raise InvalidInput(findings)
    with second_output(log_path, lambda: write_csv(log_rows)):
        write_corpus(gold, chosen, output)
    notes = [f"{counted(len(gold), 'document')} written, {counted(len(log_rows) - 1, 'item')} decided"]
    given = [document for corpus in found.annotators for document in corpus.documents.values()]
    if any(document.relations for document in given):
        notes.append("relations between mentions are not adjudicated and were left out")
    if any(event.arguments for document in given for event in document.layers.get("events", ())):
        notes.append("arguments of events are not adjudicated and were left out")
    show_findings(findings, show_all=verbose, quiet=quiet)
    show_notes(notes, quiet=quiet)
    if losses.is_lossy and not quiet:
        for line in losses.lines()[1:]:
            print_to_stderr(line)
    return 0
