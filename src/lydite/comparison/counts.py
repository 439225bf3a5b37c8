"""The counts behind every figure of a summary, by unit: tables whose sums are scored by the formulas of the metrics.

A unit contributes to a corpus row what the average of that row holds after taking in the documents of the unit.  Micro
and macro figures are then made from sums of columns, and so are figures that are derived from several rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lydite.errors import UsageError
from lydite.model import Figures, Score, ScoreRow, Summary
from lydite.model.comparison import FigureName
from lydite.model.tally import Empty
from lydite.pipeline import AnyTask, Derived, Measurement, RowKey, in_bytes
from lydite.registry import did_you_mean
from lydite.report.paper import figures_of
from lydite.results.averages import Average

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

Path = tuple[str, ...]
"""Where a count stands in a tally: ``("muc", "gold_total")`` in that of a mean of metrics."""
UnitOf = Callable[[str], str]
"""The unit that a document belongs to."""


class Counts(NamedTuple):
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

            found: Any = getattr(self.score(sums), name)
            return (
                np.full(sums.shape[:-1], np.nan) if found is None else np.broadcast_to(found, sums.shape[:-1])
            )

        return of


class Units(NamedTuple):
    """What is drawn again, in byte order of the ids, and the counts of every corpus row."""

    kind: str
    ids: tuple[str, ...]
    counts: Mapping[RowKey, Counts]
    across: bool = False
    """Whether units were cut out of one partition over many documents: links between them belong to none."""


def units_of_row(units: Units, key: RowKey) -> Units:
    """The units of one row: of elements only those that any system has counts of, since others are of another kind."""
    import numpy as np

    counts = units.counts.get(key)
    if units.kind != "element" or counts is None:
        return units
    held = np.any([np.any(table != 0, axis=1) for table in counts.tables.values()], axis=0)
    kept = np.flatnonzero(held)
    tables = {system: table[kept] for system, table in counts.tables.items()}
    ids = tuple(units.ids[place] for place in kept)
    return units._replace(ids=ids, counts={**units.counts, key: counts._replace(tables=tables)})


def settings_of(summary: Summary, task: AnyTask) -> Any:
    """The settings under which a summary was made, also one that was saved."""
    declared = task.settings.declared
    values = {name: summary.settings.get(name, one.default) for name, one in declared.items()}
    return task.settings({name: declared[name].parse(value) for name, value in values.items()})


def count_units(
    summary: Summary, task: AnyTask, *, kind: str, unit_of: UnitOf, scope: str = "document"
) -> Units:
    """The counts of all corpus rows of a summary by unit, from its rows of a scope."""
    settings = settings_of(summary, task)
    rows = [row for row in summary.rows if row.scope == scope and not row.by and row.document is not None]
    ids = sorted({unit_of(str(row.document)) for row in rows}, key=in_bytes)
    grouped: dict[tuple[str, str], dict[str, dict[str, list[Mapping[str, Any]]]]] = {}
    for row in rows:
        of_system = grouped.setdefault((row.measurement, row.metric), {}).setdefault(row.system, {})
        of_system.setdefault(unit_of(str(row.document)), []).append(row.tally)
    counts: dict[RowKey, Counts] = {}
    for measurement in task.measurements(settings):
        by_system = grouped.get((measurement.name, measurement.metric), {})
        restored = {
            system: {unit: [measurement.restored(tally) for tally in found] for unit, found in units.items()}
            for system, units in by_system.items()
        }
        for average in measurement.averages:
            held = {
                system: [
                    _contribution(measurement, average, restored.get(system, {}).get(unit, ()))
                    for unit in ids
                ]
                for system in summary.systems
            }
            found = _counts(measurement, average, held)
            counts[found.key] = found
    for derived in task.derive(settings):
        if all(source in counts for source in derived.sources):
            counts[derived.key] = _derived(derived, [counts[source] for source in derived.sources])
    return Units(kind, tuple(ids), counts)


def _counts(
    measurement: Measurement[Any], average: Average, held: Mapping[str, Sequence[Mapping[Path, float]]]
) -> Counts:
    import numpy as np

    nothing = average.start(measurement.nothing).figures
    columns: dict[Path, None] = dict.fromkeys(path for path, _ in _flat(nothing.as_dict()))
    columns.update(dict.fromkeys(path for units in held.values() for counts in units for path in counts))
    paths = tuple(columns)
    tables = {
        system: np.array([[counts.get(path, 0) for path in paths] for counts in units], dtype=np.float64)
        for system, units in held.items()
    }
    shaped = {system: table.reshape(len(held[system]), len(paths)) for system, table in tables.items()}
    key = measurement.name, measurement.metric, average.name
    return Counts(key, paths, shaped, _scorer(nothing, paths, average.empty))


def _contribution(
    measurement: Measurement[Any], average: Average, documents: Sequence[Figures]
) -> Mapping[Path, float]:
    gatherer = average.start(measurement.nothing)
    for figures in documents:
        gatherer.add(figures)
    return dict(_flat(gatherer.figures.as_dict()))


def _flat(tally: Mapping[str, Any], above: Path = ()) -> Iterable[tuple[Path, float]]:
    """The counts of a tally by their places; texts that say a count exactly are left out."""
    for name, value in tally.items():
        if isinstance(value, Mapping):
            yield from _flat(value, (*above, name))
        elif not isinstance(value, str):
            yield (*above, name), value


def _nested(columns: Sequence[Path], sums: Array) -> dict[str, Any]:
    """The inverse of :func:`_flat`, for sums of columns."""
    tally: dict[str, Any] = {}
    for place, (*above, name) in enumerate(columns):
        inner = tally
        for part in above:
            inner = inner.setdefault(part, {})
        inner[name] = sums[..., place]
    return tally


def _scorer(nothing: Figures, columns: Sequence[Path], empty: Empty) -> Callable[[Array], Score]:
    def score(sums: Array) -> Score:
        return nothing.restored(_nested(columns, sums)).score(empty=empty)

    return score


def _derived(derived: Derived, sources: Sequence[Counts]) -> Counts:
    """The counts of all sources side by side; their figures make the derived one."""
    import numpy as np

    ends = np.cumsum([len(source.columns) for source in sources])[:-1]

    def score(sums: Array) -> Score:
        parts = np.split(sums, ends, axis=-1)
        rows = [
            ScoreRow("", *source.key, source.score(part), _nested(source.columns, part))
            for source, part in zip(sources, parts, strict=True)
        ]
        return derived.made(rows).score

    columns = tuple((str(place), *path) for place, source in enumerate(sources) for path in source.columns)
    tables = {
        system: np.hstack([source.tables[system] for source in sources]) for system in sources[0].tables
    }
    return Counts(derived.key, columns, tables, score)


def find_figure(summary: Summary, asked: str | None) -> FigureName:
    """The figure of that name, ``MEASUREMENT[.METRIC][.AVERAGE].FIGURE``; the headline if none is asked for."""
    if asked is None:
        lead = summary.headline
        return FigureName(lead["measurement"], lead["metric"], lead["average"] or None, lead["figure"])
    known = figures_of(summary)
    for found in known:
        averages = ("", f".{found.average}") if found.average else ("",)
        metrics = ("", f".{found.metric}")
        if asked in {f"{found.measurement}{m}{a}.{found.figure}" for m in metrics for a in averages}:
            return found
    names = [str(found) for found in known]
    near = did_you_mean(asked, names)
    hint = f"MEASUREMENT[.METRIC][.AVERAGE].FIGURE, one of {', '.join(names[:12])}"
    more = f", … ({len(names)} in all)" if len(names) > 12 else ""
    raise UsageError(f"no figure {asked!r}", hint=f"{near} {hint}{more}" if near else f"{hint}{more}")
