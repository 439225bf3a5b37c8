"""Micro and macro averages, gathered document by document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple, Self

from lydite.exact_sums import ExactSum
from lydite.model import Figures, Score, Share, Tally
from lydite.model.tally import Additive, Counts, Empty, amount, ratio, sum_of

PENDING = 32
"""How many tallies are collected before they are added up."""

_COUNTS = attrgetter(*Tally.__slots__)

Includes = Callable[[Figures], bool]


def every_document(_figures: Figures) -> bool:
    """Include every document."""
    return True


class Average(NamedTuple):
    """How the documents of a corpus become one figure.

    ``micro`` adds the counts and divides once.  ``macro`` takes the mean of the documents' precisions and of their
    recalls, and F1 from these two means; an undefined figure of a document counts as 0 there.  ``includes`` says which
    documents take part.
    """

    name: Literal["micro", "macro"]
    includes: Includes = every_document
    empty: Empty = "undefined"
    of: Literal["prf", "value", "figures", "each", "parts", "types"] = "prf"
    """What a macro average is the mean of: precision and recall; the value; all figures, each by itself; P, R and F1
    over the documents that define each; of a mean of metrics, precision and recall of every metric; over types, whose
    counts are added up over documents."""

    def start(self, nothing: Figures | None = None, *, for_block: bool = False) -> Gatherer:
        """An empty gatherer for this average; ``nothing`` are the counts of an empty corpus.

        With ``for_block``, it gathers one block of documents, which another gatherer will take in.
        """
        if self.name == "micro" or self.of == "types":
            return Micro(self, None, each=[]) if for_block else Micro(self, nothing)
        if self.of == "figures":
            return MacroFigures(self)
        if self.of == "each":
            return MacroEach(self)
        if self.of == "parts":
            return MacroParts(self, nothing)
        return Macro(self) if self.of == "prf" else MacroValue(self)


class Gatherer(ABC):
    """Gathers the figures of documents; it can be pickled, without the functions of its average."""

    _average: Average

    @abstractmethod
    def add(self, figures: Figures) -> None:
        """Take in one document."""

    @abstractmethod
    def take(self, block: Self) -> None:
        """Take in the documents of a block that was gathered for the same average."""

    @property
    @abstractmethod
    def figures(self) -> Figures:
        """The figures of all documents together."""

    def score(self) -> Score:
        """The score of all documents together."""
        return self.figures.score(empty=self._average.empty)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_average": None}


class Micro(Gatherer):
    """Sums of counts; of plain tallies without rounding errors.

    Sums of other counts with floats depend on the order of the documents: a block keeps the counts of ``each`` document,
    and the gatherer that takes the block adds them one after the other.
    """

    def __init__(
        self, average: Average, nothing: Figures | None = None, *, each: list[Figures] | None = None
    ) -> None:
        self._average = average
        self._tallies: list[Tally] = []
        """Plain tallies that are not added up yet."""
        self._totals = tuple(ExactSum() for _ in range(4))
        self._others: list[Figures] = [] if nothing is None or isinstance(nothing, Tally) else [nothing]
        self._each = each

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        includes = self._average.includes
        if includes is not every_document and not includes(figures):
            return
        if isinstance(figures, Tally):
            self._tallies.append(figures)
            if len(self._tallies) >= PENDING:
                self._add_up()
        elif self._each is not None and not getattr(figures, "in_any_order", False):
            self._each.append(figures)
        else:
            self._take_other(figures)

    def _add_up(self) -> tuple[ExactSum, ...]:
        """The four sums of all plain tallies up to now."""
        for total, counts in zip(self._totals, zip(*map(_COUNTS, self._tallies), strict=True), strict=False):
            total.add_all(counts)
        self._tallies.clear()
        return self._totals

    def _take_other(self, figures: Figures) -> None:
        self._others.append(figures)
        if len(self._others) >= PENDING:
            self._others = [sum_of(self._others)]

    def take(self, block: Self) -> None:
        """Take in the documents of a block."""
        for ours, theirs in zip(self._totals, block._add_up(), strict=True):
            ours.add_sum(theirs)
        for figures in (*block._others, *(block._each or ())):
            self._take_other(figures)

    @property
    def figures(self) -> Figures:
        """The counts of all documents together."""
        return sum_of(self._others) if self._others else Tally(*(total.value for total in self._add_up()))


class _RunningMean:
    """The mean of figures of documents."""

    def __init__(self) -> None:
        self._sum = ExactSum()
        self.count = 0

    def add(self, figure: float) -> None:
        self._sum.add(figure)
        self.count += 1

    def take(self, other: _RunningMean) -> None:
        self._sum.add_sum(other._sum)
        self.count += other.count

    @property
    def total(self) -> float:
        return self._sum.value


class _MacroMeans(Gatherer):
    """Means of the figures ``of`` over documents; an undefined one counts as 0 or is skipped."""

    of: ClassVar[tuple[str, ...]]
    skips_undefined: ClassVar[bool] = False

    def __init__(self, average: Average) -> None:
        self._average = average
        self._means = [_RunningMean() for _ in self.of]

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        if self._average.includes(figures):
            self._add(figures.score())

    def _add(self, score: Score) -> None:
        for name, mean in zip(self.of, self._means, strict=True):
            figure: float | None = getattr(score, name)
            if figure is not None or not self.skips_undefined:
                mean.add(figure or 0.0)

    def take(self, block: Self) -> None:
        """Take in the documents of a block."""
        for ours, theirs in zip(self._means, block._means, strict=True):
            ours.take(theirs)

    @property
    def _counts(self) -> list[float]:
        """The sum of every figure, each followed by the number of documents."""
        return [count for mean in self._means for count in (mean.total, mean.count)]


class Macro(_MacroMeans):
    """Means of document scores; the tally holds the sums of recalls and precisions, and the number of documents."""

    of = ("recall", "precision")

    @property
    def figures(self) -> Tally:
        """Sum and number of recalls, sum and number of precisions."""
        return Tally(*self._counts)


@dataclass(frozen=True, slots=True)
class Means(Additive):
    """Sums of document figures and the numbers of documents that define them."""

    precision_part: float
    precision_whole: float
    recall_part: float
    recall_whole: float
    f1_part: float
    f1_whole: float

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The mean of each figure."""
        return Score(
            ratio(self.precision_part, self.precision_whole, empty=empty),
            ratio(self.recall_part, self.recall_whole, empty=empty),
            ratio(self.f1_part, self.f1_whole, empty=empty),
        )


