"""From values to places on paper."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lydite.records import NamedTuple


class Linear(NamedTuple):
    """A straight scale from ``low``–``high`` to ``start``–``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value stands; beyond the ends it stays at the end."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values between low and high."""
        return ticks(self.low, self.high, about)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Between ``low`` and ``high``, about so many multiples of 1, 2 or 5 times a power of ten."""
    step = round_step((high - low) / max(about, 1))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


def round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below ``rough``."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= rough * (1 - 1e-9)), 10 * power)


def domain(values: Iterable[float | None]) -> Linear:
    """A scale that holds all values, widened to round ends."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    smallest, largest = min(known, default=0.0), max(known, default=1.0)
    if largest - smallest < 1e-9:
        smallest, largest = smallest - 0.05, largest + 0.05
    step = round_step((largest - smallest) / 4)
    return Linear(math.floor(smallest / step) * step, math.ceil(largest / step) * step, 0, 1)
