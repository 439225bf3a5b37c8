"""From paired mentions with coreference relations to partitions over shared elements.

Each pair that is similar enough is one element of both sides; every other mention is an element of its own side.  Two
mentions on one span are two elements, so double annotation does no harm here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lydite.model import Alignment, Document
from lydite.model.cluster import ClusterAlignment
from lydite.model.mention import COREFERENCE


class ChainRule(NamedTuple):
    """Which pairs of mentions are one element, and what becomes of gold mentions without a partner.

    ``agree`` are the attributes that paired mentions share, ``threshold`` the least similarity.  ``keep_unpaired_gold``
    is false where the official program leaves such mentions out of gold.
    """

    agree: tuple[str, ...] = ("type",)
    threshold: float = 1.0
    keep_unpaired_gold: bool = True


def clusters_of(document: Document) -> Mapping[str, int]:
    """The cluster of every mention id: the first coreference relation that names it."""
    first: dict[str, int] = {}
    for number, relation in enumerate(document.relations):
        if relation.name == COREFERENCE:
            for member in relation.members:
                first.setdefault(member, number)
    return first


def cluster_labels(document: Document) -> list[int]:
    """For every mention, in file order, the cluster it is in; a mention in no cluster is one by itself, below zero."""
    first = clusters_of(document)
    if not first:
        return list(range(-1, -1 - len(document.mentions), -1))
    return [first.get(mention_id, -1 - position) for position, mention_id in enumerate(document.columns.ids)]


def has_clusters(document: Document) -> bool:
    """Whether the document has a coreference relation."""
    return any(relation.name == COREFERENCE for relation in document.relations)


def shared_elements(alignment: Alignment, rule: ChainRule) -> dict[int, int]:
    """The pairs that are one element: gold position to system position."""
    return {
        gold_at: system_at
        for gold_at, system_at, similarity in alignment.pairs
        if similarity >= rule.threshold
    }


def align_chains(alignment: Alignment, gold: Document, system: Document, rule: ChainRule) -> ClusterAlignment:
    """The partitions of both sides over elements.

    Elements are numbered as the official program writes them down: gold mentions in file order, then system mentions
    without a partner; clusters stand in the order in which their first element does.
    """
    partner = shared_elements(alignment, rule)
    gold_labels, system_labels = cluster_labels(gold), cluster_labels(system)
    ours: dict[int, list[int]] = {}
    theirs: dict[int, list[int]] = {}
    for position, label in enumerate(gold_labels):
        system_at = partner.get(position)
        if system_at is not None:
            ours.setdefault(label, []).append(position)
            theirs.setdefault(system_labels[system_at], []).append(position)
        elif rule.keep_unpaired_gold:
            ours.setdefault(label, []).append(position)
    taken = set(partner.values())
    offset = len(gold_labels)
    for system_at, label in enumerate(system_labels):
        if system_at not in taken:
            theirs.setdefault(label, []).append(offset + system_at)
    return ClusterAlignment.of(list(ours.values()), list(theirs.values()))
