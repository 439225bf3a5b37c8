"""From paired mentions with coreference relations to partitions over shared elements.

Each pair that is similar enough is one element of both sides; every other mention is an element of its own side.  Two
mentions on one span are two elements, so double annotation does no harm here.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import count
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


def cluster_labels(document: Document) -> array[int]:
    """For every mention, in file order, the cluster it is in: a relation, by position, or behind these one by itself."""
    return array("q", map(clusters_of(document).get, document.columns.ids, count(len(document.relations))))


def has_clusters(document: Document) -> bool:
    """Whether the document has a coreference relation."""
    return any(relation.name == COREFERENCE for relation in document.relations)


def element_labels(
    alignment: Alignment, gold: Document, system: Document, rule: ChainRule
) -> tuple[array[int], array[int]]:
    """The cluster of every element on each side, -1 where the side lacks it.

    Elements are numbered as the official program writes them down: gold mentions in file order, then system mentions;
    the number of one that has a partner belongs to no element.
    """
    ours, theirs = cluster_labels(gold), cluster_labels(system)
    of_partners = _ABSENT * len(ours)
    for gold_at, system_at, similarity in alignment.pairs:
        if similarity >= rule.threshold:
            of_partners[gold_at], theirs[system_at] = theirs[system_at], -1
    if not rule.keep_unpaired_gold:
        ours = array("q", [own if other >= 0 else -1 for own, other in zip(ours, of_partners, strict=True)])
    return ours + _ABSENT * len(theirs), of_partners + theirs


_ABSENT = array("q", [-1])


def align_chains(alignment: Alignment, gold: Document, system: Document, rule: ChainRule) -> ClusterAlignment:
    """The partitions of both sides over elements; clusters stand in the order in which their first element does."""
    return ClusterAlignment.of(*map(_clusters, element_labels(alignment, gold, system, rule)))


def _clusters(labels: array[int]) -> list[list[int]]:
    clusters: dict[int, list[int]] = {}
    for element, label in enumerate(labels):
        if label >= 0:
            clusters.setdefault(label, []).append(element)
    return list(clusters.values())
