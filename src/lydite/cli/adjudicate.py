"""``lydite adjudicate``: from annotators who differ to one gold."""

from __future__ import annotations

from typing import Unpack

import click

from lydite.cli.options import (
    TaskCommand,
    VerbOptions,
    choice_from,
    profile_options,
    split_task,
    talk_options,
)
from lydite.cli.output import show_notes, write_output
from lydite.errors import UsageError

EPILOG = """\b
Examples:
  lydite adjudicate anna.tbf ben.tbf --documents texts/ -o sheet.csv
  lydite adjudicate anna.tbf ben.tbf --decisions sheet.csv -o gold.tbf
  lydite adjudicate coref anna.conll ben.conll carla.conll -o sheet.xlsx
  lydite adjudicate anna/ ben/ --from brat --decisions sheet.csv -o gold/ --to brat
"""


class Options(VerbOptions):
    """What is said on the command line."""

    output: str
    documents: str | None
    decisions: str | None
    to_format: str | None
    undecided: str | None
    log: str | None


@click.command("adjudicate", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] A B [C…]")
@profile_options
@click.option("-o", "--output", metavar="FILE", required=True, help="the sheet (.csv, .xlsx), or gold")
@click.option("--documents", metavar="DIR", help="folder of source texts, <document>.txt, for the context")
@click.option("--decisions", metavar="SHEET", help="the sheet with its decisions filled in")
@click.option(
    "--to", "to_format", metavar="FORMAT", help="the format of gold; that of the output's name if not given"
)
@click.option(
    "--undecided", metavar="a|b|drop", help="what holds for items without a decision; refused otherwise"
)
@click.option("--log", metavar="FILE", help="the log of decisions; OUTPUT.decisions.csv if not given")
@talk_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **options: Unpack[Options]) -> int:
    """Write a sheet of what annotators differ on, or make gold from its decisions.

    Under decision: a, b, … for the annotator who is right, both, or neither; or another value under edited.
    What all annotators say passes through.
    """
    from lydite.annotators import adjudicate_files
    from lydite.assess.sheets import write_csv, write_xlsx

    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    found = adjudicate_files(choice_from(ctx, task, options), paths, documents=options["documents"])
    show_notes(found.asked.notes, quiet=options["quiet"])
    output: str = options["output"]
    if options["decisions"] is None:
        if options["undecided"] is not None:
            raise UsageError(
                "--undecided needs --decisions", hint="it says what holds for rows without a decision"
            )
        rows = list(found.sheet())
        if output.lower().endswith(".xlsx"):
            write_output(write_xlsx(rows, title="adjudication", choices=found.choices), output)
        else:
            write_output(write_csv(rows), output)
        show_notes([f"{len(rows) - 1} items to decide on"], quiet=options["quiet"])
        return 0
    from lydite.cli.convert import target_format, write_corpus

    gold, log = found.gold(options["decisions"], undecided=options["undecided"])
    write_corpus(gold, target_format(options["to_format"], output, gold), output)
    write_output(write_csv(log), options["log"] or f"{output.rstrip('/')}.decisions.csv")
    notes = [f"{len(gold)} documents written, {len(log) - 1} items decided"]
    if any(document.relations for corpus in found.annotators for document in corpus.documents.values()):
        notes.append("relations between mentions are not adjudicated and were left out")
    show_notes(notes, quiet=options["quiet"])
    return 0
