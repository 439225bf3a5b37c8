"""The elements of a document as views of their own: the sampling units where elements are joined across documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lydite.grouping import grouped
from lydite.model import Corpus
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import CorpusElement, ElementOutcome, KindAlignment
from lydite.model.ace_settings import AceSettings
from lydite.pipeline.task import SamplingUnit
from lydite.tasks.ace.measurements import DocumentView
from lydite.tasks.ace.selection import elements_of

Unit = tuple[str, str, bool]
"""Section, element id, whether it is one of gold."""


def sampling_unit(settings: AceSettings) -> SamplingUnit[DocumentView]:
    """Elements, where they are joined across documents by their names; else documents."""
    if settings.use_name_similarity:
        return SamplingUnit("element", elements=split_into_elements)
    return SamplingUnit(joined=in_several_documents)


def in_several_documents(corpus: Corpus) -> list[str]:
    """The ids that occur in several documents: each is one element, also where documents are scored separately."""
    counts = Counter(element.id for element in elements_of(corpus.documents.values()))
    return [name for name, count in counts.items() if count > 1]


@dataclass(frozen=True, slots=True, eq=False)
class ElementView(DocumentView):
    """The part of a document that is about one gold element and its partner, or about an unmapped system element."""

    name: str = ""
    own_outcomes: list[ElementOutcome] = field(default_factory=list)
    own_elements: list[tuple[CorpusElement, bool]] = field(default_factory=list)

    def outcomes(self, name: str) -> Sequence[ElementOutcome]:
        """The outcomes of the element."""
        return self.own_outcomes if name == self.name else ()

    def elements(self, name: str) -> Sequence[tuple[CorpusElement, bool]]:
        """The element, in the document that it is counted in."""
        return self.own_elements if name == self.name else ()


def split_into_elements(view: DocumentView) -> Iterator[tuple[str, bool, DocumentView]]:
    """The elements of a document: name, whether it is a gold element, and its part of the view."""
    parts: dict[Unit, ElementView] = {}
    for name, section in view.whole.sections.items():
        for outcome in view.outcomes(name):
            own = outcome.gold or outcome.system
            assert own is not None
            unit = _unit_of(name, section, own.element, is_gold=outcome.gold is not None)
            _element_view(parts, view, unit).own_outcomes.append(outcome)
        for element, is_gold in view.elements(name):
            unit = _unit_of(name, section, element.id, is_gold=is_gold)
            _element_view(parts, view, unit).own_elements.append((element, is_gold))
    _assign_b_cubed_items(parts, view)
    for (name, element_id, is_gold), part in parts.items():
        yield f"{name} {element_id}", is_gold, part


def _assign_b_cubed_items(parts: dict[Unit, ElementView], view: DocumentView) -> None:
    """Give the items of B-cubed to the elements that they belong to."""
    section = view.whole.sections[ENTITY]
    for over, items in view.b_cubed.items():
        of_units = grouped(
            (_unit_of(ENTITY, section, item.element.id, is_gold=item.is_gold), item) for item in items
        )
        for unit, own_items in of_units.items():
            _element_view(parts, view, unit).b_cubed[over] = own_items


def _unit_of(name: str, section: KindAlignment, element: str, *, is_gold: bool) -> Unit:
    """The unit of an element: itself, or the gold element that a system element is mapped to."""
    gold = element if is_gold else section.gold_of.get(element)
    return (name, element, False) if gold is None else (name, gold, True)


def _element_view(parts: dict[Unit, ElementView], view: DocumentView, unit: Unit) -> ElementView:
    if unit not in parts:
        parts[unit] = ElementView(
            view.doc_id,
            view.whole,
            view.counted_elements,
            {},
            view.splits,
            view.kinds,
            view.system_path,
            name=unit[0],
        )
    return parts[unit]
