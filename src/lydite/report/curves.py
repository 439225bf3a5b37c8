"""Curves over confidence as tables."""

from __future__ import annotations

from lydite.escaping import counted
from lydite.model.curve import Curve, evenly
from lydite.report.tables import FIGURE_HEADS, Table, all_digits, percent

MOST_POINTS = 20
"""The number of points of a curve in a table."""
_FIGURES = ("coverage", "precision", "recall", "f1", "accuracy")


def curve_table(curve: Curve) -> Table:
    """The points of a curve over falling thresholds, with the best one and the average precision in the title."""
    points = [curve.points[place] for place in evenly(range(len(curve.points)), MOST_POINTS)]
    best, average = curve.best, curve.average_precision
    title = [f"{curve.system}, by {curve.confidence}"]
    if best is not None:
        title.append(f"best F1 {percent(best.f1)} at {all_digits(best.threshold)}")
    if average is not None:
        title.append(f"average precision {percent(average)}")
    if curve.distinct > len(curve.points):
        title.append(f"{counted(len(curve.points), 'threshold')} at even quantiles of {curve.distinct}")
    elif len(points) < len(curve.points):
        title.append(f"{len(points)} of {len(curve.points)} points")
    shown = [name for name in _FIGURES if any(getattr(point, name) is not None for point in points)]
    rows = tuple(
        (all_digits(point.threshold), f"{point.kept}", *(percent(getattr(point, name)) for name in shown))
        for point in points
    )
    columns = ("threshold", "kept", *(FIGURE_HEADS.get(name, name) for name in shown))
    return Table("; ".join(title), columns, rows, text_columns=0)
