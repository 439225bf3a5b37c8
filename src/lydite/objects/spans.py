"""Labelled spans as plain objects: tags of tokens, or spans with a label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydite.formats.faults import Faults
from lydite.formats.spans_jsonl import span_of, tags_of
from lydite.model import Document, Mention
from lydite.model.tags import TAGS_LAYER
from lydite.objects.values import each, fields, listed


def span_document(doc_id: str, value: object) -> Document:
    """A document from tags (``["B-PER", "O"]``, or a list of sentences), or from spans (``(start, end, label)``)."""
    if isinstance(value, Mapping):
        held = fields(value, "", ("tags", "spans", "tokens", "text"))
        if ("tags" in held) == ("spans" in held):
            raise Faults(": expected a key 'tags' or a key 'spans'")
        return span_document(doc_id, held["tags"] if "tags" in held else held["spans"])
    items = listed(value, ".spans", "tags or spans")
    if items and _are_tags(items[0]):
        try:
            return Document(doc_id, layers={TAGS_LAYER: tags_of(items, ".tags")})
        except Faults as faults:
            raise Faults(*faults.args) from None
    mentions = each(_span, items, ".spans")
    return Document(doc_id, tuple(one._replace(id=f"T{at}") for at, one in enumerate(mentions, 1)))


def _are_tags(first: Any) -> bool:
    return isinstance(first, str) or (
        isinstance(first, list | tuple)
        and not isinstance(first, Mention)
        and all(isinstance(one, str) for one in first)
    )


def _span(value: Any, where: str) -> Mention:
    return value if isinstance(value, Mention) else span_of(value, where)
