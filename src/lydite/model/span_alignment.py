"""Alignments of labelled spans, and what span metrics count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from lydite.grouping import grouped
from lydite.model.tally import Additive, Counts, Empty, Score, Tally, counts_of, or_zero, ratio, total, where

Ranges: TypeAlias = tuple[tuple[int, int], ...]


class LabelledSpan(NamedTuple):
    """The character ranges and the type of a span; two spans are equal if both are."""

    ranges: Ranges
    type: str


class SpanPair(NamedTuple):
    """Two spans by position, and their overlap: ``common`` units of ``gold_size`` and ``system_size``."""

    gold: int
    system: int
    same_place: bool
    same_type: bool
    common: int
    gold_size: int
    system_size: int

    @property
    def dice(self) -> Fraction:
        """The Dice coefficient: twice the overlap over the sum of both sizes."""
        return Fraction(2 * self.common, self.gold_size + self.system_size)


class SpanAlignment(NamedTuple):
    """The distinct spans of both sides, and one-to-one pairs of them."""

    gold: Sequence[LabelledSpan]
    system: Sequence[LabelledSpan]
    pairs: Sequence[SpanPair]


@dataclass(frozen=True, slots=True)
class SchemaTally(Additive):
    """The counts of a schema (MUC, SemEval 2013): correct, incorrect and partial pairs, missed and spurious spans.

    recall = (correct + partial/2) / possible with possible = correct + incorrect + partial + missed; precision divides
    by actual = correct + incorrect + partial + spurious.
    """

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def possible(self) -> int:
        """The number of gold spans."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def actual(self) -> int:
        """The number of system spans."""
        return self.correct + self.incorrect + self.partial + self.spurious

    def score(self, *, empty: Empty = "zero") -> Score:
        """P, R and F1 with half credit for partial pairs."""
        earned = self.correct + 0.5 * self.partial
        return Score.of_credit(earned, self.actual, self.possible, empty=empty)

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        # Not super(): a dataclass with slots is another class than the one that its methods were written in.
        return {**Additive.as_dict(self), "possible": self.possible, "actual": self.actual}


class TypeTally(NamedTuple):
    """The counts of every type; the score is the mean over types, plain or weighted by the gold spans of each.

    P, R and F1 are averaged separately, so F1 is not the harmonic mean of the other two.
    """

    types: Mapping[str, Tally]
    weighted: bool = False

    def __add__(self, other: TypeTally) -> TypeTally:  # type: ignore[override]  # tallies add, tuples join
        return self.sum_of((self, other))

    def sum_of(self, records: Sequence[TypeTally]) -> TypeTally:
        """The records added, type by type."""
        found = grouped(item for types, _ in records for item in types.items())
        return TypeTally({name: found[name][0].sum_of(found[name]) for name in sorted(found)}, self.weighted)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The means over types; 0/0 without types, or without gold if weighted."""
        tallies = self.types.values()
        # A type that a resampled corpus lacks has no part in its mean.
        weights = [
            tally.gold_total if self.weighted else where(tally.gold_total + tally.system_total > 0, 1, 0)
            for tally in tallies
        ]
        scores = [tally.score(empty="zero") for tally in tallies]
        means = [
            ratio(
                total(*(weight * or_zero(one[place]) for weight, one in zip(weights, scores, strict=True))),
                total(*weights),
                empty=empty,
            )
            for place in range(3)
        ]
        return Score(means[0], means[1], means[2])

    def as_dict(self) -> dict[str, object]:
        """The counts by type."""
        return {name: tally.as_dict() for name, tally in self.types.items()}

    def from_counts(self, counts: Counts) -> TypeTally:
        """The inverse of :meth:`as_dict`."""
        return TypeTally(
            {name: Tally().from_counts(counts_of(counts, name)) for name in counts}, self.weighted
        )
