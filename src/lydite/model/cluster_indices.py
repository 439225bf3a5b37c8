"""Counts of rarer cluster metrics: variants of BLANC, the adjusted Rand index, and scores where 0/0 may be 1."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.exact_sums import NO_FRACTIONS, FractionSum
from lydite.model.cluster import LinkTally, Rounded, exact_sum, mean_of_links
from lydite.model.tally import Additive, Counts, Empty, Figures, Score, amount, or_zero, ratio, where


@dataclass(frozen=True, slots=True)
class OriginalLinkTally(Additive):
    """The six counts of BLANC under the rules of Recasens & Hovy (2011), for two sides with the same mentions.

    A kind of link that gold lacks is left out, whatever the system has; two sides with the same single mention, and so
    without links, score 1.  On equal mentions that is the only difference from :class:`LinkTally`.
    """

    links: LinkTally
    mentions: int

    def score(self, *, empty: Empty = "zero") -> Score:
        """BLANC's P, R and F."""
        single = (self.mentions > 0) & (self.links.gold_coreference + self.links.gold_other == 0)
        return Score(*(where(single, 1.0, figure) for figure in self.links.score(empty=empty)[:3]))


@dataclass(frozen=True, slots=True)
class EitherLinkTally(Additive):
    """The six counts of BLANC where a kind of link is left out only if both sides lack it (CorefUD scorer)."""

    links: LinkTally

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F: the means over the kinds that a side has; 0 if there is none."""
        links = self.links
        return mean_of_links(
            links, links.gold_coreference + links.system_coreference, links.gold_other + links.system_other
        )


@dataclass(frozen=True, slots=True)
class AdjustedRandTally(Additive):
    """Common links, the number of them expected by chance, and the sum of the links of both sides."""

    common: int = 0
    expected: FractionSum = NO_FRACTIONS
    both_sides: int = 0

    def score(self, *, empty: Empty = "zero") -> Score:
        """(common - expected) / (maximum - expected) as ``value``."""
        if isinstance(self.expected, Rounded):
            # From rounded sums, a difference within rounding errors counts as 0.
            rounded = self.expected.value
            gap = self.both_sides / 2 - rounded
            gap = where(abs(gap) < _NOISE * (1 + abs(rounded)), 0 * gap, gap)
            return Score(value=ratio(self.common - rounded, gap, empty=empty))
        from fractions import Fraction

        expected = self.expected.fraction
        above = Fraction(self.both_sides, 2) - expected
        return Score(value=float((self.common - expected) / above) if above else ratio(0, 0, empty=empty))

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        counts: dict[str, object] = {
            "common": self.common,
            "expected": self.expected.value,
            "both_sides": self.both_sides,
        }
        if isinstance(counts["expected"], float):
            counts["expected_exact"] = str(self.expected)
        return counts

    def from_counts(self, counts: Counts) -> AdjustedRandTally:
        """The inverse of :meth:`as_dict`."""
        expected = exact_sum(counts, "expected", "expected_exact")
        return AdjustedRandTally(amount(counts, "common"), expected, amount(counts, "both_sides"))


_NOISE = 1e-9
"""The relative rounding error that sums of links may have."""


@dataclass(frozen=True, slots=True)
class IdenticalTally(Additive):
    """The counts of a metric that scores 1 if there is nothing to count and the two sides are identical.

    ``different`` is the number of documents whose sides are not identical.
    """

    counts: Figures
    different: int = 0

    def score(self, *, empty: Empty = "zero") -> Score:
        """The score of the metric, or 1 if it is 0 and all documents are identical on both sides."""
        score = self.counts.score(empty=empty)
        nothing = (self.different == 0) & (or_zero(score.f1) == 0)
        return Score(*(where(nothing, 1.0, figure) for figure in score[:3]))
