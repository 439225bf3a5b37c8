"""lydite's own format: one document per line, with everything that a reader knows.

::

    {"schema": "lydite.document/1", "doc_id": "d1", "text": "Rebels stormed the fort.",
     "mentions": [{"id": "E1", "span": [[7, 14]], "text": "stormed", "type": "Conflict_Attack", "realis": "Actual"}],
     "relations": [{"name": "Coreference", "id": "C1", "members": ["E1", "E4"]}],
     "layers": {"events": […]}}

Everything but ``doc_id`` may be missing.  The index of a file holds the place of every document; a document is decoded
when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from sys import intern
from typing import Annotated, Final, cast

import msgspec

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.base import ALL_LAYERS, Format, Options, corpus_of
from lydite.formats.document_places import DocumentPlaces, LinePlace
from lydite.formats.json_lines import (
    NONE_FOUND,
    first_line,
    has_keys,
    json_lines,
    line_findings,
    load_or_name_all,
)
from lydite.formats.json_values import json_value
from lydite.formats.layers import LAYERS
from lydite.formats.records import NotARecordError, to_plain
from lydite.formats.source import BlockReader, Source, SourcePart
from lydite.formats.text import NOT_UTF_8
from lydite.formats.units import has_local_clusters, is_of_several, regroup
from lydite.formats.unplaced import unplaced_finding
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import Event
from lydite.model.cluster import Partition
from lydite.model.document import Facts, Layers
from lydite.model.mention import RELATIONS
from lydite.numerals import TOO_LARGE

SCHEMA = "lydite.document/1"
LOCAL_CLUSTERS: Final = "local-clusters"
"""The layer that marks cluster ids as local: equal ids in two documents are two clusters."""
_PLAIN_HEAD = re.compile(rb'\{"schema": ?"lydite\.document/1", ?"doc_id": ?("(?:[^"\\]|\\.)*")')


Offset = Annotated[int, msgspec.Meta(gt=-TOO_LARGE, lt=TOO_LARGE)]


class MentionData(msgspec.Struct, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A mention: half-open character ranges under ``span``, or token ids under ``tokens``, or neither yet."""

    id: str = ""
    span: tuple[tuple[Offset, Offset], ...] = ()
    tokens: tuple[str, ...] = ()
    text: str = ""
    type: str = ""
    realis: str = ""
    confidences: tuple[str, ...] = ()


