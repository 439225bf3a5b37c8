"""Find words without offsets in the text of a document, deterministically, in all layers.

The methods in order: ``exact`` (the words as given, whole words before parts of words), ``normalised`` (ignoring case,
white space, quotes and dashes), ``fuzzy`` (whole words with at most one edit in five characters, for words of at least
four characters).  If words occur several times, the k-th mention (or trigger) with these words and type takes the k-th
occurrence; a filler takes the one nearest to its trigger (the first of equals), so one occurrence may fill several roles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lydite.model.document import Document
from lydite.model.places import Place, PlaceGroup, Ranges, places_of, with_places

SHORTEST = 4
"""Shorter words are not placed by ``fuzzy``: too much is similar to them."""

_QUOTES_AND_DASHES = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"}
)


def normalised(words: str) -> str:
    """Return words case folded, with single blanks, plain quotes and dashes."""
    return " ".join(words.translate(_QUOTES_AND_DASHES).casefold().split())


class Placement(NamedTuple):
    """The range of words in the text, the method that found it, and the number of edits."""

    begin: int
    end: int
    method: str
    distance: int = 0


class Grounded(NamedTuple):
    """A document after grounding, what was placed and how, and what could not be placed."""

    document: Document
    placed: tuple[tuple[Place, Placement], ...]
    unplaced: tuple[Place, ...]


def ground(document: Document, text: str) -> Grounded:
    """Find offsets for all words that have none; everything else stays as it is."""
    if not any(place.is_unplaced for place in places_of(document)):
        return Grounded(document, (), ())
    job = _Grounding(_WordFinder(text))
    grounded = with_places(document, job.place_group)
    return Grounded(grounded, tuple(job.placed), tuple(job.unplaced))


class _Grounding:
    """The grounding of one document."""

    def __init__(self, finder: _WordFinder) -> None:
        self._finder = finder
        self._used: dict[tuple[str, str, str], int] = {}
        self.placed: list[tuple[Place, Placement]] = []
        self.unplaced: list[Place] = []

    def place_group(self, group: PlaceGroup) -> list[Ranges]:
        """Return the ranges of the places in a group; the other places are near the first one."""
        ranges: list[Ranges] = []
        for place in group:
            near = ranges[0] if ranges else ()
            ranges.append(self._place(place, near) if place.is_unplaced else place.ranges)
        return ranges

    def _place(self, place: Place, near: Ranges) -> Ranges:
        placement = self._next_occurrence(place) if place.turn is not None else self._nearest(place, near)
        if placement is None:
            self.unplaced.append(place)
            return ()
        self.placed.append((place, placement))
        return ((placement.begin, placement.end),)

    def _next_occurrence(self, place: Place) -> Placement | None:
        # A mention may also be the trigger of an event, with the same words: each kind is counted separately.
        key = place.noun, normalised(place.words), place.turn or ""
        number = self._used.get(key, 0)
        self._used[key] = number + 1
        placements = self._finder.find(place.words)
        return placements[number] if number < len(placements) else None

    def _nearest(self, place: Place, near: Ranges) -> Placement | None:
        placements = self._finder.find(place.words)
        if not near:
            return placements[0] if placements else None
        placements = self._finder.whole_words(placements)
        begin, end = near[0][0], near[-1][1]
        return min(
            placements, key=lambda one: (max(one.begin - end, begin - one.end, 0), one.begin), default=None
        )


class _WordFinder:
    """Finds words in a text, by the three methods."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._placements: dict[str, list[Placement]] = {}
        characters, offsets = [], []
        after_blank = False
        for offset, character in enumerate(text):
            if character.isspace():
                if not after_blank:
                    characters.append(" ")
                    offsets.append(offset)
                after_blank = True
                continue
            after_blank = False
            for folded in character.translate(_QUOTES_AND_DASHES).casefold():
                characters.append(folded)
                offsets.append(offset)
        self._normal = "".join(characters)
        self._offsets = [*offsets, len(text)]

    def find(self, words: str) -> list[Placement]:
        """Return all occurrences of words, whole words first, by the strictest method that finds any."""
        if words not in self._placements:
            self._placements[words] = self._exact(words) or self._normalised(words) or self._fuzzy(words)
        return self._placements[words]

    def whole_words(self, placements: list[Placement]) -> list[Placement]:
        """Return those that begin and end at word boundaries; all, if none does."""
        whole = [one for one in placements if _is_whole(self._text, one.begin, one.end)]
        return whole or placements

    def _exact(self, words: str) -> list[Placement]:
        return [Placement(at, at + len(words), "exact") for at in _occurrences(words, self._text)]

    def _normalised(self, words: str) -> list[Placement]:
        normal = normalised(words)
        found = _occurrences(normal, self._normal)
        return [self._placement(at, at + len(normal), "normalised", 0) for at in found]

    def _placement(self, begin: int, end: int, method: str, distance: int) -> Placement:
        """Convert a range of the normalised text to one of the text."""
        last = self._offsets[end - 1]
        return Placement(self._offsets[begin], last + 1, method, distance)

    def _fuzzy(self, words: str) -> list[Placement]:
        normal = normalised(words)
        if len(normal) < SHORTEST:
            return []
        ranges = _find_similar(normal, self._normal, max(1, len(normal) // 5))
        return [self._placement(begin, end, "fuzzy", distance) for begin, end, distance in ranges]


def _occurrences(words: str, text: str) -> list[int]:
    """Return the starts of all occurrences of words, whole words before parts of words, without overlaps."""
    if not words:
        return []
    starts = [match.start() for match in re.finditer(re.escape(words), text)]
    whole = [start for start in starts if _is_whole(text, start, start + len(words))]
    return [*whole, *(start for start in starts if start not in set(whole))]


def _is_whole(text: str, begin: int, end: int) -> bool:
    """Whether a range begins and ends at word boundaries."""
    before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
    return not (before.isalnum() and text[begin].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _find_similar(words: str, text: str, max_distance: int) -> list[tuple[int, int, int]]:
    """Return the ranges with the least edit distance to the words, if not above the maximum: (begin, end, distance).

    Sellers (1980): a row of edit distances in which the words may begin anywhere, with their begins.  Only whole words
    count, and of overlapping ranges the first.
    """
    size = len(words)
    costs = list(range(size + 1))
    begins = [0] * (size + 1)
    best, ranges = max_distance + 1, list[tuple[int, int, int]]()
    for end, character in enumerate(text, 1):
        diagonal, diagonal_begin = costs[0], begins[0]
        costs[0], begins[0] = 0, end
        for row in range(1, size + 1):
            cost, begin = diagonal + (words[row - 1] != character), diagonal_begin
            if costs[row] + 1 < cost:
                cost, begin = costs[row] + 1, begins[row]
            if costs[row - 1] + 1 < cost:
                cost, begin = costs[row - 1] + 1, begins[row - 1]
            diagonal, diagonal_begin = costs[row], begins[row]
            costs[row], begins[row] = cost, begin
        if costs[size] < best:
            best, ranges = costs[size], []
        if costs[size] == best:
            ranges.append((begins[size], end, best))
    return _without_overlaps(ranges, text) if best <= max_distance else []


def _without_overlaps(ranges: Sequence[tuple[int, int, int]], text: str) -> list[tuple[int, int, int]]:
    groups: list[list[tuple[int, int, int]]] = []
    for one in ranges:
        if groups and one[0] < groups[-1][-1][1]:
            groups[-1].append(one)
        else:
            groups.append([one])
    whole = [[one for one in group if _is_whole(text, one[0], one[1])] for group in groups]
    return [group[0] for group in whole if group]
