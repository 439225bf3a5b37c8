"""Which elements are scored: entities of some types, or only targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from lydite.errors import Finding, Location
from lydite.escaping import counted, first_of
from lydite.formats.targets import Target, kept_targets
from lydite.model import Corpus, Document
from lydite.model.ace import ENTITY, LAYER, Element
from lydite.model.ace_settings import AceSettings

Documents = Mapping[str, Document]


def elements_of(documents: Iterable[Document]) -> Iterator[Element]:
    """The elements of all documents, in their order."""
    return (element for document in documents for element in document.layers.get(LAYER, ()))


def keep_types(documents: Documents, types: tuple[str, ...]) -> Documents:
    """The documents with entities of these types only (all if empty), and without elements that have others as arguments."""
    if not types:
        return documents
    dropped = {
        element.id
        for element in elements_of(documents.values())
        if element.kind == ENTITY and element.attributes.get("TYPE") not in types
    }
    return _filter_elements(
        documents,
        lambda element, _doc_id: (
            element.id not in dropped
            and not any(argument.filler in dropped for argument in element.arguments)
        ),
    )


def _filter_elements(documents: Documents, is_kept: Callable[[Element, str], bool]) -> dict[str, Document]:
    return {
        doc_id: document._replace(
            layers={
                **document.layers,
                LAYER: tuple(
                    element for element in document.layers.get(LAYER, ()) if is_kept(element, doc_id)
                ),
            }
        )
        for doc_id, document in documents.items()
    }


def target_of(element: Element, targets: Mapping[str, Target]) -> Target | None:
    """The target with the id of an entity, or of one of its links; None if there is none."""
    if element.kind != ENTITY:
        return None
    for name in (element.id, *(link.id for link in element.links)):
        if name in targets:
            return targets[name]
    return None


def scored_types(settings: AceSettings) -> tuple[str, ...]:
    """The entity types that are scored: those of ``entity-types``, or else with targets those of ``target-types``."""
    types: tuple[str, ...] = settings.entity_types or (settings.target_types if settings.targets else ())
    return types


class SelectedSides(NamedTuple):
    """The documents of both sides as they are compared, and the occurrences of targets that are not scored."""

    gold: Documents
    system: Documents
    unscored: frozenset[tuple[str, str]] = frozenset()
    """Gold entity and document; what a system finds there neither counts nor costs."""


def select(gold: Documents, system: Documents, settings: AceSettings) -> SelectedSides:
    """The documents as they are compared under the profile's entity types and targets.

    With targets gold keeps only their scored occurrences, and only the documents that have one; of the system only
    entities of those documents are left.
    """
    types = scored_types(settings)
    gold, system = keep_types(gold, types), keep_types(system, types)
    if not settings.targets:
        return SelectedSides(gold, system)
    unscored = unscored_occurrences(gold, settings)
    gold = {doc_id: one for doc_id, one in _targets_only(gold, settings).items() if one.layers[LAYER]}
    system = _filter_elements(system, lambda element, doc_id: element.kind == ENTITY and doc_id in gold)
    return SelectedSides(gold, system, unscored)


def unscored_occurrences(documents: Documents, settings: AceSettings) -> frozenset[tuple[str, str]]:
    """The occurrences of targets in documents that are not scored: entity and document."""
    targets = kept_targets(settings.targets or "")
    return frozenset(
        (element.id, doc_id)
        for doc_id, document in documents.items()
        for element in document.layers.get(LAYER, ())
        if (target := target_of(element, targets)) is not None
        and not _is_scored(element, target, doc_id, settings)
    )


def _is_scored(element: Element, target: Target, doc_id: str, settings: AceSettings) -> bool:
    """Whether the occurrence of a target counts: the list of targets has the document, and gold names the target there."""
    in_list = not target.documents or doc_id in target.documents
    return in_list and (settings.unnamed_targets or is_named(element))


def is_named(element: Element) -> bool:
    """Whether an occurrence has a NAM mention; one that is given without mentions is named by its names."""
    return any(mention.type == "NAM" for mention in element.mentions) or (
        not element.mentions and bool(element.names)
    )


def _count_unnamed(documents: Documents, targets: Mapping[str, Target], settings: AceSettings) -> int:
    """How many occurrences of targets only their lack of a name keeps from being scored."""
    if settings.unnamed_targets:
        return 0
    return sum(
        1
        for doc_id, document in documents.items()
        for element in document.layers.get(LAYER, ())
        if (target := target_of(element, targets)) is not None
        and (not target.documents or doc_id in target.documents)
        and not is_named(element)
    )


def _report_other_types(gold: Corpus, settings: AceSettings) -> Iterator[Finding]:
    """A finding if entities of types are scored that the task across documents does not mean."""
    if ENTITY not in settings.kinds or settings.entity_types or not settings.target_types:
        return
    elements = elements_of(gold.documents.values())
    types = {element.attributes.get("TYPE", "") for element in elements if element.kind == ENTITY}
    if others := sorted(types.difference(settings.target_types)):
        meant = " and ".join(settings.target_types)
        message = f"the task across documents means entities of {meant}; gold also has {first_of(others)}, which are scored"
        hint = f"--entity-types {','.join(settings.target_types)} scores only these"
        yield Finding("types-beyond-task", "note", message, Location(gold.path), hint=hint)


def _targets_only(documents: Documents, settings: AceSettings) -> dict[str, Document]:
    targets = kept_targets(settings.targets or "")

    def is_kept(element: Element, doc_id: str) -> bool:
        target = target_of(element, targets)
        return target is not None and _is_scored(element, target, doc_id, settings)

    return _filter_elements(documents, is_kept)


def report_selection(gold: Corpus, settings: AceSettings) -> Iterator[Finding]:
    """Findings about how much of gold is left out by targets, and about targets that gold does not have."""
    if not settings.targets:
        yield from _report_other_types(gold, settings)
        return
    targets = kept_targets(settings.targets)
    of_types = keep_types(gold.documents, scored_types(settings))
    kept = _targets_only(of_types, settings)
    entities = {element.id for element in elements_of(gold.documents.values()) if element.kind == ENTITY}
    chosen = {element.id for element in elements_of(kept.values())}
    scored = sum(1 for document in kept.values() if document.layers[LAYER])
    message = (
        f"{len(chosen)} of {len(entities)} gold entities are targets, in {scored} of {len(gold)} documents; "
        "everything else is left out, and system entities that are mapped to no target neither count nor cost"
    )
    if unnamed := _count_unnamed(of_types, targets, settings):
        message += f"; also left out: {counted(unnamed, 'occurrence')} of a target in a document that does not name it"
    yield Finding("targets-only", "warning", message, Location(gold.path))
    in_gold, in_scored = (
        {target.id for one in elements_of(documents.values()) if (target := target_of(one, targets))}
        for documents in (gold.documents, kept)
    )
    for target_id in targets:
        among, hint = "the entities of gold, found none", None
        if target_id in in_gold:
            among = "the gold entities that are scored, found it outside"
            hint = (
                "entity-types sets which types are scored, the list of targets in which documents; documents in which "
                "gold does not name the target are scored with unnamed-targets only"
            )
        if target_id not in in_scored:
            message, where = f"expected the target {target_id!r} among {among}", Location(settings.targets)
            yield Finding("target-not-in-gold", "warning", message, where, item=target_id, hint=hint)
