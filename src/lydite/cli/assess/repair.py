"""``lydite assess repair``: a raw assessment release made consistent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from lydite.assess.repairing import FIXES, repair_store
from lydite.assess.writing import is_among, write_store
from lydite.cli.assess import holding
from lydite.cli.output import say
from lydite.formats.eal import open_argument_store, write_annotation_file

EPILOG = """\b
Examples:
  lydite assess repair annotation/ -o repaired/ -v
"""


@click.command("repair", epilog=EPILOG)
@click.argument("annotation")
@click.option(
    "-o", "--output", metavar="STORE", required=True, help="the repaired store; may be the same one"
)
@click.option("-v", "--verbose", is_flag=True, help="list every fix with its document and line")
def command(annotation: str, output: str, verbose: bool) -> None:
    """Make an annotation store consistent and say what was done: missing ids, forgotten and superfluous judgements."""
    counts: Counter[str] = Counter()
    places: list[str] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for doc_id, rows, fixes in repair_store(open_argument_store(annotation)):
            counts.update(fix.kind for fix in fixes)
            places.extend(f"{doc_id}:{fix.line}: {fix.kind}" for fix in fixes)
            yield doc_id, write_annotation_file(rows)

    with holding(output, existing=(annotation,)):
        write_store(output, files(), owned=is_among(output, (annotation,)))
    if verbose:
        for place in places:
            say(place)
    for kind, sentence in FIXES.items():
        say(f"{counts[kind]:6}  {sentence}")
    say(f"{counts.total()} fixed: {output}")
