"""Intervals of every figure of a summary, and percentiles of its headline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from lydite.comparison.compare import signed, unit_findings, why_no_units
from lydite.comparison.counts import Counts, Units, find_figure, units_of_row
from lydite.comparison.draws import drawn_sums, interval
from lydite.errors import UsageError
from lydite.model import Score, Summary
from lydite.model.comparison import FigureName, Resampling
from lydite.pipeline import RowKey, in_bytes
from lydite.results.bootstrap import draws, percentiles

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

Intervals = Mapping[str, tuple[float, float]]
"""The two ends by figure."""
SomeSummary = TypeVar("SomeSummary", bound=Summary)
HELD = 12_000_000
"""How many sums are held at once, about 100 MB."""


def with_intervals(summary: SomeSummary, units: Units, resampling: Resampling) -> SomeSummary:
    """The summary with the interval of every figure of its totals; null where nothing can be drawn again."""
    found = _intervals(summary, units, resampling)
    rows = tuple(
        row._replace(interval=found.get((row.system, row.measurement, row.metric, row.average)))
        if row.scope == "corpus" and not row.by
        else row._replace(interval=None)
        for row in summary.rows
    )
    lead = find_figure(summary, None)
    of_lead = units_of_row(units, lead[:3])
    why = why_no_units(of_lead, lead, of_lead.counts.get(lead[:3]))
    return replace(
        summary,
        rows=rows,
        signature=signed(summary.signature, units.kind, resampling, tested=False),
        findings=(*summary.findings, *unit_findings(of_lead, why)),
    )


def _intervals(
    summary: Summary, units: Units, resampling: Resampling
) -> dict[tuple[str, str, str, str | None], Intervals]:
    of_rows = [(key, units_of_row(units, key)) for key in units.counts]
    drawable = [
        of_row.counts[key]
        for key, of_row in of_rows
        if why_no_units(of_row, FigureName(*key, ""), of_row.counts[key]) is None
    ]
    defined = {
        (row.system, row.measurement, row.metric, row.average): _defined(row.score)
        for row in summary.corpus_rows()
    }
    found = {}
    for group in _groups(drawable, resampling.resamples):
        for system, counts, sums in _sums(group, resampling):
            names = defined.get((system, *counts.key), ())
            ends = _of_row(counts, sums, names, len(counts.tables[system]), resampling)
            if ends:
                found[system, *counts.key] = ends
    return found


def _of_row(
    counts: Counts, sums: Array, names: Sequence[str], units: int, resampling: Resampling
) -> Intervals:
    ends: dict[str, tuple[float, float]] = {}
    for name in names:
        low, high, _ = interval(
            counts.figure(name)(sums), units, level=resampling.level, kind=resampling.interval
        )
        if low is not None and high is not None:
            ends[name] = low, high
    return ends


def _defined(score: Score) -> list[str]:
    return [name for name, figure in score._asdict().items() if figure is not None]


def _groups(every: Sequence[Counts], resamples: int) -> Iterator[list[Counts]]:
    """Rows whose sums are held at the same time."""
    group: list[Counts] = []
    held = 0
    for counts in every:
        size = len(counts.tables) * len(counts.columns) * resamples
        if group and (held + size > HELD or _size(counts) != _size(group[0])):
            yield group
            group, held = [], 0
        group.append(counts)
        held += size
    if group:
        yield group


def _size(counts: Counts) -> int:
    return max(map(len, counts.tables.values()), default=0)


def _sums(group: Sequence[Counts], resampling: Resampling) -> Iterator[tuple[str, Counts, Array]]:
    held = [(name, counts) for counts in group for name in sorted(counts.tables, key=in_bytes)]
    tables = [counts.tables[name] for name, counts in held]
    for (name, counts), sums in zip(
        held, drawn_sums(tables, resampling.resamples, resampling.seed), strict=True
    ):
        yield name, counts, sums


def headline_percentiles(
    summary: Summary, units: Units, *, samples: int, seed: int
) -> dict[str, dict[str, dict[int, float]]]:
    """Percentiles of the figures of the headline's row over resampled units, by system; undefined ones count as 0."""
    import numpy as np

    lead = find_figure(summary, None)
    key: RowKey = lead[:3]
    counts = units.counts.get(key)
    if counts is None or not units.ids:
        raise UsageError(f"--bootstrap: {lead} has no counts by {units.kind}")
    weights = np.array(
        [np.bincount(drawn, minlength=len(units.ids)) for drawn in draws(len(units.ids), samples, seed)],
        dtype=np.float64,
    )
    found: dict[str, dict[str, dict[int, float]]] = {}
    for row in summary.corpus_rows():
        if (row.measurement, row.metric, row.average) == key:
            names = _defined(row.score) if lead.figure != "value" else ["value"]
            sums = weights @ counts.tables[row.system]
            figures = {name: np.nan_to_num(counts.figure(name)(sums)) for name in names}
            found[row.system] = {name: percentiles(values.tolist()) for name, values in figures.items()}
    return found
