"""Mention tasks: every mention becomes an element of its own."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.align.ace_sides import compared_text, level_of_mentions, mentions_of, occurrence_worths, script_of
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import CorpusElement, Occurrence, ScoredMention
from lydite.model.ace_settings import AceSettings


def promote_elements(
    elements: Mapping[str, CorpusElement], parameters: AceSettings
) -> dict[str, CorpusElement]:
    """Every mention of an entity, value or time as an element with that one mention."""
    return {
        mention.id: _promoted(element, occurrence, mention, parameters)
        for element, occurrence, mention in mentions_of(elements)
    }


def _promoted(
    element: CorpusElement, occurrence: Occurrence, mention: ScoredMention, parameters: AceSettings
) -> CorpusElement:
    attributes, names, level = occurrence.attributes, occurrence.names, ""
    if element.kind == ENTITY:
        level = level_of_mentions((mention,), parameters)
        attributes = {**attributes, "LEVEL": level}
        if mention.type == "NAM" and mention.style == "LITERAL":
            names = (compared_text(mention.place, parameters),)
    language = occurrence.language
    if not parameters.mention_language_of_host:
        language = script_of(compared_text(mention.place, parameters))
    own = Occurrence(
        mention.id,
        element.kind,
        occurrence.doc_id,
        attributes,
        (mention,),
        names,
        language,
        occurrence.source,
        occurrence.line,
        *occurrence_worths(element.kind, attributes, (mention,), names, parameters, corpus_level=level),
    )
    return CorpusElement(
        mention.id, element.kind, {occurrence.doc_id: own}, name_entropy=element.name_entropy, host=element.id
    )


def promote_frames(
    elements: Mapping[str, CorpusElement], hosts: Mapping[str, str] | None
) -> dict[str, CorpusElement]:
    """Every mention of a relation or event as an element with the arguments of the mention.

    ``hosts`` replaces argument mentions by the elements that they belong to (gold); None leaves them (system).
    """
    promoted: dict[str, CorpusElement] = {}
    for element, occurrence, mention in mentions_of(elements):
        arguments = mention.arguments
        if hosts is not None:
            arguments = tuple((role, hosts.get(filler, filler)) for role, filler in arguments)
        own = occurrence._replace(element=mention.id, mentions=(mention,))
        promoted[mention.id] = CorpusElement(
            mention.id,
            element.kind,
            {occurrence.doc_id: own},
            tuple(sorted({*arguments})),
            host=element.id,
        )
    return promoted
