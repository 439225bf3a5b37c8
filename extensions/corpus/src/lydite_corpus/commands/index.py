"""``lydite corpus index``."""

from __future__ import annotations

from dataclasses import asdict

import click

from lydite.cli.option_records import TEXT_OR_JSON, VERBOSITY, OptionRecord, option, options_from
from lydite.cli.output import ProgressBar, show_findings, write_json_or_text
from lydite.escaping import counted
from lydite_corpus.index import build

EPILOG = """\b
Examples:
  lydite corpus index texts/ -o index/
  lydite corpus index news.jsonl.gz threads.zip gold-apf/ -o index/ --metadata meta.tsv
"""


class _Options(OptionRecord):
    output: str = option("folder of the index", "-o", "--output", required=True, metavar="DIR")
    metadata: str | None = option("table (TSV) with id, date, genre, source, language", metavar="FILE")
    layout: str = TEXT_OR_JSON
    verbosity = VERBOSITY


@click.command("index", epilog=EPILOG)
@click.argument("texts", nargs=-1, required=True, metavar="TEXTS…")
@options_from(_Options)
def command(texts: tuple[str, ...], options: _Options) -> None:
    """Index files, folders and archives: JSON lines, plain text, LDC SGML, APF, lydite's own form.

    Run it again after a change: only changed files are read.  The index is replaced as a whole: a run that is refused,
    stopped or killed leaves it as it was.
    """
    with ProgressBar("indexing", quiet=options.verbosity.quiet) as progress:
        built = build(texts, options.output, metadata=options.metadata, progress=progress)
    show_findings(built.findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    document = {
        "schema": "lydite_corpus-index/1",
        "index": options.output,
        **asdict(built),
        "findings": [finding.to_dict() for finding in built.findings],
    }
    text = (
        f"{options.output}: {counted(built.documents, 'document')}; {built.added} added, {built.removed} removed;"
        f" {counted(built.files, 'file')}, {built.unchanged} unchanged\n"
    )
    write_json_or_text(options.layout, document, text)
