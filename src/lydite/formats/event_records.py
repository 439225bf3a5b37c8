"""JSON lines of the event-extraction world: OneIE sentences and DyGIE++ documents; what MAVEN shares with them.

Places are token numbers.  Offsets in characters are made from them: those of the source text, if the
setting ``documents`` names the folder of texts, found token by token; else those of the tokens joined by blanks, one
sentence per line.  Two files with the same tokens have the same offsets either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted, first_of
from lydite.formats.base import Format, Options, corpus_of, text_option
from lydite.formats.document_places import LinePlace
from lydite.formats.faults import Faults, every
from lydite.formats.json_lines import (
    NONE_FOUND,
    document_name,
    has_keys,
    joined_files,
    json_lines,
    line_findings,
    load_or_name_all,
)
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import FormatNames, json_names
from lydite.formats.source import Source, SourcePart
from lydite.formats.texts import source_text
from lydite.formats.unplaced import find_unplaced
from lydite.grouping import grouped
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import EVENTS_LAYER, Entity, Event, EventArgument
from lydite.model.document import Facts, Layers
from lydite.model.mention import COREFERENCE, NOT_ANNOTATED, SUBEVENT
from lydite.model.places import ENTITIES_LAYER, LINKS_LAYER, TIMES_LAYER
from lydite.numerals import is_whole
from lydite.records import NamedTuple

S = TypeVar("S")
T = TypeVar("T")
Name = TypeVar("Name")
_PREDICTED = "predicted_events"
SCORED = (COREFERENCE, SUBEVENT)
"""Relations that mean what a task scores."""


class Run(NamedTuple):
    """A run of tokens or characters, the first one and the one after the last, and the words that are said to stand there."""

    begin: int
    end: int
    words: str = ""
    of_tokens: bool = True


Where = Run | str
"""A run of tokens or characters, or words that have no place yet."""


class FoundEvent(NamedTuple):
    """An event in a record: trigger, type, arguments as (role, place); ``cluster`` names the event that it mentions."""

    id: str
    type: str
    trigger: Where
    arguments: tuple[tuple[str, Where], ...] = ()
    cluster: str = ""
    confidence: str = ""


class Named(NamedTuple):
    """A mention in a record that is not an event."""

    id: str
    type: str
    where: Where


class Content(NamedTuple):
    """What the lines of one document say: its sentences as lists of tokens (or its text), and its events.

    ``times`` and ``entities`` are mentions with their places, in entities by id and type; ``links`` are (name, ids).
    """

    sentences: list[list[str]]
    events: list[FoundEvent]
    text: str | None = None
    times: Sequence[Named] = ()
    entities: Sequence[tuple[str, str, Sequence[Named]]] = ()
    links: Sequence[tuple[str, tuple[str, ...]]] = ()


Parse = Callable[[Sequence[Mapping[str, object]]], Content]


def _corpus(
    source: Source, options: Options, *, name: str, key: str, parse: Parse, relating: Mapping[str, str]
) -> Corpus:
    """One document per id under ``key``, made from all its lines when it is asked for.

    ``relating`` says which fields of a record mean relations.
    """
    places: dict[str, list[LinePlace]] = {}
    findings: list[Finding] = []
    joined: list[Finding] = []
    homes: dict[str, SourcePart] = {}
    relations: set[str] = set()
    predicted = False
    for place, line in json_lines(source):
        try:
            record = _record(line)
            doc_id = _name_of(record, key)
            relations.update(name for field, name in relating.items() if record.get(field))
            predicted = predicted or _PREDICTED in record
        except (Faults, KeyError) as error:
            message = f"expected an object with {key!r}, found: {error}"
            findings.extend(line_findings(place, line, [_bad(name, message, place.location)]))
        else:
            places.setdefault(doc_id, []).append(place)
            joined.extend(joined_files(homes, doc_id, place))
    if not places and not findings:
        findings.append(_bad(name, NONE_FOUND, Location(source.parts[0].path, 1)))
    if findings:
        raise FormatError(findings)
    load = partial(_load, name, parse, places, text_option(options, "documents") or None)
    documents = LazyDocuments(tuple(places), partial(load_or_name_all, load, places))
    facts: Facts = {
        "unit": "char",
        "relations": sorted(relations),
        "attributes": ["type"],
        "folder": len(places) > 1,
        "predicted": predicted,
    }
    return corpus_of(source, name, documents, findings=joined, facts=facts)


def _record(line: bytes) -> dict[str, object]:
    try:
        return json_object(line)
    except NotJSONError as error:
        raise Faults(str(error)) from None


def _name_of(record: Mapping[str, object], key: str) -> str:
    name = document_name(record[key])
    if name is None:
        raise Faults(f"{record[key]!r:.60} there")
    return name


def _bad(name: str, message: str, place: Location) -> Finding:
    hint = f"the page of the format {name} shows a record"
    return Finding("bad-event-record", "error", message, place, hint=hint)


Lines = Mapping[str, Sequence[LinePlace]]
"""Where the lines of each document lie."""


def _load(name: str, parse: Parse, places: Lines, texts: str | None, doc_id: str) -> Document:
    records = [_record(place.read()) for place in places[doc_id]]
    first = places[doc_id][0].location
    try:
        return _document(doc_id, parse(records), texts, first)
    except (Faults, *_ODD) as error:
        reasons = error.args if isinstance(error, Faults) else (_reason(error),)
        form = f"document {doc_id!r}: the record does not have the form of {name}"
        raise FormatError([_bad(name, f"{form}: {why}", first) for why in reasons]) from None


_ODD = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""What comes up where a record has another shape than expected."""


