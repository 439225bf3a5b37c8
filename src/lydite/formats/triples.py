"""Triple files (``.trp``): relations between two sets of token ids, in XML.

::

    <triples>
    <triple id="e1" profile_id="agent-1" profile_confidence="30" relation="agent" kaflayer="srl">
        <elementFirstIds label="event" comment="responded">
            <elementFirst id="w34"/>
        </elementFirstIds>
        <elementSecondIds label="participant" comment="Firefighters">
            <elementSecond id="w30"/>
        </elementSecondIds>
    </triple>
    </triples>

Names of elements and attributes are compared without case and namespace, and the older names (``triplet``,
``eventIds``, ``event``, ``participantIds``, ``participant``) are understood; everything unknown is skipped.  A file
is one document.  A folder or archive holds one document per file; only files directly in a folder count.

Other formats are converted to triples too; what they share is here: a corpus of one document per file, and a report of
what was left out and why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from html import unescape
from itertools import chain
from operator import getitem
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Final

from lydite.errors import Finding, Location, Severity, refuse
from lydite.escaping import counted, first_of
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.names import MISSPELT, ExpectedChildren, misplaced, xml_names
from lydite.formats.safe_xml import attributes, closed_elements, has_tag, line_of, plain_name
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement, xml_lines
from lydite.numerals import decimal_of, is_natural

if TYPE_CHECKING:
    from lxml.etree import _Element

TRIPLES: Final = "triples"
"""The layer of a document that holds its triples."""

_ELEMENT_ROLES = {
    "triple": "triple",
    "triplet": "triple",
    "elementfirstids": "first",
    "eventids": "first",
    "elementfirst": "first-id",
    "event": "first-id",
    "elementsecondids": "second",
    "participantids": "second",
    "elementsecond": "second-id",
    "participant": "second-id",
}


@cache
def _role(tag: object) -> str | None:
    return _ELEMENT_ROLES.get(plain_name(tag))


_TRIPLE_NAMES = frozenset({"triple", "triplet"})
_LIST_NAMES = frozenset({"triples", "triplets"})


def read(source: Source, settings: Options) -> Corpus:
    """The documents of a source, one per file, each read when it is asked for.

    A single file is one document under its own name.  ``keep-repeated-ids`` and ``lose-capitalised-triples`` are
    quirks of the reference program: ids that an element names twice stay twice, and a triple whose tag is not
    written in lower case is lost.
    """
    return corpus_of_parts(source, "trp", lambda part: read_document(part, settings))


def corpus_of_parts(source: Source, name: str, load: Callable[[SourcePart], Document]) -> Corpus:
    """One document per file, under the name of the file; ``folder`` among the facts says whether it was several."""
    # An archive may hold just one file, and is no single file.
    single = source.path == "-" or (len(source.parts) == 1 and source.parts[0].path == source.path)
    parts: dict[str, SourcePart] = {}
    in_subfolders: list[str] = []
    for part in source.parts:
        if not single and not _directly_in(part, source):
            in_subfolders.append(part.path)
            continue
        if part.name in parts:
            raise refuse(source.path, "duplicate-document", f"holds two files of the name {part.name!r}")
        parts[part.name] = part
    if not parts:
        message = "the files are all in subfolders; only files directly in the folder count"
        raise refuse(source.path, "no-files", message)
    documents: Mapping[str, Document]
    if single:
        # Read at once, so that errors of the file are known before anything is compared.
        documents = {doc_id: load(part) for doc_id, part in parts.items()}
    else:
        documents = LazyDocuments(tuple(parts), _FileLoader(parts, load))
    findings = []
    if in_subfolders:
        where = f"{counted(len(in_subfolders), 'file')} in subfolders ({first_of(in_subfolders)})"
        message = f"only files directly in the folder are documents; {where} will not be read"
        hint = "name the subfolder, or move its files up"
        findings = [Finding("file-in-subfolder", "warning", message, Location(source.path), hint=hint)]
    return corpus_of(source, name, documents, findings=findings, facts={"folder": not single})


class _FileLoader:
    """Reads the document of a file when it is asked for; all of them when it is sent to another process."""

    def __init__(self, parts: Mapping[str, SourcePart], load: Callable[[SourcePart], Document]) -> None:
        self._parts = parts
        self._load = load

    def __call__(self, doc_id: str) -> Document:
        return self._load(self._parts[doc_id])

    def __reduce__(self) -> tuple[type[partial[Document]], tuple[object, dict[str, Document]]]:
        return partial, (getitem, {doc_id: self(doc_id) for doc_id in self._parts})


def _directly_in(part: SourcePart, source: Source) -> bool:
    """Whether a file lies in the folder itself; True for all files of an archive or a pattern."""
    folder = Path(source.path)
    if folder.is_dir():
        return Path(part.path).parent == folder
    # What is left has slashes in the folder of an address alone.
    below = part.path.removeprefix(f"{source.path.rstrip('/')}/")
    return below == part.path or "/" not in below


def read_document(part: SourcePart, settings: Options) -> Document:
    """The triples of one file, in file order, with findings for what looks wrong."""
    reader = _Reader(part, settings)
    for node in closed_elements(part, "triple", "triplet", at_end=reader.check_names_beside):
        reader.add_triple(node)
    findings = (*reader.findings, *reader.shared_ids(), *_values_with_line_breaks(part, reader.triples))
    return triple_document(part, reader.triples, findings)


_BREAK = rb"[\r\n]|&#(?:0*1[03]|x0*[ad]);"
_VALUE_WITH_BREAK = re.compile(
    rb"""[\s"'](relation|id)\s*=\s*(?:"(?=[^"<]*(?:%b))([^"<]*)"|'(?=[^'<]*(?:%b))([^'<]*)')"""
    % (_BREAK, _BREAK),
    re.IGNORECASE,
)
_WHITE_SPACE = re.compile(r"\s")


