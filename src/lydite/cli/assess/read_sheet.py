"""``lydite assess read-sheet``: judgements from a sheet into the store."""

from __future__ import annotations

import click

from lydite.assess.sheets import read_back
from lydite.assess.stores import open_annotation
from lydite.assess.writing import write_store
from lydite.cli.assess import counted, holding
from lydite.cli.output import say
from lydite.formats.eal import write_annotation_file

EPILOG = """\b
Examples:
  lydite assess read-sheet sheet.xlsx annotation/
"""


@click.command("read-sheet", epilog=EPILOG)
@click.argument("sheet")
@click.argument("annotation")
@click.option("--force", is_flag=True, help="replace judgements of the store that differ")
def command(sheet: str, annotation: str, force: bool) -> None:
    """Read the judgements of SHEET (.csv, .xlsx) into the store ANNOTATION.

    Everything is checked first; a judgement that the store has differently is refused without --force.
    """
    with holding(existing=(annotation,)):
        outcome = read_back(open_annotation(annotation), sheet, force=force)
        files = ((doc_id, write_annotation_file(rows)) for doc_id, rows in outcome.documents.items())
        write_store(annotation, files, owned=True)
    say(f"{counted(outcome.added, 'new judgement')}, {outcome.changed} changed: {annotation}")
