from __future__ import annotations

import pytest

from lydite.results.bootstrap import percentile


def test_the_percentile_is_that_of_nists_rule() -> None:
    assert percentile([15, 20, 35, 40, 50], 40) == pytest.approx(26)
    assert percentile([15, 20, 35, 40, 50], 20) == pytest.approx(16)


def test_percentiles_beyond_the_ends_are_the_ends() -> None:
    assert percentile([1, 2, 3], 1) == 1
    assert percentile([1, 2, 3], 99) == 3