def _values_with_line_breaks(part: SourcePart, triples: Iterable[Triple]) -> Iterator[Finding]:
    """A finding for each relation and id with a line break inside, which the parser makes a blank.

    The file is only looked at again if a value has white space.
    """
    values = set(
        chain.from_iterable((one.relation, one.id, *one.first.ids, *one.second.ids) for one in triples)
    )
    if not any(map(_WHITE_SPACE.search, values)):
        return
    data = part.read_bytes()
    line, counted_to = 1, 0
    for found in _VALUE_WITH_BREAK.finditer(data):
        name, *quoted = (text.decode("utf-8", "replace") for text in found.groups(b""))
        value = unescape("".join(quoted)).strip()
        if "\n" in value or "\r" in value:
            line, counted_to = line + data.count(b"\n", counted_to, found.start(1)), found.start(1)
            message = f"expected the value of {name!r} on one line, found {value!r}"
            hint = "look for a line that was broken, or for a quotation mark that is missing"
            yield Finding(
                "line-break-in-value", "warning", message, Location(part.path, line), part.name, hint=hint
            )


def triple_document(
    part: SourcePart, triples: Iterable[Triple], findings: Iterable[Finding] = ()
) -> Document:
    """A document of triples."""
    return Document(part.name, path=part.path, layers={TRIPLES: tuple(triples)}, findings=tuple(findings))


