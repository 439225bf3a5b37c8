"""Intervals of every figure of a summary, and percentiles of its headline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from lydite.comparison.borders import Border, BorderPlace, border_findings, border_of
from lydite.comparison.compare import resampling_signature, unit_findings, why_no_units
from lydite.comparison.counts import UnitCounts, Units, occupied_units, select_units, units_of_row
from lydite.comparison.draws import draw_sums, interval
from lydite.escaping import in_bytes
from lydite.frozen import FrozenDict
from lydite.model import Score, ScoreRow, Summary
from lydite.model.comparison import FigureName, Resampling
from lydite.report.paper import find_figure

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

Intervals = Mapping[str, tuple[float, float]]
"""The two ends of the interval of each figure."""
SUMS_AT_ONCE = 12_000_000
"""The number of sums that are in memory at once, about 100 MB."""


def with_intervals(summary: Summary, units: Units, resampling: Resampling) -> Summary:
    """Add the interval of every figure of the corpus; null where there are fewer than two units.

    A document by itself is one unit, and so is a part of the items that stands in a single unit.
    """
    found, borders = _intervals(summary, units, resampling)
    rows = tuple(
        row._replace(interval=found.get(_row_place(row)) if row.scope == "corpus" else None)
        for row in summary.rows
        if row.scope == "corpus" or not row.by
    )
    signature = resampling_signature(summary.signature, units.kind, resampling, tested=False)
    lead = find_figure(summary, None)
    of_lead = units_of_row(units, lead[:3])
    why = why_no_units(of_lead, lead, of_lead.counts.get(lead[:3]))
    of_units = unit_findings(of_lead, why)
    findings = (*summary.findings, *of_units, *border_findings(borders, units.kind))
    return replace(summary, rows=rows, signature=signature, findings=findings)


RowPlace = tuple[str, str, str, str | None, tuple[tuple[str, str], ...]]
"""System, measurement, metric, average and part of a corpus row."""


def _row_place(row: ScoreRow) -> RowPlace:
    return row.system, row.measurement, row.metric, row.average, tuple(row.by.items())


class _RowCounts(NamedTuple):
    """The counts of a corpus row by unit; ``part`` is the attribute and value to which the row is narrowed."""

    counts: UnitCounts
    part: tuple[tuple[str, str], ...]


def _drawable_rows(units: Units) -> Iterator[_RowCounts]:
    """The rows that have units to draw from."""
    import numpy as np

    for key in units.counts:
        of_row = units_of_row(units, key)
        if why_no_units(of_row, FigureName(*key, ""), of_row.counts[key]) is None:
            yield _RowCounts(of_row.counts[key], ())
    for (*_, attribute, value), counts in units.parts.items():
        occupied = np.flatnonzero(occupied_units(counts))
        if len(occupied) > 1 and why_no_units(units, FigureName(*counts.key, ""), counts) is None:
            drawn = select_units(counts, occupied) if units.kind == "element" else counts
            yield _RowCounts(drawn, ((attribute, value),))


def _intervals(
    summary: Summary, units: Units, resampling: Resampling
) -> tuple[dict[RowPlace, Intervals], list[BorderPlace]]:
    """The intervals of every row, and the figures that are at a border, that of the headline first."""
    defined = {_row_place(row): _defined_figures(row.score) for row in summary.rows if row.scope == "corpus"}
    found, borders = {}, []
    for batch in _batches(list(_drawable_rows(units)), resampling.resamples):
        for system, (counts, part), sums in _draw_batch(batch, resampling):
            place = system, *counts.key, part
            names = defined.get(place, ())
            at_border = {name: one for name in names if (one := border_of(counts, system, name)) is not None}
            ends = _intervals_of_row(counts, sums, names, at_border, resampling)
            if ends:
                found[place] = ends
                borders += [
                    BorderPlace(system, FigureName(*counts.key, name), one, part)
                    for name, one in at_border.items()
                ]
    lead = find_figure(summary, None)
    order = {name: number for number, name in enumerate(summary.systems)}
    return found, sorted(borders, key=lambda one: (bool(one.part), one.figure != lead, order[one.system]))


def _intervals_of_row(
    counts: UnitCounts,
    sums: Array,
    names: Sequence[str],
    at_border: Mapping[str, Border],
    resampling: Resampling,
) -> Intervals:
    """The intervals of these figures of a row from the sums of its counts over the draws."""
    units, level, kind = _unit_count(counts), resampling.level, resampling.interval
    ends: dict[str, tuple[float, float]] = {}
    for name in names:
        if name in at_border:
            low, high = at_border[name].interval(level)
        else:
            low, high = interval(counts.figure(name)(sums), units, level=level, kind=kind)
        if low is not None and high is not None:
            ends[name] = low, high
    return FrozenDict(ends)


def _defined_figures(score: Score) -> list[str]:
    return [name for name, figure in score._asdict().items() if figure is not None]


def _batches(rows: Sequence[_RowCounts], resamples: int) -> Iterator[list[_RowCounts]]:
    """Rows with equally many units whose sums are in memory at the same time."""
    batch: list[_RowCounts] = []
    sums = 0
    for row in rows:
        counts = row.counts
        size = len(counts.tables) * len(counts.columns) * resamples
        if batch and (sums + size > SUMS_AT_ONCE or _unit_count(counts) != _unit_count(batch[0].counts)):
            yield batch
            batch, sums = [], 0
        batch.append(row)
        sums += size
    if batch:
        yield batch


def _unit_count(counts: UnitCounts) -> int:
    return max(map(len, counts.tables.values()), default=0)


def _draw_batch(
    batch: Sequence[_RowCounts], resampling: Resampling
) -> Iterator[tuple[str, _RowCounts, Array]]:
    """The sums over the draws of each row of a batch for each system."""
    rows = [(system, row) for row in batch for system in sorted(row.counts.tables, key=in_bytes)]
    tables = [row.counts.tables[system] for system, row in rows]
    drawn = draw_sums(tables, resampling.resamples, resampling.seed)
    for (system, row), sums in zip(rows, drawn, strict=True):
        yield system, row, sums
