"""How much two spans have in common.

Only spans that overlap are ever looked at: characters through sorted ranges, tokens by an index from token to
mentions.  Nothing here is quadratic in the number of mentions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
    """Look each system range up among the gold ranges sorted by their begins.

    Only gold ranges that begin less than the longest gold range before it can reach it.  One very long range would
    make that a look at all of them, so then the general sweep is used.
    """
    ranges = sorted(_ranges(gold))
    longest = max((end - begin for begin, end, _ in ranges), default=0)
    if longest > LONG_RANGE:
        return _swept(gold, system)
    begins = [begin for begin, _, _ in ranges]
    common: Common = {}
    for begin, end, position in _ranges(system):
        first = bisect_right(begins, begin - longest)
        for other_begin, other_end, other in ranges[first : bisect_left(begins, end, first)]:
            shared = (min(other_end, end)) - (max(other_begin, begin))
            if shared > 0:
                key = position, other
                common[key] = common.get(key, 0) + shared
    return common


LONG_RANGE = 256
"""Characters; triggers are words, and a longer one is a sentence."""


def _ranges(spans: Sequence[Span]) -> list[tuple[int, int, int]]:
    """(begin, end, position) of every range that covers something."""
    found = []
    for position, span in enumerate(spans):
        ranges = span[0]
        if len(ranges) == 1:
            begin, end = ranges[0]
            if begin < end:
                found.append((begin, end, position))
        else:
            found.extend((begin, end, position) for begin, end in span.merged())
    return found


def _swept(gold: Sequence[Span], system: Sequence[Span]) -> Common:
    """A sweep from left to right: each range meets the ranges of the other side that are still open."""
    events = [(begin, end, 0, position) for begin, end, position in _ranges(gold)]
    events += [(begin, end, 1, position) for begin, end, position in _ranges(system)]
    events.sort()
    still_open: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    common: Common = {}
    for begin, end, side, position in events:
        others = still_open[1 - side]
        others[:] = [other for other in others if other[0] > begin]
        for other_end, other in others:
            key = (position, other) if side else (other, position)
            common[key] = common.get(key, 0) + min(end, other_end) - begin
        still_open[side].append((end, position))
    return common
