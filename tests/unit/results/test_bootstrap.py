from __future__ import annotations

import pytest

from lydite.results.bootstrap import PERCENTILES, draw_documents, percentile, percentiles


def test_the_percentile_is_that_of_nists_rule() -> None:
    assert percentile([15, 20, 35, 40, 50], 40) == pytest.approx(26)
    assert percentile([15, 20, 35, 40, 50], 20) == pytest.approx(16)


def test_percentiles_beyond_the_ends_are_the_ends() -> None:
    assert percentile([1, 2, 3], 1) == 1
    assert percentile([1, 2, 3], 99) == 3


def test_seven_percentiles_are_reported() -> None:
    assert percentiles(range(1, 100)) == {q: q for q in (1, 5, 25, 50, 75, 95, 99)}


def test_equal_values_leave_nothing_to_chance() -> None:
    assert percentiles([0.25] * 5) == dict.fromkeys(PERCENTILES, 0.25)


def test_the_same_seed_gives_the_same_draws() -> None:
    one, other = (list(draw_documents(10, 100, 7)) for _ in range(2))
    assert one == other
    assert all(len(drawn) == 10 and set(drawn) <= set(range(10)) for drawn in one)
