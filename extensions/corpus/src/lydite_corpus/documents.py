"""Read the documents of a collection from JSON lines, plain text, LDC SGML, APF, or lydite's own form.

A document has an id, a text and metadata.  APF has no text: its names and events are added to the document with its id.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from lydite.errors import Finding, FormatError, Location, errors_among
from lydite.formats import FORMATS
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.numbered_lines import filled_lines
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import text_pieces
from lydite.formats.texts import document_id, elements
from lydite.model.ace import ENTITY, EVENT, LAYER, Element
from lydite.model.argument import EVENTS_LAYER, Event
from lydite.model.document import Document

COLUMNS = ("date", "genre", "source", "language")
"""The metadata of a document."""

_TIME = r"[0-9]{4}(?:[0-9]{2})?(?:[^0-9].*)?"
_DATE = re.compile(rf"([0-9]{{4}})(?:-?([0-9]{{2}})(?:-?([0-9]{{2}})(?:{_TIME})?)?)?(?:[T ].*)?")
_DOC = re.compile(r"<DOC\b[^<>]*>", re.IGNORECASE)
_END_OF_DOC = re.compile("</DOC>", re.IGNORECASE)
_LANGUAGES = {"ENG": "en", "ARB": "ar", "CMN": "zh", "SPA": "es"}


class Post(NamedTuple):
    """A post of a thread: start and end in the text of the document, author and time."""

    start: int
    end: int
    author: str = ""
    time: str = ""


class AnnotatedName(NamedTuple):
    """An annotated name and the type of its entity."""

    text: str
    type: str


class AnnotatedEvent(NamedTuple):
    """An annotated mention of an event: its type and its start; if ``tagless``, the start does not count tags (ACE)."""

    type: str
    start: int
    tagless: bool = False


class CollectionDocument(NamedTuple):
    """A document of a collection; ``text`` is None where only annotation was given."""

    id: str
    text: str | None
    date: str = ""
    genre: str = ""
    source: str = ""
    language: str = ""
    headline: str = ""
    posts: tuple[Post, ...] = ()
    markup: bool = False
    names: tuple[AnnotatedName, ...] = ()
    events: tuple[AnnotatedEvent, ...] = ()
    path: str = ""
    line: int | None = None


Metadata = Mapping[str, Mapping[str, str]]
"""Values of :data:`COLUMNS` by document id."""


@lru_cache(maxsize=1 << 16)
def normal_date(text: str) -> str | None:
    """Normalise a date to ``2006-03-14``, ``2006-03`` or ``2006``, without time; return None if it is not a date."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = match.groups()
    if month and not 1 <= int(month) <= 12:
        return None
    if day and not 1 <= int(day) <= monthrange(int(year), int(month))[1]:
        return None
    return "-".join(part for part in (year, month, day) if part)


def read_metadata(path: str) -> Metadata:
    """Read a tab-separated table with a header: ``id`` and some of ``date``, ``genre``, ``source``, ``language``."""
    rows: dict[str, dict[str, str]] = {}
    lines = filled_lines(path)
    header = lines[0][1].split("\t") if lines else []
    if "id" not in header or not {"id", *COLUMNS}.issuperset(header) or len(set(header)) < len(header):
        found = f"the columns {', '.join(header)}" if header else "an empty file"
        message = f"expected a header with id and any of {', '.join(COLUMNS)}, found {found}"
        raise FormatError([Finding("bad-metadata", "error", message, Location(path, 1))])
    findings = []
    for number, line in lines[1:]:
        cells = line.split("\t")
        row = dict(zip(header, cells, strict=False))
        place = Location(path, number)
        if len(cells) != len(header):
            message = f"expected {len(header)} columns ({', '.join(header)}), found {len(cells)}"
            findings.append(Finding("bad-metadata", "error", message, place))
        elif row["id"] in rows:
            message = f"expected one line for document {row['id']!r}, found a second"
            findings.append(Finding("bad-metadata", "error", message, place, row["id"]))
        elif row.get("date") and normal_date(row["date"]) is None:
            findings.append(_date_finding(row["date"], place, row["id"]))
        else:
            rows[row.pop("id")] = row
    if findings:
        raise FormatError(findings)
    return rows