def _reason(error: Exception) -> str:
    return f"{type(error).__name__} {error}"


def each(make: Callable[[S], T], items: Iterable[S]) -> list[T]:
    """What is made of each item; what is wrong with any of them is raised together."""

    def made(item: S) -> T:
        try:
            return make(item)
        except _ODD as error:
            raise Faults(_reason(error)) from None

    return every(made, items)


# ------------------------------------------------------------------------------------------- tokens to characters


def _document(doc_id: str, content: Content, texts: str | None, place: Location) -> Document:
    findings: list[Finding] = []
    text, offsets, line = content.text, list[tuple[int, int]](), place.line or 0
    if text is None:
        text, offsets = _text_and_offsets(doc_id, content.sentences, texts, findings, place)
    _expect_texts(content)
    reader = _Placer(text, offsets, line)
    mentions = each(lambda item: reader.mention(item[1], item[0]), enumerate(content.events, 1))
    found = zip(content.events, mentions, strict=True)
    clusters = grouped((event.cluster, mention.id) for event, mention in found if event.cluster)
    relations, links, unknown = _related(content, clusters, line)
    if unknown:
        message = f"{counted(len(unknown), 'relation')} to what document {doc_id!r} does not hold, dropped ({first_of(unknown)})"
        findings.append(Finding("relation-to-unknown-event", "warning", message, place, doc_id))
    layers: Layers = {EVENTS_LAYER: tuple(map(reader.event, content.events))}
    if content.times:
        layers[TIMES_LAYER] = tuple(map(reader.named, content.times))
    if content.entities:
        layers[ENTITIES_LAYER] = tuple(
            Entity(name, kind, tuple(map(reader.named, held))) for name, kind, held in content.entities
        )
    if links:
        layers[LINKS_LAYER] = links
    document = Document(doc_id, tuple(mentions), relations, place.path, line, text, layers=layers)
    return document._replace(findings=(*findings, *find_unplaced(document)))


