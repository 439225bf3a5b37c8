"""JSON lines of event extraction: OneIE sentences and DyGIE++ documents, and what MAVEN shares with them.

Places are token numbers.  They become offsets in characters: of the source text, if the setting ``documents`` names the
folder of texts, in which the tokens are found one after the other; else of the tokens joined by blanks, one sentence
per line.  Two files with the same tokens have the same offsets either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter, methodcaller
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted, first_of
from lydite.formats.base import SCORED_LAYERS, SIDE, Format, Options, corpus_of, text_option
from lydite.formats.document_places import LinePlace
from lydite.formats.faults import Faults
from lydite.formats.json_lines import (
    NONE_FOUND,
    document_name,
    joined_files,
    json_lines,
    line_findings,
    load_or_name_all,
)
from lydite.formats.json_records import is_record_of, tasks_by_layer
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import FormatNames, json_names
from lydite.formats.predicted_keys import KeysOfRecords, choose_key_of
from lydite.formats.sentence_graphs import (
    GraphShape,
    choose_dygie_keys,
    choose_oneie_keys,
    dygie_sentences,
    oneie_sentences,
    read_graphs,
)
from lydite.formats.source import BlockReader, Source, SourcePart
from lydite.formats.texts import source_text
from lydite.formats.unplaced import find_unplaced
from lydite.grouping import grouped
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import EVENTS_LAYER, Entity, Event, EventArgument
from lydite.model.document import Facts, Layers
from lydite.model.graphs import GRAPHS
from lydite.model.mention import COREFERENCE, NOT_ANNOTATED, SUBEVENT
from lydite.model.places import ENTITIES_LAYER, LINKS_LAYER, TIMES_LAYER, places_of
from lydite.model.windows import WINDOWS, Window, Windows
from lydite.numerals import is_whole

S = TypeVar("S")
T = TypeVar("T")
Name = TypeVar("Name")
SCORED_RELATIONS = (COREFERENCE, SUBEVENT)
"""The relations that a task scores."""


class RecordSpan(NamedTuple):
    """A run of tokens or characters as half-open range, and the words that the record gives for it."""

    begin: int
    end: int
    words: str = ""
    of_tokens: bool = True


SpanOrWords = RecordSpan | str
"""A run of tokens or characters, or words that have no place yet."""


class RecordEvent(NamedTuple):
    """An event mention in a record; ``arguments`` are (role, place), ``cluster`` is the id of the event it mentions."""

    id: str
    type: str
    trigger: SpanOrWords
    arguments: tuple[tuple[str, SpanOrWords], ...] = ()
    cluster: str = ""
    confidence: str = ""


class RecordMention(NamedTuple):
    """A mention of a time or an entity in a record."""

    id: str
    type: str
    where: SpanOrWords


class RecordContent(NamedTuple):
    """The content of the lines of one document: its sentences as lists of tokens (or its text), and its events.

    ``entities`` are (id, type, mentions), ``links`` are (name, ids).
    """

    sentences: list[list[str]]
    events: list[RecordEvent]
    text: str | None = None
    times: Sequence[RecordMention] = ()
    entities: Sequence[tuple[str, str, Sequence[RecordMention]]] = ()
    links: Sequence[tuple[str, tuple[str, ...]]] = ()
    remarks: Sequence[tuple[str, str, int]] = ()
    """Warnings: a code, a message, and the number of the record that it is about."""


Records = Sequence[Mapping[str, Any]]
"""The records of a document, as the file has them."""


class RecordShape(NamedTuple):
    """What tells a format of records: its name, the names of documents and records, and what their content is.

    ``document_of`` raises KeyError if a record does not name its document.  ``parse`` gets the records of a document and
    the key that ``choose_key`` has chosen for its events.  ``relation_fields`` maps the fields of a record that hold
    relations to the names of these.
    """

    name: str
    document_of: Callable[[Mapping[str, object]], object]
    parse: Callable[[Records, str], RecordContent]
    window_key: str | None = None
    """The key of the name of a record, where a document has several; None if a record is a document."""
    event_keys: tuple[str, ...] = ("events", "event_mentions")
    """The keys of events, of which some record must have one."""
    choose_key: Callable[[KeysOfRecords, Source, Options], tuple[str, tuple[Finding, ...]]] = (
        lambda _keys, _source, _options: ("", ())
    )
    relation_fields: Mapping[str, str] = MappingProxyType({})


def _corpus(source: Source, options: Options, *, shape: RecordShape) -> Corpus:
    """One document per id, made from all its lines when it is asked for."""
    name = shape.name
    places: dict[str, list[LinePlace]] = {}
    findings: list[Finding] = []
    joined: list[Finding] = []
    files_of_documents: dict[str, SourcePart] = {}
    names = _RecordNames(shape)
    relations: set[str] = set()
    keys: set[frozenset[str]] = set()
    for place, line in json_lines(source):
        try:
            record = _record(line)
            doc_id = _document_id_in(record, shape)
            relations.update(name for field, name in shape.relation_fields.items() if record.get(field))
        except Faults as error:
            message = f"expected an object that names its document, found: {error}"
            findings.extend(line_findings(place, line, [_bad_record(name, message, place.location)]))
        else:
            findings.extend(names.add(doc_id, record, place))
            keys.add(frozenset(record))
            places.setdefault(doc_id, []).append(place)
            joined.extend(joined_files(files_of_documents, doc_id, place))
    if not places and not findings:
        findings.append(_bad_record(name, NONE_FOUND, Location(source.parts[0].path, 1)))
    key, told = shape.choose_key(keys, source, options)
    joined[:0] = told
    if not findings and all(one.isdisjoint((key, *shape.event_keys)) for one in keys):
        message = (
            f"expected events under {' or '.join(map(repr, shape.event_keys))}, found no record that has them"
        )
        findings.append(_bad_record(name, message, Location(source.path)))
    if findings:
        raise FormatError(findings)
    texts = text_option(options, "documents") or None
    load = partial(_load_document, shape, key, names.by_document(), places, BlockReader(), texts)
    documents = LazyDocuments(tuple(places), partial(load_or_name_all, load, places))
    facts: Facts = {"unit": "char", "attributes": ["type"], "folder": len(places) > 1, "key": key}
    facts["relations"], facts["records"] = sorted(relations), names.by_document()
    return corpus_of(source, name, documents, findings=joined, facts=facts)


class _RecordNames:
    """The names of the records of each document while a file is read; a name that is given twice is an error."""

    def __init__(self, shape: RecordShape) -> None:
        self._shape = shape
        self._lines: dict[str, dict[str, Location]] = {}
        self._unnamed: set[str] = set()

    def add(self, doc_id: str, record: Mapping[str, object], place: LinePlace) -> Iterator[Finding]:
        """Add a record; yields the error if the document has one of that name."""
        lines = self._lines.setdefault(doc_id, {})
        key = self._shape.window_key
        name = doc_id if key is None else document_name(record.get(key))
        if name is None:
            self._unnamed.add(doc_id)
        elif name in lines:
            what = f"document {doc_id!r}" if key is None else f"{key} {name!r} of document {doc_id!r}"
            message = f"{what} occurs twice (before: {lines[name].path}:{lines[name].line})"
            hint = "were the outputs of two runs joined?"
            yield Finding("repeated-window", "error", message, place.location, doc_id, hint=hint)
        else:
            lines[name] = place.location

    def by_document(self) -> dict[str, tuple[str, ...]]:
        """The names of the records of each document; none if it is a record itself, or has records without names."""
        is_record = self._shape.window_key is None
        return {
            doc_id: () if is_record or doc_id in self._unnamed else tuple(lines)
            for doc_id, lines in self._lines.items()
        }


def _record(line: bytes) -> dict[str, object]:
    try:
        return json_object(line)
    except NotJSONError as error:
        raise Faults(str(error)) from None


def _document_id_in(record: Mapping[str, object], shape: RecordShape) -> str:
    try:
        value = shape.document_of(record)
    except KeyError as error:
        raise Faults(f"no key {error}") from None
    name = document_name(value)
    if name is None:
        raise Faults(f"{value!r:.60} there")
    return name


def _bad_record(name: str, message: str, place: Location) -> Finding:
    hint = f"the page of the format {name} shows a record"
    return Finding("bad-event-record", "error", message, place, hint=hint)


Lines = Mapping[str, Sequence[LinePlace]]
"""Where the lines of each document lie."""


def _load_document(  # noqa: PLR0917 - all but the id are bound once
    shape: RecordShape,
    key: str,
    names: Mapping[str, tuple[str, ...]],
    places: Lines,
    files: BlockReader,
    texts: str | None,
    doc_id: str,
) -> Document:
    records = [_record(place.read(files)) for place in places[doc_id]]
    lines = [place.line for place in places[doc_id]]
    first = places[doc_id][0].location
    try:
        content = shape.parse(records, key)
        document, ranges = _document(doc_id, content, texts, first)
    except (Faults, *_SHAPE_ERRORS) as error:
        why = str(error) if isinstance(error, Faults) else f"{type(error).__name__} {error}"
        message = f"document {doc_id!r}: the record does not have the form of {shape.name}: {why}"
        raise FormatError([_bad_record(shape.name, message, first)]) from None
    remarks = [document.finding(code, "warning", why, lines[at]) for code, why, at in content.remarks]
    if shape.window_key is not None:
        remarks.extend(_mismatches(document))
    layers: Layers = {**document.layers}
    if content.sentences:
        layers[WINDOWS] = _windows(content.sentences, ranges, names[doc_id], lines, shape)
    return document._replace(layers=layers, findings=(*document.findings, *remarks))


def _mismatches(document: Document) -> Iterator[Finding]:
    """Findings about words of triggers and fillers that are not the tokens of their places."""
    hint = "are the token numbers those of this record, with exclusive ends?"
    for place in places_of(document):
        if place.is_checkable and place.noun != "mention" and not place.is_in(document.text or ""):
            message = place.mismatch(document.text or "")
            yield document.finding(
                "text-mismatch", "warning", message, place.line or None, place.name, hint=hint
            )


def _windows(
    sentences: Sequence[Sequence[str]],
    ranges: Sequence[tuple[int, int]],
    names: Sequence[str],
    lines: Sequence[int],
    shape: RecordShape,
) -> Windows:
    """The records of a document with their tokens; the sentences, if the document is one record."""
    is_record = shape.window_key is None
    windows, start = [], 0
    for number, words in enumerate(sentences):
        end = start + len(words)
        name = names[number] if names else str(number + 1)
        line = lines[0] if is_record else lines[number]
        windows.append(Window(name, line, tuple(words), tuple(ranges[start:end])))
        start = end
    return Windows("sentence" if is_record else "name" if names else "position", tuple(windows))


_SHAPE_ERRORS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""The errors that a record of an unexpected shape raises."""


