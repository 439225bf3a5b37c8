"""The text of a document as far as the comments of its triples give it: their words in the order of the token ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from lydite.model.triple import Triple, TripleElement
from lydite.model.verdict import Explained
from lydite.model.word_text import Ranges, WordText
from lydite.tasks.triples.comparison import AnyComparison
from lydite.tasks.triples.documents import triples_of

GAP = "…"
"""Stands for tokens whose words no comment gives."""
_NUMBERS = re.compile(r"\d+")
Order = tuple[int, ...]


class KnownWords:
    """The tokens of a document whose words some triple gives: those of elements with as many words as ids."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._word_of: dict[str, str] = {}
        for triple in triples:
            for element in (triple.first, triple.second):
                words = element.comment.split()
                if len(words) == len(element.ids):
                    for token, word in zip(element.ids, words, strict=True):
                        self._word_of.setdefault(token, word)

    @cached_property
    def _text_and_places(self) -> tuple[WordText, dict[str, int]]:
        """The words in the order of the numbers in their ids, and the place of each id among them."""
        ordered = sorted((order, token) for token in self._word_of if (order := _numbers_in(token)))
        words: list[str] = []
        places: dict[str, int] = {}
        last: Order = ()
        for order, token in ordered:
            follows = (*last[:-1], last[-1] + 1) == order if last else order[-1] <= 1
            if not follows:
                words.append(GAP)
            places[token] = len(words)
            words.append(self._word_of[token])
            last = order
        return WordText(words), places

    @property
    def text(self) -> str | None:
        """The words, with gaps; None if no triple gives one."""
        return self._text_and_places[0].text or None

    def ranges_of(self, *elements: TripleElement) -> Ranges:
        """The places of the words of elements in the text."""
        words, places = self._text_and_places
        return words.of(places[token] for element in elements for token in element.ids if token in places)


def _numbers_in(token: str) -> Order:
    return tuple(map(int, _NUMBERS.findall(token)))


def known_words(explained: Explained[AnyComparison]) -> KnownWords:
    """The words that the triples of both sides give."""
    return KnownWords((*triples_of(explained.gold), *triples_of(explained.system)))
