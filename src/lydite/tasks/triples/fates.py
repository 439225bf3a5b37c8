"""What became of the triples of a document under the headline: who got credit for whom, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.align.pairing import greedy
from lydite.align.triple_scope import TripleSide
from lydite.align.triples import TokenIndex, merged
from lydite.model import Document
from lydite.model.triple import Triple
from lydite.records import NamedTuple
from lydite.tasks.paired import find_copies
from lydite.tasks.triples.comparison import FirstComeComparison, TripleComparison, confident
from lydite.tasks.triples.documents import preparation, triples_of
from lydite.tasks.triples.settings import TripleSettings

AnyComparison = TripleComparison | FirstComeComparison
RELATION, FIRST, SECOND, BOTH = "wrong-relation", "first-ids", "second-ids", "both-ids"


class Fate(NamedTuple):
    """What became of the triples of one side, by position in range.

    ``credited`` leads to a partner on the other side, which several may share; ``others`` to one that gives no credit,
    with what is wrong about the pair; ``copies`` from a triple that does not count to the one that it repeats.
    """

    credited: Mapping[int, int]
    others: Mapping[int, tuple[int, str]]
    copies: Mapping[int, int]

    def partner(self, at: int) -> int | None:
        """The partner of a triple, with credit or without."""
        return self.credited[at] if at in self.credited else self.others.get(at, (None, ""))[0]


def fates_of(comparison: AnyComparison, settings: TripleSettings) -> tuple[Fate, Fate]:
    """Of gold and of the system: both kinds of pairs, and what is counted once only."""
    if isinstance(comparison, FirstComeComparison):
        found = comparison.plain.credited
        to_system = {one.gold.position: one.system.position for one in found}
        to_gold = {one.system.position: one.gold.position for one in found}
        gold_copies: dict[int, int] = {}
        system_copies = _first_come_copies(comparison, to_gold)
    else:
        to_system, to_gold = _by_definition(comparison, settings)
        gold_copies, system_copies = _repeats(comparison.gold), _repeats(comparison.system)
    others = _second_pairs(
        comparison,
        [at for at in range(len(comparison.gold.in_range)) if at not in to_system and at not in gold_copies],
        [
            at
            for at in range(len(comparison.system.in_range))
            if at not in to_gold and at not in system_copies
        ],
    )
    turned = {system: (gold, cause) for gold, (system, cause) in others.items()}
    return Fate(to_system, others, gold_copies), Fate(to_gold, turned, system_copies)


def _by_definition(
    comparison: TripleComparison, settings: TripleSettings
) -> tuple[dict[int, int], dict[int, int]]:
    mode = comparison.headline
    gold, system = comparison.gold.unique, comparison.system.unique
    if settings.matching == "coverage":
        to_system: dict[int, int] = {}
        to_gold: dict[int, int] = {}
        for overlap in sorted(
            comparison.under(mode), key=lambda one: (-one.exact, -one.shared, one.system, one.gold)
        ):
            to_system.setdefault(overlap.gold, overlap.system)
            to_gold.setdefault(overlap.system, overlap.gold)
        return to_system, to_gold
    pairs = [(gold[pair.gold], system[pair.system]) for pair in comparison.alignments[mode].pairs]
    return dict(pairs), {theirs: ours for ours, theirs in pairs}


def _repeats(side: TripleSide) -> dict[int, int]:
    """Triples in range that do not count, with the first one that says the same."""
    content = zip(side.relations, side.firsts, side.seconds, strict=True)
    return {} if side.keep_duplicates else find_copies(content)[1]


def _first_come_copies(comparison: FirstComeComparison, credited: Mapping[int, int]) -> dict[int, int]:
    """System triples that precision does not count, with an earlier one that stands for them."""
    kept = {item.position: item for item in comparison.distinct(comparison.headline)}
    return {
        item.position: next(at for at, other in kept.items() if not other.first.isdisjoint(item.first))
        for item in comparison.system_items
        if item.position not in kept and item.position not in credited
    }


def _second_pairs(
    comparison: AnyComparison, gold: Sequence[int], system: Sequence[int]
) -> dict[int, tuple[int, str]]:
    """What is left on both sides, paired where one thing is wrong: the relation, or ids; most shared ids first."""
    found = sorted(
        _faulty(comparison, gold, system), key=lambda one: (one[2] != RELATION, -one[3], one[1], one[0])
    )
    pairs = greedy(found, len(comparison.gold.in_range), len(comparison.system.in_range))
    return {ours: (theirs, cause) for ours, theirs, cause, _ in pairs}


def _faulty(
    comparison: AnyComparison, gold: Sequence[int], system: Sequence[int]
) -> Iterator[tuple[int, int, str, int]]:
    """(gold, system, cause, shared ids) of everything that shares ids and has something wrong."""
    ours, theirs = comparison.gold, comparison.system
    same_needed = comparison.headline in {"partial_same", "exact_same"}
    firsts = TokenIndex(ours.firsts[at] for at in gold)
    seconds = TokenIndex(ours.seconds[at] for at in gold)
    for at in system:
        first, second = theirs.firsts[at], theirs.seconds[at]
        near = merged(
            [*firsts.lists(first), *seconds.lists(second), *firsts.lists(second), *seconds.lists(first), []]
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


class Places(NamedTuple):
    """Where the triples in range stand among those that were read, and why the others are not there."""

    in_range: tuple[int, ...]
    left_out: Mapping[int, str]


def places_of(document: Document, side: TripleSide, settings: TripleSettings, *, is_system: bool) -> Places:
    """Every triple that was read: in range, or left out with the rule."""
    steps = preparation(settings)
    in_range: list[int] = []
    left_out: dict[int, str] = {}
    for at, triple in enumerate(triples_of(document)):
        prepared = steps.apply((triple,))
        if not prepared:
            left_out[at] = (
                f"the relation or a label of {_id(triple, at)} is filtered (relation-filter, labels)"
            )
        elif is_system and not confident(prepared, settings.min_confidence):
            found = prepared[0].profile_confidence
            left_out[at] = (
                f"confidence {found:g} of {_id(triple, at)} is below {settings.min_confidence} (min-confidence)"
            )
        elif side.scope is not None and side.scope.isdisjoint(prepared[0].first.ids):
            left_out[at] = f"no id of the first element of {_id(triple, at)} is in the scope (scope)"
        else:
            in_range.append(at)
    return Places(tuple(in_range), left_out)


def _id(triple: Triple, at: int) -> str:
    return triple.id or f"#{at + 1}"
