"""Import and merge: an annotation store takes in a pool or another annotation store; its own judgements win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, next_id, row_per_argument
from lydite.grouping import grouped
from lydite.model.argument import Argument, ArgumentRow, Filler


def import_arguments(
    rows: Iterable[ArgumentRow], pooled: Iterable[Argument]
) -> tuple[tuple[ArgumentRow, ...], int]:
    """The lines of a document with every pooled argument that it lacked, and the number of these.

    Existing judgements stay; a new line is unassessed.  Every line carries the coreference id that its canonical string
    has on any line.
    """
    rows = tuple(rows)
    merged = merge_documents(rows, map(ArgumentRow, sorted(pooled)))
    return merged, len(merged) - len({row.argument for row in rows})


def import_pool(
    annotation: OpenedStore, pool: OpenedStore
) -> Iterator[tuple[str, tuple[ArgumentRow, ...], int]]:
    """The annotation store after the import, document by document; importing twice changes nothing."""
    for doc_id in all_documents([annotation, pool]):
        yield doc_id, *import_arguments(annotation.rows(doc_id), pool.answers(doc_id))


def merge_documents(
    baseline: Iterable[ArgumentRow], addition: Iterable[ArgumentRow]
) -> tuple[ArgumentRow, ...]:
    """One document: judgements of the baseline stay, arguments assessed only in the addition come in.

    An argument is unassessed only if neither side assessed it.  Every line of a canonical string carries the id that
    :func:`merged_ids` gives it, the baseline's lines included.
    """
    baseline, addition = tuple(baseline), tuple(addition)
    ids = merged_ids(baseline, addition)
    rows = row_per_argument((*baseline, *addition))
    return tuple(row._replace(cluster=ids.get(row.argument.canonical), width=18) for row in rows.values())


def merged_ids(baseline: Iterable[ArgumentRow], addition: Iterable[ArgumentRow]) -> dict[Filler, int]:
    """Coreference ids of the merged document, by a vote of cluster mates.

    A string that has an id in the baseline keeps it.  Then every other one that has an id in the addition, in file
    order of the addition: of its mates (same id there) those that have an id by now vote with it, the most frequent
    wins, of equally frequent ones the one met first; without any, a new id is 1 + the largest so far (1 if none).
    The addition's own numbers are used for nothing else.
    """
    ids = cluster_ids(baseline)
    theirs = cluster_ids(addition)
    mates = grouped((number, filler) for filler, number in theirs.items())
    for filler, number in theirs.items():
        if filler in ids:
            continue
        votes = Counter(ids[mate] for mate in mates[number] if mate in ids)
        # Counter keeps the order in which ids were met, and most_common is stable: the first of equals wins.
        ids[filler] = votes.most_common(1)[0][0] if votes else next_id(ids.values())
    return ids


def merge_stores(
    baseline: OpenedStore, addition: OpenedStore
) -> Iterator[tuple[str, tuple[ArgumentRow, ...]]]:
    """The merged store, document by document."""
    for doc_id in all_documents([baseline, addition]):
        yield doc_id, merge_documents(baseline.rows(doc_id), addition.rows(doc_id))
