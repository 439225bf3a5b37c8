"""Boundary repair: make annotated segments consist of whole tokens.

A token with a segment boundary strictly inside is cut at every such boundary, and the pieces
are tokens: nothing is dropped.  Each token and segment in conflict give one warning.

The official maker looks at one segment per token, leaves or loses a token that a segment enters
from the left and ends in, and writes an empty table when there is no segment at all.  These are
defects of that program, and are not reproduced.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from lydite.tokenizer.token import Token


class Segment(NamedTuple):
    """One contiguous stretch of an annotated mention: ``text[start:end]`` of its document."""

    start: int
    end: int
    text: str


class BoundaryMismatch(NamedTuple):
    """A segment that begins or ends inside a token; ``token`` is as it was before the cut.

    ``number`` is the place of the segment among those that were given, from 0.
    """

    doc_id: str
    token: Token
    segment: Segment
    number: int

    def __str__(self) -> str:
        """The official warning, without its ``[WARN] ``, on one line."""
        token, segment = _describe(self.token), _describe(self.segment)
        return f"Boundary mismatch found in {self.doc_id}: Token {token} vs. EventMentionSpan {segment}"


class BoundaryRepair(NamedTuple):
    """Tokens cut at segment boundaries, and what had to be cut, in token then segment order."""

    tokens: list[Token]
    mismatches: list[BoundaryMismatch]


def repair_boundaries(
    tokens: Iterable[Token], segments: Iterable[tuple[int, int]], *, text: str, doc_id: str
) -> BoundaryRepair:
    """Cut ``tokens`` at the boundaries of ``segments``, which may overlap and come in any order.

    Each segment of a discontinuous mention counts by itself.
    """
    ordered = sorted((start, end, number) for number, (start, end) in enumerate(segments))
    boundaries = sorted((place, order) for order, segment in enumerate(ordered) for place in segment[:2])
    places = [place for place, _ in boundaries]
    repair = BoundaryRepair([], [])
    for token in tokens:
        inside = boundaries[bisect_right(places, token.start) : bisect_left(places, token.end)]
        if not inside:
            repair.tokens.append(token)
            continue
        repair.tokens.extend(_cut(token, sorted({place for place, _ in inside})))
        for start, end, number in (ordered[order] for order in sorted({order for _, order in inside})):
            segment = Segment(start, end, text[start:end])
            repair.mismatches.append(BoundaryMismatch(doc_id, token, segment, number))
    return repair


def _cut(token: Token, places: Sequence[int]) -> Iterable[Token]:
    for start, end in pairwise((token.start, *places, token.end)):
        yield Token(start, end, token.text[start - token.start : end - token.start])


def _describe(stretch: Token | Segment) -> str:
    return f"[{stretch.start},{stretch.end}] [{' '.join(stretch.text.splitlines())}]"
