"""Tables and charts of a page: values as they are, and how a cell says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from lydite.records import NamedTuple
from lydite.report.charts.svg import Svg
from lydite.report.comparison import show_p
from lydite.report.page.sides import Json
from lydite.report.tables import UNDEFINED, all_digits, number, percent, points

Kind = Literal["text", "percent", "points", "count", "exact", "p", "document", "system", "item"]
Value = str | float | bool | None

_SHOWN: Mapping[Kind, Callable[[float], str]] = {
    "percent": percent,
    "points": points,
    "count": number,
    "exact": all_digits,
    "p": show_p,
}
"""Kinds of numbers, and how they are shown."""
ROWS = 500
"""A table shows at most so many rows before "more"."""


class Column(NamedTuple):
    """A column: its heading, what its cells are, and the system it belongs to, by rank."""

    name: str
    kind: Kind = "text"
    system: int | None = None

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers."""
        return self.kind in _SHOWN


def columns_of(kind: Kind, *names: str) -> list[Column]:
    """Columns of one kind."""
    return [Column(name, kind) for name in names]


class Grid(NamedTuple):
    """A table that can be sorted: ``key`` names it in the data, ``faint`` are rows with small counts; a ``folded`` one is
    shown when it is asked for.
    """

    key: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    faint: frozenset[int] = frozenset()
    folded: bool = False

    def without_empty_columns(self, after: int) -> Grid:
        """The first columns, and of those after them the ones that say something."""
        kept = [
            place
            for place in range(len(self.columns))
            if place < after or any(row[place] not in {None, ""} for row in self.rows)
        ]
        return self._replace(
            columns=[self.columns[place] for place in kept],
            rows=[[row[place] for place in kept] for row in self.rows],
        )

    def to_dict(self) -> Json:
        """As it stands in the data: nothing rounded."""
        return {
            "columns": [_column(column) for column in self.columns],
            "rows": [list(row) for row in self.rows],
            "faint": sorted(self.faint),
        }


def _column(column: Column) -> Json:
    said: Json = {"name": column.name, "kind": column.kind}
    return said if column.system is None else {**said, "system": column.system}


class Chart(NamedTuple):
    """A chart with its title and its numbers; ``series`` or ``rows`` of it are systems, by rank."""

    title: str
    svg: Svg
    grid: Grid | None = None
    series: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    folded: bool = False
    """Shown when it is asked for."""
    numbers: tuple[str, str] | None = None
    """Where its numbers stand if not below it: the id of a section, and what the table is called."""


class Panel(NamedTuple):
    """Two systems beside each other, by rank; one panel is shown at a time."""

    a: int
    b: int
    title: str
    charts: Sequence[Chart] = ()
    grids: Sequence[Grid] = ()
    waits: bool = False
    """Whether it becomes part of the page when it is chosen: of fifty systems there are 1,225."""


class PageSection(NamedTuple):
    """A part of the page: sentences, charts and tables."""

    id: str
    title: str
    lead: str = ""
    charts: Sequence[Chart] = ()
    grids: Sequence[Grid] = ()
    grids_first: bool = False
    panels: Sequence[Panel] = ()
    absent: str = ""
    """Why there is nothing, where there is nothing."""

    @property
    def folded(self) -> list[Chart]:
        """The charts that are shown when they are asked for."""
        return [chart for chart in self.charts if chart.folded]


def cell(value: Value, kind: Kind) -> str:
    """A value as a table shows it; nothing is rounded before."""
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return _SHOWN.get(kind, number)(value)
