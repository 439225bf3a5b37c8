"""Percentiles of scores over resampled documents: how much a score depends on the choice of documents.

Documents are drawn with replacement, as many as there are; the counts of a sample are added and scored once; the
percentiles of the samples' figures are reported.  The random generator is Python's; no other program has the same draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)


def percentile(ordered: Sequence[float], q: float) -> float:
    """Percentile q (in percent) of the ascending values v1…vN by NIST's rule.

    h = q(N+1)/100 and k = ⌊h⌋: v1 if k < 1, vN if k ≥ N, else vk + (h − k)(vk+1 − vk).

    >>> percentile([15, 20, 35, 40, 50], 40)
    26.0
    """
    place = q * (len(ordered) + 1) / 100
    k = int(place)
    if k < 1:
        return ordered[0]
    if k >= len(ordered):
        return ordered[-1]
    return ordered[k - 1] + (place - k) * (ordered[k] - ordered[k - 1])


def draw_documents(documents: int, samples: int, seed: int) -> Iterator[list[int]]:
    """Draw samples: the positions of as many documents as there are, with replacement."""
    random = Random(seed)  # noqa: S311 - resampling, not secrecy
    for _ in range(samples):
        yield random.choices(range(documents), k=documents)


def percentiles(values: Iterable[float]) -> dict[int, float]:
    """The percentiles that are reported."""
    ordered = sorted(values)
    return {q: percentile(ordered, q) for q in PERCENTILES}
