"""One-to-one pairs that are best by several criteria, one after the other, and of equals first in order.

The first criterion is the sum that is as large as possible; a later one decides between equal sums of those before it.
What is left is decided by the list of (place in gold, place in system), in the order of gold: the smallest one counts.

All criteria are joined in one whole number for every pair, so that nothing is rounded.  An optimal assignment comes with
prices: an edge that is as good as its prices is in some optimum, any other edge in none.  The first list in order is
found among the edges of optima alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Criteria = tuple["int | Fraction", ...]
"""What a pair is worth, by criteria of falling importance."""

PLAIN_LIMIT = 60
"""Up to this many rows and columns the assignment is solved in whole numbers of any size."""
EXACT = 1 << 50
"""Whole numbers up to this one are exact as floats, with room for sums of a few of them."""


def best_pairs(
    gold_count: int, system_count: int, worth: Mapping[tuple[int, int], Criteria], *, full: bool = False
) -> list[tuple[int, int]]:
    """The best pairs in the order of gold.  Pairs without an entry in ``worth`` are not possible.

    With ``full`` as many pairs are taken as the shorter side has, even worthless ones; else the first criterion of every
    entry is above 0, and it decides which sides stay alone.
    """
    if not worth:
        return []
    if full:
        return _pairs_of_component(range(gold_count), range(system_count), worth)
    pairs: list[tuple[int, int]] = []
    for rows, columns in _components(worth):
        if len(rows) == len(columns) == 1:
            pairs.append((rows[0], columns[0]))
        else:
            pairs += _pairs_of_component(rows, columns, worth)
    return sorted(pairs)


def _components(worth: Mapping[tuple[int, int], Criteria]) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that possible pairs join, directly or over others."""
    near: dict[tuple[bool, int], list[tuple[bool, int]]] = {}
    for row, column in worth:
        near.setdefault((True, row), []).append((False, column))
        near.setdefault((False, column), []).append((True, row))
    seen: set[tuple[bool, int]] = set()
    found = []
    for start in near:
        if start in seen:
            continue
        seen.add(start)
        frontier, members = [start], [start]
        while frontier:
            for vertex in near[frontier.pop()]:
                if vertex not in seen:
                    seen.add(vertex)
                    members.append(vertex)
                    frontier.append(vertex)
        rows = sorted(at for is_row, at in members if is_row)
        found.append((rows, sorted(at for is_row, at in members if not is_row)))
    return found


def _pairs_of_component(
    rows: Sequence[int], columns: Sequence[int], worth: Mapping[tuple[int, int], Criteria]
) -> list[tuple[int, int]]:
    size = max(len(rows), len(columns))
    stages = _whole_numbers(rows, columns, worth)
    row_at = {row: at for at, row in enumerate(rows)}
    column_at = {column: at for at, column in enumerate(columns)}
    places = [
        (row_at[row], column_at[column]) for row, column in worth if row in row_at and column in column_at
    ]
    real = [0] * size
    for row, column in places:
        real[row] |= 1 << column
    if size <= PLAIN_LIMIT:
        matched, tight = _solve_plainly(size, places, _joined(stages, size))
    else:
        matched, tight = _solve_in_stages(size, places, stages)
    padding = [tight[row] & ~real[row] for row in range(size)]
    chosen = _first_in_order(matched, tight, real, padding)
    return [
        (rows[row], columns[column]) for row, column in chosen if row < len(rows) and column < len(columns)
    ]


def _whole_numbers(
    rows: Sequence[int], columns: Sequence[int], worth: Mapping[tuple[int, int], Criteria]
) -> list[list[int]]:
    """For every criterion, in order, a whole number for each possible pair, in the proportions of what it is worth."""
    inside_rows, inside_columns = set(rows), set(columns)
    entries = [one for (row, column), one in worth.items() if row in inside_rows and column in inside_columns]
    stages = []
    for values in zip(*entries, strict=True):
        factor = lcm(*{value.denominator for value in values})
        stages.append([int(value * factor) for value in values])
    return stages


