"""Between characters and tokens: what a span of one unit is in the other, through the offsets of a token table.

Tokens become characters: each run of neighbours in the table becomes a range from the first begin to the last end.
Characters become tokens: every token that covers a range or is covered by one; a token that only overlaps is not
taken.  The official converter loses the token behind a gap, and its reverse does not work; neither is reproduced.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate

from lydite.formats.tokens import TokenTable
from lydite.model import Span

Range = tuple[int, int]


class TokenPlaces:
    """The tokens of a table by their places in the text; tokens may even overlap, as in no sound table."""

    def __init__(self, table: TokenTable) -> None:
        self._rows = {token: row for row, token in enumerate(table.strings)}
        self._offsets = table.offsets
        placed = [(*place, token) for token, place in table.offsets.items() if place[0] < place[1]]
        self._placed = sorted(placed, key=lambda item: (item[:2], self._rows[item[2]]))
        self._begins = [begin for begin, _, _ in self._placed]
        self._furthest = list(accumulate((end for _, end, _ in self._placed), max))

    def has_place(self, token: str) -> bool:
        """Whether the table gives offsets for this token."""
        return token in self._offsets

    def characters(self, tokens: Iterable[str]) -> Span:
        """The characters of these tokens, which must all have a place: one range per run of neighbours."""
        rows = sorted({self._rows[token]: self._offsets[token] for token in tokens}.items())
        ranges: list[Range] = []
        last = None
        for row, (begin, end) in rows:
            if last is not None and row == last + 1:
                ranges[-1] = (ranges[-1][0], end)
            else:
                ranges.append((begin, end))
            last = row
        return Span(ranges=tuple(ranges))

    def tokens(self, span: Span) -> Span:
        """The tokens that cover a range of the span or are covered by one, in the order of the table."""
        found = {token for begin, end in span.ranges if begin < end for token in self._at(begin, end)}
        return Span(tokens=tuple(sorted(found, key=self._rows.__getitem__)))

    def _at(self, begin: int, end: int) -> Iterable[str]:
        first = bisect_left(self._begins, begin)
        for _, token_end, token in self._placed[first : bisect_left(self._begins, end)]:
            if token_end <= end:
                yield token
        # Those that begin no later and end no earlier: backwards, as long as any before reaches so far.
        place = bisect_right(self._begins, begin) - 1
        while place >= 0 and self._furthest[place] >= end:
            _, token_end, token = self._placed[place]
            if token_end >= end:
                yield token
            place -= 1
