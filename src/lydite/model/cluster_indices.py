"""Counts of rarer cluster metrics: other rules for BLANC, the adjusted Rand index, and a lenient answer to 0/0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydite.exact import NO_FRACTIONS, FractionSum
from lydite.model.cluster import ClusterTally, LinkTally, Rounded, exact_sum, mean_of_links
from lydite.model.tally import Empty, Score, chosen, or_zero, ratio


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
        alone = (self.mentions > 0) & (self.links.gold_coreference + self.links.gold_other == 0)
        return Score(*(chosen(alone, 1.0, figure) for figure in self.links.score(empty=empty)[:3]))

    def swapped(self) -> OriginalLinkTally:
        """The same counts with the sides exchanged."""
        return OriginalLinkTally(self.links.swapped(), self.mentions)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {**self.links.as_dict(), "mentions": self.mentions}

    def restored(self, counts: Mapping[str, Any]) -> OriginalLinkTally:
        """The inverse of :meth:`as_dict`."""
        return OriginalLinkTally(self.links.restored(counts), counts["mentions"])


@dataclass(frozen=True, slots=True)
class EitherLinkTally:
    """The same six counts where a kind of link is left out only if both sides lack it (CorefUD scorer)."""

    links: LinkTally

    def __add__(self, other: EitherLinkTally) -> EitherLinkTally:
        return EitherLinkTally(self.links + other.links)

    def score(self, *, empty: Empty = "zero") -> Score:  # noqa: ARG002 - BLANC has its own rules for 0/0
        """BLANC's P, R and F: the means over the kinds that a side has; 0 if there is none."""
        links = self.links
        return mean_of_links(
            links, links.gold_coreference + links.system_coreference, links.gold_other + links.system_other
        )

    def swapped(self) -> EitherLinkTally:
        """The same counts with the sides exchanged."""
        return EitherLinkTally(self.links.swapped())

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return self.links.as_dict()

    def restored(self, counts: Mapping[str, Any]) -> EitherLinkTally:
        """The inverse of :meth:`as_dict`."""
        return EitherLinkTally(self.links.restored(counts))


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
        above = chosen(abs(above) < _NOISE * (1 + abs(expected)), 0 * above, above)
        return Score(value=ratio(self.common - expected, above, empty=empty))

    def swapped(self) -> AdjustedRandTally:
        """The index does not know sides."""
        return self

    def as_dict(self) -> dict[str, Any]:
        """The counts by name."""
        counts: dict[str, Any] = {
            "common": self.common,
            "expected": self.expected.value,
            "both_sides": self.both_sides,
        }
        if isinstance(counts["expected"], float):
            counts["expected_exact"] = str(self.expected)
        return counts

    def restored(self, counts: Mapping[str, Any]) -> AdjustedRandTally:
        """The inverse of :meth:`as_dict`."""
        expected = exact_sum(counts["expected"], counts.get("expected_exact"))
        return AdjustedRandTally(counts["common"], expected, counts["both_sides"])


_NOISE = 1e-9
"""How far rounded sums of links may be off."""


@dataclass(frozen=True, slots=True)
class IdenticalTally:
    """The counts of a metric that scores 1 where nothing can be counted and the two sides are identical.

    ``different`` is the number of documents whose sides are not.
    """

    counts: ClusterTally | LinkTally | EitherLinkTally
    different: int = 0

    def __add__(self, other: IdenticalTally) -> IdenticalTally:
        together: Any = self.counts + other.counts  # type: ignore[operator]
        return IdenticalTally(together, self.different + other.different)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The metric's score; identical sides score 0 only when there is nothing to count."""
        score = self.counts.score(empty=empty)
        nothing = (self.different == 0) & (or_zero(score.f1) == 0)
        return Score(*(chosen(nothing, 1.0, figure) for figure in score[:3]))

    def swapped(self) -> IdenticalTally:
        """The same counts with the sides exchanged."""
        return IdenticalTally(self.counts.swapped(), self.different)

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        return {**self.counts.as_dict(), "different": self.different}

    def restored(self, counts: Mapping[str, Any]) -> IdenticalTally:
        """The inverse of :meth:`as_dict`."""
        return IdenticalTally(self.counts.restored(counts), counts["different"])
