"""Labelled spans of two sides, and which belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from lydite.model.plain import PlainMapping
from lydite.model.tally import Empty, Score, Tally, chosen, or_zero, ratio, total

Ranges: TypeAlias = tuple[tuple[int, int], ...]


class LabelledSpan(NamedTuple):
    """Where a span stands and what it is called: two are the same if both are."""

    ranges: Ranges
    type: str


class SpanPair(NamedTuple):
    """Two spans by position, and how much they have in common: ``common`` units of ``gold_size`` and ``system_size``."""

    gold: int
    system: int
    same_place: bool
    same_type: bool
    common: int
    gold_size: int
    system_size: int


class SpanAlignment(NamedTuple):
    """The spans of both sides, each once, and pairs of them: no span is in two pairs."""

    gold: Sequence[LabelledSpan]
    system: Sequence[LabelledSpan]
    pairs: Sequence[SpanPair]

    def swapped(self) -> SpanAlignment:
        """The same alignment with the sides exchanged."""
        pairs = [
            pair._replace(
                gold=pair.system, system=pair.gold, gold_size=pair.system_size, system_size=pair.gold_size
            )
            for pair in self.pairs
        ]
        return SpanAlignment(self.system, self.gold, pairs)


class SchemaTally(NamedTuple):
    """What a schema counts (MUC, SemEval 2013): correct, incorrect and partial pairs, missed and spurious spans.

    recall = (correct + partial/2) / possible with possible = correct + incorrect + partial + missed; precision divides
    by actual = correct + incorrect + partial + spurious.
    """

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    def __add__(self, other: SchemaTally) -> SchemaTally:  # type: ignore[override]
        return SchemaTally(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def possible(self) -> int:
        """What gold has."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def actual(self) -> int:
        """What the system has."""
        return self.correct + self.incorrect + self.partial + self.spurious

    def score(self, *, empty: Empty = "zero") -> Score:
        """P, R and F1 with half credit for partial pairs."""
        earned = self.correct + 0.5 * self.partial
        return Score.of(
            ratio(earned, self.actual, empty=empty), ratio(earned, self.possible, empty=empty), empty=empty
        )

    def swapped(self) -> SchemaTally:
        """The same counts with the sides exchanged."""
        return self._replace(missed=self.spurious, spurious=self.missed)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {**self._asdict(), "possible": self.possible, "actual": self.actual}

    def restored(self, counts: PlainMapping) -> SchemaTally:
        """The inverse of :meth:`as_dict`."""
        return SchemaTally(*(counts[name] for name in self._fields))


class TypeTally(NamedTuple):
    """The counts of every type: the score is the mean over types, plain or weighed by what gold has of each.

    P, R and F1 are averaged each by itself, so F1 is not the harmonic mean of the other two.
    """

    types: Mapping[str, Tally]
    weighted: bool = False

    def __add__(self, other: TypeTally) -> TypeTally:  # type: ignore[override]
        names = sorted({*self.types, *other.types})
        nothing = Tally()
        added = {name: self.types.get(name, nothing) + other.types.get(name, nothing) for name in names}
        return TypeTally(added, self.weighted)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The means; without types, or without gold where gold weighs, 0/0."""
        tallies = self.types.values()
        # A type that a resampled corpus lacks has no part in its mean.
        weights = [
            tally.gold_total if self.weighted else chosen(tally.gold_total + tally.system_total > 0, 1, 0)
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

    def swapped(self) -> TypeTally:
        """The same counts with the sides exchanged."""
        return TypeTally({name: tally.swapped() for name, tally in self.types.items()}, self.weighted)

    def as_dict(self) -> dict[str, Any]:
        """The counts by type."""
        return {name: tally.as_dict() for name, tally in self.types.items()}

    def restored(self, counts: PlainMapping) -> TypeTally:
        """The inverse of :meth:`as_dict`."""
        return TypeTally({name: Tally(**of_type) for name, of_type in counts.items()}, self.weighted)