class _Reader:
    """Collects the triples of a file as their elements close, and findings."""

    def __init__(self, part: SourcePart, settings: Options) -> None:
        self.path = part.path
        self.doc_id = part.name
        self.keep_repeats = bool(settings.get("keep-repeated-ids", False))
        self.lose_capitals = bool(settings.get("lose-capitalised-triples", False))
        self.triples: list[Triple] = []
        self.findings: list[Finding] = []
        self._first_of_id: dict[str, TripleElement] = {}
        self._shared_ids: dict[str, None] = {}

    def add_triple(self, node: _Element) -> None:
        """Add the triple of one element."""
        values = attributes(node)
        if self.lose_capitals and str(node.tag).rpartition("}")[2] not in _TRIPLE_NAMES:
            message = "its tag is not written in lower case, so the reference loses it"
            self._warn("lost-triple", node, values, message)
            return
        first, second = self._elements(node)
        if not first.ids:
            message = "it has no first element and can only match another such one"
            self._warn("empty-first-element", node, values, message)
        name = values.get("id", "")
        if name and {*self._first_of_id.setdefault(name, first).ids} != {*first.ids}:
            self._shared_ids[name] = None
        self.triples.append(
            Triple(
                relation=intern(values.get("relation", "")),
                first=first,
                second=second,
                id=name,
                profile_id=intern(values.get("profile_id", "")),
                profile_confidence=self._confidence(node, values),
                layer=intern(values.get("kaflayer", "")),
            )
        )

    def shared_ids(self) -> Iterator[Finding]:
        """A note if triples with one id have different first elements: an id names the structure that they are parts of."""
        if self._shared_ids:
            many = len(self._shared_ids) > 1
            message = (
                f"{counted(len(self._shared_ids), 'id')} {'name' if many else 'names'} triples with different"
                f" first elements ({first_of(list(self._shared_ids))}); each triple counts by itself"
            )
            yield Finding("shared-triple-id", "note", message, Location(self.path), self.doc_id)

    def check_names_beside(self, root: _Element) -> None:
        """A finding for each element beside the triples that has the name of a list or of a part of a triple."""
        for child in root:
            name = plain_name(child.tag)
            if name not in _TRIPLE_NAMES and (name in _LIST_NAMES or _role(child.tag) is not None):
                message = (
                    f"expected 'triple' in {plain_name(root.tag)!r}, found {name!r}; its content is not read"
                )
                place = Location(self.path, line_of(child))
                self.findings.append(Finding(MISSPELT, "error", message, place, self.doc_id))

    def _elements(self, node: _Element) -> tuple[TripleElement, TripleElement]:
        # The innermost loop of reading: two of three elements of a file pass here.
        ids: dict[str, list[str]] = {"first-id": [], "second-id": []}
        describing: dict[str, _Element] = {}
        for part in node.iterdescendants():
            role = _role(part.tag)
            if role in ids:
                token = part.get("id")  # the spelling that nearly all have costs least
                token = attributes(part).get("id", "") if token is None else token.strip()
                if token:
                    ids[role].append(intern(token))
                elif "id" not in attributes(part):
                    message = f"{plain_name(part.tag)!r} has no id and is not read"
                    self._warn("element-without-id", part, attributes(node), message)
            elif role in describing:
                message = f"expected one {plain_name(describing[role].tag)!r}, found another; their ids would be one element"
                self._report("repeated-element", part, attributes(node), message, "error")
            elif role is not None:
                describing[role] = part
        return (
            self._element(ids["first-id"], describing.get("first")),
            self._element(ids["second-id"], describing.get("second")),
        )

    def _element(self, ids: list[str], describing: _Element | None) -> TripleElement:
        label = comment = ""
        if describing is not None and len(describing.attrib):
            values = attributes(describing)
            label, comment = intern(values.get("label", "")), values.get("comment", "")
        if not ids and not label and not comment:
            return EMPTY_ELEMENT
        distinct = ids if self.keep_repeats or len(ids) == 1 else dict.fromkeys(ids)
        return TripleElement(tuple(distinct), label, comment)

    def _confidence(self, node: _Element, values: Mapping[str, str]) -> float | None:
        written = values.get("profile_confidence", "")
        if not written:
            return None
        number = parse_number(written)
        if number is None:
            message = f"expected a number as profile_confidence, found {written!r}"
            self._warn("bad-confidence", node, values, message)
        return number

    def _warn(self, code: str, node: _Element, values: Mapping[str, str], message: str) -> None:
        self._report(code, node, values, message, "warning")

    def _report(
        self, code: str, node: _Element, values: Mapping[str, str], message: str, severity: Severity
    ) -> None:
        name, place = values.get("id", ""), Location(self.path, line_of(node))
        message = f"triple {name!r}: {message}"
        self.findings.append(Finding(code, severity, message, place, self.doc_id, name))


