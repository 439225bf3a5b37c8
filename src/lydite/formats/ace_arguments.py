"""Events of ACE as event arguments: one argument for each filler of each event mention.

| event argument | from |
|---|---|
| event type, role | ``TYPE.SUBTYPE``; the role, with every kind of time as ``Time`` |
| canonical string | the best name of the entity (longest named mention, then the first one), the date of a time (unknown places as X), else the words of the mention |
| base filler | the head of the argument's mention, else its extent |
| justification | the sentence of the trigger where the text is known, else the extent of the event mention |
| realis | ``Generic`` for generic events, ``Other`` for modality other than asserted or future tense, else ``Actual`` |

Types that the campaign removed, and roles that a type does not have, are left out and named; so are times that are not
dates, and what lies in sounds and pictures, which have no characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lydite.escaping import first_of
from lydite.formats.taxonomy import kept_taxonomy
from lydite.model import Document
from lydite.model.ace import ENTITY, EVENT, LAYER, TIMEX2, Element, ElementMention, Region
from lydite.model.argument import ACTUAL, GENERIC, OTHER, Argument, ArgumentRow, Event, EventArgument
from lydite.model.argument_lines import LAYER as ARGUMENTS_LAYER
from lydite.model.argument_lines import ArgumentLines
from lydite.model.document import Layers
from lydite.model.taxonomy import Taxonomy

TAXONOMY = "kbp2014"
_DATE = re.compile(r"([0-9X]{4})(?:-([0-9X]{2}))?(?:-([0-9X]{2}))?(?=T|$)")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]*\s+|\n\s*\n")


def with_arguments(document: Document) -> Document:
    """The document with the layer of event arguments, made from its ACE events; findings say what was left out."""
    maker = _Maker(document)
    rows = tuple(ArgumentRow(argument) for argument in dict.fromkeys(maker.make_arguments()))
    return maker.with_layers({ARGUMENTS_LAYER: ArgumentLines(rows)})


def with_events(document: Document) -> Document:
    """The document with the layer of events: anchors as triggers, extents and heads of fillers."""
    maker = _Maker(document)
    return maker.with_layers({"events": tuple(maker.make_events())})


def _range(region: Region) -> tuple[int, int]:
    (found,) = region.characters
    return found


def _place_fault(needed: Region | None, other: Region | None) -> str:
    """Why a mention with these two regions cannot be placed among characters; empty if it can."""
    if needed is None:
        return "without a place"
    in_text = needed.characters and (other is None or other.characters)
    return "" if in_text else "at places that are no characters"


def _event_type(element: Element) -> str:
    return f"{element.attributes.get('TYPE', '')}.{element.attributes.get('SUBTYPE', '')}"


def realis(event: Element) -> str:
    """The realis of an ACE event: its genericity decides, then its modality and tense."""
    values = {name: event.attributes.get(name, "").lower() for name in ("GENERICITY", "MODALITY", "TENSE")}
    if values["GENERICITY"] == "generic":
        return GENERIC
    return OTHER if values["MODALITY"] not in {"", "asserted"} or values["TENSE"] == "future" else ACTUAL


class _Maker:
    """The events or arguments of one document, and what could not become one."""

    def __init__(self, document: Document) -> None:
        self._document = document
        elements = document.layers[LAYER]
        self._mentions = {one.id: (element, one) for element in elements for one in element.mentions}
        self._left_out: dict[str, list[str]] = {}

    def with_layers(self, made: Layers) -> Document:
        """The document with these layers added; one finding per reason says what was left out, with some names."""
        left_out = self._left_out.items()
        messages = (f"{len(names)} left out: {why} ({first_of(names)})" for why, names in left_out)
        findings = (self._document.finding("not-an-argument", "warning", one, 0) for one in messages)
        layers: Layers = {**self._document.layers, **made}
        return self._document._replace(layers=layers, findings=(*self._document.findings, *findings))

    def make_events(self) -> Iterator[Event]:
        for element in self._ace_events():
            for mention in element.mentions:
                place = self._find_trigger(mention)
                if place is not None:
                    arguments = tuple(self._fillers(mention))
                    yield Event(_event_type(element), (_range(place),), arguments, realis=realis(element))

    def _ace_events(self) -> Iterator[Element]:
        return (element for element in self._document.layers[LAYER] if element.kind == EVENT)

    def _find_trigger(self, mention: ElementMention) -> Region | None:
        place = mention.head or mention.extent
        if fault := _place_fault(place, mention.extent):
            self._leave_out(f"event mentions {fault}", mention.id)
            return None
        return place

    def _find_filler(self, name: str) -> tuple[Element, ElementMention] | None:
        found = self._mentions.get(name)
        if fault := _place_fault(found[1].extent, found[1].head) if found else _place_fault(None, None):
            self._leave_out(f"fillers {fault}", name)
            return None
        return found

    def _fillers(self, event: ElementMention) -> Iterator[EventArgument]:
        for argument in event.arguments:
            if found := self._find_filler(argument.filler):
                _, filler = found
                assert filler.extent is not None
                head = (_range(filler.head),) if filler.head else ()
                yield EventArgument(argument.role, (_range(filler.extent),), head)

    def make_arguments(self) -> Iterator[Argument]:
        taxonomy = kept_taxonomy(TAXONOMY)
        for element in self._ace_events():
            kind = _event_type(element)
            if kind not in taxonomy.types:
                removed = kind in taxonomy.removed
                why = "events of types that the campaign removed" if removed else "events of unknown types"
                self._leave_out(f"{why}: {kind}", element.id)
                continue
            for mention in element.mentions:
                yield from self._arguments_in(element, mention, taxonomy)

    def _arguments_in(
        self, event: Element, mention: ElementMention, taxonomy: Taxonomy
    ) -> Iterator[Argument]:
        kind, trigger = _event_type(event), self._find_trigger(mention)
        if trigger is None:
            return
        for argument in mention.arguments:
            role = "Time" if argument.role.startswith("Time") else argument.role
            if taxonomy.role(kind, role) is None:
                self._leave_out(f"roles that {kind} does not have: {role}", mention.id)
            elif found := self._find_filler(argument.filler):
                filler, place = found
                assert place.extent is not None
                canonical = self._canonical_string(filler, place)
                if canonical is None:
                    self._leave_out("times that are no dates", argument.filler)
                    continue
                text, span = canonical
                justification = self._sentence(trigger, mention)
                base = _range(place.head or place.extent)
                doc_id = self._document.doc_id
                yield Argument(doc_id, kind, role, text, span, (justification,), base, (), realis(event))

    def _canonical_string(self, filler: Element, place: ElementMention) -> tuple[str, tuple[int, int]] | None:
        assert place.extent is not None
        if filler.kind == TIMEX2:
            date = _DATE.match(filler.attributes.get("VAL", ""))
            if date is None:
                return None
            year, month, day = date.groups(default="XX")
            return f"{year}-{month}-{day}", _range(place.extent)
        if filler.kind == ENTITY:
            names = [one.head or one.extent for one in filler.mentions if one.type == "NAM"]
            known = [region for region in names if region is not None and region.characters]
            if known:
                best = max(known, key=lambda region: (region.end - region.start, -region.start))
                return self._words(best), _range(best)
        region = place.head or place.extent
        return self._words(region), _range(region)

    def _words(self, region: Region) -> str:
        begin, end = _range(region)
        return " ".join((region.text or (self._document.text or "")[begin:end]).split()) or "-"

    def _sentence(self, trigger: Region, mention: ElementMention) -> tuple[int, int]:
        text = self._document.text
        if text is None:
            return _range(mention.extent or trigger)
        begin, end = _range(trigger)
        edges = [0, *(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]
        first = max(edge for edge in edges if edge <= begin)
        last = min((edge for edge in edges if edge >= end), default=end)
        return first, first + len(text[first:last].rstrip())

    def _leave_out(self, why: str, name: str) -> None:
        self._left_out.setdefault(why, []).append(name)
