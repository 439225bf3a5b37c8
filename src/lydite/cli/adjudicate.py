"""``lydite adjudicate``: from annotators who differ to one gold."""

from __future__ import annotations

import click

from lydite.cli.option_records import OptionRecord, TalkOptions, group, option
from lydite.cli.options import ProfileOptions, choice_from, split_task, task_verb
from lydite.cli.output import show_notes, write_output
from lydite.errors import UsageError

EPILOG = """\b
Examples:
  lydite adjudicate anna.tbf ben.tbf --documents texts/ -o sheet.csv
  lydite adjudicate anna.tbf ben.tbf --decisions sheet.csv -o gold.tbf
  lydite adjudicate coref anna.conll ben.conll carla.conll -o sheet.xlsx
  lydite adjudicate anna/ ben/ --from brat --decisions sheet.csv -o gold/ --to brat
"""


class _Options(OptionRecord):
    profile: ProfileOptions = group(ProfileOptions)
    output: str = option("the sheet (.csv, .xlsx), or gold", "-o", "--output", metavar="FILE", required=True)
    documents: str | None = option("folder of source texts, <document>.txt, for the context", metavar="DIR")
    decisions: str | None = option("the sheet with its decisions filled in", metavar="SHEET")
    to_format: str | None = option(
        "the format of gold; that of the output's name if not given", "--to", metavar="FORMAT"
    )
    undecided: str | None = option(
        "what holds for items without a decision; refused otherwise", metavar="a|b|drop"
    )
    log: str | None = option("the log of decisions; OUTPUT.decisions.csv if not given", metavar="FILE")
    talk: TalkOptions = group(TalkOptions)


@task_verb("adjudicate", "[TASK] A B [C…]", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Write a sheet of what annotators differ on, or make gold from its decisions.

    Under decision: a, b, … for the annotator who is right, both, or neither; or another value under edited.
    What all annotators say passes through.
    """
    from lydite.annotators import adjudicate_files
    from lydite.assess.sheets import write_csv, write_xlsx

    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    found = adjudicate_files(choice_from(ctx, task, options.profile), paths, documents=options.documents)
    show_notes(found.asked.notes, quiet=options.talk.quiet)
    output: str = options.output
    if options.decisions is None:
        if options.undecided is not None:
            raise UsageError(
                "--undecided needs --decisions", hint="it says what holds for rows without a decision"
            )
        rows = list(found.sheet())
        if output.lower().endswith(".xlsx"):
            write_output(write_xlsx(rows, title="adjudication", choices=found.choices), output)
        else:
            write_output(write_csv(rows), output)
        show_notes([f"{len(rows) - 1} items to decide on"], quiet=options.talk.quiet)
        return 0
    from lydite.cli.convert import target_format, write_corpus

    gold, log = found.gold(options.decisions, undecided=options.undecided)
    write_corpus(gold, target_format(options.to_format, output, gold), output)
    write_output(write_csv(log), options.log or f"{output.rstrip('/')}.decisions.csv")
    notes = [f"{len(gold)} documents written, {len(log) - 1} items decided"]
    if any(document.relations for corpus in found.annotators for document in corpus.documents.values()):
        notes.append("relations between mentions are not adjudicated and were left out")
    show_notes(notes, quiet=options.talk.quiet)
    return 0
