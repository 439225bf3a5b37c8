"""The simple ways to choose pairs from candidates: greedily, many to one, and by equal keys."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

from lydite.model import Alignment, Pair

P = TypeVar("P", bound=tuple[Any, ...])
"""A tuple that begins with the positions of a gold and a system item."""


def pair_greedily(candidates: Iterable[P], gold_count: int, system_count: int) -> tuple[P, ...]:
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


def pair_many_to_one(candidates: Iterable[Pair]) -> tuple[Pair, ...]:
    """Each system item with its best gold item, which several may share (pilot study, Algorithm 1)."""
    best: dict[int, Pair] = {}
    for pair in candidates:
        best.setdefault(pair.system, pair)
    return tuple(best.values())


def pair_by_key(gold: Sequence[Hashable], system: Sequence[Hashable]) -> Alignment:
    """The alignment of two sets of keys: equal keys of one side count once, equal keys of both sides are a pair."""
    gold_keys = list(dict.fromkeys(gold))
    system_keys = list(dict.fromkeys(system))
    positions = {key: position for position, key in enumerate(gold_keys)}
    pairs = tuple(Pair(positions[key], at, 1.0) for at, key in enumerate(system_keys) if key in positions)
    return Alignment(gold_keys, system_keys, pairs)
