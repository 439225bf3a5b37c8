"""Sums of floats and fractions that do not depend on the order or the grouping of the numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from fractions import Fraction

PENDING = 1024
"""The number of floats that are collected before they are reduced to a few partial sums."""


class ExactSum:
    """A running sum without rounding error (Shewchuk 1997); integers stay integers.

    ``value`` is the correctly rounded sum of everything added so far, the same as ``math.fsum`` over all of it, but
    in constant space, so that a corpus of any number of documents can be averaged as it streams by.
    """

    __slots__ = ("_partials", "_pending", "_whole")

    def __init__(self) -> None:
        self._whole = 0
        self._partials: list[float] = []
        self._pending: list[float] = []

    def add(self, number: float) -> None:
        """Add one number."""
        if type(number) is int:
            self._whole += number
            return
        self._pending.append(number)
        if len(self._pending) >= PENDING:
            self._partials = _to_partial_sums([*self._partials, *self._pending])
            self._pending.clear()

    def add_all(self, numbers: Sequence[float]) -> None:
        """Add several numbers."""
        if {*map(type, numbers)} <= {int}:
            self._whole += sum(cast("Sequence[int]", numbers))
        else:
            for number in numbers:
                self.add(number)

    def add_sum(self, other: ExactSum) -> None:
        """Add another sum, exactly."""
        self._whole += other._whole
        for number in (*other._partials, *other._pending):
            self.add(number)

    @property
    def value(self) -> float:
        """The sum so far: an int if only ints were added, else the correctly rounded float."""
        if not self._partials and not self._pending:
            return self._whole
        return math.fsum([self._whole, *self._partials, *self._pending])


def _to_partial_sums(numbers: list[float]) -> list[float]:
    """A few numbers with exactly the same sum: the rounded sum, its rounding error, and so on until there is none.

    ``fsum`` rounds only once, so each number is the rest of the sum to its last bit; this is a hundred times as fast as
    adding one by one and keeping the rounding errors (Shewchuk 1997).
    """
    partials: list[float] = []
    while rest := math.fsum([*numbers, *(-part for part in partials)]):
        partials.append(rest)
        if not math.isfinite(rest):
            break
    return partials or [0.0]


class FractionSum:
    """An immutable sum of fractions, kept as one integer numerator per denominator: nothing is rounded before the end.

    Cluster metrics add up many fractions with few denominators (cluster sizes).  Two sums add by adding numerators, so
    neither order nor grouping matters; :attr:`value` is the correctly rounded double, and :attr:`fraction` the number
    itself.

    >>> (FractionSum({3: 4}) + FractionSum({3: 1, 2: 1})).fraction
    Fraction(13, 6)
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[int, int] | None = None) -> None:
        self.terms: Mapping[int, int] = {} if terms is None else terms

    @classmethod
    def from_text(cls, fraction: str) -> FractionSum:
        """The sum from its text form: ``13/6``."""
        numerator, _, denominator = fraction.partition("/")
        return cls({int(denominator or 1): int(numerator)})

    def __add__(self, other: FractionSum) -> FractionSum:
        if not other.terms:
            return self
        if not self.terms:
            return other
        terms = dict(self.terms)
        for denominator, numerator in other.terms.items():
            terms[denominator] = terms.get(denominator, 0) + numerator
        return FractionSum(terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FractionSum) and self._reduced() == other._reduced()

    def __hash__(self) -> int:
        return hash(self.fraction)

    def __repr__(self) -> str:
        return f"FractionSum({dict(sorted(self.terms.items()))})"

    @property
    def fraction(self) -> Fraction:
        """The sum as an exact fraction in lowest terms."""
        from fractions import Fraction

        return Fraction(*self._reduced())

    @property
    def value(self) -> float:
        """The sum: an int if it is whole, else the double nearest to it."""
        numerator, denominator = self._reduced()
        return numerator if denominator == 1 else numerator / denominator

    def __str__(self) -> str:
        numerator, denominator = self._reduced()
        return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"

    def _reduced(self) -> tuple[int, int]:
        common = math.lcm(*self.terms)
        numerator = sum(part * (common // denominator) for denominator, part in self.terms.items())
        divisor = math.gcd(numerator, common)
        return numerator // divisor, common // divisor


NO_FRACTIONS = FractionSum()
"""The empty sum."""
