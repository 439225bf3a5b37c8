"""Import: pooled arguments become lines of an annotation store that wait for an assessor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, settled_rows
from lydite.model.argument import Argument, ArgumentRow


class Imported(NamedTuple):
    """One document after the import, and how many lines are new."""

    doc_id: str
    rows: tuple[ArgumentRow, ...]
    added: int


def import_arguments(
    rows: Iterable[ArgumentRow], pooled: Iterable[Argument]
) -> tuple[tuple[ArgumentRow, ...], int]:
    """The lines of a document with every pooled argument that was not there; existing judgements stay.

    A new line is unassessed.  Every line carries the coreference id that its canonical string has on any line, so
    that none is lost where an argument stood on several lines.
    """
    rows = tuple(rows)
    known = settled_rows(rows)
    ids = cluster_ids(rows)
    new = [ArgumentRow(argument, width=18) for argument in sorted(pooled) if argument not in known]
    together = (*known.values(), *new)
    return tuple(row._replace(cluster=ids.get(row.argument.canonical)) for row in together), len(new)


def import_pool(annotation: OpenedStore, pool: OpenedStore) -> Iterator[Imported]:
    """The annotation store after the import, document by document; importing twice changes nothing."""
    for doc_id in all_documents([annotation, pool]):
        rows, added = import_arguments(annotation.rows(doc_id), pool.answers(doc_id))
        yield Imported(doc_id, rows, added)
