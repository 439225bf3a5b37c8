"""Entities and relations of sentences in JSON records: OneIE, TextEE, DyGIE++ (SciERC, PURE) and SpERT.

A document is read from all its records; its text is the tokens joined by blanks, one sentence per line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted, first_of
from lydite.formats.base import SCORED_LAYERS, SIDE, Options, corpus_of, list_option
from lydite.formats.document_places import LinePlace
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name, joined_files, json_lines, line_findings, load_or_name_all
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.predicted_keys import PREFIX, choose_key, find_predicted_keys
from lydite.formats.source import BlockReader, Source, SourcePart
from lydite.model import Corpus, Document, LazyDocuments, Mention, Span
from lydite.model.document import Facts, Layers
from lydite.model.graphs import (
    GRAPHS,
    GraphEntity,
    GraphRelation,
    GraphRole,
    GraphTrigger,
    GraphWords,
    SentenceGraph,
)
from lydite.model.windows import WINDOWS, Range, Window, Windows
from lydite.numerals import is_whole

BYTES_IN_MEMORY = 1 << 23
"""Records of the first lines, up to this many bytes, stay in memory; later ones are read again when they are needed."""

Sentence = tuple[list[str], SentenceGraph]
"""The tokens of a sentence and what is said of it."""


class Keys(NamedTuple):
    """Where the layers of a side stand in its records: the names of keys, empty for a layer that is not read.

    ``graph`` says whether the graph of a record counts more than its data.
    """

    entities: str = ""
    relations: str = ""
    events: str = ""
    graph: bool = True


class GraphShape(NamedTuple):
    """What tells a format of records: its name, how a record names its document and itself, and how it is parsed.

    ``document_of`` gives None if a record has no name; it is then named by its position.  ``sentences`` get the record,
    the keys of the side, and a list for remarks: a code and a message.
    """

    name: str
    document_of: Callable[[Mapping[str, object]], object]
    sentences: Callable[[dict[str, object], Keys, list[tuple[str, str]]], list[Sentence]]
    window_key: str | None = None
    """The key of the name of a record, where a document has several; None if a record is a document."""
    choose_keys: Callable[[Source, Options], tuple[Keys, tuple[Finding, ...]]] = lambda _source, _options: (
        Keys(),
        (),
    )
    may_be_unnamed: bool = False
    """Whether records without names are documents too."""


def read_graphs(source: Source, options: Options, shape: GraphShape) -> Corpus:
    """The documents of a source with the entities and relations of their sentences."""
    keys, told = shape.choose_keys(source, options)
    index = _Index(shape)
    for place, line in json_lines(source):
        index.add(place, line)
    if index.findings:
        raise FormatError(index.findings)
    entities_only = "tags" in list_option(options, SCORED_LAYERS)
    load = partial(_load, shape, keys, index, entities_only)
    documents = LazyDocuments(tuple(index.places), partial(load_or_name_all, load, index.places))
    facts: Facts = {"unit": "char", "folder": len(index.places) > 1, "key": keys.relations or keys.entities}
    facts["records"] = index.names_by_document()
    if shape.may_be_unnamed:
        facts["named"] = not index.unnamed
    if shape.choose_keys is choose_dygie_keys and keys.relations and not keys.entities:
        facts["untyped_ends"] = True
    return corpus_of(source, shape.name, documents, findings=(*told, *index.joined), facts=facts)


class _Index:
    """Where the records of each document lie; the first ones are kept."""

    def __init__(self, shape: GraphShape) -> None:
        self.shape = shape
        self.places: dict[str, list[LinePlace]] = {}
        self.findings: list[Finding] = []
        self.joined: list[Finding] = []
        self.names: dict[str, dict[str, Location]] = {}
        self.unnamed = False
        self._lines = BlockReader()
        self._unnamed_windows: set[str] = set()
        self._files: dict[str, SourcePart] = {}
        self._records: dict[tuple[str, int], dict[str, object]] = {}
        self._size = 0
        self._count = 0

    def add(self, place: LinePlace, line: bytes) -> None:
        """Take in a record."""
        self._count += 1
        try:
            record = _parsed(line)
            doc_id = self._document_of(record)
        except Faults as faults:
            message = f"expected an object that names its document, found: {faults}"
            bad = bad_record(self.shape.name, message, place.location)
            self.findings.extend(line_findings(place, line, [bad]))
            return
        self._add_name(doc_id, record, place)
        places = self.places.setdefault(doc_id, [])
        places.append(place)
        self.joined.extend(joined_files(self._files, doc_id, place))
        self._size += len(line)
        if self._size <= BYTES_IN_MEMORY:
            self._records[doc_id, len(places) - 1] = record

    def _document_of(self, record: dict[str, object]) -> str:
        value = self.shape.document_of(record)
        if value is None and self.shape.may_be_unnamed:
            self.unnamed = True
            return str(self._count)
        name = document_name(value)
        if name is None:
            raise Faults("no name of a document" if value is None else f"{value!r:.60} as its name")
        return name

    def _add_name(self, doc_id: str, record: dict[str, object], place: LinePlace) -> None:
        known = self.names.setdefault(doc_id, {})
        key = self.shape.window_key
        name = doc_id if key is None else document_name(record.get(key))
        if name is None:
            self._unnamed_windows.add(doc_id)
        elif name in known:
            what = f"document {doc_id!r}" if key is None else f"{key} {name!r} of document {doc_id!r}"
            before = known[name]
            message = f"{what} occurs twice (before: {before.path}:{before.line})"
            hint = "were the outputs of two runs joined?"
            self.findings.append(
                Finding("repeated-window", "error", message, place.location, doc_id, hint=hint)
            )
        else:
            known[name] = place.location

    def records(self, doc_id: str) -> list[dict[str, object]]:
        """The records of a document."""
        places = self.places[doc_id]
        return [
            self._records.get((doc_id, at)) or _parsed(place.read(self._lines))
            for at, place in enumerate(places)
        ]

    def names_by_document(self) -> dict[str, tuple[str, ...]]:
        """The names of the records of each document; none if it is a record itself, or has records without names."""
        is_record = self.shape.window_key is None
        return {
            doc_id: () if is_record or doc_id in self._unnamed_windows else tuple(names)
            for doc_id, names in self.names.items()
        }

    def names_of(self, doc_id: str) -> tuple[str, ...]:
        """The names of the records of one document."""
        is_unnamed = self.shape.window_key is None or doc_id in self._unnamed_windows
        return () if is_unnamed else tuple(self.names[doc_id])


def _parsed(line: bytes) -> dict[str, object]:
    try:
        return json_object(line)
    except NotJSONError as error:
        raise Faults(str(error)) from None


def bad_record(format_name: str, message: str, place: Location) -> Finding:
    """The finding about a record that does not have the form of its format."""
    hint = f"the page of the format {format_name} shows a record"
    return Finding("bad-event-record", "error", message, place, hint=hint)


SHAPE_ERRORS = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""The errors that a record of an unexpected shape raises."""


