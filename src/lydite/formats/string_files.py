"""Entities, relations and events by their words, as JSON lines; offsets may be there and are kept.

::

    {"doc_id": "d1", "text": "…", "entities": [{"text": "Orla Finch", "label": "PER", "aliases": ["Finch"]}]}
    {"doc_id": "d2", "entities": {"PER": ["Orla Finch"]}}
    {"doc_id": "d3", "relations": [{"head": "Finch", "type": "lives in", "tail": ["Velden", "the town"]}]}
    {"doc_id": "d4", "events": [{"type": "Meet", "trigger": "met", "arguments": {"place": "Velden"}}]}
    {"doc_id": "d5", "output": "PER: Orla Finch; LOC: Velden"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import NONE_FOUND, document_name, has_keys, parsed_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.record_files import ID_KEYS
from lydite.formats.source import Source
from lydite.model import Corpus, Document
from lydite.model.string_items import STRINGS_LAYER, StringEntity, StringEvent, StringItems, StringRelation
from lydite.numerals import is_whole

CODE = "bad-string-line"
RELATION_KEYS = ("relations", "triples")
EVENT_KEYS = ("events", "event_list")


def read(name: str, source: Source, _options: Options) -> Corpus:
    """All documents; bad lines are refused, all at once."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    for place, document in parsed_lines(source, _parse_line, findings, CODE):
        if document.doc_id in documents:
            message = f"document {document.doc_id!r} occurs twice"
            findings.append(Finding("repeated-document", "error", message, place.location, document.doc_id))
        documents[document.doc_id] = document._replace(path=place.part.path, line=place.line)
    if not documents and not findings:
        findings.append(Finding("no-document", "error", NONE_FOUND, Location(source.parts[0].path, 1)))
    if findings:
        raise FormatError(findings)
    return corpus_of(source, name, documents, sha256=source.sha256(), facts={"folder": len(documents) > 1})


def _parse_line(line: bytes, number: int) -> Document:
    try:
        data = json_object(line)
    except NotJSONError as error:
        raise Faults(f"expected a JSON object, found: {error}") from None
    named = next((data[key] for key in ID_KEYS if key in data), None)
    doc_id = document_name(named)
    if doc_id is None:
        raise Faults(f"expected a text or a number as the id of the document, found {named!r:.60}")
    text = data.get("text")
    items = StringItems(
        tuple(_entities(data.get("entities"), number)),
        tuple(map(_relation, _listed(data, RELATION_KEYS))),
        tuple(map(_event, _listed(data, EVENT_KEYS))),
        _optional_text(data.get("output"), "output"),
    )
    return Document(doc_id, text=text if isinstance(text, str) else None, layers={STRINGS_LAYER: items})


