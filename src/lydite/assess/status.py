"""How far an assessment has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lydite.align.arguments import Rules, align_arguments, answers_of, prepare_gold, prepare_system
from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, row_per_argument


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """Numbers of pooled, assessed and unassessed arguments of a document, and of strings without a coreference id.

    ``selected`` has one number per system: unassessed arguments among those that decide its score.
    """

    document: str
    pooled: int
    assessed: int
    unassessed: int
    without_id: int
    selected: tuple[int, ...] = ()


def status(annotation: OpenedStore, systems: Sequence[OpenedStore] = ()) -> Iterator[DocumentStatus]:
    """The status of every document of the annotation store and of the systems."""
    for doc_id in all_documents([annotation, *systems]):
        rows = annotation.rows(doc_id)
        row_of = row_per_argument(rows)
        ids = cluster_ids(rows)
        assessed = sum(row.assessment is not None for row in row_of.values())
        gold = prepare_gold(rows, Rules(coarse_dates="keep", non_dates="stand"))
        selected = tuple(
            align_arguments(
                gold, prepare_system(answers_of(system.rows(doc_id), gold.rules), gold)
            ).counts.unassessed_selected
            for system in systems
        )
        yield DocumentStatus(
            doc_id,
            len(row_of),
            assessed,
            len(row_of) - assessed,
            len({argument.canonical for argument in row_of} - set(ids)),
            selected,
        )


def total(documents: Sequence[DocumentStatus], systems: int) -> DocumentStatus:
    """The sum over documents."""
    names = ("pooled", "assessed", "unassessed", "without_id")
    sums = {name: sum(getattr(one, name) for one in documents) for name in names}
    selected = tuple(sum(one.selected[position] for one in documents) for position in range(systems))
    return DocumentStatus("total", **sums, selected=selected)
