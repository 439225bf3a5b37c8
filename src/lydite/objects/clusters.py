"""Coreference as plain objects: clusters of mentions, where a mention is any hashable value."""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from lydite.formats.faults import Faults
from lydite.model import Document
from lydite.model.cluster import Partition
from lydite.objects.values import convert_each, display, to_list, wrong_value


def coref_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from its clusters."""
    clusters = plain_clusters(value, hashable=True)
    partition = Partition.numbered(clusters)
    if partition.digest_of_spans is None and not _are_hashable(clusters):
        partition = Partition.numbered(_make_hashable(clusters))
    return Document(doc_id, path=path, layers={"clusters": partition})


_KINDS = (list, tuple, set, frozenset)
_COLLECTIONS = {*_KINDS}
_VALUES = {int, str, float}


def are_plain(documents: Iterable[object]) -> bool:
    """Whether all documents are lists of clusters that need no conversion, provided that their mentions can be hashed."""
    if "torch" in sys.modules:
        return False
    given = [*documents]
    if set(map(type, given)) != {list}:
        return False
    clusters = [*chain.from_iterable(cast("list[list[object]]", given))]
    return _COLLECTIONS.issuperset(map(type, clusters)) and all(clusters)


def plain_clusters(value: object, *, hashable: bool = False) -> list[Collection[Hashable]]:
    """Convert clusters so that mentions with the same meaning are equal: lists and tensors become tuples and ints.

    Empty clusters are left out.  A mapping is refused: its clusters might be its keys or its values.  With ``hashable``
    the caller will deal with mentions that cannot be hashed.
    """
    clusters = value if type(value) is list else _as_list(value)
    if not _COLLECTIONS.issuperset(map(type, clusters)) or _need_change(clusters, hashable=hashable):
        return _make_hashable(clusters)
    return clusters if all(clusters) else [cluster for cluster in clusters if cluster]


def _as_list(value: object) -> list[Any]:
    if isinstance(value, Mapping):
        raise Faults(
            ": expected clusters as lists of mentions, found a dict; give its values(), if those are the clusters"
        )
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise Faults(f": expected clusters as lists of mentions, found {display(value)}")
    return list(value)


def _need_change(clusters: Sequence[Collection[Any]], *, hashable: bool) -> bool:
    """Whether a mention cannot be hashed, or may be a tensor, whose hash does not depend on its value."""
    if "torch" not in sys.modules:
        return not (hashable or _are_hashable(clusters))
    kinds = set(map(type, chain.from_iterable(clusters)))
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(chain.from_iterable(clusters))))
    return not kinds <= _VALUES


def _are_hashable(clusters: Iterable[Collection[object]]) -> bool:
    try:
        hash(tuple(chain.from_iterable(clusters)))
    except TypeError:
        return False
    return True


def _make_hashable(clusters: Iterable[object]) -> list[Collection[Hashable]]:
    return [cluster for cluster in convert_each(_cluster, clusters, ".clusters") if cluster]


def _cluster(value: object, where: str) -> tuple[Hashable, ...]:
    mentions: Iterable[object] = value if isinstance(value, _KINDS) else to_list(value, where, "mentions")
    try:
        return tuple(map(_to_hashable, mentions))
    except TypeError:
        # A second time, to find the places of mentions that cannot be hashed.
        return tuple(convert_each(_mention, mentions, where))


def _mention(value: object, where: str) -> Hashable:
    try:
        return _to_hashable(value)
    except TypeError:
        raise wrong_value(where, "a mention that can be hashed", value) from None


def _to_hashable(mention: object) -> Hashable:
    """The mention as plain, hashable values: ``[0, 1]`` becomes ``(0, 1)``, an array or tensor its content."""
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, list | tuple):
        return tuple(map(_to_hashable, mention))
    hash(mention)
    found: Hashable = mention
    return found
