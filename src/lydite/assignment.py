"""Optimal assignment: the one-to-one choice of weighted edges with the largest total.

Given edges (row, column, weight) between two sides, choose edges such that no row and no column occurs twice and the
sum of the weights is as large as possible.  Edges of weight zero are never chosen, so rows and columns may stay
unmatched.  Real tables are nearly forests; the work is therefore done in this order:

1. *Leaf folding.*  A vertex with neighbours of degree one (its leaves) can always be matched with its best leaf, of
   weight b.  So b is certain: the leaves are removed, the weight of every other edge of the vertex is reduced by b, and
   edges without weight are removed too.  At the end a vertex that was not matched through another edge gets its leaf.
2. *Dominance.*  An edge that weighs at least as much as its best rival at the row and its best rival at the column
   together is chosen.
3. *Components.*  The rest falls into connected components, and the optimum is the sum over them.
4. *The core.*  A component goes to :func:`scipy.optimize.linear_sum_assignment`, beyond ``DENSE_LIMIT`` on both sides
   to :func:`scipy.sparse.csgraph.min_weight_full_bipartite_matching`, beyond ``PRICED_FROM`` edges with prices from
   :func:`scipy.optimize.linprog` to start from.  If all components together are small, they are solved exactly in
   the weights' own arithmetic: integers may have hundreds of bits, which no library takes.

Ties are broken by the order in which the edges name rows and columns, and by nothing else: neither by hashing nor by
what is installed or loaded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    Weights: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]

PLAIN_LIMIT = 300_000
"""Components that together need at most this many steps (about a tenth of a second) are solved without SciPy."""

DENSE_LIMIT = 2000
"""A component with more rows and more columns than this is never written out as a matrix."""

PRICED_FROM = 100_000
"""A sparse component with so many edges is first solved as a linear programme, as matching alone would take minutes.

