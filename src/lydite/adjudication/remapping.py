"""Targets mapped again: to the system entities that fit best what gold and the judges say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.adjudication.pool import MappedSystem, Targets, where_it_counts
from lydite.align.ace import best_mapping
from lydite.align.ace_elements import Elements, prepare, score_elements
from lydite.align.ace_sides import build_side
from lydite.formats.lists import read_mapping
from lydite.model import Corpus
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import Occurrence
from lydite.profile import Profile
from lydite.records import replace
from lydite.tasks.ace.selection import of_types, scored_types
from lydite.tasks.ace.settings import AceSettings


def map_again(
    targets: Targets,
    systems: Sequence[Corpus],
    profile: Profile[AceSettings],
    reference: Mapping[str, Mapping[str, Occurrence]],
) -> Targets:
    """The targets under the mapping to the reference: by target and document, what gold and the judges say.

    As in the first pass, only the documents count in which a target occurs.  What a system earns on the annotated
    documents is what it earns there under the new mapping.
    """
    corpora = {corpus.name: corpus for corpus in systems}
    gold = {
        element.id: element._replace(occurrences=reference[target_id])
        for target_id, element in targets.gold.items()
    }
    mapped = [
        _mapped_again(targets, system, corpora[system.name], profile.settings, gold)
        for system in targets.systems
    ]
    return replace(targets, systems=mapped, first=targets)


def _mapped_again(
    targets: Targets, system: MappedSystem, corpus: Corpus, settings: AceSettings, gold: Elements
) -> MappedSystem:
    parameters, section = targets.parameters, system.section
    documents = {doc_id: None for element in gold.values() for doc_id in element.occurrences}
    scored = of_types(corpus.documents, scored_types(settings))
    found = build_side([scored[doc_id] for doc_id in documents if doc_id in scored], parameters)
    pairs = prepare(ENTITY, gold, found.elements[ENTITY], documents, parameters)
    partner = best_mapping(pairs, read_mapping(settings.prefer) if settings.prefer else frozenset())
    everywhere = build_side(corpus.documents.values(), parameters).elements[ENTITY]
    annotated = prepare(ENTITY, section.gold, section.system, section.outcomes, parameters)
    return MappedSystem(
        system.name,
        {
            target_id: where_it_counts(
                everywhere[partner[element.id]], targets.targets[target_id], targets.annotated
            )
            for target_id, element in targets.gold.items()
            if element.id in partner
        },
        score_elements(annotated, partner, tuple(section.outcomes)),
    )