def reason(error: Exception) -> str:
    """What an error of :data:`SHAPE_ERRORS` says about a record."""
    return f"no key {error}" if isinstance(error, KeyError) else f"{type(error).__name__} {error}"


def _load(shape: GraphShape, keys: Keys, index: _Index, entities_only: bool, doc_id: str) -> Document:
    places = index.places[doc_id]
    names = index.names_of(doc_id)
    windows: list[Window] = []
    graphs: list[SentenceGraph] = []
    remarks: list[tuple[int, str, str]] = []
    faults: list[Finding] = []
    lines: list[str] = []
    start = 0
    for number, (place, record) in enumerate(zip(places, index.records(doc_id), strict=True)):
        told: list[tuple[str, str]] = []
        try:
            found = shape.sentences(record, keys, told)
        except (Faults, *SHAPE_ERRORS) as error:
            whys = error.args if isinstance(error, Faults) else (reason(error),)
            form = f"document {doc_id!r}: the record does not have the form of {shape.name}"
            faults += [bad_record(shape.name, f"{form}: {why}", place.location) for why in whys]
            continue
        remarks += [(place.line, code, why) for code, why in told]
        for words, graph in found:
            name = names[number] if names else str(len(windows) + 1)
            ranges = list(_ranges(words, start))
            windows.append(Window(name, place.line, tuple(words), tuple(ranges)))
            graphs.append(graph)
            lines.append(" ".join(words))
            start += len(lines[-1]) + 1
    if faults:
        raise FormatError(faults)
    by: Literal["name", "position", "sentence"] = "sentence"
    if shape.may_be_unnamed:
        windows = [window._replace(name=doc_id) for window in windows]
        by = "position" if index.unnamed else "name"
    elif shape.window_key is not None:
        by = "name" if names else "position"
    first = places[0].location
    layers: Layers = {WINDOWS: Windows(by, tuple(windows)), GRAPHS: tuple(graphs)}
    document = Document(doc_id, path=first.path, line=first.line or 0, text="\n".join(lines), layers=layers)
    findings = tuple(document.finding(code, "warning", why, line) for line, code, why in remarks)
    if entities_only:
        mentions = tuple(_mentions(document))
        del layers[GRAPHS]
        layers[GRAPHS] = tuple(SentenceGraph(graph.entities, is_data=graph.is_data) for graph in graphs)
        return document._replace(mentions=mentions, layers=layers, findings=findings)
    return document._replace(findings=findings)


