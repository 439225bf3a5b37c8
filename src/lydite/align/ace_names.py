"""Names: how similar two are, how varied those of an entity are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lydite.align.ace_sums import added_in_order

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@lru_cache(maxsize=1 << 18)
def similarity(first: str, second: str, minimum: float) -> float:
    """1 − Levenshtein distance / longer length; 0 below ``minimum`` (``minimum`` itself counts)."""
    if first == second:
        return 1.0
    longer = max(len(first), len(second))
    if min(len(first), len(second)) < minimum * longer:
        return 0.0
    value = 1 - _levenshtein(first, second) / longer
    return value if value >= minimum else 0.0


def _levenshtein(first: str, second: str) -> int:
    """Edit distance with unit costs, bit-parallel (Myers 1999): one step per character of ``second``."""
    positions: dict[str, int] = {}
    for place, character in enumerate(first):
        positions[character] = positions.get(character, 0) | 1 << place
    mask, last = (1 << len(first)) - 1, 1 << (len(first) - 1) if first else 0
    if not first:
        return len(second)
    plus, minus, distance = mask, 0, len(first)
    for character in second:
        equal = positions.get(character, 0)
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        up = minus | ~(horizontal | plus)
        down = plus & horizontal
        distance += bool(up & last) - bool(down & last)
        up = up << 1 | 1
        down <<= 1
        plus = (down | ~(vertical | up)) & mask
        minus = up & vertical & mask
    return distance


def names_similarity(gold: Sequence[str], system: Sequence[str], minimum: float) -> float:
    """Mean over all names of both sides of the best similarity to a name of the other, gold's first; 0 without names."""
    if not gold or not system:
        return 0.0
    if gold == system:
        return 1.0
    table = [[similarity(one, other, minimum) for other in system] for one in gold]
    best = [max(row) for row in table] + [max(column) for column in zip(*table, strict=True)]
    return added_in_order(best) / (len(gold) + len(system))


def name_entropy(names_by_document: Iterable[Iterable[str]]) -> float | None:
    """−Σ (c/D) ln(c/D) over the names that occur in c < D of the D documents of an element; None if there are none."""
    documents = [frozenset(names) for names in names_by_document]
    counts = Counter(name for names in documents for name in names)
    varied = sorted(count for count in counts.values() if count < len(documents))
    if not varied:
        return None
    return -math.fsum(count / len(documents) * math.log(count / len(documents)) for count in varied)


WORD = 64
"""Names up to this length fit into one machine word."""


def similarity_table(first: Sequence[str], second: Sequence[str], minimum: float) -> npt.NDArray[np.float64]:
    """:func:`similarity` of every name with every name, many at a time; equal to it bit for bit."""
    import numpy as np

    table = np.zeros((len(first), len(second)))
    short = [[i for i, name in enumerate(names) if 0 < len(name) <= WORD] for names in (first, second)]
    if short[0] and short[1]:
        ours, theirs = [first[i] for i in short[0]], [second[j] for j in short[1]]
        lengths = [np.array([len(name) for name in names]) for names in (ours, theirs)]
        near = 1 - _distances(ours, theirs) / np.maximum(lengths[0][:, None], lengths[1][None, :])
        table[np.ix_(*short)] = np.where(near >= minimum, near, 0.0)
    is_short = [frozenset(positions) for positions in short]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            if i not in is_short[0] or j not in is_short[1]:
                table[i, j] = similarity(one, other, minimum)
    return table


def _distances(first: Sequence[str], second: Sequence[str]) -> npt.NDArray[np.int64]:
    """Edit distances of all pairs: the bit-parallel step of :func:`_levenshtein` on whole arrays of words."""
    import numpy as np

    alphabet = {letter: code for code, letter in enumerate(sorted({c for name in second for c in name}))}
    places = np.zeros((len(first), len(alphabet) + 1), dtype=np.uint64)
    for row, name in enumerate(first):
        for place, character in enumerate(name):
            places[row, alphabet.get(character, len(alphabet))] |= np.uint64(1 << place)
    places[:, len(alphabet)] = 0
    order = sorted(range(len(second)), key=lambda j: -len(second[j]))
    lengths = np.array([len(name) for name in first], dtype=np.int64)
    last = (np.uint64(1) << (lengths - 1).astype(np.uint64))[:, None]
    one = np.uint64(1)
    shape = len(first), len(second)
    plus, minus = np.full(shape, ~np.uint64(0)), np.zeros(shape, dtype=np.uint64)
    distance = np.repeat(lengths[:, None], len(second), axis=1)
    active = len(order)
    for step in range(len(second[order[0]])):
        while len(second[order[active - 1]]) <= step:
            active -= 1
        codes = [alphabet[second[j][step]] for j in order[:active]]
        equal, old_plus, old_minus = places[:, codes], plus[:, :active], minus[:, :active]
        vertical = equal | old_minus
        horizontal = (((equal & old_plus) + old_plus) ^ old_plus) | equal
        up = old_minus | ~(horizontal | old_plus)
        down = old_plus & horizontal
        distance[:, :active] += ((up & last) != 0).astype(np.int64) - ((down & last) != 0)
        up = (up << one) | one
        down <<= one
        plus[:, :active] = down | ~(vertical | up)
        minus[:, :active] = up & vertical
    result = np.empty_like(distance)
    result[:, order] = distance
    return result
