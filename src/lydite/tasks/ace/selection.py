"""Which elements are scored: entities of some types, or only targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from lydite.errors import Finding, Location
from lydite.formats.targets import Target, kept_targets
from lydite.model import Corpus, Document
from lydite.model.ace import ENTITY, LAYER, Element
from lydite.tasks.ace.settings import AceSettings

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


def select(gold: Documents, system: Documents, settings: AceSettings) -> tuple[Documents, Documents]:
    """The documents as they are compared under the profile's entity types and targets.

    With targets gold keeps only their occurrences, and only the documents that have one; of the system only entities
    of those documents are left.
    """
    types = scored_types(settings)
    gold, system = keep_types(gold, types), keep_types(system, types)
    if settings.targets:
        targets = kept_targets(settings.targets)
        gold = {doc_id: one for doc_id, one in _targets_only(gold, targets).items() if one.layers[LAYER]}
        system = _filter_elements(system, lambda element, doc_id: element.kind == ENTITY and doc_id in gold)
    return gold, system


def _targets_only(documents: Documents, targets: Mapping[str, Target]) -> dict[str, Document]:
    def is_kept(element: Element, doc_id: str) -> bool:
        target = target_of(element, targets)
        return target is not None and (not target.documents or doc_id in target.documents)

    return _filter_elements(documents, is_kept)


def report_selection(gold: Corpus, settings: AceSettings) -> Iterator[Finding]:
    """Findings about how much of gold is left out by targets, and about targets that gold does not have."""
    if not settings.targets:
        return
    targets = kept_targets(settings.targets)
    kept = _targets_only(keep_types(gold.documents, scored_types(settings)), targets)
    entities = {element.id for element in elements_of(gold.documents.values()) if element.kind == ENTITY}
    chosen = {element.id for element in elements_of(kept.values())}
    scored = sum(1 for document in kept.values() if document.layers[LAYER])
    message = (
        f"{len(chosen)} of {len(entities)} gold entities are targets, in {scored} of {len(gold)} documents; "
        "everything else is left out, and system entities that are mapped to no target neither count nor cost"
    )
    yield Finding("targets-only", "warning", message, Location(gold.path))
    in_gold, in_scored = (
        {target.id for one in elements_of(documents.values()) if (target := target_of(one, targets))}
        for documents in (gold.documents, kept)
    )
    for target_id in targets:
        among, hint = "the entities of gold, found none", None
        if target_id in in_gold:
            among = "the gold entities that are scored, found it outside"
            hint = "entity-types sets which types are scored, the list of targets in which documents"
        if target_id not in in_scored:
            message, where = f"expected the target {target_id!r} among {among}", Location(settings.targets)
            yield Finding("target-not-in-gold", "warning", message, where, item=target_id, hint=hint)
