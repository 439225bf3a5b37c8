"""One-to-one choices between ACE items: largest total, and a rule for every tie.

Gains carry terms of 1e-8 that decide; what differs by less than 1e-13 of the largest gain of a component is noise and
counts as equal.  Among equal totals the larger number of matched mentions wins, then the pairs that come first when
both sides are sorted.  The order is exact, because gains are compared as integers with the ranks in their low digits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from lydite.assignment import PLAIN_LIMIT
from lydite.assignment import assign as optimal

Item = TypeVar("Item", bound=Hashable)
Pairs = Sequence[tuple[Any, Any]]

NOISE = 1e-13
RANKED_LIMIT = 64
"""Components with more rows than this are solved in floating point; among equals the first named is taken."""


def assign(
    gains: Mapping[tuple[Item, Item], float],
    matched: Mapping[tuple[Item, Item], int] | None = None,
    *,
    lone_takes_any: str = "",
) -> list[tuple[Item, Item]]:
    """The pairs of the best one-to-one choice, sorted; a pair with negative gain is left out.

    ``lone_takes_any`` (``gold`` or ``system``): in a component with a single item of that side, the item takes its
    best partner even if the gain is negative, as the official scorers do.
    """
    if len(gains) == 1:
        ((pair, gain),) = gains.items()
        return [pair] if gain >= 0 or lone_takes_any else []
    chosen: list[tuple[Item, Item]] = []
    for component in components(gains):
        chosen.extend(_solve(component, gains, matched or {}, lone_takes_any))
    return sorted(chosen)


def components(gains: Mapping[tuple[Item, Item], float]) -> Iterator[list[tuple[Item, Item]]]:
    """The pairs of every connected component of the graph that the pairs make."""
    of_gold: dict[Item, list[tuple[Item, Item]]] = {}
    of_system: dict[Item, list[tuple[Item, Item]]] = {}
    for pair in gains:
        of_gold.setdefault(pair[0], []).append(pair)
        of_system.setdefault(pair[1], []).append(pair)
    seen: set[Item] = set()
    for start in of_gold:
        if start in seen:
            continue
        seen.add(start)
        systems: set[Item] = set()
        component: list[tuple[Item, Item]] = []
        frontier = [start]
        while frontier:
            pairs = of_gold[frontier.pop()]
            component.extend(pairs)
            for _, system in pairs:
                if system in systems:
                    continue
                systems.add(system)
                for gold, _ in of_system[system]:
                    if gold not in seen:
                        seen.add(gold)
                        frontier.append(gold)
        yield component


def _solve(
    pairs: Pairs, gains: Mapping[Any, float], matched: Mapping[Any, int], lone_takes_any: str
) -> list[tuple[Any, Any]]:
    golds = sorted({gold for gold, _ in pairs})
    systems = sorted({system for _, system in pairs})
    lone = (lone_takes_any == "gold" and len(golds) == 1) or (
        lone_takes_any == "system" and len(systems) == 1
    )
    if len(golds) == 1 or len(systems) == 1:
        unit = NOISE * max(abs(gains[pair]) for pair in pairs) or 1.0
        best = min(pairs, key=lambda pair: (-round(gains[pair] / unit), -matched.get(pair, 0), pair))
        return [best] if lone or gains[best] >= 0 else []
    steps = min(len(golds), len(systems)) * len(golds) * len(systems)
    ordered = sorted(pair for pair in pairs if gains[pair] >= 0)
    if steps > PLAIN_LIMIT or len(golds) > RANKED_LIMIT:
        edges: list[tuple[Any, Any, float]] = [
            (gold, system, gains[gold, system]) for gold, system in ordered
        ]
    else:
        edges = _ranked(ordered, golds, systems, gains, matched)
    return [ordered[position] for position in optimal(edges)]


def _ranked(
    ordered: Pairs,
    golds: Sequence[Any],
    systems: Sequence[Any],
    gains: Mapping[Any, float],
    matched: Mapping[Any, int],
) -> list[tuple[Any, Any, float]]:
    """Gains as integers with matched mentions and ranks below them, so that nothing is left to tie."""
    unit = NOISE * max((gains[pair] for pair in ordered), default=1.0) or 1.0
    base = len(systems) + 1
    gold_weight = {gold: base ** (len(golds) - 1 - rank) for rank, gold in enumerate(golds)}
    system_weight = {system: len(systems) - rank for rank, system in enumerate(systems)}
    beyond_ranks = base ** len(golds)
    beyond_mentions = 1 + len(golds) * max((matched.get(pair, 0) for pair in ordered), default=0)
    return [
        (
            gold,
            system,
            (round(gains[gold, system] / unit) * beyond_mentions + matched.get((gold, system), 0))
            * beyond_ranks
            + gold_weight[gold] * system_weight[system],
        )
        for gold, system in ordered
    ]
