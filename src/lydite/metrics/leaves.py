"""The leaves of records: how many are correct, mismatched, missing and spurious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lydite.metrics.base import MetricDeclaration
from lydite.model import Score
from lydite.model.tally import Additive, Empty


@dataclass(frozen=True, slots=True)
class LeafTally(Additive):
    """Leaves that are correct, mismatched, missing and spurious."""

    in_any_order = True

    correct: int = 0
    mismatched: int = 0
    missing: int = 0
    spurious: int = 0

    @property
    def gold(self) -> int:
        """The leaves of gold."""
        return self.correct + self.mismatched + self.missing

    @property
    def system(self) -> int:
        """The leaves of the system."""
        return self.correct + self.mismatched + self.spurious

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Correct leaves out of those of the system, and of gold."""
        return Score.of_credit(self.correct, self.system, self.gold, empty=empty)

    def as_dict(self) -> dict[str, object]:
        """The four counts, and how many leaves each side has."""
        counts = {"correct": self.correct, "mismatched": self.mismatched}
        others = {"missing": self.missing, "spurious": self.spurious}
        return {**counts, **others, "gold": self.gold, "system": self.system}


def count_leaves(statuses: Iterable[str]) -> LeafTally:
    """The leaves by their statuses; any other status is not counted."""
    counts = Counter(statuses)
    return LeafTally(counts["correct"], counts["mismatched"], counts["missing"], counts["spurious"])


LEAF_AGREEMENT = MetricDeclaration(
    "leaf-agreement",
    "Leaves of records",
    "luo2005ceaf",
    count_leaves,
    "a record with many leaves weighs more than one with few; a long list outweighs every other field",
    domain="leaves",
)
