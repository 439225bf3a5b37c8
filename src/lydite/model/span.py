"""Spans: the characters or tokens of a mention."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Half-open character ranges, or a set of token ids; a discontinuous trigger is one span.

    ``ranges`` keep the order and the repeats of the file, because one official scorer counts a character of two
    overlapping segments twice (``docs/quirks.md#count-repeated-characters``); :meth:`merged` is the set of characters.
    ``tokens`` are opaque names: each counts once, their order does not matter.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    tokens: tuple[str, ...] = ()

    @property
    def written_size(self) -> int:
        """The number of characters, including repeats, or of tokens."""
        return sum(end - begin for begin, end in self.ranges if end > begin) or len(self.tokens)

    @property
    def size(self) -> int:
        """The number of distinct characters or of tokens."""
        return sum(end - begin for begin, end in self.merged()) or len(self.tokens)

    @property
    def is_empty(self) -> bool:
        """Whether the span covers nothing; a mention with an empty span is never paired."""
        return not self.tokens and all(end <= begin for begin, end in self.ranges)

    @property
    def offsets(self) -> tuple[int, ...]:
        """Every character offset in the order of the file, including repeats."""
        return tuple(offset for begin, end in self.ranges for offset in range(begin, end))

    def merged(self) -> tuple[tuple[int, int], ...]:
        """Return the ranges sorted, joined if they touch or overlap, without empty ones."""
        ranges = self.ranges
        if len(ranges) == 1:
            return ranges if ranges[0][0] < ranges[0][1] else ()
        joined: list[tuple[int, int]] = []
        for begin, end in sorted(ranges):
            if begin >= end:
                continue
            if joined and begin <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(joined[-1][1], end))
            else:
                joined.append((begin, end))
        return tuple(joined)

    def __str__(self) -> str:
        if self.tokens:
            return ",".join(self.tokens)
        return ";".join(f"{begin},{end}" for begin, end in self.ranges)


EMPTY_SPAN = Span()
