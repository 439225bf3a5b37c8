"""Coreference as plain objects: clusters of mentions, where a mention is any hashable value."""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from lydite.formats.faults import Faults
from lydite.model import Document
from lydite.model.cluster import Partition
from lydite.objects.values import each, listed, refuse, shown


def coref_document(doc_id: str, value: object, path: str) -> Document:
    """A document from its clusters."""
    clusters = plain_clusters(value, hashable=True)
    partition = Partition.numbered(clusters)
    if partition.digest_of_spans is None and not _can_be_hashed(clusters):
        partition = Partition.numbered(_made_hashable(clusters))
    return Document(doc_id, path=path, layers={"clusters": partition})


_KINDS = (list, tuple, set, frozenset)
_COLLECTIONS = {*_KINDS}
_VALUES = {int, str, float}


def are_plain(documents: Iterable[object]) -> bool:
    """Whether all documents are lists of clusters that need no change, if their mentions can be hashed."""
    if "torch" in sys.modules:
        return False
    given = [*documents]
    if set(map(type, given)) != {list}:
        return False
    clusters = [*chain.from_iterable(cast("list[list[object]]", given))]
    return _COLLECTIONS.issuperset(map(type, clusters)) and all(clusters)


def plain_clusters(value: object, *, hashable: bool = False) -> list[Collection[Hashable]]:
    """Clusters of mentions that are equal where they mean the same: lists and tensors become tuples and ints.

    Empty clusters are left out.  A mapping is refused: its keys are no clusters, and nobody says whether its keys or
    its values hold the mentions.  ``hashable`` says that the caller will notice mentions that cannot be hashed.
    """
    clusters = value if type(value) is list else _listed(value)
    if not _COLLECTIONS.issuperset(map(type, clusters)) or _needs_change(clusters, hashable=hashable):
        return _made_hashable(clusters)
    return clusters if all(clusters) else [cluster for cluster in clusters if cluster]


def _listed(value: object) -> list[Any]:
    if isinstance(value, Mapping):
        raise Faults(
            ": expected clusters as lists of mentions, found a dict; give its values(), if those are the clusters"
        )
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise Faults(f": expected clusters as lists of mentions, found {shown(value)}")
    return list(value)


def _needs_change(clusters: Sequence[Collection[Any]], *, hashable: bool) -> bool:
    """Whether a mention cannot be hashed, or may be a tensor, whose hash says nothing about its value."""
    if "torch" not in sys.modules:
        return not (hashable or _can_be_hashed(clusters))
    kinds = set(map(type, chain.from_iterable(clusters)))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(chain.from_iterable(clusters))))
    return not kinds <= _VALUES


def _can_be_hashed(clusters: Iterable[Collection[object]]) -> bool:
    try:
        hash(tuple(chain.from_iterable(clusters)))
    except TypeError:
        return False
    return True


def _made_hashable(clusters: Iterable[object]) -> list[Collection[Hashable]]:
    return [cluster for cluster in each(_cluster, clusters, ".clusters") if cluster]


def _cluster(value: object, where: str) -> tuple[Hashable, ...]:
    mentions: Iterable[object] = value if isinstance(value, _KINDS) else listed(value, where, "mentions")
    try:
        return tuple(map(_value, mentions))
    except TypeError:
        # Once more, for the places of those that cannot be hashed.
        return tuple(each(_mention, mentions, where))


def _mention(value: object, where: str) -> Hashable:
    try:
        return _value(value)
    except TypeError:
        raise refuse(where, "a mention that can be hashed", value) from None


def _value(mention: object) -> Hashable:
    """The mention as Python's own values: JSON's ``[0, 1]`` is ``(0, 1)``, an array or tensor what it holds."""
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, list | tuple):
        return tuple(map(_value, mention))
    hash(mention)
    found: Hashable = mention
    return found
