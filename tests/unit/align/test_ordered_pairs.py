"""One-to-one pairs by several criteria: the definition is that of trying everything."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.align import ordered_pairs
from lydite.align.ordered_pairs import best_pairs, best_pairs_of_arrays

Worth = dict[tuple[int, int], tuple[Fraction, int]]


def _by_trying(rows: int, columns: int, worth: Worth, *, full: bool) -> list[tuple[int, int]]:
    found: list[tuple[tuple[Fraction, int], list[tuple[int, int]]]] = []

    def choose(row: int, taken: frozenset[int], pairs: list[tuple[int, int]]) -> None:
        if row == rows:
            if not full or len(pairs) == min(rows, columns):
                sums = sum(-worth[pair][0] for pair in pairs), sum(-worth[pair][1] for pair in pairs)
                found.append(((Fraction(sums[0]), sums[1]), pairs))
            return
        for column in range(columns):
            if column not in taken and (row, column) in worth:
                choose(row + 1, taken | {column}, [*pairs, (row, column)])
        choose(row + 1, taken, pairs)

    choose(0, frozenset(), [])
    return min(found)[1]


@st.composite
def tables(draw: st.DrawFn, *, full: bool) -> tuple[int, int, Worth]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entries = st.tuples(st.fractions(0 if full else Fraction(1, 3), 2, max_denominator=3), st.integers(-2, 2))
    worth = {
        (row, column): draw(entries)
        for row in range(rows)
        for column in range(columns)
        if full or draw(st.booleans())
    }
    return rows, columns, worth


@pytest.mark.parametrize("limit", [60, 0], ids=["plain", "in stages"])
@given(table=tables(full=False))
def test_the_pairs_are_the_first_best_ones(table: tuple[int, int, Worth], limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordered_pairs, "PLAIN_LIMIT", limit)
        assert best_pairs(*table) == _by_trying(*table, full=False)


@pytest.mark.parametrize("limit", [60, 0], ids=["plain", "in stages"])
@given(table=tables(full=True))
def test_full_pairs_are_as_many_as_the_shorter_side_has(table: tuple[int, int, Worth], limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordered_pairs, "PLAIN_LIMIT", limit)
        assert best_pairs(*table, full=True) == _by_trying(*table, full=True)


@given(table=tables(full=False))
def test_matrices_give_the_same_pairs(table: tuple[int, int, Worth]) -> None:
    rows, columns, worth = table
    first, second = np.zeros((2, rows, columns), dtype=np.int64)
    for (row, column), (similarity, correct) in worth.items():
        first[row, column], second[row, column] = int(6 * similarity), correct
    assert best_pairs_of_arrays([first, second]) == best_pairs(*table)
