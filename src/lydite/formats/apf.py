"""APF, the ACE program format: elements of documents, in XML.

::

    source_file  URI SOURCE TYPE
      document   DOCID
        entity   ID TYPE SUBTYPE CLASS
          entity_mention  ID TYPE [ROLE METONYMY_MENTION]  > extent, head  > charseq START END
          entity_attributes > name NAME
          external_link RESOURCE EID
        value, timex2, relation, event   with their mentions and arguments

Offsets of ``charseq`` and ``charspan`` are characters; the end of a ``charseq`` is inclusive and becomes half-open
here.  ``timespan`` counts seconds, ``bblist`` holds boxes.  Attribute names are read without regard to case, values
are trimmed, character references are decoded (or left as they stand with ``apf-text=raw``), comments are ignored.
Line ends inside NAME are kept (a parser by itself makes spaces of them): they decide how a name is joined up.
The document type is never loaded, entities are not expanded, the network is not touched.

A file may hold several ``source_file`` elements, also without a common root.  A file that is no XML is read as a list
of APF files, one path per line, relative to the list.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lydite.errors import Finding, FormatError, Location, refuse
from lydite.escaping import counted
from lydite.formats.base import Format, Options, UnreadDocuments, corpus_of
from lydite.formats.names import xml_names
from lydite.formats.safe_xml import OPTIONS, ill_formed, line_of, xml_safe
from lydite.formats.source import Source, SourcePart, open_source
from lydite.grouping import grouped
from lydite.memory import without_garbage_collection
from lydite.model import Corpus, Document
from lydite.model.ace import (
    ENTITY,
    EVENT,
    KINDS,
    LAYER,
    RELATION,
    SOURCE_LAYER,
    TIMEX2,
    VALUE,
    Box,
    Element,
    ElementArgument,
    ElementMention,
    Link,
    Name,
    Region,
    SourceFile,
)
from lydite.model.document import Facts, Layers
from lydite.numerals import TOO_LARGE, decimal_of, is_natural

if TYPE_CHECKING:
    from lxml.etree import _Element, _ElementUnicodeResult


DATA_TYPES = ("text", "audio", "image")

_MENTIONS = {kind: f"{kind}_mention" for kind in (ENTITY, VALUE, TIMEX2, RELATION, EVENT)}
_MENTION_ARGUMENTS = {kind: f"{kind}_mention_argument" for kind in _MENTIONS}
_PLACES: dict[str, tuple[str, ...]] = {
    ENTITY: ("extent", "head"),
    EVENT: ("extent", "anchor"),
    **dict.fromkeys((VALUE, TIMEX2, RELATION), ("extent",)),
}
"""The children of a mention that must be there and hold a place; the second one is its head."""
_REQUIRED: dict[str, tuple[str, ...]] = {
    ENTITY: ("TYPE", "SUBTYPE", "CLASS"),
    VALUE: ("TYPE",),
    TIMEX2: (),
    RELATION: ("TYPE",),
    EVENT: ("TYPE", "SUBTYPE", "MODALITY", "POLARITY", "GENERICITY", "TENSE"),
}
_READABLE: dict[str, tuple[str, ...]] = {
    **_REQUIRED,
    VALUE: ("TYPE", "SUBTYPE"),
    TIMEX2: ("VAL", "MOD", "ANCHOR_VAL", "ANCHOR_DIR", "SET", "NON_SPECIFIC", "COMMENT"),
    RELATION: ("TYPE", "SUBTYPE", "MODALITY", "TENSE"),
}


_HOLD_ELEMENTS = frozenset(
    (
        *("source_file", "document", "entity_attributes", "extent", "head", "anchor", "bblist"),
        *(name for kind in _MENTIONS for name in (kind, f"{kind}_mention")),
        *(name for kind in (RELATION, EVENT) for name in (f"{kind}_argument", _MENTION_ARGUMENTS[kind])),
    )
)
"""The elements that hold other elements and no text."""
_SHOWN_TEXT = 60
_STRAY_TEXT = "//text()[normalize-space()][not(parent::charseq or parent::charspan)]"


_LOWER_CASE = re.compile(rb"""=(?:\s|["'](?:(?<=[a-z\s]..)|(?<=[a-z][A-Z]..)|(?<=[a-z]ID..)))""")
"""The end of an attribute that may have a name that is not all upper case; text that looks like one does no harm.

A search that begins with a plain sign looks at little else, and names that people mix end in small letters or in ID.
"""


_new_tuple = tuple.__new__
"""Makes a named tuple without its own, slower constructor: most of a file are places."""


class _Reader:
    """Reads one file: gathers documents, and a finding for everything that is missing or broken."""

    def __init__(self, part: SourcePart, data: bytes) -> None:
        self.path = part.path
        self.any_case = _LOWER_CASE.search(data, max(0, data.find(b"<source_file"))) is not None
        self.findings: list[Finding] = []
        self.doc_id: str | None = None

    def report(self, code: str, message: str, node: _Element, *, item: str = "", hint: str = "") -> None:
        """A finding at the line of an element."""
        place = Location(self.path, line_of(node))
        self.findings.append(Finding(code, "error", message, place, self.doc_id, item or None, hint or None))

    def attribute(self, node: _Element, name: str) -> str | None:
        """The value of an attribute, trimmed, whatever the case of its name; None if it is absent."""
        value = node.get(name)
        if value is None and self.any_case:
            value = next((str(text) for key, text in node.attrib.items() if str(key).upper() == name), None)
        return None if value is None else value.strip()

    def filled(self, node: _Element, name: str) -> str | None:
        """The value of an attribute; None if it is absent or empty."""
        value = node.get(name)
        if value is None:
            return (self.attribute(node, name) or None) if self.any_case else None
        return value.strip() or None

    def require(self, node: _Element, name: str, *, item: str = "") -> str | None:
        """The value of an attribute, or a finding."""
        value: str | None = node.get(name)
        if value is None or not (value := value.strip()):
            value = self.filled(node, name)
        if value is not None:
            return value
        owner = f"{node.tag} {item!r}" if item else f"{node.tag}"
        self.report("missing-attribute", f"expected attribute {name} on {owner}, found none", node, item=item)
        return None

    def read_documents(self, root: _Element) -> Iterator[Document]:
        """The documents of all ``source_file`` elements, in file order."""
        sources = [root] if root.tag == "source_file" else list(root.iter("source_file"))
        for source in sources:
            self.doc_id = None
            data_type = self.require(source, "TYPE") or ""
            uri = self.require(source, "URI") or ""
            name = self.require(source, "SOURCE") or ""
            if data_type and data_type not in DATA_TYPES:
                message = f"expected TYPE text, audio or image on source_file, found {data_type!r}"
                self.report("illegal-attribute-value", message, source)
            for node in source.iterchildren("document"):
                document = self.read_document(node, SourceFile(data_type, sys.intern(name), uri))
                if document is not None:
                    yield document

    def read_document(self, node: _Element, source: SourceFile) -> Document | None:
        """One document with all of its elements."""
        self.doc_id = None
        doc_id = self.require(node, "DOCID")
        if doc_id is None:
            return None
        self.doc_id = sys.intern(doc_id)
        elements: list[Element] = []
        seen: dict[str, str] = {}
        for child in node.iterchildren():
            if child.tag not in _MENTIONS:
                self.check_unexpanded(child)
                continue
            element = self.read_element(child)
            if element is None:
                continue
            if element.id in seen:
                message = f"expected one {element.kind} {element.id!r} in document {doc_id!r}, found a second"
                self.report("element-defined-twice", message, child, item=element.id)
                if seen[element.id] == element.kind:
                    continue
            seen[element.id] = element.kind
            elements.append(element)
        layers: Layers = {LAYER: tuple(elements), SOURCE_LAYER: source}
        return Document(self.doc_id, path=self.path, line=line_of(node) or 0, layers=layers)

    def check_stray_text(self, root: _Element) -> None:
        """A finding for text where only elements belong: a tag that lost a bracket is text, and what it said is lost."""
        found: dict[str | None, list[tuple[_Element, _Element, str]]] = {}
        # The types of lxml do not know which results a path has.
        for text in cast("Iterable[_ElementUnicodeResult]", root.xpath(_STRAY_TEXT)):
            node = text.getparent()
            owner = node.getparent() if node is not None and text.is_tail else node
            if node is None or owner is None:
                continue
            if owner.tag in _HOLD_ELEMENTS or owner is root:
                document = next(owner.iterancestors("document"), owner)
                doc_id = self.filled(document, "DOCID") if document.tag == "document" else None
                found.setdefault(doc_id, []).append((owner, node, str(text)))
        for doc_id, texts in found.items():
            owner, node, stray = texts[0]
            before = "".join(map(str, node.itertext())) if owner is not node else ""
            before += stray[: len(stray) - len(stray.lstrip())]
            words = " ".join(stray.split())
            shown = words if len(words) <= _SHOWN_TEXT else f"{words[:_SHOWN_TEXT]}…"
            more = f", and more in {counted(len(texts) - 1, 'other place')}" if len(texts) > 1 else ""
            message = f"expected only elements in {owner.tag}, found the text {shown!r}{more}"
            hint = "a tag that lost a bracket reads like text, and two elements can then become one; mend the tag"
            place = Location(self.path, (line_of(node) or 1) + before.count("\n"))
            self.findings.append(Finding("stray-text", "error", message, place, doc_id, hint=hint))

    def check_unexpanded(self, node: _Element) -> None:
        """A finding if the node is an entity reference: it is not expanded, so that its text is not known."""
        from lxml import etree

        if node.tag is etree.Entity:
            message = f"found the entity reference {node.text!r}, which is not expanded"
            hint = "write the text itself; document types and external entities are never loaded"
            self.report("unexpanded-entity", message, node, hint=hint)

    def read_element(self, node: _Element) -> Element | None:
        """An entity, value, timex2, relation or event."""
        kind = str(node.tag)
        element_id = self.require(node, "ID")
        if element_id is None:
            return None
        element_id = sys.intern(element_id)
        # Attributes of a time are free text, and an empty one counts; elsewhere it is as good as none.
        read = self.attribute if kind == TIMEX2 else self.filled
        attributes = {
            name: sys.intern(value) for name in _READABLE[kind] if (value := read(node, name)) is not None
        }
        for name in _REQUIRED[kind]:
            if not attributes.get(name):
                self.require(node, name, item=element_id)
        mentions: list[ElementMention] = []
        arguments: list[ElementArgument] = []
        names: list[Name] = []
        links: list[Link] = []
        mention_tag, argument_tag = _MENTIONS[kind], f"{kind}_argument"
        for child in node[:]:  # type: ignore[index]  # quicker than an iterator; the types of lxml know none
            tag = child.tag
            if tag == mention_tag:
                mention = self.read_mention(kind, child)
                if mention is not None:
                    mentions.append(mention)
            elif tag == argument_tag:
                arguments.extend(self.read_argument(child, element_id))
            elif tag == "entity_attributes":
                names.extend(self.read_names(child, element_id))
            elif tag == "external_link":
                resource = self.require(child, "RESOURCE", item=element_id)
                link_id = self.require(child, "EID", item=element_id)
                if resource is not None and link_id is not None:
                    links.append(Link(resource, link_id))
            else:
                self.check_unexpanded(child)
        return Element(
            kind,
            element_id,
            attributes,
            tuple(mentions),
            tuple(dict.fromkeys(arguments)) if arguments else (),
            tuple(names),
            tuple(links),
            line_of(node) or 0,
        )

    def read_mention(self, kind: str, node: _Element) -> ElementMention | None:
        """A mention of an element: its places, and its arguments."""
        mention_id = self.require(node, "ID")
        if mention_id is None:
            return None
        place_tags, argument_tag = _PLACES[kind], _MENTION_ARGUMENTS[kind]
        places: dict[str, Region | None] = {}
        arguments: list[ElementArgument] = []
        for child in node[:]:  # type: ignore[index]  # quicker than an iterator; the types of lxml know none
            tag = child.tag
            if tag in place_tags:
                if tag in places:
                    message = f"expected one {tag} in {node.tag} {mention_id!r}, found a second"
                    self.report("element-defined-twice", message, child, item=mention_id)
                places[tag] = self.read_region(child, mention_id)
            elif tag == argument_tag:
                arguments.extend(self.read_argument(child, mention_id))
        if len(places) < len(place_tags):
            for tag in place_tags:
                if tag not in places:
                    message = f"expected one {tag} in {node.tag} {mention_id!r}, found none"
                    self.report("missing-attribute", message, node, item=mention_id)
        extent, head = places.get("extent"), places.get(place_tags[-1]) if len(place_tags) > 1 else None
        line = line_of(node) or 0
        if kind != ENTITY:
            distinct = tuple(dict.fromkeys(arguments))
            return ElementMention(mention_id, extent, head, arguments=distinct, line=line)
        type_ = sys.intern(self.require(node, "TYPE", item=mention_id) or "")
        role = sys.intern(self.filled(node, "ROLE") or "")
        written = self.any_case or node.get("METONYMY_MENTION")
        metonymic = self.is_metonymic(node, mention_id) if written else False
        return ElementMention(mention_id, extent, head, type_, role, metonymic, (), line)

    def is_metonymic(self, node: _Element, mention_id: str) -> bool:
        """METONYMY_MENTION: TRUE, FALSE or absent."""
        value = self.filled(node, "METONYMY_MENTION")
        if value not in {"TRUE", "FALSE", None}:
            message = f"expected METONYMY_MENTION TRUE or FALSE on {node.tag} {mention_id!r}, found {value!r}"
            self.report("illegal-attribute-value", message, node, item=mention_id)
        return value == "TRUE"

    def read_argument(self, node: _Element, owner: str) -> Iterator[ElementArgument]:
        """A role and the id of its filler."""
        role = self.require(node, "ROLE", item=owner)
        filler = self.require(node, "REFID", item=owner)
        if role is not None and filler is not None:
            yield ElementArgument(sys.intern(role), sys.intern(filler))

    def read_names(self, node: _Element, owner: str) -> Iterator[Name]:
        """The names under ``entity_attributes``; a name without NAME is the text of its place."""
        for child in node[:]:  # type: ignore[index]  # quicker than an iterator; the types of lxml know none
            if child.tag != "name":
                continue
            region = self.read_region(child, owner) if len(child) else None
            text = self.filled(child, "NAME") or (region.text if region else "")
            if text:
                yield Name(text, region)
            else:
                self.require(child, "NAME", item=owner)

    def read_region(self, node: _Element, item: str) -> Region | None:
        """The place inside an extent, head, anchor or name: ``charseq``, ``charspan``, ``timespan`` or ``bblist``."""
        if len(node) == 1 and (only := node[0]).tag == "charseq":
            # By far the most frequent place, read without further calls where nothing is wrong with it.
            # Names as bytes are what the parser asks for.
            first, last = _plain_offset(only.get(b"START")), _plain_offset(only.get(b"END"))
            if 0 <= first <= last and not len(only):
                return _new_tuple(Region, (first, last + 1, only.text or "", ()))
        places = [child for child in node if child.tag in _LOCATORS]
        if len(places) > 1:
            message = f"expected one place in {node.tag} of {item!r}, found {len(places)}; the first counts"
            self.report("element-defined-twice", message, places[1], item=item)
        if places:
            return _LOCATORS[places[0].tag](self, places[0], item)
        message = f"expected a charseq, charspan, timespan or bblist in {node.tag} of {item!r}, found none"
        self.report("missing-attribute", message, node, item=item)
        return None

    def read_span(self, node: _Element, item: str, *, whole: bool, beyond: int) -> Region | None:
        """START and END as a half-open range; ``beyond`` is 1 where END is the last character itself."""
        convert = _whole if whole else decimal_of
        start, end = (self.number_in(node, name, item, convert) for name in ("START", "END"))
        if start is None or end is None:
            return None
        if end + beyond <= start or start < 0:
            message = f"expected START before END on {node.tag} of {item!r}, found {start} and {end}"
            self.report("span-not-positive", message, node, item=item)
            return None
        text = "".join(map(str, node.itertext())) if len(node) else node.text or ""
        return Region(start, end + beyond, text)

    def number_in(
        self, node: _Element, name: str, item: str, convert: Callable[[str], float | None]
    ) -> float | None:
        """A number, or a finding."""
        text = self.require(node, name, item=item)
        if text is None:
            return None
        number = convert(text)
        if number is None or abs(number) >= TOO_LARGE:
            message = f"expected a number in {name} of {item!r}, found {text!r}"
            self.report("illegal-attribute-value", message, node, item=item)
            return None
        return number

    def read_boxes(self, node: _Element, item: str) -> Region | None:
        """A list of boxes on the pages of an image."""
        boxes: list[Box] = []
        for box in node.iterchildren("bbox"):
            page = self.require(box, "PAGE", item=item)
            numbers = [self.number_in(box, name, item, decimal_of) for name in ("X", "Y", "WIDTH", "HEIGHT")]
            if page is None or any(number is None for number in numbers):
                return None
            x, y, width, height = (float(number or 0.0) for number in numbers)
            if width <= 0 or height <= 0:
                message = (
                    f"expected WIDTH and HEIGHT above 0 on bbox of {item!r}, found {width:g} and {height:g}"
                )
                self.report("span-not-positive", message, box, item=item)
                return None
            boxes.append(Box(page, x, y, width, height))
        if not boxes:
            message = f"expected a bbox in bblist of {item!r}, found none"
            self.report("missing-attribute", message, node, item=item)
            return None
        return Region(0, 0, "", tuple(boxes))


@lru_cache(maxsize=1 << 14)
def _plain_offset(text: str | None) -> int:
    """An offset that is plain digits; -1 for all else, which needs a closer look.  Most documents share their offsets."""
    return int(text) if text is not None and is_natural(text) else -1


def _whole(text: str) -> int | None:
    """A whole number as XML writes it: digits, perhaps a sign."""
    return int(text) if is_natural(text.removeprefix("-")) else None


_LOCATORS: dict[object, Callable[[_Reader, _Element, str], Region | None]] = {
    "charseq": lambda reader, node, item: reader.read_span(node, item, whole=True, beyond=1),
    "charspan": lambda reader, node, item: reader.read_span(node, item, whole=True, beyond=0),
    "timespan": lambda reader, node, item: reader.read_span(node, item, whole=False, beyond=0),
    "bblist": lambda reader, node, item: reader.read_boxes(node, item),
}

_NAME_OVER_LINES = re.compile(rb"""(NAME\s*=\s*)("[^"<\r\n]*[\r\n][^"<]*"|'[^'<\r\n]*[\r\n][^'<]*')""")
"""An attribute NAME with a line end in its value; a search that begins with plain letters costs next to nothing."""


def _keep_line_ends(match: re.Match[bytes]) -> bytes:
    """The attribute with its line ends as references, which a parser does not turn into spaces.

    As many line ends follow it, so that the lines of the file keep their numbers.
    """
    name, value = match.groups()
    return bytes(name + re.sub(rb"\r\n?|\n", b"&#10;", value) + b"\n" * value.count(b"\n"))


_PROLOG = re.compile(rb"<\?xml[^<>]*\?>|<!DOCTYPE[^\[<>]*+(?:\[[^\]]{0,5000}\])?[^<>]*>", re.DOTALL)


def _parse(data: bytes, part: SourcePart) -> _Element:
    """The root of a file; several roots get a common one.  Ill-formed XML is a :class:`FormatError` with its place."""
    from lxml import etree

    try:
        return etree.fromstring(data, etree.XMLParser(**OPTIONS))
    except etree.XMLSyntaxError as error:
        if data.count(b"</source_file>") > 1:
            try:
                # Every prolog is blanked out, so that lines stay where they are.
                data = data.removeprefix(b"\xef\xbb\xbf")
                data = _PROLOG.sub(lambda match: b"\n" * match.group().count(b"\n"), data)
                return etree.fromstring(b"<apf>" + data + b"</apf>", etree.XMLParser(**OPTIONS))
            except etree.XMLSyntaxError:
                pass
        raise ill_formed(part, error) from None


def read(source: Source, settings: Options) -> Corpus:
    """A file, a folder, an archive, or a list of files, as one corpus.

    Findings are left in the documents; ids that must be unique on one side are looked at here, because only the
    reader sees all documents.
    """
    raw = settings.get("apf-text") == "raw"
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    with without_garbage_collection():
        for part in source.parts:
            data = part.read_bytes()
            for file in _listed_files(part, data, findings):
                content = data if file is part else file.read_bytes()
                findings.extend(_read_file(file, content, documents, raw=raw))
        findings.extend(_repeated_ids(documents))
    kinds = {element.kind for document in documents.values() for element in document.layers[LAYER]}
    facts: Facts = {"kinds": [kind for kind in KINDS if kind in kinds]}
    return corpus_of(source, "apf", documents, findings=findings, facts=facts)


_DOCUMENT = re.compile(rb"""<document\s[^<>]*?\bDOCID\s*=\s*["']([^"'&<]+)["']""")


def open_unread(source: Source, settings: Options) -> Corpus | None:
    """The corpus with unread documents: only their ids, and the kinds of elements, are searched for in the bytes.

    None if a file does not hold exactly one document with an id of its own.
    """
    parts: dict[str, SourcePart] = {}
    kinds: set[str] = set()
    for part in source.parts:
        data = part.read_bytes()
        kinds |= {kind for kind in KINDS if kind not in kinds and f"<{kind} ".encode() in data}
        found = _DOCUMENT.search(data, max(0, data.find(b"<document")))
        if found is None or data.count(b"<document", found.end()):
            return None
        doc_id = sys.intern(found.group(1).decode("utf-8", "replace").strip())
        if doc_id in parts:
            return None
        parts[doc_id] = part
    documents = UnreadDocuments(source.path, parts, read, dict(settings))
    facts: Facts = {"kinds": [kind for kind in KINDS if kind in kinds]}
    return corpus_of(source, "apf", documents, facts=facts)


def _listed_files(part: SourcePart, data: bytes, findings: list[Finding]) -> Iterator[SourcePart]:
    """The file itself, or the files that it names if it is a list; a line that names none is a finding."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"<", b"\xff\xfe", b"\xfe\xff")) or not start:
        yield part
        return
    folder = Path(part.path).parent
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield from _named_files(folder / line.strip(), Location(part.path, number))
        except FormatError as error:
            findings.extend(error.findings)


def _named_files(path: Path, place: Location) -> tuple[SourcePart, ...]:
    """The file, or the files of the archive, that a line of a list names; folders and devices are refused."""
    name = str(path)
    if os.path.exists(name) and not os.path.isfile(name):  # noqa: PTH110, PTH113 - these refuse no damaged name
        found = "a folder" if os.path.isdir(name) else "neither file nor folder"  # noqa: PTH112 - as above
        message = f"expected the path of an APF file, found {name!r}, which is {found}"
        hint = "name the files one by one, or give the folder itself instead of a list"
        raise refuse(place, "bad-side-file", message, hint=hint)
    return open_source(name, extensions=APF.extensions).parts


def _read_file(
    part: SourcePart, data: bytes, documents: dict[str, Document], *, raw: bool
) -> Iterator[Finding]:
    """Add the documents of one file to ``documents``; yields the findings that belong to none of them."""
    if raw:
        # Every reference is spelt out before parsing, so that "&amp;" stays five characters.
        data = data.replace(b"&", b"&amp;")
    data = _NAME_OVER_LINES.sub(_keep_line_ends, data)
    try:
        root = _parse(data, part)
    except FormatError as error:
        yield from error.findings
        return
    reader = _Reader(part, data)
    read_here = list(reader.read_documents(root))
    reader.check_stray_text(root)
    if not read_here and not reader.findings:
        message = "expected source_file and document elements, found none"
        yield Finding("file-without-evaluable-documents", "warning", message, Location(part.path))
    by_document = grouped((finding.document, finding) for finding in reader.findings)
    yield from by_document.pop(None, ())
    for document in read_here:
        if (first := documents.get(document.doc_id)) is not None:
            message = f"document {document.doc_id!r} occurs twice (first in {first.path})"
            place = Location(part.path, document.line)
            yield Finding("duplicate-id", "error", message, place, document.doc_id, document.doc_id)
            continue
        documents[document.doc_id] = document._replace(findings=tuple(by_document.pop(document.doc_id, ())))


def _repeated_ids(documents: Mapping[str, Document]) -> Iterator[Finding]:
    """A finding for each mention whose id is used twice, and for each element whose id has two kinds."""
    owner: dict[str, str | ElementMention] = {}
    for document in documents.values():
        for element in document.layers[LAYER]:
            if owner.setdefault(element.id, element.kind) != element.kind:
                yield _duplicate(document, element.id, element.kind, owner[element.id], element.line)
            for mention in element.mentions:
                if owner.setdefault(mention.id, mention) is not mention:
                    yield _duplicate(document, mention.id, "mention", owner[mention.id], mention.line)
                    owner[mention.id] = mention


def _duplicate(document: Document, name: str, what: str, owner: str | ElementMention, line: int) -> Finding:
    first = owner if isinstance(owner, str) else "mention"
    message = f"expected the id {name!r} once, found it on a {what} after it was used for a {first}"
    return document.finding("duplicate-id", "error", message, line, name)


def recognise(start: bytes) -> bool:
    """Whether the first bytes name the element ``source_file``."""
    return b"source_file" in start


def write(corpus: Corpus) -> bytes:
    """One file with a ``source_file`` for every document, under one root if there are several."""
    from lxml import etree

    root = etree.Element("apf")
    root.extend(map(_document_node, corpus.documents.values()))
    top = root[0] if len(root) == 1 else root
    etree.indent(top)
    return etree.tostring(top, encoding="UTF-8", xml_declaration=True) + b"\n"


def _add_node(parent: _Element, tag: str, attributes: Mapping[str, str]) -> _Element:
    from lxml import etree

    return etree.SubElement(parent, tag, {name: xml_safe(value) for name, value in attributes.items()})


def _document_node(document: Document) -> _Element:
    from lxml import etree

    source = document.layers.get(SOURCE_LAYER) or SourceFile("text", "unknown", document.doc_id)
    described = {"URI": source.uri, "SOURCE": source.source, "TYPE": source.data_type}
    top = etree.Element("source_file", {name: xml_safe(value) for name, value in described.items()})
    node = _add_node(top, "document", {"DOCID": document.doc_id})
    for element in document.layers.get(LAYER, ()):
        _add_element(node, element)
    return top


def _add_element(parent: _Element, element: Element) -> None:
    node = _add_node(parent, element.kind, {"ID": element.id, **element.attributes})
    for argument in element.arguments:
        _add_node(node, f"{element.kind}_argument", {"REFID": argument.filler, "ROLE": argument.role})
    for mention in element.mentions:
        _add_mention(node, element.kind, mention)
    if element.names:
        attributes = _add_node(node, "entity_attributes", {})
        for name in element.names:
            named = _add_node(attributes, "name", {"NAME": name.text})
            if name.region is not None:
                _add_region(named, name.region)
    for link in element.links:
        _add_node(node, "external_link", {"RESOURCE": link.resource, "EID": link.id})


def _add_mention(parent: _Element, kind: str, mention: ElementMention) -> None:
    given = {"ID": mention.id, "TYPE": mention.type, "ROLE": mention.role}
    node = _add_node(parent, _MENTIONS[kind], {name: value for name, value in given.items() if value})
    if mention.metonymic:
        node.set("METONYMY_MENTION", "TRUE")
    for argument in mention.arguments:
        _add_node(node, f"{kind}_mention_argument", {"REFID": argument.filler, "ROLE": argument.role})
    for tag, region in (("extent", mention.extent), ("anchor" if kind == EVENT else "head", mention.head)):
        if region is not None:
            _add_region(_add_node(node, tag, {}), region)


def _add_region(parent: _Element, region: Region) -> None:
    if region.boxes:
        node = _add_node(parent, "bblist", {})
        for box in region.boxes:
            sizes = {"X": box.x, "Y": box.y, "WIDTH": box.width, "HEIGHT": box.height}
            _add_node(node, "bbox", {"PAGE": box.page, **{name: repr(size) for name, size in sizes.items()}})
    elif region.is_text:
        node = _add_node(parent, "charseq", {"START": str(region.start), "END": str(region.end - 1)})
        node.text = xml_safe(region.text)
    else:
        _add_node(parent, "timespan", {"START": repr(region.start), "END": repr(region.end)})


_ELEMENTS = (
    "source_file document entity entity_mention entity_attributes name external_link value value_mention timex2"
    " timex2_mention relation relation_argument relation_mention relation_mention_argument event event_argument"
    " event_mention event_mention_argument extent head anchor charseq charspan timespan bblist bbox audio image text"
)
_ATTRIBUTES = (
    "ANCHOR_DIR ANCHOR_VAL CLASS COMMENT DOCID EID END GENERICITY HEIGHT ID METONYMY_MENTION MOD MODALITY NAME"
    " NON_SPECIFIC PAGE POLARITY REFID RESOURCE ROLE SET SOURCE START SUBTYPE TENSE TYPE URI VAL WIDTH X Y"
)
_NAMES = xml_names(
    f"{_ELEMENTS} {_ATTRIBUTES}",
    # Some files are written with attributes in lower case throughout, and the reader takes them.
    f"{_ATTRIBUTES.lower()} AUTHOR ENCODING LEXICALCONDITION LDCTYPE LDCATR LDCEXTENT cluster VERSION",
)
APF = Format(
    name="apf",
    title="ACE program format (APF)",
    extensions=(".apf.xml", ".apf", ".xml"),
    tasks=("ace",),
    recognise=recognise,
    read=read,
    open_unread=open_unread,
    write=write,
    layers=("ace",),
    names=_NAMES,
)
