"""What cluster metrics count, in one form for the documents, arrays and tables that clusters come from.

k is the size of a gold cluster, r the size of a system cluster, and n the number of mentions that both have.  Two clusters
with n > 0 are a *cell*, and (k, r, n) is its *shape*.  Cells of one shape earn the same under every metric, so a metric
needs the number of cells of each shape.  Only CEAF needs the cells themselves, and only those whose clusters meet others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from lydite.model.cluster import OverlapTable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]

Histogram: TypeAlias = Mapping[int, int]
"""The number of clusters by a number of mentions."""

Shape: TypeAlias = tuple[int, int, int]
"""The size of the gold cluster, the size of the system cluster, the number of common mentions."""


Column = TypeVar("Column")


class Cells(NamedTuple, Generic[Column]):
    """Cells as columns of equal length: numbers of the gold and system clusters, their sizes, common mentions."""

    gold: Column
    system: Column
    gold_size: Column
    system_size: Column
    common: Column


NO_CELLS: Cells[Sequence[int]] = Cells((), (), (), (), ())


class ClusterCounts(NamedTuple):
    """The counts of two sides over one document or many."""

    gold_sizes: Histogram
    system_sizes: Histogram
    """The numbers of clusters by size, missed and spurious mentions included."""
    shapes: Mapping[Shape, int]
    alone: Mapping[Shape, int]
    """The shapes of the cells whose two clusters meet no other cluster."""
    gold_common: Histogram
    system_common: Histogram
    """The numbers of clusters by the mentions that the other side has, too."""
    pairs: tuple[int, int, int]
    """Pairs of mentions of one document, linked or not: of common mentions, gold mentions and system mentions."""
    contested: Cells[Sequence[int]] | Cells[Integers] | None
    """The cells that are not alone; None if an engine could not hold them."""


def pair_count(size: int) -> int:
    """The number of unordered pairs of ``size`` things: size·(size-1)/2."""
    return size * (size - 1) // 2


def split_by_rivals(table: OverlapTable) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """The cells that are alone in their row and column, and the other cells."""
    gold_cells, system_cells = [0] * len(table.gold_sizes), [0] * len(table.system_sizes)
    for gold, system, _ in table.cells:
        gold_cells[gold] += 1
        system_cells[system] += 1
    alone: list[tuple[int, int, int]] = []
    contested: list[tuple[int, int, int]] = []
    for cell in table.cells:
        (alone if gold_cells[cell[0]] == 1 == system_cells[cell[1]] else contested).append(cell)
    return alone, contested


def count_table(table: OverlapTable, ends: Iterable[tuple[int, int]] | None = None) -> ClusterCounts:
    """The counts of a table; ``ends`` are the numbers of its clusters up to the end of each document."""
    gold_sizes, system_sizes, cells = table
    gold_common, system_common = [0] * len(gold_sizes), [0] * len(system_sizes)
    for gold, system, common in cells:
        gold_common[gold] += common
        system_common[system] += common
    alone, contested = split_by_rivals(table)
    alone_shapes = Counter(
        [(gold_sizes[gold], system_sizes[system], common) for gold, system, common in alone]
    )
    columns = cells_of(table, contested)
    shapes = Counter(alone_shapes)
    shapes.update(zip(*columns[2:], strict=True))
    common_pairs = gold_pairs = system_pairs = row = column = 0
    for rows, columns_end in [(len(gold_sizes), len(system_sizes))] if ends is None else ends:
        common_pairs += pair_count(sum(gold_common[row:rows]))
        gold_pairs += pair_count(sum(gold_sizes[row:rows]))
        system_pairs += pair_count(sum(system_sizes[column:columns_end]))
        row, column = rows, columns_end
    return ClusterCounts(
        Counter(gold_sizes),
        Counter(system_sizes),
        shapes,
        alone_shapes,
        Counter(gold_common),
        Counter(system_common),
        (common_pairs, gold_pairs, system_pairs),
        columns,
    )


def cells_of(table: OverlapTable, cells: Iterable[tuple[int, int, int]]) -> Cells[Sequence[int]]:
    """Cells of a table with the sizes of their clusters."""
    rows = [
        (gold, system, table.gold_sizes[gold], table.system_sizes[system], common)
        for gold, system, common in cells
    ]
    return Cells(*zip(*rows, strict=True)) if rows else NO_CELLS


def shapes_and_alone(
    numbers: Iterable[tuple[tuple[int, int, int, bool], int]],
) -> tuple[dict[Shape, int], dict[Shape, int]]:
    """The shapes of all cells and of those that are alone, from numbers of cells by shape and whether they are alone."""
    shapes: dict[Shape, int] = {}
    alone: dict[Shape, int] = {}
    for (k, r, common, is_alone), number in numbers:
        shape = int(k), int(r), int(common)
        shapes[shape] = shapes.get(shape, 0) + int(number)
        if is_alone:
            alone[shape] = int(number)
    return shapes, alone
