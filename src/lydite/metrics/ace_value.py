"""The value of ACE output: the value of gold less the costs of misses, errors and false alarms.

value = (V_gold − cost of misses − cost of errors − cost of false alarms) / V_gold

Costs are those of the alignment, in which every mapped pair keeps what its attributes, mentions or arguments are
worth.  The value can be negative.  Counts of elements and of their occurrences in documents stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import ClassVar, Self

from lydite.grouping import grouped
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Score
from lydite.model.ace_alignment import CorpusElement, ElementOutcome, KindAlignment, Occurrence, Status
from lydite.model.tally import Additive, Counts, Empty, amount, ratio, total, where

MULTI = "(multi)"
"""The row of elements whose documents disagree."""


@dataclass(frozen=True, slots=True)
class AceFigures(Additive):
    """Counts of elements and occurrences, and where value was lost.

    ``gold_elements`` includes the missed ones.  ``correct`` and ``error`` are mapped occurrences, ``left_out``
    system occurrences that neither count nor cost (they belong to no target).  ``error_cost`` and
    ``correct_cost`` are what mapped occurrences lost; the four costs after them say how.
    """

    gold_elements: int = 0
    missed_elements: int = 0
    spurious_elements: int = 0
    correct: int = 0
    error: int = 0
    missed: int = 0
    spurious: int = 0
    left_out: int = 0
    gold_value: float = 0.0
    missed_cost: float = 0.0
    error_cost: float = 0.0
    correct_cost: float = 0.0
    spurious_cost: float = 0.0
    attribute_cost: float = 0.0
    part_spurious_cost: float = 0.0
    part_missed_cost: float = 0.0
    part_error_cost: float = 0.0

    @property
    def kept(self) -> float:
        """The part of gold's value that the system earned, without the cost of false alarms; at least 0."""
        left = self.gold_value - self.missed_cost - self.error_cost - self.correct_cost
        return where(left > 0, left, 0.0)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The value."""
        lost = (self.missed_cost, self.error_cost, self.correct_cost, self.spurious_cost)
        kept = total(self.gold_value, *(-cost for cost in lost))
        return Score(value=ratio(kept, self.gold_value, empty=empty))


class _FiguresView(Additive):
    """The same figures with another score, which shows only some of them."""

    __slots__ = ()
    figures: AceFigures
    shown_names: ClassVar[tuple[str, ...]]

    def as_dict(self) -> dict[str, object]:
        """The figures that are shown, by name."""
        return {name: getattr(self.figures, name) for name in self.shown_names}

    def from_counts(self, counts: Counts) -> Self:
        """The inverse of :meth:`as_dict`."""
        return self._of([AceFigures(**{name: amount(counts, name) for name in counts})])


@dataclass(frozen=True, slots=True)
class CountedFigures(_FiguresView):
    """The same figures, scored by precision and recall of occurrences: correct ones over all of a side."""

    figures: AceFigures
    shown_names: ClassVar = ("correct", "error", "missed", "spurious")

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Precision, recall and F1 of occurrences."""
        figures = self.figures
        mapped = figures.correct + figures.error
        gold_total, system_total = mapped + figures.missed, mapped + figures.spurious
        return Score.of_credit(figures.correct, system_total, gold_total, empty=empty)


