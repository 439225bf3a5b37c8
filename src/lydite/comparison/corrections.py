"""p-values of many pairs, corrected for their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Holm 1979: the k-th smallest of m is multiplied by m − k + 1, and never falls below a smaller one's."""
    corrected = [0.0] * len(ps)
    largest = 0.0
    for rank, position in enumerate(_ascending(ps)):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[position]))
        corrected[position] = largest
    return corrected


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Benjamini & Hochberg 1995: the k-th smallest of m is multiplied by m/k, and never exceeds a larger one's."""
    corrected = [0.0] * len(ps)
    smallest = 1.0
    for rank, position in reversed(list(enumerate(_ascending(ps), 1))):
        smallest = min(smallest, len(ps) / rank * ps[position])
        corrected[position] = smallest
    return corrected


def _ascending(ps: Sequence[float]) -> list[int]:
    return sorted(range(len(ps)), key=lambda position: ps[position])


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": list,
}
