"""``lydite assess import``: a pool becomes lines that wait for an assessor."""

from __future__ import annotations

from collections.abc import Iterator

import click

from lydite.assess.importing import import_pool
from lydite.assess.stores import open_annotation, open_system
from lydite.assess.writing import write_store
from lydite.cli.assess import counted, holding
from lydite.cli.output import say, write_output
from lydite.escaping import printable
from lydite.formats.eal import write_annotation_file

EPILOG = """\b
Examples:
  lydite assess import pool/ annotation/
"""


@click.command("import", epilog=EPILOG)
@click.argument("pool")
@click.argument("annotation")
@click.option("-v", "--verbose", is_flag=True, help="show the number of new lines of each document")
def command(pool: str, annotation: str, verbose: bool) -> None:
    """Add every argument of POOL that is not in the store ANNOTATION yet; existing judgements stay.

    Importing twice changes nothing.  A store that is not there yet is made.
    """
    added: dict[str, int] = {}

    def files() -> Iterator[tuple[str, bytes]]:
        for document in import_pool(open_annotation(annotation, missing_is_empty=True), open_system(pool)):
            added[document.doc_id] = document.added
            yield document.doc_id, write_annotation_file(document.rows)

    with holding(annotation, existing=(pool,)):
        write_store(annotation, files(), owned=True)
    if verbose:
        for doc_id, count in added.items():
            write_output(f"{printable(doc_id)}\t{count}\n", None)
    say(f"{counted(len(added), 'document')}, {counted(sum(added.values()), 'new line')}: {annotation}")