@dataclass(frozen=True, slots=True)
class WeightedFigures(_FiguresView):
    """The same figures, scored by value-weighted precision and recall.

    recall = K / V_gold and precision = K / (V_gold − misses + false alarms), with K what was kept.
    """

    figures: AceFigures
    shown_names: ClassVar = ("gold_value", "missed_cost", "error_cost", "correct_cost", "spurious_cost")

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Value-weighted precision, recall and F1."""
        figures = self.figures
        claimed = figures.gold_value - figures.missed_cost + figures.spurious_cost
        return Score.of_credit(figures.kept, claimed, figures.gold_value, empty=empty)


def outcome_figures(outcomes: Iterable[ElementOutcome]) -> AceFigures:
    """The figures of some occurrences (elements are counted by :func:`element_figures`)."""
    outcomes = list(outcomes)
    mapped = [outcome for outcome in outcomes if outcome.status in {"correct", "error"}]
    of = {status: [outcome for outcome in outcomes if outcome.status == status] for status in _STATUSES}
    return AceFigures(
        correct=len(of["correct"]),
        error=len(of["error"]),
        missed=len(of["miss"]),
        spurious=len(of["fa"]),
        left_out=sum(1 for outcome in outcomes if outcome.status == "free"),
        gold_value=fsum(outcome.maximum for outcome in outcomes),
        missed_cost=fsum(outcome.cost for outcome in of["miss"]),
        error_cost=fsum(outcome.cost for outcome in of["error"]),
        correct_cost=fsum(outcome.cost for outcome in of["correct"]),
        spurious_cost=fsum(outcome.cost for outcome in of["fa"]),
        attribute_cost=fsum(outcome.attribute_cost for outcome in mapped),
        part_spurious_cost=fsum(outcome.false_cost for outcome in mapped),
        part_missed_cost=fsum(outcome.missed_cost for outcome in mapped),
        part_error_cost=fsum(outcome.error_cost for outcome in mapped),
    )


_STATUSES = ("correct", "error", "miss", "fa")

OccurrenceCondition = Callable[[KindAlignment, ElementOutcome], str]
ElementCondition = Callable[[KindAlignment, CorpusElement, bool], str]
"""The row of an element; the last argument says whether it is a gold element."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that splits a table: the row of an occurrence, and the row of an element."""

    of_outcome: OccurrenceCondition
    of_element: ElementCondition


def elements_by_first_document(alignment: KindAlignment) -> dict[str, list[tuple[CorpusElement, bool]]]:
    """Gold elements and unmapped system elements by the first of their documents, where each is counted once."""
    left_out_elements = {
        outcome.system.element
        for outcomes in alignment.outcomes.values()
        for outcome in outcomes
        if outcome.status == "free" and outcome.system is not None
    }
    counted = [(element, True) for element in alignment.gold.values()]
    left_out = left_out_elements.union(alignment.partner.values())
    counted += [(element, False) for element in alignment.system.values() if element.id not in left_out]
    return grouped((min(one[0].occurrences), one) for one in counted)


def element_figures(alignment: KindAlignment, elements: Iterable[tuple[CorpusElement, bool]]) -> AceFigures:
    """The numbers of gold, missed and spurious elements."""
    golds = [element for element, is_gold in elements if is_gold]
    spurious = sum(1 for _, is_gold in elements if not is_gold)
    missed = sum(1 for element in golds if element.id not in alignment.partner)
    return AceFigures(gold_elements=len(golds), missed_elements=missed, spurious_elements=spurious)


def split(
    alignment: KindAlignment,
    outcomes: Iterable[ElementOutcome],
    elements: Iterable[tuple[CorpusElement, bool]],
    condition: Condition,
    given: Condition | None = None,
) -> Iterator[tuple[tuple[str, str], AceFigures]]:
    """Figures by row of a condition, under each value of a second one (``ALL`` without): ((given, row), figures)."""
    rows: dict[tuple[str, str], list[ElementOutcome]] = {}
    for outcome in outcomes:
        above = given.of_outcome(alignment, outcome) if given else "ALL"
        rows.setdefault((above, condition.of_outcome(alignment, outcome)), []).append(outcome)
    counted: dict[tuple[str, str], list[tuple[CorpusElement, bool]]] = {}
    for element, is_gold in elements:
        above = given.of_element(alignment, element, is_gold) if given else "ALL"
        if above != MULTI:
            row = condition.of_element(alignment, element, is_gold)
            counted.setdefault((above, row), []).append((element, is_gold))
    for key in sorted({*rows, *counted}):
        yield key, outcome_figures(rows.get(key, ())) + element_figures(alignment, counted.get(key, ()))


