"""Which labelled spans of gold and system belong together.

Every span is in one pair at most, and the choice does not depend on the order of the spans.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from lydite.align.similarity import overlapping
from lydite.assignment import assign
from lydite.model.span_alignment import LabelledSpan, Ranges, SpanAlignment, SpanPair


def pair_by_rank(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> SpanAlignment:
    """As many pairs of the same place and type as possible, then of the same place, then overlapping of one type,
    then overlapping at all.

    The ranks weigh by powers of a number that exceeds the number of pairs: no count of lower pairs outweighs one higher
    pair, so how many pairs of each rank there are is fixed.
    """
    alone = _alone(gold, system)
    if len(alone) == min(len(gold), len(system)):
        return SpanAlignment(gold, system, alone)
    ours, theirs = {pair.gold for pair in alone}, {pair.system for pair in alone}
    candidates = list(touching(gold, system, ours, theirs))
    base = min(len(gold), len(system)) + 1
    edges = [(one.gold, one.system, base ** _rank(one)) for one in candidates]
    chosen = [candidates[position] for position in assign(edges)]
    return SpanAlignment(gold, system, sorted([*alone, *chosen]) if alone else chosen)


def _alone(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> list[SpanPair]:
    """The pairs of the same place, if no two spans of a side overlap, so that they meet nobody else; else none."""
    if not (_are_apart(gold) and _are_apart(system)):
        return []
    homes = {theirs.ranges: at for at, theirs in enumerate(system)}
    return [
        SpanPair(place, at, True, kind == system[at].type, size := _size(ranges), size, size)
        for place, (ranges, kind) in enumerate(gold)
        if (at := homes.get(ranges)) is not None
    ]


def _are_apart(spans: Sequence[LabelledSpan]) -> bool:
    """Whether each of the spans, in the order of the text, is a single range that ends before the next one begins."""
    ends = -1
    for ranges, _ in spans:
        if len(ranges) != 1 or ranges[0][0] < ends:
            return False
        ends = ranges[0][1]
    return True


def _rank(pair: SpanPair) -> int:
    return 2 * pair.same_place + pair.same_type


def pair_by_overlap(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> SpanAlignment:
    """Pairs of one type with the largest sum of Dice coefficients 2·common/(size + size), compared exactly."""
    candidates = [one for one in touching(gold, system) if one.same_type]
    scale = math.lcm(*{one.gold_size + one.system_size for one in candidates})
    edges = [
        (one.gold, one.system, 2 * one.common * (scale // (one.gold_size + one.system_size)))
        for one in candidates
    ]
    return SpanAlignment(gold, system, [candidates[position] for position in assign(edges)])


def touching(
    gold: Sequence[LabelledSpan],
    system: Sequence[LabelledSpan],
    paired_gold: Collection[int] = (),
    paired_system: Collection[int] = (),
) -> Iterator[SpanPair]:
    """All pairs that have something in common, in the order of gold; spans that are paired are left out."""
    ours, theirs = (
        [(begin, end, at) for at, (ranges, _) in enumerate(side) if at not in paired for begin, end in ranges]
        for side, paired in ((gold, paired_gold), (system, paired_system))
    )
    for place, at, common in sorted((place, at, common) for at, place, common in overlapping(ours, theirs)):
        (ranges, kind), (others, other_kind) = gold[place], system[at]
        yield SpanPair(place, at, ranges == others, kind == other_kind, common, _size(ranges), _size(others))


def _size(ranges: Ranges) -> int:
    return sum([end - begin for begin, end in ranges])
