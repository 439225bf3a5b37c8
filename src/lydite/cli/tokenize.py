"""``lydite tokenize``: token tables from texts."""

from __future__ import annotations

from typing import Unpack

import click

from lydite.cli.options import TalkOptions, talk_options
from lydite.cli.output import Patience, encode_json, show_findings, write_output
from lydite.errors import InvalidInput
from lydite.token_tables import TableOutcome, make_tables
from lydite.tokenizer import DEFAULT_SEPARATORS

SCHEMA = "lydite.tokenize/1"

EPILOG = """\b
Examples:
  lydite tokenize texts/ -o tokens/
  lydite tokenize texts/ -o tokens/ --annotation brat/
  lydite tokenize d1.txt d2.txt -o tokens/ --separators ""
  lydite tokenize sgm/ -o tokens/ --extension sgm --append-extension
"""


class Options(TalkOptions):
    """What is said on the command line."""

    output: str
    annotation: str | None
    extension: str
    separators: str
    append_extension: bool
    force: bool
    layout: str


@click.command("tokenize", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT…")
@click.option("-o", "--output", required=True, metavar="DIR", help="folder for the tables; made if missing")
@click.option(
    "--annotation", metavar="DIR", help="brat files <document>.ann; tokens are cut at their boundaries"
)
@click.option(
    "--extension", default="txt", show_default=True, help="of the texts in folders; empty for every file"
)
@click.option(
    "--separators",
    default=DEFAULT_SEPARATORS,
    show_default=True,
    metavar="CHARS",
    help="characters at which tokens are cut and which belong to none; empty for no cut",
)
@click.option(
    "--append-extension", is_flag=True, help="name tables <document>.txt.tab instead of <document>.tab"
)
@click.option("--force", is_flag=True, help="overwrite tables that exist")
@click.option(
    "--format",
    "layout",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="layout of the report",
)
@talk_options
def command(texts: tuple[str, ...], **options: Unpack[Options]) -> int:
    """Make a token table of every text: files, or folders and archives with subfolders.

    Tokens are those of the official table maker for event nuggets.  Nothing is written if a text or an annotation
    cannot be used (exit status 3), or if a table exists already (2).
    """
    with Patience("tokenising", quiet=options["quiet"]) as progress:
        outcome = make_tables(
            texts,
            options["output"],
            annotation=options["annotation"],
            extension=options["extension"],
            separators=options["separators"],
            append_extension=options["append_extension"],
            force=options["force"],
            progress=progress,
        )
    if options["layout"] == "json":
        write_output(encode_json(_document(outcome)), None)
    if not outcome.written:
        raise InvalidInput(outcome.findings)
    show_findings(outcome.findings, show_all=options["verbose"], quiet=options["quiet"])
    if options["layout"] == "text":
        write_output(_sentence(outcome), None)
    return 0


def _sentence(outcome: TableOutcome) -> str:
    tables, cuts = len(outcome.tables), outcome.cuts
    sentence = f"{outcome.folder}: {tables} table{'s' * (tables != 1)}, {outcome.tokens} tokens"
    if any(made.annotation for made in outcome.tables):
        sentence += f", {cuts} cut{'s' * (cuts != 1)} at annotated boundaries"
    return sentence + "\n"


def _document(outcome: TableOutcome) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "output": outcome.folder,
        "written": outcome.written,
        "files": [
            {
                "document": made.doc_id,
                "text": made.text,
                "annotation": made.annotation,
                "table": made.table,
                "tokens": made.tokens,
                "cuts": made.cuts,
            }
            for made in outcome.tables
        ],
        "tokens": outcome.tokens,
        "cuts": outcome.cuts,
        "findings": [finding.to_dict() for finding in outcome.findings],
    }
