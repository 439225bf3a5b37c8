"""The optimal assignment against brute force, and its ties."""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite import assignment
from lydite.assignment import assign, assign_arrays

Edge = tuple[int, int, int]


def best_total(edges: list[Edge]) -> float:
    """By trying every way to give each row one of its columns, or none."""
    weights: dict[tuple[int, int], int] = {}
    for row, column, weight in edges:
        weights[row, column] = max(weight, weights.get((row, column), 0))
    rows = sorted({row for row, _, _ in edges})
    columns = sorted({column for _, column, _ in edges})
    nobody = [None] * len(rows)
    return max(
        sum(
            weights.get((row, column), 0)
            for row, column in zip(rows, choice, strict=True)
            if column is not None
        )
        for choice in itertools.permutations([*columns, *nobody], len(rows))
    )


def total(edges: list[Edge], chosen: list[int]) -> int:
    rows = [edges[position][0] for position in chosen]
    columns = [edges[position][1] for position in chosen]
    assert len(set(rows)) == len(rows), "a row was chosen twice"
    assert len(set(columns)) == len(columns), "a column was chosen twice"
    return sum(edges[position][2] for position in chosen)


def tables(largest: int = 4) -> st.SearchStrategy[list[Edge]]:
    cell = st.tuples(st.integers(0, largest), st.integers(0, largest), st.integers(1, 6))
    return st.lists(cell, max_size=18, unique_by=lambda edge: edge[:2])


def arrays(edges: list[Edge]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, columns, weights = np.array(edges, dtype=np.int64).reshape(-1, 3).T
    return rows.copy(), columns.copy(), weights.copy()


@settings(deadline=None)
@given(edges=tables())
def test_the_total_is_the_best_that_brute_force_finds(edges: list[Edge]) -> None:
    assert total(edges, assign(edges)) == (best_total(edges) if edges else 0)


@settings(deadline=None)
@given(edges=tables(9))
def test_arrays_reach_the_same_total_as_plain_python(edges: list[Edge]) -> None:
    chosen = assign_arrays(*arrays(edges)).tolist()
    assert total(edges, chosen) == total(edges, assign(edges))


@settings(deadline=None)
@given(edges=tables(9))
def test_every_solver_of_the_core_reaches_the_same_total(edges: list[Edge]) -> None:
    expected = total(edges, assign(edges))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "PLAIN_LIMIT", -1)
        patch.setattr(assignment, "FEW_EDGES", -1)
        assert total(edges, assign(edges)) == expected
        assert total(edges, assign_arrays(*arrays(edges)).tolist()) == expected
        patch.setattr(assignment, "DENSE_LIMIT", 0)
        assert total(edges, assign_arrays(*arrays(edges)).tolist()) == expected


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("density", [0.02, 0.1, 0.6])
def test_dense_and_sparse_random_tables_agree_with_the_library(seed: int, density: float) -> None:
    from scipy.optimize import linear_sum_assignment

    generator = random.Random(seed)
    rows, columns = generator.randint(20, 60), generator.randint(20, 60)
    edges = [
        (row, column, generator.randint(1, 30))
        for row in range(rows)
        for column in range(columns)
        if generator.random() < density
    ]
    matrix = np.zeros((rows, columns))
    for row, column, weight in edges:
        matrix[row, column] = weight
    expected = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert total(edges, assign(edges)) == expected
    assert total(edges, assign_arrays(*arrays(edges)).tolist()) == expected


def test_the_best_edge_first_is_not_the_best_total() -> None:
    assert assign([("a", "x", 3), ("a", "y", 2), ("b", "x", 2)]) == [1, 2]


def test_edges_without_weight_are_never_chosen() -> None:
    assert assign([("a", "x", 0), ("b", "y", -1), ("c", "z", 1)]) == [2]


def test_of_two_edges_between_the_same_ends_the_heavier_counts() -> None:
    assert assign([("a", "x", 1), ("a", "x", 2), ("a", "x", 2)]) == [1]


