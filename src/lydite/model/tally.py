"""What a metric counts, and the score that follows from it."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, Self

from lydite.model.plain import PlainMapping

Empty = Literal["undefined", "zero", "one"]
"""A profile's answer to 0/0."""

_ANSWERS: dict[str, float | None] = {"undefined": None, "zero": 0.0, "one": 1.0}


class Score(NamedTuple):
    """Precision, recall and F1 as fractions of one; None is undefined.  ``value`` is for metrics that are no P/R/F."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    value: float | None = None

    @classmethod
    def of(cls, precision: float | None, recall: float | None, *, empty: Empty = "undefined") -> Score:
        """P and R with their harmonic mean 2PR/(P+R); P + R = 0 is answered like any other 0/0."""
        return cls(precision, recall, harmonic_mean(precision, recall, empty=empty))

    def f_beta(self, beta: float) -> float | None:
        """(1+β²)PR/(β²P+R): recall weighs β times as much as precision; 0 if both are 0, undefined if either is.

        It follows from P and R alone, so for metrics with an F1 of their own (BLANC, means) β = 1 gives another figure.
        """
        if self.precision is None or self.recall is None:
            return None
        divisor = beta * beta * self.precision + self.recall
        return (1 + beta * beta) * self.precision * self.recall / divisor if divisor else 0.0


def ratio(numerator: float, denominator: float, *, empty: Empty = "undefined") -> float | None:
    """The fraction, or the profile's answer if the denominator is 0."""
    return numerator / denominator if denominator else _ANSWERS[empty]


def harmonic_mean(
    precision: float | None, recall: float | None, *, empty: Empty = "undefined"
) -> float | None:
    """2PR/(P+R); undefined if either is, and 0/0 by the profile's answer (an answer of one never makes an F1 of one)."""
    if precision is None or recall is None:
        return None
    if precision + recall == 0:
        return None if empty == "undefined" else 0.0
    return 2 * precision * recall / (precision + recall)


class Figures(Protocol):
    """An additive record of counts that knows the score it stands for.

    :class:`Tally` is the usual one.  A metric whose score is not plain P/R brings its own; ``as_dict`` is what the
    summary document shows under ``tally``, and all its values must be additive.
    """

    def __add__(self, other: Self) -> Self: ...

    def score(self, *, empty: Empty = ...) -> Score:
        """The score of these counts."""

    def swapped(self) -> Self:
        """The same counts with the sides exchanged."""

    def as_dict(self) -> PlainMapping:
        """The counts by name."""


class Tally(NamedTuple):
    """Credit earned out of credit possible, on each side.

    precision = system_credit / system_total and recall = gold_credit / gold_total.  Tallies add; scores do not.
    """

    gold_credit: float = 0
    gold_total: float = 0
    system_credit: float = 0
    system_total: float = 0

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]
        return Tally(
            self.gold_credit + other.gold_credit,
            self.gold_total + other.gold_total,
            self.system_credit + other.system_credit,
            self.system_total + other.system_total,
        )

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0."""
        return Score.of(
            ratio(self.system_credit, self.system_total, empty=empty),
            ratio(self.gold_credit, self.gold_total, empty=empty),
            empty=empty,
        )

    def swapped(self) -> Tally:
        """The same counts with the sides exchanged."""
        return Tally(self.system_credit, self.system_total, self.gold_credit, self.gold_total)

    def as_dict(self) -> dict[str, float]:
        """The counts by name."""
        return {
            "gold_credit": self.gold_credit,
            "gold_total": self.gold_total,
            "system_credit": self.system_credit,
            "system_total": self.system_total,
        }


class Share(NamedTuple):
    """How much of a whole: the counts of an accuracy, or a sum of values over their number.

    Its score is no precision, recall or F1 but the value ``part / whole``.
    """

    part: float = 0
    whole: float = 0

    def __add__(self, other: Share) -> Share:  # type: ignore[override]
        return Share(self.part + other.part, self.whole + other.whole)

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The share, as a value."""
        return Score(value=ratio(self.part, self.whole, empty=empty))

    def swapped(self) -> Share:
        """A share has one side only."""
        return self

    def as_dict(self) -> dict[str, float]:
        """The counts by name."""
        return {"part": self.part, "whole": self.whole}
