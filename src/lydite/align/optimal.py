"""Optimal pairing: the largest total similarity, ties decided by a rule instead of by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from lydite.assignment import assign
from lydite.grouping import connected
from lydite.model import Pair

LARGEST_DENOMINATOR = 10**6
"""Similarities are ratios of sizes of spans; no span is that large, so their fractions are recovered exactly."""

ORDERED_UP_TO = 512
"""Components with more edges than this are not decided by file order: the weights would have thousands of bits."""


class Component(NamedTuple):
    """Candidates that share mentions with each other and with no others, in file order, and their exact weights."""

    candidates: tuple[Pair, ...]
    weights: tuple[int, ...]


def pair_optimally(candidates: Iterable[Pair]) -> tuple[Pair, ...]:
    """One to one, with the largest total similarity.

    Among equal totals the one with more pairs, among those the one that holds the first candidates of the file
    (system position, then gold position).  Exact: similarities are compared as fractions.
    """
    pairs: list[Pair] = []
    for component in components(candidates):
        pairs.extend(component.candidates[position] for position in _choose(component))
    return tuple(sorted(pairs, key=lambda pair: (-pair.similarity, pair.system, pair.gold)))


def components(candidates: Iterable[Pair]) -> list[Component]:
    """The candidates in groups that share no mention."""
    in_file_order = sorted(candidates, key=lambda pair: (pair.system, pair.gold))
    return [_component(group) for group in connected(in_file_order)]


def exact_credit(pairs: Iterable[Pair]) -> Fraction:
    """What pairs earn together, without rounding."""
    return sum(map(_exact, pairs), Fraction(0))


def _exact(pair: Pair) -> Fraction:
    return Fraction(pair.similarity).limit_denominator(LARGEST_DENOMINATOR)


def _component(candidates: Sequence[Pair]) -> Component:
    exact = [*map(_exact, candidates)]
    scale = math.lcm(*(weight.denominator for weight in exact))
    return Component(tuple(candidates), tuple(int(weight * scale) for weight in exact))


def _choose(component: Component) -> list[int]:
    """Positions of the chosen candidates: total first, then number of pairs, then file order, in one integer."""
    count = len(component.weights)
    if count == 1:
        return [0]
    bits = count if count <= ORDERED_UP_TO else 0
    edges = []
    for position, (candidate, weight) in enumerate(zip(component.candidates, component.weights, strict=True)):
        combined = ((weight * (count + 1) + 1) << bits) + (1 << (bits - 1 - position) if bits else 0)
        edges.append((candidate.system, candidate.gold, combined))
    return assign(edges)


def has_ties(component: Component) -> bool:
    """Whether another choice reaches the same total."""
    if len(component.weights) == 1:
        return False
    chosen = _choose(component)
    best = sum(component.weights[position] for position in chosen)
    return any(_best_without(component, position) == best for position in chosen)


def _best_without(component: Component, left_out: int) -> int:
    edges = [
        (candidate.system, candidate.gold, weight)
        for position, (candidate, weight) in enumerate(
            zip(component.candidates, component.weights, strict=True)
        )
        if position != left_out
    ]
    return sum(edges[position][2] for position in assign(edges))
