"""The overlaps of many mentions, by arrays; :mod:`lydite.align.similarity` is the definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING

from lydite.model import Bounds, Pair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

AT_ONCE = 1 << 16
"""System mentions that are looked up together: all their overlaps are in memory at the same time."""


def candidates(gold: Bounds, system: Bounds, similarity: Callable[[int, int, int], float]) -> list[Pair]:
    """All pairs with a positive similarity, in the official order: similarity down, system, gold position up."""
    import numpy as np

    found = list(_ranked(gold, system, similarity))
    ranks, systems, golds = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((golds, systems, ranks))
    # Equal numbers are one object: there are as many positions and few similarities.
    numbers = np.arange(max(len(gold.begins), len(system.begins))).astype(object)
    distinct, which = np.unique(-ranks[order], return_inverse=True)
    columns = numbers[golds[order]], numbers[systems[order]], distinct.astype(object)[which]
    pairs = zip(*(column.tolist() for column in columns), strict=True)
    # What Pair(...) does, without a Python-level call for each of many.
    return list(map(tuple.__new__, repeat(Pair), pairs))


def _ranked(
    gold: Bounds, system: Bounds, similarity: Callable[[int, int, int], float]
) -> Iterator[tuple[NDArray[np.float64], Numbers, Numbers]]:
    """Negative similarity and the positions of a system and a gold mention that overlap."""
    import numpy as np

    begins, ends = (np.asarray(side, dtype=np.int64) for side in gold)
    sizes = ends - begins
    order = np.argsort(begins, kind="stable")
    order = order[sizes[order] > 0]
    sorted_begins = begins[order]
    longest = int(sizes.max(initial=0))
    for start in range(0, len(system.begins), AT_ONCE):
        left, right = (np.asarray(side[start : start + AT_ONCE], dtype=np.int64) for side in system)
        first = np.searchsorted(sorted_begins, left - longest, side="right")
        counts = np.maximum(np.searchsorted(sorted_begins, right, side="left") - first, 0)
        counts[left >= right] = 0
        ours = np.repeat(np.arange(len(left)), counts)
        theirs = order[np.arange(len(ours)) + np.repeat(first - (np.cumsum(counts) - counts), counts)]
        common = np.minimum(right[ours], ends[theirs]) - np.maximum(left[ours], begins[theirs])
        met = common > 0
        ours, theirs, common = ours[met], theirs[met], common[met]
        sides = common.tolist(), sizes[theirs].tolist(), (right - left)[ours].tolist()
        ranks = -np.fromiter(map(similarity, *sides), dtype=np.float64, count=len(common))
        kept = ranks < 0
        yield ranks[kept], ours[kept] + start, theirs[kept]
