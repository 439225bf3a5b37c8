"""The whole comparison of two ACE corpora: elements of five kinds, then mentions as elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from lydite.align.ace_elements import (
    ElementMapping,
    ElementPairs,
    Preferred,
    map_by_links,
    map_elements,
    prepare_pairs,
    score_elements,
)
from lydite.align.ace_frames import ARGS, Fillers, Frames
from lydite.align.ace_occurrences import map_occurrences, similar_occurrences
from lydite.align.ace_promote import promote_elements, promote_frames
from lydite.align.ace_sides import AceSide, build_side, mentions_of
from lydite.align.ace_ties import TiedGroup, element_ties, frame_ties, tied_groups
from lydite.model import Document
from lydite.model.ace import ENTITY, EVENT, FILLER_KINDS, RELATION
from lydite.model.ace_alignment import GOLD, AceAlignment, KindAlignment
from lydite.model.ace_settings import AceSettings

MENTION_PREFIX = "mention_"
"""In the name of a section, before the kind: its mentions scored as elements."""

PresentSections = frozenset[tuple[str, str]]
"""The sections of which a side has elements, in these documents or in others: (side, section)."""


def align(
    gold: Iterable[Document],
    system: Iterable[Document],
    parameters: AceSettings,
    *,
    mentions: bool,
    preferred: Preferred,
    present: PresentSections,
    unscored: frozenset[tuple[str, str]] = frozenset(),
) -> AceAlignment:
    """Value and map everything; system documents that gold lacks must have been removed before.

    Among equally good mappings the one with most ``preferred`` pairs is taken.  Sections ``present`` in other documents
    are scored in these, too.  What is mapped to a gold element costs nothing in ``unscored`` (element, document).
    """
    gold_side, system_side = build_side(gold, parameters), build_side(system, parameters)
    doc_ids = tuple(gold_side.sources)
    sections: dict[str, KindAlignment] = {}
    simple: dict[str, ElementPairs] = {}
    mapped: dict[str, str] = {}
    tied: list[TiedGroup] = []
    for kind in FILLER_KINDS:
        pairs = prepare_pairs(kind, gold_side.elements[kind], system_side.elements[kind], doc_ids, parameters)
        partner, gains = best_mapping(pairs, preferred)
        mapped.update(partner)
        simple[kind] = pairs
        section = score_elements(pairs, partner, doc_ids, unscored)
        groups = list(tied_groups(gains, partner, preferred))
        tied.extend(groups)
        sections[kind] = element_ties(section, pairs, groups, unscored)
    worthless = frozenset(
        kind
        for kind in FILLER_KINDS
        if parameters.absent_kind_is_worthless and not simple[kind].gold and (GOLD, kind) not in present
    )
    fillers = Fillers(tuple(simple.values()), mapped, {}, parameters, worthless=worthless)
    for kind in (RELATION, EVENT):
        frames = Frames(kind, gold_side.elements[kind], system_side.elements[kind], fillers)
        sections[kind] = frame_ties(frames.score(doc_ids, preferred), frames, tied, preferred)
    if mentions and parameters.use_mentions:
        sections.update(
            _mention_sections(
                gold_side, system_side, mapped, doc_ids, parameters, preferred=preferred, present=present
            )
        )
    if present:
        sections = {
            name: replace(section, elsewhere=frozenset(side for side, one in present if one == name))
            for name, section in sections.items()
        }
    matches = {kind: pairs.matches for kind, pairs in simple.items()}
    return AceAlignment(doc_ids, sections, matches, parameters, partial(similar_occurrences, simple[ENTITY]))


def best_mapping(pairs: ElementPairs, preferred: Preferred) -> ElementMapping:
    """Entities by external ids if they are given; occurrences without mentions by sums over documents; others by pairs."""
    parameters = pairs.parameters
    if parameters.mappings_given and pairs.kind == ENTITY:
        return ElementMapping(map_by_links(pairs.gold, pairs.system), {})
    by_sums = parameters.absent_documents_cost and parameters.spurious == "own-worth"
    if parameters.use_mentions or not by_sums or parameters.map_weighting == "fmeasure":
        return map_elements(pairs, preferred)
    return map_occurrences(pairs, preferred)


def _mention_sections(
    gold: AceSide,
    system: AceSide,
    mapped: Mapping[str, str],
    doc_ids: Sequence[str],
    parameters: AceSettings,
    *,
    preferred: Preferred,
    present: PresentSections,
) -> dict[str, KindAlignment]:
    sections: dict[str, KindAlignment] = {}
    pairs = prepare_pairs(
        ENTITY,
        promote_elements(gold.elements[ENTITY], parameters),
        promote_elements(system.elements[ENTITY], parameters),
        doc_ids,
        parameters,
    )
    partner, gains = map_elements(pairs, preferred)
    section = score_elements(pairs, partner, doc_ids)
    groups = list(tied_groups(gains, partner, preferred))
    sections[MENTION_PREFIX + ENTITY] = element_ties(section, pairs, groups, ())
    if parameters.use_name_similarity:
        return sections
    if not any(gold.elements[kind] or (GOLD, kind) in present for kind in (RELATION, EVENT)):
        return sections
    simple, hosts = [], {}
    for kind in FILLER_KINDS:
        promoted = promote_elements(system.elements[kind], parameters)
        simple.append(prepare_pairs(kind, gold.elements[kind], promoted, doc_ids, parameters))
        hosts.update({element.id: element.host for element in promoted.values()})
    fillers_of_gold = chain.from_iterable(mentions_of(gold.elements[kind]) for kind in FILLER_KINDS)
    gold_hosts = {mention.id: element.id for element, _, mention in fillers_of_gold}
    fillers = Fillers(simple, mapped, hosts, parameters, mention_scoring=True)
    for kind in (RELATION, EVENT):
        golds = promote_frames(gold.elements[kind], gold_hosts)
        systems = promote_frames(system.elements[kind], None)
        stretches = None
        if kind == RELATION and not parameters.relation_mention_heads_anywhere:
            stretches = _stretches(gold), _stretches(system)
        frames = Frames(kind, golds, systems, fillers, stretches=stretches)
        sections[MENTION_PREFIX + kind] = frames.score(doc_ids, preferred)
    return sections


def _stretches(side: AceSide) -> dict[str, tuple[float, float]]:
    """By relation mention, the stretch from the first to the last character of the heads of its two arguments."""
    fillers = chain.from_iterable(mentions_of(side.elements[kind]) for kind in FILLER_KINDS)
    heads = {mention.id: mention.place for _, _, mention in fillers}
    stretches: dict[str, tuple[float, float]] = {}
    for _, _, mention in mentions_of(side.elements[RELATION]):
        places = [heads[filler] for role, filler in mention.arguments if role in ARGS and filler in heads]
        if places:
            stretches[mention.id] = min(p.start for p in places), max(p.end for p in places)
    return stretches
