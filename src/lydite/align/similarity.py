"""The similarity of two spans.

Only spans that overlap are compared: characters through sorted ranges, tokens by an index from token to
mentions.  Nothing here is quadratic in the number of mentions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import sub

from lydite.grouping import grouped
from lydite.model import Bounds, MentionColumns, Pair, Span


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
    gold: MentionColumns,
    system: MentionColumns,
    similarity: Callable[[int, int, int], float],
    *,
    count_repeats: bool = False,
) -> list[Pair]:
    """All pairs with a positive similarity, in the official order: similarity down, system, gold position up.

    ``count_repeats`` takes the sizes as written, so that a character of two overlapping segments counts twice in the
    size but once in what is common.
    """
    ours, theirs = gold.bounds, system.bounds
    if ours is not None and theirs is not None and _are_worth_arrays(ours, theirs):
        from lydite.align import similarity_arrays

        return similarity_arrays.candidates(ours, theirs, similarity)
    gold_sizes = _sizes(gold, count_repeats=count_repeats)
    system_sizes = _sizes(system, count_repeats=count_repeats)
    ranked = [
        (
            -similarity(common, gold_sizes[gold_position], system_sizes[system_position]),
            system_position,
            gold_position,
        )
        for system_position, gold_position, common in _overlaps(gold, system)
    ]
    ranked.sort()
    make = tuple.__new__  # what Pair(...) does, without a Python-level call for each of many
    return [
        make(Pair, (gold_position, system_position, -rank))
        for rank, system_position, gold_position in ranked
        if rank < 0
    ]


MANY = 1 << 14
"""Mentions of a document from which on arrays are worth their import."""


def _are_worth_arrays(gold: Bounds, system: Bounds) -> bool:
    """Whether both sides have many mentions, and gold no range so long that it would meet half of them."""
    if min(len(gold.begins), len(system.begins)) < MANY:
        return False
    longest: int = max(map(sub, gold.ends, gold.begins))
    return longest <= LONG_RANGE


def _sizes(columns: MentionColumns, *, count_repeats: bool) -> list[int]:
    if columns.bounds is not None:
        return list(map(sub, columns.bounds.ends, columns.bounds.begins))
    return [span.written_size if count_repeats else span.size for span in columns.spans]


Overlap = tuple[int, int, int]
"""Positions of a system and a gold mention, and how many distinct characters or tokens they have in common."""


def _overlaps(gold: MentionColumns, system: MentionColumns) -> Iterable[Overlap]:
    if _has_tokens(gold) or _has_tokens(system):
        return _add_up(_common_tokens(gold.spans, system.spans))
    if gold.bounds is not None and system.bounds is not None:  # one piece each
        return _common_characters(_pieces(gold), _pieces(system))
    return overlapping(_pieces(gold), _pieces(system))


def _add_up(meetings: Iterable[Overlap]) -> Iterator[Overlap]:
    """The sums of what two mentions have in common, where they overlap in several places."""
    common: dict[tuple[int, int], int] = {}
    for system, gold, shared in meetings:
        common[system, gold] = common.get((system, gold), 0) + shared
    return ((system, gold, shared) for (system, gold), shared in common.items())


def _has_tokens(columns: MentionColumns) -> bool:
    return columns.bounds is None and any(span.tokens for span in columns.spans)


def _common_tokens(gold: Sequence[Span], system: Sequence[Span]) -> Iterator[Overlap]:
    holders = grouped((token, position) for position, span in enumerate(gold) for token in span.tokens)
    for system_position, span in enumerate(system):
        for token in span.tokens:
            for gold_position in holders.get(token, ()):
                yield system_position, gold_position, 1


Piece = tuple[int, int, int]
"""Begin and end of a range that covers something, and the position of its mention."""


def _pieces(columns: MentionColumns) -> list[Piece]:
    if columns.bounds is not None:
        begins, ends = columns.bounds
        return [piece for piece in zip(begins, ends, range(len(begins)), strict=True) if piece[0] < piece[1]]
    return [(begin, end, at) for at, span in enumerate(columns.spans) for begin, end in span.merged()]


def overlapping(gold: list[Piece], system: list[Piece]) -> Iterator[Overlap]:
    """The overlaps of mentions that have one piece or more."""
    return _add_up(_common_characters(gold, system))


def _common_characters(gold: list[Piece], system: list[Piece]) -> list[Overlap]:
    """Look each system range up among the gold ranges sorted by their begins.

    Only gold ranges that begin less than the longest gold range before it can reach it.  One very long range would
    make that a look at all of them, so then the general sweep is used.
    """
    gold = sorted(gold)
    begins = [begin for begin, _, _ in gold]
    longest = max([end - begin for begin, end, _ in gold], default=0)
    if longest > LONG_RANGE:
        return list(_sweep(gold, system))
    meetings: list[Overlap] = []
    for begin, end, position in system:
        first = bisect_right(begins, begin - longest)
        for other_begin, other_end, other in gold[first : bisect_left(begins, end, first)]:
            if other_end > begin:
                # The smaller end less the larger begin; two calls for each of many overlaps show.
                last = other_end if other_end < end else end  # noqa: FURB136 - as above
                common = last - (other_begin if other_begin > begin else begin)  # noqa: FURB136 - as above
                meetings.append((position, other, common))
    return meetings


LONG_RANGE = 256
"""Characters; triggers are words, and a longer one is a sentence."""


def _sweep(gold: list[Piece], system: list[Piece]) -> Iterator[Overlap]:
    """A sweep from left to right: each range meets the ranges of the other side that are still open."""
    events = [(begin, end, 0, position) for begin, end, position in gold]
    events += [(begin, end, 1, position) for begin, end, position in system]
    events.sort()
    still_open: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for begin, end, side, position in events:
        others = still_open[1 - side]
        others[:] = [other for other in others if other[0] > begin]
        for other_end, other in others:
            shared = min(end, other_end) - begin
            yield (position, other, shared) if side else (other, position, shared)
        still_open[side].append((end, position))