def _date_finding(date: str, place: Location, doc_id: str) -> Finding:
    message = f"expected a date such as 2006-03-14, found {date!r}"
    return Finding("bad-document-date", "error", message, place, doc_id)


def read_part(part: SourcePart, metadata: Metadata, findings: list[Finding]) -> Iterator[CollectionDocument]:
    """Read the documents of a file in one of the formats; what cannot be read becomes findings."""
    with part.open() as stream:
        head = stream.read(4096)
    for document in _recognise(part, head)(part, findings):
        if document.id in metadata:
            values: dict[str, Any] = {key: value for key, value in metadata[document.id].items() if value}
            document = document._replace(**values)  # noqa: PLW2901 - the same document, with its metadata
        date = normal_date(document.date) if document.date else ""
        if date is None:
            findings.append(_date_finding(document.date, Location(document.path, document.line), document.id))
            continue
        yield document if date == document.date else document._replace(date=date)


DocumentReader = Callable[[SourcePart, list[Finding]], Iterator[CollectionDocument]]


def _recognise(part: SourcePart, head: bytes) -> DocumentReader:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        is_lydite = b'"doc_id"' in start.partition(b"\n")[0]
        return partial(_read_annotated, "lydite") if is_lydite else _read_json_lines
    if FORMATS["apf"].recognise(head):
        return partial(_read_annotated, "apf")
    if re.match(rb"(?:<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<DOC\b", start, re.IGNORECASE):
        return _read_sgml
    return _read_json_lines if part.name.lower().endswith((".jsonl", ".json")) else _read_plain_text