def make_each(make: Callable[[S], T], items: Iterable[S]) -> list[T]:
    """The results of ``make`` for all items."""
    return [make(item) for item in items]


# ------------------------------------------------------------------------------------------- tokens to characters


def _document(
    doc_id: str, content: RecordContent, texts: str | None, place: Location
) -> tuple[Document, list[tuple[int, int]]]:
    """The document, and the places of its tokens."""
    findings: list[Finding] = []
    text, offsets, line = content.text, list[tuple[int, int]](), place.line or 0
    if text is None:
        text, offsets = _text_and_offsets(doc_id, content.sentences, texts, findings, place)
    _expect_texts(content)
    reader = _Placer(text, offsets, line)
    mentions = [
        reader.place_mention(RecordMention(event.id or f"E{number}", event.type, event.trigger))._replace(
            realis=NOT_ANNOTATED, confidences=(event.confidence,) if event.confidence else ()
        )
        for number, event in enumerate(content.events, 1)
    ]
    found = zip(content.events, mentions, strict=True)
    clusters = grouped((event.cluster, mention.id) for event, mention in found if event.cluster)
    relations, links, unknown = _build_relations(content, clusters, line)
    if unknown:
        message = f"{counted(len(unknown), 'relation')} to ids that document {doc_id!r} does not have; dropped ({first_of(unknown)})"
        findings.append(Finding("unknown-annotation", "warning", message, place, doc_id))
    layers: Layers = {EVENTS_LAYER: tuple(map(reader.make_event, content.events))}
    if content.times:
        layers[TIMES_LAYER] = tuple(map(reader.place_mention, content.times))
    if content.entities:
        layers[ENTITIES_LAYER] = tuple(
            Entity(name, kind, tuple(map(reader.place_mention, held)))
            for name, kind, held in content.entities
        )
    if links:
        layers[LINKS_LAYER] = links
    document = Document(doc_id, tuple(mentions), relations, place.path, line, text, layers=layers)
    return document._replace(findings=(*findings, *find_unplaced(document))), offsets