This holds for fractions as weights only.  Integers are so often equal that matching alone is faster.
"""

FEW_EDGES = 5000
"""Up to this many edges, what folding leaves of an array is solved in plain Python."""

WORTHWHILE = 0.01
"""Vectorised folding goes on as long as a round removes at least this share of the edges."""


Weight: TypeAlias = "int | float | Fraction"
Edge: TypeAlias = tuple[Hashable, Hashable, Weight]
"""(row, column, weight)."""


def assign(edges: Iterable[Edge]) -> list[int]:
    """The positions of the chosen edges, ascending: the one-to-one choice with the largest total weight.

    Weights may be ints, Fractions or floats; ints and Fractions are compared exactly up to the limit of a plain
    solution (``PLAIN_LIMIT``), beyond it as doubles.  Of several edges between the same row and column the heaviest
    counts, the first one if they are equal.

    >>> assign([("a", "x", 3), ("a", "y", 2), ("b", "x", 2)])
    [1, 2]
    """
    stars, rest = _split_off_stars(list(edges))
    if not rest:
        return sorted(stars)
    graph = _Graph(rest)
    graph.reduce()
    components = graph.components()
    work = sum(min(len(rows), len(columns)) * len(rows) * len(columns) for rows, columns in components)
    solve = _solve_plainly if work <= PLAIN_LIMIT else _solve_with_library
    for rows, columns in components:
        for row, column in solve(graph.near, rows, columns):
            graph.choose(row, column)
    graph.unfold()
    return sorted([*stars, *graph.chosen])


def _split_off_stars(edges: Sequence[Edge]) -> tuple[list[int], list[tuple[int, Edge]]]:
    """The positions of the best edge of every star, and the edges outside stars with their positions.

    A star is a vertex whose neighbours have no other edge; an isolated pair is the smallest star.  Clusters that were
    only split, or only merged, are stars, so nearly all edges of a real table are in one.
    """
    row_degrees: dict[Hashable, int] = {}
    column_degrees: dict[Hashable, int] = {}
    for row, column, _ in edges:
        row_degrees[row] = row_degrees.get(row, 0) + 1
        column_degrees[column] = column_degrees.get(column, 0) + 1
    shared_rows = {row for row, column, _ in edges if column_degrees[column] != 1}
    shared_columns = {column for row, column, _ in edges if row_degrees[row] != 1}
    best: dict[tuple[bool, Hashable], tuple[Weight, int]] = {}
    rest = []
    for position, edge in enumerate(edges):
        row, column, weight = edge
        if column not in shared_columns:
            centre = False, column
        elif row not in shared_rows:
            centre = True, row
        else:
            rest.append((position, edge))
            continue
        if weight > 0 and (centre not in best or weight > best[centre][0]):
            best[centre] = weight, position
    return [position for _, position in best.values()], rest


def assign_arrays(rows: Integers, columns: Integers, weights: Weights) -> Integers:
    """As :func:`assign` for arrays: small integers name rows and columns, weights are int64 or float64.

    A pair of row and column may occur once only.  Needs about 60 bytes per edge; a component is written out as a
    matrix only up to ``DENSE_LIMIT``.
    """
    import numpy as np

    table = _EdgeArrays(rows, columns, weights)
    while table.reduce():
        pass
    if len(table.remaining) <= FEW_EDGES:
        ends_and_weights = [array[table.remaining].tolist() for array in (rows, columns, table.weights)]
        chosen = assign(zip(*ends_and_weights, strict=True))
        table.choose(table.remaining[np.array(chosen, dtype=np.int64)])
    else:
        for component in table.components():
            places = _solve_edges(rows[component], columns[component], table.weights[component])
            table.choose(component[places])
    table.unfold()
    return np.flatnonzero(table.chosen)


# ---------------------------------------------------------------------------------------------- plain Python

Near: TypeAlias = "dict[int, dict[int, tuple[Weight, int]]]"
"""The neighbours of every vertex, each with the remaining weight and the position of the edge."""


def _naming_order(vertex: int) -> int:
    """The number of a vertex in the order in which those of its side were first named."""
    return vertex if vertex >= 0 else -1 - vertex


class _Graph:
    """A bipartite graph under reduction: rows are the vertices 0, 1, 2 …, columns -1, -2, -3 …"""

    def __init__(self, edges: Iterable[tuple[int, Edge]]) -> None:
        rows: dict[Hashable, int] = {}
        columns: dict[Hashable, int] = {}
        self.near: Near = {}
        self.chosen: list[int] = []
        self._matched: set[int] = set()
        self._folds: list[tuple[int, int, int]] = []
        for position, (row_name, column_name, weight) in edges:
            if not weight > 0:
                continue
            row = rows.setdefault(row_name, len(rows))
            column = columns.setdefault(column_name, -1 - len(columns))
            at_row, at_column = self.near.setdefault(row, {}), self.near.setdefault(column, {})
            # Differences of doubles would be rounded.
            exact = Fraction(weight) if isinstance(weight, float) else weight
            if column not in at_row or at_row[column][0] < exact:
                at_row[column] = at_column[row] = (exact, position)

    def reduce(self) -> None:
        """Fold leaves and take dominant edges until neither is possible."""
        self._fold_leaves()
        while any(self.near.values()) and self._take_dominant():
            self._fold_leaves()

    def choose(self, row: int, column: int) -> None:
        """Choose the edge between the two."""
        self.chosen.append(self.near[row][column][1])
        self._matched.update((row, column))

    def unfold(self) -> None:
        """Match every folded vertex that is still free with its leaf, the last fold first."""
        for hub, leaf, position in reversed(self._folds):
            if hub not in self._matched:
                self.chosen.append(position)
                self._matched.update((hub, leaf))

    def components(self) -> list[tuple[list[int], list[int]]]:
        """Rows and columns of every connected component, in the order in which they were named."""
        seen: set[int] = set()
        components = []
        for start in sorted(vertex for vertex, others in self.near.items() if vertex >= 0 and others):
            if start in seen:
                continue
            reached = {start}
            frontier = [start]
            while frontier:
                found = [vertex for vertex in self.near[frontier.pop()] if vertex not in reached]
                reached.update(found)
                frontier.extend(found)
            seen |= reached
            rows = sorted(vertex for vertex in reached if vertex >= 0)
            components.append((rows, sorted((vertex for vertex in reached if vertex < 0), reverse=True)))
        return components

    def _fold_leaves(self) -> None:
        near = self.near
        leaves = [vertex for vertex, others in near.items() if len(others) == 1]
        while leaves:
            leaf = leaves.pop()
            if len(near[leaf]) != 1:
                continue
            (hub,) = near[leaf]
            others = near[hub]
            best = leaf
            leaf_weight, position = others[leaf]
            for vertex, (weight, edge) in others.items():
                if weight < leaf_weight or len(near[vertex]) != 1:
                    continue
                # Of equal leaves, take the one that was named first.
                if weight > leaf_weight or _naming_order(vertex) < _naming_order(best):
                    best, leaf_weight, position = vertex, weight, edge
            self._folds.append((hub, best, position))
            reduced = {}
            for vertex, (weight, edge) in others.items():
                if weight > leaf_weight:
                    reduced[vertex] = near[vertex][hub] = (weight - leaf_weight, edge)
                else:
                    del near[vertex][hub]
                    leaves.append(vertex)
            near[hub] = reduced
            leaves.append(hub)

    def _take_dominant(self) -> bool:
        """Choose every edge that weighs as much as its two best rivals together; whether there was one."""
        near = self.near
        best_two = {vertex: _best_two(others) for vertex, others in near.items() if others}
        has_chosen = False
        for row in sorted(vertex for vertex in best_two if vertex >= 0):
            others = near[row]
            if not others:
                continue
            column = min(others, key=lambda vertex: (-others[vertex][0], _naming_order(vertex)))
            weight = others[column][0]
            # A rival may have been removed since it was recorded; then the true rival is even weaker.
            best_of_column, rival_of_column = best_two[column]
            if weight == best_of_column and weight >= best_two[row][1] + rival_of_column:
                self.choose(row, column)
                self._remove(row)
                self._remove(column)
                has_chosen = True
        return has_chosen

    def _remove(self, vertex: int) -> None:
        for other in self.near[vertex]:
            del self.near[other][vertex]
        self.near[vertex] = {}


def _best_two(others: dict[int, tuple[Weight, int]]) -> tuple[Weight, Weight]:
    first: Weight = 0
    second: Weight = 0
    for weight, _ in others.values():
        if weight > first:
            first, second = weight, first
        elif weight > second:
            second = weight
    return first, second


def _solve_plainly(near: Near, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    """The row of every chosen column, in the arithmetic of the weights.

    Rows are added one by one.  A row in hand takes a column; if the column has an owner, that row is in hand next.  The
    last row in hand takes a free column or none.  Of all such ways the one that gains most is gone, so that the choice is
    the best one for the rows so far.
    """
    if len(rows) > len(columns):
        return [(row, column) for column, row in _solve_plainly(near, columns, rows)]
    owner: dict[int, int] = {}
    for new in rows:
        gains: dict[int, Weight] = {new: 0}
        taken: dict[int, tuple[int, int]] = {}
        """By row in hand, the row that was in hand before and the column that it took."""
        waiting = deque([new])
        best: Weight = 0
        last, free = new, None
        while waiting:
            row = waiting.popleft()
            if gains[row] > best:
                best, last, free = gains[row], row, None
            for column, (weight, _) in near[row].items():
                gain = gains[row] + weight
                if column not in owner:
                    if gain > best:
                        best, last, free = gain, row, (column,)
                    continue
                next_row = owner[column]
                gain -= near[next_row][column][0]
                if next_row not in gains or gain > gains[next_row]:
                    gains[next_row], taken[next_row] = gain, (row, column)
                    waiting.append(next_row)
        if free is not None:
            owner[free[0]] = last
        while last != new:
            last, column = taken[last]
            owner[column] = last
    return [(row, column) for column, row in owner.items()]


def _solve_with_library(near: Near, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    """Solve one component with SciPy, with weights as doubles."""
    import numpy as np

    column_numbers = {column: number for number, column in enumerate(columns)}
    # Weights may be whole numbers beyond any double; their ratios are not.
    largest = max(weight for row in rows for weight, _ in near[row].values())
    edges = [
        (row_number, column_numbers[column], float(near[row][column][0] / largest))
        for row_number, row in enumerate(rows)
        for column in sorted(near[row], reverse=True)
    ]
    row_numbers, numbers, weights = zip(*edges, strict=True)
    chosen = _solve_edges(np.array(row_numbers), np.array(numbers), np.array(weights))
    return [(rows[row_numbers[position]], columns[numbers[position]]) for position in chosen.tolist()]


# ---------------------------------------------------------------------------------------------- arrays


class _EdgeArrays:
    """The same reduction with arrays, in rounds: every round folds all leaves at once, then chooses dominant edges."""

    def __init__(self, rows: Integers, columns: Integers, weights: Weights) -> None:
        import numpy as np

        self.rows, self.columns, self.weights = rows, columns, weights.copy()
        self.chosen = np.zeros(len(rows), dtype=bool)
        self._row_count = int(rows.max()) + 1 if len(rows) else 0
        self._column_count = int(columns.max()) + 1 if len(columns) else 0
        self._row_matched = np.zeros(self._row_count, dtype=bool)
        self._column_matched = np.zeros(self._column_count, dtype=bool)
        self.remaining: Integers = np.flatnonzero(weights > 0)
        self._folds: list[Integers] = []
        """The edges to the best leaves by fold; even folds were those of rows, odd ones those of columns."""

    def reduce(self) -> bool:
        """Do one round; False if no further round is worthwhile."""
        before = len(self.remaining)
        self._fold(self.rows, self._row_count, self.columns, self._column_count)
        self._fold(self.columns, self._column_count, self.rows, self._row_count)
        self._take_dominant()
        return len(self.remaining) > 0 and before - len(self.remaining) >= WORTHWHILE * before

    def choose(self, edges: Integers) -> None:
        """Choose these edges."""
        self.chosen[edges] = True
        self._row_matched[self.rows[edges]] = True
        self._column_matched[self.columns[edges]] = True

    def unfold(self) -> None:
        """Match every folded vertex that is still free with its leaf, the last fold first."""
        for place in range(len(self._folds) - 1, -1, -1):
            edges = self._folds[place]
            hubs, matched = self.rows, self._row_matched
            if place % 2:
                hubs, matched = self.columns, self._column_matched
            self.choose(edges[~matched[hubs[edges]]])

    def components(self) -> list[Integers]:
        """The remaining edges by component."""
        import numpy as np

        remaining = self.remaining
        if not len(remaining):
            return []
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        rows, row_numbers = np.unique(self.rows[remaining], return_inverse=True)
        columns, column_numbers = np.unique(self.columns[remaining], return_inverse=True)
        size = len(rows) + len(columns)
        ends = (row_numbers, column_numbers + len(rows))
        graph = coo_array((np.ones(len(remaining), dtype=np.int8), ends), shape=(size, size))
        _, labels = connected_components(graph, directed=False)
        component_of_edge = labels[row_numbers]
        order = np.argsort(component_of_edge, kind="stable")
        cuts = np.flatnonzero(np.diff(component_of_edge[order])) + 1
        return np.split(remaining[order], cuts)

    def _fold(self, hubs: Integers, hub_count: int, leaves: Integers, leaf_count: int) -> None:
        import numpy as np

        remaining = self.remaining
        leaf_edges = remaining[(np.bincount(leaves[remaining], minlength=leaf_count) == 1)[leaves[remaining]]]
        if not len(leaf_edges):
            self._folds.append(leaf_edges)
            return
        # The heaviest leaf of every hub, of equal ones the first named: sort stably by weight in reverse, take the last.
        order = leaf_edges[::-1][np.argsort(self.weights[leaf_edges[::-1]], kind="stable")]
        best = np.full(hub_count, -1, dtype=np.int64)
        best[hubs[order]] = order
        best_leaf_edges = best[best >= 0]
        leaf_weight = np.zeros(hub_count, dtype=self.weights.dtype)
        leaf_weight[hubs[best_leaf_edges]] = self.weights[best_leaf_edges]
        self._folds.append(best_leaf_edges)
        self.weights[remaining] -= leaf_weight[hubs[remaining]]
        self.remaining = remaining[self.weights[remaining] > 0]

    def _take_dominant(self) -> None:
        import numpy as np

        remaining = self.remaining
        if not len(remaining):
            return
        rows, columns, weights = self.rows[remaining], self.columns[remaining], self.weights[remaining]
        rival = _rivals(rows, weights, self._row_count) + _rivals(columns, weights, self._column_count)
        dominant = remaining[weights >= rival]
        # Equal edges without rivals can dominate each other; the first one named is chosen.
        _, first = np.unique(self.rows[dominant], return_index=True)
        dominant = dominant[np.sort(first)]
        _, first = np.unique(self.columns[dominant], return_index=True)
        dominant = dominant[np.sort(first)]
        self.choose(dominant)
        self.remaining = remaining[~(self._row_matched[rows] | self._column_matched[columns])]


def _rivals(ends: Integers, weights: Weights, count: int) -> Weights:
    """The largest weight of another edge at the same end, for every edge; 0 if there is none."""
    import numpy as np

    order = np.lexsort((weights, ends))
    sorted_ends, sorted_weights = ends[order], weights[order]
    last = np.flatnonzero(np.append(sorted_ends[1:] != sorted_ends[:-1], True))
    best = np.zeros(count, dtype=weights.dtype)
    best[sorted_ends[last]] = sorted_weights[last]
    second = np.zeros(count, dtype=weights.dtype)
    has_second = last[(last > 0) & (sorted_ends[last - 1] == sorted_ends[last])]
    second[sorted_ends[has_second]] = sorted_weights[has_second - 1]
    is_best = np.zeros(len(ends), dtype=bool)
    is_best[order[last]] = True
    rivals: Weights = np.where(is_best, second[ends], best[ends])
    return rivals


def _solve_edges(rows: Integers, columns: Integers, weights: Weights) -> Integers:
    """The positions of the chosen edges in one component: by a matrix up to the limit, by sparse matching beyond it."""
    import numpy as np

    row_names, row_numbers = np.unique(rows, return_inverse=True)
    column_names, column_numbers = np.unique(columns, return_inverse=True)
    solve = _solve_dense
    if min(len(row_names), len(column_names)) > DENSE_LIMIT:
        is_hard = len(weights) >= PRICED_FROM and weights.dtype.kind == "f"
        solve = _solve_priced if is_hard else _solve_sparse
    partner = solve(row_numbers, column_numbers, weights, len(row_names), len(column_names))
    return np.flatnonzero(partner[row_numbers] == column_numbers)


def _solve_dense(
    rows: Integers, columns: Integers, weights: Weights, row_count: int, column_count: int
) -> Integers:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    matrix = np.zeros((row_count, column_count))
    matrix[rows, columns] = weights
    partner = np.full(row_count, -1, dtype=np.int64)
    chosen_rows, chosen_columns = linear_sum_assignment(matrix, maximize=True)
    partner[chosen_rows] = chosen_columns
    return partner


NOTHING = 1e-200
"""Stands for a weight or cost of zero, which SciPy would read as "no edge"; far below the last bit of any other weight."""


def _solve_sparse(
    rows: Integers, columns: Integers, weights: Weights, row_count: int, column_count: int
) -> Integers:
    """Solve by sparse matching; every row gets a private column of (nearly) no weight, so that a full assignment exists."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    private = np.arange(row_count)
    data = np.concatenate([weights.astype(float), np.full(row_count, NOTHING)])
    ends = (np.concatenate([rows, private]), np.concatenate([columns, private + column_count]))
    matrix = csr_array((data, ends), shape=(row_count, column_count + row_count))
    partner = np.full(row_count, -1, dtype=np.int64)
    chosen_rows, chosen_columns = min_weight_full_bipartite_matching(matrix, maximize=True)
    partner[chosen_rows] = chosen_columns
    return partner


