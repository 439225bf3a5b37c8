"""``lydite tokenize``: make token tables from texts."""

from __future__ import annotations

import click

from lydite.cli.output import ProgressBar, encode_json, show_findings, write_output
from lydite.cli.parameters import TEXT, layout_option, verbosity_options
from lydite.errors import InvalidInput
from lydite.escaping import counted
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


@click.command("tokenize", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT…")
@click.option(
    "-o",
    "--output",
    type=TEXT,
    required=True,
    metavar="DIR",
    help="folder for the tables; created if missing",
)
@click.option(
    "--annotation",
    type=TEXT,
    metavar="DIR",
    help="folder of brat files <document>.ann; tokens are cut at the boundaries of mentions",
)
@click.option("--extension", default="txt", help="extension of the texts in folders; empty for all files")
@click.option(
    "--separators",
    default=DEFAULT_SEPARATORS,
    metavar="CHARS",
    help="characters that separate tokens and belong to none; empty for no such cuts",
)
@click.option(
    "--append-extension", is_flag=True, help="name tables <document>.txt.tab instead of <document>.tab"
)
@click.option("--force", is_flag=True, help="overwrite tables that exist")
@layout_option("text", "json", help="layout of the report")
@verbosity_options
def command(
    texts: tuple[str, ...],
    *,
    output: str,
    annotation: str | None,
    extension: str,
    separators: str,
    append_extension: bool,
    force: bool,
    layout: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Make a token table for every text: files, or folders and archives with subfolders.

    Tokens are those of the official tokeniser for event nuggets.  Nothing is written if a text or an annotation
    cannot be used (exit status 3), or if a table exists already (exit status 2).
    """
    with ProgressBar("tokenising", quiet=quiet) as progress:
        outcome = make_tables(
            texts,
            output,
            annotation=annotation,
            extension=extension,
            separators=separators,
            append_extension=append_extension,
            force=force,
            progress=progress,
        )
    if layout == "json":
        write_output(encode_json(_document(outcome)), None)
    if not outcome.written:
        raise InvalidInput(outcome.findings)
    show_findings(outcome.findings, show_all=verbose, quiet=quiet)
    if layout == "text":
        write_output(_sentence(outcome), None)
    return 0


def _sentence(outcome: TableOutcome) -> str:
    text = f"{outcome.folder}: {counted(len(outcome.tables), 'table')}, {counted(outcome.tokens, 'token')}"
    if any(made.annotation for made in outcome.tables):
        text += f", {counted(outcome.cuts, 'cut')} at annotated boundaries"
    return text + "\n"


_FILE_FIELDS = ("text", "annotation", "table", "tokens", "cuts")


def _document(outcome: TableOutcome) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "output": outcome.folder,
        "written": outcome.written,
        "files": [
            {"document": made.doc_id, **{name: getattr(made, name) for name in _FILE_FIELDS}}
            for made in outcome.tables
        ],
        "tokens": outcome.tokens,
        "cuts": outcome.cuts,
        "findings": [finding.to_dict() for finding in outcome.findings],
    }
