"""Counts of triples: pairs out of triples, covered triples, hits of a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Alignment, Score
from lydite.model.tally import Empty, ratio


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """Pairs out of gold and system triples.

    P = C/S, R = C/G and F1 = 2·C/(S+G), with C correct, S system and G gold triples.  P without system triples and R
    without gold triples are undefined; F1 is undefined only when both are missing, because one empty side already
    makes it 0.
    """

    correct: int = 0
    gold: int = 0
    system: int = 0

    def __add__(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts(self.correct + other.correct, self.gold + other.gold, self.system + other.system)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0."""
        return Score(
            ratio(self.correct, self.system, empty=empty),
            ratio(self.correct, self.gold, empty=empty),
            ratio(2 * self.correct, self.system + self.gold, empty=empty),
        )

    def swapped(self) -> MatchCounts:
        """The same counts with the sides exchanged."""
        return MatchCounts(self.correct, self.system, self.gold)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {"correct": self.correct, "gold_total": self.gold, "system_total": self.system}

    def restored(self, counts: Mapping[str, Any]) -> MatchCounts:
        """The inverse of :meth:`as_dict`."""
        return MatchCounts(counts["correct"], counts["gold_total"], counts["system_total"])


@dataclass(frozen=True, slots=True)
class RelationCounts:
    """The counts of one relation, and how each side first spelt it (None if it does not have it)."""

    counts: MatchCounts = MatchCounts()
    gold_spelling: str | None = None
    system_spelling: str | None = None

    def __add__(self, other: RelationCounts) -> RelationCounts:
        return RelationCounts(
            self.counts + other.counts,
            self.gold_spelling if self.gold_spelling is not None else other.gold_spelling,
            self.system_spelling if self.system_spelling is not None else other.system_spelling,
        )

    @property
    def name(self) -> str:
        """What tables call the relation: the first spelling in gold, else in system."""
        return self.gold_spelling if self.gold_spelling is not None else self.system_spelling or ""

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1 of the relation."""
        return self.counts.score(empty=empty)

    def swapped(self) -> RelationCounts:
        """The same counts with the sides exchanged."""
        return RelationCounts(self.counts.swapped(), self.system_spelling, self.gold_spelling)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return self.counts.as_dict()

    def restored(self, counts: Mapping[str, Any]) -> RelationCounts:
        """The inverse of :meth:`as_dict`, as far as the counts go."""
        return RelationCounts(self.counts.restored(counts), self.gold_spelling, self.system_spelling)


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """Triples with at least one partner, on each side: partners may be shared.

    P = covered system triples / system triples, R = covered gold triples / gold triples, F1 = 2PR/(P+R), 0 when both
    are 0 and undefined when one of them is.
    """

    gold_covered: int = 0
    gold: int = 0
    system_covered: int = 0
    system: int = 0

    def __add__(self, other: CoverageCounts) -> CoverageCounts:
        return CoverageCounts(
            self.gold_covered + other.gold_covered,
            self.gold + other.gold,
            self.system_covered + other.system_covered,
            self.system + other.system,
        )

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0 of P and R."""
        precision = ratio(self.system_covered, self.system, empty=empty)
        recall = ratio(self.gold_covered, self.gold, empty=empty)
        return Score.of(precision, recall, empty="zero")

    def swapped(self) -> CoverageCounts:
        """The same counts with the sides exchanged."""
        return CoverageCounts(self.system_covered, self.system, self.gold_covered, self.gold)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "gold_covered": self.gold_covered,
            "gold_total": self.gold,
            "system_covered": self.system_covered,
            "system_total": self.system,
        }

    def restored(self, counts: Mapping[str, Any]) -> CoverageCounts:
        """The inverse of :meth:`as_dict`."""
        names = ("gold_covered", "gold_total", "system_covered", "system_total")
        return CoverageCounts(*(counts[name] for name in names))


@dataclass(frozen=True, slots=True)
class HitCounts:
    """System triples of a rule, and how many of them have a gold partner: a precision without recall."""

    hits: int = 0
    system: int = 0

    def __add__(self, other: HitCounts) -> HitCounts:
        return HitCounts(self.hits + other.hits, self.system + other.system)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The precision."""
        return Score(precision=ratio(self.hits, self.system, empty=empty))

    def swapped(self) -> HitCounts:
        """Itself: gold triples have no rules to be judged."""
        return self

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {"hits": self.hits, "system_total": self.system}

    def restored(self, counts: Mapping[str, Any]) -> HitCounts:
        """The inverse of :meth:`as_dict`."""
        return HitCounts(counts["hits"], counts["system_total"])


@dataclass(frozen=True, slots=True)
class ElementCounts:
    """Correct system elements out of the elements of each side, as the reference counts them.

    ``correct`` are elements of the system; recall = correct/gold can therefore exceed 1.
    """

    correct: int = 0
    gold: int = 0
    system: int = 0

    def __add__(self, other: ElementCounts) -> ElementCounts:
        return ElementCounts(self.correct + other.correct, self.gold + other.gold, self.system + other.system)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P and R with their harmonic mean."""
        return Score.of(
            ratio(self.correct, self.system, empty=empty),
            ratio(self.correct, self.gold, empty=empty),
            empty=empty,
        )

    def swapped(self) -> ElementCounts:
        """The same counts with the sides exchanged; the reference itself would count anew."""
        return ElementCounts(self.correct, self.system, self.gold)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {"correct": self.correct, "gold_total": self.gold, "system_total": self.system}

    def restored(self, counts: Mapping[str, Any]) -> ElementCounts:
        """The inverse of :meth:`as_dict`."""
        return ElementCounts(counts["correct"], counts["gold_total"], counts["system_total"])


def count_pairs(alignment: Alignment) -> MatchCounts:
    """Pairs of a one-to-one alignment out of the items of both sides."""
    return MatchCounts(len(alignment.pairs), len(alignment.gold), len(alignment.system))


def count_covered(alignment: Alignment) -> CoverageCounts:
    """Items of each side that are in at least one pair."""
    return CoverageCounts(
        len({pair.gold for pair in alignment.pairs}),
        len(alignment.gold),
        len({pair.system for pair in alignment.pairs}),
        len(alignment.system),
    )


_ORDER = "the first gold triple in file order is taken, and no other one is tried"

TRIPLE_MATCH = MetricDeclaration(
    name="triple-match",
    title="Triples, one to one",
    cite="newsreader2013evaluation",
    measure=count_pairs,
    weaknesses="Under a partial condition one shared token is enough: long elements match easily.",
)
TRIPLE_COVERAGE = MetricDeclaration(
    name="triple-coverage",
    title="Triples with a partner",
    cite="newsreader2013evaluation",
    measure=count_covered,
    weaknesses="A long system triple can cover many gold triples at once.",
)
FIRST_COME = MetricDeclaration(
    name="first-come",
    title="Triples, as the reference program credits them",
    cite="tripleevaluation2013",
    measure=count_pairs,
    laws=frozenset({Law.RENAME, Law.ADD}),
    exceptions=(
        (Law.SELF, "a gold triple that overlaps an earlier correct one is refused"),
        (Law.SWAP, _ORDER),
        (Law.SHUFFLE, _ORDER),
        (Law.SPURIOUS, "a triple that overlaps an earlier one counts as its duplicate"),
        (Law.BOUNDS, "correct system elements are divided by gold elements: recall can exceed 1"),
    ),
    domain="triples",
    weaknesses="Counts depend on the order of the files.",
)
