"""The error budget: the points between a score and perfection, divided among kinds of fault so that they add up.

For a set S of faults F(S) is the headline after mending exactly these: the output is edited and scored again along the
official path.  The share of a fault is its Shapley value, the mean of what mending it adds over all orders of mending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress
from math import factorial
from typing import Generic

from lydite.explanation.passes import Inputs
from lydite.model import Document, DocumentPair, Figures
from lydite.model.verdict import Budget, Documents, Fault, Mending
from lydite.pipeline import C, Measurement, PerDocument, Progress, S, by_id
from lydite.records import NamedTuple
from lydite.results.averages import Average

AT_ONCE = 60
"""Scorings per document up to which a budget is given unasked."""


Sets = tuple[frozenset[str], ...]


def subsets(faults: Sequence[str]) -> Sets:
    """All sets of these faults; the n-th holds the faults whose bits n has."""
    return tuple(
        frozenset(compress(faults, (number >> place & 1 for place in range(len(faults)))))
        for number in range(1 << len(faults))
    )


def shapley(faults: Sequence[str], figures: Mapping[frozenset[str], Fraction]) -> dict[str, Fraction]:
    """Σ over S without the fault of |S|! (c−|S|−1)! / c! · (F(S ∪ {fault}) − F(S)), exactly."""
    count = len(faults)
    shares = {}
    for fault in faults:
        others = [name for name in faults if name != fault]
        shares[fault] = sum(
            (
                Fraction(factorial(len(chosen)) * factorial(count - len(chosen) - 1), factorial(count))
                * (figures[chosen | {fault}] - figures[chosen])
                for chosen in subsets(others)
            ),
            Fraction(0),
        )
    return shares


def divide(
    items: Mapping[str, int], faults: Sequence[str], figures: Mapping[frozenset[str], Fraction]
) -> Budget:
    """The rows of a budget from the figures of all sets of the faults that occur."""
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


class Budgeting(NamedTuple):
    """How much work a budget is: scorings, and the documents (or the one corpus) that are scored."""

    scorings: int
    units: int

    @property
    def at_once(self) -> bool:
        """Whether it is given unasked."""
        return self.scorings <= AT_ONCE * max(1, self.units)


def effort(inputs: Inputs[S, C]) -> Budgeting:
    """Σ over documents of 2^(faults in the document); of joined corpora 2^(faults in the corpus)."""
    if isinstance(inputs.task.compare, PerDocument):
        counts = [len(mending.items) for mending, _ in _mendings(inputs, inputs.task.compare)]
        return Budgeting(sum(1 << count for count in counts), len(counts))
    return Budgeting(1 << len(_corpus_mending(inputs).items), 1)


def budget(inputs: Inputs[S, C], progress: Progress | None = None) -> Budget:
    """The budget of the headline."""
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
        """The figure of documents together; an undefined one counts as 0."""
        gatherer = self.average.start(self.measurement.nothing)
        for one in figures:
            if one is not None:
                gatherer.add(one)
        value = getattr(gatherer.score(), self.figure)
        return Fraction(value or 0)


def headline_of(inputs: Inputs[S, C]) -> _Headline[C]:
    """The measurement behind the headline."""
    lead = inputs.task.headline(inputs.settings)
    for measurement in inputs.task.measurements(inputs.settings):
        if (measurement.name, measurement.metric) == (lead.measurement, lead.metric):
            average = next(one for one in measurement.averages if one.name == lead.average)
            return _Headline(measurement, average, lead.figure)
    raise AssertionError(f"no measurement {lead.measurement} {lead.metric}")


# --------------------------------------------------------------------------------------------- document by document


def _mendings(inputs: Inputs[S, C], stage: PerDocument[S, C]) -> Iterator[tuple[Mending[Document], Document]]:
    """The faults of every compared document, and gold as it is compared."""
    find = inputs.explainer.find_faults
    assert find is not None
    for explained in inputs.explained():
        yield find(explained, inputs.settings), stage.prepare(explained.gold, inputs.settings)


def _budget_of_documents(inputs: Inputs[S, C], stage: PerDocument[S, C], progress: Progress | None) -> Budget:
    lead = headline_of(inputs)
    items: Counter[str] = Counter()
    tables: list[Mapping[frozenset[str], Figures | None]] = []
    total = len(inputs.documents())
    for mending, gold in _mendings(inputs, stage):
        items.update(mending.items)
        table: dict[frozenset[str], Figures | None] = {}
        for chosen in subsets(tuple(mending.items)):
            if len(chosen) == len(mending.items) > 0 and not gold.present:
                # Nothing is left of a document that gold lacks: the mended output is without it.
                table[chosen] = None
                break
            edited = stage.prepare(mending.mend(chosen), inputs.settings)
            comparison = stage.compare(DocumentPair(gold.doc_id, gold, edited), inputs.settings)
            table[chosen] = lead.measurement.measure(comparison)
        tables.append(table)
        if progress is not None:
            progress(len(tables), total)
    faults = inputs.explainer.faults(inputs.settings)
    present = [fault for fault in faults if items[fault]]
    own = [frozenset().union(*table) for table in tables]
    figures = {
        chosen: lead.corpus_figure([table[chosen & has] for table, has in zip(tables, own, strict=True)])
        for chosen in subsets(present)
    }
    return divide(items, faults, figures)


# ------------------------------------------------------------------------------------------------- whole corpora


def _corpus_mending(inputs: Inputs[S, C]) -> Mending[Documents]:
    find = inputs.explainer.find_faults_of_corpora
    assert find is not None
    comparisons = {explained.doc_id: explained.comparison for explained in inputs.explained()}
    sides = by_id(inputs.gold.documents), by_id(inputs.system.documents)
    return find(*sides, comparisons, inputs.settings)


def _budget_of_corpora(inputs: Inputs[S, C], progress: Progress | None) -> Budget:
    lead, stage = headline_of(inputs), inputs.task.compare
    assert not isinstance(stage, PerDocument)
    mending = _corpus_mending(inputs)
    gold = by_id(inputs.gold.documents)
    figures: dict[frozenset[str], Fraction] = {}
    everything = subsets(tuple(mending.items))
    for chosen in everything:
        compared = stage.compare(gold, mending.mend(chosen), inputs.settings)
        figures[chosen] = lead.corpus_figure([lead.measurement.measure(one) for _, one in compared])
        if progress is not None:
            progress(len(figures), len(everything))
    return divide(mending.items, inputs.explainer.faults(inputs.settings), figures)