def _expect_texts(content: Content) -> None:
    """An error if an id, a type or a role is not text."""
    values: list[object] = []
    for found in content.events:
        values += (found.id, found.type, found.cluster, *(role for role, _ in found.arguments))
    for one in (*content.times, *(one for _, _, held in content.entities for one in held)):
        values += (one.id, one.type)
    for value in values:
        if not isinstance(value, str):
            raise Faults(f"expected a text, found {value!r:.60}")


def _text_and_offsets(
    doc_id: str,
    sentences: Sequence[Sequence[str]],
    texts: str | None,
    findings: list[Finding],
    place: Location,
) -> tuple[str, list[tuple[int, int]]]:
    """The text that the tokens stand in, and where: the source text, else the tokens joined by blanks."""
    text = source_text(texts, doc_id) if texts else None
    if text is not None:
        offsets = _aligned(sentences, text)
        if offsets is not None:
            return text, offsets
        message = f"the tokens of document {doc_id!r} do not stand in its source text in this order"
        hint = "offsets are those of the tokens joined by blanks; is this the text that was tokenised?"
        findings.append(Finding("tokens-not-in-text", "warning", message, place, doc_id, hint=hint))
    return _joined(sentences)


def _related(
    content: Content, clusters: Mapping[str, Sequence[str]], line: int
) -> tuple[tuple[Relation, ...], tuple[Relation, ...], list[str]]:
    """Relations between mentions, links that no task scores, and what names something unknown.

    A relation between events is one between their first mentions.
    """
    relations = [
        Relation(COREFERENCE, name, tuple(members), line)
        for name, members in clusters.items()
        if len(members) > 1
    ]
    ends = {time.id: time.id for time in content.times}
    ends.update({found.id: found.id for found in content.events})
    ends.update({name: members[0] for name, members in clusters.items()})
    links: list[Relation] = []
    unknown: list[str] = []
    for number, (name, ids) in enumerate(content.links, 1):
        missing = [one for one in ids if one not in ends]
        if missing:
            unknown.append(f"{name} {missing[0]}")
            continue
        relation = Relation(name, f"R{number}", tuple(ends[one] for one in ids), line)
        (relations if name in SCORED else links).append(relation)
    return tuple(relations), tuple(links), unknown


class _Placer:
    """Puts what a record says into its text."""

    def __init__(self, text: str, offsets: Sequence[tuple[int, int]], line: int) -> None:
        self._text, self._offsets, self._line = text, offsets, line

    def mention(self, found: FoundEvent, number: int) -> Mention:
        span, words = self._place(found.trigger)
        confidences = (found.confidence,) if found.confidence else ()
        return Mention(
            found.id or f"E{number}",
            Span(span),
            words or self._there(span),
            found.type,
            NOT_ANNOTATED,
            confidences,
            self._line,
        )

    def named(self, one: Named) -> Mention:
        span, words = self._place(one.where)
        return Mention(one.id, Span(span), words or self._there(span), one.type, line=self._line)

    def event(self, found: FoundEvent) -> Event:
        trigger, words = self._place(found.trigger)
        arguments = tuple(self._argument(role, where) for role, where in found.arguments)
        return Event(found.type, trigger, arguments, line=self._line, text=words)

    def _argument(self, role: str, where: Where) -> EventArgument:
        span, words = self._place(where)
        return EventArgument(role, span, text=words)

    def _place(self, where: Where) -> tuple[tuple[tuple[int, int], ...], str]:
        """The place and the words beside it; words beside tokens only if they are others than the tokens."""
        if isinstance(where, str):
            return (), where
        if not where.of_tokens:
            return ((where.begin, where.end),), where.words
        span = (_characters(where, self._offsets),)
        same = "".join(where.words.split()) == "".join(self._there(span).split())
        return span, "" if same else where.words

    def _there(self, span: Sequence[tuple[int, int]]) -> str:
        return " ".join(self._text[begin:end] for begin, end in span)


def _characters(place: Run, offsets: Sequence[tuple[int, int]]) -> tuple[int, int]:
    first, end = place.begin, place.end
    if not 0 <= first < end <= len(offsets):
        raise Faults(f"tokens {first} to {end} of {len(offsets)}")
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


