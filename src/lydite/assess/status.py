"""How far an assessment has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.align.arguments import Rules, align_arguments, answers_of, prepare_gold, prepare_system
from lydite.assess.stores import OpenedStore, all_documents, cluster_ids, settled_rows
from lydite.records import dataclass


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """One document: how many arguments are pooled and assessed, and how many strings lack a coreference id.

    ``selected`` is, for each system, how many of the arguments that decide its score nobody assessed yet.
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
        settled = settled_rows(rows)
        ids = cluster_ids(rows)
        assessed = sum(row.assessment is not None for row in settled.values())
        gold = prepare_gold(rows, Rules(coarse_dates="keep", non_dates="stand"))
        selected = tuple(
            align_arguments(
                gold, prepare_system(answers_of(system.rows(doc_id), gold.rules), gold)
            ).counts.unassessed_selected
            for system in systems
        )
        yield DocumentStatus(
            doc_id,
            len(settled),
            assessed,
            len(settled) - assessed,
            len({argument.canonical for argument in settled} - set(ids)),
            selected,
        )


def total(documents: Sequence[DocumentStatus], systems: int) -> DocumentStatus:
    """The sum over documents."""
    names = ("pooled", "assessed", "unassessed", "without_id")
    sums = {name: sum(getattr(one, name) for one in documents) for name in names}
    selected = tuple(sum(one.selected[position] for one in documents) for position in range(systems))
    return DocumentStatus("total", **sums, selected=selected)
