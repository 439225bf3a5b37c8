"""Which labelled spans of gold and system belong together.

Every span is in one pair at most, and the choice does not depend on the order of the spans.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lydite.assignment import assign
from lydite.model.span_alignment import LabelledSpan, Ranges, SpanAlignment, SpanPair


def pair_by_rank(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> SpanAlignment:
    """As many pairs of the same place and type as possible, then of the same place, then overlapping of one type,
    then overlapping at all.

    The ranks weigh by powers of a number that exceeds the number of pairs: no count of lower pairs outweighs one higher
    pair, so how many pairs of each rank there are is fixed.
    """
    base = min(len(gold), len(system)) + 1
    touching = list(_touching(gold, system))
    edges = [(one.gold, one.system, base ** _rank(one)) for one in touching]
    return SpanAlignment(gold, system, [touching[position] for position in assign(edges)])


def _rank(pair: SpanPair) -> int:
    return 2 * pair.same_place + pair.same_type


def pair_by_overlap(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> SpanAlignment:
    """Pairs of one type with the largest sum of Dice coefficients 2·common/(size + size), compared exactly."""
    touching = [one for one in _touching(gold, system) if one.same_type]
    scale = math.lcm(*{one.gold_size + one.system_size for one in touching})
    edges = [
        (one.gold, one.system, 2 * one.common * (scale // (one.gold_size + one.system_size)))
        for one in touching
    ]
    return SpanAlignment(gold, system, [touching[position] for position in assign(edges)])


def _touching(gold: Sequence[LabelledSpan], system: Sequence[LabelledSpan]) -> Iterator[SpanPair]:
    """All pairs that have something in common, found by a sweep along the text."""
    order = sorted(range(len(system)), key=lambda at: system[at].ranges[0][0] if system[at].ranges else 0)
    starts = [system[at].ranges[0][0] if system[at].ranges else 0 for at in order]
    longest = max((_extent(span.ranges) for span in system), default=0)
    from bisect import bisect_left

    for place, ours in enumerate(gold):
        if not ours.ranges:
            continue
        first = bisect_left(starts, ours.ranges[0][0] - longest)
        for at in order[first : bisect_left(starts, ours.ranges[-1][1])]:
            theirs = system[at]
            common = _common(ours.ranges, theirs.ranges)
            if common:
                yield SpanPair(
                    place,
                    at,
                    ours.ranges == theirs.ranges,
                    ours.type == theirs.type,
                    common,
                    _size(ours.ranges),
                    _size(theirs.ranges),
                )


def _extent(ranges: Ranges) -> int:
    return ranges[-1][1] - ranges[0][0] if ranges else 0


def _size(ranges: Ranges) -> int:
    return sum(end - begin for begin, end in ranges)


def _common(ours: Ranges, theirs: Ranges) -> int:
    return sum(max(0, min(end, stop) - max(begin, start)) for begin, end in ours for start, stop in theirs)
