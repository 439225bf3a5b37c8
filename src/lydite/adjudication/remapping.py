"""Targets mapped again, to the system entities that fit gold together with what was judged right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lydite.adjudication.pool import MappedSystem, Targets, without_excluded
from lydite.align.ace import best_mapping
from lydite.align.ace_elements import Elements, prepare_pairs, score_elements
from lydite.align.ace_sides import build_side
from lydite.formats.lists import read_mapping
from lydite.model import Corpus
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import Occurrence
from lydite.model.ace_settings import AceSettings
from lydite.profile import Profile
from lydite.tasks.ace.selection import keep_types, scored_types


def remap_targets(
    targets: Targets,
    systems: Sequence[Corpus],
    profile: Profile[AceSettings],
    reference: Mapping[str, Mapping[str, Occurrence]],
) -> Targets:
    """The targets mapped again to ``reference``: by target and document, the occurrences of gold and of the judges.

    As in the first mapping, only documents in which a target occurs count.  On the annotated documents a system then
    earns what it earns under the new mapping.
    """
    corpora = {corpus.name: corpus for corpus in systems}
    gold = {one.id: one._replace(occurrences=reference[target]) for target, one in targets.gold.items()}
    mapped = [
        _remap_system(targets, system, corpora[system.name], profile.settings, gold)
        for system in targets.systems
    ]
    return replace(targets, systems=mapped, before_remapping=targets)


def _remap_system(
    targets: Targets, system: MappedSystem, corpus: Corpus, settings: AceSettings, gold: Elements
) -> MappedSystem:
    parameters, section = targets.parameters, system.section
    documents = {doc_id: None for element in gold.values() for doc_id in element.occurrences}
    scored = keep_types(corpus.documents, scored_types(settings))
    system_side = build_side([scored[doc_id] for doc_id in documents if doc_id in scored], parameters)
    pairs = prepare_pairs(ENTITY, gold, system_side.elements[ENTITY], documents, parameters)
    partner = best_mapping(pairs, read_mapping(settings.prefer) if settings.prefer else frozenset()).partner
    everywhere = build_side(corpus.documents.values(), parameters).elements[ENTITY]
    annotated = prepare_pairs(ENTITY, section.gold, section.system, section.outcomes, parameters)
    return MappedSystem(
        system.name,
        {
            target_id: without_excluded(
                everywhere[partner[element.id]],
                targets.targets[target_id],
                targets.annotated,
                element.id,
                targets.unscored,
            )
            for target_id, element in targets.gold.items()
            if element.id in partner
        },
        score_elements(annotated, partner, tuple(section.outcomes), targets.unscored),
    )