def _expect_texts(content: RecordContent) -> None:
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
    """The text and the offsets of the tokens in it: the source text, else the tokens joined by blanks."""
    text = source_text(texts, doc_id) if texts else None
    if text is not None:
        offsets = _find_tokens(sentences, text)
        if offsets is not None:
            return text, offsets
        message = f"the tokens of document {doc_id!r} do not stand in its source text in this order"
        hint = "offsets are those of the tokens joined by blanks; is this the text that was tokenised?"
        findings.append(Finding("tokens-not-in-text", "warning", message, place, doc_id, hint=hint))
    return _join_tokens(sentences)


def _build_relations(
    content: RecordContent, clusters: Mapping[str, Sequence[str]], line: int
) -> tuple[tuple[Relation, ...], tuple[Relation, ...], list[str]]:
    """Scored relations, other links, and a description of each link to an unknown id.

    A relation between events becomes one between their first mentions.
    """
    several = (item for item in clusters.items() if len(item[1]) > 1)
    relations = [Relation(COREFERENCE, name, tuple(members), line) for name, members in several]
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
        (relations if name in SCORED_RELATIONS else links).append(relation)
    return tuple(relations), tuple(links), unknown


class _Placer:
    """Turns the places of a record into spans of its text."""

    def __init__(self, text: str, offsets: Sequence[tuple[int, int]], line: int) -> None:
        self._text, self._offsets, self._line = text, offsets, line

    def place_mention(self, one: RecordMention) -> Mention:
        span, words = self._span_and_words(one.where)
        return Mention(one.id, Span(span), words or self._text_at(span), one.type, line=self._line)

    def make_event(self, found: RecordEvent) -> Event:
        trigger, words = self._span_and_words(found.trigger)
        arguments = []
        for role, where in found.arguments:
            span, filler_words = self._span_and_words(where)
            arguments.append(EventArgument(role, span, text=filler_words))
        return Event(found.type, trigger, tuple(arguments), line=self._line, text=words)

    def _span_and_words(self, where: SpanOrWords) -> tuple[tuple[tuple[int, int], ...], str]:
        """The span and the words beside it; words beside tokens are kept only if they differ from the tokens."""
        if isinstance(where, str):
            return (), where
        if not where.of_tokens:
            return ((where.begin, where.end),), where.words
        if not 0 <= where.begin < where.end <= len(self._offsets):
            raise Faults(f"tokens {where.begin} to {where.end} of {len(self._offsets)}")
        span = ((self._offsets[where.begin][0], self._offsets[where.end - 1][1]),)
        same = "".join(where.words.split()) == "".join(self._text_at(span).split())
        return span, "" if same else where.words

    def _text_at(self, span: Sequence[tuple[int, int]]) -> str:
        return " ".join(self._text[begin:end] for begin, end in span)


