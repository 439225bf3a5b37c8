"""The tables and charts of a page: values, and how cells show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from lydite.report.charts.svg import Svg
from lydite.report.comparison import show_p, show_tau
from lydite.report.page.sides import Json
from lydite.report.tables import UNDEFINED, all_digits, number, percent, points

Kind = Literal["text", "percent", "points", "count", "exact", "p", "tau", "document", "system", "item"]
Value = str | float | bool | None

_SHOWN: Mapping[Kind, Callable[[float], str]] = {
    "percent": percent,
    "points": points,
    "count": number,
    "exact": all_digits,
    "p": show_p,
    "tau": show_tau,
}
"""How each kind of number is shown."""
ROWS = 500
"""The most rows of a table before "more"."""


class Column(NamedTuple):
    """A column: heading, kind of its cells, and rank of the system to which it belongs, if any."""

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
    """A table that can be sorted: ``key`` is its name in the data, ``faint`` are rows with small counts; a ``folded``
    table is closed at first.
    """

    key: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    faint: frozenset[int] = frozenset()
    folded: bool = False

    def without_empty_columns(self, after: int) -> Grid:
        """The table with its first columns, and of the others those that are not empty."""
        places = [
            place
            for place in range(len(self.columns))
            if place < after or any(row[place] not in {None, ""} for row in self.rows)
        ]
        return self._replace(
            columns=[self.columns[place] for place in places],
            rows=[[row[place] for place in places] for row in self.rows],
        )

    def to_dict(self) -> Json:
        """The table in the data of the page, unrounded."""
        return {
            "columns": [_column(column) for column in self.columns],
            "rows": [list(row) for row in self.rows],
            "faint": sorted(self.faint),
        }


def _column(column: Column) -> Json:
    data: Json = {"name": column.name, "kind": column.kind}
    return data if column.system is None else {**data, "system": column.system}


class Chart(NamedTuple):
    """A chart with its title and numbers; ``series`` or ``rows`` are the ranks of the systems that it shows."""

    title: str
    svg: Svg
    grid: Grid | None = None
    series: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    folded: bool = False
    """Whether it is closed at first."""
    drawn_by: str = ""
    """What its rows are sorted by, if a reader may sort them by a column of its grid."""
    numbers: tuple[str, str] | None = None
    """Where its numbers are, if not below it: the id of an element, and the name of the table."""


class Panel(NamedTuple):
    """The comparison of two systems, which are given by rank; one panel is shown at a time."""

    a: int
    b: int
    title: str
    charts: Sequence[Chart] = ()
    grids: Sequence[Grid] = ()
    waits: bool = False
    """Whether it is made only when it is chosen: fifty systems have 1,225 panels."""


class PageSection(NamedTuple):
    """A section of the page: sentences, charts and tables."""

    id: str
    title: str
    lead: str = ""
    charts: Sequence[Chart] = ()
    grids: Sequence[Grid] = ()
    grids_first: bool = False
    panels: Sequence[Panel] = ()
    absent: str = ""
    """Why the section is empty, if it is."""

    @property
    def all_grids(self) -> list[Grid]:
        """The tables below charts, of the section itself and of its panels."""
        charts = [*self.charts, *(chart for panel in self.panels for chart in panel.charts)]
        of_panels = [grid for panel in self.panels for grid in panel.grids]
        return [*(chart.grid for chart in charts if chart.grid is not None), *self.grids, *of_panels]

    @property
    def folded(self) -> list[Chart]:
        """The charts that are closed at first."""
        return [chart for chart in self.charts if chart.folded]


def cell(value: Value, kind: Kind) -> str:
    """A value as a table shows it; only here it is rounded."""
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else _SHOWN.get(kind, number)(value)
