"""Counts of rarer cluster metrics: other rules for BLANC, the adjusted Rand index, and a lenient answer to 0/0."""

from __future__ import annotations

from lydite.exact import NO_FRACTIONS, FractionSum
from lydite.model.cluster import LinkTally, Rounded, exact_sum, mean_of_links
from lydite.model.tally import (
    Additive,
    Counts,
    Empty,
    Figures,
    Score,
    amount,
    or_zero,
    ratio,
    where,
)
from lydite.records import dataclass


@dataclass(frozen=True, slots=True)
class OriginalLinkTally(Additive):
    """The same six counts under the rules of Recasens & Hovy (2011), for two sides with the same mentions.

    A kind of link that gold lacks is left out, whatever the system has; two sides that agree on a single mention, where
    there is no link at all, score 1.  On equal mentions that is the only difference from :class:`LinkTally`.
    """

    links: LinkTally
    mentions: int

    def score(self, *, empty: Empty = "zero") -> Score:
        """BLANC's P, R and F."""
        alone = (self.mentions > 0) & (self.links.gold_coreference + self.links.gold_other == 0)
        return Score(*(where(alone, 1.0, figure) for figure in self.links.score(empty=empty)[:3]))


@dataclass(frozen=True, slots=True)
class EitherLinkTally(Additive):
    """The same six counts where a kind of link is left out only if both sides lack it (CorefUD scorer)."""

    links: LinkTally

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F: the means over the kinds that a side has; 0 if there is none."""
        links = self.links
        return mean_of_links(
            links, links.gold_coreference + links.system_coreference, links.gold_other + links.system_other
        )


@dataclass(frozen=True, slots=True)
class AdjustedRandTally(Additive):
    """Common links, the number expected by chance, and the links of both sides together."""

    common: int = 0
    expected: FractionSum = NO_FRACTIONS
    both_sides: int = 0

    def score(self, *, empty: Empty = "zero") -> Score:
        """(common - expected) / (maximum - expected) as ``value``."""
        if isinstance(self.expected, Rounded):
            return self._rounded_score(empty)
        from fractions import Fraction

        expected = self.expected.fraction
        above = Fraction(self.both_sides, 2) - expected
        return Score(value=float((self.common - expected) / above) if above else ratio(0, 0, empty=empty))

    def _rounded_score(self, empty: Empty) -> Score:
        """The same of sums that were rounded: what is left of a difference that should be 0 counts as 0."""
        expected = self.expected.value
        above = self.both_sides / 2 - expected
        above = where(abs(above) < _NOISE * (1 + abs(expected)), 0 * above, above)
        return Score(value=ratio(self.common - expected, above, empty=empty))

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

    def restored(self, counts: Counts) -> AdjustedRandTally:
        """The inverse of :meth:`as_dict`."""
        expected = exact_sum(counts, "expected", "expected_exact")
        return AdjustedRandTally(amount(counts, "common"), expected, amount(counts, "both_sides"))


_NOISE = 1e-9
"""How far rounded sums of links may be off."""


@dataclass(frozen=True, slots=True)
class IdenticalTally(Additive):
    """The counts of a metric that scores 1 where nothing can be counted and the two sides are identical.

    ``different`` is the number of documents whose sides are not.
    """

    counts: Figures
    different: int = 0

    def score(self, *, empty: Empty = "zero") -> Score:
        """The metric's score; identical sides score 0 only when there is nothing to count."""
        score = self.counts.score(empty=empty)
        nothing = (self.different == 0) & (or_zero(score.f1) == 0)
        return Score(*(where(nothing, 1.0, figure) for figure in score[:3]))