def _join_tokens(sentences: Iterable[Sequence[str]]) -> tuple[str, list[tuple[int, int]]]:
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


def _find_tokens(sentences: Iterable[Sequence[str]], text: str) -> list[tuple[int, int]] | None:
    """The ranges of the tokens in the text, one after the other; None if a token is not found there.

    White space and markup in angle brackets may stand between tokens: source files of the LDC have it.
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


def named_once(items: Iterable[tuple[Name, T]]) -> dict[Name, T]:
    """The items by id; or an error if two different items share one."""
    known: dict[Name, T] = {}
    for name, item in items:
        if known.setdefault(name, item) != item:
            raise Faults(f"the id {name!r} is used twice, for different things")
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


def span_of(first: object, end: object, words: object = None, base: int = 0) -> RecordSpan:
    """A run of tokens, counted from ``base`` on, with the words beside it, if there are any; or an error."""
    begin, stop = number_of(first) + base, number_of(end) + base
    return RecordSpan(begin, stop, "" if words is None or words == "" else words_of(words))


def number_of(value: object) -> int:
    """A whole number, or an error."""
    if not is_whole(value):
        raise Faults(f"expected a token number, found {value!r:.60}")
    return value


GRAPH, MENTIONS = "graph", "event_mentions"


def _choose_graph(keys: KeysOfRecords, _source: Source, options: Options) -> tuple[str, tuple[Finding, ...]]:
    """Which key counts in records that have both data and a graph: of gold the data, else the graph, which is a system's."""
    has_both = any({GRAPH, MENTIONS} <= one for one in keys)
    return MENTIONS if has_both and options.get(SIDE) == "gold" else GRAPH, ()


