"""The hashes of strings in Java, and the iteration order of its hash maps (java.util.HashMap of Java 8 and later).

The order decides figures of an official program; it depends on the keys and on the order in which they were added, and on
nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_WORD = 0xFFFFFFFF
_MOST_IN_A_LIST = 8
"""With more keys in one place Java makes a tree of them, or enlarges the table early."""


@lru_cache(maxsize=4096)
def string_hash(text: str) -> int:
    """Java's string hash: h ← 31h + unit over UTF-16 units, from 0, in 32 bits."""
    data = text.encode("utf-16-le", "surrogatepass")
    value = 0
    for position in range(0, len(data), 2):
        value = (31 * value + data[position] + (data[position + 1] << 8)) & _WORD
    return value


class MapOrder(NamedTuple):
    """The distinct keys in the order in which a map gives them."""

    keys: tuple[str, ...]
    is_known: bool
    """False if so many keys share a place that Java may have another order."""


def map_order(keys: Iterable[str]) -> MapOrder:
    """The order of a map to which the keys were added one by one, and from which none was removed.

    Keys come by their place in the table, those of one place as they were added.  The table has 16 places and doubles
    when more than three quarters of them are used.
    """
    added = list(dict.fromkeys(keys))
    size, is_known = 16, True
    while True:
        used = 3 * size // 4
        fullest = max(Counter(_place(key, size) for key in added[: used + 1]).values(), default=0)
        is_known = is_known and fullest <= _MOST_IN_A_LIST
        if len(added) <= used:
            return MapOrder(tuple(sorted(added, key=lambda key: _place(key, size))), is_known)
        size *= 2


def _place(key: str, size: int) -> int:
    hashed = string_hash(key)
    return (hashed ^ hashed >> 16) & size - 1
