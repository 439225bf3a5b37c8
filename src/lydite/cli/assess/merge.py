"""``lydite assess merge``: two annotation stores as one."""

from __future__ import annotations

import click

from lydite.assess.merging import merge_stores
from lydite.assess.stores import open_annotation
from lydite.assess.writing import is_among, write_store
from lydite.cli.assess import holding
from lydite.cli.output import say
from lydite.formats.eal import write_annotation_file

EPILOG = """\b
Examples:
  lydite assess merge annotation/ late/ -o merged/
"""


@click.command("merge", epilog=EPILOG)
@click.argument("baseline")
@click.argument("addition")
@click.option(
    "-o", "--output", metavar="STORE", required=True, help="the merged store; may be one of the two"
)
def command(baseline: str, addition: str, output: str) -> None:
    """Merge two annotation stores: judgements of BASELINE stay, those of ADDITION fill what it lacks.

    Coreference ids of new strings are settled by a vote of their cluster mates.
    """
    with holding(output, existing=(baseline, addition)):
        merged = merge_stores(open_annotation(baseline), open_annotation(addition))
        files = ((doc_id, write_annotation_file(rows)) for doc_id, rows in merged)
        write_store(output, files, owned=is_among(output, (baseline, addition)))
    say(f"merged: {output}")
