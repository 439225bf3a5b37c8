"""Elements of one side that are worth each other's full value: a score cannot tell them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import combinations

from lydite.align.ace_elements import ElementPairs, Elements, by_document, prepare_pairs
from lydite.align.ace_frames import Fillers, Frames
from lydite.align.ace_sides import build_side
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.ace import EVENT, FILLER_KINDS, RELATION
from lydite.model.ace_alignment import CorpusElement
from lydite.model.ace_settings import AceSettings

Pair = tuple[str, str]


def equivalents(
    documents: Iterable[Document], parameters: AceSettings
) -> Iterator[tuple[CorpusElement, CorpusElement]]:
    """Every element that is equivalent to an earlier one of its kind, after the first of those.

    The side is compared with itself, and every filler of an argument is mapped to itself.
    """
    side = build_side(documents, parameters)
    simple = [
        prepare_pairs(kind, side.elements[kind], side.elements[kind], side.sources, parameters)
        for kind in FILLER_KINDS
    ]
    for pairs in simple:
        yield from _equivalent_pairs(pairs.gold, _candidates(pairs), partial(_value, pairs))
    itself = {filler: filler for pairs in simple for filler in pairs.gold}
    fillers = Fillers(simple, itself, {}, parameters)
    for kind in (RELATION, EVENT):
        elements = side.elements[kind]
        frames = Frames(kind, elements, elements, fillers)
        yield from _equivalent_pairs(elements, frames.candidates(), partial(_frame_value, frames))


def _candidates(pairs: ElementPairs) -> Iterator[Pair]:
    """Elements with matching mentions; where mentions are not used, entities with equal names.

    Nothing else could tell values, times and unnamed entities apart there.
    """
    if pairs.parameters.use_mentions:
        for entries in pairs.matches.values():
            yield from entries
        return
    for occurrences in by_document(pairs.gold).values():
        for alike in grouped((one.names, one.element) for one in occurrences if one.names).values():
            yield from combinations(alike, 2)


def _value(pairs: ElementPairs, one: str, other: str) -> float:
    """V(one, other) of entities, values or times, over all documents; 0 where it is not defined."""
    values = (pairs.value(one, other, doc_id) for doc_id in pairs.gold[one].occurrences)
    return math.fsum(value.value for value in values if value is not None)


def _frame_value(frames: Frames, one: str, other: str) -> float:
    """V(one, other) of relations or events; 0 where the two cannot be mapped."""
    pair = frames.compare(one, other)
    return 0.0 if pair is None else pair.total


def _equivalent_pairs(
    elements: Elements, candidates: Iterable[Pair], value: Callable[[str, str], float]
) -> Iterator[tuple[CorpusElement, CorpusElement]]:
    """The candidates a, b of which V(a, b) and V(b, a) are no less than V(a, a) and V(b, b)."""
    position = {element_id: place for place, element_id in enumerate(elements)}
    own = cache(lambda element_id: value(element_id, element_id))

    def is_full(one: str, other: str) -> bool:
        return value(one, other) >= max(own(one), own(other)) > 0

    earlier = grouped((b, a) for a, b in dict.fromkeys(candidates) if position[a] < position[b])
    for element_id in sorted(earlier, key=position.__getitem__):
        for first in sorted(earlier[element_id], key=position.__getitem__):
            if is_full(first, element_id) and is_full(element_id, first):
                yield elements[first], elements[element_id]
                break
