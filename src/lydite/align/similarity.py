"""How much two spans have in common.

Only spans that overlap are ever looked at: characters by a sweep over sorted ranges, tokens by an index from token
to mentions.  Nothing here is quadratic in the number of mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lydite.model import Pair, Span


def dice_direct(common: int, gold: int, system: int) -> float:
    """2n/(g+s), in this order of operations (EvmEval 1.7 and later)."""
    return 2.0 * common / (gold + system)


def dice_by_precision_and_recall(common: int, gold: int, system: int) -> float:
    """2pr/(p+r) with p = n/s and r = n/g, in IEEE doubles (EvmEval 1.6 and before).

    Mathematically the same as :func:`dice_direct`; the last bit can differ, and ties are decided on it.
    """
    precision, recall = common / system, common / gold
    return 2 * precision * recall / (precision + recall)


def exact(common: int, gold: int, system: int) -> float:
    """1 if the spans are equal, else 0."""
    return 1.0 if common == gold == system else 0.0


SIMILARITIES: dict[str, Callable[[int, int, int], float]] = {
    "dice": dice_direct,
    "dice-by-precision-and-recall": dice_by_precision_and_recall,
    "exact": exact,
}


def candidates(
    gold: Sequence[Span],
    system: Sequence[Span],
    similarity: Callable[[int, int, int], float],
    *,
    count_repeats: bool = False,
) -> list[Pair]:
    """All pairs with a positive similarity, in the official order: similarity down, system, gold position up.

    ``count_repeats`` takes the sizes as written, so that a character of two overlapping segments counts twice in the
    size but once in what is common.
    """
    gold_sizes = _sizes(gold, count_repeats=count_repeats)
    system_sizes = _sizes(system, count_repeats=count_repeats)
    found = []
    for (system_position, gold_position), common in _overlaps(gold, system).items():
        weight = similarity(common, gold_sizes[gold_position], system_sizes[system_position])
        if weight > 0:
            found.append((-weight, system_position, gold_position))
    found.sort()
    make = tuple.__new__  # what Pair(...) does, without a Python-level call for each of many
    return [
        make(Pair, (gold_position, system_position, -rank)) for rank, system_position, gold_position in found
    ]


def _sizes(spans: Sequence[Span], *, count_repeats: bool) -> list[int]:
    sizes = []
    for span in spans:
        ranges, tokens = span
        if len(ranges) == 1:
            begin, end = ranges[0]
            sizes.append(end - begin)
        elif tokens:
            sizes.append(len(tokens))
        else:
            sizes.append(span.written_size if count_repeats else span.size)
    return sizes


Common = dict[tuple[int, int], int]
"""How many distinct characters or tokens a system and a gold mention, by position, have in common."""


def _overlaps(gold: Sequence[Span], system: Sequence[Span]) -> Common:
    if any(span.tokens for span in gold) or any(span.tokens for span in system):
        return _common_tokens(gold, system)
    return _common_characters(gold, system)


def _common_tokens(gold: Sequence[Span], system: Sequence[Span]) -> Common:
    holders: dict[str, list[int]] = {}
    for position, span in enumerate(gold):
        for token in span.tokens:
            holders.setdefault(token, []).append(position)
    common: Common = {}
    for system_position, span in enumerate(system):
        for token in span.tokens:
            for gold_position in holders.get(token, ()):
                key = system_position, gold_position
                common[key] = common.get(key, 0) + 1
    return common


def _common_characters(gold: Sequence[Span], system: Sequence[Span]) -> Common:
    """A sweep from left to right: each range meets the ranges of the other side that are still open."""
    events = _range_events(gold, 0) + _range_events(system, 1)
    events.sort()
    open_gold: list[tuple[int, int]] = []
    open_system: list[tuple[int, int]] = []
    common: Common = {}
    for begin, end, side, position in events:
        if side:
            if open_gold:
                open_gold = [other for other in open_gold if other[0] > begin]
            for other_end, other in open_gold:
                key = position, other
                common[key] = common.get(key, 0) + (min(other_end, end)) - begin
            open_system.append((end, position))
        else:
            if open_system:
                open_system = [other for other in open_system if other[0] > begin]
            for other_end, other in open_system:
                key = other, position
                common[key] = common.get(key, 0) + (min(other_end, end)) - begin
            open_gold.append((end, position))
    return common


def _range_events(spans: Sequence[Span], side: int) -> list[tuple[int, int, int, int]]:
    events = []
    for position, span in enumerate(spans):
        ranges = span[0]
        if len(ranges) == 1:
            begin, end = ranges[0]
            if begin < end:
                events.append((begin, end, side, position))
        else:
            events.extend((begin, end, side, position) for begin, end in span.merged())
    return events
