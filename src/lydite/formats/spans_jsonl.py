"""Labelled spans as JSON lines: one document per line, with tags or with spans.

::

    {"doc_id": "d1", "tokens": ["EU", "rejects"], "tags": ["B-ORG", "O"]}
    {"doc_id": "d2", "text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}]}

``tags`` may be a list of sentences.  A span is an object with ``start``, ``end`` and ``label`` (or ``type``), or a list
``[start, end, label]``; ranges are half-open; ``spans`` of an object are the ranges of a span of several.  ``id``,
``text``, ``realis`` and ``confidences`` of a span are kept.  ``id`` and ``doc_key`` of a document are taken for
``doc_id``, ``entities`` for ``spans``; without an id the number of the line is the name.  Other keys are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from operator import index

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.base import Format, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import NONE_FOUND, document_name, has_keys, parsed_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.source import Source
from lydite.model import Corpus, Document, Mention, Span
from lydite.model.document import Facts
from lydite.model.tags import TAGS_LAYER, Tags, is_tag
from lydite.numerals import WHOLE, is_whole

CODE = "bad-span-line"
WORDS_ALONE = (
    "--profile strings compares words, --ground places them in the text (of gold, or of --documents)"
)


def read(source: Source, _options: Mapping[str, object]) -> Corpus:
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
    tagged = bool(documents) and all(TAGS_LAYER in one.layers for one in documents.values())
    facts: Facts = {"unit": "word" if tagged else "char", "folder": len(documents) > 1}
    return corpus_of(source, "spans-jsonl", documents, facts=facts)


def _parse_line(line: bytes, number: int) -> Document:
    try:
        data = json_object(line)
    except NotJSONError as error:
        raise Faults(f"expected a JSON object, found: {error}") from None
    named = next((data[key] for key in ("doc_id", "id", "doc_key") if key in data), number)
    doc_id = document_name(named)
    if doc_id is None:
        raise Faults(f"expected a text or a number as the name of the document, found {named!r:.60}")
    text = data.get("text")
    if text is not None and not isinstance(text, str):
        raise Faults(f"text: expected a text, found {text!r:.60}")
    keys = [key for key in ("tags", "spans", "entities") if data.get(key) is not None]
    if len(keys) > 1:
        raise Faults(f"expected either 'tags' or 'spans', found both {keys[0]!r} and {keys[1]!r}")
    if "tags" in keys:
        tags = tags_of(data["tags"], "tags")
        return Document(doc_id, text=text, tokens=words_of(data, tags), layers={TAGS_LAYER: tags})
    spans = data[keys[0]] if keys else None
    if not isinstance(spans, list):
        raise Faults("expected a key 'tags' or 'spans' with a list, found neither")
    mentions = [span_of(item, f"spans[{at}]") for at, item in enumerate(spans)]
    numbered = (one._replace(id=one.id or f"T{at}", line=number) for at, one in enumerate(mentions, 1))
    return Document(doc_id, tuple(numbered), text=text)


def words_of(data: Mapping[str, object], tags: Tags) -> dict[str, str] | None:
    """The words of a record, as many as it has tags; None if it has none."""
    words = data.get("tokens", data.get("words"))
    if words is None:
        return None
    if not isinstance(words, list | tuple):
        raise Faults(f"expected a list of tokens, found {words!r:.60}")
    flat = [word for one in words for word in (one if isinstance(one, list | tuple) else [one])]
    count = sum(map(len, tags))
    if len(flat) != count:
        found = f"{counted(count, 'tag')} and {counted(len(flat), 'token')}"
        raise Faults(f"expected as many tags as tokens, found {found}")
    for at, word in enumerate(flat):
        if isinstance(word, bool) or not isinstance(word, str | int | float):
            raise Faults(f"expected a word as token {at}, found {word!r:.60}")
    return {str(at): str(word) for at, word in enumerate(flat)}


def tags_of(value: object, where: str) -> tuple[tuple[str, ...], ...]:
    """The tags of each sentence, from a list of tags or a list of sentences."""
    if not isinstance(value, list | tuple):
        raise Faults(f"{where}: expected a list of tags, found {value!r:.60}")
    nested = (
        bool(value)
        and isinstance(value[0], list | tuple)
        and all(isinstance(one, list | tuple) for one in value)
    )
    sentences = value if nested else [value]
    if all(map(_are_tags, sentences)):
        return tuple([tuple(sentence) for sentence in sentences if len(sentence)])
    for one in sentences:
        for at, tag in enumerate(one):
            if not isinstance(tag, str) or not is_tag(tag):
                raise Faults(f"{where}[{at}]: expected O or a tag such as B-PER or I-PER, found {tag!r:.60}")
    return tuple(tuple(one) for one in sentences if len(one))


def _are_tags(sentence: Sequence[object]) -> bool:
    try:
        distinct = set(sentence)
    except TypeError:
        return False
    return {str}.issuperset(map(type, distinct)) and all(map(is_tag, distinct))


def span_of(value: object, where: str) -> Mention:
    """A labelled span, from an object or a list."""
    if isinstance(value, Mapping):
        if "text" in value and not {"start", "end", "spans"} & value.keys():
            raise Faults(f"{where}: expected start and end, found words alone; {WORDS_ALONE}")
        if "label" not in value and "type" not in value:
            found = ", ".join(map(str, value)) or "none"
            raise Faults(f"{where}: expected a key 'label' or 'type', found {found:.60}")
        label = value.get("label", value.get("type"))
        places = value["spans"] if "spans" in value else [(value.get("start"), value.get("end"))]
        attributes = {key: value[key] for key in ("id", "text", "realis") if value.get(key) is not None}
        confidences = value.get("confidences", ())
    elif isinstance(value, list | tuple) and len(value) == 3:
        *place, label = value
        places, attributes, confidences = [place], {}, ()
    else:
        raise Faults(f"{where}: expected an object with start, end and label, found {value!r:.60}")
    if not isinstance(places, list | tuple) or not places:
        raise Faults(f"{where}.spans: expected a list of [start, end], found {places!r:.60}")
    several = [f"{where}.spans[{at}]" for at in range(len(places))] if len(places) > 1 else [where]
    ranges = [_range(place, part) for place, part in zip(places, several, strict=True)]
    if not isinstance(label, str) or not label:
        raise Faults(f"{where}.label: expected a text, found {label!r:.60}")
    return Mention(
        str(attributes.get("id", "")),
        Span(tuple(ranges)),
        str(attributes.get("text", "")),
        label,
        str(attributes.get("realis", "")),
        tuple(map(str, confidences)) if isinstance(confidences, list | tuple) else (str(confidences),),
    )


def _range(place: object, where: str) -> tuple[int, int]:
    if not isinstance(place, list | tuple) or len(place) != 2:
        raise Faults(f"{where}: expected [start, end], found {place!r:.60}")
    begin, end = _offset(place[0], f"{where}.start"), _offset(place[1], f"{where}.end")
    if not 0 <= begin < end:
        raise Faults(f"{where}: expected 0 ≤ start < end, found {begin} and {end}")
    return begin, end


def _offset(value: object, where: str) -> int:
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]  # what is none raises
    except TypeError:
        number = None
    if number is None:
        raise Faults(f"{where}: expected an integer, found {value!r:.60}")
    if not is_whole(number):
        raise Faults(f"{where}: expected {WHOLE}, found {value!r:.60}")
    return number


def write(corpus: Corpus) -> bytes:
    """One line per document: tags where there are tags, else spans."""
    lines = []
    for document in corpus.documents.values():
        record: dict[str, object] = {"doc_id": document.doc_id}
        if document.text is not None:
            record["text"] = document.text
        tags = document.layers.get(TAGS_LAYER)
        if tags is not None:
            words = list((document.tokens or {}).values())
            if len(words) == sum(map(len, tags)):
                record["tokens"] = words
            record["tags"] = tags
        else:
            record["spans"] = [
                _span_record(one)
                for one in document.mentions
                if one.type and one.span.ranges and all(0 <= begin < end for begin, end in one.span.ranges)
            ]
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8")


def _span_record(mention: Mention) -> dict[str, object]:
    (begin, end), *more = mention.span.ranges
    place = {"spans": mention.span.ranges} if more else {"start": begin, "end": end}
    kept = {
        "id": mention.id,
        "text": mention.text,
        "realis": mention.realis,
        "confidences": mention.confidences,
    }
    return {**place, "label": mention.type, **{key: value for key, value in kept.items() if value}}


def recognise(head: bytes) -> bool:
    """Whether the first line looks like an object with tags or spans."""
    return has_keys(head, one_of=(b"tags", b"spans", b"entities")) and not has_keys(head, needed=(b"events",))


SPANS_JSONL = Format(
    name="spans-jsonl",
    title="Labelled spans as JSON lines (tags or spans)",
    extensions=(".jsonl",),
    tasks=("spans",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("mentions", TAGS_LAYER),
    holds_many=True,
    units=("char",),
    has_words=True,
    has_text=True,
    names=json_names("doc_id doc_key tags tokens words spans entities text start end label type"),
)
