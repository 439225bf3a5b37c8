"""The elements of a document, each as a view of its own: what is drawn again where elements reach across documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from lydite.metrics.ace_b_cubed import WeighedItem
from lydite.model import Corpus
from lydite.model.ace import ENTITY, LAYER
from lydite.model.ace_alignment import CorpusElement, ElementOutcome, KindAlignment
from lydite.pipeline import SamplingUnit
from lydite.records import dataclass, field
from lydite.tasks.ace.measurements import DocumentView
from lydite.tasks.ace.settings import AceSettings

Unit = tuple[str, str, bool]
"""Section, element id, whether it is one of gold."""


def sampling_unit(settings: AceSettings) -> SamplingUnit[DocumentView]:
    """Elements, where they are joined across documents by their names; else documents."""
    if settings.use_name_similarity:
        return SamplingUnit("element", elements=elements)
    return SamplingUnit(joined=in_several_documents)


def in_several_documents(corpus: Corpus) -> list[str]:
    """The ids that stand in several documents: each is one element, also where documents are scored by themselves."""
    layers = (document.layers.get(LAYER, ()) for document in corpus.documents.values())
    counts = Counter(element.id for layer in layers for element in layer)
    return [name for name, count in counts.items() if count > 1]


@dataclass(frozen=True, slots=True, eq=False)
class ElementView(DocumentView):
    """What one document holds of one gold element and of what it is mapped to, or of an unmapped system element."""

    name: str = ""
    outcomes_held: list[ElementOutcome] = field(default_factory=list)
    elements_held: list[tuple[CorpusElement, bool]] = field(default_factory=list)

    def outcomes(self, name: str) -> Sequence[ElementOutcome]:
        """What became of the occurrences of the element."""
        return self.outcomes_held if name == self.name else ()

    def elements(self, name: str) -> Sequence[tuple[CorpusElement, bool]]:
        """The element, in the document that it is counted in."""
        return self.elements_held if name == self.name else ()


def elements(view: DocumentView) -> Iterator[tuple[str, bool, DocumentView]]:
    """The elements of a document: a name, whether gold has it, and its part of the view."""
    parts: dict[Unit, ElementView] = {}
    for name, section in view.whole.sections.items():
        owner = _owners(section)
        for outcome in view.outcomes(name):
            own = outcome.gold or outcome.system
            assert own is not None
            _part(parts, view, (name, *owner(own.element, outcome.gold is not None))).outcomes_held.append(
                outcome
            )
        for element, is_gold in view.elements(name):
            _part(parts, view, (name, *owner(element.id, is_gold))).elements_held.append((element, is_gold))
    _share_items(parts, view)
    for (name, element_id, is_gold), part in parts.items():
        yield f"{name} {element_id}", is_gold, part


def _share_items(parts: dict[Unit, ElementView], view: DocumentView) -> None:
    """Give the items of B-cubed to the elements that they belong to."""
    owner = _owners(view.whole.sections[ENTITY])
    for held in ("b_cubed", "b_cubed_documents"):
        shares: dict[Unit, list[WeighedItem]] = {}
        for item in getattr(view, held).get(view.doc_id, ()):
            shares.setdefault((ENTITY, *owner(item.element.id, item.is_gold)), []).append(item)
        for unit, items in shares.items():
            getattr(_part(parts, view, unit), held)[view.doc_id] = items


def _owners(section: KindAlignment) -> Callable[[str, bool], tuple[str, bool]]:
    """Tells the element that an occurrence belongs to: a gold one, or a system one that is mapped to none."""
    gold_of = {system: gold for gold, system in section.partner.items()}

    def owner(element: str, is_gold: bool) -> tuple[str, bool]:
        return (element, is_gold) if is_gold or element not in gold_of else (gold_of[element], True)

    return owner


def _part(parts: dict[Unit, ElementView], view: DocumentView, unit: Unit) -> ElementView:
    if unit not in parts:
        parts[unit] = ElementView(
            view.doc_id, view.whole, view.homes, {}, {}, view.splits, view.kinds, name=unit[0]
        )
    return parts[unit]
