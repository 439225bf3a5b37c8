"""Event nuggets as plain objects: mentions as mappings or tuples, clusters and links by their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from lydite.formats.faults import Faults, collect
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.objects.values import check_keys, each, finite, listed, name, pair, refuse, span, text, whole

_MENTION = ("start", "end", "spans", "type", "realis", "id", "text", "confidence")
_LINKS = {"clusters": COREFERENCE, "after": AFTER, "subevent": SUBEVENT}


def nugget_document(doc_id: str, value: object, path: str) -> Document:
    """A document from its mentions, or from a mapping with ``mentions``, ``clusters``, ``after`` and ``subevent``."""
    if not isinstance(value, Mapping):
        return Document(doc_id, _mentions(value), path=path)
    _, mentions, words, *relations = collect(
        partial(check_keys, value, "", ("mentions", *_LINKS, "text"), ("mentions",)),
        partial(_mentions, value.get("mentions", ())),
        lambda: None if value.get("text") is None else text(value["text"], ".text"),
        *(partial(_relations, value.get(key, ()), key, name) for key, name in _LINKS.items()),
    )
    known = {mention.id for mention in mentions}
    strangers = [
        f".{key}: no mention has the id {member!r}"
        for key, group in zip(_LINKS, relations, strict=True)
        for member in dict.fromkeys(member for one in group for member in one.members)
        if member not in known
    ]
    if strangers:
        raise Faults(*strangers)
    # A cluster of one mention says nothing.
    found = tuple(one for group in relations for one in group if len(one.members) > 1)
    return Document(doc_id, mentions, found, path, text=words)


def _mentions(value: object) -> tuple[Mention, ...]:
    found = each(_mention, listed(value, ".mentions", "mentions"), ".mentions")
    given = {mention.id for mention in found}
    return tuple(
        mention if mention.id else mention._replace(id=_free_id(number, given))
        for number, mention in enumerate(found, 1)
    )


def _free_id(number: int, given: Collection[str]) -> str:
    """The id of a mention that came without one, and that no other mention came with."""
    free = f"E{number}"
    while free in given:
        free += "'"
    return free


def _mention(value: object, where: str) -> Mention:
    if isinstance(value, Mention):
        return value
    if isinstance(value, Mapping):
        return _from_mapping(value, where)
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) in {3, 4}:
        start, end, *names = value
        place, kind, *realis = collect(
            partial(span, start, end, where),
            *(
                partial(text, name, f"{where}.{key}")
                for name, key in zip(names, ("type", "realis"), strict=False)
            ),
        )
        return Mention("", Span((place,)), type=kind, realis=realis[0] if realis else "")
    raise refuse(where, "a dict or (start, end, type[, realis])", value)


def _from_mapping(value: Mapping[str, object], where: str) -> Mention:
    needed = ("spans", "type") if "spans" in value else ("start", "end", "type")
    _, place, kind, realis, own, words, sure = collect(
        partial(check_keys, value, where, _MENTION, needed),
        partial(_place, value, where),
        *(partial(text, value.get(key, ""), f"{where}.{key}") for key in ("type", "realis")),
        lambda: "" if value.get("id") is None else name(value["id"], f"{where}.id"),
        partial(text, value.get("text", ""), f"{where}.text"),
        lambda: None if (sure := value.get("confidence")) is None else finite(sure, f"{where}.confidence"),
    )
    return Mention(own, place, words, kind, realis, () if sure is None else (repr(sure),))


def _place(held: Mapping[str, object], where: str) -> Span:
    if "spans" not in held:
        if "start" in held and "end" in held:
            return Span((span(held["start"], held["end"], where),))
        return Span(tuple((0, whole(held[key], f"{where}.{key}")) for key in ("start", "end") if key in held))
    if "start" in held or "end" in held:
        raise Faults(f"{where}: expected start and end, or spans, found both")
    found = each(pair, listed(held["spans"], f"{where}.spans", "(start, end)"), f"{where}.spans")
    if not found:
        raise refuse(f"{where}.spans", "at least one (start, end)", held["spans"])
    return Span(tuple(found))


def _relations(value: object, key: str, of: str) -> Iterable[Relation]:
    groups = each(_members, listed(value, f".{key}", "lists of mention ids"), f".{key}")
    if of != COREFERENCE:
        odd = [
            f".{key}[{at}]: expected two mention ids, found {len(ids)}"
            for at, ids in enumerate(groups)
            if len(ids) != 2
        ]
        if odd:
            raise Faults(*odd)
    return [Relation(of, f"{of[0]}{number}", ids) for number, ids in enumerate(groups, 1)]


def _members(value: object, where: str) -> tuple[str, ...]:
    return tuple(each(name, listed(value, where, "mention ids"), where))
