"""``lydite corpus index``."""

from __future__ import annotations

from dataclasses import asdict

import click

from lydite.cli.output import ProgressBar, show_findings, write_json_or_text
from lydite.cli.parameters import TEXT, text_or_json_option, verbosity_options
from lydite.escaping import counted
from lydite_corpus.index import build

EPILOG = """\b
Examples:
  lydite corpus index texts/ -o index/
  lydite corpus index news.jsonl.gz threads.zip gold-apf/ -o index/ --metadata meta.tsv
"""


@click.command("index", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS…")
@click.option("-o", "--output", type=TEXT, required=True, metavar="DIR", help="folder of the index")
@click.option(
    "--metadata", type=TEXT, metavar="FILE", help="table (TSV) with id, date, genre, source, language"
)
@text_or_json_option
@verbosity_options
def command(
    texts: tuple[str, ...],
    *,
    output: str,
    metadata: str | None,
    layout: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Index files, folders and archives: JSON lines, plain text, LDC SGML, APF, lydite's own form.

    Run it again after a change: only changed files are read.  The index is replaced as a whole: a run that is refused,
    stopped or killed leaves it as it was.
    """
    with ProgressBar("indexing", quiet=quiet) as progress:
        built = build(texts, output, metadata=metadata, progress=progress)
    show_findings(built.findings, show_all=verbose, quiet=quiet)
    document = {
        "schema": "lydite_corpus-index/1",
        "index": output,
        **asdict(built),
        "findings": [finding.to_dict() for finding in built.findings],
    }
    text = (
        f"{output}: {counted(built.documents, 'document')}; {built.added} added, {built.removed} removed;"
        f" {counted(built.files, 'file')}, {built.unchanged} unchanged\n"
    )
    write_json_or_text(layout, document, text)