def _document_of_sentence(record: Mapping[str, object]) -> object:
    """``doc_id``, or what stands before the last hyphen of ``sent_id``."""
    if "doc_id" in record or not isinstance(record.get("sent_id"), str):
        return record["doc_id"]
    sentence = str(record["sent_id"])
    return sentence.rpartition("-")[0] or sentence


def _oneie(records: Records, key: str) -> RecordContent:
    """Sentence records: ``event_mentions`` (data), or ``graph`` (output of the system); ends are exclusive."""
    content, remarks = RecordContent([], []), list[tuple[str, str, int]]()
    base = 0
    for number, record in enumerate(records):
        tokens = tokens_of(record["tokens"])
        told: list[tuple[str, str]] = []
        if GRAPH in record and (key == GRAPH or MENTIONS not in record):
            content.events.extend(_oneie_graph(record[GRAPH], len(tokens), base))
        else:
            content.events.extend(_oneie_mentions(record, tokens, base, told))
        content.sentences.append(tokens)
        remarks.extend((code, why, number) for code, why in told)
        base += len(tokens)
    return content._replace(remarks=remarks)


def _oneie_mentions(
    record: Mapping[str, Any], tokens: Sequence[str], base: int, remarks: list[tuple[str, str]]
) -> list[RecordEvent]:
    """The events of data.

    A filler stands where its entity does or, without ``entity_id``, at its own ``start`` and ``end``.  Where these are
    missing too, ``text`` are words without a place.
    """

    def run(one: Mapping[str, object]) -> RecordSpan:
        return _run_of_record(one["start"], one["end"], len(tokens), base, one.get("text"))

    def filler(one: Mapping[str, Any]) -> SpanOrWords:
        own = None if one.get("start") is None else run(one)
        if one.get("entity_id") is None:
            return words_of(one["text"]) if own is None else own
        entity = entities[one["entity_id"]]
        if own is not None and (own.begin, own.end) != (entity.begin, entity.end):
            places = f"tokens {own.begin - base} to {own.end - base}, its entity at {entity.begin - base} to {entity.end - base}"
            message = (
                f"role {one['role']}: {one['entity_id']!r} stands at {places}; the entity's place counts"
            )
            remarks.append(("place-differs", message))
        return entity

    def event(one: Mapping[str, Any]) -> RecordEvent:
        trigger = one["trigger"]
        arguments = make_each(lambda item: (item["role"], filler(item)), one.get("arguments", []))
        where = words_of(trigger["text"]) if trigger.get("start") is None else run(trigger)
        return RecordEvent(one.get("id", ""), one["event_type"], where, tuple(arguments))

    entities = named_once(make_each(lambda one: (one["id"], run(one)), record.get("entity_mentions", [])))
    return make_each(event, record.get(MENTIONS, []))