def _ranges(words: Iterable[str], start: int) -> Iterator[Range]:
    for word in words:
        yield start, start + len(word)
        start += len(word) + 1


def _mentions(document: Document) -> Iterator[Mention]:
    """The entities of all sentences as mentions of characters."""
    words = GraphWords(document)
    number = 0
    for window, graph in enumerate(document.layers[GRAPHS]):
        line = document.layers[WINDOWS].windows[window].line
        for entity in graph.entities:
            number += 1
            span = Span(words.characters(window, entity.place))
            text = words.words(window, entity.place)
            yield Mention(f"T{number}", span, text, entity.type, line=line)


# ------------------------------------------------------------------------------------------------ parts of records


def tokens_of(value: object) -> list[str]:
    """A list of tokens, or an error."""
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise Faults(f"expected a list of tokens, found {value!r:.60}")
    return value


def name_of(value: object, what: str) -> str:
    """A type or role, or an error."""
    if not isinstance(value, str):
        raise Faults(f"expected a text as {what}, found {value!r:.60}")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """A list, or an error: a text would be taken apart into letters."""
    if not isinstance(value, list):
        raise Faults(f"expected a list as {what}, found {value!r:.60}")
    return value


def place_of(first: object, end: object, least: int, most: int) -> Range:
    """A run of tokens with an exclusive end, or an error if it does not stand among the tokens from ``least`` on."""
    if not (is_whole(first) and is_whole(end) and least <= first < end <= most):
        raise Faults(f"expected tokens among {least} to {most}, found {first!r:.20} to {end!r:.20}")
    return first, end


def _position(value: object, items: Sequence[object], what: str) -> int:
    if not is_whole(value) or not 0 <= value < len(items):
        raise Faults(f"expected the number of an {what} among {len(items)}, found {value!r:.60}")
    return value


def _score(scores: Sequence[object]) -> float | None:
    """The last of the numbers that follow a label."""
    last = scores[-1] if scores else None
    return float(last) if isinstance(last, int | float) and not isinstance(last, bool) else None


def _listed(record: Mapping[str, object], key: str) -> list[Any]:
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Faults(f"{key}: expected a list, found {value!r:.60}")
    return value


# ---------------------------------------------------------------------------------------------------------- OneIE

_DATA = ("entity_mentions", "relation_mentions", "event_mentions")
ENDS = ("Arg-1", "Arg-2")
"""The roles of the two ends of a relation in the data."""


def choose_oneie_keys(_source: Source, options: Options) -> tuple[Keys, tuple[Finding, ...]]:
    """Of gold the data count, of a system its graph."""
    of_gold = options.get(SIDE) == "gold"
    return Keys("entity_mentions", "data" if of_gold else "graph", graph=not of_gold), ()


def oneie_sentences(record: dict[str, object], keys: Keys, remarks: list[tuple[str, str]]) -> list[Sentence]:
    """A sentence with its graph, or with mentions that have ids; ends are exclusive."""
    tokens = tokens_of(record["tokens"])
    has_data = any(key in record for key in _DATA)
    if record.get("graph") is not None and (keys.graph or not has_data):
        return [(tokens, _graph_of(record["graph"], len(tokens)))]
    return [(tokens, _graph_of_data(record, tokens, remarks))]


