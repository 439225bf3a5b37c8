from __future__ import annotations

import pytest

from lydite.model import ScoreRow, Summary, Tally
from lydite.results.what_if import what_if


def row(tally: Tally, **more: object) -> ScoreRow:
    return ScoreRow("s", "standard", "assessed", "micro", tally.score(), tally.as_dict(), **more)  # type: ignore[arg-type]


def test_a_part_without_false_alarms_and_misses_has_nothing_to_give() -> None:
    attack, die = Tally(2, 2, 2, 2), Tally(1, 2, 1, 4)
    headline = {"measurement": "standard", "metric": "assessed", "average": "micro", "figure": "f1"}
    rows = (row(attack + die), row(attack, by={"type": "Attack"}), row(die, by={"type": "Die"}))
    summary = Summary("0", "arguments", "p", "sig", {}, (), rows, headline=headline)
    changes = {part: change for _, part, change in what_if(summary, "type")}
    assert changes["Attack"] == (0, 0, 0)
    # Now TP 3, FP 3, FN 1: F1 = 6/10.  Without the false alarms 6/7, with the miss found 8/11, with both 1.
    assert changes["Die"] == pytest.approx((6 / 7 - 0.6, 8 / 11 - 0.6, 0.4))
