"""The words of a document as one text, for formats that number words and have no text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

Ranges = tuple[tuple[int, int], ...]
"""Half-open ranges of characters."""


def runs_of(places: Iterable[int]) -> tuple[int, ...]:
    """Return the runs in ascending numbers as first, end, first, end, …; ends are exclusive."""
    edges: list[int] = []
    for place in places:
        if edges and edges[-1] == place:
            edges[-1] = place + 1
        else:
            edges.extend((place, place + 1))
    return tuple(edges)


class WordText:
    """Words joined by blanks, and their character ranges."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._letters = [*accumulate(map(len, words), initial=0)]

    @cached_property
    def text(self) -> str:
        """All words."""
        return " ".join(self.words)

    def run(self, first: int, end: int) -> Ranges:
        """Return the range of the words ``first`` to ``end - 1``; nothing if there are no such words."""
        before = self._letters
        if not 0 <= first < end < len(before):
            return ()
        return ((before[first] + first, before[end] + end - 1),)

    def of(self, places: Iterable[int]) -> Ranges:
        """Return the ranges of words by position; adjacent words are one range."""
        edges = runs_of(sorted(set(places)))
        return tuple(one for run in zip(edges[::2], edges[1::2], strict=True) for one in self.run(*run))


class AddressedWords(WordText):
    """Words of several documents, for mentions that are addresses (``first.naf#t22``) or tuples of them."""

    def __init__(self, words: Sequence[str], places_at: Callable[[str], Sequence[int]]) -> None:
        super().__init__(words)
        self._places_at = places_at

    def places_of(self, mention: Hashable) -> list[int]:
        """Return the positions of the words of a mention; none if its addresses lead nowhere."""
        addresses = mention if isinstance(mention, tuple) else (mention,)
        return [place for one in addresses if isinstance(one, str) for place in self._places_at(one)]

    def at(self, mention: Hashable) -> Ranges:
        """Return the ranges of the words of a mention."""
        return self.of(self.places_of(mention))


class NamedWords(WordText):
    """Words with names, such as the ids of the tokens in a table."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(list(words.values()))
        self._places = {name: place for place, name in enumerate(words)}

    def named(self, names: Iterable[str]) -> Ranges:
        """Return the ranges of words by name; unknown names are ignored."""
        return self.of(self._places[name] for name in names if name in self._places)
