"""Pairs of elements: what is counted in arrays is what is counted one by one."""

from __future__ import annotations

import random

import pytest

from lydite.tasks.records import walk as walks
from lydite.tasks.records.schema import ANYTHING
from lydite.tasks.records.walk import Walker


def _items(draw: random.Random, count: int) -> list[object]:
    return [
        {key: draw.choice([1, "1", True, None]) for key in draw.sample(["a", "b", "c"], draw.randrange(1, 4))}
        for _ in range(count)
    ]


@pytest.mark.parametrize("similarity", ["dice", "count"])
@pytest.mark.parametrize("seed", range(30))
def test_long_lists_pair_as_short_ones_do(
    seed: int, similarity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    sides = _items(draw, draw.randrange(1, 9)), _items(draw, draw.randrange(1, 9))
    found = []
    for many in (1, 10_000):
        monkeypatch.setattr(walks, "MANY", many)
        walk = Walker(ANYTHING, similarity=similarity).walk(*sides)
        found.append((walk.leaves, walk.elements, walk.pairs))
    assert found[0] == found[1]


def test_crossed_pairs_are_taken_where_they_have_the_larger_sum() -> None:
    # The equal objects would earn 1 together, and crossed they earn 2/3 each.
    gold = [{"a": 1, "b": 2}, {"a": 1}]
    system = [{"a": 1, "b": 2}, {"b": 2}]
    walk = Walker(ANYTHING).walk(gold, system)
    assert [(pair.gold, pair.system) for pair in walk.pairs] == [("[0]", "[1]"), ("[1]", "[0]")]
