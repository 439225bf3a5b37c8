"""Micro and macro averages, gathered while documents stream by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lydite.exact import ExactSum
from lydite.model import Figures, Score, Tally
from lydite.model.tally import Empty

Includes = Callable[[Figures], bool]


def everything(_figures: Figures) -> bool:
    """Every document counts."""
    return True


@dataclass(frozen=True, slots=True)
class Average:
    """How the documents of a corpus become one figure.

    ``micro`` adds the counts and divides once.  ``macro`` takes the mean of the documents' precisions and of their
    recalls, and F1 from these two means.  ``includes`` says which documents take part.  ``undefined`` says what an
    undefined figure of a document does to a macro average: it counts as ``zero`` or leaves the document out (``skip``).
    """

    name: Literal["micro", "macro"]
    includes: Includes = everything
    undefined: Literal["zero", "skip"] = "zero"
    empty: Empty = "undefined"

    def start(self) -> Gatherer:
        """An empty gatherer for this average."""
        return Micro(self) if self.name == "micro" else Macro(self)


class Micro:
    """Sums of counts; of plain tallies without rounding error, whatever the number of documents."""

    def __init__(self, average: Average) -> None:
        self._average = average
        self._sums = tuple(ExactSum() for _ in range(4))
        self._other: Figures | None = None

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        if not self._average.includes(figures):
            return
        if isinstance(figures, Tally):
            gold_credit, gold_total, system_credit, system_total = self._sums
            gold_credit.add(figures.gold_credit)
            gold_total.add(figures.gold_total)
            system_credit.add(figures.system_credit)
            system_total.add(figures.system_total)
        else:
            self._other = figures if self._other is None else self._other + figures

    @property
    def figures(self) -> Figures:
        """The counts of all documents together."""
        return self._other if self._other is not None else Tally(*(part.value for part in self._sums))

    def score(self) -> Score:
        """The score of the counts of all documents together."""
        return self.figures.score(empty=self._average.empty)


class Macro:
    """Means of document scores; its tally holds the sums of recalls and precisions over the number of documents."""

    def __init__(self, average: Average) -> None:
        self._average = average
        self._recall, self._precision = ExactSum(), ExactSum()
        self._recalls = self._precisions = 0

    def add(self, figures: Figures) -> None:
        """Take in one document."""
        if not self._average.includes(figures):
            return
        score = figures.score(empty="undefined" if self._average.undefined == "skip" else self._average.empty)
        if score.recall is not None or self._average.undefined == "zero":
            self._recall.add(score.recall or 0.0)
            self._recalls += 1
        if score.precision is not None or self._average.undefined == "zero":
            self._precision.add(score.precision or 0.0)
            self._precisions += 1

    @property
    def figures(self) -> Tally:
        """Sum of recalls, how many; sum of precisions, how many."""
        return Tally(self._recall.value, self._recalls, self._precision.value, self._precisions)

    def score(self) -> Score:
        """The two means and their harmonic mean."""
        return self.figures.score(empty=self._average.empty)


Gatherer = Micro | Macro
