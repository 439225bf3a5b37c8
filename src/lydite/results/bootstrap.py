"""How much a score depends on the documents that happened to be chosen: resampling over documents.

Documents are drawn with replacement, as many as there are; the counts of a sample are added and scored once; the
percentiles of the samples' figures are reported.  The generator is ours: samples need not equal anybody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from random import Random

from lydite.model import Figures, Tally
from lydite.model.tally import Empty

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
FIGURES = ("precision", "recall", "f1")


def percentile(ordered: Sequence[float], q: float) -> float:
    """Percentile q (in percent) of ascending values v1…vN by NIST's rule.

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


def resample(
    tallies: Sequence[Tally], *, samples: int, seed: int, empty: Empty = "zero"
) -> dict[str, dict[int, float]]:
    """Percentiles of precision, recall and F1 over resampled documents; an undefined figure counts as 0."""
    found: Mapping[str, list[float]] = {name: [] for name in FIGURES}
    columns = [[getattr(tally, side) for tally in tallies] for side in Tally._fields]
    for drawn in _draws(len(tallies), samples, seed):
        # Counts are whole numbers here, so that plain addition loses nothing.
        score = Tally(*(sum(column[position] for position in drawn) for column in columns)).score(empty=empty)
        for name in FIGURES:
            found[name].append(getattr(score, name) or 0.0)
    return {name: _percentiles(values) for name, values in found.items() if values}


def resample_figures(
    documents: Sequence[Figures], *, figure: str, samples: int, seed: int, empty: Empty = "zero"
) -> dict[str, dict[int, float]]:
    """Percentiles of one figure over resampled documents whose counts are no plain tallies."""
    values = [
        getattr(reduce(add, (documents[position] for position in drawn)).score(empty=empty), figure) or 0.0
        for drawn in _draws(len(documents), samples, seed)
    ]
    return {figure: _percentiles(values)}


def _draws(documents: int, samples: int, seed: int) -> Iterator[list[int]]:
    random = Random(seed)  # noqa: S311 - resampling, not secrecy
    for _ in range(samples):
        yield random.choices(range(documents), k=documents)


def _percentiles(values: Iterable[float]) -> dict[int, float]:
    ordered = sorted(values)
    return {q: percentile(ordered, q) for q in PERCENTILES}
