from __future__ import annotations

import pytest

from lydite.metrics.linking import LinkingFigures
from lydite.model import Tally
from lydite.results.bootstrap import PERCENTILES, percentile, resample, resample_figures


def test_the_percentile_is_that_of_nists_rule() -> None:
    assert percentile([15, 20, 35, 40, 50], 40) == pytest.approx(26)


def test_percentiles_beyond_the_ends_are_the_ends() -> None:
    assert percentile([1, 2, 3], 1) == 1
    assert percentile([1, 2, 3], 99) == 3


def test_equal_documents_leave_nothing_to_chance() -> None:
    found = resample([Tally(1, 2, 1, 4)] * 5, samples=50, seed=0)
    assert set(found["precision"].values()) == {0.25}
    assert set(found["recall"].values()) == {0.5}


def test_the_same_seed_gives_the_same_percentiles() -> None:
    tallies = [Tally(n % 3, 3, n % 3, 4) for n in range(10)]
    assert resample(tallies, samples=100, seed=7) == resample(tallies, samples=100, seed=7)
    assert tuple(resample(tallies, samples=100, seed=7)["f1"]) == PERCENTILES


def test_counts_that_are_no_tallies_are_added_and_scored_as_a_corpus() -> None:
    # One right of two and one false alarm, and a link score of a half, whichever documents are drawn.
    document = LinkingFigures("overall", 0.25, 0.5, tp=1, fp=1, fn=1, kept=0.75, items=4, link_f1=2.0)
    found = resample_figures([document] * 3, figure="value", samples=20, seed=0)
    assert set(found["value"].values()) == {(0.75 / 2 + 0.5) / 2}


def test_plain_tallies_are_resampled_alike_in_both_ways() -> None:
    tallies = [Tally(n % 3, 3, n % 3, 4) for n in range(10)]
    found = resample_figures(tallies, figure="f1", samples=40, seed=3)
    assert found["f1"] == resample(tallies, samples=40, seed=3)["f1"]
