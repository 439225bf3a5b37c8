"""Relations between entities of a document, which are named by number and stand in several places (DocRED)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from lydite.model.tally import Additive, Counts, Empty, Score, amount, ratio

FACTS: Final = "facts"
"""The layer of a document with its :class:`FactSheet`."""


class FactEntity(NamedTuple):
    """An entity of a document: the names and the sentences of its mentions, and its type."""

    names: tuple[str, ...]
    sentences: tuple[int, ...]
    type: str = ""


class Fact(NamedTuple):
    """A relation between two entities by number, with the sentences that support it, as the file lists them."""

    relation: str
    head: int
    tail: int
    evidence: tuple[int, ...] = ()
    line: int = 0

    @property
    def key(self) -> tuple[str, int, int]:
        """What makes two facts of a document the same."""
        return self[:3]


class FactSheet(NamedTuple):
    """The entities and facts of a document; ``entries`` is the number of facts in the whole file, repeats included."""

    entities: tuple[FactEntity, ...] = ()
    facts: tuple[Fact, ...] = ()
    entries: int = 0


@dataclass(frozen=True, slots=True)
class FactCounts(Additive):
    """The counts of facts that are right, out of those of each side, and of right ones that are left out."""

    in_any_order = True

    gold_credit: int = 0
    gold_total: int = 0
    system_credit: int = 0
    system_total: int = 0
    in_train: int = 0


class FactTally(NamedTuple):
    """Counts of facts, of which some are left out as training facts, and what the divisors have more than they count.

    precision = system_credit / (system_total + system_extra), recall = gold_credit / (gold_total + gold_extra).
    """

    counts: FactCounts = FactCounts()
    gold_extra: float = 0
    system_extra: float = 0

    @property
    def in_any_order(self) -> bool:
        """Whether neither order nor grouping changes a sum: what is added are whole numbers."""
        return self.counts.in_any_order

    def __add__(self, other: FactTally) -> FactTally:  # type: ignore[override]  # tallies add, tuples join
        return self._replace(counts=self.counts + other.counts)

    def sum_of(self, records: Sequence[FactTally]) -> FactTally:
        """The records added; what the divisors have more is there once."""
        return self._replace(counts=self.counts.sum_of([one.counts for one in records]))

    def score(self, *, empty: Empty = "zero") -> Score:
        """P, R and F1."""
        counts = self.counts
        return Score.of(
            ratio(counts.system_credit, counts.system_total + self.system_extra, empty=empty),
            ratio(counts.gold_credit, counts.gold_total + self.gold_extra, empty=empty),
            empty=empty,
        )

    def as_dict(self) -> Counts:
        """The counts by name."""
        return self.counts.as_dict()

    def from_counts(self, counts: Counts) -> FactTally:
        """The inverse of :meth:`as_dict`."""
        return self._replace(counts=FactCounts(*(amount(counts, name) for name in FactCounts.__slots__)))