def parse_number(written: str) -> float | None:
    """A whole number as int, another finite number as float, anything else as None.

    Numbers are those of XML: Python would also take ``1_000`` and the digits of other scripts.
    """
    number = decimal_of(written)
    digits = written.strip().removeprefix("-").removeprefix("+")
    return number if number is None or not is_natural(digits) else int(written)


class ConversionReport:
    """The findings of a conversion to triples, with counts of what was left out by reason."""

    def __init__(self, part: SourcePart) -> None:
        self._part = part
        self._reasons: dict[tuple[str, str], list[str]] = {}
        self._findings: list[Finding] = []

    def add(self, code: str, reason: str, name: str) -> None:
        """Count one thing that was left out; reasons are phrases that follow a count."""
        self._reasons.setdefault((code, reason), []).append(name)

    def warn(
        self,
        code: str,
        message: str,
        line: int | None = None,
        *,
        path: str = "",
        severity: Severity = "warning",
    ) -> None:
        """Add a finding about one place: in the file that is converted, or in one that it points to."""
        place = Location(path or self._part.path, line)
        self._findings.append(Finding(code, severity, message, place, self._part.name))

    def expect_places(self, root: _Element, children: ExpectedChildren) -> None:
        """Add a finding for each element in a place where no reader looks for it."""
        for line, message in misplaced(root, children):
            self.warn(MISSPELT, message, line, severity="error")

    def document(self, triples: Iterable[Triple], settings: Options) -> Document:
        """The document of the triples.  With ``comments-without-quotes`` double quotes go from all comments."""
        unquoted = settings.get("comments-without-quotes", False)
        converted = tuple(map(without_quotes, triples) if unquoted else triples)
        return triple_document(self._part, converted, self.findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One finding per reason, with the count and some names."""
        grouped = []
        for (code, reason), names in self._reasons.items():
            message = f"{len(names)} left out: {reason} ({first_of(list(dict.fromkeys(names)))})"
            place, item = Location(self._part.path), str(len(names))
            grouped.append(Finding(code, "warning", message, place, self._part.name, item))
        return (*self._findings, *grouped)


def without_quotes(triple: Triple) -> Triple:
    """The triple with no double quotes in its comments."""
    both = (triple.first, triple.second)
    first, second = (element._replace(comment=element.comment.replace('"', "")) for element in both)
    return triple._replace(first=first, second=second)


def write(corpus: Corpus) -> bytes:
    """All triples of a corpus as one file; reading it back gives equal triples."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', "<triples>"]
    for document in corpus.documents.values():
        for triple in document.layers.get(TRIPLES, ()):
            lines.extend(xml_lines(triple))
    lines.append("</triples>")
    return ("\n".join(lines) + "\n").encode("utf-8")


_NAMES = xml_names(
    "triples triple triplets triplet elementFirstIds elementFirst elementSecondIds elementSecond eventIds event"
    " participantIds participant id relation profile_id profile_confidence kaflayer label comment",
    any_case=True,
)
TRP = Format(
    name="trp",
    title="Triples in XML",
    extensions=(".trp",),
    tasks=("triples",),
    recognise=partial(has_tag, b"<triple"),
    read=read,
    write=write,
    layers=("triples",),
    called_after_file=True,
    names=_NAMES,
)
READ_AS_TRIPLES = TRP._replace(write=None, names=None)
"""The defaults of formats that are read as triples and not written."""
