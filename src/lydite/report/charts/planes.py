"""Scatter plots and curves: precision against recall with curves of equal F1, one system against another, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lydite.escaping import short
from lydite.report.charts.axes import Linear, domain, legend, plane
from lydite.report.charts.palette import series_class
from lydite.report.charts.svg import Svg, element, figure, mark, text
from lydite.report.charts.svg import points as svg_points
from lydite.report.tables import all_digits, percent

SIDE = 380.0
_WIDTH, _HIGH = 508.0, 300.0
_LEFT, _GAP = 52.0, 20.0
MOST_IN_LEGEND = 12
"""More points than this have no legend."""
_MOST_MARKS = 12
"""Curves of at most so many points have a mark at each, longer ones only at the end."""
_STEPS = 24
"""Segments of a curve of equal F1 on each side of its middle."""
_DASHES = ("", "6 3", "2 3", "8 3 2 3")


class Point(NamedTuple):
    """A point with its name; x and y are fractions of one, ``place`` gives it colour and shape."""

    label: str
    x: float
    y: float
    place: int = 0


def scatter(
    points: Sequence[Point],
    *,
    name: str,
    title: str,
    axes: tuple[str, str],
    iso_f1: bool = False,
    diagonal: bool = False,
    alike: bool = False,
) -> Svg:
    """Points by two figures; with ``alike``, points have no legend."""
    both = domain([value for point in points for value in (point.x, point.y)])
    if both.low < 0.3 and both.high <= 1:
        both = Linear(min(both.low, 0.0), 1, 0, 1)
    in_legend = [] if alike or len(points) > MOST_IN_LEGEND else points
    places = [point.place for point in in_legend]
    parts, top = legend([point.label for point in in_legend], _LEFT + SIDE, places=places)
    top = 14 + (top if in_legend else 8.0)
    x = both._replace(start=_LEFT, end=_LEFT + SIDE)
    y = both._replace(start=top + SIDE, end=top)
    parts += plane(x, y, axes, diagonal=diagonal)
    if iso_f1:
        parts += [curve for f1 in both.ticks(8) if 0 < f1 < 1 for curve in _iso_curve(f1, x, y)]
    for point in points:
        tip = f"{point.label}: {axes[0]} {percent(point.x)}, {axes[1]} {percent(point.y)}"
        parts.append(mark(point.place, x(point.x), y(point.y), f"mark {series_class(point.place)}", tip))
    coordinates = "; ".join(f"{short(p.label, 40)} {percent(p.x)}, {percent(p.y)}" for p in points[:20])
    described = f"{short(axes[0], 40)} to the right, {short(axes[1], 40)} upwards: {coordinates}."
    width, height = _LEFT + SIDE + _GAP, top + SIDE + 44
    return figure(parts, name=name, title=title, description=described, width=width, height=height)


def _iso_curve(f1: float, x: Linear, y: Linear) -> list[Svg]:
    """The curve of precision and recall with this F1, from edge to edge of a plane with two equal scales.

    P = F(1 + q)/2 and R = F(1 + 1/q)/2 for the quotient q = P/R, which goes in even steps from one end to its inverse.
    """
    end = 2 * x.high / f1 - 1
    if 2 * x.low > f1:
        end = min(end, f1 / (2 * x.low - f1))
    if end <= 1:
        return []
    quotients = [end ** (1 - step / _STEPS) for step in range(2 * _STEPS + 1)]
    places = [(x(f1 * (1 + 1 / q) / 2), y(f1 * (1 + q) / 2)) for q in quotients]
    left, top = places[-1]
    return [
        element("polyline", points=svg_points(places), class_="iso"),
        text(f"F1 {100 * f1:g}", left - 4, top - 4, anchor="end", class_="tick"),
    ]


class Series(NamedTuple):
    """A curve with its name and its points in order; ``place`` gives it colour and shape."""

    label: str
    points: Sequence[tuple[float, float]]
    place: int


def lines(
    series: Sequence[Series],
    *,
    name: str,
    title: str,
    axes: tuple[str, str],
    of_percent: bool = True,
    diagonal: bool = False,
) -> Svg:
    """One curve per series, with colours and dashes of its own; y is a fraction of one."""
    parts, top = legend([one.label for one in series], _LEFT + _WIDTH, places=[one.place for one in series])
    top += 14
    across = Linear(0, 1, 0, 1) if of_percent else domain([x for one in series for x, _ in one.points])
    x = across._replace(start=_LEFT, end=_LEFT + _WIDTH)
    y = Linear(0, 1, top + _HIGH, top)
    parts += plane(x, y, axes, of_percent=of_percent, diagonal=diagonal)
    for one in series:
        parts += _curve(one, x, y, of_percent=of_percent)
    described = f"{axes[1]} against {axes[0]} of {', '.join(short(one.label, 40) for one in series[:12])}."
    width, height = _LEFT + _WIDTH + 24, top + _HIGH + 44
    return figure(parts, name=name, title=title, description=described, width=width, height=height)


def _curve(one: Series, x: Linear, y: Linear, *, of_percent: bool) -> list[Svg]:
    colour = series_class(one.place)
    places = [(x(across), y(up)) for across, up in one.points]
    tips = [
        f"{one.label}: {percent(across) if of_percent else all_digits(across)}, {percent(up)}"
        for across, up in one.points
    ]
    marks = [mark(one.place, *place, f"mark {colour}", tip) for place, tip in zip(places, tips, strict=True)]
    marks = marks if len(marks) <= _MOST_MARKS else marks[-1:]
    if len(places) < 2:
        return marks
    return [
        element(
            "polyline",
            points=svg_points(places),
            class_=f"curve {colour}",
            data_series=one.place,
            stroke_dasharray=_DASHES[one.place // 8 % len(_DASHES)] or None,
        ),
        *marks,
    ]
