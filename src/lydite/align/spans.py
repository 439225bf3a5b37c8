"""The pairing of labelled spans of gold and system.

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
    certain = _uncontested_pairs(gold, system)
    if len(certain) == min(len(gold), len(system)):
        return SpanAlignment(gold, system, certain)
    paired_gold, paired_system = {pair.gold for pair in certain}, {pair.system for pair in certain}
    candidates = list(overlapping_pairs(gold, system, paired_gold, paired_system))
    base = min(len(gold), len(system)) + 1
    edges = [(one.gold, one.system, base ** (2 * one.same_place + one.same_type)) for one in candidates]
    chosen = [candidates[position] for position in assign(edges)]
    return SpanAlignment(gold, system, sorted([*certain, *chosen]) if certain else chosen)


def _uncontested_pairs(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> list[SpanPair]:
    """The pairs of the same place if no two spans of a side overlap, so that these overlap no others; else none."""
    if not (_are_disjoint(gold) and _are_disjoint(system)):
        return []
    system_places = {span.ranges: at for at, span in enumerate(system)}
    return [
        SpanPair(gold_at, system_at, True, type_ == system[system_at].type, size := _size(ranges), size, size)
        for gold_at, (ranges, type_) in enumerate(gold)
        if (system_at := system_places.get(ranges)) is not None
    ]


def _are_disjoint(spans: Sequence[LabelledSpan]) -> bool:
    """Whether each of the spans, in the order of the text, is a single range that ends before the next one begins."""
    ends = -1
    for ranges, _ in spans:
        if len(ranges) != 1 or ranges[0][0] < ends:
            return False
        ends = ranges[0][1]
    return True


def pair_by_overlap(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> SpanAlignment:
    """Pairs of one type with the largest sum of Dice coefficients 2·common/(size + size), compared exactly."""
    candidates = [pair for pair in overlapping_pairs(gold, system) if pair.same_type]
    scale = math.lcm(*{pair.gold_size + pair.system_size for pair in candidates})
    edges = [
        (pair.gold, pair.system, 2 * pair.common * (scale // (pair.gold_size + pair.system_size)))
        for pair in candidates
    ]
    return SpanAlignment(gold, system, [candidates[position] for position in assign(edges)])


def overlapping_pairs(
    gold: Sequence[LabelledSpan],
    system: Sequence[LabelledSpan],
    paired_gold: Collection[int] = (),
    paired_system: Collection[int] = (),
) -> Iterator[SpanPair]:
    """All pairs of spans that overlap, in the order of gold; spans that are paired are left out."""
    gold_ranges, system_ranges = (
        [(begin, end, at) for at, (ranges, _) in enumerate(side) if at not in paired for begin, end in ranges]
        for side, paired in ((gold, paired_gold), (system, paired_system))
    )
    overlaps = overlapping(gold_ranges, system_ranges)
    for gold_at, system_at, common in sorted((gold_at, at, common) for at, gold_at, common in overlaps):
        (ours, type_), (theirs, other_type) = gold[gold_at], system[system_at]
        same_place, same_type = ours == theirs, type_ == other_type
        yield SpanPair(gold_at, system_at, same_place, same_type, common, _size(ours), _size(theirs))


def _size(ranges: Ranges) -> int:
    return sum([end - begin for begin, end in ranges])
