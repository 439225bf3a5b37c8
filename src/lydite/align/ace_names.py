"""Names: how they are normalised, how similar two are, how varied those of an entity are."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

_LINE_ENDS = re.compile(r"[\r\n]+")
_BETWEEN_HAN = re.compile(
    r"(?<=[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])\n(?=[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])"
)
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")
_SPACES = re.compile(r"\s+")
_AROUND = re.compile(r"\s*(['-])\s*")


@lru_cache(maxsize=1 << 16)
def normalise(name: str) -> str:
    """A name as it is compared: lower case, line ends and hyphenation undone, one space, no final full stop."""
    text = _LINE_ENDS.sub("\n", name.lower())
    text = _BETWEEN_HAN.sub("", text)
    text = _HYPHENATED.sub("", text)
    text = _SPACES.sub(" ", text).strip()
    text = _AROUND.sub(r"\1", text)
    return text.removesuffix(".")


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
    """Mean over all names of both sides of the best similarity to a name of the other; 0 without names."""
    if not gold or not system:
        return 0.0
    if gold == system:
        return 1.0
    table = [[similarity(one, other, minimum) for other in system] for one in gold]
    best = [max(row) for row in table] + [max(column) for column in zip(*table, strict=True)]
    return math.fsum(best) / (len(gold) + len(system))


def name_entropy(names_by_document: Iterable[Iterable[str]]) -> float | None:
    """−Σ (c/D) ln(c/D) over the names that occur in c < D of the D documents of an element; None if there are none."""
    documents = [frozenset(names) for names in names_by_document]
    counts = Counter(name for names in documents for name in names)
    varied = sorted(count for count in counts.values() if count < len(documents))
    if not varied:
        return None
    return -math.fsum(count / len(documents) * math.log(count / len(documents)) for count in varied)