def judge_by_links(alignment: KindAlignment, outcomes: Iterable[ElementOutcome]) -> Iterator[ElementOutcome]:
    """Outcomes judged by external links: only gold elements with a link, and unmapped system elements with one.

    Correct if the mapped system element has the same id in some resource, missed if it has no link or nothing is
    mapped, else an error.  Costs stay as they are.
    """
    for outcome in outcomes:
        if outcome.gold is None:
            if outcome.system is not None and alignment.system[outcome.system.element].links:
                yield outcome
            continue
        ours = alignment.gold[outcome.gold.element].links
        if not ours:
            continue
        partner = alignment.system.get(alignment.partner.get(outcome.gold.element, ""))
        theirs = partner.links if partner is not None and outcome.system is not None else {}
        status: Status = "miss"
        if theirs:
            status = "correct" if ours.items() & theirs.items() else "error"
        yield outcome._replace(status=status)


def _bin(bounds: tuple[float, ...], names: tuple[str, ...], number: float, tolerance: float = 0.0) -> str:
    """The name of the first bin whose upper bound the number does not exceed; there is one more for all beyond."""
    for bound, name in zip(bounds, names, strict=False):
        if number <= bound + tolerance:
            return name
    return names[-1]


_value_bin = partial(
    _bin, (0.2, 0.5, 1.0, 2.0, 4.0), ("<=0.2", "0.2-0.5", "0.5-1.0", "1-2", "2-4", ">4"), tolerance=5e-6
)
_mention_bin = partial(_bin, (1, 2, 4, 8), ("1", "2", "3-4", "5-8", ">8"))
_argument_bin = partial(_bin, (0, 1, 2, 3, 4), ("0", "1", "2", "3", "4", ">4"))
_error_bin = partial(_bin, (0, 1), ("0", "1", ">1"))
_entropy_bin = partial(_bin, (0.3, 0.6, 1.0), ("<=0.3", "0.3-0.6", "0.6-1.0", ">1.0"))


def _counted_occurrence(outcome: ElementOutcome) -> Occurrence:
    """The occurrence whose row counts: gold's, or for a false alarm the system's."""
    occurrence = outcome.gold or outcome.system
    assert occurrence is not None
    return occurrence


def _element(alignment: KindAlignment, outcome: ElementOutcome) -> CorpusElement:
    own = _counted_occurrence(outcome)
    return (alignment.gold if outcome.gold is not None else alignment.system)[own.element]


def _same_everywhere(row: Callable[[Occurrence], str], otherwise: str = MULTI) -> Condition:
    """The row of an occurrence; of an element the row in all of its documents, ``otherwise`` where they differ."""

    def of_element(_alignment: KindAlignment, element: CorpusElement, _gold: bool) -> str:
        found = set(map(row, element.occurrences.values()))
        return found.pop() if len(found) == 1 else otherwise

    return Condition(lambda _alignment, outcome: row(_counted_occurrence(outcome)), of_element)


def _attribute(name: str) -> Condition:
    return _same_everywhere(lambda occurrence: occurrence.attributes.get(name, ""))


def _per_element(row: ElementCondition) -> Condition:
    return Condition(
        lambda alignment, outcome: row(alignment, _element(alignment, outcome), outcome.gold is not None), row
    )


def occurrence_value(alignment: KindAlignment, occurrence: Occurrence, *, is_gold: bool) -> float:
    """The value by which an occurrence is binned and listed."""
    listed = {} if is_gold else alignment.listed_values
    return listed.get((occurrence.element, occurrence.doc_id), occurrence.value)


def _binned_sum(
    bins: Callable[[float], str], amount: Callable[[KindAlignment, Occurrence, bool], float]
) -> Condition:
    """The bin of an amount; of an element that of the sum over all of its documents."""

    def of_element(alignment: KindAlignment, element: CorpusElement, is_gold: bool) -> str:
        return bins(fsum(amount(alignment, one, is_gold) for one in element.occurrences.values()))

    def of_outcome(alignment: KindAlignment, outcome: ElementOutcome) -> str:
        return bins(amount(alignment, _counted_occurrence(outcome), outcome.gold is not None))

    return Condition(of_outcome, of_element)