def _joined(stages: Sequence[Sequence[int]], size: int) -> list[int]:
    """One whole number for all criteria of a pair: no sum of a later one outweighs a difference of an earlier one."""
    joined = [0] * len(stages[0])
    for stage in stages:
        reach = 2 * size * max(map(abs, stage)) + 1
        joined = [before * reach + value for before, value in zip(joined, stage, strict=True)]
    return joined


def _solve_plainly(
    size: int, places: Sequence[tuple[int, int]], values: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The column of every row in an optimum, and the edges that are in some optimum, as bits (Hungarian method)."""
    cost = [[0] * size for _ in range(size)]
    for (row, column), value in zip(places, values, strict=True):
        cost[row][column] = -value
    row_price, column_price = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)
    infinite = 1 + 4 * size * (1 + max(map(abs, values)))
    for row in range(1, size + 1):
        row_of[0] = row
        at = 0
        slack = [infinite] * (size + 1)
        way = [0] * (size + 1)
        used = [False] * (size + 1)
        while row_of[at]:
            used[at] = True
            here, delta, following = row_of[at], infinite, 0
            costs, price = cost[here - 1], row_price[here]
            for column in range(1, size + 1):
                if not used[column]:
                    rest = costs[column - 1] - price - column_price[column]
                    if rest < slack[column]:
                        slack[column] = rest
                        way[column] = at
                    if slack[column] < delta:
                        delta, following = slack[column], column
            for column in range(size + 1):
                if used[column]:
                    row_price[row_of[column]] += delta
                    column_price[column] -= delta
                else:
                    slack[column] -= delta
            at = following
        while at:
            row_of[at] = row_of[way[at]]
            at = way[at]
    matched = [0] * size
    for column in range(1, size + 1):
        matched[row_of[column] - 1] = column - 1
    tight = [
        sum(
            1 << column
            for column in range(size)
            if cost[row][column] == row_price[row + 1] + column_price[column + 1]
        )
        for row in range(size)
    ]
    return matched, tight


def _solve_in_stages(
    size: int, places: Sequence[tuple[int, int]], stages: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """As :func:`_solve_plainly`, criterion by criterion: each one only among the edges of optima of those before it."""
    import numpy as np

    rows, columns = (np.array(side) for side in zip(*places, strict=True))
    gains = []
    for stage in _in_few_numbers(stages, size):
        gain = np.zeros((size, size))
        gain[rows, columns] = stage
        gains.append(gain)
    return _solve_matrices(gains)


def _solve_matrices(gains: Sequence[npt.NDArray[np.float64]]) -> tuple[list[int], list[int]]:
    """The column of every row in an optimum, and the edges that are in some optimum, as bits; whole numbers as floats."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    size = len(gains[0])
    allowed = np.ones((size, size), dtype=bool)
    matched = np.arange(size)
    for gain in gains:
        forbidden = -2.0 * size * (np.abs(gain).max() + 1)
        gain[~allowed] = max(forbidden, -float(1 << 52))
        _, matched = linear_sum_assignment(gain, maximize=True)
        allowed &= _in_some_optimum(gain, matched)
    return matched.tolist(), [_bits(line) for line in allowed]


def best_pairs_of_arrays(stages: Sequence[npt.NDArray[np.int64]]) -> list[tuple[int, int]]:
    """As :func:`best_pairs`, from a matrix of whole numbers for each criterion; 0 in the first: no pair is possible."""
    import numpy as np

    rows, columns = stages[0].shape
    size = max(rows, columns)
    joined: list[npt.NDArray[np.float64]] = []
    for stage in stages:
        reach = 2 * size * int(np.abs(stage).max()) + 1
        padded = np.zeros((size, size))
        padded[:rows, :columns] = stage
        if joined and np.abs(joined[-1]).max() * reach * size < EXACT:
            joined[-1] = joined[-1] * reach + padded
        else:
            joined.append(padded)
    real = np.zeros((size, size), dtype=bool)
    real[:rows, :columns] = stages[0] > 0
    matched, tight = _solve_matrices(joined)
    real_bits = [_bits(line) for line in real]
    padding = [tight[row] & ~real_bits[row] for row in range(size)]
    return _first_in_order(matched, tight, real_bits, padding)


def _in_few_numbers(stages: Sequence[Sequence[int]], size: int) -> list[list[int]]:
    """Criteria joined as long as their numbers stay exact; one that is too large alone is rounded to 12 decimals."""
    joined: list[list[int]] = []
    for stage in stages:
        most = max(map(abs, stage))
        values = list(stage)
        if most * size > EXACT:
            values = [round(value * (EXACT // size) / most) for value in stage]
        reach = 2 * size * max(map(abs, values)) + 1
        if joined and max(map(abs, joined[-1])) * reach * size < EXACT:
            joined[-1] = [before * reach + value for before, value in zip(joined[-1], values, strict=True)]
        else:
            joined.append(values)
    return joined


def _in_some_optimum(gain: npt.NDArray[np.float64], matched: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """The edges that some optimum has: prices follow from one optimum as shortest ways (Bellman and Ford)."""
    import numpy as np

    own = gain[np.arange(len(gain)), matched]
    # A step from a row to the row whose column it could take costs what the change loses.
    loss = own[:, None] - gain[:, matched]
    price = loss.min(axis=0)
    while True:
        better = np.minimum(price, (price[:, None] + loss).min(axis=0))
        if np.array_equal(better, price):
            break
        price = better
    reduced = loss + price[:, None] - price[None, :]
    tight = np.zeros_like(gain, dtype=bool)
    tight[:, matched] = reduced == 0
    return tight


def _bits(line: npt.NDArray[np.bool_]) -> int:
    import numpy as np

    return int.from_bytes(np.packbits(line, bitorder="little").tobytes(), "little")


def _first_in_order(
    matched: Sequence[int], tight: Sequence[int], real: Sequence[int], padding: Sequence[int]
) -> list[tuple[int, int]]:
    """The pairs of the optimum whose list is smallest: every row in order takes the first column that it can have."""
    column_of = list(matched)
    row_of = [0] * len(column_of)
    for row, column in enumerate(column_of):
        row_of[column] = row
    allowed = list(tight)
    chosen: list[tuple[int, int]] = []
    for row in range(len(column_of)):
        wanted = allowed[row] & real[row]
        while wanted:
            column = (wanted & -wanted).bit_length() - 1
            if column_of[row] == column or _rearrange(row, column, column_of, row_of, allowed):
                allowed[row] = 1 << column
                chosen.append((row, column))
                break
            wanted &= wanted - 1
        else:
            allowed[row] &= padding[row]
    return chosen


def _rearrange(
    row: int, column: int, column_of: list[int], row_of: list[int], allowed: Sequence[int]
) -> bool:
    """Give a row another column, if all rows keep one that is allowed; False, and nothing changed, if they cannot."""
    target, owner = column_of[row], row_of[column]
    came_from: dict[int, int] = {}
    frontier = [owner]
    seen = 1 << column
    while frontier:
        here = frontier.pop()
        if here == row:
            continue
        if allowed[here] >> target & 1:
            free, mover = target, here
            while True:
                left = column_of[mover]
                column_of[mover], row_of[free] = free, mover
                if mover == owner:
                    break
                free, mover = left, came_from[left]
            column_of[row], row_of[column] = column, row
            return True
        reachable = allowed[here] & ~seen
        while reachable:
            lowest = reachable & -reachable
            following = lowest.bit_length() - 1
            came_from[following] = here
            frontier.append(row_of[following])
            reachable &= reachable - 1
        seen |= allowed[here]
    return False