def _run_of_record(first: object, end: object, count: int, base: int, words: object = None) -> RecordSpan:
    """A run of the tokens of one record, which has ``count`` of them; or an error."""
    run = span_of(first, end, words, base)
    if not base <= run.begin < run.end <= base + count:
        raise Faults(f"tokens {first} to {end} of {count}")
    return run


def _oneie_graph(graph: Mapping[str, Any], count: int, base: int) -> list[RecordEvent]:
    entities = make_each(lambda one: _run_of_record(one[0], one[1], count, base), graph.get("entities", []))
    for name in ("trigger", "role"):
        # Names of a graph that lost a letter are names elsewhere in a record.
        if name in graph:
            raise Faults(f"expected the key '{name}s' in a graph, found '{name}'")
    roles: dict[int, list[tuple[str, SpanOrWords]]] = {}
    for trigger, entity, role, *_ in graph.get("roles", []):
        number = _index(trigger, graph.get("triggers", []), "trigger")
        roles.setdefault(number, []).append((role, entities[_index(entity, entities, "entity")]))

    def found(item: tuple[int, Sequence[str]]) -> RecordEvent:
        number, trigger = item
        arguments = tuple(roles.get(number, ()))
        confidence = str(trigger[3]) if len(trigger) > 3 else ""
        where = _run_of_record(trigger[0], trigger[1], count, base)
        return RecordEvent("", trigger[2], where, arguments, confidence=confidence)

    return make_each(found, enumerate(graph.get("triggers", [])))


def _index(value: object, items: Sequence[object], what: str) -> int:
    """The number of an item, counted from 0; or an error."""
    if not is_whole(value) or not 0 <= value < len(items):
        raise Faults(f"expected the number of one of {len(items)} {what}s in a role, found {value!r:.60}")
    return value


def _dygie(records: Records, key: str) -> RecordContent:
    """A document record with events under ``key``; token numbers of the document, ends inclusive.

    Words may stand for a token number: ``["stormed", type]``, ``["the fort", role]``.
    """
    (record,) = records
    if "_sentence_start" in record or "sentence_start" in record:
        raise Faults("a sentence record; documents must be whole")
    events = (event for sentence in record.get(key, []) for event in sentence)
    return RecordContent(list(map(tokens_of, record["sentences"])), make_each(_dygie_event, events))


def _dygie_event(event: Sequence[Any]) -> RecordEvent:
    (place, kind, *scores), *arguments = event
    trigger: SpanOrWords = words_of(place) if isinstance(place, str) else span_of(place, number_of(place) + 1)
    roles = tuple(make_each(_dygie_argument, arguments))
    return RecordEvent("", kind, trigger, roles, confidence=str(scores[-1]) if scores else "")


def _dygie_argument(argument: Sequence[Any]) -> tuple[str, SpanOrWords]:
    if isinstance(argument[0], str):
        return argument[1], words_of(argument[0])
    first, last, role, *_ = argument
    return role, span_of(first, number_of(last) + 1)


def record_format(
    shape: RecordShape,
    title: str,
    recognise: Callable[[bytes], bool],
    *,
    tasks_by_layer: Callable[[bytes], Mapping[str, tuple[str, ...]]] | None = None,
    layers: tuple[str, ...] = (),
    names: FormatNames,
    graphs: GraphShape | None = None,
) -> Format:
    """A format of records of events, and of entities and relations if it has ``graphs``."""
    read_events = partial(_corpus, shape=shape)
    return Format(
        name=shape.name,
        title=title,
        extensions=(".jsonl", ".json"),
        tasks=("nugget", "arguments") if graphs is None else ("nugget", "arguments", "relations", "spans"),
        recognise=recognise,
        read=read_events if graphs is None else partial(_read_layer, read_events, graphs),
        layers=("mentions", "events", *layers) if graphs is None else ("mentions", "events", GRAPHS, *layers),
        has_text=True,
        names=names,
        tasks_by_layer=tasks_by_layer,
    )