def _argument_errors(alignment: KindAlignment, element: CorpusElement, is_gold: bool) -> str:
    """The bin of a relation or event; unmapped ones have no argument errors."""
    errors = alignment.argument_errors if is_gold else alignment.surplus_argument_errors
    return _error_bin(errors.get(element.id, 0))


def _one_or_several_languages(element: CorpusElement) -> str:
    """The row of an element: text without letters has no language, and MIXED text has several."""
    found = {occurrence.language for occurrence in element.occurrences.values()} - {"UNKNOWN"}
    return "several" if len(found) > 1 or "MIXED" in found else "one"


CONDITIONS: Mapping[str, Condition] = {
    "LANGUAGE": _same_everywhere(lambda occurrence: occurrence.language, "MIXED"),
    "LANGUAGES": _per_element(lambda _alignment, element, _gold: _one_or_several_languages(element)),
    **{name: _attribute(name) for name in ("TYPE", "SUBTYPE", "LEVEL", "CLASS", "MODALITY")},
    "VALUE": _binned_sum(
        _value_bin, lambda alignment, one, is_gold: occurrence_value(alignment, one, is_gold=is_gold)
    ),
    "MENTION COUNT": _binned_sum(_mention_bin, lambda _alignment, one, _gold: len(one.mentions)),
    "SOURCE": _same_everywhere(lambda occurrence: occurrence.source),
    "CROSS-DOC": _per_element(
        lambda _alignment, element, _gold: "1" if len(element.occurrences) == 1 else ">1"
    ),
    "NAME_ENTROPY": _per_element(lambda _, element, _gold: _entropy_bin(element.name_entropy or 0.0)),
    "ARGUMENT ERRORS": _per_element(_argument_errors),
    "NUM ARGUMENTS": _per_element(lambda _alignment, element, _gold: _argument_bin(len(element.arguments))),
}
"""All that a table can be split by."""


_SWAP = "weights act on gold's side only, and false alarms cost less than misses"
_SELF = "a relation mention that lacks an argument, or an entity of level NAM without names, has no partner in itself"
TIES = "equally good mappings are told apart by ids"
TURNED = "a spurious mention can put right the level of its entity, or turn the mapping to another one"
_MAPPED = ((Law.RENAME, TIES), (Law.SPURIOUS, TURNED))


_metric = partial(MetricDeclaration, cite="doddington2004ace", domain="ace")

ACE_VALUE = _metric(
    "ace-value",
    "ACE value",
    measure=outcome_figures,
    exceptions=(
        (Law.SELF, _SELF),
        (Law.SWAP, _SWAP),
        (Law.BOUNDS, "false alarms can cost more than gold is worth: there is no lower bound"),
        *_MAPPED,
    ),
    weaknesses="One number for detection, attributes and coreference; the weights decide, and they changed every year.",
    worst=None,
)
ACE_VALUE_WEIGHTED = _metric(
    "ace-value-weighted",
    "Value-weighted precision and recall",
    measure=lambda outcomes: WeightedFigures(outcome_figures(outcomes)),
    exceptions=((Law.SELF, _SELF), (Law.SWAP, _SWAP), *_MAPPED),
)
ACE_COUNTS = _metric(
    "ace-counts",
    "Occurrences that are right in every attribute",
    measure=lambda outcomes: CountedFigures(outcome_figures(outcomes)),
    exceptions=(
        (Law.SELF, f"{_SELF}; by the rules of 2005 every relation or event mention is an error"),
        (Law.SWAP, "the mapping maximises value, which is not symmetric"),
        *_MAPPED,
    ),
    weaknesses="All occurrences weigh the same, and one wrong attribute is as bad as all.",
)
ACE_EXTERNAL_LINKS = _metric(
    "ace-external-links",
    "Elements judged by external links",
    measure=outcome_figures,
    exceptions=((Law.SWAP, _SWAP), (Law.BOUNDS, "costs are those of the value"), *_MAPPED),
    worst=None,
)
