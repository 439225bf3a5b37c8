"""The words of a document as one text, for formats that number words and keep no text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

Ranges = tuple[tuple[int, int], ...]
"""Half-open ranges of characters."""


class WordText:
    """Words joined by blanks, and where runs of them stand."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._letters = [*accumulate(map(len, words), initial=0)]

    @property
    def text(self) -> str:
        """All words."""
        return " ".join(self.words)

    def run(self, first: int, end: int) -> Ranges:
        """The characters of the words from one to before another; none if there are no such words."""
        before = self._letters
        if not 0 <= first < end < len(before):
            return ()
        return ((before[first] + first, before[end] + end - 1),)

    def of(self, places: Iterable[int]) -> Ranges:
        """The characters of words by their places; words side by side are one range."""
        runs: list[list[int]] = []
        for place in sorted(set(places)):
            if runs and runs[-1][1] == place:
                runs[-1][1] = place + 1
            else:
                runs.append([place, place + 1])
        return tuple(one for first, end in runs for one in self.run(first, end))
