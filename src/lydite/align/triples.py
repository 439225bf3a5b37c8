"""Alignments of gold and system triples under four conditions, one-to-one or any-to-any.

============================ ============================================= ==========
condition                    ids                                           relation
============================ ============================================= ==========
``exact_same``               equal sets, first and second                  equal
``exact_ignored``            equal sets                                    ignored
``partial_same``             one id in common, in the first and the second equal
``partial_ignored``          one id in common, in each                     ignored
============================ ============================================= ==========

Two empty elements match under every condition, an empty and a filled one under none.  Candidates come from an
index of tokens, never from all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.align.triple_scope import NO_TOKENS, TripleSide
from lydite.assignment import assign
from lydite.model import Alignment, Pair

_EXACT_WEIGHTS = 1 << 50
"""Doubles do not represent all whole numbers above this one."""


class Overlap(NamedTuple):
    """A gold and a system triple that share an id in both elements, by position in range."""

    gold: int
    system: int
    shared: int
    same: bool
    exact: bool


CONDITIONS: Mapping[str, Callable[[Overlap], bool]] = {
    "exact_same": lambda overlap: overlap.exact and overlap.same,
    "exact_ignored": lambda overlap: overlap.exact,
    "partial_same": lambda overlap: overlap.same,
    "partial_ignored": lambda _overlap: True,
}


class TokenIndex:
    """Token → positions of the id sets that hold it, in the order in which they were added."""

    def __init__(self, sets: Iterable[frozenset[str]] = ()) -> None:
        self._places: dict[str, list[int]] = {}
        for position, ids in enumerate(sets):
            self.add(position, ids)

    def add(self, position: int, ids: Iterable[str]) -> None:
        """Enter one set; positions must come in ascending order."""
        for token in ids:
            self._places.setdefault(token, []).append(position)

    def position_lists(self, ids: Iterable[str]) -> list[list[int]]:
        """The lists of positions of those tokens that occur at all."""
        places = self._places
        return [places[token] for token in ids if token in places]


def merge_positions(lists: Sequence[Sequence[int]]) -> Sequence[int]:
    """The positions of all lists, ascending, each once."""
    return lists[0] if len(lists) == 1 else sorted({position for places in lists for position in places})


def candidates(
    firsts: TokenIndex, seconds: TokenIndex, first: frozenset[str], second: frozenset[str]
) -> Sequence[int]:
    """The positions, ascending, of the triples that may overlap in both elements: all that share its rarer element."""
    by_first, by_second = firsts.position_lists(first), seconds.position_lists(second)
    if not by_first or not by_second:
        return ()
    return merge_positions(min(by_first, by_second, key=lambda lists: sum(map(len, lists))))


def overlaps(
    gold: TripleSide, system: TripleSide, *, labels: Sequence[str] = (), least: float = 0.0
) -> list[Overlap]:
    """All overlapping pairs of unique gold triples and system triples in range, ordered by system, then gold.

    ``labels`` names the elements (``first``, ``second``) whose labels must be equal too.  ``least`` asks for more
    than one shared id: |a∩b| / |a∪b| ≥ least, for first and second.
    """
    positions = gold.unique
    firsts = TokenIndex(gold.firsts[position] for position in positions)
    seconds = TokenIndex(gold.seconds[position] for position in positions)
    found: list[Overlap] = []
    for theirs, (first, second) in enumerate(zip(system.firsts, system.seconds, strict=True)):
        for place in candidates(firsts, seconds, first, second):
            ours = positions[place]
            gold_first, gold_second = gold.firsts[ours], gold.seconds[ours]
            if first.isdisjoint(gold_first) or second.isdisjoint(gold_second):
                continue
            if least and (_jaccard(first, gold_first) < least or _jaccard(second, gold_second) < least):
                continue
            if labels and not _labels_agree(gold, system, ours, theirs, labels):
                continue
            found.append(
                Overlap(
                    ours,
                    theirs,
                    len(first & gold_first) + len(second & gold_second),
                    gold.relations[ours] == system.relations[theirs],
                    first == gold_first and second == gold_second,
                )
            )
    return found


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b)


def _labels_agree(
    gold: TripleSide, system: TripleSide, ours: int, theirs: int, labels: Sequence[str]
) -> bool:
    ours_labels, their_labels = gold.in_range[ours], system.in_range[theirs]
    return all(getattr(ours_labels, name).label == getattr(their_labels, name).label for name in labels)


def one_to_one(gold: TripleSide, system: TripleSide, overlapping: Sequence[Overlap]) -> Alignment:
    """A maximum one-to-one alignment of unique triples over the given overlaps.

    Its size is what counts.  Among the largest alignments it is one with the most exact pairs, then the most pairs of
    the same relation, then the most shared ids, then by order in the files.
    """
    matching = _heaviest_matching(overlapping, min(len(gold.unique), len(system.unique)))
    return any_to_any(gold, system, matching)


def _heaviest_matching(overlapping: Sequence[Overlap], most: int) -> list[Overlap]:
    """The overlaps of a one-to-one alignment with the largest sum of weights; it has at most ``most`` pairs."""
    weighted = zip(overlapping, weights(overlapping, most=most), strict=True)
    edges = [(overlap.gold, overlap.system, weight) for overlap, weight in weighted]
    return [overlapping[position] for position in assign(edges)]


def weights(overlapping: Sequence[Overlap], *, most: int) -> Iterator[int]:
    """Numbers that order alignments by size, exact pairs, same relations and shared ids, in this order.

    Every level outweighs all levels below it, however many pairs there are.  Levels that would make the numbers too
    large for exact doubles are left out from below; the size of the alignment never suffers.
    """
    pairs = most + 1
    shared_units = max((overlap.shared for overlap in overlapping), default=0) * pairs + 1
    if pairs * pairs * shared_units > _EXACT_WEIGHTS:
        shared_units = 1
    for overlap in overlapping:
        levels = (pairs + overlap.exact) * pairs + overlap.same
        yield levels * shared_units + (overlap.shared if shared_units > 1 else 0)


def any_to_any(gold: TripleSide, system: TripleSide, chosen: Iterable[Overlap]) -> Alignment:
    """The alignment of unique triples over all of these overlaps: a triple may have any number of partners."""
    gold_places = {position: place for place, position in enumerate(gold.unique)}
    system_places = {position: place for place, position in enumerate(system.unique)}
    return Alignment(
        tuple(gold.in_range[position] for position in gold.unique),
        tuple(system.in_range[position] for position in system.unique),
        tuple(
            Pair(gold_places[overlap.gold], system_places[overlap.system], overlap.shared)
            for overlap in chosen
        ),
    )


class LabelledIds(NamedTuple):
    """An element without its triples: its ids, and the first non-empty label that a triple gives it."""

    ids: frozenset[str]
    label: str


def elements(side: TripleSide, name: str) -> tuple[LabelledIds, ...]:
    """The distinct non-empty ``first`` or ``second`` elements of the unique triples in range, in file order."""
    sets = side.firsts if name == "first" else side.seconds
    labels: dict[frozenset[str], str] = {}
    for position in side.unique:
        ids = sets[position]
        if ids is not NO_TOKENS and not labels.get(ids):
            labels[ids] = getattr(side.in_range[position], name).label
    return tuple(LabelledIds(ids, label) for ids, label in labels.items())


def align_elements(gold: Sequence[LabelledIds], system: Sequence[LabelledIds]) -> Alignment:
    """A maximum one-to-one alignment of elements that share an id; equal sets and equal labels are preferred."""
    index = TokenIndex(element.ids for element in gold)
    found = []
    for theirs, element in enumerate(system):
        for ours in merge_positions(index.position_lists(element.ids) or ((),)):
            partner = gold[ours]
            shared = len(partner.ids & element.ids)
            is_same_label, is_same_set = partner.label == element.label, partner.ids == element.ids
            found.append(Overlap(ours, theirs, shared, is_same_label, is_same_set))
    chosen = _heaviest_matching(found, min(len(gold), len(system)))
    return Alignment(gold, system, tuple(Pair(one.gold, one.system, one.shared) for one in chosen))


def equal_elements(gold: Sequence[LabelledIds], system: Sequence[LabelledIds]) -> Alignment:
    """The alignment of elements with equal sets; sets are distinct on each side, so there is only one."""
    places = {element.ids: place for place, element in enumerate(gold)}
    pairs = (
        Pair(places[element.ids], theirs, len(element.ids))
        for theirs, element in enumerate(system)
        if element.ids in places
    )
    return Alignment(gold, system, tuple(pairs))
