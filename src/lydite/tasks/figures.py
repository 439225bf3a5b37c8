"""What is counted of records and of strings, and the figures that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from lydite.metrics.leaves import LeafTally
from lydite.model import Score
from lydite.model.tally import Additive, Counts, Empty, amount, counts_of, ratio, where


@dataclass(frozen=True, slots=True)
class Hits(Additive):
    """Items that are correct, out of those of gold and of the system."""

    in_any_order = True

    correct: int = 0
    gold: int = 0
    system: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Correct items out of those of the system, and of gold."""
        return Score.of_credit(self.correct, self.system, self.gold, empty=empty)


@dataclass(frozen=True, slots=True)
class Credits(Additive):
    """What was earned and could be earned, for precision and for recall."""

    p_num: float = 0
    p_den: float = 0
    r_num: float = 0
    r_den: float = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Both shares; a share without numerator is 0."""
        return Score.of(
            ratio(self.p_num, self.p_den, empty=empty),
            ratio(self.r_num, self.r_den, empty=empty),
            empty=empty,
        )


@dataclass(frozen=True, slots=True)
class Errors(Additive):
    """True and false positives, and false negatives."""

    in_any_order = True

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Precision tp / (tp + fp), recall tp / (tp + fn)."""
        return Score.of_credit(self.tp, self.tp + self.fp, self.tp + self.fn, empty=empty)


class ByPart(NamedTuple):
    """The counts of parts by name, and the mean of their figures."""

    parts: Mapping[str, LeafTally] = MappingProxyType({})

    @property
    def in_any_order(self) -> bool:
        """Whether neither order nor grouping changes a sum: all counts are whole numbers."""
        return True

    def __add__(self, other: ByPart) -> ByPart:  # type: ignore[override]  # counts add, tuples join
        merged = dict(self.parts)
        for name, part in other.parts.items():
            merged[name] = merged[name] + part if name in merged else part
        return ByPart(merged)

    def as_dict(self) -> dict[str, object]:
        """The counts of each part."""
        return {"paths": {name: part.as_dict() for name, part in self.parts.items()}}

    def from_counts(self, counts: Counts) -> ByPart:
        """The inverse of :meth:`as_dict`."""
        parts = counts_of(counts, "paths")
        return ByPart({name: LeafTally().from_counts(counts_of(parts, name)) for name in parts})

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The mean of precision, recall and F1 over the parts that gold has."""
        known = [(where(part.gold > 0, 1, 0), part.score(empty="zero")) for part in self.parts.values()]
        number = sum(is_in for is_in, _ in known)
        figures = (
            ratio(sum(is_in * (getattr(score, name) or 0) for is_in, score in known), number, empty=empty)
            if not any(getattr(getattr(score, name), "ndim", 0) for _, score in known)
            else ratio(sum(is_in * getattr(score, name) for is_in, score in known), number, empty=empty)
            for name in ("precision", "recall", "f1")
        )
        return Score(*figures)


class Named(NamedTuple):
    """Counts of things by name, which add up; there is no score."""

    counts: Mapping[str, int] = MappingProxyType({})

    @property
    def in_any_order(self) -> bool:
        """Whether neither order nor grouping changes a sum: all counts are whole numbers."""
        return True

    def __add__(self, other: Named) -> Named:  # type: ignore[override]  # counts add, tuples join
        merged = dict(self.counts)
        for name, number in other.counts.items():
            merged[name] = merged.get(name, 0) + number
        return Named(merged)

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        return dict(self.counts)

    def from_counts(self, counts: Counts) -> Named:
        """The inverse of :meth:`as_dict`."""
        return Named({name: amount(counts, name) for name in counts})

    def score(self, *, empty: Empty = "undefined") -> Score:  # noqa: ARG002 - a keyword of all figures
        """No figure follows from these counts."""
        return Score()


class MeansOfTypes(NamedTuple):
    """The counts of every role of every type, and the means over roles, then over types."""

    types: Mapping[str, Mapping[str, Errors]] = MappingProxyType({})

    @property
    def in_any_order(self) -> bool:
        """Whether neither order nor grouping changes a sum: all counts are whole numbers."""
        return True

    def __add__(self, other: MeansOfTypes) -> MeansOfTypes:  # type: ignore[override]  # counts add, tuples join
        merged = {name: dict(roles) for name, roles in self.types.items()}
        for name, roles in other.types.items():
            known = merged.setdefault(name, {})
            for role, counts in roles.items():
                known[role] = known[role] + counts if role in known else counts
        return MeansOfTypes(merged)

    def as_dict(self) -> dict[str, object]:
        """The counts of each role by type."""
        return {
            name: {role: one.as_dict() for role, one in roles.items()} for name, roles in self.types.items()
        }

    def from_counts(self, counts: Counts) -> MeansOfTypes:
        """The inverse of :meth:`as_dict`."""
        return MeansOfTypes(
            {
                name: {
                    role: Errors().from_counts(counts_of(counts_of(counts, name), role))
                    for role in counts_of(counts, name)
                }
                for name in counts
            }
        )

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The mean over types of the means over their roles."""
        figures = []
        for name in ("precision", "recall", "f1"):
            means = [
                sum(getattr(one.score(empty="zero"), name) for one in roles.values()) / len(roles)
                for roles in self.types.values()
                if roles
            ]
            figures.append(ratio(sum(means), len(means), empty=empty))
        return Score(*figures)


@dataclass(frozen=True, slots=True)
class FieldF1(Additive):
    """True and false positives and negatives, of which an F1 alone is reported."""

    in_any_order = True

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:  # noqa: ARG002 - a keyword of all figures
        """2 tp / (2 tp + fp + fn); 1 if there is nothing on either side."""
        f1 = ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty="one")
        return Score(f1=f1)


@dataclass(frozen=True, slots=True)
class Confusions(Additive):
    """Counts of comparisons: right, falsely alarmed, falsely discovered, rightly absent, missed."""

    in_any_order = True

    tp: int = 0
    fa: int = 0
    fd: int = 0
    tn: int = 0
    fn: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Precision tp / (tp + fp), recall tp / (tp + fn); what was falsely discovered is not missed."""
        return Score.of_credit(self.tp, self.tp + self.fp, self.tp + self.fn, empty=empty)

    @property
    def fp(self) -> int:
        """What is false: alarms and discoveries."""
        return self.fa + self.fd

    def as_dict(self) -> dict[str, object]:
        """The five counts, and how many are false."""
        return {"tp": self.tp, "fa": self.fa, "fd": self.fd, "fp": self.fp, "tn": self.tn, "fn": self.fn}


@dataclass(frozen=True, slots=True)
class EqualCells(Additive):
    """Cells that are equal, out of those that are expected and those that are there; and the rows they stand in."""

    in_any_order = True

    correct: int = 0
    expected: int = 0
    predicted: int = 0
    expected_rows: int = 0
    predicted_rows: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Equal cells out of those of the system, and of gold."""
        return Score.of_credit(self.correct, self.predicted, self.expected, empty=empty)
