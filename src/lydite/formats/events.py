"""Events with triggers and arguments as JSON lines, as event extraction commonly has them.

One document per line::

    {"doc_id": "d1", "events": [{"type": "Conflict.Attack", "trigger": [10, 16], "realis": "Actual",
     "arguments": [{"role": "Attacker", "span": [0, 9], "head": [4, 9]}]}]}

Spans are half-open character ranges ``[begin, end]``, or lists of them for discontinuous ones; ``head`` is optional,
for triggers under ``trigger_head``.  ``text`` of an event or argument are the words of its trigger or filler; where the
span is missing, the words have no place in the text yet.  ``text`` of a document is its source text.  A document may
stand on several lines; their events are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from lydite.errors import Finding, Location
from lydite.formats.base import Format, Options, corpus_of, list_option
from lydite.formats.faults import Faults
from lydite.formats.json_lines import first_line, joined_files, parsed_lines
from lydite.formats.json_paths import paths_of, standard_record
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.source import Source, SourcePart
from lydite.formats.unplaced import find_unplaced
from lydite.model import Corpus, Document
from lydite.model.argument import Event, EventArgument, Range
from lydite.model.document import Facts
from lydite.numerals import WHOLE, is_whole

LAYER: Final = "events"
_EVENT_KEYS = frozenset({"type", "trigger", "trigger_head", "realis", "arguments", "id", "text"})
_DOCUMENT_KEYS = frozenset({"doc_id", "events", "text"})
_ARGUMENT_KEYS = frozenset({"role", "span", "head", "text", "id"})


def _ranges(value: object, where: str) -> tuple[Range, ...]:
    if isinstance(value, list) and len(value) == 2 and all(is_whole(part) for part in value):
        value = [value]
    if not isinstance(value, list) or not value:
        raise Faults(f"{where}: expected a span [begin, end] or a list of spans, found {value!r:.60}")
    ranges: list[Range] = []
    for part in value:
        if not (isinstance(part, list) and len(part) == 2 and all(map(is_whole, part))):
            raise Faults(f"{where}: expected a span [begin, end], each {WHOLE}, found {part!r:.60}")
        begin, end = part
        if not 0 <= begin < end:
            raise Faults(f"{where}: expected 0 ≤ begin < end, found [{begin}, {end}]")
        ranges.append((begin, end))
    return tuple(sorted(set(ranges)))


def _object(value: object, where: str, allowed: frozenset[str], needed: Iterable[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Faults(f"{where}: expected an object, found {value!r}")
    for key in value:
        if key not in allowed:
            raise Faults(f"{where}: unknown key {key!r}; known: {', '.join(sorted(allowed))}")
    for key in needed:
        if key not in value:
            raise Faults(f"{where}: the key {key!r} is missing")
    return value


def _name(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise Faults(f"{where}: expected a name, found {value!r}")
    return value


def _words(fields: Mapping[str, object], where: str) -> str:
    value = fields.get("text") or ""
    if not isinstance(value, str):
        raise Faults(f"{where}.text: expected words, found {value!r}")
    return value


def _place(fields: Mapping[str, object], key: str, words: str, where: str) -> tuple[Range, ...]:
    """The span under a key; it may be missing where there are words."""
    if fields.get(key) is None:
        if not words.strip():
            raise Faults(f"{where}: expected {key!r}, or words under 'text', found neither")
        return ()
    return _ranges(fields[key], f"{where}.{key}")


def _parse_argument(value: object, where: str) -> EventArgument:
    fields = _object(value, where, _ARGUMENT_KEYS, ("role",))
    words = _words(fields, where)
    role = _name(fields["role"], f"{where}.role")
    return EventArgument(role, _place(fields, "span", words, where), _head(fields, "head", where), words)


def _head(fields: Mapping[str, object], key: str, where: str) -> tuple[Range, ...]:
    return _ranges(fields[key], f"{where}.{key}") if fields.get(key) else ()


def event_of(value: object, where: str, line: int) -> Event:
    """The event of an object; raises :class:`Faults` with the place of what is wrong."""
    fields = _object(value, where, _EVENT_KEYS, ("type",))
    arguments = fields.get("arguments", [])
    if not isinstance(arguments, list):
        raise Faults(f"{where}.arguments: expected a list, found {arguments!r}")
    words = _words(fields, where)
    kind = _name(fields["type"], f"{where}.type")
    trigger = _place(fields, "trigger", words, where)
    head = _head(fields, "trigger_head", where)
    parsed = tuple(_parse_argument(one, f"{where}.arguments[{at}]") for at, one in enumerate(arguments))
    return Event(kind, trigger, parsed, head, str(fields.get("realis") or ""), line, words)


def _parse_line(
    paths: Mapping[str, str], mapped: list[int], has_arguments: list[bool], line: bytes, number: int
) -> tuple[str, str | None, tuple[Event, ...]]:
    """The document, its text if it has one, and its events; ``mapped`` gets the number of a mapped line, ``has_arguments`` a value for each mapped event."""
    try:
        value = json_value(line)
    except NotJSONError as error:
        raise Faults(f"not a JSON object on one line: {error}") from None
    if paths and not _is_standard(value):
        mapped.append(number)
        value = standard_record(value, paths)
        has_arguments += ["arguments" in event for event in value["events"]]
    fields = _object(value, "document", _DOCUMENT_KEYS, ("doc_id", "events"))
    events = fields["events"]
    if not isinstance(events, list):
        raise Faults(f"events: expected a list, found {events!r}")
    doc_id, text = _name(fields["doc_id"], "doc_id"), _words(fields, "document") or None
    return doc_id, text, tuple(event_of(one, f"events[{at}]", number) for at, one in enumerate(events))


def _is_standard(value: object) -> bool:
    """Whether a record has the keys of this format, so that it is not mapped: gold may have another form than output."""
    events = value.get("events") if isinstance(value, dict) and value.keys() <= _DOCUMENT_KEYS else None
    return isinstance(events, list) and all(
        isinstance(one, dict) and "type" in one and one.keys() <= _EVENT_KEYS for one in events
    )


def read_events(source: Source, options: Options) -> Corpus:
    """All documents; a line that cannot be read is a finding, the next one is read all the same."""
    events: dict[str, tuple[Event, ...]] = {}
    texts: dict[str, str] = {}
    first: dict[str, int] = {}
    files: dict[str, SourcePart] = {}
    findings: list[Finding] = []
    paths = paths_of(list_option(options, "map"))
    mapped: list[int] = []
    has_arguments: list[bool] = []
    parse = partial(_parse_line, paths, mapped, has_arguments)
    for place, (doc_id, text, found) in parsed_lines(source, parse, findings, "event-line"):
        events[doc_id] = (*events.get(doc_id, ()), *found)
        first.setdefault(doc_id, place.line)
        findings.extend(joined_files(files, doc_id, place))
        if text is not None and texts.setdefault(doc_id, text) != text:
            message = (
                f"document {doc_id!r} has another text than on an earlier line, and offsets count in one text"
            )
            hint = "a line for each sentence? give each a document of its own"
            findings.append(Finding("event-line", "error", message, place.location, doc_id, hint=hint))
    if "arguments" in paths and has_arguments and not any(has_arguments):
        message = f"no event has anything at {paths['arguments']!r} for arguments"
        findings.append(Finding("event-line", "warning", message, Location(source.path)))
    documents = {}
    for doc_id, found in events.items():
        document = Document(
            doc_id, path=source.path, line=first[doc_id], text=texts.get(doc_id), layers={LAYER: found}
        )
        documents[doc_id] = document._replace(findings=tuple(find_unplaced(document)))
    facts: Facts = {"mapped": bool(mapped)}
    return corpus_of(source, "events", documents, findings=findings, facts=facts)


def write(corpus: Corpus) -> bytes:
    """One line per document; a span of one range is written as such."""
    lines = []
    for document in corpus.documents.values():
        entry: dict[str, object] = {"doc_id": document.doc_id}
        if document.text:
            entry["text"] = document.text
        entry["events"] = [_event_record(event) for event in document.layers.get(LAYER, ())]
        lines.append(_encoded(entry))
    return b"".join(lines)


def _encoded(entry: Mapping[str, object]) -> bytes:
    import json

    try:
        return f"{json.dumps(entry, ensure_ascii=False)}\n".encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can hold and UTF-8 cannot
        return f"{json.dumps(entry)}\n".encode("ascii")


def _event_record(event: Event) -> dict[str, object]:
    values = {
        "trigger": _spans(event.trigger),
        "text": event.text,
        "trigger_head": _spans(event.head),
        "realis": event.realis,
        "arguments": [
            {
                "role": one.role,
                **_filled({"span": _spans(one.span), "head": _spans(one.head), "text": one.text}),
            }
            for one in event.arguments
        ],
    }
    return {"type": event.type, **_filled(values)}


def _filled(values: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in values.items() if value}


def _spans(ranges: tuple[Range, ...]) -> list[object]:
    return list(ranges[0]) if len(ranges) == 1 else [list(one) for one in ranges]


def _recognise(head: bytes) -> bool:
    return first_line(head).startswith(b"{") and b'"events"' in head


def _hint(head: bytes) -> str | None:
    hint = "for events in JSON of another layout, lydite score arguments --map says where its keys are"
    return hint if head.lstrip()[:1] in {b"{", b"["} else None


EVENTS = Format(
    name="events",
    title="events as JSON lines",
    extensions=(".jsonl",),
    tasks=("arguments",),
    recognise=_recognise,
    read=read_events,
    write=write,
    layers=("events",),
    holds_many=True,
    has_text=True,
    hint=_hint,
)