class RelationData(msgspec.Struct, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A named relation between mentions, by their ids."""

    name: str
    id: str = ""
    members: tuple[str, ...] = ()


class DocumentData(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a file."""

    doc_id: str
    schema: str = SCHEMA
    text: str | None = None
    tokens: dict[str, str] | None = None
    mentions: list[MentionData] = []
    relations: list[RelationData] = []
    layers: dict[str, msgspec.Raw] = {}


class _DocumentId(msgspec.Struct):
    doc_id: str


_decode_document = msgspec.json.Decoder(DocumentData).decode
_decode_id = msgspec.json.Decoder(_DocumentId).decode
_encode = msgspec.json.Encoder().encode


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a file (or all files of a folder or archive), each document decoded when it is needed.

    ``options["unit"]`` joins documents to topics or one corpus, as in all formats of clusters.
    """
    index: DocumentPlaces[LinePlace] = DocumentPlaces(LinePlace)
    findings: list[Finding] = []
    relations: set[str] = set()
    has_mentions = False
    for place, line in json_lines(source):
        _index_line(index, findings, line, place)
        relations.update(name for name in RELATIONS if b'"%b"' % name.encode() in line)
        has_mentions = has_mentions or b'"mentions"' in line
    if not index and not findings:
        findings.append(Finding("no-document", "error", NONE_FOUND, Location(source.parts[0].path, 1)))
    if any(finding.code in {"bad-json-line", NOT_UTF_8} for finding in findings):
        raise FormatError(findings)
    load = partial(load_or_name_all, partial(_load, index, BlockReader()), index)
    documents = LazyDocuments(index, load)
    facts: Facts = {"relations": sorted(relations), "folder": len(index) > 1}
    if (unit := _unit_of(load, index if has_mentions else ())) is not None:
        facts["unit"] = unit
    corpus = corpus_of(source, "lydite", documents, findings=findings, facts=facts)
    return regroup(corpus, options) if options.get("unit") in {"topic", "corpus"} else corpus


def _unit_of(load: Callable[[str], Document], doc_ids: Iterable[str]) -> str | None:
    """The unit of the first mention with a place; None if there is none, or if a line before it cannot be read."""
    for doc_id in doc_ids:
        try:
            mentions = load(doc_id).mentions
        except FormatError:
            break
        for mention in mentions:
            if mention.span.tokens:
                return "token"
            if mention.span.ranges:
                return "char"
    return None


def _index_line(
    index: DocumentPlaces[LinePlace], findings: list[Finding], line: bytes, place: LinePlace
) -> None:
    known = _PLAIN_HEAD.match(line)
    try:
        doc_id = msgspec.json.decode(known.group(1), type=str) if known else _decode_id(line).doc_id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        findings.extend(line_findings(place, line, [_bad_line(place, error)]))
        return
    if doc_id in index:
        message = f"document {doc_id!r} occurs twice (before: line {index[doc_id].line}); the last one counts"
        findings.append(Finding("repeated-document", "warning", message, place.location, doc_id))
        del index[doc_id]
    index[doc_id] = place


def _bad_line(place: LinePlace, error: Exception) -> Finding:
    message = f"expected a document of schema {SCHEMA}, found: {error}"
    hint = 'the least that a line can be is {"doc_id": "d1"}; the format page lists all keys'
    return Finding("bad-json-line", "error", message, place.location, hint=hint)


def _load(index: Mapping[str, LinePlace], files: BlockReader, doc_id: str) -> Document:
    place = index[doc_id]
    return _document(files.read(place.part, place.offset, place.offset + place.size), place)


def _document(line: bytes, place: LinePlace) -> Document:
    try:
        data = _decode_line(line)
        if data.schema != SCHEMA:
            raise NotARecordError(f"schema {data.schema!r}")
        # A layer is decoded by the type that its name has.
        layers = cast("Layers", {name: _decode_layer(name, raw) for name, raw in data.layers.items()})
        if layers.pop(LOCAL_CLUSTERS, False):
            layers["clusters"] = Partition(layers.get("clusters", ()), local=True)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise FormatError(line_findings(place, line, [_bad_line(place, error)])) from None
    number = place.line
    return Document(
        data.doc_id,
        mentions=tuple([_mention(one, number) for one in data.mentions]),
        relations=tuple([Relation(one.name, one.id, one.members, number) for one in data.relations]),
        path=place.part.path,
        line=number,
        text=data.text,
        tokens=data.tokens,
        layers=layers,
        findings=tuple(_unplaced_findings(data, layers.get("events", ()), place)),
    )


def document_of(data: Mapping[str, object]) -> Document:
    """The document of a line with these keys; raises :class:`FormatError` if something is wrong."""
    try:
        line = _encode(data)
    except (TypeError, ValueError) as error:
        raise FormatError([Finding("bad-json-line", "error", f"not JSON: {error}")]) from None
    return _document(line, LinePlace(SourcePart("", lambda: BytesIO(line)), 0, len(line), 0))


def _unplaced_findings(data: DocumentData, events: Sequence[Event], place: LinePlace) -> Iterator[Finding]:
    unplaced_words = {
        "mention": [one.id or one.text for one in data.mentions if not one.span and not one.tokens],
        "trigger": [event.text for event in events if not event.trigger],
        "filler": [one.text for event in events for one in event.arguments if not one.span],
    }
    for noun, words in unplaced_words.items():
        if words:
            yield unplaced_finding(counted(len(words), noun), words, place.location, data.doc_id)


def _decode_line(line: bytes) -> DocumentData:
    try:
        document = _decode_document(line)
    except msgspec.DecodeError:
        if rb"\ud" not in line.lower():
            raise
        # Bytes that were not UTF-8 are lone surrogates here, which only the decoder of the standard library accepts.
        import json

        data = json_value(line)
        layers = data.pop("layers", {}) if isinstance(data, dict) else {}
        if not isinstance(layers, dict):
            raise NotARecordError(f"layers: expected an object, found {layers!r:.80}") from None
        document = msgspec.convert(data, DocumentData)
        document.layers = {name: msgspec.Raw(json.dumps(layer).encode()) for name, layer in layers.items()}
        return document
    _expect_keys_once(line, _encode(document))
    return document


def _decode_layer(name: str, raw: msgspec.Raw) -> object:
    if name not in LAYERS:
        raise NotARecordError(f"no layer {name!r}; known: {', '.join(LAYERS)}")
    encoded = bytes(raw)
    try:
        layer = msgspec.json.decode(encoded)
        _expect_keys_once(encoded, _encode(layer))
    except msgspec.DecodeError:
        layer = json_value(encoded)
    return LAYERS[name].decode(layer)


def _expect_keys_once(data: bytes, kept: bytes) -> None:
    """Refuse an object with a repeated key, of which the decoder silently keeps the last one.

    Only JSON with more keys than were kept is checked closely; most of it just has keys with empty values.
    """
    if data.count(b'":') > kept.count(b'":'):
        json_value(data)


def _mention(one: MentionData, line: int) -> Mention:
    span = Span(one.span, one.tokens)
    return Mention(one.id, span, one.text, intern(one.type), intern(one.realis), one.confidences, line)


# -------------------------------------------------------------------------------------------------- writing


def write(corpus: Corpus) -> bytes:
    """One line per document; keys with nothing in them are left out."""
    several = is_of_several(corpus)
    return b"".join(line_of(document, one_of_several=several) for document in corpus.documents.values())


def line_of(document: Document, *, one_of_several: bool = False) -> bytes:
    """The line of one document; local ids of clusters are marked as such if there are other documents."""
    entry: dict[str, object] = {"schema": SCHEMA, "doc_id": document.doc_id}
    if document.text is not None:
        entry["text"] = document.text
    if document.tokens is not None:
        entry["tokens"] = dict(document.tokens)
    mentions = [
        MentionData(one.id, one.span.ranges, one.span.tokens, one.text, one.type, one.realis, one.confidences)
        for one in document.mentions
    ]
    if mentions:
        entry["mentions"] = mentions
    if document.relations:
        entry["relations"] = [RelationData(one.name, one.id, one.members) for one in document.relations]
    layers = {name: to_plain(layer) for name, layer in document.layers.items() if name in LAYERS}
    if one_of_several and has_local_clusters(document):
        layers[LOCAL_CLUSTERS] = True
    if layers:
        entry["layers"] = layers
    try:
        return _encode(entry) + b"\n"
    except UnicodeEncodeError:
        import json

        return json.dumps(msgspec.to_builtins(entry)).encode("ascii") + b"\n"


def recognise(head: bytes) -> bool:
    """Whether the first line has the schema, or a document id and mentions or layers."""
    first = first_line(head)[:80]
    has_schema = first.startswith(b"{") and SCHEMA.encode() in first
    return has_schema or has_keys(head, needed=(b"doc_id",), one_of=(b"mentions", b"layers"))


def task_of(head: bytes) -> str | None:
    """The task whose layer the first line holds; None if it holds none."""
    first = head.partition(b"\n")[0]
    if b'"mentions"' in first:
        return "nugget"
    return next((task for layer, task in _TASKS.items() if b'"%b"' % layer.encode() in first), None)


_TASKS = {
    "clusters": "coref",
    "triples": "triples",
    "events": "arguments",
    "arguments": "arguments",
    "ace": "ace",
    "tags": "spans",
}

LYDITE = Format(
    name="lydite",
    title="lydite's own lossless form (JSON lines)",
    extensions=(".lydite.jsonl", ".jsonl"),
    tasks=("nugget", "coref", "arguments", "triples", "ace", "spans"),
    recognise=recognise,
    read=read,
    write=write,
    layers=(ALL_LAYERS,),
    holds_many=True,
    task_of=task_of,
)
