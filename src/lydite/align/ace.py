"""The whole comparison of two ACE corpora: elements of five kinds, then mentions as elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lydite.align.ace_elements import (
    ElementPairs,
    Preferred,
    by_document,
    map_elements,
    prepare,
    score_elements,
    similar_occurrences,
)
from lydite.align.ace_frames import ARGS, Fillers, Frames
from lydite.align.ace_occurrences import map_occurrences
from lydite.align.ace_promote import promote_elements, promote_frames
from lydite.align.ace_sides import AceSide, build_side, mentions_of
from lydite.model import Document
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, VALUE
from lydite.model.ace_alignment import AceAlignment, KindAlignment
from lydite.model.ace_parameters import Parameters
from lydite.records import replace

SIMPLE = (ENTITY, VALUE, TIMEX2)
MENTION = "mention_"
"""Before the name of a kind: its mentions as elements."""

GOLD, SYSTEM = "gold", "system"
Present = frozenset[tuple[str, str]]
"""Sides and sections: those of which a side has elements, in these documents or in others."""
NOTHING_ELSEWHERE: Present = frozenset()


def align(
    gold: Iterable[Document],
    system: Iterable[Document],
    parameters: Parameters,
    *,
    mentions: bool = True,
    near: bool = False,
    preferred: Preferred = frozenset(),
    present: Present = NOTHING_ELSEWHERE,
) -> AceAlignment:
    """Value and map everything; system documents that gold lacks must have been left out before.

    Among equally good mappings the one with most ``preferred`` pairs is taken.  What is ``present`` in other
    documents is scored in these too.
    """
    gold_side, system_side = build_side(gold, parameters), build_side(system, parameters)
    doc_ids = tuple(gold_side.sources)
    sections: dict[str, KindAlignment] = {}
    simple: dict[str, ElementPairs] = {}
    mapped: dict[str, str] = {}
    for kind in SIMPLE:
        pairs = prepare(kind, gold_side.elements[kind], system_side.elements[kind], doc_ids, parameters)
        partner = _mapping(pairs, preferred)
        mapped.update(partner)
        simple[kind] = pairs
        sections[kind] = score_elements(pairs, partner, doc_ids)
    fillers = Fillers(tuple(simple.values()), mapped, {}, parameters)
    for kind in (RELATION, EVENT):
        frames = Frames(
            kind,
            gold_side.elements[kind],
            system_side.elements[kind],
            fillers,
            parameters,
            overlap_required=parameters.mention_overlap_required,
        )
        sections[kind] = frames.score(doc_ids, preferred)
    if mentions and parameters.use_mentions:
        sections.update(
            _mention_sections(
                gold_side, system_side, mapped, doc_ids, parameters, preferred=preferred, present=present
            )
        )
    if present:
        sections = {name: _with_others(name, section, present) for name, section in sections.items()}
    similar = similar_occurrences(simple[ENTITY]) if near else {}
    return AceAlignment(doc_ids, sections, simple[ENTITY].entries, parameters, similar, simple[VALUE].entries)


def _with_others(name: str, section: KindAlignment, present: Present) -> KindAlignment:
    """The section of some documents, scored as one of all of them."""
    in_gold = section.in_gold or (GOLD, name) in present
    in_system = bool(section.system) or (SYSTEM, name) in present
    return replace(section, elsewhere=in_gold, scored_officially=in_system or not in_gold)


def _mapping(pairs: ElementPairs, preferred: Preferred) -> dict[str, str]:
    """Whole documents are joined by sums over documents; everything else, and F-measure, pair by pair."""
    parameters = pairs.parameters
    plain = (
        parameters.absent_documents_cost
        and parameters.map_weighting != "fmeasure"
        and not parameters.mappings_given
    )
    if parameters.use_mentions or not plain:
        return map_elements(pairs, preferred)
    return map_occurrences(pairs, by_document(pairs.gold), by_document(pairs.system), preferred)


def _mention_sections(
    gold: AceSide,
    system: AceSide,
    mapped: Mapping[str, str],
    doc_ids: Sequence[str],
    parameters: Parameters,
    *,
    preferred: Preferred,
    present: Present,
) -> dict[str, KindAlignment]:
    sections: dict[str, KindAlignment] = {}
    pairs = prepare(
        ENTITY,
        promote_elements(gold.elements[ENTITY], parameters),
        promote_elements(system.elements[ENTITY], parameters),
        doc_ids,
        parameters,
    )
    sections[MENTION + ENTITY] = score_elements(pairs, map_elements(pairs, preferred), doc_ids)
    if parameters.use_name_similarity:
        return sections
    if not any(gold.elements[kind] or (GOLD, kind) in present for kind in (RELATION, EVENT)):
        return sections
    simple, hosts = [], {}
    for kind in SIMPLE:
        promoted = promote_elements(system.elements[kind], parameters)
        simple.append(prepare(kind, gold.elements[kind], promoted, doc_ids, parameters))
        hosts.update({element.id: element.host for element in promoted.values()})
    gold_hosts = {
        mention.id: element.id for kind in SIMPLE for element, _, mention in mentions_of(gold.elements[kind])
    }
    fillers = Fillers(simple, mapped, hosts, parameters, whole=True)
    for kind in (RELATION, EVENT):
        golds = promote_frames(gold.elements[kind], gold_hosts)
        systems = promote_frames(system.elements[kind], None)
        stretches = None
        if kind == RELATION and not parameters.relation_mention_heads_anywhere:
            stretches = _stretches(gold), _stretches(system)
        frames = Frames(
            kind, golds, systems, fillers, parameters, overlap_required=kind == EVENT, stretches=stretches
        )
        sections[MENTION + kind] = frames.score(doc_ids, preferred)
    return sections


def _stretches(side: AceSide) -> dict[str, tuple[float, float]]:
    """From the first to the last character of the heads of the two arguments of every relation mention."""
    heads = {
        mention.id: mention.place for kind in SIMPLE for _, _, mention in mentions_of(side.elements[kind])
    }
    stretches: dict[str, tuple[float, float]] = {}
    for _, _, mention in mentions_of(side.elements[RELATION]):
        places = [heads[filler] for role, filler in mention.arguments if role in ARGS and filler in heads]
        if places:
            stretches[mention.id] = min(p.start for p in places), max(p.end for p in places)
    return stretches
