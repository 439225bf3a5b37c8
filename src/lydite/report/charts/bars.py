"""Stacked bars: a score, and what is missing to a perfect one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lydite.escaping import counted, short
from lydite.report.charts.axes import Linear, bottom_axis, legend
from lydite.report.charts.dots import RIGHT, WIDTH, names_room, row_name
from lydite.report.charts.palette import series_class
from lydite.report.charts.svg import Svg, element, figure, rectangle, row
from lydite.report.tables import percent

_HIGH, _ROW = 20.0, 30.0


class StackedBar(NamedTuple):
    """A bar: the score that was reached, then one share per series; fractions of one; shares may be negative."""

    label: str
    reached: float
    shares: Sequence[float]


def stacked_bars(
    bars: Sequence[StackedBar], series: Sequence[str], *, name: str, title: str, axis: str
) -> Svg:
    """One bar for each score: the score, then its shares.

    The positive shares begin at the score minus the negative shares, which are hatched, so that the bar ends at the sum
    of the score and all shares.
    """
    ends = [bar.reached + sum(bar.shares) for bar in bars]
    starts = [_start(bar) for bar in bars]
    left = names_room(bar.label for bar in bars)
    scale = Linear(min([0.0, *starts]), max([1.0, *ends]), left, WIDTH - RIGHT)
    parts, top = legend(series, WIDTH)
    stripe = element("path", d="M0 6L6 0", class_="hatch")
    pattern = element("pattern", stripe, id="hatching", width=6, height=6, patternUnits="userSpaceOnUse")
    parts.append(element("defs", pattern))
    bottom = top + _ROW * len(bars) + 4
    parts += bottom_axis(scale, top, bottom, axis)
    for position, bar in enumerate(bars):
        y = top + _ROW * position + (_ROW - _HIGH) / 2
        parts.append(row(position, row_name(bar.label, left, y + 15), *_bar(bar, series, scale, y)))
    described = f"What each of {counted(len(bars), 'system')} reached, and what it lost to {', '.join(short(one, 40) for one in series)}."
    return figure(parts, name=name, title=title, description=described, width=WIDTH, height=bottom + 44)


def _start(bar: StackedBar) -> float:
    return bar.reached + sum(share for share in bar.shares if share < 0)


def _bar(bar: StackedBar, series: Sequence[str], scale: Linear, y: float) -> list[Svg]:
    parts = [_block(scale, y, (0, _start(bar)), "reached", f"{bar.label} reached {percent(bar.reached)}")]
    start = _start(bar)
    for place, share in enumerate(bar.shares):
        if share > 0:
            tip = f"{bar.label}, {series[place]}: {percent(share)}"
            parts.append(
                _block(scale, y, (start, start + share), f"bar {series_class(place)}", tip, series=place)
            )
            start += share
    if _start(bar) < bar.reached:
        below = ", ".join(
            f"{series[place]} {percent(share)}" for place, share in enumerate(bar.shares) if share < 0
        )
        parts.append(
            _block(scale, y, (_start(bar), bar.reached), "hatched", f"{bar.label}, negative shares: {below}")
        )
    return parts


def _block(
    scale: Linear, y: float, ends: tuple[float, float], class_: str, tip: str, *, series: int | None = None
) -> Svg:
    left, right = scale(ends[0]), scale(ends[1])
    return rectangle(tip, left, y, max(right - left, 0), _HIGH, class_=class_, data_series=series)
