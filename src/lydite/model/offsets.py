"""Offsets that count something else than the characters of the text at hand, and how they are put right.

Each hypothesis maps an offset as it was given to the offset of the character that was meant:

``utf-16``   UTF-16 units were counted: a character beyond the basic plane is two
``bytes``    bytes of UTF-8 were counted
``crlf``     line ends CR LF were counted as one (the text has them), or LF as two (the text has LF alone)
``bom``      a byte-order mark was counted that the text lacks, or not counted although the text has it
``tags``     SGML tags were not counted
``shift``    every offset is off by the same number, which the words themselves tell

Places with words are held against the text one by one, in every layer of a document that has them; what has no words
of its own (a base filler, a justification, a head) goes where the words beside it go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from lydite.model.document import Document
from lydite.model.places import Group, Place, Ranges, groups_of, with_places
from lydite.records import NamedTuple

BYTE_ORDER_MARK = "\ufeff"
Move = Callable[[int], int | None]
"""From an offset as it was given to an offset in the text; None if there is no such place."""

TAG = re.compile(r"<[^<>]*>")


def _by_width(text: str, width: Callable[[str], int]) -> Move | None:
    """Offsets were counted in units of which each character has some."""
    starts = list(accumulate(map(width, text), initial=0))
    if starts[-1] == len(text):
        return None
    places = {start: place for place, start in enumerate(starts)}
    return places.get


def _crlf(text: str, _places: Sequence[Place]) -> Move | None:
    if "\r\n" in text:
        kept = [place for place in range(len(text) + 1) if text[place : place + 2] != "\r\n"]
        return lambda offset: kept[offset] if 0 <= offset < len(kept) else None
    return _by_width(text, lambda sign: 2 if sign == "\n" else 1)


def _bom(text: str, _places: Sequence[Place]) -> Move | None:
    step = 1 if text.startswith(BYTE_ORDER_MARK) else -1
    return lambda offset: offset + step


def _tags(text: str, _places: Sequence[Place]) -> Move | None:
    tags = [found.span() for found in TAG.finditer(text)]
    if not tags:
        return None
    kept: list[int] = []
    at = 0
    for begin, end in (*tags, (len(text) + 1, 0)):
        kept.extend(range(at, begin))
        at = end
    return lambda offset: kept[offset] if 0 <= offset < len(kept) else None


def _shift(text: str, places: Sequence[Place]) -> Move | None:
    votes: Counter[int] = Counter()
    for place in places:
        begin = place.ranges[0][0]
        first = place.words.split()[0]
        votes.update(found.start() - begin for found in re.finditer(re.escape(first), text))
    votes.pop(0, None)
    if not votes:
        return None
    most = max(votes.values())
    step = min((step for step, count in votes.items() if count == most), key=lambda step: (abs(step), step))
    return lambda offset: offset + step


_HYPOTHESES: Mapping[str, Callable[[str, Sequence[Place]], Move | None]] = {
    "utf-16": lambda text, _: _by_width(text, lambda sign: 2 if ord(sign) > 0xFFFF else 1),
    "bytes": lambda text, _: _by_width(text, lambda sign: len(sign.encode("utf-8", "surrogatepass"))),
    "crlf": _crlf,
    "bom": _bom,
    "tags": _tags,
    "shift": _shift,
}
KINDS = tuple(_HYPOTHESES)
_GUESSED = frozenset({"shift", "bom"})
"""Kinds that do not follow from the text: they need more than one place that speaks for them."""


class Lies(NamedTuple):
    """The places that can be checked, those of them that are wrong, and how many of these each kind would put right;
    a kind that explains less than half of them is left out.
    """

    checked: Sequence[Place]
    wrong: Sequence[Place]
    repaired: Mapping[str, int]


def look_up(document: Document, text: str) -> Lies:
    """Holds all words that have offsets against the text, as given and under every hypothesis."""
    checked = [place for group in groups_of(document) for place in group if place.is_checkable]
    wrong = [place for place in checked if not place.is_in(text)]
    repaired = {}
    for kind in KINDS if wrong else ():
        move = _HYPOTHESES[kind](text, wrong)
        count = 0 if move is None else sum(_fits(place, move, text) for place in wrong)
        # One word stands somewhere or other in any text: chance is no explanation.
        if 2 * count >= len(wrong) and count > (kind in _GUESSED):
            repaired[kind] = count
    order = sorted(repaired, key=lambda kind: (-repaired[kind], KINDS.index(kind)))
    return Lies(checked, wrong, {kind: repaired[kind] for kind in order})


def _fits(place: Place, move: Move, text: str) -> bool:
    ranges = moved(place.ranges, move)
    return ranges is not None and place.is_in(text, ranges)


def moved(ranges: Sequence[tuple[int, int]], move: Move) -> Ranges | None:
    """The ranges at their new places, or None if one of them has none."""
    made = []
    for begin, end in ranges:
        first, last = move(begin), move(end)
        if first is None or last is None or first < 0:
            return None
        made.append((first, last))
    return tuple(made)


class Repair(NamedTuple):
    """A document after a repair: places with words that moved, those still wrong, those without words that moved along."""

    document: Document
    moved: Sequence[Place]
    wrong: Sequence[Place]
    along: Sequence[Place]


def repair(document: Document, text: str, kind: str) -> Repair:
    """Moves every place whose words stand at the new one, and leaves the others where they are.

    A place without words follows the last words before it in its group, else the first ones after it; in a group
    without words, the words at the same place of another group; else it moves if more words moved than would have been
    moved away from where they stand.
    """
    groups = groups_of(document)
    wrong = [place for group in groups for place in group if place.is_checkable and not place.is_in(text)]
    move = _HYPOTHESES[kind](text, wrong) if wrong else None
    if move is None:
        return Repair(document, (), wrong, ())
    job = _Job(text, move, groups)
    made = iter([job.place_group(group) for group in groups])
    return Repair(with_places(document, lambda _group: next(made)), job.moved, job.wrong, job.along)


class _Job:
    """One document on its way to other offsets."""

    def __init__(self, text: str, move: Move, groups: Sequence[Group]) -> None:
        self._text, self._move = text, move
        self.moved: list[Place] = []
        self.wrong: list[Place] = []
        self.along: list[Place] = []
        self._goes: dict[Ranges, bool] = {}
        stands = 0
        for place in (place for group in groups for place in group if place.is_checkable):
            goes = self._goes[place.ranges] = self._goes_itself(place)
            if goes:
                self.moved.append(place)
            elif place.is_in(text):
                stands += moved(place.ranges, move) != place.ranges
            else:
                self.wrong.append(place)
        self._most_go = len(self.moved) > stands

    def _goes_itself(self, place: Place) -> bool:
        return not place.is_in(self._text) and _fits(place, self._move, self._text)

    def place_group(self, group: Group) -> list[Ranges]:
        """Where the places of a group are to be."""
        leader = next((place for place in group if place.is_checkable), None)
        made = []
        for place in group:
            if place.is_checkable:
                leader = place
                goes = self._goes_itself(place)
            else:
                goes = self._follows(place, leader)
            ranges = moved(place.ranges, self._move) if goes else place.ranges
            if goes and not place.words and ranges != place.ranges:
                (self.wrong if ranges is None else self.along).append(place)
            made.append(place.ranges if ranges is None else ranges)
        return made

    def _follows(self, place: Place, leader: Place | None) -> bool:
        if leader is not None:
            return self._goes_itself(leader)
        return self._goes.get(place.ranges, self._most_go)