def _optional_text(value: object, where: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise Faults(f"{where}: expected a text, found {value!r:.60}")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Faults(f"{where}: expected a text, found {value!r:.60}")
    return value


def _listed(data: Mapping[str, object], keys: tuple[str, ...]) -> list[tuple[object, str]]:
    """The items of a list, each with its place."""
    key = next((key for key in keys if data.get(key) is not None), keys[0])
    items = data.get(key) or []
    if not isinstance(items, list):
        raise Faults(f"{key}: expected a list, found {items!r:.60}")
    return [(one, f"{key}[{at}]") for at, one in enumerate(items)]


def _fields(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Faults(f"{where}: expected an object, found {value!r:.60}")
    return value


def _first(fields: Mapping[str, object], keys: tuple[str, ...], where: str) -> object:
    """What stands under the first of these keys that is there."""
    for key in keys:
        if key in fields:
            return fields[key]
    raise Faults(
        f"{where}: expected a key {' or '.join(map(repr, keys))}, found {', '.join(fields) or 'none':.60}"
    )


def _entities(value: object, line: int) -> Iterator[StringEntity]:
    if isinstance(value, dict):
        for label, texts in value.items():
            for at, text in enumerate(texts if isinstance(texts, list) else [texts]):
                yield StringEntity(label, (_text(text, f"entities.{label}[{at}]"),), line=line)
        return
    yield from map(partial(_entity, line=line), _listed({"entities": value}, ("entities",)))


def _entity(item: tuple[object, str], line: int) -> StringEntity:
    value, where = item
    fields = _fields(value, where)
    label = _text(_first(fields, ("label", "type"), where), f"{where}.label")
    text = _text(_first(fields, ("text",), where), f"{where}.text")
    aliases = fields.get("aliases") or []
    if not isinstance(aliases, list):
        raise Faults(f"{where}.aliases: expected a list of texts, found {aliases!r:.60}")
    others = [_text(one, f"{where}.aliases[{at}]") for at, one in enumerate(aliases)]
    start, end = fields.get("start"), fields.get("end")
    if start is None and end is None:
        return StringEntity(label, (text, *others), line=line)
    if not (is_whole(start) and is_whole(end) and 0 <= start < end):
        raise Faults(f"{where}: expected whole numbers 0 ≤ start < end, found {start!r:.20} and {end!r:.20}")
    return StringEntity(label, (text, *others), start, end, line)


def _relation(item: tuple[object, str]) -> StringRelation:
    value, where = item
    fields = _fields(value, where)
    kind = _text(_first(fields, ("type", "relation", "predicate", "label"), where), f"{where}.type")
    ends = [
        (_first(fields, keys, where), f"{where}.{keys[0]}")
        for keys in (("head", "subject"), ("tail", "object"))
    ]
    head, tail = (_forms(end, place) for end, place in ends)
    types = [_optional_text(fields.get(key), f"{where}.{key}") or "" for key in ("head_type", "tail_type")]
    return StringRelation(kind, head, tail, *types)


def _forms(value: object, where: str) -> tuple[str, ...]:
    """The strings of an end: a string, an object with ``text``, or a list of alternatives."""
    if isinstance(value, list):
        return tuple(form for at, one in enumerate(value) for form in _forms(one, f"{where}[{at}]"))
    if isinstance(value, dict):
        return (_text(value.get("text"), f"{where}.text"),)
    return (_text(value, where),)


def _event(item: tuple[object, str]) -> StringEvent:
    value, where = item
    fields = _fields(value, where)
    kind = _text(_first(fields, ("type", "event_type"), where), f"{where}.type")
    trigger = fields.get("trigger")
    words = _forms(trigger, f"{where}.trigger")[0] if trigger is not None else None
    return StringEvent(kind, words, tuple(_arguments(fields.get("arguments"), f"{where}.arguments")))


def _arguments(value: object, where: str) -> Iterator[tuple[str, str]]:
    """Role and string of each argument, from an object of roles or a list of arguments."""
    if isinstance(value, dict):
        for role, fillers in value.items():
            for at, one in enumerate(fillers if isinstance(fillers, list) else [fillers]):
                if one is not None:
                    yield role, _forms(one, f"{where}.{role}[{at}]")[0]
        return
    for at, one in enumerate(value if isinstance(value, list) else []):
        fields = _fields(one, f"{where}[{at}]")
        role = _text(_first(fields, ("role",), f"{where}[{at}]"), f"{where}[{at}].role")
        yield (
            role,
            _forms(_first(fields, ("argument", "text"), f"{where}[{at}]"), f"{where}[{at}].argument")[0],
        )


def write(corpus: Corpus) -> bytes:
    """One line per document with the items that it has."""
    lines = []
    for document in corpus.documents.values():
        items = document.layers.get(STRINGS_LAYER, StringItems())
        line: dict[str, object] = {"doc_id": document.doc_id}
        if document.text is not None:
            line["text"] = document.text
        if items.output is not None:
            line["output"] = items.output
        else:
            line["entities"] = [_entity_object(one) for one in items.entities]
            line["relations"] = [_relation_object(one) for one in items.relations]
            line["events"] = [_event_object(one) for one in items.events]
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "surrogatepass")


def _entity_object(one: StringEntity) -> dict[str, object]:
    place = {} if one.start is None else {"start": one.start, "end": one.end}
    aliases = {"aliases": one.forms[1:]} if len(one.forms) > 1 else {}
    return {"text": one.forms[0], "label": one.label, **place, **aliases}


def _relation_object(one: StringRelation) -> dict[str, object]:
    types = {"head_type": one.head_type, "tail_type": one.tail_type}
    return {
        "head": one.head,
        "type": one.type,
        "tail": one.tail,
        **{key: name for key, name in types.items() if name},
    }


def _event_object(one: StringEvent) -> dict[str, object]:
    trigger = {} if one.trigger is None else {"trigger": one.trigger}
    arguments = [{"role": role, "argument": words} for role, words in one.arguments]
    return {"type": one.type, **trigger, "arguments": arguments}


_NAMES = json_names(
    "doc_id docid doc key id text output entities label type aliases start end relations triples relation predicate head "
    "subject tail object head_type tail_type events event_list event_type trigger arguments role argument",
    free_under="entities arguments",
)


def _format(name: str, title: str, task: str, *keys: bytes) -> Format:
    return Format(
        name=name,
        title=title,
        extensions=(".jsonl",),
        tasks=(task,),
        recognise=lambda head: has_keys(head, one_of=keys),
        read=partial(read, name),
        write=write,
        layers=(STRINGS_LAYER,),
        holds_many=True,
        needs_task=True,
        has_text=True,
        names=_NAMES,
    )


ENTITIES = _format("entities", "Entities by their words, as JSON lines", "spans", b"entities", b"output")
RELATIONS = _format(
    "relations", "Relations by their words, as JSON lines", "triples", b"relations", b"triples"
)
EVENT_STRINGS = _format(
    "event-strings", "Events by their words, as JSON lines", "arguments", b"events", b"event_list"
)
