"""SVG as text: elements, escaped words, and the figure that every chart is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NewType

from lydite.escaping import short
from lydite.report.charts.palette import SERIES
from lydite.report.visible import visible

Svg = NewType("Svg", str)
"""Text that is SVG: what came from input is escaped in it."""


_NARROW = frozenset("fijlrtI.,:;'|!()[]/- ")
_WIDE = frozenset("mwMW@%—…<>=+~#")


def text_width(said: str) -> float:
    """About how wide a line of text is, in a font of 13 pixels without serifs; rather too wide than too narrow."""
    return 13 * sum(
        0.4
        if sign in _NARROW
        else 0.95
        if sign in _WIDE or ord(sign) > 0x1100
        else 0.72
        if sign.isupper()
        else 0.62
        for sign in said
    )


def fitted(said: str, room: float) -> int:
    """How many characters of a line, shortened at its end, have room."""
    limit = min(len(said), 160)
    while limit > 4 and text_width(short(said, limit)) > room:
        limit -= 1
    return limit


def words(text: str, *, limit: int = 40) -> Svg:
    """Words of the input, shortened, with what cannot be seen made visible."""
    return Svg(escape(visible(short(text, limit))))


def element(name: str, *children: Svg, **attributes: str | float | None) -> Svg:
    """One element; ``class_`` is the attribute class, ``text_anchor`` is text-anchor."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return Svg(f"<{name}{said}>{inside}</{name}>" if inside else f"<{name}{said}/>")


def _value(value: str | float) -> str:
    return escape(visible(value)) if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """A place on paper: a tenth of a pixel is enough, and the same everywhere."""
    return f"{value + 0.0:.1f}".removesuffix(".0") if abs(value) >= 0.05 else "0"


def text(
    said: str, x: float, y: float, *, anchor: str = "start", class_: str | None = None, limit: int = 40
) -> Svg:
    """A line of text; the whole of it is its tooltip if it had to be shortened."""
    whole = element("title", words(said, limit=160)) if len(said) > limit else Svg("")
    shown = words(shortened(said, limit), limit=limit)
    return element("text", shown, whole, x=x, y=y, text_anchor=anchor, class_=class_)


def shortened(said: str, limit: int) -> str:
    """Beginning and end of a long name: names that differ at all often differ at their end."""
    if len(said) <= limit:
        return said
    end = (limit - 1) // 2
    return f"{said[: limit - 1 - end]}…{said[-end:] if end else ''}"


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
    """Places as the points of a line or an area."""
    return " ".join(f"{number(left)},{number(top)}" for left, top in places)


def mark(series: int, x: float, y: float, class_: str, tip: str) -> Svg:
    """The mark of a series in one of four shapes (circle, square, triangle, diamond), with a tooltip."""
    title, size = element("title", words(tip, limit=160)), 5
    # Where colours begin again, shapes do not: no two of 32 series look the same.
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
    """What belongs to one row of a chart."""
    return element("g", *parts, data_row=position)


def figure(
    parts: Iterable[Svg], *, name: str, title: str, description: str, width: float, height: float
) -> Svg:
    """A whole chart: an image with a title and a description for those who cannot see it; as large as the letters are."""
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
