"""Lines: curves of several systems over one axis."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.escaping import short
from lydite.records import NamedTuple
from lydite.report.charts.axes import legend, plane
from lydite.report.charts.palette import series_class
from lydite.report.charts.scales import Linear, domain
from lydite.report.charts.svg import Svg, element, figure, mark, points
from lydite.report.tables import percent

_WIDTH, _HIGH, _LEFT = 508.0, 300.0, 52.0
_FEW = 12
"""Curves of at most so many points have a mark at each, others at their end."""
_DASHES = ("", "6 3", "2 3", "8 3 2 3")


class Series(NamedTuple):
    """A named curve: points in the order in which they are joined; ``place`` gives it colour and shape."""

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
    """One curve per series, told apart by colour and dashes; upwards goes a fraction of one."""
    parts, top = legend(
        [one.label for one in series], 10, _LEFT + _WIDTH, places=[one.place for one in series]
    )
    top += 14
    across = domain([x for one in series for x, _ in one.points])
    if of_percent:
        across = Linear(0, 1, 0, 1)
    x = across._replace(start=_LEFT, end=_LEFT + _WIDTH)
    y = Linear(0, 1, top + _HIGH, top)
    parts += plane(x, y, axes, of_percent=of_percent, diagonal=diagonal)
    for one in series:
        parts += _curve(one, x, y, of_percent=of_percent)
    return figure(
        parts,
        name=name,
        title=title,
        description=f"{axes[1]} against {axes[0]} of {', '.join(short(one.label, 40) for one in series[:12])}.",
        width=_LEFT + _WIDTH + 24,
        height=top + _HIGH + 44,
    )


def _curve(one: Series, x: Linear, y: Linear, *, of_percent: bool) -> list[Svg]:
    colour = series_class(one.place)
    places = [(x(across), y(up)) for across, up in one.points]
    told = [
        f"{one.label}: {percent(across) if of_percent else f'{across:g}'}, {percent(up)}"
        for across, up in one.points
    ]
    marks = [mark(one.place, *place, f"mark {colour}", tip) for place, tip in zip(places, told, strict=True)]
    marks = marks if len(marks) <= _FEW else marks[-1:]
    if len(places) < 2:
        return marks
    dashes = _DASHES[one.place // 8 % len(_DASHES)] or None
    return [
        element(
            "polyline",
            points=points(places),
            class_=f"curve {colour}",
            data_series=one.place,
            stroke_dasharray=dashes,
        ),
        *marks,
    ]
