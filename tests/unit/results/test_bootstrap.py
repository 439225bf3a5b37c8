from __future__ import annotations

import pytest

from lydite.model import Tally
from lydite.results.bootstrap import PERCENTILES, percentile, resample


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
