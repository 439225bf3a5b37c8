"""Bootstrap over units: the draws, the figures of the draws, and the intervals that follow.

A draw is represented by how often each unit comes up in it.  The counts of a figure are an array units × columns, so
that the counts of a block of draws are one matrix product.  The same draws serve every system and every figure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import UsageError
from lydite.model.tally import TINY
from lydite.resource_limits import hint_to_raise, limit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    FigureOf = Callable[[Array], Array]
    """Sums of columns (… × columns) to a figure (…), NaN where it is undefined."""

BLOCK = 1 << 20
"""The number of drawn units that are in memory at once."""


class Interval(NamedTuple):
    """The two ends of an interval; None without units."""

    low: float | None
    high: float | None


NO_INTERVAL = Interval(None, None)


def check_resamples(count: int) -> int:
    """The number of resamples; refused if it is not possible."""
    most = limit("resamples")
    if not 1 <= count <= most:
        hint = "10000 is usual" + (f"; {hint_to_raise('resamples')}" if count > most else "")
        raise UsageError(f"resamples: expected from 1 to {most}, found {count}", hint=hint)
    return count


def draw_weights(units: int, resamples: int, seed: int) -> Iterator[Array]:
    """Draw units: how often each comes up, in blocks (draws × units)."""
    import numpy as np

    random = np.random.Generator(np.random.PCG64(seed))
    rows = max(1, BLOCK // max(units, 1))
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        drawn = random.integers(0, units, size=(count, units))
        drawn += np.arange(count)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=count * units).reshape(count, units).astype(np.float64)


def draw_sums(tables: Sequence[Array], resamples: int, seed: int) -> list[Array]:
    """The sums of each table (units × columns) over every draw (draws × columns); equal columns, as of gold, once."""
    import numpy as np

    place: dict[bytes, int] = {}
    distinct: list[Array] = []
    places_by_table: list[list[int]] = []
    for table in tables:
        places_by_table.append([])
        for column in np.ascontiguousarray(table.T):
            key = column.tobytes()
            if key not in place:
                place[key] = len(distinct)
                distinct.append(column)
            places_by_table[-1].append(place[key])
    units = len(tables[0])
    together = np.array(distinct).reshape(len(distinct), units).T
    sums = np.empty((resamples, len(distinct)))
    start = 0
    for weights in draw_weights(units, resamples, seed):
        np.matmul(weights, together, out=sums[start : start + len(weights)])
        start += len(weights)
    return [sums[:, places] for places in places_by_table]


def tail_share(units: int, level: float, kind: str) -> float:
    """The share of draws beyond each end of an interval.

    ``percentile`` cuts (1 − level)/2.  ``expanded`` (Hesterberg 2015) cuts less, because bootstrap intervals of few
    units are too narrow: Φ(−√(n/(n−1)) · t), with t the quantile of Student's distribution of n − 1 degrees of freedom.
    """
    tail = (1 - level) / 2
    if kind == "percentile":
        return tail
    from scipy.special import ndtr, stdtrit

    return float(ndtr(-math.sqrt(units / (units - 1)) * stdtrit(units - 1, 1 - tail)))


def interval(values: Array, units: int, *, level: float = 0.95, kind: str = "expanded") -> Interval:
    """The interval of a figure from its values over the draws; draws without a value are left out."""
    import numpy as np

    known = values[~np.isnan(values)]
    if units < 2 or not len(known):
        return NO_INTERVAL
    tail = tail_share(units, level, kind)
    low, high = np.quantile(known, [tail, 1 - tail], method="linear")
    return Interval(float(low), float(high))


def rank_intervals(figures: Array) -> list[tuple[int, int]]:
    """The 2.5 and 97.5 % quantiles of the rank of each system over the draws (systems × draws).

    The rank is one more than the number of systems that are better by more than 1e-12.
    """
    import numpy as np

    values = np.nan_to_num(figures, nan=-np.inf)
    ranks = np.ones(values.shape, dtype=np.int64)
    for other in values:
        with np.errstate(invalid="ignore"):  # two undefined figures are equal
            ranks += other - values > TINY
    ends = np.quantile(ranks, [0.025, 0.975], axis=1, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in ends.T]