def _solve_priced(
    rows: Integers, columns: Integers, weights: Weights, row_count: int, column_count: int
) -> Integers:
    """As :func:`_solve_sparse`, for a large component: the matching starts from prices of rows and columns.

    Every row gets a private column and every column a private row, and two private ones have an edge where their owners
    have one: then every full assignment matches every vertex, and prices change all totals by the same amount.  So the
    result does not depend on the prices; but if they are good, nearly all edges of the best choice have no cost, and it
    is found in a fraction of the time.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    column_prices = _prices(rows, columns, weights, row_count, column_count)
    row_prices = np.zeros(row_count)
    np.maximum.at(row_prices, rows, weights - column_prices[columns])
    costs = np.maximum(row_prices[rows] + column_prices[columns] - weights, 0)
    own_rows, own_columns = np.arange(row_count), np.arange(column_count)
    ends = (
        np.concatenate([rows, own_rows, row_count + own_columns, row_count + columns]),
        np.concatenate([columns, column_count + own_rows, own_columns, column_count + rows]),
    )
    data = np.concatenate([costs, row_prices, column_prices, np.zeros(len(weights))]) + NOTHING
    size = row_count + column_count
    _, chosen = min_weight_full_bipartite_matching(csr_array((data, ends), shape=(size, size)))
    return np.where(chosen[:row_count] < column_count, chosen[:row_count], -1)


def _prices(
    rows: Integers, columns: Integers, weights: Weights, row_count: int, column_count: int
) -> npt.NDArray[np.float64]:
    """The prices of the columns: their dual values in the linear programme of the assignment; 0 if it cannot be solved."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    edges = np.arange(len(weights))
    ends = (np.concatenate([rows, row_count + columns]), np.concatenate([edges, edges]))
    table = csc_array((np.ones(2 * len(edges)), ends), shape=(row_count + column_count, len(edges)))
    solved = linprog(  # type: ignore[call-overload]  # sparse tables are not in the stubs
        -weights, A_ub=table, b_ub=np.ones(row_count + column_count), bounds=(0, 1), method="highs-ipm"
    )
    prices: npt.NDArray[np.float64] = np.zeros(column_count)
    if solved.status == 0:
        prices = np.maximum(-solved.ineqlin.marginals[row_count:], 0)
    return prices
