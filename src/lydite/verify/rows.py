"""Blocks of a case as tables: the path of its leaves → the rows and the figures of the summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from lydite.model import ScoreRow

Figure: TypeAlias = str | Callable[[ScoreRow], object]
"""A figure of a row: the name of a score or of a count, or a function of the row."""

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Leaves(NamedTuple):
    """Leaves of one layout: ``micro/{measurement}`` with ``p`` and ``r`` is ``micro.type.p`` and ``micro.type.r``."""

    path: str
    figures: Mapping[str, Figure]
    """The figures by the names of their leaves."""
    where: Mapping[str, object] = NOTHING
    """The fields of the rows that have these leaves."""
    by: tuple[str, ...] = ()
    """What the rows are broken down by."""


def lay_out(
    rows: Iterable[ScoreRow],
    *table: Leaves,
    names: Mapping[str, str] = NOTHING,
    blocks: Iterable[str] = (),
) -> dict[str, Any]:
    """The figures of rows in nested blocks; ``blocks`` are there even if empty, ``names`` are those of measurements."""
    laid_out: dict[str, Any] = {block: {} for block in blocks}
    for row in rows:
        for leaves in table:
            if tuple(row.by) != leaves.by or any(
                getattr(row, key) != value for key, value in leaves.where.items()
            ):
                continue
            fields = {
                **row._asdict(),
                **row.by,
                "measurement": names.get(row.measurement, row.measurement),
            }
            block = laid_out
            for part in filter(None, leaves.path.split("/")):
                block = block.setdefault(fields[part[1:-1]] if part[0] == "{" else part, {})
            for leaf, figure in leaves.figures.items():
                block[leaf.format_map(fields)] = value_of(row, figure)
    return laid_out


def value_of(row: ScoreRow, figure: Figure) -> object:
    """A figure of a row."""
    if callable(figure):
        return figure(row)
    return getattr(row.score, figure) if figure in row.score._fields else row.counts[figure]


def values_of(row: ScoreRow, figures: Mapping[str, Figure]) -> dict[str, object]:
    """Several figures of a row by the names of their leaves."""
    return {leaf: value_of(row, figure) for leaf, figure in figures.items()}


def percent(figure: str) -> Callable[[ScoreRow], float | None]:
    """A score in percent."""

    def in_percent(row: ScoreRow) -> float | None:
        value: float | None = getattr(row.score, figure)
        return None if value is None else 100 * value

    return in_percent


FIGURES: Mapping[str, Figure] = {"precision": "precision", "recall": "recall", "f1": "f1"}
PERCENT: Mapping[str, Figure] = {"p": percent("precision"), "r": percent("recall"), "f1": percent("f1")}
COUNTS: Mapping[str, Figure] = {
    "tp": "gold_credit",
    "fp": lambda row: row.counts["system_total"] - row.counts["gold_credit"],
    "fn": lambda row: row.counts["gold_total"] - row.counts["gold_credit"],
    **FIGURES,
}
