"""One-to-one choices between ACE items: largest total, and a rule for every tie.

Gains are doubles, and their last bit decides: the choice is the one whose gains, added as exact numbers, have the
largest sum.  Only of equal sums the larger number of matched mentions wins, then the pairs that come first when both
sides are sorted.  The order is exact, because gains are compared as integers, with the ranks in their low digits.

How a pair that loses value is left out differs: the official scorers complete the table, see :func:`_solve_square`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from lydite.assignment import PLAIN_LIMIT
from lydite.assignment import assign as optimal
from lydite.grouping import connected

Item = TypeVar("Item", str, int, tuple[str, str])
"""An item to join: the id of an element, the position of a mention or name, filler and role of an argument."""

Key = TypeVar("Key", bound=Hashable)

Pairs: TypeAlias = Sequence[tuple[Item, Item]]

RANKED_LIMIT = 64
"""Components with more rows than this are solved in floating point; among equals the first named is taken."""


def assign(
    gains: Mapping[tuple[Item, Item], float],
    matched: Mapping[tuple[Item, Item], int] | None = None,
    *,
    lone_takes_any: str = "",
    one_spare: bool = False,
    one_table: bool = False,
    preferred: Container[tuple[Item, Item]] = (),
) -> list[tuple[Item, Item]]:
    """The pairs of the best one-to-one choice, sorted; a pair with negative gain is left out.

    Among equal totals the choice with most ``preferred`` pairs wins, then that with most ``matched`` mentions.

    ``lone_takes_any`` (``gold`` or ``system``): in a component with a single item of that side, the item takes its
    best partner even if the gain is negative.  ``one_spare``: a pair with negative gain can be left out only as
    :func:`_solve_square` says.  Both are what the official scorers do; ``one_table`` applies them to all pairs together
    instead of to every component.
    """
    matched = matched or {}
    if len(gains) == 1:
        return [pair for pair, gain in gains.items() if lone_takes_any or gain >= 0]
    if preferred:
        beyond = 1 + sum(matched.values())
        matched = {pair: matched.get(pair, 0) + (beyond if pair in preferred else 0) for pair in gains}
    # Without a negative gain neither rule does anything, and components are the quicker way.
    whole = one_table and any(gain < 0 for gain in gains.values())
    chosen: list[tuple[Item, Item]] = []
    for pairs in [list(gains)] if whole else connected(list(gains)):
        whole_numbers = as_integers({pair: gains[pair] for pair in pairs})
        chosen.extend(_solve_component(pairs, whole_numbers, matched, lone_takes_any, one_spare=one_spare))
    return sorted(chosen)


def as_integers(gains: Mapping[Key, float]) -> dict[Key, int]:
    """The gains as whole multiples of a power of two: their sums and differences are those of the doubles, exactly."""
    ratios = {key: gain.as_integer_ratio() for key, gain in gains.items()}
    finest = max((denominator for _, denominator in ratios.values()), default=1)
    return {key: numerator * (finest // denominator) for key, (numerator, denominator) in ratios.items()}


def _solve_component(
    pairs: Pairs[Item],
    gains: Mapping[tuple[Item, Item], int],
    matched: Mapping[tuple[Item, Item], int],
    lone_takes_any: str,
    *,
    one_spare: bool,
) -> list[tuple[Item, Item]]:
    if len(pairs) == 1:
        return list(pairs) if lone_takes_any or gains[pairs[0]] >= 0 else []
    golds = sorted({gold for gold, _ in pairs})
    systems = sorted({system for _, system in pairs})
    lone = (lone_takes_any == "gold" and len(golds) == 1) or (
        lone_takes_any == "system" and len(systems) == 1
    )
    if len(golds) == 1 or len(systems) == 1:
        best = min(pairs, key=lambda pair: (-gains[pair], -matched.get(pair, 0), pair))
        return [best] if lone or gains[best] >= 0 else []
    if one_spare and any(gains[pair] < 0 for pair in pairs):
        return _solve_square(golds, systems, gains, matched)
    ordered = sorted(pair for pair in pairs if gains[pair] >= 0)
    return _best_choice(ordered, golds, systems, gains, matched)


def _solve_square(
    golds: Sequence[Item],
    systems: Sequence[Item],
    gains: Mapping[tuple[Item, Item], int],
    matched: Mapping[tuple[Item, Item], int],
) -> list[tuple[Item, Item]]:
    """The allowed pairs of the best complete assignment of a square that has one place more than the longer side.

    A pair that is not allowed, and every added place, counts 0.  So an item stays alone only on a place of value 0,
    and where places are short a pair that loses value is chosen all the same.
    """
    side = max(len(golds), len(systems)) + 1
    raised = 2 * max(map(abs, gains.values()))
    cells = {(i, j): raised for i in range(side) for j in range(side)}
    allowed: dict[tuple[int, int], tuple[Item, Item]] = {}
    for i, gold in enumerate(golds):
        for j, system in enumerate(systems):
            if (gold, system) in gains:
                # Raised alike, all cells are worth having, so that the best choice is complete.
                cells[i, j] = raised + gains[gold, system]
                allowed[i, j] = gold, system
    numbers = range(side)
    counts = {cell: matched.get(pair, 0) for cell, pair in allowed.items()}
    chosen = _best_choice(list(cells), numbers, numbers, cells, counts, ranked=allowed)
    return [allowed[cell] for cell in chosen if cell in allowed]


def _best_choice(
    ordered: Pairs[Item],
    golds: Sequence[Item],
    systems: Sequence[Item],
    gains: Mapping[tuple[Item, Item], int],
    matched: Mapping[tuple[Item, Item], int],
    *,
    ranked: Container[tuple[Item, Item]] | None = None,
) -> list[tuple[Item, Item]]:
    """The choice with the largest total; among equal totals ``matched`` and the ranks decide.

    Only pairs that are ``ranked`` (all, if not given) are chosen for their ranks.
    """
    chosen = [
        ordered[position]
        for position in optimal((gold, system, gains[gold, system]) for gold, system in ordered)
    ]
    steps = min(len(golds), len(systems)) * len(golds) * len(systems)
    if steps > PLAIN_LIMIT or len(golds) > RANKED_LIMIT or _is_only_best(ordered, gains, chosen):
        return chosen
    edges = _with_ranks(ordered, golds, systems, gains, matched, ranked=gains if ranked is None else ranked)
    return [ordered[position] for position in optimal(edges)]


def _is_only_best(pairs: Pairs[Item], gains: Mapping[tuple[Item, Item], int], chosen: Pairs[Item]) -> bool:
    """Whether certainly no other choice has the total of the best one.

    In the dual solution no pair gains more than the prices of its two items together.  The pairs of every best choice
    gain exactly that, and items that some best choice leaves alone have the price 0.
    """
    gold_price, system_price = prices(pairs, gains, chosen)
    if not all(gold_price.values()) or not all(system_price.get(system) for _, system in chosen):
        return False
    own = set(chosen)
    return all(
        gold_price.get(pair[0], 0) + system_price.get(pair[1], 0) > gains[pair]
        for pair in pairs
        if pair not in own
    )


def prices(
    pairs: Pairs[Item], gains: Mapping[tuple[Item, Item], int], chosen: Pairs[Item]
) -> tuple[dict[Item, int], dict[Item, int]]:
    """The price of each item in the dual solution: 0 for items that stay alone; those of a chosen pair add up to its gain."""
    partner = dict(chosen)
    system_price: dict[Item, int] = {}
    for _ in range(len(partner) + 1):
        settled = True
        for gold, system in pairs:
            own = partner.get(gold)
            given_up = gains[gold, own] - system_price.get(own, 0) if own is not None else 0
            least = gains[gold, system] - given_up
            if least > system_price.get(system, 0) and own != system:
                system_price[system] = least
                settled = False
        if settled:
            break
    gold_price = {gold: gains[gold, system] - system_price.get(system, 0) for gold, system in chosen}
    return gold_price, system_price


def _with_ranks(
    ordered: Pairs[Item],
    golds: Sequence[Item],
    systems: Sequence[Item],
    gains: Mapping[tuple[Item, Item], int],
    matched: Mapping[tuple[Item, Item], int],
    *,
    ranked: Container[tuple[Item, Item]],
) -> list[tuple[Item, Item, int]]:
    """Integer gains with matched mentions and the ranks of ``ranked`` pairs as lower digits, so that no totals tie."""
    base = len(systems) + 1
    gold_weight = {gold: base ** (len(golds) - 1 - rank) for rank, gold in enumerate(golds)}
    system_weight = {system: len(systems) - rank for rank, system in enumerate(systems)}
    beyond_ranks = base ** len(golds)
    beyond_mentions = 1 + len(golds) * max((matched.get(pair, 0) for pair in ordered), default=0)
    return [
        (
            gold,
            system,
            (gains[gold, system] * beyond_mentions + matched.get((gold, system), 0)) * beyond_ranks
            + gold_weight[gold] * system_weight[system] * ((gold, system) in ranked),
        )
        for gold, system in ordered
    ]
