"""Why each triple counts or not: the alignment of the headline, then what it left, paired where one thing is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lydite.model import Document
from lydite.model.triple import Element, Triple
from lydite.model.verdict import (
    GOLD,
    LEFT_OUT,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Rival,
    Side,
    Verdict,
    named,
)
from lydite.tasks.triples import mends, words
from lydite.tasks.triples.comparison import TripleComparison
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.fates import (
    BOTH,
    FIRST,
    RELATION,
    SECOND,
    AnyComparison,
    fate_of,
    names_of,
    places_of,
)
from lydite.tasks.triples.settings import TripleSettings

CAUSES = {
    "right": "has a partner that the headline's condition accepts",
    RELATION: "both elements share ids with a triple of the other side that has another relation",
    FIRST: "same relation and a shared id in the second element, none in the first",
    SECOND: "same relation and a shared id in the first element, none in the second",
    BOTH: "same relation, but both elements share too few ids, or are exchanged",
    "missed": "a gold triple that nothing of the system comes near, or what does has another partner",
    "spurious": "a system triple that nothing in gold comes near, or what does has another partner",
    "left-out": "not counted: filtered, out of scope, below the confidence asked for, or said before",
}
"""Every cause that a triple can have."""


def verdicts(explained: Explained[AnyComparison], settings: TripleSettings) -> Iterator[Verdict]:
    """A verdict for every triple of both sides, in file order."""
    judge = _Judge(explained, settings)
    yield from judge.side(GOLD)
    yield from judge.side(SYSTEM)


Near = dict[int, list[tuple[int, int]]]
"""Positions on the other side and how many ids are shared."""


class _Judge:
    """Judges the triples of one document."""

    def __init__(self, explained: Explained[AnyComparison], settings: TripleSettings) -> None:
        self.doc_id = explained.doc_id
        comparison = explained.comparison
        self.comparison = comparison
        self.present = explained.system.present
        self.words = words.known_words(explained)
        self.fate = fate_of(comparison, settings)
        self.read = triples_of(explained.gold), triples_of(explained.system)
        self.names = [names_of(content) for content in self.read]
        self.places = (
            places_of(explained.gold, comparison.gold, settings, is_system=False),
            places_of(explained.system, comparison.system, settings, is_system=True),
        )

    def side(self, side: Side) -> Iterator[Verdict]:
        """All triples of a side."""
        ours = side == SYSTEM
        order = {place: at for at, place in enumerate(self.places[ours].in_range)}
        for place in range(len(self.read[ours])):
            if place in order:
                yield self._counted(side, order[place])
            else:
                yield self._left_out(side, place, self.places[ours].left_out[place])

    def _counted(self, side: Side, at: int) -> Verdict:
        fate = self.fate
        ours = side == SYSTEM
        credited = (fate.credited_system if ours else fate.credited).get(at)
        if credited is not None:
            return self._verdict(side, at, credited, "right", self._right(side, at, credited))
        copy = (fate.system_copies if ours else fate.gold_copies).get(at)
        if copy is not None:
            why = f"{self._name(side, copy)} says the same or overlaps it, and triples that repeat count once"
            return self._left_out(side, self.places[ours].in_range[at], why)
        other = (fate.other_of_system if ours else fate.others).get(at)
        if other is not None:
            return self._verdict(side, at, other[0], other[1], self._wrong(side, at, *other))
        return self._verdict(side, at, None, "spurious" if ours else "missed", self._alone(side, at))

    def _right(self, side: Side, at: int, other: int) -> str:
        first, second = self._shared(side, at, other)
        who = self._name(_other(side), other)
        return f"paired with {who}: {first} shared ids in the first element, {second} in the second ({self._condition})"

    @property
    def _condition(self) -> str:
        return self.comparison.options.headline.replace("_", " ids, ", 1) + " relation"

    def _wrong(self, side: Side, at: int, other: int, cause: str) -> str:
        gold, system = (other, at) if side == SYSTEM else (at, other)
        ours, theirs = self.comparison.gold.in_range[gold], self.comparison.system.in_range[system]
        who = self._name(_other(side), other)
        if cause == RELATION:
            return f"shares ids with {who}, but the relation is {theirs.relation}, not {ours.relation}"
        wrong = {
            FIRST: f"the first element is {_ids(theirs.first)}, not {_ids(ours.first)}",
            SECOND: f"the second element is {_ids(theirs.second)}, not {_ids(ours.second)}",
        }.get(cause, "both elements share too few ids with it or are exchanged")
        return f"has the relation of {who}, but {wrong}"

    def _alone(self, side: Side, at: int) -> str:
        if not self.present:
            return f"{self._name(side, at)} stands in document {self.doc_id}, which the system lacks"
        rivals = self._rivals(side, at)
        if rivals:
            best = rivals[0]
            taken = f"which is paired with {best.paired_with}" if best.paired_with else "which takes no part"
            return f"comes near {best.id} ({best.similarity:g} shared ids), {taken}"
        return f"no {_other(side)} triple shares ids with both elements of {self._name(side, at)}"

    def _shared(self, side: Side, at: int, other: int) -> tuple[int, int]:
        gold, system = (other, at) if side == SYSTEM else (at, other)
        ours, theirs = self.comparison.gold, self.comparison.system
        return (
            len(frozenset(ours.in_range[gold].first.ids) & frozenset(theirs.in_range[system].first.ids)),
            len(frozenset(ours.in_range[gold].second.ids) & frozenset(theirs.in_range[system].second.ids)),
        )

    def _rivals(self, side: Side, at: int, partner: int | None = None) -> tuple[Rival, ...]:
        found = sorted(self._near[side == SYSTEM].get(at, ()), key=lambda entry: (-entry[1], entry[0]))
        return tuple(
            Rival(self._name(_other(side), other), shared, self._partner(_other(side), other))
            for other, shared in found
            if other != partner
        )

    @cached_property
    def _near(self) -> tuple[Near, Near]:
        """What shares ids in both elements, by gold and by system triple."""
        gold: Near = {}
        system: Near = {}
        if isinstance(self.comparison, TripleComparison):
            for overlap in self.comparison.overlaps:
                gold.setdefault(overlap.gold, []).append((overlap.system, overlap.shared))
                system.setdefault(overlap.system, []).append((overlap.gold, overlap.shared))
        return gold, system

    def _partner(self, side: Side, at: int) -> str | None:
        fate = self.fate
        found = (fate.credited_system if side == SYSTEM else fate.credited).get(at)
        if found is None:
            other = (fate.other_of_system if side == SYSTEM else fate.others).get(at)
            found = None if other is None else other[0]
        return None if found is None else self._name(_other(side), found)

    def _name(self, side: Side, at: int) -> str:
        ours = side == SYSTEM
        return self.names[ours][self.places[ours].in_range[at]]

    def _verdict(self, side: Side, at: int, other: int | None, cause: str, why: str) -> Verdict:
        credit = int(cause == "right")
        triple = (self.comparison.system if side == SYSTEM else self.comparison.gold).in_range[at]
        return Verdict(
            self.doc_id,
            side,
            self._name(side, at),
            None if other is None else self._name(_other(side), other),
            cause,
            credit,
            1 - credit,
            why,
            self._rivals(side, at, other),
            type=triple.relation,
            text=_text(triple),
            ranges=self.words.ranges_of(triple.first, triple.second),
        )

    def _left_out(self, side: Side, place: int, why: str) -> Verdict:
        ours = side == SYSTEM
        triple = self.read[ours][place]
        return _uncounted(self.doc_id, side, self.names[ours][place], triple, why)


def _uncounted(doc_id: str, side: Side, name: str, triple: Triple, why: str) -> Verdict:
    why = named(name, why)
    return Verdict(doc_id, side, name, None, LEFT_OUT, 0, 0, why, type=triple.relation, text=_text(triple))


def _other(side: Side) -> Side:
    return GOLD if side == SYSTEM else SYSTEM


def _ids(element: Element) -> str:
    return ",".join(element.ids) or "empty"


def _text(triple: Triple) -> str:
    """The words of both elements, where the file has them."""
    said = [element.comment for element in (triple.first, triple.second) if element.comment]
    return " … ".join(said)


def left_out(document: Document, side: Side, settings: TripleSettings) -> Iterator[Verdict]:
    """The triples of a document that is not scored."""
    if side == SYSTEM:
        why = f"gold has no document {document.doc_id}: the documents of gold are scored"
    else:
        why = f"the system has no document {document.doc_id}: it is skipped (missing-documents)"
    del settings
    content = triples_of(document)
    for name, triple in zip(names_of(content), content, strict=True):
        yield _uncounted(document.doc_id, side, name, triple, why)


def _relations(comparison: AnyComparison, settings: TripleSettings) -> Iterator[Confusion]:
    """The relations of pairs that share ids, whatever their relations, and of what is left."""
    gold, system = comparison.gold, comparison.system
    if isinstance(comparison, TripleComparison):
        ours, theirs = gold.unique, system.unique
        pairs = [
            (ours[one.gold], theirs[one.system]) for one in comparison.alignments["partial_ignored"].pairs
        ]
        golds, systems = set(ours), set(theirs)
    else:
        found = comparison.debug["partial_ignored"].credited
        pairs = [(one.gold.position, one.system.position) for one in found]
        golds = set(range(len(gold.in_range)))
        systems = {item.position for item in comparison.distinct(comparison.options.headline)}
    del settings
    for one, other in pairs:
        yield gold.in_range[one].relation, system.in_range[other].relation
    paired = {one for one, _ in pairs}, {other for _, other in pairs}
    yield from ((gold.in_range[at].relation, None) for at in sorted(golds - paired[0]))
    yield from ((None, system.in_range[at].relation) for at in sorted(systems - paired[1]))


EXPLAINER = Explainer(
    causes=CAUSES,
    verdicts=verdicts,
    left_out=left_out,
    faults=lambda _settings: mends.FAULTS,
    find_faults=mends.find_faults,
    confusions={"relation": _relations},
    text=words.text,
)
