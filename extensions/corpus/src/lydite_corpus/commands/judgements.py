"""``lydite corpus judgements``."""

from __future__ import annotations

from dataclasses import asdict, astuple
from pathlib import Path

import click

from lydite.cli.output import write_json_or_text, write_output
from lydite.cli.parameters import TEXT, text_or_json_option
from lydite.escaping import counted
from lydite.report.tables import UNDEFINED, Table
from lydite.report.text import plain_text
from lydite_corpus.judgements import merge_entries, read_entries, target_progress, to_json_lines, write_sqlite

EPILOG = """\b
Examples:
  lydite corpus judgements north.jsonl south.sqlite
  lydite corpus judgements north.jsonl south.jsonl -o all.jsonl
"""


@click.command("judgements", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option(
    "-o",
    "--output",
    type=TEXT,
    metavar="FILE",
    help="write all records: JSON lines, or SQLite (.sqlite, .db)",
)
@text_or_json_option
def command(files: tuple[str, ...], output: str | None, layout: str) -> None:
    """Merge judgements of several people and sites by id, and show the progress per target.

    If a user judged a document for a target several times, the last judgement counts.  For several users, stars are
    averaged and flags decided by majority.
    """
    entries = merge_entries({path: read_entries(path) for path in files})
    if output and Path(output).suffix in {".sqlite", ".db"}:
        write_sqlite(output, entries)
    elif output:
        write_output(to_json_lines(entries), output)
    rows = target_progress(entries)
    targets = [asdict(row) for row in rows]
    document = {"schema": "lydite.judgements/1", "records": len(entries), "targets": targets}
    columns = ("target", "judged", "mentioned", "stars", "agreement", "judged twice")
    table = Table("judgements", columns, tuple(tuple(map(_cell, astuple(row))) for row in rows))
    write_json_or_text(layout, document, f"{plain_text(table)}\n{counted(len(entries), 'record')}\n")


def _cell(value: object) -> str:
    return UNDEFINED if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
