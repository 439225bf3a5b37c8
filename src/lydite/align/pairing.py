"""Which candidate pairs are taken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

from lydite.model import Alignment, Pair

P = TypeVar("P", bound=tuple[Any, ...])
"""What begins with the positions of a gold and a system item."""


def greedy(candidates: Iterable[P], gold_count: int, system_count: int) -> tuple[P, ...]:
    """One to one: each pair of the ordered list whose two sides are still free is taken.

    The order of the list is the whole tie rule.  A better total may exist; see :mod:`lydite.align.optimal`.
    """
    gold_free, system_free = [True] * gold_count, [True] * system_count
    pairs = []
    for pair in candidates:
        gold, system = pair[0], pair[1]  # a named tuple is taken apart more slowly
        if system_free[system] and gold_free[gold]:
            system_free[system] = gold_free[gold] = False
            pairs.append(pair)
    return tuple(pairs)


def many_to_one(candidates: Iterable[Pair]) -> tuple[Pair, ...]:
    """Each system item goes to its best gold item, of which several may share one (pilot study, Algorithm 1)."""
    system_used: set[int] = set()
    pairs = []
    for pair in candidates:
        if pair.system not in system_used:
            system_used.add(pair.system)
            pairs.append(pair)
    return tuple(pairs)


def by_key(gold: Sequence[Hashable], system: Sequence[Hashable]) -> Alignment:
    """Sets of keys compared: equal keys of one side count once, equal keys of both sides are a pair."""
    gold_keys = list(dict.fromkeys(gold))
    system_keys = list(dict.fromkeys(system))
    positions = {key: position for position, key in enumerate(gold_keys)}
    pairs = tuple(
        Pair(positions[key], position, 1.0) for position, key in enumerate(system_keys) if key in positions
    )
    return Alignment(gold_keys, system_keys, pairs)
