"""The verbs that change an annotation store: ``lydite assess import``, ``read-sheet``, ``merge``, ``repair``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from lydite.assess.stores import open_annotation, open_system, refuse_linking
from lydite.assess.writing import is_among, write_store
from lydite.cli.assess import holding, tell, with_warnings
from lydite.cli.output import print_line, write_output
from lydite.cli.verbs import examples_epilog
from lydite.escaping import counted, printable
from lydite.formats.eal import write_annotation_file


@click.command("import", epilog=examples_epilog("lydite assess import pool/ annotation/"))
@click.argument("pool")
@click.argument("annotation")
@click.option("-v", "--verbose", is_flag=True, help="show the number of new lines of each document")
def import_(pool: str, annotation: str, verbose: bool) -> None:
    """Add every argument of POOL that is not in the store ANNOTATION yet; existing judgements stay.

    Importing twice changes nothing.  A store that is not there yet is made.
    """
    from lydite.assess.merging import import_pool

    added: dict[str, int] = {}

    def files() -> Iterator[tuple[str, bytes]]:
        known = with_warnings(open_annotation(annotation, missing_is_empty=True))
        refuse_linking(known)
        for doc_id, rows, count in import_pool(known, with_warnings(open_system(pool))):
            added[doc_id] = count
            yield doc_id, write_annotation_file(rows)

    with holding(annotation, existing=(pool,)):
        write_store(annotation, files(), owned=True)
    if verbose:
        for doc_id, count in added.items():
            write_output(f"{printable(doc_id)}\t{count}\n", None)
    tell(f"{counted(len(added), 'document')}, {counted(sum(added.values()), 'new line')}: {annotation}")


@click.command("read-sheet", epilog=examples_epilog("lydite assess read-sheet sheet.xlsx annotation/"))
@click.argument("sheet")
@click.argument("annotation")
@click.option("--force", is_flag=True, help="replace judgements of the store that differ")
def read_sheet(sheet: str, annotation: str, force: bool) -> None:
    """Read the judgements of SHEET (.csv, .xlsx) into the store ANNOTATION.

    Everything is checked first; a judgement that the store has differently is refused without --force.
    """
    from lydite.assess.sheets import read_back

    with holding(existing=(annotation,)):
        opened = with_warnings(open_annotation(annotation))
        refuse_linking(opened)
        outcome = read_back(opened, sheet, force=force)
        files = ((doc_id, write_annotation_file(rows)) for doc_id, rows in outcome.documents.items())
        write_store(annotation, files, owned=True)
    tell(f"{counted(outcome.added, 'new judgement')}, {outcome.changed} changed: {annotation}")


@click.command("merge", epilog=examples_epilog("lydite assess merge annotation/ late/ -o merged/"))
@click.argument("baseline")
@click.argument("addition")
@click.option(
    "-o", "--output", metavar="STORE", required=True, help="the merged store; may be one of the two"
)
def merge(baseline: str, addition: str, output: str) -> None:
    """Merge two annotation stores: judgements of BASELINE stay, those of ADDITION fill what it lacks.

    Coreference ids of new strings are settled by a vote of their cluster mates.
    """
    from lydite.assess.merging import merge_stores

    with holding(output, existing=(baseline, addition)):
        stores = with_warnings(open_annotation(baseline)), with_warnings(open_annotation(addition))
        refuse_linking(*stores)
        merged = merge_stores(*stores)
        files = ((doc_id, write_annotation_file(rows)) for doc_id, rows in merged)
        write_store(output, files, owned=is_among(output, (baseline, addition)))
    tell(f"merged: {output}")


@click.command("repair", epilog=examples_epilog("lydite assess repair annotation/ -o repaired/ -v"))
@click.argument("annotation")
@click.option(
    "-o", "--output", metavar="STORE", required=True, help="the repaired store; may be the same one"
)
@click.option("-v", "--verbose", is_flag=True, help="list every fix with its document and line")
def repair(annotation: str, output: str, verbose: bool) -> None:
    """Make an annotation store consistent and say what was done: missing ids, forgotten and superfluous judgements."""
    from lydite.assess.repairing import FIXES, repair_store

    counts: Counter[str] = Counter()
    places: list[str] = []

    def files() -> Iterator[tuple[str, bytes]]:
        raw = with_warnings(open_annotation(annotation))
        refuse_linking(raw)
        for doc_id, rows, fixes in repair_store(raw.store):
            counts.update(fix.kind for fix in fixes)
            places.extend(f"{doc_id}:{fix.line}: {fix.kind}" for fix in fixes)
            yield doc_id, write_annotation_file(rows)

    with holding(output, existing=(annotation,)):
        write_store(output, files(), owned=is_among(output, (annotation,)))
    if verbose:
        for place in places:
            print_line(place)
    for kind, sentence in FIXES.items():
        tell(f"{counts[kind]:6}  {sentence}")
    tell(f"{counts.total()} fixed: {output}")