def test_equal_leaves_go_to_the_first_one_named() -> None:
    assert assign([("b", "x", 1), ("a", "x", 1), ("c", "x", 1)]) == [0]


def test_fractions_are_compared_exactly() -> None:
    tiny = Fraction(1, 10**40)
    edges = [
        ("a", "x", Fraction(1, 3)),
        ("a", "y", Fraction(1, 3)),
        ("b", "x", Fraction(1, 3) + tiny),
        ("b", "y", Fraction(1, 3)),
    ]
    assert assign(edges) == [1, 2]


@pytest.mark.parametrize("seed", range(20))
def test_doubles_are_compared_as_the_numbers_that_they_are(seed: int) -> None:
    chance = random.Random(seed)
    edges = [
        (row, column, chance.randint(1, 9) * 0.1 + chance.randint(0, 3) * 1e-17)
        for row in range(9)
        for column in range(9)
        if chance.random() < 0.7
    ]
    exact = [(row, column, Fraction(weight)) for row, column, weight in edges]
    assert assign(edges) == assign(exact)


def test_no_edges_give_no_choice() -> None:
    assert assign([]) == []
    assert assign_arrays(*arrays([])).tolist() == []


def test_a_long_path_is_solved_without_recursion() -> None:
    path = [(step // 2 + step % 2, step // 2, 2) for step in range(20_001)]
    assert len(assign(path)) == 10_001


def test_a_small_table_loads_neither_numpy_nor_scipy() -> None:
    edges = [(row, column, 1 + (row * 7 + column * 5) % 9) for row in range(12) for column in range(12)]
    program = (
        "import sys; from lydite.assignment import assign\n"
        f"assert len(assign({edges})) == 12\n"
        "assert not {'numpy', 'scipy'} & set(sys.modules), 'a small assignment loaded a heavy library'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_whole_numbers_beyond_any_double_are_weighed_by_their_ratios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, "PLAIN_LIMIT", -1)
    huge = 10**400
    edges = [
        (row, column, huge + huge * ((row * 7 + column * 5) % 11)) for row in range(6) for column in range(6)
    ]
    small = [(row, column, weight // huge) for row, column, weight in edges]
    assert total(small, assign(edges)) == total(small, assign(small))


@pytest.mark.parametrize("seed", range(12))
def test_prices_change_nothing_about_the_best_choice(seed: int) -> None:
    chance = np.random.default_rng(seed)
    row_count, column_count = chance.integers(5, 60, 2).tolist()
    codes = np.unique(chance.integers(0, row_count * column_count, 4 * row_count))
    rows, columns = np.divmod(codes, column_count)
    _, rows = np.unique(rows, return_inverse=True)
    _, columns = np.unique(columns, return_inverse=True)
    weights = 2 * chance.integers(1, 4, len(rows)) / chance.integers(6, 40, len(rows))
    sizes = int(rows.max()) + 1, int(columns.max()) + 1
    totals = []
    for solve in (assignment._solve_dense, assignment._solve_sparse, assignment._solve_priced):
        partner = solve(rows, columns, weights, *sizes)
        chosen = np.flatnonzero(partner[rows] == columns)
        assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
        totals.append(math.fsum(weights[chosen]))
    assert totals == pytest.approx([totals[0]] * 3, rel=1e-14)


def test_a_large_component_of_fractions_is_priced_first(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(5)
    codes = np.unique(chance.integers(0, 50 * 50, 300))
    rows, columns = np.divmod(codes, 50)
    weights = chance.integers(1, 9, len(rows)) / chance.integers(9, 99, len(rows))
    plain = math.fsum(weights[assign_arrays(rows, columns, weights)])
    for name, limit in (("DENSE_LIMIT", 1), ("FEW_EDGES", 1), ("PRICED_FROM", 1)):
        monkeypatch.setattr(assignment, name, limit)
    asked = []
    prices = assignment._prices
    monkeypatch.setattr(assignment, "_prices", lambda *given: asked.append(1) or prices(*given))
    assert math.fsum(weights[assign_arrays(rows, columns, weights)]) == pytest.approx(plain, rel=1e-14)
    assert asked
