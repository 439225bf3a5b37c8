"""The error budget: the points between a score and perfection, divided among kinds of fault so that they add up.

For a set S of faults F(S) is the headline after correcting exactly these: the output is edited and scored again along the
official path.  The share of a fault is its Shapley value, the mean of what mending it adds over all orders of corrections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress
from math import factorial
from typing import Generic, NamedTuple

from lydite.explanation.passes import Inputs
from lydite.model import Document, DocumentPair, Figures
from lydite.model.settings import C, S
from lydite.model.verdict import Budget, Corrections, Documents, Fault
from lydite.parallel import Progress
from lydite.pipeline.task import Measurement, PerDocument, by_id
from lydite.results.averages import Average

QUICK_SCORINGS = 60
"""Mean number of scorings per document up to which a budget is given without being asked for."""


def subsets(faults: Sequence[str]) -> tuple[frozenset[str], ...]:
    """All sets of these faults; bit k of the position of a set says whether the k-th fault is in it."""
    return tuple(
        frozenset(compress(faults, (number >> place & 1 for place in range(len(faults)))))
        for number in range(1 << len(faults))
    )


def shapley(faults: Sequence[str], figures: Mapping[frozenset[str], Fraction]) -> dict[str, Fraction]:
    """Σ over S without the fault of |S|! (c−|S|−1)! / c! · (F(S ∪ {fault}) − F(S)), exactly."""
    count = len(faults)
    shares = {}
    for fault in faults:
        shares[fault] = sum(
            (
                Fraction(factorial(len(corrected)) * factorial(count - len(corrected) - 1), factorial(count))
                * (figures[corrected | {fault}] - figures[corrected])
                for corrected in subsets([name for name in faults if name != fault])
            ),
            Fraction(0),
        )
    return shares


def divide_points(
    items: Mapping[str, int], faults: Sequence[str], figures: Mapping[frozenset[str], Fraction]
) -> Budget:
    """Divide the points among the faults, from the figures after correcting each set of the faults that occur."""
    present = [fault for fault in faults if items.get(fault)]
    before = figures[frozenset()]
    shares = shapley(present, figures)
    rows = tuple(
        Fault(fault, items[fault], shares[fault], figures[frozenset({fault})] - before)
        if fault in shares
        else Fault(fault, 0, Fraction(0), Fraction(0))
        for fault in faults
    )
    return Budget(before, figures[frozenset(present)], rows)


class BudgetEffort(NamedTuple):
    """The work that a budget takes: scorings, and the documents (or the one corpus) that are scored."""

    scorings: int
    units: int

    @property
    def is_quick(self) -> bool:
        """Whether the budget is given without being asked for."""
        return self.scorings <= QUICK_SCORINGS * max(1, self.units)


def budget_effort(inputs: Inputs[S, C]) -> BudgetEffort:
    """Σ over documents of 2^(faults in the document); where elements are joined across documents 2^(faults)."""
    if isinstance(inputs.task.compare, PerDocument):
        counts = [len(corrections.items) for corrections, _ in _find_corrections(inputs, inputs.task.compare)]
        return BudgetEffort(sum(1 << count for count in counts), len(counts))
    return BudgetEffort(1 << len(_find_corpus_corrections(inputs).items), 1)


def budget(inputs: Inputs[S, C], progress: Progress | None = None) -> Budget:
    """The error budget of the headline."""
    stage = inputs.task.compare
    if isinstance(stage, PerDocument):
        return _budget_of_documents(inputs, stage, progress)
    return _budget_of_corpora(inputs, progress)


class _Headline(NamedTuple, Generic[C]):
    """The headline's measurement, and how its documents become one figure."""

    measurement: Measurement[C]
    average: Average
    figure: str

    def corpus_figure(self, figures: Sequence[Figures | None]) -> Fraction:
        """The figure of all documents together; 0 if it is undefined."""
        gatherer = self.average.start(self.measurement.empty_counts)
        for one in figures:
            if one is not None:
                gatherer.add(one)
        return Fraction(getattr(gatherer.score(), self.figure) or 0)


def _find_headline(inputs: Inputs[S, C]) -> _Headline[C]:
    lead = inputs.task.headline(inputs.settings)
    for measurement in inputs.task.measurements(inputs.settings):
        if (measurement.name, measurement.metric) == (lead.measurement, lead.metric):
            average = next(one for one in measurement.averages if one.name == lead.average)
            return _Headline(measurement, average, lead.figure)
    raise AssertionError(f"no measurement {lead.measurement} {lead.metric}")


# --------------------------------------------------------------------------------------------- document by document


def _find_corrections(
    inputs: Inputs[S, C], stage: PerDocument[S, C]
) -> Iterator[tuple[Corrections[Document], Document]]:
    """The faults of every compared document, with its prepared gold."""
    find = inputs.explainer.find_faults
    assert find is not None
    for explained in inputs.explained():
        yield find(explained, inputs.settings), stage.prepare(explained.gold, inputs.settings)


def _budget_of_documents(inputs: Inputs[S, C], stage: PerDocument[S, C], progress: Progress | None) -> Budget:
    lead = _find_headline(inputs)
    items: Counter[str] = Counter()
    tables: list[Mapping[frozenset[str], Figures | None]] = []
    total = len(inputs.documents())
    for corrections, gold in _find_corrections(inputs, stage):
        items.update(corrections.items)
        table: dict[frozenset[str], Figures | None] = {}
        for corrected in subsets(tuple(corrections.items)):
            if len(corrected) == len(corrections.items) > 0 and not gold.present:
                # Nothing is left of a document that gold lacks: the corrected output is without it.
                table[corrected] = None
                break
            edited = stage.prepare(corrections.correct(corrected), inputs.settings)
            comparison = stage.compare(DocumentPair(gold.doc_id, gold, edited), inputs.settings)
            table[corrected] = lead.measurement.measure(comparison)
        tables.append(table)
        if progress is not None:
            progress(len(tables), total)
    faults = inputs.explainer.faults(inputs.settings)
    present = [fault for fault in faults if items[fault]]
    faults_of = [frozenset().union(*table) for table in tables]
    figures = {
        corrected: lead.corpus_figure(
            [one[corrected & own] for one, own in zip(tables, faults_of, strict=True)]
        )
        for corrected in subsets(present)
    }
    return divide_points(items, faults, figures)


# ------------------------------------------------------------------------------------------------- whole corpora


def _find_corpus_corrections(inputs: Inputs[S, C]) -> Corrections[Documents]:
    find = inputs.explainer.find_faults_of_corpora
    assert find is not None
    comparisons = {explained.doc_id: explained.comparison for explained in inputs.explained()}
    sides = by_id(inputs.gold.documents), by_id(inputs.system.documents)
    return find(*sides, comparisons, inputs.settings)


def _budget_of_corpora(inputs: Inputs[S, C], progress: Progress | None) -> Budget:
    lead, stage = _find_headline(inputs), inputs.task.compare
    assert not isinstance(stage, PerDocument)
    corrections = _find_corpus_corrections(inputs)
    gold = by_id(inputs.gold.documents)
    figures: dict[frozenset[str], Fraction] = {}
    all_sets = subsets(tuple(corrections.items))
    for corrected in all_sets:
        compared = stage.compare(gold, corrections.correct(corrected), inputs.settings)
        figures[corrected] = lead.corpus_figure([lead.measurement.measure(one) for _, one in compared])
        if progress is not None:
            progress(len(figures), len(all_sets))
    return divide_points(corrections.items, inputs.explainer.faults(inputs.settings), figures)
