"""Counts of triples: pairs out of triples, covered triples, hits of a rule."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Alignment, Score
from lydite.model.tally import Additive, Counts, Empty, ratio


@dataclass(frozen=True, slots=True)
class MatchCounts(Additive):
    """Pairs out of gold and system triples.

    P = C/S, R = C/G and F1 = 2·C/(S+G), with C correct, S system and G gold triples.  P without system triples and R
    without gold triples are undefined; F1 is undefined only when both are missing, because one empty side already
    makes it 0.
    """

    correct: int = 0
    gold_total: int = 0
    system_total: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0."""
        return Score(
            ratio(self.correct, self.system_total, empty=empty),
            ratio(self.correct, self.gold_total, empty=empty),
            ratio(2 * self.correct, self.system_total + self.gold_total, empty=empty),
        )


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

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        return self.counts.as_dict()

    def from_counts(self, counts: Counts) -> RelationCounts:
        """The inverse of :meth:`as_dict`, as far as the counts go."""
        return RelationCounts(self.counts.from_counts(counts), self.gold_spelling, self.system_spelling)


@dataclass(frozen=True, slots=True)
class CoverageCounts(Additive):
    """Triples with at least one partner, on each side: partners may be shared.

    P = covered system triples / system triples, R = covered gold triples / gold triples, F1 = 2PR/(P+R), 0 when both
    are 0 and undefined when one of them is.
    """

    gold_covered: int = 0
    gold_total: int = 0
    system_covered: int = 0
    system_total: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0 of P and R."""
        precision = ratio(self.system_covered, self.system_total, empty=empty)
        recall = ratio(self.gold_covered, self.gold_total, empty=empty)
        return Score.of(precision, recall, empty="zero")


@dataclass(frozen=True, slots=True)
class HitCounts(Additive):
    """System triples of a rule, and how many of them have a gold partner: a precision without recall."""

    hits: int = 0
    system_total: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The precision."""
        return Score(precision=ratio(self.hits, self.system_total, empty=empty))


@dataclass(frozen=True, slots=True)
class ExtractionRuleCounts(Additive):
    """The hits of a rule, as above, and what the total would lose if all its triples were hits.

    ``alarms`` are unique triples without a gold partner that no other rule gave; in ``system_total`` repeated triples
    count as often as they stand in the file.
    """

    hits: int = 0
    system_total: int = 0
    alarms: int = 0

    score = HitCounts.score


@dataclass(frozen=True, slots=True)
class ElementCounts(Additive):
    """Correct system elements out of the elements of each side, as the reference counts them.

    ``correct`` are elements of the system; recall = correct/gold can therefore exceed 1.
    """

    correct: int = 0
    gold_total: int = 0
    system_total: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P and R with their harmonic mean."""
        return Score.of_credit(self.correct, self.system_total, self.gold_total, empty=empty)


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
