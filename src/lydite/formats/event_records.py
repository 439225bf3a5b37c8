"""JSON lines of the event-extraction world: OneIE sentences, DyGIE++ documents, MAVEN documents.

All three give places as token numbers.  Offsets in characters are made from them: those of the source text, if the
setting ``documents`` names the folder of texts, found token by token; else those of the tokens joined by blanks, one
sentence per line.  Two files with the same tokens have the same offsets either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Format
from lydite.formats.lists import source_text
from lydite.formats.source import Part, Source
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import Event, EventArgument

EVENTS_LAYER = "events"
Place = tuple[int, int]
"""A run of tokens of a document: the first one, and the one after the last."""


class Found(NamedTuple):
    """An event at token places: trigger, type, arguments as (role, place); ``cluster`` names the event it mentions."""

    id: str
    type: str
    trigger: Place
    arguments: tuple[tuple[str, Place], ...] = ()
    cluster: str = ""
    confidence: str = ""


class Content(NamedTuple):
    """What the lines of one document say: its sentences as lists of tokens, and its events."""

    sentences: list[list[str]]
    events: list[Found]


class _BadRecordError(Exception):
    """What is wrong with a line, in a sentence."""


Parse = Callable[[Sequence[Mapping[str, Any]]], Content]


def _corpus(name: str, key: str, parse: Parse, source: Source, options: Mapping[str, Any]) -> Corpus:
    """One document per id, made from all its lines when it is asked for."""
    places: dict[str, list[tuple[Part, int, int, int]]] = {}
    findings: list[Finding] = []
    for part in source.parts:
        with part.open() as stream:
            offset = 0
            for number, line in enumerate(stream, 1):
                if line.strip():
                    try:
                        doc_id = str(_record(line)[key])
                    except (_BadRecordError, KeyError) as error:
                        message = f"expected an object with {key!r}, found: {error}"
                        findings.append(_bad(name, message, part, number))
                    else:
                        places.setdefault(doc_id, []).append((part, offset, len(line), number))
                offset += len(line)
    if not places and not findings:
        findings.append(_bad(name, "expected one JSON object per line, found none", source.parts[0], 1))
    if findings:
        raise FormatError(findings)
    load = partial(_load, name, parse, places, options.get("documents"))
    return Corpus(
        name=source.name,
        documents=LazyDocuments(tuple(places), load),
        path=source.path,
        format=name,
        facts={
            "unit": "char",
            "relations": ["Coreference"] if name == "maven" else [],
            "attributes": ["type"],
            "folder": len(places) > 1,
        },
    )


def _record(line: bytes) -> dict[str, Any]:
    import json

    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _BadRecordError(str(error)) from None
    if not isinstance(record, dict):
        raise _BadRecordError(type(record).__name__)
    return record


def _bad(name: str, message: str, part: Part, line: int) -> Finding:
    hint = f"the page of the format {name} shows a record"
    return Finding("bad-event-record", "error", message, Location(part.path, line), hint=hint)


def _load(
    name: str,
    parse: Parse,
    places: Mapping[str, Sequence[tuple[Part, int, int, int]]],
    texts: str | None,
    doc_id: str,
) -> Document:
    records = []
    part, _, _, first = places[doc_id][0]
    for where, offset, size, _ in places[doc_id]:
        with where.open() as stream:
            stream.seek(offset)
            records.append(_record(stream.read(size)))
    try:
        content = parse(records)
        return _document(doc_id, content, texts, part.path, first)
    except (_BadRecordError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        why = f"{type(error).__name__} {error}" if not isinstance(error, _BadRecordError) else str(error)
        message = f"document {doc_id!r}: the record does not have the form of {name}: {why}"
        raise FormatError([_bad(name, message, part, first)]) from None


# ------------------------------------------------------------------------------------------- tokens to characters


def _document(doc_id: str, content: Content, texts: str | None, path: str, line: int) -> Document:
    findings: list[Finding] = []
    text = source_text(texts, doc_id) if texts else None
    offsets = None
    if text is not None:
        offsets = _aligned(content.sentences, text)
        if offsets is None:
            message = f"the tokens of document {doc_id!r} do not stand in its source text in this order"
            place = Location(path, line)
            hint = "offsets are those of the tokens joined by blanks; is this the text that was tokenised?"
            findings.append(Finding("tokens-not-in-text", "warning", message, place, doc_id, hint=hint))
    if offsets is None:
        text, offsets = _joined(content.sentences)
    assert text is not None
    events, mentions, clusters = [], [], dict[str, list[str]]()
    for number, found in enumerate(content.events, 1):
        span = _characters(found.trigger, offsets)
        arguments = tuple(
            EventArgument(role, (_characters(place, offsets),)) for role, place in found.arguments
        )
        events.append(Event(found.type, (span,), arguments, line=line))
        mention_id = found.id or f"E{number}"
        confidences = (found.confidence,) if found.confidence else ()
        mentions.append(
            Mention(
                mention_id, Span((span,)), text[slice(*span)], found.type, "NOT_ANNOTATED", confidences, line
            )
        )
        if found.cluster:
            clusters.setdefault(found.cluster, []).append(mention_id)
    return Document(
        doc_id,
        mentions=tuple(mentions),
        relations=tuple(
            Relation("Coreference", name, tuple(members), line)
            for name, members in clusters.items()
            if len(members) > 1
        ),
        path=path,
        line=line,
        text=text,
        layers={EVENTS_LAYER: tuple(events)},
        findings=tuple(findings),
    )


def _characters(place: Place, offsets: Sequence[tuple[int, int]]) -> tuple[int, int]:
    first, end = place
    if not 0 <= first < end <= len(offsets):
        raise _BadRecordError(f"tokens {first} to {end} of {len(offsets)}")
    return offsets[first][0], offsets[end - 1][1]


def _joined(sentences: Iterable[Sequence[str]]) -> tuple[str, list[tuple[int, int]]]:
    offsets: list[tuple[int, int]] = []
    lines = []
    start = 0
    for sentence in sentences:
        at = start
        for token in sentence:
            offsets.append((at, at + len(token)))
            at += len(token) + 1
        lines.append(" ".join(sentence))
        start += len(lines[-1]) + 1
    return "\n".join(lines), offsets


def _aligned(sentences: Iterable[Sequence[str]], text: str) -> list[tuple[int, int]] | None:
    """The places of the tokens in the text, one after the other with nothing but white space between; None if not so.

    Markup in angle brackets may stand between tokens too: source files of the LDC have it.
    """
    import re

    gap = re.compile(r"(?:\s|<[^<>]*>)*")
    offsets, at = [], 0
    for sentence in sentences:
        for token in sentence:
            if not text.startswith(token, at):
                found = gap.match(text, at)
                at = at if found is None else found.end()
            if not text.startswith(token, at):
                at = text.find(token, at, at + 400)
                if at < 0:
                    return None
            offsets.append((at, at + len(token)))
            at += len(token)
    return offsets


# ------------------------------------------------------------------------------------------------------ the formats


def _tokens(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise _BadRecordError(f"expected a list of tokens, found {value!r:.60}")
    return value


def _whole(*values: Any) -> None:
    for value in values:
        if type(value) is not int:
            raise _BadRecordError(f"expected a token number, found {value!r:.60}")


def _oneie(records: Sequence[Mapping[str, Any]]) -> Content:
    """Sentence records: ``event_mentions`` (data), or ``graph`` (output of the system); ends are exclusive."""
    content = Content([], [])
    base = 0
    for record in records:
        tokens = _tokens(record["tokens"])
        found = _oneie_graph(record["graph"]) if "graph" in record else _oneie_mentions(record)
        for event in found:
            _whole(*event.trigger, *(edge for _, place in event.arguments for edge in place))
            content.events.append(
                event._replace(
                    trigger=_moved(event.trigger, base),
                    arguments=tuple((role, _moved(place, base)) for role, place in event.arguments),
                )
            )
        content.sentences.append(tokens)
        base += len(tokens)
    return content


def _moved(place: Place, base: int) -> Place:
    return place[0] + base, place[1] + base


def _oneie_mentions(record: Mapping[str, Any]) -> Iterator[Found]:
    entities = {one["id"]: (one["start"], one["end"]) for one in record.get("entity_mentions", [])}
    for event in record.get("event_mentions", []):
        trigger = event["trigger"]
        arguments = tuple((one["role"], entities[one["entity_id"]]) for one in event.get("arguments", []))
        yield Found(event.get("id", ""), event["event_type"], (trigger["start"], trigger["end"]), arguments)


def _oneie_graph(graph: Mapping[str, Any]) -> Iterator[Found]:
    entities = graph.get("entities", [])
    for number, trigger in enumerate(graph.get("triggers", [])):
        arguments = tuple(
            (role[2], (entities[role[1]][0], entities[role[1]][1]))
            for role in graph.get("roles", [])
            if role[0] == number
        )
        confidence = str(trigger[3]) if len(trigger) > 3 else ""
        yield Found("", trigger[2], (trigger[0], trigger[1]), arguments, confidence=confidence)


def _dygie(records: Sequence[Mapping[str, Any]]) -> Content:
    """A document record: ``predicted_events`` if there are any, else ``events``; token numbers of the document, ends inclusive."""
    content = Content([], [])
    for record in records:
        if "_sentence_start" in record or "sentence_start" in record:
            raise _BadRecordError("a sentence record; documents must be whole")
        content.sentences.extend(map(_tokens, record["sentences"]))
        key = "predicted_events" if "predicted_events" in record else "events"
        for sentence in record.get(key, []):
            for (place, kind, *scores), *arguments in sentence:
                _whole(place)
                roles = []
                for first, last, role, *_ in arguments:
                    _whole(first, last)
                    roles.append((role, (first, last + 1)))
                confidence = str(scores[-1]) if scores else ""
                trigger = (place, place + 1)
                content.events.append(Found("", kind, trigger, tuple(roles), confidence=confidence))
    return content


def _maven(records: Sequence[Mapping[str, Any]]) -> Content:
    """A document record: ``content`` (sentences) and ``events`` with their mentions, which corefer."""
    content = Content([], [])
    for record in records:
        starts = []
        for sentence in record["content"]:
            starts.append(sum(map(len, content.sentences)))
            content.sentences.append(_tokens(sentence["tokens"]))
        for event in record.get("events", []):
            for mention in event["mention"]:
                first, end = mention["offset"]
                _whole(first, end, mention["sent_id"])
                place = _moved((first, end), starts[mention["sent_id"]])
                found = Found(mention["id"], event["type"], place, cluster=event.get("id", ""))
                content.events.append(found)
    return content


def _first_line(head: bytes) -> bytes:
    return head.lstrip().partition(b"\n")[0]


def _is_oneie(head: bytes) -> bool:
    line = _first_line(head)
    return (
        line.startswith(b"{") and b'"tokens"' in line and (b'"event_mentions"' in line or b'"graph"' in line)
    )


def _is_dygie(head: bytes) -> bool:
    line = _first_line(head)
    named = b'"doc_key"' in line and b'"sentences"' in line
    return line.startswith(b"{") and named and (b'"events"' in line or b'"predicted_events"' in line)


def _is_maven(head: bytes) -> bool:
    line = _first_line(head)
    return line.startswith(b"{") and b'"content"' in line and b'"tokens"' in line and b'"events"' in line


def _format(name: str, title: str, key: str, parse: Parse, recognise: Callable[[bytes], bool]) -> Format:
    return Format(
        name=name,
        title=title,
        extensions=(".jsonl", ".json"),
        tasks=("nugget", "arguments"),
        recognise=recognise,
        read=partial(_corpus, name, key, parse),
        layers=("mentions", "events"),
    )


ONEIE = _format("oneie", "OneIE sentence records (JSON lines)", "doc_id", _oneie, _is_oneie)
DYGIE = _format("dygie", "DyGIE++ documents (JSON lines)", "doc_key", _dygie, _is_dygie)
MAVEN = _format("maven", "MAVEN documents (JSON lines)", "id", _maven, _is_maven)
