"""``lydite tokenize``: make token tables from texts."""

from __future__ import annotations

import click

from lydite.cli.option_records import VERBOSITY, OptionRecord, layout_option, option, options_from
from lydite.cli.output import ProgressBar, encode_json, show_findings, write_output
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


class _Options(OptionRecord):
    output: str = option(
        "folder for the tables; created if missing", "-o", "--output", required=True, metavar="DIR"
    )
    annotation: str | None = option(
        "folder of brat files <document>.ann; tokens are cut at the boundaries of mentions", metavar="DIR"
    )
    extension: str = option("extension of the texts in folders; empty for all files", default="txt")
    separators: str = option(
        "characters that separate tokens and belong to none; empty for no such cuts",
        default=DEFAULT_SEPARATORS,
        metavar="CHARS",
    )
    append_extension: bool = option("name tables <document>.txt.tab instead of <document>.tab")
    force: bool = option("overwrite tables that exist")
    layout: str = layout_option("text", "json", help="layout of the report")
    verbosity = VERBOSITY


@click.command("tokenize", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT…")
@options_from(_Options)
def command(texts: tuple[str, ...], options: _Options) -> int:
    """Make a token table for every text: files, or folders and archives with subfolders.

    Tokens are those of the official tokeniser for event nuggets.  Nothing is written if a text or an annotation
    cannot be used (exit status 3), or if a table exists already (exit status 2).
    """
    with ProgressBar("tokenising", quiet=options.verbosity.quiet) as progress:
        outcome = make_tables(
            texts,
            options.output,
            annotation=options.annotation,
            extension=options.extension,
            separators=options.separators,
            append_extension=options.append_extension,
            force=options.force,
            progress=progress,
        )
    if options.layout == "json":
        write_output(encode_json(_document(outcome)), None)
    if not outcome.written:
        raise InvalidInput(outcome.findings)
    show_findings(outcome.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    if options.layout == "text":
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
