"""The chart of a confusion matrix: gold values in rows, system values in columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from lydite.escaping import counted
from lydite.report.charts.dots import names_room, row_name
from lydite.report.charts.svg import Svg, element, figure, rectangle, shortened, text, text_width, words

NO_ITEMS: Mapping[tuple[str, str], int] = {}
_CELL = 34.0
_NAME = 24
"""The most characters of a name above a column."""
_SLOPE = math.radians(55)


def matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    name: str,
    title: str,
    items: Mapping[tuple[str, str], int] = NO_ITEMS,
) -> Svg:
    """One square per cell, darker for larger counts (by the square root, so that small ones are visible).

    Cells of equal values have a frame.  ``items`` are the row numbers of cells in the table below, by their values.
    """
    left = names_room(rows)
    widest = max((text_width(shortened(column, _NAME)) for column in columns), default=0.0)
    head = widest * math.sin(_SLOPE) + 20
    largest = max((count for line in counts for count in line), default=0) or 1
    parts = [
        element(
            "text",
            words(shortened(column, _NAME), limit=_NAME),
            element("title", words(column, limit=160)),
            x=0,
            y=0,
            transform=f"translate({left + _CELL * (at + 0.6):.1f} {head - 6:.1f}) rotate(-55)",
        )
        for at, column in enumerate(columns)
    ]
    for down, row in enumerate(rows):
        y = head + _CELL * down
        parts.append(row_name(row, left, y + _CELL / 2 + 4))
        for across, column in enumerate(columns):
            count = counts[down][across]
            if count:
                item = items.get((row, column))
                parts += _cell(left + _CELL * across, y, count, count / largest, (row, column), item=item)
    return figure(
        parts,
        name=name,
        title=title,
        description=f"{counted(len(rows), 'gold value')} in rows, {counted(len(columns), 'found value')} in columns; the table below has the counts.",
        width=left + _CELL * len(columns) + widest * math.cos(_SLOPE),
        height=head + _CELL * len(rows) + 8,
    )


def _cell(
    x: float, y: float, count: int, share: float, values: tuple[str, str], *, item: int | None
) -> list[Svg]:
    gold, found = values
    attributes = {
        "class_": "cell same" if gold == found else "cell",
        "fill_opacity": f"{0.08 + 0.32 * math.sqrt(share):.2f}",
        "data_item": item,
    }
    return [
        rectangle(f"{gold} → {found}: {count}", x + 1, y + 1, _CELL - 2, _CELL - 2, **attributes),
        text(str(count), x + _CELL / 2, y + _CELL / 2 + 4, anchor="middle", class_="count"),
    ]
