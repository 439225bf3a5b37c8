"""Percentiles by NIST's rule."""

from __future__ import annotations

from collections.abc import Sequence


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