class MacroEach(_MacroMeans):
    """Means of precision, recall and F1, each over the documents in which it is defined."""

    of = ("precision", "recall", "f1")
    skips_undefined = True

    @property
    def figures(self) -> Means:
        """The sums of the figures, and the numbers of documents that define them."""
        return Means(*self._counts)


class MacroValue(_MacroMeans):
    """The mean of document values, for metrics that are no P/R/F."""

    of = ("value",)

    @property
    def figures(self) -> Share:
        """The sum of the values and their number."""
        return Share(*self._counts)


class MeanFigures(NamedTuple):
    """Sums of the documents' precisions, recalls, F1s and values, and the number of documents."""

    precisions: float | None = None
    recalls: float | None = None
    f1s: float | None = None
    values: float | None = None
    documents: int = 0

    def __add__(self, other: MeanFigures) -> MeanFigures:  # type: ignore[override]  # figures add, tuples join
        pairs = zip(self._sums(), other._sums(), strict=True)
        sums = [one if two is None else two if one is None else one + two for one, two in pairs]
        return MeanFigures(sums[0], sums[1], sums[2], sums[3], self.documents + other.documents)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The means; F1 is the mean of F1s, not the harmonic mean of the other two."""
        return Score(
            *(None if part is None else ratio(part, self.documents, empty=empty) for part in self._sums())
        )

    def as_dict(self) -> dict[str, object]:
        """The sums that are defined, by name."""
        sums = {name: one for name, one in zip(self._fields, self._sums(), strict=False) if one is not None}
        return {**sums, "documents": self.documents}

    def from_counts(self, counts: Counts) -> MeanFigures:
        """The inverse of :meth:`as_dict`."""
        precisions, recalls, f1s, values = (
            amount(counts, name) if name in counts else None for name in self._fields[:-1]
        )
        return MeanFigures(precisions, recalls, f1s, values, amount(counts, "documents"))

    def _sums(self) -> tuple[float | None, ...]:
        return self.precisions, self.recalls, self.f1s, self.values


class MacroFigures(_MacroMeans):
    """The mean of every figure that the metric defines; a figure that no document defines is undefined."""

    of = Score._fields
    skips_undefined = True

    def __init__(self, average: Average) -> None:
        super().__init__(average)
        self._documents = 0

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        if self._average.includes(figures):
            self._documents += 1
            self._add(figures.score(empty=self._average.empty))

    def take(self, block: Self) -> None:
        """Take in the documents of a block."""
        super().take(block)
        self._documents += block._documents

    @property
    def figures(self) -> MeanFigures:
        """The sums over all documents up to now."""
        precisions, recalls, f1s, values = (mean.total if mean.count else None for mean in self._means)
        return MeanFigures(precisions, recalls, f1s, values, self._documents)


class MacroParts(Gatherer):
    """A mean of metrics, each of which is averaged over documents by itself; its F1 is the mean of their F1s."""

    def __init__(self, average: Average, nothing: Figures | None) -> None:
        from lydite.model.cluster import MeanTally

        assert isinstance(nothing, MeanTally)
        self._average, self._weights = average, nothing.weights
        self._parts = {name: Macro(average) for name in nothing.parts}

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        from lydite.model.cluster import MeanTally

        assert isinstance(figures, MeanTally)
        for name, part in figures.parts.items():
            self._parts[name].add(part)

    def take(self, block: Self) -> None:
        """Take in the documents of a block."""
        for name, part in block._parts.items():
            self._parts[name].take(part)

    @property
    def figures(self) -> Figures:
        """The sums of every metric."""
        from lydite.model.cluster import MeanTally

        return MeanTally({name: part.figures for name, part in self._parts.items()}, self._weights)
