"""Detect and repair offsets that count something other than the characters of the text.

Each hypothesis maps an offset as given to the offset of the intended character:

``utf-16``   UTF-16 units were counted: a character beyond the basic plane is two
``bytes``    bytes of UTF-8 were counted
``crlf``     CR LF was counted as one character (the text has CR LF), or LF as two (the text has only LF)
``bom``      a byte-order mark was counted that the text lacks, or not counted although the text has it
``tags``     SGML tags were not counted
``shift``    every offset is off by the same number, which is found from the words

Every place with words is compared with the text, in all layers of a document; a place without words (a base filler, a
justification, a head) moves with the words of its group.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from lydite.model.document import Document
from lydite.model.places import Place, PlaceGroup, Ranges, groups_of, with_places

BYTE_ORDER_MARK = "\ufeff"
Move = Callable[[int], int | None]
"""Maps an offset as given to an offset in the text; to None if there is none."""

TAG = re.compile(r"<[^<>]*>")


def _by_width(text: str, width: Callable[[str], int]) -> Move | None:
    """Return the map from offsets in units to offsets in characters, of which each has a width in units."""
    starts = list(accumulate(map(width, text), initial=0))
    if starts[-1] == len(text):
        return None
    return {start: place for place, start in enumerate(starts)}.get


def _crlf(text: str, _places: Sequence[Place]) -> Move | None:
    if "\r\n" in text:
        kept = [place for place in range(len(text) + 1) if text[place : place + 2] != "\r\n"]
        return lambda offset: kept[offset] if 0 <= offset < len(kept) else None
    return _by_width(text, lambda character: 2 if character == "\n" else 1)


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
    "utf-16": lambda text, _: _by_width(text, lambda one: 2 if ord(one) > 0xFFFF else 1),
    "bytes": lambda text, _: _by_width(text, lambda one: len(one.encode("utf-8", "surrogatepass"))),
    "crlf": _crlf,
    "bom": _bom,
    "tags": _tags,
    "shift": _shift,
}
KINDS = tuple(_HYPOTHESES)
_GUESSED = frozenset({"shift", "bom"})
"""Kinds that do not follow from the text: they need more than one place as evidence."""


class OffsetErrors(NamedTuple):
    """The places that can be checked, the wrong ones, and how many of these each kind would repair, if at least half."""

    checked: Sequence[Place]
    wrong: Sequence[Place]
    repaired: Mapping[str, int]


def find_offset_errors(document: Document, text: str) -> OffsetErrors:
    """Compare all words that have offsets with the text, as given and under every hypothesis."""
    checked = [place for group in groups_of(document) for place in group if place.is_checkable]
    wrong = [place for place in checked if not place.is_in(text)]
    repaired = {}
    for kind in KINDS if wrong else ():
        move = _HYPOTHESES[kind](text, wrong)
        count = 0 if move is None else sum(_fits(place, move, text) for place in wrong)
        # A single word may occur at another offset by chance.
        if 2 * count >= len(wrong) and count > (kind in _GUESSED):
            repaired[kind] = count
    order = sorted(repaired, key=lambda kind: (-repaired[kind], KINDS.index(kind)))
    return OffsetErrors(checked, wrong, {kind: repaired[kind] for kind in order})


def _fits(place: Place, move: Move, text: str) -> bool:
    ranges = _move_ranges(place.ranges, move)
    return ranges is not None and place.is_in(text, ranges)


def _move_ranges(ranges: Sequence[tuple[int, int]], move: Move) -> Ranges | None:
    """Return the ranges with new offsets, or None if one of them has none."""
    moved = []
    for begin, end in ranges:
        first, last = move(begin), move(end)
        if first is None or last is None or first < 0:
            return None
        moved.append((first, last))
    return tuple(moved)


class Repair(NamedTuple):
    """A document after a repair: places that moved, places still wrong, places without words that moved along."""

    document: Document
    moved: Sequence[Place]
    wrong: Sequence[Place]
    along: Sequence[Place]


def repair(document: Document, text: str, kind: str) -> Repair:
    """Move every place whose words are not at the old offsets but at the new ones; leave the others.

    A place without words follows the last words before it in its group, else the first ones after it; in a group
    without words, the words at the same offsets in another group; else it moves if more places moved than are right as
    they are and would not stay the same.
    """
    groups = groups_of(document)
    wrong = [place for group in groups for place in group if place.is_checkable and not place.is_in(text)]
    move = _HYPOTHESES[kind](text, wrong) if wrong else None
    if move is None:
        return Repair(document, (), wrong, ())
    job = _Repairing(text, move, groups)
    ranges = iter([job.place_group(group) for group in groups])
    return Repair(with_places(document, lambda _group: next(ranges)), job.moved, job.wrong, job.along)


class _Repairing:
    """The repair of one document."""

    def __init__(self, text: str, move: Move, groups: Sequence[PlaceGroup]) -> None:
        self._text, self._move = text, move
        self.moved: list[Place] = []
        self.wrong: list[Place] = []
        self.along: list[Place] = []
        self._moves_at: dict[Ranges, bool] = {}
        right = 0
        for place in (place for group in groups for place in group if place.is_checkable):
            moves = self._moves_at[place.ranges] = self._moves(place)
            if moves:
                self.moved.append(place)
            elif place.is_in(text):
                right += _move_ranges(place.ranges, move) != place.ranges
            else:
                self.wrong.append(place)
        self._most_move = len(self.moved) > right

    def _moves(self, place: Place) -> bool:
        return not place.is_in(self._text) and _fits(place, self._move, self._text)

    def place_group(self, group: PlaceGroup) -> list[Ranges]:
        """Return the ranges of the places in a group."""
        leader = next((place for place in group if place.is_checkable), None)
        new_ranges = []
        for place in group:
            if place.is_checkable:
                leader = place
                moves = self._moves(place)
            else:
                own = self._moves_at.get(place.ranges, self._most_move)
                moves = own if leader is None else self._moves(leader)
            ranges = _move_ranges(place.ranges, self._move) if moves else place.ranges
            if moves and not place.words and ranges != place.ranges:
                (self.wrong if ranges is None else self.along).append(place)
            new_ranges.append(place.ranges if ranges is None else ranges)
        return new_ranges
