"""SVG as text: elements, escaped text, and the frame of a chart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NewType

from lydite.escaping import short
from lydite.report.charts.palette import SERIES
from lydite.report.visible import visible

Svg = NewType("Svg", str)
"""SVG as text, in which text of the input is escaped."""


_NARROW = frozenset("fijlrtI.,:;'|!()[]/- ")
_WIDE = frozenset("mwMW@%—…<>=+~#")


def text_width(line: str) -> float:
    """About the width of a line in a sans-serif font of 13 pixels; rather too large than too small."""
    return 13 * sum(
        0.4
        if sign in _NARROW
        else 0.95
        if sign in _WIDE or ord(sign) > 0x1100
        else 0.72
        if sign.isupper()
        else 0.62
        for sign in line
    )


def fitting_length(line: str, room: float) -> int:
    """The number of characters of a line, shortened at its end, that have room."""
    limit = min(len(line), 160)
    while limit > 4 and text_width(short(line, limit)) > room:
        limit -= 1
    return limit


def words(text: str, *, limit: int = 40) -> Svg:
    """Text of the input: shortened, escaped, with control characters made visible."""
    return Svg(escape(visible(short(text, limit))))


def element(name: str, *children: Svg, **attributes: str | float | None) -> Svg:
    """An element; ``class_`` is the attribute class, ``text_anchor`` is text-anchor."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return Svg(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def _value(value: str | float) -> str:
    return escape(visible(value)) if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """A coordinate, rounded to a tenth of a pixel."""
    return f"{value + 0.0:.1f}".removesuffix(".0") if abs(value) >= 0.05 else "0"


def text(
    line: str, x: float, y: float, *, anchor: str = "start", class_: str | None = None, limit: int = 40
) -> Svg:
    """A line of text; if it had to be shortened, its tooltip has all of it."""
    tooltip = element("title", words(line, limit=160)) if len(line) > limit else Svg("")
    shown = words(shortened(line, limit), limit=limit)
    return element("text", shown, tooltip, x=x, y=y, text_anchor=anchor, class_=class_)


def shortened(name: str, limit: int) -> str:
    """A name, or beginning and end of a long one, since names often differ at their end."""
    if len(name) <= limit:
        return name
    end = (limit - 1) // 2
    return f"{name[: limit - 1 - end]}…{name[-end:] if end else ''}"


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Svg:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def rectangle(
    tip: str, x: float, y: float, width: float, height: float, **attributes: str | float | None
) -> Svg:
    """A rectangle with a tooltip."""
    title = element("title", words(tip, limit=160))
    return element("rect", title, x=x, y=y, width=width, height=height, **attributes)


def points(places: Iterable[tuple[float, float]]) -> str:
    """Coordinates as the points of a line or an area."""
    return " ".join(f"{number(left)},{number(top)}" for left, top in places)


def mark(series: int, x: float, y: float, class_: str, tip: str) -> Svg:
    """The mark of a series in one of four shapes (circle, square, triangle, diamond), with a tooltip."""
    title, size = element("title", words(tip, limit=160)), 5
    # When colours repeat, shapes are shifted, so that no two of 32 series look the same.
    match (series + series // SERIES) % 4:
        case 0:
            return element("circle", title, cx=x, cy=y, r=size, class_=class_, data_series=series)
        case 1:
            return rectangle(tip, x - size, y - size, 2 * size, 2 * size, class_=class_, data_series=series)
        case 2:
            corners: tuple[tuple[float, float], ...] = (
                (x, y - size - 1),
                (x + size + 1, y + size),
                (x - size - 1, y + size),
            )
        case _:
            corners = ((x, y - size - 2), (x + size + 2, y), (x, y + size + 2), (x - size - 2, y))
    return element("polygon", title, points=points(corners), class_=class_, data_series=series)


def row(position: int, *parts: Svg) -> Svg:
    """The parts of one row of a chart."""
    return element("g", *parts, data_row=position)


def figure(
    parts: Iterable[Svg], *, name: str, title: str, description: str, width: float, height: float
) -> Svg:
    """A whole chart: an image with a title and a description for screen readers; its size grows with the font size."""
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return element(
        "svg",
        element("title", words(title, limit=200), id=f"{key}-title"),
        element("desc", words(description, limit=600), id=f"{key}-desc"),
        *parts,
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=f"{round(width / 16, 2):g}rem",
        class_="chart",
    )
