"""Rows as Parquet: the columns of CSV, with types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from lydite.escaping import printable
from lydite.model import Summary
from lydite.model.comparison import Comparison, SystemPlace
from lydite.model.summary import flat_row
from lydite.optional_libraries import library

if TYPE_CHECKING:
    from types import ModuleType

    import pyarrow as pa

INT64_END = 1 << 63
"""Whole numbers below this fit into 64 bits."""

DOUBLES = re.compile(r"(?:.*\.)?(?:precision|recall|f1|value|figure|low|high|\w*credit)")
"""Columns of fractions: doubles in every file, also where all values are whole or null, so that files can be read together
as one table."""


def require() -> None:
    """Raise, before anything is scored, if the library is not installed."""
    _arrow("pyarrow.parquet")


def summary_rows(summary: Summary) -> bytes:
    """All rows, unrounded; undefined and missing values are null."""
    return _parquet([flat_row(row) for row in summary.rows], {"lydite.signature": summary.signature})


def comparison_rows(comparisons: Iterable[Comparison]) -> bytes:
    """The systems of all comparisons, with the figure in front."""
    comparisons = list(comparisons)
    rows = [
        {"of": str(comparison.figure), **place._asdict()}
        for comparison in comparisons
        for place in comparison.systems
    ]
    return _parquet(rows, {"lydite.signature": comparisons[0].signature}, ("of", *SystemPlace._fields))


def _arrow(name: str) -> ModuleType:
    return library(name, "tables", "--format parquet")


def _parquet(
    rows: Sequence[Mapping[str, object]], metadata: Mapping[str, str], columns: Iterable[str] = ()
) -> bytes:
    arrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    names = list(columns) or list(dict.fromkeys(key for row in rows for key in row))
    arrays = [_column(arrow, name, [row.get(name) for row in rows]) for name in names]
    table = arrow.table(arrays, names=names).replace_schema_metadata(metadata)
    stream = BytesIO()
    parquet.write_table(table, stream)
    return stream.getvalue()


def _column(arrow: ModuleType, name: str, values: Sequence[object]) -> pa.Array:
    """A column of doubles, whole numbers or text."""
    kinds = {type(value) for value in values if value is not None}
    if DOUBLES.fullmatch(name) or (float in kinds and kinds <= {int, float}):
        numbers = [float(value) if isinstance(value, int | float) else None for value in values]
        return arrow.array(numbers, arrow.float64())
    if kinds == {int}:
        fits = all(-INT64_END <= value < INT64_END for value in values if isinstance(value, int))
        return arrow.array(values, arrow.int64() if fits else arrow.decimal128(38, 0))
    return arrow.array([None if value is None else printable(str(value)) for value in values], arrow.string())
