"""Which figures a task has under its settings, before any system is scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lydite.model import Corpus, Score, ScoreRow, Summary, Tally
from lydite.model.settings import TaskSettings
from lydite.pipeline.task import AnyTask
from lydite.profile import AnyProfile
from lydite.report.paper import find_figure
from lydite.version import __version__

ANY_GOLD = Corpus("gold", {}, format="lydite")
"""Stands for gold that is not known yet; its format can hold whatever a task compares."""


def refuse_unknown_figures(
    named: Iterable[str], task: AnyTask, profile: AnyProfile, gold: Corpus | None
) -> None:
    """Refuse figures that no system can have under these settings, with this gold or, if it is None, with any gold."""
    decided = dict(task.reading.decide(profile, [ANY_GOLD if gold is None else gold]))
    if gold is None:
        decided |= {name: value for name, value in task.settings_for_all_measurements if name in decided}
    resolved = profile.resolved(decided)
    rows = tuple(_empty_rows(task, resolved.settings))
    headline = task.headline(resolved.settings)._asdict()
    summary = Summary(__version__, task.name, resolved.name, "", resolved.values, (), rows, headline=headline)
    for name in named:
        find_figure(summary, name)


def _empty_rows(task: AnyTask, settings: TaskSettings) -> Iterator[ScoreRow]:
    """The corpus rows of an empty system, with all figures that they can have."""
    rows: list[ScoreRow] = []
    for measurement in task.measurements(settings):
        nothing = Tally() if measurement.empty_counts is None else measurement.empty_counts
        for average in measurement.averages:
            key = measurement.name, measurement.metric, average.name
            rows.append(ScoreRow("", *key, nothing.score(empty="zero"), nothing.as_dict()))
    # Rows of counts have no figure to compare by.
    yield from (row for row in rows if row.score != Score())
    yield from (one.made(sources) for one in task.derive(settings) if (sources := one.sources_in(rows)))
