"""The documents of a collection: from JSON lines, plain text, SGML as the LDC makes it, APF, lydite's own form.

A document has an id, a text and what is known about it.  APF has no text: it gives names to the document of its id.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from lydite.errors import Finding, FormatError, Location
from lydite.formats import FORMATS
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.numbered_lines import filled_lines
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import text_pieces
from lydite.formats.texts import document_id
from lydite.model.ace import ENTITY, EVENT, LAYER, Element
from lydite.model.argument import EVENTS_LAYER, Event
from lydite.model.document import Document
from lydite.records import NamedTuple

COLUMNS = ("date", "genre", "source", "language")
"""What is known about a document beside its text."""

_TIME = r"[0-9]{4}(?:[0-9]{2})?(?:[^0-9].*)?"
_DATE = re.compile(rf"([0-9]{{4}})(?:-?([0-9]{{2}})(?:-?([0-9]{{2}})(?:{_TIME})?)?)?(?:[T ].*)?")
_DOC = re.compile(r"<DOC\b[^>]*>", re.IGNORECASE)
_END_OF_DOC = re.compile("</DOC>", re.IGNORECASE)
_POST = re.compile(r"<POST\b[^>]*>.*?</POST>", re.DOTALL | re.IGNORECASE)
_LANGUAGES = {"ENG": "en", "ARB": "ar", "CMN": "zh", "SPA": "es"}


class Post(NamedTuple):
    """One post of a thread: its place in the text of the document, its author and time."""

    start: int
    end: int
    author: str = ""
    time: str = ""


class AnnotatedName(NamedTuple):
    """A name that annotation gives, and the type of what it names."""

    text: str
    type: str


class AnnotatedEvent(NamedTuple):
    """A mention of an event that annotation gives: its type, and where it begins.

    ``tagless`` places count no characters of tags, as those of ACE do.
    """

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
"""By document id, values of :data:`COLUMNS`."""


@lru_cache(maxsize=1 << 16)
def normal_date(text: str) -> str | None:
    """A date as ``2006-03-14``, ``2006-03`` or ``2006``; None if it is not a date.  Times are cut off."""
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
    """A table with a header: ``id`` and any of ``date``, ``genre``, ``source``, ``language``, between tabs."""
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
            findings.append(_bad_date(row["date"], place, row["id"]))
        else:
            rows[row.pop("id")] = row
    if findings:
        raise FormatError(findings)
    return rows


def _bad_date(date: str, place: Location, doc_id: str) -> Finding:
    message = f"expected a date such as 2006-03-14, found {date!r}"
    return Finding("bad-document-date", "error", message, place, doc_id)


def read_part(part: SourcePart, metadata: Metadata, findings: list[Finding]) -> Iterator[CollectionDocument]:
    """The documents of one file, whatever its form; what cannot be read becomes findings."""
    with part.open() as stream:
        head = stream.read(4096)
    for document in _reader(part, head)(part, findings):
        if document.id in metadata:
            known: dict[str, Any] = {key: value for key, value in metadata[document.id].items() if value}
            document = document._replace(**known)  # noqa: PLW2901 - the same document, with what is known about it
        date = normal_date(document.date) if document.date else ""
        if date is None:
            findings.append(_bad_date(document.date, Location(document.path, document.line), document.id))
            continue
        yield document if date == document.date else document._replace(date=date)


Reader = Callable[[SourcePart, list[Finding]], Iterator[CollectionDocument]]


def _reader(part: SourcePart, head: bytes) -> Reader:
    name = part.name.lower()
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return _annotated("lydite") if b'"doc_id"' in start.partition(b"\n")[0] else _json_lines
    if FORMATS["apf"].recognise(head):
        return _annotated("apf")
    if re.match(rb"(?:<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<DOC\b", start, re.IGNORECASE):
        return _sgml
    return _json_lines if name.endswith((".jsonl", ".json")) else _plain


def _json_lines(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    import msgspec

    kind = msgspec.defstruct("Line", [("id", str), ("text", str), *((name, str, "") for name in COLUMNS)])
    decode = msgspec.json.Decoder(kind).decode
    with part.open() as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                read = msgspec.structs.asdict(decode(line))
                json_value(line)  # refuses a key that stands twice, of which the decoder takes the last one
            except (msgspec.MsgspecError, UnicodeDecodeError, NotJSONError) as error:
                message = f"expected an object with id, text and any of {', '.join(COLUMNS)}, found: {error}"
                findings.append(Finding("bad-document", "error", message, Location(part.path, number)))
                continue
            if not read["id"]:
                message = "expected a text under 'id', found an empty one"
                findings.append(Finding("bad-document", "error", message, Location(part.path, number)))
                continue
            yield CollectionDocument(**read, path=part.path, line=number)


def _text_of(part: SourcePart, findings: list[Finding]) -> str | None:
    try:
        return "".join(text_pieces(part))
    except FormatError as error:
        findings.extend(error.findings)
        return None


def _plain(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    text = _text_of(part, findings)
    if text is not None:
        yield CollectionDocument(document_id(part.name), text, path=part.path)


def _sgml(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
    text = _text_of(part, findings)
    if text is None:
        return
    begins = [found.start() for found in _DOC.finditer(text)]
    for begin, following in pairwise([*begins, len(text)] if begins else [0, len(text)]):
        end = _END_OF_DOC.search(text, begin, following)
        line = text.count("\n", 0, begin) + 1
        if end is None:
            message = "expected <DOC> … </DOC>, found no end of a document"
            findings.append(Finding("bad-document", "error", message, Location(part.path, line)))
            continue
        # One document is the whole file, so that places are those of the file.
        whole = text if len(begins) == 1 else text[begin : end.end()]
        head = whole[whole.lower().index("<doc") :]
        kind = re.search(r"<DOCTYPE\b[^>]*>", whole, re.IGNORECASE)
        doc_id = _attribute(head, "id") or _element(whole, "DOCID") or _element(whole, "DOCNO")
        if not doc_id:
            message = "expected a DOCID, or an id on DOC, found none"
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
    found = re.search(rf"<{name}\b[^>]*>(.*?)</{name}>", text, re.DOTALL | re.IGNORECASE)
    return " ".join(found[1].split()) if found else ""


def _attribute(tag: str, name: str) -> str:
    """An attribute of the tag with which a text begins."""
    found = re.match(rf"""<[^>]*?\b{name}\s*=\s*["']([^"']*)""", tag, re.IGNORECASE)
    return found[1].strip() if found else ""


def _posts(text: str) -> Iterator[Post]:
    for found in _POST.finditer(text):
        post = found.group()
        author = _attribute(post, "author") or _element(post, "POSTER")
        time = _attribute(post, "datetime") or _element(post, "POSTDATE")
        yield Post(found.start(), found.end(), author, time)


def _annotated(name: str) -> Reader:
    """Documents with annotation: their names and events, and their text if the format has it."""

    def read(part: SourcePart, findings: list[Finding]) -> Iterator[CollectionDocument]:
        try:
            corpus = FORMATS[name].read(Source(part.path, (part,)), {})
        except FormatError as error:
            findings.extend(error.findings)
            return
        findings.extend(finding for finding in corpus.findings if finding.severity == "error")
        for document in corpus.documents.values():
            findings.extend(finding for finding in document.findings if finding.severity == "error")
            yield CollectionDocument(
                document.doc_id,
                document.text,
                names=tuple(_names(document.layers.get(LAYER, ()))),
                events=tuple(_events(document)),
                path=part.path,
                line=document.line or None,
            )

    return read


def given_names(element: Element) -> list[str]:
    """Names under ``entity_attributes``; where there are none, the heads of named mentions."""
    return [name.text for name in element.names] or [
        mention.head.text for mention in element.mentions if mention.type == "NAM" and mention.head
    ]


def _names(elements: Iterable[Element]) -> Iterator[AnnotatedName]:
    for element in elements:
        if element.kind == ENTITY:
            type_ = element.attributes.get("TYPE", "")
            yield from (AnnotatedName(" ".join(text.split()), type_) for text in given_names(element))


def _events(document: Document) -> Iterator[AnnotatedEvent]:
    """Mentions with a type, or else the events with arguments, and the mentions of ACE events."""
    events: Sequence[Event] = document.layers.get(EVENTS_LAYER, ())
    triggers = [(mention.type, mention.span.ranges) for mention in document.mentions]
    triggers = triggers or [(event.type, event.trigger) for event in events]
    for type_, ranges in triggers:
        if type_:
            yield AnnotatedEvent(type_, min((begin for begin, _ in ranges), default=0))
    for element in document.layers.get(LAYER, ()):
        if element.kind == EVENT:
            type_ = ".".join(filter(None, map(element.attributes.get, ("TYPE", "SUBTYPE"))))
            for mention in element.mentions:
                place = mention.head or mention.extent
                start = int(place.start) if place else 0
                yield AnnotatedEvent(type_, start, tagless=True)
