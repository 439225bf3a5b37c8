"""Triples as plain objects: ``(first, relation, second)``, where an element is an id or a set of ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from lydite.formats.faults import Faults
from lydite.model import Document
from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement
from lydite.objects.values import check_keys, convert_each, to_list, to_text, wrong_value

_TRIPLE_KEYS = ("first", "relation", "second", "id", "layer", "profile_id")


def triple_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from its triples."""
    items = to_list(value, ".triples", "(first, relation, second)")
    return Document(doc_id, path=path, layers={"triples": tuple(convert_each(_triple, items, ".triples"))})


def _triple(value: object, where: str) -> Triple:
    if isinstance(value, Triple):
        return value
    if isinstance(value, Mapping):
        check_keys(value, where, _TRIPLE_KEYS, ("relation",))
        parts = {key: value[key] for key in ("id", "layer", "profile_id") if key in value}
        first, relation, second = (
            value.get(key, default) for key, default in (("first", ()), ("relation", ""), ("second", ()))
        )
    elif isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 3:
        parts = {}
        first, relation, second = value
    else:
        raise wrong_value(where, "(first, relation, second)", value)
    name = to_text(relation, f"{where}.relation").strip()
    elements = _element(first, f"{where}.first"), _element(second, f"{where}.second")
    texts: dict[str, Any] = {key: to_text(part, f"{where}.{key}") for key, part in parts.items()}
    return Triple(name, *elements, **texts)


def _element(value: object, where: str) -> TripleElement:
    """An element from one id or several; those of a set are sorted, so that every run gives the same."""
    if isinstance(value, TripleElement):
        return value
    if isinstance(value, str):
        value = value.strip()
        return TripleElement((value,)) if value else EMPTY_ELEMENT
    if value is None:
        return EMPTY_ELEMENT
    ids = convert_each(to_text, to_list(value, where, "ids"), where)
    if isinstance(value, AbstractSet):
        ids = sorted(ids)
    distinct = tuple(dict.fromkeys(one.strip() for one in ids))
    if "" in distinct:
        raise Faults(f"{where}: expected ids, found an empty one")
    return TripleElement(distinct)
