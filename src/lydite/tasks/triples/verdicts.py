"""Why each triple counts or not: credited pairs of the headline, then pairs in which only one thing is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lydite.escaping import counted
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.outcome import COPY, PAIRED, UNPAIRED, Outcome, confused_values, pair_outcomes
from lydite.model.outcome import left_out as left_out_item
from lydite.model.triple import Triple, TripleElement, triple_names
from lydite.model.verdict import (
    GOLD,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Rival,
    Side,
)
from lydite.tasks.paired import other_side
from lydite.tasks.strings.verdicts import with_strings
from lydite.tasks.triples import corrections, words
from lydite.tasks.triples.comparison import AnyComparison, TripleComparison
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.outcomes import BOTH, FIRST, RELATION, SECOND, match_triples, triple_places
from lydite.tasks.triples.settings import TripleSettings

CAUSES = {
    "right": "has a partner that the headline's condition accepts",
    RELATION: "both elements share ids with a triple of the other side that has another relation",
    FIRST: "same relation and a shared id in the second element, none in the first",
    SECOND: "same relation and a shared id in the first element, none in the second",
    BOTH: "same relation, but both elements share too few ids, or are exchanged",
    "missed": "a gold triple that nothing of the system comes near, or what does has another partner",
    "spurious": "a system triple that nothing in gold comes near, or what does has another partner",
    "left-out": "not counted: filtered, out of scope, below the least confidence, unary and measured apart, or a repetition",
}
"""Every cause that a triple can have."""


def outcomes(explained: Explained[AnyComparison], settings: TripleSettings) -> list[Outcome]:
    """The outcomes of all triples of both sides, gold first, in file order."""
    triples = _TripleOutcomes(explained, settings)
    return [*triples.of_side(GOLD), *triples.of_side(SYSTEM)]


Overlaps = dict[int, list[tuple[int, int]]]
"""By position the triples of the other side that overlap: their positions and numbers of shared ids."""


class _TripleOutcomes:
    """Makes the outcomes of the triples of one document."""

    def __init__(self, explained: Explained[AnyComparison], settings: TripleSettings) -> None:
        self.doc_id = explained.doc_id
        comparison = explained.comparison
        self.comparison = comparison
        self.present = explained.system.present
        self.words = words.known_words(explained)
        self.read = {GOLD: triples_of(explained.gold), SYSTEM: triples_of(explained.system)}
        self.names = {side: triple_names(content) for side, content in self.read.items()}
        self.in_range = {GOLD: comparison.gold.in_range, SYSTEM: comparison.system.in_range}
        of_gold, of_system = match_triples(comparison, settings)
        self.matched = {GOLD: of_gold, SYSTEM: of_system}
        self.places = {
            GOLD: triple_places(explained.gold, comparison.gold, settings, is_system=False),
            SYSTEM: triple_places(explained.system, comparison.system, settings, is_system=True),
        }

    def of_side(self, side: Side) -> Iterator[Outcome]:
        """The outcomes of all triples of a side."""
        places = self.places[side]
        order = {place: at for at, place in enumerate(places.in_range)}
        for place, name in enumerate(self.names[side]):
            if place in order:
                yield self._counted(side, order[place])
            else:
                yield _left_out_triple(side, name, self.read[side][place], places.left_out[place])

    def _counted(self, side: Side, at: int) -> Outcome:
        credited, faulty, copies = self.matched[side]
        triple = self.in_range[side][at]
        if at in copies and at not in credited:
            first = self._name(side, copies[at])
            why = f"{first} says the same or overlaps it, and triples that repeat count once"
            row = _left_out_triple(side, self._name(side, at), triple, why)
            return row._replace(item=at, status=COPY, partner=copies[at])
        partner = self.matched[side].partner(at)
        row = Outcome(
            side,
            at,
            UNPAIRED if partner is None else PAIRED,
            partner,
            lost=1,
            name=self._name(side, at),
            partner_name=None if partner is None else self._name(other_side(side), partner),
            rivals=self._rivals(side, at, partner),
            type=triple.relation,
            text=_text(triple),
            place=self.words.ranges_of(triple.first, triple.second),
        )
        if partner is None:
            cause = "spurious" if side == SYSTEM else "missed"
            return row._replace(cause=cause, why=self._explain_unpaired(side, at))
        gold, system = (partner, at) if side == SYSTEM else (at, partner)
        ours, theirs = self.comparison.gold, self.comparison.system
        same_ids = (ours.firsts[gold], ours.seconds[gold]) == (theirs.firsts[system], theirs.seconds[system])
        same_relation = ours.relations[gold] == theirs.relations[system]
        same = {corrections.IDS: same_ids, corrections.RELATION: same_relation}
        row = row._replace(differs=frozenset(name for name, is_same in same.items() if not is_same))
        if at in credited:
            one, other = self._pair(side, at, partner)
            in_first = len({*one.first.ids} & {*other.first.ids})
            in_second = len({*one.second.ids} & {*other.second.ids})
            shared = f"{counted(in_first, 'shared id')} in the first element, {in_second} in the second"
            condition = self.comparison.headline.replace("_", " ids, ", 1)
            why = f"paired with {row.partner_name}: {shared} ({condition} relation)"
            return row._replace(credit=1, lost=0, cause="right", why=why)
        cause = faulty[at][1]
        agrees = {corrections.RELATION: cause != RELATION, corrections.IDS: cause == RELATION}
        return row._replace(agrees=agrees, cause=cause, why=self._explain_fault(side, at, partner, cause))

    def _pair(self, side: Side, at: int, other: int) -> tuple[Triple, Triple]:
        """The gold and the system triple of a pair, which is seen from ``side``."""
        gold, system = (other, at) if side == SYSTEM else (at, other)
        return self.in_range[GOLD][gold], self.in_range[SYSTEM][system]

    def _explain_fault(self, side: Side, at: int, other: int, cause: str) -> str:
        ours, theirs = self._pair(side, at, other)
        partner = self._name(other_side(side), other)
        if cause == RELATION:
            return f"shares ids with {partner}, but the relation is {theirs.relation}, not {ours.relation}"
        wrong = {
            FIRST: f"the first element is {_ids(theirs.first)}, not {_ids(ours.first)}",
            SECOND: f"the second element is {_ids(theirs.second)}, not {_ids(ours.second)}",
        }.get(cause, "both elements share too few ids with it or are exchanged")
        return f"has the relation of {partner}, but {wrong}"

    def _explain_unpaired(self, side: Side, at: int) -> str:
        if not self.present:
            return f"{self._name(side, at)} stands in document {self.doc_id}, which the system lacks"
        rivals = self._rivals(side, at)
        if rivals:
            best = rivals[0]
            taken = f"which is paired with {best.paired_with}" if best.paired_with else "which takes no part"
            return f"comes near {best.id} ({best.similarity:g} shared ids), {taken}"
        return f"no {other_side(side)} triple shares ids with both elements of {self._name(side, at)}"

    def _rivals(self, side: Side, at: int, partner: int | None = None) -> tuple[Rival, ...]:
        rivals = sorted(self._overlaps[side == SYSTEM].get(at, ()), key=lambda entry: (-entry[1], entry[0]))
        return tuple(
            Rival(self._name(other_side(side), other), shared, self._partner(other_side(side), other))
            for other, shared in rivals
            if other != partner
        )

    @cached_property
    def _overlaps(self) -> tuple[Overlaps, Overlaps]:
        """The triples that share ids in both elements, for gold and for system triples."""
        overlaps = self.comparison.overlaps if isinstance(self.comparison, TripleComparison) else ()
        gold = grouped((one.gold, (one.system, one.shared)) for one in overlaps)
        return gold, grouped((one.system, (one.gold, one.shared)) for one in overlaps)

    def _partner(self, side: Side, at: int) -> str | None:
        partner = self.matched[side].partner(at)
        return None if partner is None else self._name(other_side(side), partner)

    def _name(self, side: Side, at: int) -> str:
        return self.names[side][self.places[side].in_range[at]]


def _left_out_triple(side: Side, name: str, triple: Triple, why: str) -> Outcome:
    return left_out_item(side, name, why, type=triple.relation, text=_text(triple))


def _ids(element: TripleElement) -> str:
    return ",".join(element.ids) or "empty"


def _text(triple: Triple) -> str:
    """The words of both elements, where the file has them."""
    return " … ".join(element.comment for element in (triple.first, triple.second) if element.comment)


def left_out(document: Document, side: Side, _settings: TripleSettings) -> Iterator[Outcome]:
    """The triples of a document that is not scored."""
    if side == SYSTEM:
        why = f"gold has no document {document.doc_id}: the documents of gold are scored"
    else:
        why = f"the system has no document {document.doc_id}: it is skipped (missing-documents)"
    content = triples_of(document)
    for name, triple in zip(triple_names(content), content, strict=True):
        yield _left_out_triple(side, name, triple, why)


def _confused_relations(comparison: AnyComparison, _settings: TripleSettings) -> Iterator[Confusion]:
    """The relations of both triples of each pair that is made without looking at relations, and of unpaired triples."""
    gold, system = comparison.gold, comparison.system
    if isinstance(comparison, TripleComparison):
        ours, theirs = list(gold.unique), list(system.unique)
        aligned = comparison.alignments["partial_ignored"].pairs
        pairs = [(pair.gold, pair.system) for pair in aligned]
    else:
        ours = list(range(len(gold.in_range)))
        credited = [
            (one.gold.position, one.system.position) for one in comparison.debug["partial_ignored"].credited
        ]
        distinct = {item.position for item in comparison.distinct(comparison.headline)}
        theirs = sorted(distinct.union(other for _, other in credited))
        place = {at: number for number, at in enumerate(theirs)}
        pairs = [(one, place[other]) for one, other in credited]
    relations = [gold.in_range[at].relation for at in ours], [system.in_range[at].relation for at in theirs]
    return confused_values(pair_outcomes(*relations, pairs), *relations)


def _find_faults(
    explained: Explained[AnyComparison], settings: TripleSettings
) -> corrections.TripleCorrections:
    return corrections.TripleCorrections(explained, settings, outcomes(explained, settings))


OF_IDS = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=lambda _settings: corrections.FAULTS,
    find_faults=_find_faults,
    confusions={"relation": _confused_relations},
    text=lambda explained: words.known_words(explained).text,
)
EXPLAINER = with_strings(OF_IDS)