def _graph_of(graph: object, count: int) -> SentenceGraph:
    if not isinstance(graph, dict):
        raise Faults(f"expected an object as graph, found {graph!r:.60}")
    for name in ("entity", "trigger", "relation", "role"):
        if name in graph:  # a name that lost a letter would be skipped
            raise Faults(f"expected the plural of {name!r} as a key of the graph")
    entities = tuple(
        GraphEntity(place_of(begin, end, 0, count), name_of(kind, "type"), str(rest[0]) if rest else "")
        for begin, end, kind, *rest in _listed(graph, "entities")
    )
    triggers = tuple(
        GraphTrigger(place_of(begin, end, 0, count), name_of(kind, "type"))
        for begin, end, kind, *_ in _listed(graph, "triggers")
    )
    relations = []
    for head, tail, kind, *rest in _listed(graph, "relations"):
        ends = _position(head, entities, "entity"), _position(tail, entities, "entity")
        relation = GraphRelation(
            name_of(kind, "type"), entities[ends[0]].place, entities[ends[1]].place, ends
        )
        relations.append(relation._replace(confidence=_score(rest)))
    roles = []
    for trigger, entity, role, *_ in _listed(graph, "roles"):
        at = _position(entity, entities, "entity")
        number = _position(trigger, triggers, "event")
        roles.append(GraphRole(number, entities[at].place, name_of(role, "role"), at))
    return SentenceGraph(entities, tuple(relations), triggers, tuple(roles))


def _graph_of_data(
    record: dict[str, object], tokens: Sequence[str], remarks: list[tuple[str, str]]
) -> SentenceGraph:
    count = len(tokens)
    positions: dict[object, int] = {}
    entities: list[GraphEntity] = []
    for one in _listed(record, "entity_mentions"):
        place = place_of(one["start"], one["end"], 0, count)
        if one["id"] in positions:
            raise Faults(f"the id {one['id']!r} is used twice")
        positions[one["id"]] = len(entities)
        entities.append(
            GraphEntity(
                place, name_of(one["entity_type"], "type"), str(one.get("mention_type", "")), str(one["id"])
            )
        )
        words = one.get("text")
        if words and "".join(words.split()) != "".join(tokens[slice(*place)]):
            found = " ".join(tokens[slice(*place)])
            remarks.append(("text-mismatch", f"entity {one['id']!r}: expected {words!r}, found {found!r}"))
    relations = []
    for one in _listed(record, "relation_mentions"):
        ends_by_role = {argument.get("role"): argument for argument in one.get("arguments", ())}
        if not all(role in ends_by_role for role in ENDS):
            found = first_of([repr(role) for role in ends_by_role]) or "none"
            name = one.get("id", one["relation_type"])
            message = (
                f"relation {name}: expected the roles {' and '.join(ENDS)}, found {found}; it does not count"
            )
            remarks.append(("relation-too-few-arguments", message))
            continue
        head, tail = (_entity_of(ends_by_role[role], positions) for role in ENDS)
        kind = name_of(one["relation_type"], "type")
        relations.append(GraphRelation(kind, entities[head].place, entities[tail].place, (head, tail)))
    triggers, roles = [], []
    for number, event in enumerate(_listed(record, "event_mentions")):
        trigger = event["trigger"]
        place = place_of(trigger["start"], trigger["end"], 0, count)
        triggers.append(GraphTrigger(place, name_of(event["event_type"], "type")))
        for argument in event.get("arguments", ()):
            if argument.get("entity_id") is None:
                at, filler = None, place_of(argument["start"], argument["end"], 0, count)
            else:
                at = _entity_of(argument, positions)
                filler = entities[at].place
                own = argument.get("start"), argument.get("end")
                if own[0] is not None and own != filler:
                    message = f"role {argument['role']}: {argument['entity_id']!r} stands at tokens {own[0]} to {own[1]}, its entity at {filler[0]} to {filler[1]}; the entity's place counts"
                    remarks.append(("place-differs", message))
            roles.append(GraphRole(number, filler, name_of(argument["role"], "role"), at))
    return SentenceGraph(tuple(entities), tuple(relations), tuple(triggers), tuple(roles), is_data=True)


