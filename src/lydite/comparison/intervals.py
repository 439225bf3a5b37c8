"""Intervals of every figure of a summary, and percentiles of its headline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from lydite.comparison.compare import resampling_signature, unit_findings, why_no_units
from lydite.comparison.counts import UnitCounts, Units, occupied_units, select_units, units_of_row
from lydite.comparison.draws import BLOCK, check_resamples, draw_sums, interval
from lydite.errors import UsageError
from lydite.escaping import in_bytes
from lydite.frozen import FrozenDict
from lydite.model import PlainSummary, Score, ScoreRow
from lydite.model.comparison import FigureName, Resampling
from lydite.pipeline import RowKey
from lydite.records import NamedTuple, replace
from lydite.report.paper import find_figure
from lydite.results.bootstrap import draws, percentiles

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

Intervals = Mapping[str, tuple[float, float]]
"""The two ends by figure."""
SomeSummary = TypeVar("SomeSummary", bound=PlainSummary)
HELD = 12_000_000
"""How many sums are held at once, about 100 MB."""


def with_intervals(summary: SomeSummary, units: Units, resampling: Resampling) -> SomeSummary:
    """The summary with the interval of every figure of the corpus; null where nothing can be drawn again.

    A document by itself is one unit, and so is a part that a single unit holds: nothing can be drawn again there.
    """
    found = _intervals(summary, units, resampling)
    rows = tuple(
        row._replace(interval=found.get(_row_place(row)) if row.scope == "corpus" else None)
        for row in summary.rows
        if row.scope == "corpus" or not row.by
    )
    signature = resampling_signature(summary.signature, units.kind, resampling, tested=False)
    return replace(with_unit_findings(summary, units), rows=rows, signature=signature)


def with_unit_findings(summary: SomeSummary, units: Units) -> SomeSummary:
    """The summary with what is to be said of the units of its headline."""
    lead = find_figure(summary, None)
    of_lead = units_of_row(units, lead[:3])
    why = why_no_units(of_lead, lead, of_lead.counts.get(lead[:3]))
    return replace(summary, findings=(*summary.findings, *unit_findings(of_lead, why)))


RowPlace = tuple[str, str, str, str | None, tuple[tuple[str, str], ...]]
"""System, measurement, metric, average and part of a corpus row."""


def _row_place(row: ScoreRow) -> RowPlace:
    return row.system, row.measurement, row.metric, row.average, tuple(row.by.items())


class _Drawable(NamedTuple):
    """The counts of a row that can be drawn from, and the part that the row is of."""

    counts: UnitCounts
    part: tuple[tuple[str, str], ...]


def _drawable(units: Units) -> Iterator[_Drawable]:
    import numpy as np

    for key in units.counts:
        of_row = units_of_row(units, key)
        if why_no_units(of_row, FigureName(*key, ""), of_row.counts[key]) is None:
            yield _Drawable(of_row.counts[key], ())
    for (*_, attribute, value), counts in units.parts.items():
        kept = np.flatnonzero(occupied_units(counts))
        if len(kept) > 1 and why_no_units(units, FigureName(*counts.key, ""), counts) is None:
            own = select_units(counts, kept) if units.kind == "element" else counts
            yield _Drawable(own, ((attribute, value),))


def _intervals(summary: PlainSummary, units: Units, resampling: Resampling) -> dict[RowPlace, Intervals]:
    defined = {_row_place(row): _defined(row.score) for row in summary.rows if row.scope == "corpus"}
    found = {}
    for group in _groups(list(_drawable(units)), resampling.resamples):
        for system, (counts, part), sums in _sums(group, resampling):
            place = system, *counts.key, part
            names = defined.get(place, ())
            ends = _of_row(counts, sums, names, len(counts.tables[system]), resampling)
            if ends:
                found[place] = ends
    return found


def _of_row(
    counts: UnitCounts, sums: Array, names: Sequence[str], units: int, resampling: Resampling
) -> Intervals:
    ends: dict[str, tuple[float, float]] = {}
    for name in names:
        low, high = interval(
            counts.figure(name)(sums), units, level=resampling.level, kind=resampling.interval
        )
        if low is not None and high is not None:
            ends[name] = low, high
    return FrozenDict(ends)


def _defined(score: Score) -> list[str]:
    return [name for name, figure in score._asdict().items() if figure is not None]


def _groups(every: Sequence[_Drawable], resamples: int) -> Iterator[list[_Drawable]]:
    """Rows whose sums are held at the same time."""
    group: list[_Drawable] = []
    held = 0
    for one in every:
        counts = one.counts
        size = len(counts.tables) * len(counts.columns) * resamples
        if group and (held + size > HELD or _size(counts) != _size(group[0].counts)):
            yield group
            group, held = [], 0
        group.append(one)
        held += size
    if group:
        yield group


def _size(counts: UnitCounts) -> int:
    return max(map(len, counts.tables.values()), default=0)


def _sums(group: Sequence[_Drawable], resampling: Resampling) -> Iterator[tuple[str, _Drawable, Array]]:
    held = [(name, one) for one in group for name in sorted(one.counts.tables, key=in_bytes)]
    tables = [one.counts.tables[name] for name, one in held]
    drawn = draw_sums(tables, resampling.resamples, resampling.seed)
    for (name, one), sums in zip(held, drawn, strict=True):
        yield name, one, sums


def headline_percentiles(
    summary: PlainSummary, units: Units, *, samples: int, seed: int
) -> dict[str, dict[str, dict[int, float]]]:
    """Percentiles of the figures of the headline's row over resampled units, by system; undefined ones count as 0."""
    import numpy as np

    check_resamples(samples)
    lead = find_figure(summary, None)
    key: RowKey = lead[:3]
    units = units_of_row(units, key)
    counts = units.counts.get(key)
    if counts is None or not units.ids:
        raise UsageError(f"--bootstrap: {lead} has no counts by {units.kind}")
    blocks: dict[str, list[Array]] = {name: [] for name in counts.tables}
    for weights in _weights(len(units.ids), samples, seed):
        for name, table in counts.tables.items():
            blocks[name].append(weights @ table)
    found: dict[str, dict[str, dict[int, float]]] = {}
    for row in summary.corpus_rows():
        if (row.measurement, row.metric, row.average) == key:
            names = _defined(row.score) if lead.figure != "value" else ["value"]
            sums = np.concatenate(blocks[row.system])
            figures = {name: np.nan_to_num(counts.figure(name)(sums)) for name in names}
            found[row.system] = {name: percentiles(values.tolist()) for name, values in figures.items()}
    return found


def _weights(units: int, samples: int, seed: int) -> Iterator[Array]:
    """How often each unit comes up in samples of :mod:`lydite.results.bootstrap`, in blocks (samples × units)."""
    import numpy as np

    every = draws(units, samples, seed)
    while block := [np.bincount(drawn, minlength=units) for drawn in islice(every, max(1, BLOCK // units))]:
        yield np.array(block, dtype=np.float64)
