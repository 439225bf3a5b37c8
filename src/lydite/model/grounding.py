"""Mentions given as words without offsets, placed in the text by a recorded, deterministic step.

In this order: ``exact`` (the words as they are, whole words before parts of words), ``normalised`` (case, white space,
quotes and dashes aside), ``fuzzy`` (whole words at most one edit in five characters away, for four characters and more).  Of
several places in the text the k-th mention with the same words and type takes the k-th one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lydite.model.document import Document
from lydite.model.mention import Mention
from lydite.model.span import Span

NO_TEXT = frozenset({"", "-"})
SHORTEST = 4
"""Shorter words are not placed by likeness: nearly everything is like them."""

_SIGNS = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"}
)


class Placement(NamedTuple):
    """Where a mention was placed: begin and end, by which method, and how many edits away."""

    begin: int
    end: int
    method: str
    distance: int = 0


class Grounded(NamedTuple):
    """The mentions of a document after grounding, how each was placed, and the ids of those that were not."""

    mentions: tuple[Mention, ...]
    placements: dict[str, Placement]
    unplaced: tuple[str, ...]


def ground(document: Document, text: str) -> Grounded:
    """Places every mention that has words and no span; all others stay as they are."""
    finder = _Finder(text)
    used: dict[tuple[str, str], int] = {}
    mentions: list[Mention] = []
    placements: dict[str, Placement] = {}
    unplaced = []
    for mention in document.mentions:
        if mention.span.ranges or mention.span.tokens or mention.text.strip() in NO_TEXT:
            mentions.append(mention)
            continue
        words = mention.text.strip()
        key = finder.normalise(words), mention.type
        number = used.get(key, 0)
        used[key] = number + 1
        found = finder.find(words, number)
        if found is None:
            unplaced.append(mention.id)
            mentions.append(mention)
        else:
            placements[mention.id] = found
            mentions.append(mention._replace(span=Span(((found.begin, found.end),))))
    return Grounded(tuple(mentions), placements, tuple(unplaced))


class _Finder:
    """One text, looked through in ever looser ways."""

    def __init__(self, text: str) -> None:
        self._text = text
        signs, places = [], []
        blank = False
        for place, sign in enumerate(text):
            if sign.isspace():
                if not blank:
                    signs.append(" ")
                    places.append(place)
                blank = True
                continue
            blank = False
            for folded in sign.translate(_SIGNS).casefold():
                signs.append(folded)
                places.append(place)
        self._normal = "".join(signs)
        self._places = [*places, len(text)]

    @staticmethod
    def normalise(words: str) -> str:
        """Words without case, with single blanks, plain quotes and dashes."""
        return " ".join(words.translate(_SIGNS).casefold().split())

    def find(self, words: str, number: int) -> Placement | None:
        """The place of the ``number``-th mention of these words, counted from 0."""
        exact = _occurrences(words, self._text)
        if exact:
            return (
                Placement(exact[number], exact[number] + len(words), "exact") if number < len(exact) else None
            )
        normal = self.normalise(words)
        found = _occurrences(normal, self._normal)
        if found:
            if number >= len(found):
                return None
            return self._placed(found[number], found[number] + len(normal), "normalised", 0)
        return self._fuzzy(normal, number) if len(normal) >= SHORTEST else None

    def _placed(self, begin: int, end: int, method: str, distance: int) -> Placement:
        last = self._places[end - 1]
        return Placement(self._places[begin], last + 1, method, distance)

    def _fuzzy(self, normal: str, number: int) -> Placement | None:
        most = max(1, len(normal) // 5)
        ends = _nearest(normal, self._normal, most)
        if number >= len(ends):
            return None
        begin, end, distance = ends[number]
        return self._placed(begin, end, "fuzzy", distance)


def _occurrences(words: str, text: str) -> list[int]:
    """Where the words stand, whole words if there are any, else parts of words; never overlapping."""
    if not words:
        return []
    everywhere = [found.start() for found in re.finditer(re.escape(words), text)]
    whole = [at for at in everywhere if _is_whole(text, at, at + len(words))]
    return whole or everywhere


def _is_whole(text: str, begin: int, end: int) -> bool:
    before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
    return not (before.isalnum() and text[begin].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _nearest(words: str, text: str, most: int) -> list[tuple[int, int, int]]:
    """The places with the least edit distance to the words, if that is at most ``most``: (begin, end, distance).

    Sellers (1980): a row of edit distances in which the words may begin anywhere; beginnings travel along.  Only
    whole words count, and of places that overlap the first one.
    """
    size = len(words)
    costs = list(range(size + 1))
    begins = [0] * (size + 1)
    best, found = most + 1, list[tuple[int, int, int]]()
    for place, sign in enumerate(text, 1):
        diagonal, diagonal_begin = costs[0], begins[0]
        costs[0], begins[0] = 0, place
        for row in range(1, size + 1):
            cost, begin = diagonal + (words[row - 1] != sign), diagonal_begin
            if costs[row] + 1 < cost:
                cost, begin = costs[row] + 1, begins[row]
            if costs[row - 1] + 1 < cost:
                cost, begin = costs[row - 1] + 1, begins[row - 1]
            diagonal, diagonal_begin = costs[row], begins[row]
            costs[row], begins[row] = cost, begin
        if costs[size] < best:
            best, found = costs[size], []
        if costs[size] == best:
            found.append((begins[size], place, best))
    return _apart(found, text) if best <= most else []


def _apart(places: Sequence[tuple[int, int, int]], text: str) -> list[tuple[int, int, int]]:
    groups: list[list[tuple[int, int, int]]] = []
    for place in places:
        if groups and place[0] < groups[-1][-1][1]:
            groups[-1].append(place)
        else:
            groups.append([place])
    whole = [[one for one in group if _is_whole(text, one[0], one[1])] for group in groups]
    return [group[0] for group in whole if group]