def _read_layer(
    read_events: Callable[[Source, Options], Corpus], graphs: GraphShape, source: Source, options: Options
) -> Corpus:
    """The layer that is scored: relations, labelled spans (beside tags, which these files do not have), else events."""
    scored = options.get(SCORED_LAYERS)
    match = options.get("match")
    if match == "templates" and graphs.window_key is not None:
        named = graphs._replace(document_of=_name_of_record, window_key=None)
        return read_graphs(source, options, named)
    by_sentence = match == "sentences"
    if by_sentence or (isinstance(scored, tuple) and not {GRAPHS, "tags"}.isdisjoint(scored)):
        return read_graphs(source, options, graphs)
    return read_events(source, options)


def _name_of_record(record: Mapping[str, object]) -> object:
    """``sent_id``, or ``doc_id`` of a record that is a document."""
    return record.get("sent_id", record.get("doc_id"))


def _name_of_document(record: Mapping[str, object]) -> object:
    try:
        return _document_of_sentence(record)
    except KeyError:
        return None


_ONEIE_NAMES = json_names(
    "doc_id sent_id wnd_id tokens graph entities triggers roles entity_mentions event_mentions id start end event_type"
    " trigger arguments entity_id role text relations relation_mentions relation_type entity_type mention_type",
    "sentence pieces token_lens offset_start offset_end sent_idx",
)
ONEIE = record_format(
    RecordShape("oneie", _document_of_sentence, _oneie, "sent_id", (MENTIONS, GRAPH), _choose_graph),
    "OneIE sentence records (JSON lines)",
    partial(is_record_of, "oneie"),
    tasks_by_layer=partial(tasks_by_layer, "oneie"),
    names=_ONEIE_NAMES,
    graphs=GraphShape("oneie", _name_of_document, oneie_sentences, "sent_id", choose_oneie_keys),
)
TEXTEE = record_format(
    RecordShape("textee", itemgetter("doc_id"), _oneie, "wnd_id", (MENTIONS, GRAPH), _choose_graph),
    "TextEE windows (JSON lines)",
    partial(is_record_of, "textee"),
    tasks_by_layer=partial(tasks_by_layer, "textee"),
    names=_ONEIE_NAMES,
    graphs=GraphShape("textee", methodcaller("get", "doc_id"), oneie_sentences, "wnd_id", choose_oneie_keys),
)
_EVENTS_OF_DYGIE = record_format(
    RecordShape(
        "dygie",
        itemgetter("doc_key"),
        _dygie,
        event_keys=("events",),
        choose_key=partial(choose_key_of, "events"),
    ),
    "DyGIE++ documents (JSON lines)",
    partial(is_record_of, "dygie"),
    tasks_by_layer=partial(tasks_by_layer, "dygie"),
    layers=("clusters",),
    names=json_names(
        "doc_key sentences events predicted_events clusters predicted_clusters _sentence_start sentence_start ner"
        " relations predicted_ner predicted_relations",
        "dataset section_starts",
    ),
    graphs=GraphShape(
        "dygie", methodcaller("get", "doc_key"), dygie_sentences, choose_keys=choose_dygie_keys
    ),
)


def _read_dygie(source: Source, options: Options) -> Corpus:
    """The layer that is scored: clusters of coreference, else events."""
    scored = options.get(SCORED_LAYERS)
    if isinstance(scored, tuple) and "clusters" in scored:
        from lydite.formats.coref_jsonl import read

        return replace(read(source, options), format="dygie")
    return _EVENTS_OF_DYGIE.read(source, options)


DYGIE = _EVENTS_OF_DYGIE._replace(
    tasks=("nugget", "arguments", "coref", "relations", "spans"),
    extensions=(".jsonl", ".jsonlines", ".json"),
    read=_read_dygie,
)