def only_record(records: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The record of a document that stands on one line, or an error."""
    if len(records) > 1:
        raise Faults(f"{len(records)} lines; a document is one")
    return records[0]


def named_once(items: Iterable[tuple[Name, T]]) -> dict[Name, T]:
    """What is called by an id, by that id; or an error if two different things share one."""
    known: dict[Name, T] = {}
    for name, item in items:
        if known.setdefault(name, item) != item:
            raise Faults(f"the id {name!r} stands twice, for different things")
    return known


def tokens_of(value: object) -> list[str]:
    """A list of tokens, or an error."""
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise Faults(f"expected a list of tokens, found {value!r:.60}")
    return value


def words_of(value: object) -> str:
    """Words, or an error."""
    if not isinstance(value, str) or not value.strip():
        raise Faults(f"expected words, found {value!r:.60}")
    return value


def run_of(first: object, end: object, words: object = None, base: int = 0) -> Run:
    """A run of tokens, counted from ``base`` on, with the words beside it, where there are any; or an error."""
    begin, stop = number_of(first) + base, number_of(end) + base
    return Run(begin, stop, "" if words is None or words == "" else words_of(words))


def number_of(value: object) -> int:
    """A whole number, or an error."""
    if not is_whole(value):
        raise Faults(f"expected a token number, found {value!r:.60}")
    return value


def _oneie(records: Sequence[Mapping[str, Any]]) -> Content:
    """Sentence records: ``event_mentions`` (data), or ``graph`` (output of the system); ends are exclusive."""
    content = Content([], [])
    base = 0
    for record in records:
        tokens = tokens_of(record["tokens"])
        found = _oneie_graph(record["graph"], base) if "graph" in record else _oneie_mentions(record, base)
        content.events.extend(found)
        content.sentences.append(tokens)
        base += len(tokens)
    return content


def _oneie_mentions(record: Mapping[str, Any], base: int) -> list[FoundEvent]:
    """Where ``start`` or ``entity_id`` is missing, ``text`` are words without a place."""

    def run(one: Mapping[str, object]) -> Run:
        return run_of(one["start"], one["end"], one.get("text"), base)

    entities = named_once(each(lambda one: (one["id"], run(one)), record.get("entity_mentions", [])))
    return each(partial(_oneie_event, run, entities), record.get("event_mentions", []))


def _oneie_event(
    run: Callable[[Mapping[str, object]], Run], entities: Mapping[object, Run], event: Mapping[str, Any]
) -> FoundEvent:
    trigger = event["trigger"]
    arguments = each(
        lambda one: (
            one["role"],
            words_of(one["text"]) if one.get("entity_id") is None else entities[one["entity_id"]],
        ),
        event.get("arguments", []),
    )
    where = words_of(trigger["text"]) if trigger.get("start") is None else run(trigger)
    return FoundEvent(event.get("id", ""), event["event_type"], where, tuple(arguments))


def _oneie_graph(graph: Mapping[str, Any], base: int) -> list[FoundEvent]:
    entities = each(lambda one: run_of(one[0], one[1], base=base), graph.get("entities", []))
    for name in ("trigger", "role"):
        # Names of a graph that lost a letter are names elsewhere in a record.
        if name in graph:
            raise Faults(f"expected the key '{name}s' in a graph, found '{name}'")
    roles: dict[int, list[tuple[str, Where]]] = {}
    for trigger, entity, role, *_ in graph.get("roles", []):
        number = _index(trigger, graph.get("triggers", []), "trigger")
        roles.setdefault(number, []).append((role, entities[_index(entity, entities, "entity")]))

    def found(item: tuple[int, Sequence[str]]) -> FoundEvent:
        number, trigger = item
        arguments = tuple(roles.get(number, ()))
        confidence = str(trigger[3]) if len(trigger) > 3 else ""
        where = run_of(trigger[0], trigger[1], base=base)
        return FoundEvent("", trigger[2], where, arguments, confidence=confidence)

    return each(found, enumerate(graph.get("triggers", [])))


def _index(value: object, items: Sequence[object], what: str) -> int:
    """The number of an item, counted from 0; or an error."""
    if not is_whole(value) or not 0 <= value < len(items):
        raise Faults(f"expected the number of one of {len(items)} {what}s in a role, found {value!r:.60}")
    return value


def _dygie(records: Sequence[Mapping[str, Any]]) -> Content:
    """A document record: ``predicted_events``, or ``events`` if nothing is predicted; token numbers of the document, ends inclusive.

    Words may stand for a token number: ``["stormed", type]``, ``["the fort", role]``.  The output of a system keeps the
    ``events`` of gold, so that they are not read where only entities or relations were predicted.
    """
    record = only_record(records)
    if "_sentence_start" in record or "sentence_start" in record:
        raise Faults("a sentence record; documents must be whole")
    predicted = sorted(key for key in record if key.startswith("predicted_"))
    if predicted and _PREDICTED not in record:
        raise Faults(
            f"expected {_PREDICTED!r} beside {predicted[0]!r}, found none; its 'events' may be those of gold"
        )
    key = _PREDICTED if predicted else "events"
    events = (event for sentence in record.get(key, []) for event in sentence)
    return Content(list(map(tokens_of, record["sentences"])), each(_dygie_event, events))


def _dygie_event(event: Sequence[Any]) -> FoundEvent:
    (place, kind, *scores), *arguments = event
    trigger: Where = words_of(place) if isinstance(place, str) else run_of(place, number_of(place) + 1)
    roles = tuple(each(_dygie_argument, arguments))
    return FoundEvent("", kind, trigger, roles, confidence=str(scores[-1]) if scores else "")


def _dygie_argument(argument: Sequence[Any]) -> tuple[str, Where]:
    if isinstance(argument[0], str):
        return argument[1], words_of(argument[0])
    first, last, role, *_ = argument
    return role, run_of(first, number_of(last) + 1)


def record_format(
    name: str,
    title: str,
    key: str,
    parse: Parse,
    recognise: Callable[[bytes], bool],
    *,
    relating: Mapping[str, str] = MappingProxyType({}),
    layers: tuple[str, ...] = (),
    names: FormatNames,
    unread: str,
) -> Format:
    """A format of records with an id under ``key``."""
    return Format(
        name=name,
        title=title,
        extensions=(".jsonl", ".json"),
        tasks=("nugget", "arguments"),
        recognise=recognise,
        read=partial(_corpus, name=name, key=key, parse=parse, relating=relating),
        layers=("mentions", "events", *layers),
        has_text=True,
        names=names,
        unread=unread,
    )


ONEIE = record_format(
    "oneie",
    "OneIE sentence records (JSON lines)",
    "doc_id",
    _oneie,
    partial(has_keys, needed=(b"doc_id", b"tokens"), one_of=(b"event_mentions", b"graph")),
    names=json_names(
        "doc_id tokens graph entities triggers roles entity_mentions event_mentions id start end event_type trigger"
        " arguments entity_id role text",
        "sent_id wnd_id relations relation_mentions entity_type mention_type sentence pieces token_lens",
    ),
    unread="relations, entities that fill no role, types of entities",
)
DYGIE = record_format(
    "dygie",
    "DyGIE++ documents (JSON lines)",
    "doc_key",
    _dygie,
    partial(has_keys, needed=(b"doc_key", b"sentences"), one_of=(b"events", b"predicted_events")),
    names=json_names(
        "doc_key sentences events predicted_events _sentence_start sentence_start",
        "dataset ner relations clusters predicted_ner predicted_relations predicted_clusters",
    ),
    unread="ner, relations, clusters",
)
