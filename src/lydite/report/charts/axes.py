"""Scales from values to coordinates, axes, grids and legends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lydite.escaping import short
from lydite.report.charts.palette import series_class
from lydite.report.charts.svg import Svg, line, mark, number, text, text_width

ROW = 26
LEGEND = 22


class Linear(NamedTuple):
    """A straight scale from ``low``–``high`` to ``start``–``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The coordinate of a value; values beyond the ends are at the ends."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """About ``about`` values between low and high: multiples of 1, 2 or 5 times a power of ten."""
        step = round_step((self.high - self.low) / max(about, 1))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(place * step, 12) for place in range(first, last + 1)]


def round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below ``rough``."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= rough * (1 - 1e-9)), 10 * power)


def domain(values: Iterable[float | None]) -> Linear:
    """A scale for all values, widened to round ends."""
    known = [value for value in values if value is not None and math.isfinite(value)]
    smallest, largest = min(known, default=0.0), max(known, default=1.0)
    if largest - smallest < 1e-9:
        smallest, largest = smallest - 0.05, largest + 0.05
    step = round_step((largest - smallest) / 4)
    return Linear(math.floor(smallest / step) * step, math.ceil(largest / step) * step, 0, 1)


def tick_label(value: float) -> str:
    """The label of a fraction of one at an axis, in percent."""
    return number(100 * value)


def bottom_axis(
    scale: Linear, top: float, bottom: float, title: str, *, of_percent: bool = True
) -> list[Svg]:
    """A grid of vertical lines with their values below."""
    parts: list[Svg] = []
    for value in scale.ticks():
        parts.append(line(scale(value), top, scale(value), bottom, "grid"))
        label = tick_label(value) if of_percent else f"{value:g}"
        parts.append(text(label, scale(value), bottom + 16, anchor="middle", class_="tick"))
    return [*parts, text(title, (scale.start + scale.end) / 2, bottom + 34, anchor="middle", class_="axis")]


def plane(
    x: Linear, y: Linear, axes: tuple[str, str], *, of_percent: bool = True, diagonal: bool = False
) -> list[Svg]:
    """Both axes; with ``diagonal``, also the line on which both figures are equal."""
    parts = bottom_axis(x, y.end, y.start, axes[0], of_percent=of_percent)
    for value in y.ticks():
        parts.append(line(x.start, y(value), x.end, y(value), "grid"))
        parts.append(text(tick_label(value), x.start - 6, y(value) + 4, anchor="end", class_="tick"))
    parts.append(text(axes[1], x.start, y.end - 10, anchor="middle", class_="axis"))
    return [*parts, line(x(x.low), y(y.low), x(x.high), y(y.high), "iso")] if diagonal else parts


def legend(
    names: Sequence[str], width: float, *, places: Sequence[int] | None = None
) -> tuple[list[Svg], float]:
    """The names of series with their marks, in as many lines as they need, and the height of these.

    ``places`` are the positions of the series on the page, by which they have colours and shapes; by default 0, 1, 2 ….
    """
    parts: list[Svg] = []
    left = 10.0
    x, y = left, 12.0
    for position, name in zip(range(len(names)) if places is None else places, names, strict=True):
        needed = 32 + text_width(short(name, 40))
        if x > left and x + needed > width:
            x, y = left, y + LEGEND
        parts.append(mark(position, x + 6, y, f"mark {series_class(position)}", name))
        parts.append(text(name, x + 18, y + 4))
        x += needed
    return parts, y + LEGEND
