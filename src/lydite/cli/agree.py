"""``lydite agree``: agreement of annotators."""

from __future__ import annotations

from typing import Any

import click

from lydite.cli.options import TaskCommand, choice_from, profile_options, split_task, talk_options
from lydite.cli.output import Patience, encode_json, show_findings, show_notes, write_output
from lydite.cli.verbs import OptionValue
from lydite.errors import UsageError
from lydite.facade import agree_files
from lydite.registry import Registry

RENDERERS: Registry[Any] = Registry(
    "layout",
    {
        "text": "lydite.report.text:plain_text",
        "markdown": "lydite.report.tables:markdown",
        "latex": "lydite.report.tables:latex",
    },
)

EPILOG = """\b
Examples:
  lydite agree triples anna.trp ben.trp
  lydite agree triples anna/ ben/ carla/ --format json
  lydite agree triples anna.trp ben.trp --comparison disagreements.txt
  lydite agree ace anna/ ben/
  lydite agree arguments anna.jsonl ben.jsonl --profile exact
"""


@click.command("agree", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] A B [C…]")
@profile_options
@click.option(
    "--format",
    "layout",
    type=click.Choice(("text", "json", "markdown", "latex")),
    default="text",
    show_default=True,
    help="layout",
)
@click.option("-o", "--output", metavar="FILE", help="write there instead of stdout")
@click.option(
    "--comparison", metavar="FILE", help="also write the disagreements of two annotators side by side"
)
@talk_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **options: OptionValue) -> int:
    """Compare annotators pairwise, with the matchers that score systems.

    F1 is symmetric; in precision and recall the annotator named first stands for gold.
    """
    task, paths = split_task(ctx, words, at_least=2, needs="the files of two annotators")
    with Patience("comparing", quiet=options["quiet"]) as progress:
        agreement, asked = agree_files(choice_from(ctx, task, options), paths, progress=progress)
    show_notes(asked.notes, quiet=options["quiet"])
    for pair in agreement.pairs:
        show_findings(pair.summary.findings, show_all=options["verbose"], quiet=options["quiet"])
    if options["comparison"]:
        from lydite.report.official import COMPARISONS

        if len(agreement.pairs) > 1:
            raise UsageError("--comparison is of two annotators", hint="compare them two by two")
        write_output(COMPARISONS[agreement.task](agreement.pairs[0].summary), options["comparison"])
    if options["layout"] == "json":
        write_output(encode_json(agreement.to_dict()), options["output"])
        return 0
    from lydite.report.agreement import tables

    render = RENDERERS[options["layout"]]
    write_output("\n\n".join(map(render, tables(agreement))) + "\n", options["output"])
    return 0
