"""``lydite adjudicate``: one gold standard from annotators who differ."""

from __future__ import annotations

import click

from lydite.cli.option_records import VERBOSITY, OptionRecord, option
from lydite.cli.options import (
    PROFILE,
    Requirement,
    choice_from_options,
    refuse_idle_options,
    refuse_overwriting_input,
    split_task,
    task_verb,
)
from lydite.cli.output import print_to_stderr, second_output, show_findings, show_notes, write_output
from lydite.errors import InvalidInput, UsageError, errors_among
from lydite.escaping import counted

_NEEDS_DECISIONS = Requirement(("decisions",), "it is about writing gold, and this writes a sheet")

EPILOG = """\b
Examples:
  lydite adjudicate anna.tbf ben.tbf --documents texts/ -o sheet.csv
  lydite adjudicate anna.tbf ben.tbf --decisions sheet.csv -o gold.tbf
  lydite adjudicate coref anna.conll ben.conll carla.conll -o sheet.xlsx
  lydite adjudicate anna/ ben/ --from brat --decisions sheet.csv -o gold/ --to brat
"""


class _Options(OptionRecord):
    profile = PROFILE
    output: str = option("the sheet (.csv, .xlsx), or gold", "-o", "--output", metavar="FILE", required=True)
    documents: str | None = option("folder of source texts, <document>.txt, for the context", metavar="DIR")
    decisions: str | None = option("the sheet with the decisions filled in", metavar="SHEET")
    to_format: str | None = option(
        "format of gold; by the extension of the output if not given", "--to", metavar="FORMAT"
    )
    undecided: str | None = option(
        "decision for items that have none; without it they are refused", metavar="a|b|drop"
    )
    log: str | None = option(
        "file for the log of decisions; OUTPUT.decisions.csv if not given", metavar="FILE"
    )
    verbosity = VERBOSITY


@task_verb("adjudicate", "[TASK] A B [C…]", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Write a sheet of the items on which annotators differ, or make gold from the decisions in it.

    In the column decision write a, b, … for the annotator who is right, both, or neither; or write another value in the
    column edited.  Items on which all annotators agree become gold as they are.
    """
    from lydite.annotators import adjudicate_files
    from lydite.assess.sheets import write_csv, write_xlsx

    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    refuse_idle_options(ctx, dict.fromkeys(("undecided", "to_format", "log"), _NEEDS_DECISIONS))
    if options.decisions is not None and options.output == "-" and options.log is None:
        raise UsageError("with gold on stdout, the log of decisions needs a file", hint="name it with --log")
    choice = choice_from_options(ctx, task, options.profile)
    found = adjudicate_files(choice, paths, documents=options.documents)
    show_notes(found.request.notes, quiet=options.verbosity.quiet)
    output: str = options.output
    if options.decisions is None:
        rows = list(found.sheet())
        if output.lower().endswith(".xlsx"):
            write_output(write_xlsx(rows, title="adjudication", choices=found.choices), output)
        else:
            write_output(write_csv(rows), output)
        show_notes([f"{counted(len(rows) - 1, 'item')} to decide on"], quiet=options.verbosity.quiet)
        return 0
    from lydite.cli.convert import single_file_name, target_format, write_corpus
    from lydite.facade.converting import measure_conversion

    log_path = options.log or f"{output.rstrip('/')}.decisions.csv"
    for written in (output, log_path):
        refuse_overwriting_input([*paths, options.decisions], written)
    gold, log = found.gold(options.decisions, undecided=options.undecided)
    chosen = target_format(options.to_format, output, gold)
    losses, findings = measure_conversion(gold, chosen, file=single_file_name(gold, chosen, output))
    if errors_among(findings):
        raise InvalidInput(findings)
    with second_output(log_path, lambda: write_csv(log)):
        write_corpus(gold, chosen, output)
    notes = [f"{counted(len(gold), 'document')} written, {counted(len(log) - 1, 'item')} decided"]
    given = [document for corpus in found.annotators for document in corpus.documents.values()]
    if any(document.relations for document in given):
        notes.append("relations between mentions are not adjudicated and were left out")
    if any(event.arguments for document in given for event in document.layers.get("events", ())):
        notes.append("arguments of events are not adjudicated and were left out")
    show_findings(findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    show_notes(notes, quiet=options.verbosity.quiet)
    if losses.is_lossy and not options.verbosity.quiet:
        for line in losses.lines()[1:]:
            print_to_stderr(line)
    return 0
