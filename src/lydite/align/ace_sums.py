"""Sums of doubles as the official scorers make them: one number after the other, each step rounded.

The last bit of a gain decides which elements are mapped, so the order of the numbers is part of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable


def added_in_order(numbers: Iterable[float]) -> float:
    """The numbers added one by one from 0; ``sum`` corrects its rounding errors in some versions of Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total
