"""The faults of a system's entities, and its output with some of them corrected."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from lydite.model import Document
from lydite.model.ace import ENTITY, LAYER, Element, ElementMention
from lydite.model.ace_alignment import KindAlignment
from lydite.model.ace_settings import AceSettings
from lydite.model.verdict import Documents
from lydite.tasks.ace.measurements import DocumentView

SPURIOUS, TYPE, SUBTYPE, CLASS, OTHER, MENTIONS, MISSED = FAULTS = (
    "spurious",
    "type",
    "subtype",
    "class",
    "other attributes",
    "mentions",
    "missed",
)
_FAULTS_OF_ATTRIBUTES = {"TYPE": TYPE, "SUBTYPE": SUBTYPE, "CLASS": CLASS}
"""Other attributes are of the fault ``other attributes``."""
ElementByDocument = Mapping[str, Element]
"""One element as each document has it."""


class EntityCorrections:
    """The faults of the entities of a system; relations and events, which are not in the headline, are not considered."""

    def __init__(self, gold: Documents, system: Documents, section: KindAlignment | None) -> None:
        self._gold_entities, self._system_entities = _entities_by_id(gold), _entities_by_id(system)
        partner = section.partner if section is not None else {}
        self._pairs = {
            theirs: ours
            for ours, theirs in partner.items()
            if ours in self._gold_entities and theirs in self._system_entities
        }
        known = section.system if section is not None else {}
        golds = section.gold if section is not None else {}
        self._spurious = frozenset(name for name in known if name not in self._pairs)
        self._missed = [name for name in golds if name not in partner and name in self._gold_entities]
        self._documents = {
            doc_id: system.get(doc_id) or Document(doc_id, layers={LAYER: ()})
            for doc_id in {**gold, **system}
        }

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The number of elements with each fault."""
        counts = {SPURIOUS: len(self._spurious), MISSED: len(self._missed)}
        for fault in (TYPE, SUBTYPE, CLASS, OTHER):
            counts[fault] = sum(self._differs(fault, theirs) for theirs in self._pairs)
        counts[MENTIONS] = sum(self._mentions_differ(theirs) for theirs in self._pairs)
        return {fault: counts[fault] for fault in FAULTS if counts[fault]}

    def _differs(self, fault: str, name: str) -> bool:
        return any(
            _compared_part(fault, element) != _compared_part(fault, self._gold_element(name, doc_id))
            for doc_id, element in self._system_entities[name].items()
        )

    def _mentions_differ(self, name: str) -> bool:
        ours, theirs = self._gold_entities[self._pairs[name]], self._system_entities[name]
        return ours.keys() != theirs.keys() or any(
            sorted(map(_content_of, ours[doc_id].mentions))
            != sorted(map(_content_of, theirs[doc_id].mentions))
            for doc_id in ours
        )

    def _gold_element(self, name: str, doc_id: str) -> Element:
        """The gold element that a system element is mapped to, in this document or else in its first."""
        places = self._gold_entities[self._pairs[name]]
        return places.get(doc_id) or places[min(places)]

    def correct(self, faults: frozenset[str]) -> Documents:
        """The system's documents after correcting these faults."""
        entities: dict[str, dict[str, Element]] = {
            name: dict(places)
            for name, places in self._system_entities.items()
            if not (SPURIOUS in faults and name in self._spurious)
        }
        for name in self._pairs:
            if MENTIONS in faults and self._mentions_differ(name):
                entities[name] = dict(self._with_mentions(name))
            for doc_id, element in entities[name].items():
                entities[name][doc_id] = self._with_attributes(name, doc_id, element, faults)
        if MISSED in faults:
            for name in self._missed:
                # The id is gold's, unless the system has another element with it.
                added = f"gold-{name}" if name in self._system_entities else name
                entities[added] = {
                    doc_id: replace(element, id=added, mentions=_with_new_ids(element.mentions))
                    for doc_id, element in self._gold_entities[name].items()
                }
        return self._documents_with(entities)

    def _with_mentions(self, name: str) -> Iterator[tuple[str, Element]]:
        """The element in the documents where gold has it, with gold's mentions and the system's attributes.

        In documents where the system lacks it, names and links are gold's, too.
        """
        theirs = self._system_entities[name]
        first = theirs[min(theirs)]
        for doc_id, ours in self._gold_entities[self._pairs[name]].items():
            own = theirs.get(doc_id) or replace(first, names=ours.names, links=ours.links)
            yield doc_id, replace(own, mentions=_with_new_ids(ours.mentions))

    def _with_attributes(self, name: str, doc_id: str, element: Element, faults: frozenset[str]) -> Element:
        model = self._gold_element(name, doc_id)
        corrected = _attributes_of(faults, model)
        others = _attributes_of(frozenset(FAULTS) - faults, element)
        if OTHER in faults:
            element = replace(element, names=model.names, links=model.links)
        return replace(element, attributes={**others, **corrected})

    def _documents_with(self, entities: Mapping[str, ElementByDocument]) -> dict[str, Document]:
        by_document: dict[str, list[Element]] = {doc_id: [] for doc_id in self._documents}
        for places in entities.values():
            for doc_id, element in places.items():
                by_document[doc_id].append(element)
        return {
            doc_id: one._replace(layers={**one.layers, LAYER: tuple(by_document[doc_id])}, present=True)
            for doc_id, one in sorted(self._documents.items())
        }


def _entities_by_id(documents: Documents) -> dict[str, dict[str, Element]]:
    found: dict[str, dict[str, Element]] = {}
    for doc_id, document in documents.items():
        for element in document.layers.get(LAYER, ()):
            if element.kind == ENTITY:
                found.setdefault(element.id, {})[doc_id] = element
    return found


def _attributes_of(faults: Collection[str], element: Element) -> dict[str, str]:
    """The attributes that these faults are about."""
    return {k: v for k, v in element.attributes.items() if _FAULTS_OF_ATTRIBUTES.get(k, OTHER) in faults}


def _compared_part(fault: str, element: Element) -> object:
    attributes = _attributes_of((fault,), element)
    if fault != OTHER:
        return attributes
    return attributes, sorted(name.text for name in element.names), sorted(element.links)


def _content_of(mention: ElementMention) -> str:
    """The content of a mention without its id."""
    return repr(replace(mention, id="", arguments=()))


def _with_new_ids(mentions: tuple[ElementMention, ...]) -> tuple[ElementMention, ...]:
    """Gold mentions with ids that no system mention has."""
    return tuple(replace(mention, id=f"gold-{mention.id}") for mention in mentions)


def find_faults(
    gold: Documents, system: Documents, comparisons: Mapping[str, DocumentView], _settings: AceSettings
) -> EntityCorrections:
    """The faults of all documents."""
    view = next(iter(comparisons.values()), None)
    return EntityCorrections(gold, system, view.whole.sections[ENTITY] if view is not None else None)
