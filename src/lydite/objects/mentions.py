"""Event nuggets as plain objects: mentions as mappings or tuples, clusters and links by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lydite.formats.faults import Faults
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.objects.values import (
    check_keys,
    convert_each,
    to_id,
    to_list,
    to_number,
    to_range,
    to_span,
    to_text,
    wrong_value,
)

_MENTION_KEYS = ("start", "end", "spans", "type", "realis", "id", "text", "confidence")
_LINKS = {"clusters": COREFERENCE, "after": AFTER, "subevent": SUBEVENT}


def nugget_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from its mentions, or from a mapping with ``mentions``, ``clusters``, ``after`` and ``subevent``."""
    if not isinstance(value, Mapping):
        return Document(doc_id, _mentions(value), path=path)
    check_keys(value, "", ("mentions", *_LINKS, "text"), ("mentions",))
    mentions = _mentions(value.get("mentions", ()))
    source_text = None if value.get("text") is None else to_text(value["text"], ".text")
    known = {mention.id for mention in mentions}
    useful: list[Relation] = []
    for key, name in _LINKS.items():
        for relation in _relations(value.get(key, ()), key, name):
            for member in relation.members:
                if member not in known:
                    raise Faults(f".{key}: no mention has the id {member!r}")
            if len(relation.members) > 1:  # a cluster of one mention relates nothing
                useful.append(relation)
    return Document(doc_id, mentions, tuple(useful), path, text=source_text)


def _mentions(value: object) -> tuple[Mention, ...]:
    mentions = convert_each(_mention, to_list(value, ".mentions", "mentions"), ".mentions")
    used = {mention.id for mention in mentions}
    named = []
    for number, mention in enumerate(mentions, 1):
        own_id = mention.id or f"E{number}"
        while not mention.id and own_id in used:
            own_id += "'"
        named.append(mention._replace(id=own_id))
    return tuple(named)


def _mention(value: object, where: str) -> Mention:
    if isinstance(value, Mention):
        return value
    if isinstance(value, Mapping):
        return _mention_from_mapping(value, where)
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) in {3, 4}:
        start, end, *names = value
        span = Span((to_span(start, end, where),))
        kind, *realis = [
            to_text(name, f"{where}.{key}") for name, key in zip(names, ("type", "realis"), strict=False)
        ]
        return Mention("", span, type=kind, realis=realis[0] if realis else "")
    raise wrong_value(where, "a dict or (start, end, type[, realis])", value)


def _mention_from_mapping(value: Mapping[str, object], where: str) -> Mention:
    needed = ("spans", "type") if "spans" in value else ("start", "end", "type")
    check_keys(value, where, _MENTION_KEYS, needed)
    span = _span_of(value, where)
    kind, realis, words = (
        to_text(value.get(key, ""), f"{where}.{key}") for key in ("type", "realis", "text")
    )
    own = "" if value.get("id") is None else to_id(value["id"], f"{where}.id")
    sure = value.get("confidence")
    confidences = () if sure is None else (repr(to_number(sure, f"{where}.confidence")),)
    return Mention(own, span, words, kind, realis, confidences)


def _span_of(record: Mapping[str, object], where: str) -> Span:
    if "spans" not in record:
        return Span((to_span(record["start"], record["end"], where),))
    if "start" in record or "end" in record:
        raise Faults(f"{where}: expected start and end, or spans, found both")
    place = f"{where}.spans"
    found = convert_each(to_range, to_list(record["spans"], place, "(start, end)"), place)
    if not found:
        raise wrong_value(place, "at least one (start, end)", record["spans"])
    return Span(tuple(found))


def _relations(value: object, key: str, of: str) -> Iterable[Relation]:
    groups = []
    for at, ids in enumerate(to_list(value, f".{key}", "lists of mention ids")):
        where = f".{key}[{at}]"
        groups.append(tuple(convert_each(to_id, to_list(ids, where, "mention ids"), where)))
    if of != COREFERENCE:
        for at, ids in enumerate(groups):
            if len(ids) != 2:
                raise Faults(f".{key}[{at}]: expected two mention ids, found {len(ids)}")
    return [Relation(of, f"{of[0]}{number}", ids) for number, ids in enumerate(groups, 1)]
