"""A matrix of counts: gold values in rows, found ones in columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from lydite.report.charts.dots import names_room, row_name
from lydite.report.charts.svg import Svg, element, figure, text, words

NO_ITEMS: Mapping[tuple[str, str], int] = {}
_CELL = 34.0
_HEAD = 130.0


def matrix(
    rows: Sequence[str],
    columns: Sequence[str],
    counts: Sequence[Sequence[int]],
    *,
    name: str,
    title: str,
    items: Mapping[tuple[str, str], int] = NO_ITEMS,
) -> Svg:
    """One square per cell, darker for more (by the root, so that small counts are seen); agreement has a frame.

    ``items`` are the rows of a table that lists what a cell counts, by its two values.
    """
    left = names_room(rows)
    largest = max((count for line in counts for count in line), default=0) or 1
    parts = [
        element(
            "text",
            words(column, limit=18),
            x=0,
            y=0,
            transform=f"translate({left + _CELL * (at + 0.6):.1f} {_HEAD - 6:.1f}) rotate(-55)",
        )
        for at, column in enumerate(columns)
    ]
    for down, row in enumerate(rows):
        y = _HEAD + _CELL * down
        parts.append(row_name(row, left, y + _CELL / 2 + 4))
        for across, column in enumerate(columns):
            count = counts[down][across]
            if count:
                parts += _cell(
                    left + _CELL * across,
                    y,
                    count,
                    count / largest,
                    (row, column),
                    item=items.get((row, column)),
                )
    return figure(
        parts,
        name=name,
        title=title,
        description=f"{len(rows)} gold values in rows, {len(columns)} found values in columns; the table below has the counts.",
        width=left + _CELL * len(columns) + 70,
        height=_HEAD + _CELL * len(rows) + 8,
    )


def _cell(
    x: float, y: float, count: int, share: float, values: tuple[str, str], *, item: int | None
) -> list[Svg]:
    gold, found = values
    title = element("title", words(f"{gold} → {found}: {count}", limit=160))
    strength = f"{0.08 + 0.32 * math.sqrt(share):.2f}"
    return [
        element(
            "rect",
            title,
            x=x + 1,
            y=y + 1,
            width=_CELL - 2,
            height=_CELL - 2,
            class_="cell same" if gold == found else "cell",
            fill_opacity=strength,
            data_item=item,
        ),
        text(str(count), x + _CELL / 2, y + _CELL / 2 + 4, anchor="middle", class_="count"),
    ]
