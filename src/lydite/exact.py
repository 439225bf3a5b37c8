"""Sums of floats that depend neither on order nor on grouping."""

from __future__ import annotations

import math


class ExactSum:
    """A running sum without rounding error (Shewchuk 1997); integers stay integers.

    ``value`` is the correctly rounded sum of everything added so far, the same as ``math.fsum`` over all of it, but
    in constant space, so that a corpus of any number of documents can be averaged as it streams by.
    """

    __slots__ = ("_partials", "_whole")

    def __init__(self) -> None:
        self._whole = 0
        self._partials: list[float] = []

    def add(self, number: float) -> None:
        """Add one number."""
        if isinstance(number, int):
            self._whole += number
            return
        if number.is_integer():
            # Most credits are 0.0 or 1.0; as integers they cost nothing and lose nothing.
            self._whole += int(number)
            if not self._partials:
                self._partials.append(0.0)
            return
        self._partials = _grown(self._partials, number)

    @property
    def value(self) -> float:
        """The sum so far: an int if only ints were added, else the correctly rounded float."""
        if not self._partials:
            return self._whole
        return math.fsum([float(self._whole), *self._partials])


def _grown(partials: list[float], number: float) -> list[float]:
    """Non-overlapping partial sums with ``number`` added: each two-sum keeps its rounding error as a new partial."""
    grown: list[float] = []
    x = number
    for partial in partials:
        y = partial
        if abs(x) < abs(y):
            x, y = y, x
        high = x + y
        low = y - (high - x)
        if low:
            grown.append(low)
        x = high
    grown.append(x)
    return grown
