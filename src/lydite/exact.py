"""Sums of floats that depend neither on order nor on grouping."""

from __future__ import annotations

import math

PENDING = 4096
"""How many numbers wait before they are folded into the partial sums."""


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
            for waiting in self._pending:
                self._partials = _grown(self._partials, waiting)
            self._pending.clear()

    @property
    def value(self) -> float:
        """The sum so far: an int if only ints were added, else the correctly rounded float."""
        if not self._partials and not self._pending:
            return self._whole
        return math.fsum([self._whole, *self._partials, *self._pending])


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