def _read_json_lines(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    import msgspec

    kind = msgspec.defstruct("Line", [("id", str), ("text", str), *((name, str, "") for name in COLUMNS)])
    decode = msgspec.json.Decoder(kind).decode
    with part.open() as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                read = msgspec.structs.asdict(decode(line))
                json_value(line)  # refuses duplicate keys, of which the decoder takes the last one
            except (msgspec.MsgspecError, UnicodeDecodeError, NotJSONError) as error:
                message = f"expected an object with id, text and any of {', '.join(COLUMNS)}, found: {error}"
                findings.append(Finding("bad-document", "error", message, Location(part.path, number)))
                continue
            if not read["id"]:
                message = "expected a non-empty text under 'id', found an empty one"
                findings.append(Finding("bad-document", "error", message, Location(part.path, number)))
                continue
            yield CollectionDocument(**read, path=part.path, line=number)


def _read_text(part: SourcePart, findings: list[Finding]) -> str | None:
    try:
        return "".join(text_pieces(part))
    except FormatError as error:
        findings.extend(error.findings)
        return None


def _read_plain_text(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    if (text := _read_text(part, findings)) is not None:
        yield CollectionDocument(document_id(part.name), text, path=part.path)


def _read_sgml(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    text = _read_text(part, findings)
    if text is None:
        return
    starts = [match.start() for match in _DOC.finditer(text)]
    line, counted = 1, 0
    for start, following in pairwise([*starts, len(text)] if starts else [0, len(text)]):
        end = _END_OF_DOC.search(text, start, following)
        line, counted = line + text.count("\n", counted, start), start
        if end is None:
            message = "expected <DOC> … </DOC>, found no </DOC>"
            findings.append(Finding("bad-document", "error", message, Location(part.path, line)))
            continue
        # A single document is the whole file, so that offsets are those of the file.
        whole = text if len(starts) == 1 else text[start : end.end()]
        head = whole[whole.lower().index("<doc") :]
        kind = re.search(r"<DOCTYPE\b[^<>]*>", whole, re.IGNORECASE)
        doc_id = _attribute(head, "id") or _element(whole, "DOCID") or _element(whole, "DOCNO")
        if not doc_id:
            message = "expected a DOCID element, or an id attribute of DOC, found none"
            findings.append(Finding("bad-document", "error", message, Location(part.path, line)))
            continue
        yield CollectionDocument(
            doc_id,
            whole,
            date=_element(whole, "DATETIME") or _element(whole, "DATE_TIME") or _element(whole, "DATE"),
            genre=(kind and _attribute(kind.group(), "SOURCE")) or _attribute(head, "type"),
            source=re.split(r"[\d_]", doc_id, maxsplit=1)[0],
            language=next((code for key, code in _LANGUAGES.items() if f"_{key}_" in doc_id), ""),
            headline=_element(whole, "HEADLINE"),
            posts=tuple(_posts(whole)),
            markup=True,
            path=part.path,
            line=line,
        )


def _element(text: str, name: str) -> str:
    """Return the text of the first element with a name, or ""."""
    found = next(elements(text, name), None)
    return " ".join(found.content.split()) if found else ""


def _attribute(tag: str, name: str) -> str:
    """Return an attribute of the tag with which a text begins, or ""."""
    found = re.match(rf"""<[^>]*?\b{name}\s*=\s*["']([^"']*)""", tag, re.IGNORECASE)
    return found[1].strip() if found else ""


def _posts(text: str) -> Iterator[Post]:
    for found in elements(text, "POST"):
        post = text[found.start : found.end]
        author = _attribute(post, "author") or _element(post, "POSTER")
        time = _attribute(post, "datetime") or _element(post, "POSTDATE")
        yield Post(found.start, found.end, author, time)


def _read_annotated(
    format_name: str, part: SourcePart, findings: list[Finding]
) -> Iterator[CollectionDocument]:
    """Read annotated names and events, and the text if the format has it."""
    try:
        corpus = FORMATS[format_name].read(Source(part.path, (part,)), {})
    except FormatError as error:
        findings.extend(error.findings)
        return
    findings.extend(errors_among(corpus.findings))
    for document in corpus.documents.values():
        findings.extend(errors_among(document.findings))
        yield CollectionDocument(
            document.doc_id,
            document.text,
            names=tuple(_names(document.layers.get(LAYER, ()))),
            events=tuple(_events(document)),
            path=part.path,
            line=document.line or None,
        )


def names_of_entity(element: Element) -> list[str]:
    """Return the names under ``entity_attributes``; if there are none, the heads of named mentions."""
    return [name.text for name in element.names] or [
        mention.head.text for mention in element.mentions if mention.type == "NAM" and mention.head
    ]


def _names(elements: Iterable[Element]) -> Iterator[AnnotatedName]:
    for element in elements:
        if element.kind == ENTITY:
            type_ = element.attributes.get("TYPE", "")
            yield from (AnnotatedName(" ".join(text.split()), type_) for text in names_of_entity(element))


def _events(document: Document) -> Iterator[AnnotatedEvent]:
    """Return the mentions with a type, or else the events with arguments, and the mentions of ACE events."""
    events: Sequence[Event] = document.layers.get(EVENTS_LAYER, ())
    triggers = [(mention.type, mention.span.ranges) for mention in document.mentions]
    triggers = triggers or [(event.type, event.trigger) for event in events]
    for type_, ranges in triggers:
        if type_:
            yield AnnotatedEvent(type_, min((start for start, _ in ranges), default=0))
    for element in document.layers.get(LAYER, ()):
        if element.kind == EVENT:
            type_ = ".".join(filter(None, map(element.attributes.get, ("TYPE", "SUBTYPE"))))
            for mention in element.mentions:
                region = mention.head or mention.extent
                yield AnnotatedEvent(type_, int(region.start) if region else 0, tagless=True)
