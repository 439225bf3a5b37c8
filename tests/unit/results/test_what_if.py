from __future__ import annotations

import pytest

from lydite.errors import UsageError
from lydite.model import Score, ScoreRow, Summary, Tally
from lydite.model.span_alignment import TypeTally
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


def test_the_most_rewarding_part_of_a_system_comes_first_and_equal_ones_by_name() -> None:
    headline = {"measurement": "standard", "metric": "assessed", "average": "micro", "figure": "f1"}
    parts = {
        "Meet": Tally(3, 4, 3, 4),
        "Attack": Tally(1, 4, 1, 1),  # nothing but misses
        "Die": Tally(3, 4, 3, 4),
        "Elect": Tally(4, 4, 4, 4),
        "Born": Tally(2, 4, 2, 4),
    }
    total = Tally(13, 20, 13, 17)
    rows = [
        row(tally, by={"type": name})._replace(system=system)
        for system in ("t", "s")
        for name, tally in parts.items()
    ]
    rows += [row(total)._replace(system=system) for system in ("t", "s")]
    summary = Summary("0", "arguments", "p", "sig", {}, (), tuple(rows), headline=headline)
    changes = what_if(summary, "type")
    order = ["Born", "Attack", "Die", "Meet", "Elect"]
    assert [(system, part) for system, part, _ in changes] == [
        (system, part) for system in ("s", "t") for part in order
    ]
    # Now TP 13, FP 4, FN 7: F1 = 26/37.  Two alarms less and two misses less are 30/37, three misses less 32/40.
    figures = [30 / 37, 32 / 40, 28 / 37, 28 / 37, 26 / 37]
    assert [change[2] + 26 / 37 for _, _, change in changes[:5]] == pytest.approx(figures)


HEADLINE = {"measurement": "standard", "metric": "assessed", "average": "micro", "figure": "f1"}


def test_a_system_that_found_nothing_can_gain_everything() -> None:
    nothing = Tally(0, 2, 0, 2)
    rows = (row(nothing), row(nothing, by={"type": "Die"}))
    summary = Summary("0", "arguments", "p", "sig", {}, (), rows, headline=HEADLINE)
    # Without false alarms there is still nothing; with both misses found P = 2/4 and R = 1.
    assert what_if(summary, "type")[0][2] == pytest.approx((0, 2 / 3, 1))


def test_a_part_that_lacks_types_of_the_total_changes_the_mean_by_its_own() -> None:
    both = TypeTally({"LOC": Tally(1, 1, 1, 1), "PER": Tally(0, 1, 0, 0), "X": Tally(0, 0, 0, 1)})
    part = TypeTally({"PER": Tally(0, 1, 0, 0), "X": Tally(0, 0, 0, 1)})
    total = ScoreRow("s", "standard", "assessed", "micro", both.score(), both.as_dict())
    rows = (total, total._replace(tally=part.as_dict(), scope="document", document="d", average=None))
    summary = Summary("0", "spans", "p", "sig", {}, (), rows, headline=HEADLINE)
    # The mean of 1, 0 and 0; without the only X there are two types, with the PER found there are two right ones.
    assert what_if(summary, "doc") == [("s", "d", pytest.approx((1 / 6, 1 / 3, 2 / 3)))]


def test_gold_without_value_has_nothing_to_gain() -> None:
    costs = ("gold_value", "missed_cost", "error_cost", "correct_cost", "spurious_cost")
    tally = {**dict.fromkeys(costs, 0.0), "spurious_cost": 0.75}
    total = ScoreRow("s", "standard", "assessed", "micro", Score(), tally)
    rows = (total, total._replace(by={"type": "PER"}))
    summary = Summary("0", "ace", "p", "sig", {}, (), rows, headline={**HEADLINE, "figure": "value"})
    assert what_if(summary, "type") == [("s", "PER", (0, 0, 0))]


def test_a_figure_that_does_not_follow_from_its_counts_is_refused() -> None:
    tally = Tally(1, 2, 1, 2)
    total = row(tally)._replace(score=Score(0.5, 0.5, 0.6))
    rows = (total, row(tally, by={"type": "Die"}))
    summary = Summary("0", "arguments", "p", "sig", {}, (), rows, headline=HEADLINE)
    with pytest.raises(UsageError, match="does not follow from counts"):
        what_if(summary, "type")


def test_the_parts_of_a_mean_have_their_weights_also_where_their_figures_are_equal() -> None:
    half, none = {"gold_credit": 1, "gold_total": 2, "system_credit": 1, "system_total": 1}, Tally()
    counts = {"muc": half, "b-cubed": half}
    mean = ScoreRow("s", "coref", "conll", "micro", Score(f1=2 / 3), counts)
    rows = (mean, mean._replace(tally={**counts, "b-cubed": none.as_dict()}, by={"type": "Die"}))
    headline = {**HEADLINE, "measurement": "coref", "metric": "conll"}
    summary = Summary("0", "coref", "p", "sig", {}, (), rows, headline=headline)
    ((_, _, change),) = what_if(summary, "type", weights={("coref", "conll"): (3.0, 1.0)})
    # MUC, with three of four weights, would rise from 2/3 to 1.
    assert change == pytest.approx((0, 0.25, 0.25))


def test_means_over_documents_share_no_counts_with_parts() -> None:
    means = Tally(1.5, 2, 1.5, 2)  # two documents: sums of recalls and precisions over their number
    total = row(means)._replace(average="macro")
    rows = (total, row(Tally(3, 4, 3, 4), by={"type": "Die"}))
    summary = Summary("0", "coref", "p", "sig", {}, (), rows, headline={**HEADLINE, "average": "macro"})
    with pytest.raises(UsageError, match="does not follow from counts"):
        what_if(summary, "type")


def test_a_document_with_both_perfect_counts_as_much_as_its_gold() -> None:
    """B³ of {a, b}, {c} found as {a, b, c}, and of {d, e} found as {d}, {e}: the sides earn different credit."""
    merged, split = Tally(3, 3, 5 / 3, 3), Tally(1, 2, 2, 2)
    total = row(merged + split)
    documents = (
        row(tally, scope="document", document=name) for name, tally in (("d1", merged), ("d2", split))
    )
    summary = Summary("0", "coref", "p", "sig", {}, (), (total, *documents), headline=HEADLINE)
    changes = {part: change for _, part, change in what_if(summary, "doc")}
    now = 2 * (4 / 5) * (11 / 15) / (4 / 5 + 11 / 15)
    # With d1 as in gold R = 4/5 and P = 5/5, with d2 as in gold R = 5/5 and P = 11/15.
    assert changes["d1"][2] == pytest.approx(8 / 9 - now)
    assert changes["d2"][2] == pytest.approx(11 / 13 - now)
