"""The counts behind every figure of a summary, by unit: tables whose sums are scored by the formulas of the metrics.

A unit contributes to a corpus row what the average of that row holds after taking in the documents of the unit.  Micro
and macro figures are then made from sums of columns, and so are figures that are derived from several rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from lydite.escaping import in_bytes
from lydite.model import Figures, Score, ScoreRow, Summary, Tally
from lydite.model.cluster import MeanTally
from lydite.model.settings import TaskSettings
from lydite.model.tally import Empty
from lydite.pipeline.task import AnyTask, Derived, RowKey
from lydite.results.averages import Average

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lydite.comparison.draws import Array

Path = tuple[str, ...]
"""Where a count stands in a tally: ``("muc", "gold_total")`` in that of a mean of metrics."""
UnitOf = Callable[[str], str]
"""The unit that a document belongs to."""


class UnitCounts(NamedTuple):
    """The counts of one corpus row: for each system a table units × columns, and how sums of columns are scored."""

    key: RowKey
    columns: tuple[Path, ...]
    tables: Mapping[str, Array]
    score: Callable[[Array], Score]
    """Sums of columns (… × columns) to figures (…); None is undefined everywhere, NaN in one place."""

    def figure(self, name: str) -> Callable[[Array], Array]:
        """One figure of the score as a function of sums."""

        def of(sums: Array) -> Array:
            import numpy as np

            found: float | Array | None = getattr(self.score(sums), name)
            return (
                np.full(sums.shape[:-1], np.nan) if found is None else np.broadcast_to(found, sums.shape[:-1])
            )

        return of


PartKey = tuple[str, str, str, str]
"""Measurement, metric, attribute and value of a corpus row by an attribute."""


class Units(NamedTuple):
    """The units that are drawn, in byte order of their ids, and the counts of every corpus row by unit."""

    kind: str
    ids: tuple[str, ...]
    counts: Mapping[RowKey, UnitCounts]
    documents: int = 0
    """The number of documents that the units were made of."""
    across: bool = False
    """Whether units were cut out of one partition over many documents: links between them belong to none."""
    missing: str = ""
    """The reason why a saved summary has no units."""
    joined: str = ""
    """The ids that several units share, so that these are not independent; unknown of a saved summary."""
    parts: Mapping[PartKey, UnitCounts] = MappingProxyType({})
    """The counts of rows that are narrowed to a value of an attribute, where the summary has them by unit."""


def units_of_row(units: Units, key: RowKey) -> Units:
    """The units of one row: of elements only those in which any system has counts; the others are of another kind."""
    import numpy as np

    counts = units.counts.get(key)
    if units.kind != "element" or counts is None:
        return units
    kept = np.flatnonzero(occupied_units(counts))
    ids = tuple(units.ids[place] for place in kept)
    return units._replace(ids=ids, counts={**units.counts, key: select_units(counts, kept)})


def occupied_units(counts: UnitCounts) -> NDArray[np.bool_]:
    """Which units have a count in any system."""
    import numpy as np

    occupied: NDArray[np.bool_] = np.any([np.any(one != 0, axis=1) for one in counts.tables.values()], axis=0)
    return occupied


def select_units(counts: UnitCounts, places: NDArray[np.intp]) -> UnitCounts:
    """The counts of the units at these places only."""
    return counts._replace(tables={system: table[places] for system, table in counts.tables.items()})


def settings_of(summary: Summary, task: AnyTask) -> TaskSettings:
    """The settings under which a summary was made, also one that was saved."""
    declared = task.settings.declared
    values = {name: summary.settings.get(name, one.default) for name, one in declared.items()}
    settings: TaskSettings = task.settings({key: declared[key].parse(value) for key, value in values.items()})
    return settings


def documents_outside_totals(summary: Summary, task: AnyTask) -> set[tuple[str, str, str, str | None]]:
    """System, measurement, metric and id of documents that have rows but do not count in the total."""
    measurements = {(one.name, one.metric): one for one in task.measurements(settings_of(summary, task))}
    outside = set()
    for row in summary.rows_by("doc"):
        measurement = measurements[row.measurement, row.metric]
        figures = measurement.from_counts(row.tally)
        if not any(average.includes(figures) for average in measurement.averages):
            outside.add((row.system, row.measurement, row.metric, row.document))
    return outside


def weights_of_means(summary: Summary, task: AnyTask) -> dict[tuple[str, str], tuple[float, ...]]:
    """The weights of the metrics in every mean of metrics, by measurement and metric of the mean."""
    return {
        (one.name, one.metric): one.empty_counts.weights
        for one in task.measurements(settings_of(summary, task))
        if isinstance(one.empty_counts, MeanTally)
    }


def count_units(
    summary: Summary,
    task: AnyTask,
    *,
    kind: str,
    unit_of: UnitOf,
    scope: str = "document",
    across: bool = False,
) -> Units:
    """Count every corpus row of a summary by unit, from its rows of a scope.

    With ``across``, the units are pieces of the one document that is scored: their counts add up to its figure, also
    for a macro average, which is the mean over that one document.
    """
    settings = settings_of(summary, task)
    rows = [row for row in summary.rows if row.scope == scope and row.document is not None]
    documents = {str(row.document) for row in rows if not row.by}
    ids = sorted(set(map(unit_of, documents)), key=in_bytes)
    place = {unit: position for position, unit in enumerate(ids)}
    totals: dict[tuple[str, str], _Tallies] = {}
    parts: dict[PartKey, _Tallies] = {}
    for row in rows:
        key = row.measurement, row.metric
        tallies = totals.setdefault(key, {})
        for attribute, value in row.by.items():
            tallies = parts.setdefault((*key, attribute, value), {})
        tallies.setdefault(row.system, {}).setdefault(place[unit_of(str(row.document))], []).append(row.tally)
    measurements = {(one.name, one.metric): one for one in task.measurements(settings)}
    counts: dict[RowKey, UnitCounts] = {}
    for key, measurement in measurements.items():
        by_system = {system: totals.get(key, {}).get(system, {}) for system in summary.systems}
        for average in measurement.averages:
            added = average._replace(name="micro") if across else average
            row_key = *key, average.name
            counts[row_key] = _tabulate(row_key, measurement.empty_counts, added, by_system, len(ids))
    for derived in task.derive(settings):
        if all(source in counts for source in derived.sources):
            counts[derived.key] = _derive_counts(derived, [counts[source] for source in derived.sources])
    part_counts = {}
    for part, tallies in parts.items():
        measurement = measurements[part[:2]]
        nothing = measurement.part_empty_counts.get(part[2], measurement.empty_counts)
        average = measurement.part_average
        row_key = *part[:2], average.name
        part_counts[part] = _tabulate(row_key, nothing, average, tallies, len(ids))
    return Units(kind, tuple(ids), counts, len(documents), across, parts=part_counts)


_Tallies = dict[str, dict[int, list[Mapping[str, object]]]]
"""The tallies of documents, by system and place of the unit."""


def _tabulate(
    key: RowKey, nothing: Figures | None, average: Average, tallies: _Tallies, units: int
) -> UnitCounts:
    """A table of counts for each system, from the tallies of the documents of each unit."""
    import numpy as np

    contributions = {
        system: {place: _contribution(nothing, average, documents) for place, documents in by_unit.items()}
        for system, by_unit in tallies.items()
    }
    empty = average.start(nothing).figures
    columns = dict.fromkeys(path for path, _ in _flatten(empty.as_dict()))
    for by_unit in contributions.values():
        columns.update(dict.fromkeys(path for counts in by_unit.values() for path in counts))
    column = {path: position for position, path in enumerate(columns)}
    tables = {}
    for system, by_unit in contributions.items():
        table = tables[system] = np.zeros((units, len(column)))
        for place, counts in by_unit.items():
            for path, count in counts.items():
                table[place, column[path]] = count
    return UnitCounts(key, tuple(column), tables, _scorer(empty, tuple(column), average.empty))


def _contribution(
    nothing: Figures | None, average: Average, documents: Iterable[Mapping[str, object]]
) -> Mapping[Path, float]:
    """The counts of an average over these documents."""
    gatherer = average.start(nothing)
    start = Tally() if nothing is None else nothing
    for tally in documents:
        gatherer.add(start.from_counts(tally))
    return dict(_flatten(gatherer.figures.as_dict()))


def _flatten(tally: Mapping[str, object], above: Path = ()) -> Iterable[tuple[Path, float]]:
    """The counts of a tally by their paths, without the texts that say a count exactly."""
    for name, value in tally.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, (*above, name))
        elif not isinstance(value, str):
            yield (*above, name), cast("float", value)  # what is counted is a number


def _unflatten(columns: Sequence[Path], sums: Array) -> dict[str, object]:
    """The inverse of :func:`_flatten`, for sums of columns."""
    tally: dict[str, object] = {}
    for place, (*above, name) in enumerate(columns):
        inner = tally
        for part in above:
            below = inner.setdefault(part, {})
            assert isinstance(below, dict)
            inner = below
        inner[name] = sums[..., place]
    return tally


def _scorer(nothing: Figures, columns: Sequence[Path], empty: Empty) -> Callable[[Array], Score]:
    def score(sums: Array) -> Score:
        return nothing.from_counts(_unflatten(columns, sums)).score(empty=empty)

    return score


def _derive_counts(derived: Derived, sources: Sequence[UnitCounts]) -> UnitCounts:
    """The counts of all sources side by side; their figures make the derived one."""
    import numpy as np

    ends = np.cumsum([len(source.columns) for source in sources])[:-1]

    def score(sums: Array) -> Score:
        rows = [
            ScoreRow("", *source.key, source.score(part), _unflatten(source.columns, part))
            for source, part in zip(sources, np.split(sums, ends, axis=-1), strict=True)
        ]
        return derived.made(rows).score

    columns = tuple((str(place), *path) for place, source in enumerate(sources) for path in source.columns)
    tables = {system: np.hstack([one.tables[system] for one in sources]) for system in sources[0].tables}
    return UnitCounts(derived.key, columns, tables, score)
