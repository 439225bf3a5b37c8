"""Dot plots: a figure with its interval in each row, or several figures joined by a line, with a frequency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lydite.escaping import counted, short
from lydite.report.charts.axes import ROW, Linear, bottom_axis, domain, legend
from lydite.report.charts.palette import series_class
from lydite.report.charts.svg import Svg, figure, fitting_length, line, mark, text, text_width
from lydite.report.charts.svg import row as in_row
from lydite.report.tables import number, percent

WIDTH = 584.0
RIGHT = 60.0
_LEAST_NAMES, _MOST_NAMES = 60.0, 230.0
_FOOT = 44.0
_PLOT = 300.0
"""The width of a dot plot between its ends: small, so that it fits on telephones."""


class Dot(NamedTuple):
    """A row of a dot plot: a fraction of one, its interval if it has one, a note to the right."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""


class DotsRow(NamedTuple):
    """A row of joined dots: a value for each series, None where it is undefined, and the frequency of the row.

    The name of a ``faint`` row is grey, because its figures are made from few items.
    """

    label: str
    values: Sequence[float | None]
    frequency: float | None = None
    faint: bool = False


def names_room(labels: Iterable[str]) -> float:
    """The width for the names of rows to the left; longer names are shortened."""
    widest = max((text_width(label) for label in labels), default=0.0)
    return min(max(widest + 14, _LEAST_NAMES), _MOST_NAMES)


def row_name(name: str, left: float, y: float, *, class_: str | None = None) -> Svg:
    """The name of a row, to the left of the chart."""
    return text(name, left - 10, y, anchor="end", class_=class_, limit=fitting_length(name, left - 12))


def dot_plot(rows: Sequence[Dot], *, name: str, title: str, axis: str) -> Svg:
    """One dot per row with the whiskers of its interval; notes (letters of groups) stand to the right."""
    left = names_room(row.label for row in rows)
    values = (value for row in rows for value in (row.value, row.low, row.high))
    scale = domain(values)._replace(start=left, end=left + _PLOT)
    bottom = 10 + ROW * len(rows)
    parts = bottom_axis(scale, 4, bottom, axis)
    parts += [in_row(place, *_dot(dot, scale, 10 + ROW * (place + 0.5))) for place, dot in enumerate(rows)]
    described = "; ".join(f"{short(row.label, 40)} {_value_as_text(row)}" for row in rows[:20]) + "."
    width, height = scale.end + RIGHT, bottom + _FOOT
    return figure(parts, name=name, title=title, description=described, width=width, height=height)


def _dot(dot: Dot, scale: Linear, y: float) -> list[Svg]:
    label = row_name(dot.label, scale.start, y + 4)
    if dot.value is None:
        return [label, text("undefined", scale.start, y + 4, class_="tick")]
    drawn = mark(0, scale(dot.value), y, "mark s1", f"{dot.label}: {_value_as_text(dot)}")
    return [label, *_whiskers(dot, scale, y), drawn, text(dot.note, scale.end + 12, y + 4)]


def _value_as_text(row: Dot) -> str:
    if row.value is None:
        return "undefined"
    if row.low is None or row.high is None:
        return percent(row.value)
    return f"{percent(row.value)}, interval {percent(row.low)} to {percent(row.high)}"


def _whiskers(row: Dot, scale: Linear, y: float) -> list[Svg]:
    if row.low is None or row.high is None:
        return []
    low, high = scale(row.low), scale(row.high)
    return [
        line(low, y, high, y, "whisker"),
        line(low, y - 5, low, y + 5, "whisker"),
        line(high, y - 5, high, y + 5, "whisker"),
    ]


def connected_dots(
    rows: Sequence[DotsRow], series: Sequence[str], *, name: str, title: str, axis: str, description: str = ""
) -> Svg:
    """In every row one dot per series, joined by a line, and the frequency of the row if it has one."""
    left = names_room(row.label for row in rows)
    scale = domain(value for row in rows for value in row.values)._replace(start=left, end=WIDTH - RIGHT)
    parts, top = legend(series, WIDTH)
    bottom = top + ROW * len(rows) + 4
    parts += bottom_axis(scale, top, bottom, axis)
    largest = max((row.frequency for row in rows if row.frequency), default=0)
    for place, row in enumerate(rows):
        y = top + ROW * (place + 0.5)
        label = row_name(row.label, left, y + 4, class_="faint-name" if row.faint else None)
        parts.append(in_row(place, label, *_joined_dots(row, series, scale, y), *_frequency(row, largest, y)))
    names = ", ".join(short(one, 40) for one in series[:12])
    described = description or f"{counted(len(rows), 'row')}, {counted(len(series), 'figure')} each: {names}."
    return figure(parts, name=name, title=title, description=described, width=WIDTH, height=bottom + _FOOT)


def _frequency(row: DotsRow, largest: float, y: float) -> list[Svg]:
    if row.frequency is None or not largest:
        return []
    left = WIDTH - RIGHT + 12
    return [
        line(left, y, left + 16 * row.frequency / largest, y, "amount"),
        text(number(row.frequency), WIDTH - 2, y + 4, anchor="end", class_="tick"),
    ]


def _joined_dots(row: DotsRow, series: Sequence[str], scale: Linear, y: float) -> list[Svg]:
    known = [value for value in row.values if value is not None]
    if not known:
        return [text("undefined", scale.start, y + 4, class_="tick")]
    parts = [line(scale(min(known)), y, scale(max(known)), y, "whisker")]
    for position, value in enumerate(row.values):
        if value is not None:
            tip = f"{row.label}, {series[position]}: {percent(value)}"
            parts.append(mark(position, scale(value), y, f"mark {series_class(position)}", tip))
    return parts
