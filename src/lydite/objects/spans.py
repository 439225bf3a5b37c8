"""Labelled spans as plain objects: tags of tokens, or spans with a label."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.formats.faults import Faults
from lydite.formats.spans_jsonl import span_of, tags_of, words_of
from lydite.model import Document, Mention
from lydite.model.tags import TAGS_LAYER
from lydite.objects.values import check_keys, convert_each, to_list, to_text


def span_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from tags (``["B-PER", "O"]``, or a list of sentences), or from spans (``(start, end, label)``)."""
    if type(value) is list and value and type(value[0]) is str:
        return Document(doc_id, path=path, layers={TAGS_LAYER: tags_of(value, ".tags")})
    if isinstance(value, Mapping):
        return _document_from_mapping(doc_id, value, path)
    items = to_list(value, ".spans", "tags or spans")
    if items and _are_tags(items[0]):
        return Document(doc_id, path=path, layers={TAGS_LAYER: tags_of(items, ".tags")})
    mentions = convert_each(_span, items, ".spans")
    named = tuple(one if one.id else one._replace(id=f"T{at}") for at, one in enumerate(mentions, 1))
    return Document(doc_id, named, path=path)


def _document_from_mapping(doc_id: str, record: Mapping[str, object], path: str) -> Document:
    if ("tags" in record) == ("spans" in record):
        raise Faults(": expected a key 'tags' or a key 'spans'")
    check_keys(record, "", ("tags", "spans", "tokens", "text"))
    document = span_document(doc_id, record["tags"] if "tags" in record else record["spans"], path)
    words = None if record.get("text") is None else to_text(record["text"], ".text")
    if "tags" not in record:
        return document._replace(text=words)
    given = record.get("tokens")
    try:
        listed_words = {} if given is None else {"tokens": to_list(given, "", "words")}
        tokens = words_of(listed_words, document.layers.get(TAGS_LAYER, ()))
    except Faults as fault:
        raise Faults(f".tokens: {fault}") from None
    return document._replace(text=words, tokens=tokens)


def _are_tags(first: object) -> bool:
    return isinstance(first, str) or (
        isinstance(first, list | tuple)
        and not isinstance(first, Mention)
        and all(isinstance(one, str) for one in first)
    )


def _span(value: object, where: str) -> Mention:
    return value if isinstance(value, Mention) else span_of(value, where)
