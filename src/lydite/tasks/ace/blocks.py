"""ACE documents without elements in common can be compared block by block."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.align.ace import MENTION_PREFIX, PresentSections
from lydite.model import Corpus, Document
from lydite.model.ace import ENTITY, EVENT, LAYER, RELATION, SOURCE_LAYER, Element
from lydite.model.ace_alignment import GOLD, SYSTEM
from lydite.model.ace_settings import AceSettings
from lydite.pipeline.task import BlockComparison
from lydite.tasks.ace.measurements import DocumentView, compare_corpora


def reason_to_stay_together(settings: AceSettings) -> str | None:
    """Why documents must be compared together under the settings; None if they need not be."""
    if settings.use_name_similarity:
        return "entities are compared by their names in all documents"
    if settings.mapping == "external-ids":
        return "entities are mapped by their external ids, in all documents"
    if settings.targets:
        return "targets are looked for in all documents"
    if settings.prefer:
        return "the mapping to prefer names elements of all documents"
    return None


def joining_ids(document: Document) -> Iterator[str]:
    """The ids of elements, mentions and fillers: documents with an id in common must be compared together."""
    for element in document.layers.get(LAYER, ()):
        yield element.id
        for argument in element.arguments:
            yield argument.filler
        for mention in element.mentions:
            yield mention.id
            for argument in mention.arguments:
                yield argument.filler


def expected_sections(gold: Corpus, system: Corpus, settings: AceSettings) -> PresentSections:
    """The sections of which the sides have elements in any document, by the kinds that their readers saw."""
    kinds = {GOLD: gold.facts.get("kinds", ()), SYSTEM: system.facts.get("kinds", ())}
    promoted = {ENTITY}
    if not {RELATION, EVENT}.isdisjoint(kinds[GOLD]):
        promoted |= {RELATION, EVENT}
    mentions = promoted if settings.mentions and settings.use_mentions else frozenset()
    return frozenset(
        (side, section)
        for side, seen in kinds.items()
        for kind in seen
        for section in ((kind, MENTION_PREFIX + kind) if kind in mentions else (kind,))
    )


def sections_with_elements(view: DocumentView) -> PresentSections:
    """The sections of which the sides have elements in the compared documents.

    Sections whose value hangs on a tie are found on no side that the readers expect: the range of their value is that of
    all documents together.
    """
    sections = view.whole.sections.items()
    gold = frozenset((GOLD, name) for name, section in sections if section.gold)
    tied = frozenset(("tied", name) for name, section in sections if section.ties is not None)
    return gold | tied | frozenset((SYSTEM, name) for name, section in sections if section.system)


def outline(document: Document) -> Document:
    """Place, source, and one bare element of every kind."""
    kinds = dict.fromkeys(element.kind for element in document.layers.get(LAYER, ()))
    return Document(
        document.doc_id,
        path=document.path,
        line=document.line,
        layers={
            LAYER: tuple(Element(kind, "", {}) for kind in kinds),
            SOURCE_LAYER: document.layers.get(SOURCE_LAYER),
        },
    )


IN_BLOCKS = BlockComparison(
    together=reason_to_stay_together,
    names=joining_ids,
    expect=expected_sections,
    found=sections_with_elements,
    compare=compare_corpora,
    outline=outline,
)
