"""``lydite agree``: measure the agreement of annotators."""

from __future__ import annotations

import click

from lydite.cli.options import (
    TaskCommand,
    choice_from_options,
    profile_options,
    split_task,
)
from lydite.cli.output import (
    RENDERERS,
    ProgressBar,
    encode_json,
    show_findings,
    show_notes,
    write_output,
)
from lydite.cli.parameters import layout_option, output_option, verbosity_options
from lydite.facade.agreeing import agree_files

EPILOG = """\b
Examples:
  lydite agree triples anna.trp ben.trp
  lydite agree triples anna/ ben/ carla/ --format json
  lydite agree ace anna/ ben/
  lydite agree arguments anna.jsonl ben.jsonl --profile exact
"""


@click.command("agree", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] A B [C…]")
@profile_options
@layout_option("text", "json", "markdown", "latex")
@output_option
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    layout: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Compare annotators pairwise, in the way in which systems are scored.

    In each pair the first annotator takes the place of gold.  If both have the same documents, most F1 figures do not
    depend on the order.
    """
    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    choice = choice_from_options(ctx, task)
    with ProgressBar("comparing", quiet=quiet) as progress:
        agreement, request = agree_files(choice, paths, progress=progress)
    show_notes(request.notes, quiet=quiet)
    for pair in agreement.pairs:
        show_findings(pair.summary.findings, show_all=verbose, quiet=quiet)
    if layout == "json":
        write_output(encode_json(agreement.to_dict()), output)
    else:
        from lydite.report.agreement import tables

        write_output("\n\n".join(map(RENDERERS[layout], tables(agreement))) + "\n", output)
    return 0
