"""Where effort pays: how the total F1 would change if one part of it were perfect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydite.model import ScoreRow, Summary, Tally

Change = tuple[str, str, tuple[float, float, float]]
"""System, part, and the change of the total F1 if precision, recall or both of the part were perfect."""


def what_if(summary: Summary, attribute: str) -> list[Change]:
    """One entry per part of the headline measurement, the most rewarding ones first."""
    lead = summary.headline
    changes: list[Change] = []
    for part in summary.by(attribute).rows:
        total = _total(summary, part, lead)
        if (part.measurement, part.metric) == (lead["measurement"], lead["metric"]) and total is not None:
            value = part.by.get(attribute, part.document or "")
            changes.append((part.system, value, _changes(total, _tally(part))))
    return sorted(changes, key=lambda change: (change[0], -change[2][2], change[1]))


def _total(summary: Summary, part: ScoreRow, lead: Mapping[str, Any]) -> Tally | None:
    for row in summary.corpus_rows():
        if (row.system, row.measurement, row.metric, row.average) == (
            part.system,
            part.measurement,
            part.metric,
            lead["average"],
        ):
            return _tally(row) if "gold_credit" in row.tally else None
    return None


def _tally(row: ScoreRow) -> Tally:
    return Tally(**row.tally)


def _changes(total: Tally, part: Tally) -> tuple[float, float, float]:
    alarms = part.system_total - part.system_credit
    missed = part.gold_total - part.gold_credit
    without_alarms = Tally(0, 0, 0, -alarms)
    found = Tally(missed, 0, missed, missed)
    now = _f1(total)
    return (
        _f1(total + without_alarms) - now,
        _f1(total + found) - now,
        _f1(total + found + without_alarms) - now,
    )


def _f1(tally: Tally) -> float:
    return tally.score(empty="zero").f1 or 0.0
