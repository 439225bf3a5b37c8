"""Counts of rarer cluster metrics: other rules for BLANC, the adjusted Rand index, and a lenient answer to 0/0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lydite.exact import NO_FRACTIONS, FractionSum
from lydite.model.cluster import ClusterTally, LinkTally
from lydite.model.tally import Empty, Score, ratio


@dataclass(frozen=True, slots=True)
class OriginalLinkTally:
    """The same six counts under the rules of Recasens & Hovy (2011), for two sides with the same mentions.

    A kind of link that gold lacks is left out, whatever the system has; two sides that agree on a single mention, where
    there is no link at all, score 1.  On equal mentions that is the only difference from :class:`LinkTally`.
    """

    links: LinkTally
    mentions: int

    def __add__(self, other: OriginalLinkTally) -> OriginalLinkTally:
        return OriginalLinkTally(self.links + other.links, self.mentions + other.mentions)

    def score(self, *, empty: Empty = "zero") -> Score:
        """BLANC's P, R and F."""
        if self.mentions and not (self.links.gold_coreference or self.links.gold_other):
            return Score(1.0, 1.0, 1.0)
        return self.links.score(empty=empty)

    def swapped(self) -> OriginalLinkTally:
        """The same counts with the sides exchanged."""
        return OriginalLinkTally(self.links.swapped(), self.mentions)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {**self.links.as_dict(), "mentions": self.mentions}


@dataclass(frozen=True, slots=True)
class EitherLinkTally:
    """The same six counts where a kind of link is left out only if both sides lack it (CorefUD scorer)."""

    links: LinkTally

    def __add__(self, other: EitherLinkTally) -> EitherLinkTally:
        return EitherLinkTally(self.links + other.links)

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F: the means over the kinds that a side has; 0 if there is none."""
        kinds = [
            kind.score(empty="zero")
            for kind in (self.links.coreference, self.links.other)
            if kind.gold_total or kind.system_total
        ]
        figures = ([kind[figure] or 0.0 for kind in kinds] for figure in range(3))
        return Score(*(sum(values) / len(values) if values else 0.0 for values in figures))

    def swapped(self) -> EitherLinkTally:
        """The same counts with the sides exchanged."""
        return EitherLinkTally(self.links.swapped())

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return self.links.as_dict()


@dataclass(frozen=True, slots=True)
class AdjustedRandTally:
    """Common links, the number expected by chance, and the links of both sides together."""

    common: int = 0
    expected: FractionSum = NO_FRACTIONS
    both_sides: int = 0

    def __add__(self, other: AdjustedRandTally) -> AdjustedRandTally:
        return AdjustedRandTally(
            self.common + other.common, self.expected + other.expected, self.both_sides + other.both_sides
        )

    def score(self, *, empty: Empty = "zero") -> Score:
        """(common - expected) / (maximum - expected) as ``value``."""
        from fractions import Fraction

        expected = self.expected.fraction
        above = Fraction(self.both_sides, 2) - expected
        return Score(value=float((self.common - expected) / above) if above else ratio(0, 0, empty=empty))

    def swapped(self) -> AdjustedRandTally:
        """The index does not know sides."""
        return self

    def as_dict(self) -> dict[str, float]:
        """The counts by name."""
        return {"common": self.common, "expected": self.expected.value, "both_sides": self.both_sides}


@dataclass(frozen=True, slots=True)
class IdenticalTally:
    """The counts of a metric that scores 1 where nothing can be counted and the two sides are identical."""

    counts: ClusterTally | LinkTally | EitherLinkTally
    identical: bool = True

    def __add__(self, other: IdenticalTally) -> IdenticalTally:
        together: Any = self.counts + other.counts  # type: ignore[operator]
        return IdenticalTally(together, self.identical and other.identical)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The metric's score; identical sides score 0 only when there is nothing to count."""
        score = self.counts.score(empty=empty)
        return Score(1.0, 1.0, 1.0) if self.identical and not score.f1 else score

    def swapped(self) -> IdenticalTally:
        """The same counts with the sides exchanged."""
        return IdenticalTally(self.counts.swapped(), self.identical)

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        return {**self.counts.as_dict(), "identical": self.identical}
