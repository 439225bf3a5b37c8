"""Event nuggets as plain objects: mentions as mappings or tuples, clusters and links by their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from lydite.formats.faults import Faults, collect
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.objects.values import (
    check_keys,
    convert_each,
    to_id,
    to_integer,
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
    _, mentions, source_text, *relations = collect(
        partial(check_keys, value, "", ("mentions", *_LINKS, "text"), ("mentions",)),
        partial(_mentions, value.get("mentions", ())),
        lambda: None if value.get("text") is None else to_text(value["text"], ".text"),
        *(partial(_relations, value.get(key, ()), key, name) for key, name in _LINKS.items()),
    )
    known = {mention.id for mention in mentions}
    unknown_members = [
        f".{key}: no mention has the id {member!r}"
        for key, group in zip(_LINKS, relations, strict=True)
        for member in dict.fromkeys(member for one in group for member in one.members)
        if member not in known
    ]
    if unknown_members:
        raise Faults(*unknown_members)
    # A cluster of one mention relates nothing.
    useful = tuple(one for group in relations for one in group if len(one.members) > 1)
    return Document(doc_id, mentions, useful, path, text=source_text)


def _mentions(value: object) -> tuple[Mention, ...]:
    mentions = convert_each(_mention, to_list(value, ".mentions", "mentions"), ".mentions")
    used = {mention.id for mention in mentions}
    return tuple(
        mention if mention.id else mention._replace(id=_unused_id(number, used))
        for number, mention in enumerate(mentions, 1)
    )


def _unused_id(number: int, used: Collection[str]) -> str:
    """An id for a mention without one."""
    unused = f"E{number}"
    while unused in used:
        unused += "'"
    return unused


def _mention(value: object, where: str) -> Mention:
    if isinstance(value, Mention):
        return value
    if isinstance(value, Mapping):
        return _mention_from_mapping(value, where)
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) in {3, 4}:
        start, end, *names = value
        keyed = zip(names, ("type", "realis"), strict=False)
        place, kind, *realis = collect(
            partial(to_span, start, end, where),
            *(partial(to_text, name, f"{where}.{key}") for name, key in keyed),
        )
        return Mention("", Span((place,)), type=kind, realis=realis[0] if realis else "")
    raise wrong_value(where, "a dict or (start, end, type[, realis])", value)


def _mention_from_mapping(value: Mapping[str, object], where: str) -> Mention:
    needed = ("spans", "type") if "spans" in value else ("start", "end", "type")
    _, place, kind, realis, own, words, sure = collect(
        partial(check_keys, value, where, _MENTION_KEYS, needed),
        partial(_span_of, value, where),
        *(partial(to_text, value.get(key, ""), f"{where}.{key}") for key in ("type", "realis")),
        lambda: "" if value.get("id") is None else to_id(value["id"], f"{where}.id"),
        partial(to_text, value.get("text", ""), f"{where}.text"),
        lambda: None if (sure := value.get("confidence")) is None else to_number(sure, f"{where}.confidence"),
    )
    return Mention(own, place, words, kind, realis, () if sure is None else (repr(sure),))


def _span_of(record: Mapping[str, object], where: str) -> Span:
    if "spans" not in record:
        if "start" in record and "end" in record:
            return Span((to_span(record["start"], record["end"], where),))
        known = [key for key in ("start", "end") if key in record]
        return Span(tuple((0, to_integer(record[key], f"{where}.{key}")) for key in known))
    if "start" in record or "end" in record:
        raise Faults(f"{where}: expected start and end, or spans, found both")
    place = f"{where}.spans"
    found = convert_each(to_range, to_list(record["spans"], place, "(start, end)"), place)
    if not found:
        raise wrong_value(place, "at least one (start, end)", record["spans"])
    return Span(tuple(found))


def _relations(value: object, key: str, of: str) -> Iterable[Relation]:
    groups = convert_each(_member_ids, to_list(value, f".{key}", "lists of mention ids"), f".{key}")
    if of != COREFERENCE:
        odd = [
            f".{key}[{at}]: expected two mention ids, found {len(ids)}"
            for at, ids in enumerate(groups)
            if len(ids) != 2
        ]
        if odd:
            raise Faults(*odd)
    return [Relation(of, f"{of[0]}{number}", ids) for number, ids in enumerate(groups, 1)]


def _member_ids(value: object, where: str) -> tuple[str, ...]:
    return tuple(convert_each(to_id, to_list(value, where, "mention ids"), where))
