"""``lydite corpus index``."""

from __future__ import annotations

import click

from lydite.cli.assess import counted
from lydite.cli.options import talk_options
from lydite.cli.output import Patience, encode_json, show_findings, write_output
from lydite.cli.verbs import text_or_json
from lydite.corpus.index import build

EPILOG = """\b
Examples:
  lydite corpus index texts/ -o index/
  lydite corpus index news.jsonl.gz threads.zip gold-apf/ -o index/ --metadata meta.tsv
"""


@click.command("index", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS…")
@click.option("-o", "--output", required=True, metavar="DIR", help="folder of the index; made if missing")
@click.option("--metadata", metavar="FILE", help="table with id, date, genre, source, language")
@text_or_json
@talk_options
def command(
    texts: tuple[str, ...], output: str, metadata: str | None, layout: str, *, quiet: bool, verbose: bool
) -> None:
    """Index files, folders and archives: JSON lines, plain text, SGML of the LDC, APF, lydite's own form.

    Run it again after a change: only changed files are read.  The index is replaced as a whole, so that a run that is
    refused, stopped or killed leaves it as it was.
    """
    with Patience("indexing", quiet=quiet) as progress:
        built = build(texts, output, metadata=metadata, progress=progress)
    show_findings(built.findings, show_all=verbose, quiet=quiet)
    if layout == "json":
        document = {
            "schema": "lydite.corpus-index/1",
            "index": output,
            "documents": built.documents,
            "added": built.added,
            "removed": built.removed,
            "files": built.files,
            "unchanged": built.unchanged,
            "findings": [finding.to_dict() for finding in built.findings],
        }
        write_output(encode_json(document), None)
        return
    write_output(
        f"{output}: {counted(built.documents, 'document')}; {built.added} added, {built.removed} removed;"
        f" {counted(built.files, 'file')}, {built.unchanged} unchanged\n",
        None,
    )
