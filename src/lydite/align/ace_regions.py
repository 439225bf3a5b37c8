"""Which places of ACE mentions may overlap, and how much text two heads have in common."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from lydite.model.ace import Region


def overlap_candidates(gold: Sequence[Region], system: Sequence[Region]) -> Iterator[tuple[int, int]]:
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