def _entity_of(argument: Mapping[str, object], positions: Mapping[object, int]) -> int:
    name = argument["entity_id"]
    if name not in positions:
        raise Faults(f"no entity has the id {name!r}")
    return positions[name]


# -------------------------------------------------------------------------------------------------------- DyGIE++


def choose_dygie_keys(source: Source, options: Options) -> tuple[Keys, tuple[Finding, ...]]:
    """The keys of the layers that are scored: entities alone, or relations and the entities that they join."""
    scored = list_option(options, SCORED_LAYERS)
    if "tags" in scored:
        key, told = choose_key("ner", source, options)
        return Keys(entities=key), told
    if "events" in scored:
        key, told = choose_key("events", source, options)
        return Keys(events=key), told
    key, told = choose_key("relations", source, options)
    if key == "relations":
        return Keys("ner", key), told
    if f"{PREFIX}ner" in find_predicted_keys(source):
        return Keys(f"{PREFIX}ner", key), told
    message = f"{source.name} has predicted relations and no predicted entities: only rel is scored"
    hint = f"entity and rel+ need {PREFIX}ner"
    finding = Finding("ends-without-types", "warning", message, Location(source.path), hint=hint)
    return Keys(relations=key), (*told, finding)


def dygie_sentences(record: dict[str, object], keys: Keys, _remarks: list[tuple[str, str]]) -> list[Sentence]:
    """The sentences of a document; tokens are numbered through it, and ends are inclusive."""
    sentences = [tokens_of(sentence) for sentence in list_of(record["sentences"], "sentences")]
    count = sum(map(len, sentences))
    layers = [_of_sentences(record, key, len(sentences)) for key in keys[:3]]
    return [(words, _dygie_graph(count, *items)) for words, *items in zip(sentences, *layers, strict=True)]


def _of_sentences(record: dict[str, object], key: str, count: int) -> list[list[Any]]:
    """A layer sentence by sentence; a record without it has nothing in it."""
    found = _listed(record, key) if key else []
    if len(found) > count:
        raise Faults(f"{key}: expected lists for {counted(count, 'sentence')}, found {len(found)}")
    return [*found, *([] for _ in range(count - len(found)))]


def _dygie_graph(
    count: int, entities: Sequence[Any], relations: Sequence[Any], events: Sequence[Any]
) -> SentenceGraph:
    def place(first: object, last: object) -> Range:
        return place_of(first, last + 1 if is_whole(last) else last, 0, count)

    triggers, roles = [], []
    for number, ((token, kind, *_), *arguments) in enumerate(events):
        triggers.append(GraphTrigger(place(token, token), name_of(kind, "type")))
        roles += [
            GraphRole(number, place(first, last), name_of(role, "role"))
            for first, last, role, *_ in arguments
        ]
    return SentenceGraph(
        tuple(GraphEntity(place(first, last), name_of(kind, "type")) for first, last, kind, *_ in entities),
        tuple(
            GraphRelation(
                name_of(kind, "type"), place(first, last), place(other, end), confidence=_score(rest)
            )
            for first, last, other, end, kind, *rest in relations
        ),
        tuple(triggers),
        tuple(roles),
    )


# ---------------------------------------------------------------------------------------------------------- SpERT


def spert_sentences(
    record: dict[str, object], _keys: Keys, _remarks: list[tuple[str, str]]
) -> list[Sentence]:
    """A sentence; relations name entities by their positions, and ends are exclusive."""
    tokens = tokens_of(record["tokens"])
    entities = tuple(
        GraphEntity(place_of(one["start"], one["end"], 0, len(tokens)), name_of(one["type"], "type"))
        for one in _listed(record, "entities")
    )
    relations = []
    for one in _listed(record, "relations"):
        ends = _position(one["head"], entities, "entity"), _position(one["tail"], entities, "entity")
        places = entities[ends[0]].place, entities[ends[1]].place
        relations.append(GraphRelation(name_of(one["type"], "type"), *places, ends))
    return [(tokens, SentenceGraph(entities, tuple(relations)))]
