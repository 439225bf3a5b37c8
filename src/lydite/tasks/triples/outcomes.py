"""Which triples of a document earned credit under the headline's condition, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.align.pairing import pair_greedily
from lydite.align.triple_scope import TripleSide
from lydite.align.triples import TokenIndex, merge_positions
from lydite.model import Document
from lydite.model.triple import Triple
from lydite.tasks.paired import find_copies
from lydite.tasks.triples.comparison import (
    AnyComparison,
    FirstComeComparison,
    TripleComparison,
    is_unary,
    with_confidence,
)
from lydite.tasks.triples.documents import preparation, triples_of
from lydite.tasks.triples.settings import TripleSettings

RELATION, FIRST, SECOND, BOTH = "wrong-relation", "first-ids", "second-ids", "both-ids"


class MatchedTriples(NamedTuple):
    """The partners of the triples of one side, by position in range.

    ``credited`` gives the partner of a credited triple; several may share one.  ``faulty`` gives, for a triple without
    credit, the triple of the other side that it comes near, and the cause.  ``copies`` gives, for a triple that is not
    counted, the one that it repeats.
    """

    credited: Mapping[int, int]
    faulty: Mapping[int, tuple[int, str]]
    copies: Mapping[int, int]

    def partner(self, at: int) -> int | None:
        """The partner of a triple, with credit or without."""
        return self.credited[at] if at in self.credited else self.faulty.get(at, (None, ""))[0]


def match_triples(
    comparison: AnyComparison, settings: TripleSettings
) -> tuple[MatchedTriples, MatchedTriples]:
    """The partners of gold's triples and of the system's."""
    if isinstance(comparison, FirstComeComparison):
        pairs = [(pair.gold.position, pair.system.position) for pair in comparison.plain.credited]
        to_system, to_gold = dict(pairs), {system: gold for gold, system in pairs}
        gold_copies: dict[int, int] = {}
        system_copies = _first_come_copies(comparison, to_gold)
    else:
        to_system, to_gold = _credited_pairs(comparison, settings)
        gold_copies, system_copies = _copies(comparison.gold), _copies(comparison.system)
    gold, system = (range(len(side.in_range)) for side in (comparison.gold, comparison.system))
    faulty = _faulty_pairs(
        comparison,
        [at for at in gold if at not in to_system and at not in gold_copies],
        [at for at in system if at not in to_gold and at not in system_copies],
    )
    turned = {system: (gold, cause) for gold, (system, cause) in faulty.items()}
    return MatchedTriples(to_system, faulty, gold_copies), MatchedTriples(to_gold, turned, system_copies)


def _credited_pairs(
    comparison: TripleComparison, settings: TripleSettings
) -> tuple[dict[int, int], dict[int, int]]:
    """The system partner of each credited gold triple, and the gold partner of each credited system triple."""
    mode = comparison.headline
    gold, system = comparison.gold.unique, comparison.system.unique
    if settings.matching == "coverage":
        overlaps = comparison.overlaps_under(mode)
        best_last = sorted(overlaps, key=lambda one: (one.exact, one.shared, -one.system, -one.gold))
        pairs = [(overlap.gold, overlap.system) for overlap in best_last]
    else:
        pairs = [(gold[pair.gold], system[pair.system]) for pair in comparison.alignments[mode].pairs]
    return dict(pairs), {theirs: ours for ours, theirs in pairs}


def _copies(side: TripleSide) -> dict[int, int]:
    """The repeated triples in range, each with the first one that says the same."""
    content = zip(side.relations, side.firsts, side.seconds, strict=True)
    return {} if side.keep_duplicates else find_copies(content)[1]


def _first_come_copies(comparison: FirstComeComparison, credited: Mapping[int, int]) -> dict[int, int]:
    """The system triples that precision does not count, each with an earlier one that it overlaps."""
    kept = {item.position: item for item in comparison.distinct(comparison.headline)}
    return {
        item.position: next(at for at, other in kept.items() if not other.first.isdisjoint(item.first))
        for item in comparison.system_items
        if item.position not in kept and item.position not in credited
    }


def _faulty_pairs(
    comparison: AnyComparison, gold: Sequence[int], system: Sequence[int]
) -> dict[int, tuple[int, str]]:
    """Pairs of triples without credit in which only the relation or the ids are wrong: gold → (system, cause).

    Wrong relations come first, then pairs with the most shared ids.
    """
    candidates = sorted(
        _faulty_candidates(comparison, gold, system),
        key=lambda one: (one[2] != RELATION, -one[3], one[1], one[0]),
    )
    pairs = pair_greedily(candidates, len(comparison.gold.in_range), len(comparison.system.in_range))
    return {ours: (theirs, cause) for ours, theirs, cause, _ in pairs}


def _faulty_candidates(
    comparison: AnyComparison, gold: Sequence[int], system: Sequence[int]
) -> Iterator[tuple[int, int, str, int]]:
    """All pairs of these triples with a fault between them: (gold, system, cause, number of shared ids)."""
    ours, theirs = comparison.gold, comparison.system
    same_needed = comparison.headline in {"partial_same", "exact_same"}
    firsts = TokenIndex(ours.firsts[at] for at in gold)
    seconds = TokenIndex(ours.seconds[at] for at in gold)
    for at in system:
        first, second = theirs.firsts[at], theirs.seconds[at]
        near = merge_positions(
            [
                *firsts.position_lists(first),
                *seconds.position_lists(second),
                *firsts.position_lists(second),
                *seconds.position_lists(first),
                [],
            ]
        )
        for place in near:
            other = gold[place]
            common = len(first & ours.firsts[other]), len(second & ours.seconds[other])
            same = not same_needed or theirs.relations[at] == ours.relations[other]
            if all(common) and not same:
                yield other, at, RELATION, sum(common)
            elif same and any(common) and not all(common):
                yield other, at, SECOND if common[0] else FIRST, sum(common)
            elif same and not any(common):
                if not first.isdisjoint(ours.seconds[other]) and not second.isdisjoint(ours.firsts[other]):
                    yield other, at, BOTH, 0
            elif same and comparison.settings.min_overlap:
                yield other, at, BOTH, sum(common)


class TriplePlaces(NamedTuple):
    """The places of the triples in range among all that were read, and by place why the others were left out."""

    in_range: tuple[int, ...]
    left_out: Mapping[int, str]


def triple_places(
    document: Document, side: TripleSide, settings: TripleSettings, *, is_system: bool
) -> TriplePlaces:
    """The triples of a document in range, and those that a setting leaves out."""
    steps = preparation(settings)
    in_range: list[int] = []
    left_out: dict[int, str] = {}
    for at, triple in enumerate(triples_of(document)):
        prepared = steps.apply((triple,))
        if prepared and settings.unary == "apart" and is_unary(prepared[0]):
            left_out[at] = (
                f"{_name(triple, at)} has no second element, and such triples are measured apart (unary)"
            )
        elif not prepared:
            left_out[at] = (
                f"the relation or a label of {_name(triple, at)} is filtered (relation-filter, labels)"
            )
        elif is_system and not with_confidence(prepared, settings.min_confidence):
            confidence = prepared[0].profile_confidence
            left_out[at] = (
                f"confidence {confidence:g} of {_name(triple, at)} is below {settings.min_confidence} (min-confidence)"
            )
        elif side.scope is not None and side.scope.isdisjoint(prepared[0].first.ids):
            left_out[at] = f"no id of the first element of {_name(triple, at)} is in the scope (scope)"
        else:
            in_range.append(at)
    return TriplePlaces(tuple(in_range), left_out)


def _name(triple: Triple, at: int) -> str:
    return triple.id or f"#{at + 1}"
