"""Corrections of p-values for the number of tested pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


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


def holm_limits(ps: Sequence[float], alpha: float) -> list[float]:
    """The largest p with which each pair that is not significant would be, if the other pairs stayed as they are."""
    significant = sum(p <= alpha for p in holm(ps))
    return [alpha / max(1, len(ps) - significant)] * len(ps)


def benjamini_hochberg_limits(ps: Sequence[float], alpha: float) -> list[float]:
    """The largest p with which each pair that is not significant would be, if the other pairs stayed as they are."""
    limits = [alpha] * len(ps)
    limit, smaller = 0.0, 0.0
    for rank, position in enumerate(_ascending(ps), 1):
        # With this p or less in place of its own, a pair would have this rank at most.
        if smaller <= alpha * rank / len(ps):
            limit = alpha * rank / len(ps)
        limits[position], smaller = limit, ps[position]
    return limits


def _ascending(ps: Sequence[float]) -> list[int]:
    return sorted(range(len(ps)), key=lambda position: ps[position])


class Correction(NamedTuple):
    """How p-values are corrected, and how small p must be for a pair to become significant."""

    correct: Callable[[Sequence[float]], list[float]]
    limits: Callable[[Sequence[float], float], list[float]]


CORRECTIONS = {
    "holm": Correction(holm, holm_limits),
    "benjamini-hochberg": Correction(benjamini_hochberg, benjamini_hochberg_limits),
    "none": Correction(list, lambda ps, alpha: [alpha] * len(ps)),
}
