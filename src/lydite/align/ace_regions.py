"""How far two places of ACE mentions agree: shared length over the longer, shared area, common text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from lydite.model.ace import Region


def overlap(first: Region, second: Region) -> float:
    """Shared length over the longer of two spans: the smaller of the two fractions; 0 if they do not touch.

    Text and time alike, since both are half-open here.  Of images the shared area over the larger total area, with
    boxes of equal pages assigned one to one so that the shared area is largest.
    """
    if first.boxes or second.boxes:
        return _box_overlap(first, second)
    shared = min(first.end, second.end) - max(first.start, second.start)
    return shared / max(first.end - first.start, second.end - second.start) if shared > 0 else 0.0


def _box_overlap(first: Region, second: Region) -> float:
    from lydite.align.ace_assignment import assign

    shared: dict[tuple[int, int], float] = {}
    for i, one in enumerate(first.boxes):
        for j, other in enumerate(second.boxes):
            width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            if one.page == other.page and width > 0 and height > 0:
                shared[i, j] = width * height
    areas = [sum(box.width * box.height for box in region.boxes) for region in (first, second)]
    return sum(shared[pair] for pair in assign(shared)) / max(areas) if shared else 0.0


def touching(gold: Sequence[Region], system: Sequence[Region]) -> Iterator[tuple[int, int]]:
    """Positions of all pairs of regions that may overlap, found by a sweep over sorted starts."""
    starts = [region.start for region in system]
    order = sorted(range(len(system)), key=starts.__getitem__)
    starts = [starts[j] for j in order]
    furthest = list(accumulate([system[j].end for j in order], max))
    for i, region in enumerate(gold):
        if region.boxes:
            yield from ((i, j) for j in order if system[j].boxes)
            continue
        position = bisect_left(starts, region.end) - 1
        while position >= 0 and furthest[position] > region.start:
            j = order[position]
            if system[j].end > region.start:
                yield i, j
            position -= 1


def text_match(first: str, second: str) -> float:
    """Longest common run over the longer length, upper case; between ASCII strings letters and digits only."""
    one, other = first.upper(), second.upper()
    if one.isascii() and other.isascii():
        one, other = ("".join(filter(str.isalnum, text)) for text in (one, other))
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    from difflib import SequenceMatcher

    longest = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return longest.size / max(len(one), len(other))
