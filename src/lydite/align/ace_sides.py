"""One side of an ACE comparison: elements over all documents, each occurrence with its worth under the profile."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lydite.align.ace_names import name_entropy
from lydite.align.ace_sums import added_in_order
from lydite.model import Document
from lydite.model.ace import (
    ENTITY,
    EVENT,
    FILLER_KINDS,
    KINDS,
    LAYER,
    RELATION,
    SOURCE_LAYER,
    VALUE,
    Element,
    ElementArgument,
    Region,
)
from lydite.model.ace_alignment import CorpusElement, Occurrence, ScoredMention
from lydite.model.ace_names import normalise, shorten
from lydite.model.ace_reading import attributes_of, document_level, highest, level_of, role_of
from lydite.model.ace_settings import EPSILON, AceSettings, Weights

Places = list[tuple[Document, Element]]
"""One element in each of its documents."""
NOWHERE = Region(0, 0)
TRAITS: Mapping[str, tuple[str, ...]] = {
    ENTITY: ("TYPE", "SUBTYPE", "CLASS", "LEVEL"),
    VALUE: ("TYPE", "SUBTYPE"),
}
"""The attributes that decide the worth of an element; of a time it is those that have a weight."""


@dataclass(frozen=True, slots=True, eq=False)
class AceSide:
    """Elements by kind and id, in file order, and the source of every document."""

    elements: dict[str, dict[str, CorpusElement]]
    sources: dict[str, str]


def mentions_of(
    elements: Mapping[str, CorpusElement],
) -> Iterator[tuple[CorpusElement, Occurrence, ScoredMention]]:
    """All mentions of elements, each with its element and its occurrence."""
    for element in elements.values():
        for occurrence in element.occurrences.values():
            for mention in occurrence.mentions:
                yield element, occurrence, mention


def build_side(documents: Iterable[Document], parameters: AceSettings) -> AceSide:
    """All elements of the documents by kind and id; entities, values and times get their values here, others later."""
    found: dict[str, dict[str, Places]] = {kind: {} for kind in KINDS}
    sources: dict[str, str] = {}
    for document in documents:
        source = document.layers.get(SOURCE_LAYER)
        sources[document.doc_id] = source.source if source else ""
        for element in document.layers.get(LAYER, ()):
            found[element.kind].setdefault(element.id, []).append((document, element))
    found = _without_unnamed(found, parameters)
    side = AceSide({kind: {} for kind in KINDS}, sources)
    for kind in KINDS:
        for element_id, places in found[kind].items():
            side.elements[kind][element_id] = _corpus_element(kind, element_id, places, side, parameters)
    return side


def _without_unnamed(
    found: dict[str, dict[str, Places]], parameters: AceSettings
) -> dict[str, dict[str, Places]]:
    """Without unnamed occurrences of entities, and elements with them as arguments, if the profile does not score them."""
    if parameters.score_non_named_entities:
        return found
    named = {
        element_id: [place for place in places if document_level(place[1], parameters) == "NAM"]
        for element_id, places in found[ENTITY].items()
    }
    unnamed = {element_id for element_id, places in named.items() if not places}
    result = {**found, ENTITY: {element_id: places for element_id, places in named.items() if places}}
    for kind in (RELATION, EVENT):
        result[kind] = {
            element_id: places
            for element_id, places in found[kind].items()
            if not any(argument.filler in unnamed for _, element in places for argument in element.arguments)
        }
    return result


def _corpus_element(
    kind: str, element_id: str, places: Places, side: AceSide, parameters: AceSettings
) -> CorpusElement:
    level, levels = "", [""] * len(places)
    if kind == ENTITY:
        levels = [document_level(element, parameters) for _, element in places]
        level = highest(levels, parameters)
    given = [argument for _, element in places for argument in element.arguments]
    arguments = tuple(sorted({*_scored_arguments(places[0][1], given, parameters)})) if given else ()
    occurrences = {
        document.doc_id: _occurrence(document, element, side, parameters, level=own, corpus_level=level)
        for (document, element), own in zip(places, levels, strict=True)
    }
    links = {link.resource: link.id for _, element in places for link in element.links}
    entropy = None
    if kind == ENTITY and len(occurrences) > 1:
        entropy = name_entropy([occurrence.names for occurrence in occurrences.values()])
    return CorpusElement(element_id, kind, occurrences, arguments, links, entropy, element_id)


def _scored_arguments(
    element: Element, arguments: Sequence[ElementArgument], parameters: AceSettings
) -> tuple[tuple[str, str], ...]:
    """Roles and fillers of the arguments that are scored."""
    type_ = element.attributes.get("TYPE", "")
    scored = ((role_of(element.kind, type_, one, parameters), one.filler) for one in arguments)
    return tuple((role, filler) for role, filler in scored if role is not None)


def _occurrence(
    document: Document,
    element: Element,
    side: AceSide,
    parameters: AceSettings,
    *,
    level: str,
    corpus_level: str,
) -> Occurrence:
    """An element in a document; its language considers the arguments that it has in this document only."""
    kind = element.kind
    attributes = attributes_of(element, level, parameters)
    mentions = scored_mentions(element, attributes, parameters)
    names = _names(element, level, parameters)
    doc_id = document.doc_id
    texts = {mention.place.text for mention in mentions}
    compared = map(shorten, texts) if parameters.shortened_texts else texts
    languages = {*map(script_of, compared), *map(script_of, names)}
    if element.arguments:
        arguments = _scored_arguments(element, element.arguments, parameters)
        languages.update([language_of_filler(side, filler, doc_id) for _, filler in arguments])
    return Occurrence(
        element.id,
        kind,
        doc_id,
        attributes,
        mentions,
        names,
        merged_language(languages),
        side.sources[doc_id],
        element.line,
        *occurrence_worths(kind, attributes, mentions, names, parameters, corpus_level=corpus_level),
    )


def _names(element: Element, level: str, parameters: AceSettings) -> tuple[str, ...]:
    if element.kind != ENTITY:
        return ()
    names = [name.text for name in element.names]
    if (
        not names
        and level == "NAM"
        and parameters.use_name_similarity
        and not parameters.named_without_names_is_worthless
    ):
        names = [mention.head.text for mention in element.mentions if mention.type == "NAM" and mention.head]
    return tuple(sorted({*map(normalise, names)})) if names else ()


def scored_mentions(
    element: Element, attributes: Mapping[str, str], parameters: AceSettings
) -> tuple[ScoredMention, ...]:
    """The mentions of an element with their weights; self score w[type] + eps, of other kinds 1 + eps."""
    is_entity = element.kind == ENTITY
    weights = parameters.entity["mention-type"]
    mentions = []
    make = tuple.__new__  # what ScoredMention(...) does, without a Python-level call for each of many
    for mention in element.mentions:
        weight = weights.get(mention.type, 0.0) if is_entity else 1.0
        extent = mention.extent or NOWHERE
        scored = (
            mention.id,
            (mention.head or extent) if is_entity else extent,
            extent,
            mention.type,
            (mention.role or attributes.get("TYPE", "")) if is_entity else "",
            "METONYMIC" if mention.metonymic else "LITERAL",
            weight,
            weight + EPSILON,
            _scored_arguments(element, mention.arguments, parameters) if mention.arguments else (),
        )
        mentions.append(make(ScoredMention, scored))
    return tuple(mentions)


def level_of_mentions(mentions: Iterable[ScoredMention], parameters: AceSettings) -> str:
    """The level that mentions give an entity."""
    return level_of([(mention.type, mention.style == "METONYMIC") for mention in mentions], parameters)


Worths = tuple[float, float, float, float, float, float, float, tuple[str | None, ...]]
"""The fields of an occurrence from ``mass`` to ``traits``, which follow those from the document."""


def occurrence_worths(
    kind: str,
    attributes: Mapping[str, str],
    mentions: Sequence[ScoredMention],
    names: Sequence[str],
    parameters: AceSettings,
    *,
    corpus_level: str,
) -> Worths:
    """The worth of an occurrence from its attributes, mentions and names.

    With level weighting (entities only) ``norm`` is w[LEVEL] over the mass of its mentions, else 1; the level
    is the document's or that of the whole element.  Relations and events get their value when their arguments have one.
    """
    if kind in {RELATION, EVENT}:
        return 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, ()
    mass = 1.0
    if parameters.use_mentions:
        mass = added_in_order([mention.self_score for mention in mentions])
    level = corpus_level if parameters.weighing_level == "corpus" else attributes.get("LEVEL", "")
    weight = parameters.entity["mention-type"].get(level, 0.0)
    by_level = weight / mass if kind == ENTITY and mass else 1.0
    map_norm = by_level if parameters.map_weighting == "level" else 1.0
    eval_norm = by_level if parameters.eval_weighting == "level" else 1.0
    worth = self_worth(kind, attributes, names, parameters)
    of_level = kind == ENTITY and parameters.eval_weighting == "level" and parameters.spurious == "pair-worth"
    value = weight * worth if of_level else eval_norm * worth * mass
    traits = tuple(map(attributes.get, TRAITS.get(kind, parameters.timex2["attribute"])))
    return mass, worth, map_norm, eval_norm, value, 0.0, 0.0, traits


def with_false_alarms(occurrence: Occurrence, matched: frozenset[int], parameters: AceSettings) -> Occurrence:
    """A system occurrence with its cost if nothing is mapped to it; ``matched`` are the positions of its mentions that match a gold mention.

    By its own worth: (n v(s,s)) · (M · −w); by that of pairs: n · max(eps, w W) · Σ f with f = −w' self, and 0 (times
    ``coref``) for a mention that matches some gold mention.
    """
    weights = parameters.weights[occurrence.kind]
    if parameters.spurious == "own-worth":
        worth, mass = occurrence.worth, occurrence.mass * -weights["false-alarm"]
    else:
        spurious = -mention_alarm(weights)
        if parameters.use_mentions:
            spurious = math.fsum(
                spurious * mention.self_score * (weights["coref-false-alarm"] if position in matched else 1.0)
                for position, mention in enumerate(occurrence.mentions)
            )
        worth = max(EPSILON, weights["false-alarm"] * raw_worth(occurrence, parameters))
        mass = spurious
    alarms = occurrence.eval_norm * worth * mass, occurrence.map_norm * worth * mass
    # The last four fields are the costs of a false alarm in both passes, the traits and the matched mentions.
    return Occurrence(*occurrence[:-4], *alarms, occurrence.traits, matched)


def mention_alarm(weights: Weights) -> float:
    """The cost of a spurious mention, as a share of its value."""
    return weights.get("mention-false-alarm", weights["false-alarm"])


def raw_worth(occurrence: Occurrence, parameters: AceSettings) -> float:
    """The weight W of an element by itself, before any eps."""
    attributes = occurrence.attributes
    if occurrence.kind == ENTITY:
        return _entity_weight(attributes, parameters)
    if occurrence.kind == VALUE:
        return parameters.value["type"].get(attributes.get("TYPE", ""), 0.0)
    return timex2_worth(attributes, attributes, parameters)


def _entity_weight(attributes: Mapping[str, str], parameters: AceSettings) -> float:
    types, classes = parameters.entity["type"], parameters.entity["class"]
    return types.get(attributes.get("TYPE", ""), 0.0) * classes.get(attributes.get("CLASS", ""), 0.0)


def self_worth(
    kind: str, attributes: Mapping[str, str], names: Sequence[str], parameters: AceSettings
) -> float:
    """v(x, x): the worth of an element by its attributes."""
    if kind == ENTITY:
        own = 0.0 if parameters.use_name_similarity and attributes["LEVEL"] == "NAM" and not names else 1.0
        return entity_worth(attributes, attributes, parameters) * own
    if kind == VALUE:
        return value_worth(attributes, attributes, parameters)
    return timex2_worth(attributes, attributes, parameters)


def _smaller_weight(
    table: Mapping[str, float], first: str | None, second: str | None, parameters: AceSettings
) -> float:
    """The smaller of two weights; an unknown one is left out or 0."""
    one, other = table.get(first or ""), table.get(second or "")
    if one is not None and other is not None:
        return min(one, other)
    if parameters.unknown_weight == "left-out":
        known = [weight for weight in (one, other) if weight is not None]
        return min(known) if known else 0.0
    return min(one or 0.0, other or 0.0)


_ERROR_ORDER = ("TYPE", "SUBTYPE", "CLASS", "LEVEL", "MODALITY", "GENERICITY", "POLARITY", "TENSE")
"""The order in which error weights are multiplied, because it decides the last bit."""


def _with_errors(
    worth: float, first: Mapping[str, str], second: Mapping[str, str], table: Mapping[str, float]
) -> float:
    """The worth times the weight of each attribute that differs."""
    for name in _ERROR_ORDER:
        if name in table and first.get(name) != second.get(name):
            worth *= table[name]
    return worth


def entity_worth(first: Mapping[str, str], second: Mapping[str, str], parameters: AceSettings) -> float:
    """v(r, s) of entities without name similarity."""
    weights = parameters.entity
    if parameters.least_worth == "added":
        base = EPSILON + _smaller_weight(
            weights["type"], first.get("TYPE"), second.get("TYPE"), parameters
        ) * _smaller_weight(weights["class"], first.get("CLASS"), second.get("CLASS"), parameters)
    else:
        base = max(EPSILON, min(_entity_weight(side, parameters) for side in (first, second)))
    return base if first is second else _with_errors(base, first, second, weights["error"])


def value_worth(first: Mapping[str, str], second: Mapping[str, str], parameters: AceSettings) -> float:
    """v(r, s) of values."""
    smaller = _smaller_weight(parameters.value["type"], first.get("TYPE"), second.get("TYPE"), parameters)
    base = EPSILON + smaller if parameters.least_worth == "added" else max(EPSILON, smaller)
    return _with_errors(base, first, second, parameters.value["error"])


def timex2_worth(first: Mapping[str, str], second: Mapping[str, str], parameters: AceSettings) -> float:
    """v(r, s) of times: the sum of the weights of attributes that both have, times eps where they differ."""
    total = math.fsum(
        weight * (1.0 if first[name] == second[name] else EPSILON)
        for name, weight in parameters.timex2["attribute"].items()
        if name in first and name in second
    )
    return EPSILON + total if parameters.least_worth == "added" else max(EPSILON, total)


def frame_worth(
    kind: str, first: Mapping[str, str], second: Mapping[str, str], parameters: AceSettings
) -> float:
    """v(R, S) of relations and events."""
    weights = parameters.weights[kind]
    base = _smaller_weight(
        weights["type"], first.get("TYPE"), second.get("TYPE"), parameters
    ) * _smaller_weight(weights["modality"], first.get("MODALITY"), second.get("MODALITY"), parameters)
    return base if first is second else _with_errors(base, first, second, weights["error"])


_HAN = ("CJK", "KANGXI RADICAL", "IDEOGRAPHIC ITERATION MARK", "IDEOGRAPHIC NUMBER ZERO")


@lru_cache(maxsize=1 << 16)
def script_of(text: str) -> str:
    """Arabic, Chinese or English by the scripts of the letters; MIXED for several, UNKNOWN for none."""
    if text.isascii():
        return "English" if any(map(str.isalpha, text)) else "UNKNOWN"
    found = set()
    for character in text:
        if character.isascii():
            if character.isalpha():
                found.add("English")
            continue
        name = unicodedata.name(character, "")
        if name.startswith("ARABIC"):
            found.add("Arabic")
        elif name.startswith(_HAN):
            found.add("Chinese")
        elif name.startswith(("LATIN", "FULLWIDTH LATIN")):
            found.add("English")
    return found.pop() if len(found) == 1 else "MIXED" if found else "UNKNOWN"


def compared_text(place: Region, parameters: AceSettings) -> str:
    """The text of a head or extent, as far as the profile looks at it."""
    return shorten(place.text) if parameters.shortened_texts else place.text


def merged_language(found: set[str]) -> str:
    """The one language of heads or extents, names and arguments; MIXED for several, UNKNOWN for none."""
    return next(iter(found)) if len(found) == 1 else "MIXED" if found else "UNKNOWN"


def language_of_filler(side: AceSide, filler: str, doc_id: str) -> str:
    """The language of an argument in a document; MIXED if it does not occur there."""
    for kind in FILLER_KINDS:
        element = side.elements[kind].get(filler)
        if element is not None and doc_id in element.occurrences:
            return element.occurrences[doc_id].language
    return "MIXED"
