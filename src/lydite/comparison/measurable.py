"""Which figures there can be under a task and its settings, before there is a system that has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lydite.model import Corpus, PlainSummary, Score, ScoreRow, Tally
from lydite.pipeline import AnyTask, TaskSettings
from lydite.profile import AnyProfile
from lydite.report.paper import find_figure
from lydite.version import __version__

ANY_GOLD = Corpus("gold", {}, format="lydite")
"""Gold of which nothing is known yet; its format can hold whatever a task compares."""


def refuse_unknown_figures(
    named: Iterable[str], task: AnyTask, profile: AnyProfile, gold: Corpus | None
) -> None:
    """Refuse figures that no system can have under these settings, beside this gold or, without one, beside any."""
    decided = dict(task.reading.decide(profile, [ANY_GOLD if gold is None else gold]))
    if gold is None:
        decided |= {name: value for name, value in task.everything if name in decided}
    settled = profile.resolved(decided)
    rows = tuple(_rows_of_nothing(task, settled.settings))
    headline = task.headline(settled.settings)._asdict()
    measurable = PlainSummary(
        __version__, task.name, settled.name, "", settled.values, (), rows, headline=headline
    )
    for name in named:
        find_figure(measurable, name)


def _rows_of_nothing(task: AnyTask, settings: TaskSettings) -> Iterator[ScoreRow]:
    """The corpus rows of a system of which nothing was counted, with all figures that they can have."""
    rows: list[ScoreRow] = []
    for measurement in task.measurements(settings):
        nothing = Tally() if measurement.nothing is None else measurement.nothing
        for average in measurement.averages:
            key = measurement.name, measurement.metric, average.name
            rows.append(ScoreRow("", *key, nothing.score(empty="zero"), nothing.as_dict()))
    # Rows that are counts alone have no figure to compare by.
    yield from (row for row in rows if row.score != Score())
    yield from (one.made(sources) for one in task.derive(settings) if (sources := one.sources_in(rows)))
