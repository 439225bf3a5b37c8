"""Offsets that count something else than the characters of the text at hand, and how they are put right.

Each hypothesis maps an offset as it was given to the offset of the character that was meant:

``utf-16``   UTF-16 units were counted: a character beyond the basic plane is two
``bytes``    bytes of UTF-8 were counted
``crlf``     line ends CR LF were counted as one (the text has them), or LF as two (the text has LF alone)
``bom``      a byte-order mark was counted that the text lacks, or not counted although the text has it
``tags``     SGML tags were not counted
``shift``    every offset is off by the same number, which the mentions themselves tell
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from lydite.model.document import Document
from lydite.model.mention import Mention
from lydite.model.span import Span

BYTE_ORDER_MARK = "\ufeff"
NO_TEXT = frozenset({"", "-"})
Move = Callable[[int], int | None]
"""From an offset as it was given to an offset in the text; None if there is no such place."""

_TAG = re.compile(r"<[^<>]*>")


def _by_width(text: str, width: Callable[[str], int]) -> Move | None:
    """Offsets were counted in units of which each character has some."""
    starts = list(accumulate(map(width, text), initial=0))
    if starts[-1] == len(text):
        return None
    places = {start: place for place, start in enumerate(starts)}
    return places.get


def _utf_16(text: str, _mentions: Sequence[Mention]) -> Move | None:
    return _by_width(text, lambda sign: 2 if ord(sign) > 0xFFFF else 1)


def _bytes(text: str, _mentions: Sequence[Mention]) -> Move | None:
    return _by_width(text, lambda sign: len(sign.encode("utf-8", "surrogatepass")))


def _crlf(text: str, _mentions: Sequence[Mention]) -> Move | None:
    if "\r\n" in text:
        kept = [place for place in range(len(text) + 1) if text[place : place + 2] != "\r\n"]
        return lambda offset: kept[offset] if 0 <= offset < len(kept) else None
    return _by_width(text, lambda sign: 2 if sign == "\n" else 1)


def _bom(text: str, _mentions: Sequence[Mention]) -> Move | None:
    step = 1 if text.startswith(BYTE_ORDER_MARK) else -1
    return lambda offset: offset + step


def _tags(text: str, _mentions: Sequence[Mention]) -> Move | None:
    tags = [found.span() for found in _TAG.finditer(text)]
    if not tags:
        return None
    kept: list[int] = []
    at = 0
    for begin, end in (*tags, (len(text) + 1, 0)):
        kept.extend(range(at, begin))
        at = end
    return lambda offset: kept[offset] if 0 <= offset < len(kept) else None


def _shift(text: str, mentions: Sequence[Mention]) -> Move | None:
    votes: Counter[int] = Counter()
    for mention in mentions:
        begin = mention.span.ranges[0][0]
        first = mention.text.split()[0]
        votes.update(found.start() - begin for found in re.finditer(re.escape(first), text))
    votes.pop(0, None)
    if not votes:
        return None
    most = max(votes.values())
    step = min((step for step, count in votes.items() if count == most), key=lambda step: (abs(step), step))
    return lambda offset: offset + step


_HYPOTHESES: Mapping[str, Callable[[str, Sequence[Mention]], Move | None]] = {
    "utf-16": _utf_16,
    "bytes": _bytes,
    "crlf": _crlf,
    "bom": _bom,
    "tags": _tags,
    "shift": _shift,
}
KINDS = tuple(_HYPOTHESES)
_GUESSED = frozenset({"shift", "bom"})
"""Kinds that do not follow from the text: they need more than one mention that speaks for them."""


class Lies(NamedTuple):
    """How many mentions can be checked, how many of them are wrong, and how many of these each kind would put right;
    a kind that explains less than half of them is left out.
    """

    checked: int
    wrong: int
    repaired: Mapping[str, int]


def look_up(document: Document, text: str) -> Lies:
    """Holds the words of all mentions against the text, as given and under every hypothesis."""
    mentions = list(_checkable(document))
    wrong = [mention for mention in mentions if not _is_at(mention, mention.span, text)]
    repaired = {}
    for kind in KINDS if wrong else ():
        move = _HYPOTHESES[kind](text, wrong)
        count = 0 if move is None else sum(_fits(mention, move, text) for mention in wrong)
        # One word stands somewhere or other in any text: chance is no explanation.
        if 2 * count >= len(wrong) and count > (kind in _GUESSED):
            repaired[kind] = count
    order = sorted(repaired, key=lambda kind: (-repaired[kind], KINDS.index(kind)))
    return Lies(len(mentions), len(wrong), {kind: repaired[kind] for kind in order})


def _checkable(document: Document) -> Iterator[Mention]:
    return (one for one in document.mentions if one.span.ranges and one.text.strip() not in NO_TEXT)


def _is_at(mention: Mention, span: Span, text: str) -> bool:
    if any(not 0 <= begin <= end <= len(text) for begin, end in span.ranges):
        return False
    found = " ".join(text[begin:end] for begin, end in span.ranges)
    return found.split() == mention.text.split()


def _fits(mention: Mention, move: Move, text: str) -> bool:
    span = moved(mention.span.ranges, move)
    return span is not None and _is_at(mention, Span(span), text)


def moved(ranges: Sequence[tuple[int, int]], move: Move) -> tuple[tuple[int, int], ...] | None:
    """The ranges at their new places, or None if one of them has none."""
    made = []
    for begin, end in ranges:
        first, last = move(begin), move(end)
        if first is None or last is None:
            return None
        made.append((first, last))
    return tuple(made)


class Repair(NamedTuple):
    """The mentions of a document after a repair: all of them, ids of those that moved, ids of those still wrong."""

    mentions: tuple[Mention, ...]
    moved: tuple[str, ...]
    wrong: tuple[str, ...]
    move: Move


def repair(document: Document, text: str, kind: str) -> Repair:
    """Moves every mention whose words stand at the new place, and leaves the others where they are."""
    wrong = [mention for mention in _checkable(document) if not _is_at(mention, mention.span, text)]
    move = _HYPOTHESES[kind](text, wrong) if wrong else None
    made, done = [], []
    for mention in document.mentions:
        if move is not None and mention in wrong and _fits(mention, move, text):
            done.append(mention.id)
            made.append(mention._replace(span=Span(moved(mention.span.ranges, move) or ())))
        else:
            made.append(mention)
    still = tuple(mention.id for mention in wrong if mention.id not in done)
    return Repair(tuple(made), tuple(done), still, move or (lambda offset: offset))
