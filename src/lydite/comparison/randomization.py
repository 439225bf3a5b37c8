"""The paired randomisation test: if two systems were exchangeable, their outputs for a unit could be swapped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lydite.comparison.draws import BLOCK
from lydite.model.tally import TINY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lydite.comparison.draws import Array, FigureOf

EXACT_LIMIT = 16
"""If no more units than this differ, all patterns of swaps are evaluated."""


class Significance(NamedTuple):
    """p (None where a system has no figure), whether all patterns were evaluated, and how many units differ."""

    p: float | None
    exact: bool | None
    changed_units: int | None


NO_TEST = Significance(None, None, None)
"""The result without units."""


def randomization_test(
    first: Array,
    second: Array,
    figure: FigureOf,
    *,
    resamples: int,
    seed: int,
    exact_limit: int = EXACT_LIMIT,
) -> Significance:
    """P of the absolute difference of a figure: the share of patterns of swaps with a difference at least as large.

    ``first`` and ``second`` are the counts (units × columns) of two systems.  Units with equal counts cannot change
    anything and are left aside.
    """
    import numpy as np

    differences = second - first
    changed = np.flatnonzero(np.any(differences != 0, axis=1))
    differences = differences[changed]
    if not len(changed):
        return Significance(1.0, exact=True, changed_units=0)
    sums = first.sum(axis=0), second.sum(axis=0)
    observed = float(abs(figure(sums[0][None, :])[0] - figure(sums[1][None, :])[0]))
    if np.isnan(observed):
        return Significance(None, exact=None, changed_units=len(changed))
    exact = len(changed) <= exact_limit
    patterns = _all_patterns(len(changed)) if exact else _random_patterns(len(changed), resamples, seed)
    count = total = 0
    for swaps in patterns:
        moved = swaps @ differences
        statistic = np.abs(figure(sums[0] + moved) - figure(sums[1] - moved))
        # Where a pattern leaves a system without a figure, no difference could be larger.
        count += int(np.count_nonzero(np.isnan(statistic) | (statistic >= observed - TINY)))
        total += len(swaps)
    p = count / total if exact else (1 + count) / (1 + total)
    return Significance(p, exact, len(changed))


def _all_patterns(units: int) -> Iterator[Array]:
    import numpy as np

    yield ((np.arange(1 << units)[:, None] >> np.arange(units)) & 1).astype(np.float64)


def _random_patterns(units: int, resamples: int, seed: int) -> Iterator[Array]:
    import numpy as np

    for block in _drawn_swaps(units, resamples, seed):
        yield block.astype(np.float64)


@lru_cache(maxsize=1)
def _drawn_swaps(units: int, resamples: int, seed: int) -> list[NDArray[np.int8]]:
    """The random patterns, in blocks; kept for the next pair in which as many units differ."""
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, BLOCK // units)
    return [
        random.integers(0, 2, size=(min(rows, resamples - start), units)).astype(np.int8)
        for start in range(0, resamples, rows)
    ]
