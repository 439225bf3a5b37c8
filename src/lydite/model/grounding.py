"""Words given without offsets, in whatever layer, placed in the text by a recorded, deterministic step.

In this order: ``exact`` (the words as they are, whole words before parts of words), ``normalised`` (case, white space,
quotes and dashes aside), ``fuzzy`` (whole words at most one edit in five characters away, for four characters and more).  Of
several places in the text the k-th mention (or trigger) with the same words and type takes the k-th one; what fills a
role takes the one nearest to its trigger, of equals the first, so that one place may fill several roles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lydite.model.document import Document
from lydite.model.places import Group, Place, Ranges, places_of, with_places
from lydite.records import NamedTuple

SHORTEST = 4
"""Shorter words are not placed by likeness: nearly everything is like them."""

_SIGNS = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"}
)


def normalised(words: str) -> str:
    """Words without case, with single blanks, plain quotes and dashes."""
    return " ".join(words.translate(_SIGNS).casefold().split())


class Placement(NamedTuple):
    """Where words were placed: begin and end, by which method, and how many edits away."""

    begin: int
    end: int
    method: str
    distance: int = 0


class Grounded(NamedTuple):
    """A document after grounding, what was placed and how, and what was not."""

    document: Document
    placed: tuple[tuple[Place, Placement], ...]
    unplaced: tuple[Place, ...]


def ground(document: Document, text: str) -> Grounded:
    """Places all words that have no offsets; everything else stays as it is."""
    if not any(place.is_unplaced for place in places_of(document)):
        return Grounded(document, (), ())
    job = _Job(_Finder(text))
    made = with_places(document, job.place_group)
    return Grounded(made, tuple(job.placed), tuple(job.unplaced))


class _Job:
    """One document on its way into the text."""

    def __init__(self, finder: _Finder) -> None:
        self._finder = finder
        self._used: dict[tuple[str, str, str], int] = {}
        self.placed: list[tuple[Place, Placement]] = []
        self.unplaced: list[Place] = []

    def place_group(self, group: Group) -> list[Ranges]:
        """Where the places of a group are to be; the first one is what the others are near to."""
        made: list[Ranges] = []
        for place in group:
            made.append(self._ranges(place, made[0] if made else ()) if place.is_unplaced else place.ranges)
        return made

    def _ranges(self, place: Place, near: Ranges) -> Ranges:
        found = self._in_turn(place) if place.turn is not None else self._nearest(place, near)
        if found is None:
            self.unplaced.append(place)
            return ()
        self.placed.append((place, found))
        return ((found.begin, found.end),)

    def _in_turn(self, place: Place) -> Placement | None:
        # A mention and the trigger of its event are one thing said twice: each kind has its own turns.
        key = place.noun, normalised(place.words), place.turn or ""
        number = self._used.get(key, 0)
        self._used[key] = number + 1
        found = self._finder.find(place.words)
        return found[number] if number < len(found) else None

    def _nearest(self, place: Place, near: Ranges) -> Placement | None:
        found = self._finder.find(place.words)
        if not near:
            return found[0] if found else None
        begin, end = near[0][0], near[-1][1]
        return min(found, key=lambda one: (max(one.begin - end, begin - one.end, 0), one.begin), default=None)


class _Finder:
    """One text, looked through in ever looser ways."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, list[Placement]] = {}
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

    def find(self, words: str) -> list[Placement]:
        """All places of these words, in the order of the text, by the strictest method that finds any."""
        if words not in self._found:
            self._found[words] = self._exact(words) or self._normalised(words) or self._fuzzy(words)
        return self._found[words]

    def _exact(self, words: str) -> list[Placement]:
        return [Placement(at, at + len(words), "exact") for at in _occurrences(words, self._text)]

    def _normalised(self, words: str) -> list[Placement]:
        normal = normalised(words)
        return [
            self._placed(at, at + len(normal), "normalised", 0) for at in _occurrences(normal, self._normal)
        ]

    def _placed(self, begin: int, end: int, method: str, distance: int) -> Placement:
        last = self._places[end - 1]
        return Placement(self._places[begin], last + 1, method, distance)

    def _fuzzy(self, words: str) -> list[Placement]:
        normal = normalised(words)
        if len(normal) < SHORTEST:
            return []
        found = _nearest(normal, self._normal, max(1, len(normal) // 5))
        return [self._placed(begin, end, "fuzzy", distance) for begin, end, distance in found]


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
