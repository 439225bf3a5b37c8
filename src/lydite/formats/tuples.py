"""Tuple files: one element of a tuple becomes the first element of a triple with every other one.

::

    <kafkybot-results><tuples source="bus.kaf"><tuple id="1" profile="agent-1" profileConfidence="30">
      <event lemma="respond" mention="t33" tokens="w34"/>
      <participant lemma="firefighter" role="agent" tokens="w30"/>
      <location lemma="Highway 38" tokens="w36;w37"/>
    </tuple></tuples></kafkybot-results>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from lydite.errors import UsageError
from lydite.formats.base import Options, text_option
from lydite.formats.naf import Resolver
from lydite.formats.names import MISSPELT, is_misspelt, xml_names
from lydite.formats.safe_xml import attributes, children, has_tag, line_of, local_name, parse
from lydite.formats.source import Source, SourcePart, open_file
from lydite.formats.triples import READ_AS_TRIPLES, ConversionReport, corpus_of_parts, parse_number
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement

if TYPE_CHECKING:
    from lxml.etree import _Element


def read(source: Source, settings: Options) -> Corpus:
    """Triples of the ``first-element`` of each tuple with every other element.

    With ``text`` an element without tokens is resolved through its ``mention``; otherwise it makes no triple.  Under
    ``tuples-without-role`` (the reference) it stays as an empty element, an element without ``role`` has no
    relation, and a confidence of 0 counts as no confidence.
    """
    if not settings.get("first-element"):
        hint = "name it with the setting 'first-element', e.g. event"
        raise UsageError("tuples do not say which element comes first", hint=hint)
    return corpus_of_parts(source, "tuples", lambda part: _document(part, settings))


def _document(part: SourcePart, settings: Options) -> Document:
    reader = _Reader(part, settings)
    triples: list[Triple] = []
    root = parse(part)
    reader.report.expect_places(root, _EXPECTED_CHILDREN)
    for node in root.iter():
        if local_name(node) == "tuples":
            source = attributes(node).get("source", "")
            for child in children(node, "tuple"):
                triples.extend(reader.triples(child, source))
    return reader.report.document(triples, settings)


class _Reader:
    """Turns tuples into triples, and counts those that make none."""

    def __init__(self, part: SourcePart, settings: Options) -> None:
        self.report = ConversionReport(part)
        self.first = str(settings["first-element"])
        self.as_reference = settings.get("tuples-without-role", False)
        self.resolver: Resolver | None = None
        if settings.get("text"):
            self.resolver = Resolver(open_file(text_option(settings, "text")), self.report)

    def triples(self, node: _Element, source: str) -> Iterator[Triple]:
        """The triples of one tuple, in the order of its elements."""
        values = attributes(node)
        name = f"{source}#{values.get('id', '')}"
        confidence = self._confidence(node, values)
        triple = Triple(id=name, profile_id=values.get("profile", ""), profile_confidence=confidence)
        parts = [child for child in node if local_name(child)]
        for child in parts:
            written = _written_name(child)
            if written != self.first and is_misspelt(written.lower(), self.first.lower()):
                message = f"expected the element {self.first!r}, found {written!r}; it is not a first element"
                self.report.warn(MISSPELT, message, line_of(child), severity="error")
        elements = [self._element(child) for child in parts]
        first_places = [place for place, child in enumerate(parts) if _written_name(child) == self.first]
        if not first_places:
            self.report.add("no-first-element", f"tuples without an element {self.first!r}", name)
        for place in first_places:
            for other, child in enumerate(parts):
                if other == place:
                    continue
                first, second = elements[place], elements[other]
                if first is None or second is None:
                    self.report.add("unresolved-element", "triples of elements without tokens", name)
                else:
                    relation = attributes(child).get("role", "")
                    if not relation and not self.as_reference:
                        relation = _written_name(child)
                    yield triple._replace(relation=relation, first=first, second=second)

    def _element(self, node: _Element) -> TripleElement | None:
        values = attributes(node)
        parts = map(str.strip, values.get("tokens", "").split(";"))
        ids = tuple(dict.fromkeys(filter(None, parts)))
        if not ids and self.resolver is not None and values.get("mention"):
            ids = self.resolver.tokens((values["mention"],))
        if not ids and not self.as_reference:
            return None
        return TripleElement(ids, _written_name(node), values.get("lemma", ""))

    def _confidence(self, node: _Element, values: Mapping[str, str]) -> float | None:
        written = values.get("profileconfidence", "")
        number = parse_number(written) if written else None
        if written and number is None:
            message = f"expected a number as profileConfidence, found {written!r}"
            self.report.warn("bad-confidence", message, line_of(node))
        return None if self.as_reference and not number else number


def _written_name(node: _Element) -> str:
    return str(node.tag).rpartition("}")[2]


_EXPECTED_CHILDREN = {"tuples": {"tuple"}, "tuple": {"event", "participant", "location"}}
_NAMES = xml_names(
    "tuples tuple event participant location source profile profileConfidence role tokens mention lemma id",
    "time concept confidence sentenceId pos kafkybot-results",
    any_case=True,
)

TUPLES = READ_AS_TRIPLES._replace(
    name="tuples",
    title="Tuples",
    extensions=(".tpl",),
    recognise=partial(has_tag, b"<tuple"),
    read=read,
    names=_NAMES,
)
