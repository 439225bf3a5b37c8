"""Mentions that are paired with mentions of the other side: why each counts or not, and what mends those that do not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from lydite.model import Document, Mention, Pair
from lydite.model.verdict import GOLD, SYSTEM, Confusion, Credit, Rival, Side, Verdict
from lydite.model.word_text import Ranges
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from lydite.model.span_alignment import SpanPair

DUPLICATE, SPURIOUS, OUTCOMPETED, MISSED = "duplicate", "spurious", "outcompeted", "missed"
SPAN, TYPE, REALIS = "span", "type", "realis"


H = TypeVar("H", bound=Hashable)
P = TypeVar("P", bound="Pair | SpanPair")
"""A pair: its gold and its system mention by position."""


class Fate(NamedTuple, Generic[P]):
    """What became of the mentions of a document, by position.

    ``near`` are all pairs that overlap, the most similar ones first.  ``gold_copies`` and ``system_copies`` lead from a
    mention that does not count to the one that it repeats; a copy has no partner.
    """

    of_gold: Mapping[int, P]
    of_system: Mapping[int, P]
    gold_copies: Mapping[int, int]
    system_copies: Mapping[int, int]
    near: Sequence[P]

    @property
    def pairs(self) -> list[P]:
        """All pairs, in the order of gold."""
        return [self.of_gold[position] for position in sorted(self.of_gold)]


def first_places(keys: Iterable[H]) -> tuple[dict[H, int], dict[int, int]]:
    """Where each key stands first, in the order of keys; and the repeats, with the first one."""
    first: dict[H, int] = {}
    copies = {at: first[key] for at, key in enumerate(keys) if first.setdefault(key, at) != at}
    return first, copies


def confusion_of(
    gold: Mapping[int, str], system: Mapping[int, str], pairs: Iterable[tuple[int, int]]
) -> Iterator[Confusion]:
    """The values of pairs, and of what is in none; by position."""
    pairs = list(pairs)
    ours, theirs = {one for one, _ in pairs}, {other for _, other in pairs}
    yield from ((gold[one], system[other]) for one, other in pairs)
    yield from ((value, None) for at, value in gold.items() if at not in ours)
    yield from ((None, value) for at, value in system.items() if at not in theirs)


def diagnose_pairs(
    gold: Sequence[object],
    system: Sequence[object],
    pairs: Iterable[P],
    agreement: Callable[[P], Mapping[str, object]],
) -> dict[str, object]:
    """Pairs with how they agree, missed and spurious mentions, in the order of the sides."""
    of_gold = {pair.gold: pair for pair in pairs}
    taken = {pair.system for pair in of_gold.values()}
    paired = [of_gold[at] for at in sorted(of_gold)]
    return {
        "pairs": [{"gold": gold[one.gold], "system": system[one.system], **agreement(one)} for one in paired],
        "missed": [mention for at, mention in enumerate(gold) if at not in of_gold],
        "spurious": [mention for at, mention in enumerate(system) if at not in taken],
    }


# ---------------------------------------------------------------------------------------------------- verdicts


def name_of(mention: Mention) -> str:
    """A mention as sentences call it."""
    return f"{mention.id} (line {mention.line})" if mention.line else mention.id


Said = tuple[str, str, Credit]
"""A cause, why, and what it earns."""


class _JudgedSide(NamedTuple, Generic[P]):
    """One side: its document, and by position its mentions, their pairs, what they repeat, and what they overlap."""

    document: Document
    mentions: Sequence[Mention]
    pairs: Mapping[int, P]
    copies: Mapping[int, int]
    near: dict[int, list[P]]


class PairJudge(ABC, Generic[P]):
    """Judges the mentions of one compared document."""

    noun: ClassVar[str] = "mention"
    nothing: ClassVar[Credit] = 0
    worth: Credit = 1
    """What a mention can earn at most."""
    worth_of_copy: Credit = 0

    def __init__(
        self,
        doc_id: str,
        documents: tuple[Document, Document],
        fate: Fate[P],
        ranges_of: Callable[[Mention], Ranges],
    ) -> None:
        gold, system = documents
        self.doc_id, self._ranges_of = doc_id, ranges_of
        self.gold = _JudgedSide(gold, list(gold.mentions), fate.of_gold, fate.gold_copies, {})
        self.system = _JudgedSide(system, list(system.mentions), fate.of_system, fate.system_copies, {})
        for pair in fate.near:
            self.gold.near.setdefault(pair.gold, []).append(pair)
            self.system.near.setdefault(pair.system, []).append(pair)

    @abstractmethod
    def similarity(self, pair: P) -> float:
        """How similar the two mentions of a pair are."""

    @abstractmethod
    def paired(self, side: Side, other: Mention, pair: P) -> Said:
        """What is said of a mention that is paired with that one of the other side."""

    @abstractmethod
    def gold_copy(self, mention: Mention, first: Mention) -> Verdict:
        """The verdict on a gold mention that says what another one says."""

    @abstractmethod
    def without_document(self, mention: Mention) -> tuple[str, str]:
        """Cause and reason of a gold mention whose document the system lacks."""

    def text_of(self, mention: Mention, _document: Document) -> str:
        """The words of a mention."""
        return mention.text

    def traits_of(self, _mention: Mention) -> Mapping[str, str]:
        """What verdicts can be broken down by, beside the type."""
        return MappingProxyType({})

    def remark_on(self, _mention: Mention) -> str:
        """What is to be said of a mention that overlaps nothing."""
        return ""

    def side(self, side: Side) -> Iterator[Verdict]:
        """All mentions of a side."""
        own = self._own(side)
        for at, mention in enumerate(own.mentions):
            copy, pair = own.copies.get(at), own.pairs.get(at)
            if pair is not None:
                yield self._verdict(side, at, self.paired(side, self._other(side, pair), pair), self.worth)
            elif copy is None:
                yield self._verdict(side, at, (*self._alone(side, at), self.nothing), self.worth)
            elif side == GOLD:
                yield self.gold_copy(mention, own.mentions[copy])
            else:
                why = f"says the same as {name_of(own.mentions[copy])}, which counts"
                yield self._verdict(side, at, (DUPLICATE, why, self.nothing), self.worth_of_copy)

    def _own(self, side: Side) -> _JudgedSide[P]:
        return self.gold if side == GOLD else self.system

    def _alone(self, side: Side, at: int) -> tuple[str, str]:
        mention, near = self._own(side).mentions[at], self._own(side).near.get(at)
        if side == GOLD and not self.system.document.present:
            return self.without_document(mention)
        if not near:
            cause, others = (MISSED, SYSTEM) if side == GOLD else (SPURIOUS, GOLD)
            return cause, f"no {others} {self.noun} overlaps {name_of(mention)}{self.remark_on(mention)}"
        best = near[0]
        taken = self._taken(side, best)
        went = "which agrees but was mapped elsewhere (many to one)"
        if taken is not None:
            went = f"which is paired with {self.with_similarity(self._mention(side, taken), taken)}"
        return OUTCOMPETED, f"overlaps {self.with_similarity(self._other(side, best), best)}, {went}"

    def with_similarity(self, other: Mention, pair: P) -> str:
        """A mention of the other side, with how similar it is."""
        place = f"line {other.line}; " if other.line else ""
        return f"{other.id} ({place}{self.measure(pair)})"

    def measure(self, pair: P) -> str:
        """How similar the mentions of a pair are, in words."""
        return f"Dice {self.similarity(pair):.2f}"

    def _mention(self, side: Side, pair: P) -> Mention:
        """The mention of a side in a pair."""
        return self.gold.mentions[pair.gold] if side == GOLD else self.system.mentions[pair.system]

    def _other(self, side: Side, pair: P) -> Mention:
        return self._mention(other_side(side), pair)

    def _taken(self, side: Side, pair: P) -> P | None:
        """The pair that the other mention of this one is in."""
        return self.system.pairs.get(pair.system) if side == GOLD else self.gold.pairs.get(pair.gold)

    def _verdict(self, side: Side, at: int, said: Said, worth: Credit) -> Verdict:
        cause, why, credit = said
        own = self._own(side)
        mention, pair = own.mentions[at], own.pairs.get(at)
        return Verdict(
            self.doc_id,
            side,
            mention.id,
            None if pair is None else self._other(side, pair).id,
            cause,
            credit,
            worth - credit,
            why,
            tuple(self._rivals(side, at, pair)),
            mention.line,
            mention.type,
            self.text_of(mention, own.document),
            self.traits_of(mention),
            self._ranges_of(mention),
        )

    def _rivals(self, side: Side, at: int, own: P | None) -> Iterator[Rival]:
        """The overlapping mentions of the other side that it is not paired with, best first."""
        for pair in self._own(side).near.get(at, ()):
            if own is None or (pair.gold, pair.system) != (own.gold, own.system):
                taken = self._taken(side, pair)
                partner = None if taken is None else self._mention(side, taken).id
                yield Rival(self._other(side, pair).id, self.similarity(pair), partner)


def why_unscored(document: Document, only: str | None) -> str:
    """Why a document is not scored: ``only`` another one is, or gold lacks it."""
    if only is not None:
        return f"only document {only} is scored (only-document)"
    return f"gold has no document {document.doc_id}: the documents of gold are scored (scored-documents)"


def other_side(side: Side) -> Side:
    """The side that a side is compared with."""
    return GOLD if side == SYSTEM else SYSTEM


# ------------------------------------------------------------------------------------------------------- mends


class PairFaults(Generic[P]):
    """The faults of one document of a system.

    ``gold`` and ``system`` are the mentions that are compared, as they were read; ``differs`` says of what has a row of
    its own, the span or an attribute, whether the two mentions of a pair differ in it.
    """

    def __init__(
        self,
        gold: Sequence[Mention],
        system: Sequence[Mention],
        fate: Fate[P],
        differs: Mapping[str, Callable[[P], bool]],
    ) -> None:
        self._gold, self._read, self._pairs, self._differs = gold, system, fate.pairs, differs
        self._partner: Mapping[int, P] = fate.of_system
        near = {pair.system for pair in fate.near}
        alone = {at for at in range(len(system)) if at not in fate.of_system and at not in fate.system_copies}
        self._dropped = {
            DUPLICATE: frozenset(fate.system_copies),
            SPURIOUS: alone - near,
            OUTCOMPETED: alone & near,
        }
        found = {*fate.of_gold, *fate.gold_copies}
        self._missed = [mention for at, mention in enumerate(gold) if at not in found]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many mentions have each fault."""
        counts = {fault: len(dropped) for fault, dropped in self._dropped.items()}
        counts |= {fault: sum(map(differs, self._pairs)) for fault, differs in self._differs.items()}
        counts[MISSED] = len(self._missed)
        return {fault: count for fault, count in counts.items() if count}

    def mended(self, faults: frozenset[str]) -> list[Mention | None]:
        """The mentions that are compared after mending these faults; None for one that goes."""
        gone = {at for fault in faults & self._dropped.keys() for at in self._dropped[fault]}
        return [
            None if at in gone else self._as_gold(at, mention, faults)
            for at, mention in enumerate(self._read)
        ]

    def added(self, faults: frozenset[str]) -> list[Mention]:
        """The mentions that mending these faults adds."""
        return self._missed if MISSED in faults else []

    def _as_gold(self, at: int, mention: Mention, faults: frozenset[str]) -> Mention:
        pair = self._partner.get(at)
        if pair is None:
            return mention
        gold = self._gold[pair.gold]
        for fault, differs in self._differs.items():
            if fault in faults and differs(pair):
                mention = mention._replace(**{name: getattr(gold, name) for name in _FIELDS[fault]})
        return mention


_FIELDS = {SPAN: ("span", "text"), TYPE: ("type",), REALIS: ("realis",)}
"""What of a mention says what a fault is about."""
