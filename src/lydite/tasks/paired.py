"""Mentions that are paired with mentions of the other side: why each counts or not, and what mends those that do not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from lydite.model import Document, Mention, Pair
from lydite.model.verdict import GOLD, SYSTEM, Confusion, Credit, Rival, Side, Verdict
from lydite.model.word_text import Ranges

if TYPE_CHECKING:
    from lydite.model.span_alignment import SpanPair

DUPLICATE, SPURIOUS, OUTCOMPETED, MISSED = "duplicate", "spurious", "outcompeted", "missed"
SPAN, TYPE, REALIS = "span", "type", "realis"


H = TypeVar("H", bound=Hashable)
P = TypeVar("P", bound="Pair | SpanPair")
"""A pair: its gold and its system mention by position."""


class MentionOutcomes(NamedTuple, Generic[P]):
    """What became of the mentions of a document, by position.

    ``overlapping`` are all pairs of mentions that overlap, the most similar ones first.  ``gold_copies`` and
    ``system_copies`` lead from a mention that does not count to the one that it repeats; a copy is in no pair.
    """

    gold_pairs: Mapping[int, P]
    system_pairs: Mapping[int, P]
    gold_copies: Mapping[int, int]
    system_copies: Mapping[int, int]
    overlapping: Sequence[P]

    @property
    def pairs(self) -> list[P]:
        """All pairs, in the order of gold."""
        return [self.gold_pairs[position] for position in sorted(self.gold_pairs)]


def find_copies(keys: Iterable[H]) -> tuple[dict[H, int], dict[int, int]]:
    """The first position of each key, in the order of keys; and each later position with the first one."""
    firsts: dict[H, int] = {}
    copies = {at: firsts[key] for at, key in enumerate(keys) if firsts.setdefault(key, at) != at}
    return firsts, copies


def confusions_of_pairs(
    gold: Mapping[int, str], system: Mapping[int, str], pairs: Iterable[tuple[int, int]]
) -> Iterator[Confusion]:
    """The gold and the system value of every pair, and the values of what is in no pair; by position."""
    pairs = list(pairs)
    paired_gold, paired_system = {one for one, _ in pairs}, {other for _, other in pairs}
    yield from ((gold[one], system[other]) for one, other in pairs)
    yield from ((value, None) for at, value in gold.items() if at not in paired_gold)
    yield from ((None, value) for at, value in system.items() if at not in paired_system)


def diagnose_pairs(
    gold: Sequence[object],
    system: Sequence[object],
    pairs: Iterable[P],
    agreement: Callable[[P], Mapping[str, object]],
) -> dict[str, object]:
    """Pairs in the order of gold with what ``agreement`` says of them, missed and spurious mentions."""
    gold_pairs = {pair.gold: pair for pair in pairs}
    ordered = [gold_pairs[at] for at in sorted(gold_pairs)]
    paired_system = {pair.system for pair in ordered}
    return {
        "pairs": [
            {"gold": gold[pair.gold], "system": system[pair.system], **agreement(pair)} for pair in ordered
        ],
        "missed": [mention for at, mention in enumerate(gold) if at not in gold_pairs],
        "spurious": [mention for at, mention in enumerate(system) if at not in paired_system],
    }


# ---------------------------------------------------------------------------------------------------- verdicts


def name_with_line(mention: Mention) -> str:
    """The id of a mention, with its line if that is known."""
    return f"{mention.id} (line {mention.line})" if mention.line else mention.id


Ruling = tuple[str, str, Credit]
"""A cause, why, and what it earns."""


class _JudgedSide(NamedTuple, Generic[P]):
    """One side: its document, and by position its mentions, their pairs, what they repeat, and all overlapping pairs."""

    document: Document
    mentions: Sequence[Mention]
    pairs: Mapping[int, P]
    copies: Mapping[int, int]
    overlapping: dict[int, list[P]]


class PairJudge(ABC, Generic[P]):
    """Gives the verdicts on the mentions of one compared document."""

    noun: ClassVar[str] = "mention"
    no_credit: ClassVar[Credit] = 0
    full_credit: Credit = 1
    """What a mention can earn at most."""
    full_credit_of_copy: Credit = 0

    def __init__(
        self,
        doc_id: str,
        documents: tuple[Document, Document],
        outcomes: MentionOutcomes[P],
        ranges_of: Callable[[Mention], Ranges],
    ) -> None:
        gold, system = documents
        self.doc_id, self._ranges_of = doc_id, ranges_of
        self.gold = _JudgedSide(gold, list(gold.mentions), outcomes.gold_pairs, outcomes.gold_copies, {})
        self.system = _JudgedSide(
            system, list(system.mentions), outcomes.system_pairs, outcomes.system_copies, {}
        )
        for pair in outcomes.overlapping:
            self.gold.overlapping.setdefault(pair.gold, []).append(pair)
            self.system.overlapping.setdefault(pair.system, []).append(pair)

    @abstractmethod
    def similarity(self, pair: P) -> float:
        """How similar the two mentions of a pair are."""

    @abstractmethod
    def judge_pair(self, side: Side, other: Mention, pair: P) -> Ruling:
        """The ruling on a mention that is paired with ``other``, a mention of the other side."""

    @abstractmethod
    def judge_gold_copy(self, mention: Mention, first: Mention) -> Verdict:
        """The verdict on a gold mention that says the same as ``first``."""

    @abstractmethod
    def judge_without_document(self, mention: Mention) -> tuple[str, str]:
        """Cause and reason for a gold mention whose document the system lacks."""

    def text_of(self, mention: Mention, _document: Document) -> str:
        """The words of a mention."""
        return mention.text

    def traits_of(self, _mention: Mention) -> Mapping[str, str]:
        """What verdicts can be broken down by, beside the type."""
        return MappingProxyType({})

    def why_isolated(self, _mention: Mention) -> str:
        """The end of the sentence on a mention that overlaps nothing: the reason, where there is one."""
        return ""

    def judge_side(self, side: Side) -> Iterator[Verdict]:
        """The verdicts on all mentions of a side."""
        own = self._side(side)
        for at, mention in enumerate(own.mentions):
            copy, pair = own.copies.get(at), own.pairs.get(at)
            if pair is not None:
                ruling = self.judge_pair(side, self._partner(side, pair), pair)
                yield self._verdict(side, at, ruling, self.full_credit)
            elif copy is None:
                ruling = (*self._judge_unpaired(side, at), self.no_credit)
                yield self._verdict(side, at, ruling, self.full_credit)
            elif side == GOLD:
                yield self.judge_gold_copy(mention, own.mentions[copy])
            else:
                why = f"says the same as {name_with_line(own.mentions[copy])}, which counts"
                yield self._verdict(side, at, (DUPLICATE, why, self.no_credit), self.full_credit_of_copy)

    def _side(self, side: Side) -> _JudgedSide[P]:
        return self.gold if side == GOLD else self.system

    def _judge_unpaired(self, side: Side, at: int) -> tuple[str, str]:
        """Cause and reason for a mention that is in no pair."""
        own = self._side(side)
        mention, overlapping = own.mentions[at], own.overlapping.get(at)
        if side == GOLD and not self.system.document.present:
            return self.judge_without_document(mention)
        if not overlapping:
            cause, other = (MISSED, SYSTEM) if side == GOLD else (SPURIOUS, GOLD)
            why = f"no {other} {self.noun} overlaps {name_with_line(mention)}{self.why_isolated(mention)}"
            return cause, why
        best = overlapping[0]
        winner = self._pair_of_partner(side, best)
        lost_to = "which agrees but was mapped elsewhere (many to one)"
        if winner is not None:
            lost_to = f"which is paired with {self.name_with_similarity(self._mention(side, winner), winner)}"
        partner = self._partner(side, best)
        return OUTCOMPETED, f"overlaps {self.name_with_similarity(partner, best)}, {lost_to}"

    def name_with_similarity(self, other: Mention, pair: P) -> str:
        """A mention of a pair by its id, with its line and how similar the two mentions are."""
        line = f"line {other.line}; " if other.line else ""
        return f"{other.id} ({line}{self.similarity_in_words(pair)})"

    def similarity_in_words(self, pair: P) -> str:
        """How similar the mentions of a pair are, as verdicts say it."""
        return f"Dice {self.similarity(pair):.2f}"

    def _mention(self, side: Side, pair: P) -> Mention:
        """The mention of a side in a pair."""
        return self.gold.mentions[pair.gold] if side == GOLD else self.system.mentions[pair.system]

    def _partner(self, side: Side, pair: P) -> Mention:
        """The mention of the other side in a pair."""
        return self._mention(other_side(side), pair)

    def _pair_of_partner(self, side: Side, pair: P) -> P | None:
        """The pair of the mapping that holds the mention of the other side in ``pair``."""
        return self.system.pairs.get(pair.system) if side == GOLD else self.gold.pairs.get(pair.gold)

    def _verdict(self, side: Side, at: int, ruling: Ruling, full_credit: Credit) -> Verdict:
        cause, why, credit = ruling
        own = self._side(side)
        mention, pair = own.mentions[at], own.pairs.get(at)
        return Verdict(
            self.doc_id,
            side,
            mention.id,
            None if pair is None else self._partner(side, pair).id,
            cause,
            credit,
            full_credit - credit,
            why,
            tuple(self._rivals(side, at, pair)),
            mention.line,
            mention.type,
            self.text_of(mention, own.document),
            self.traits_of(mention),
            self._ranges_of(mention),
        )

    def _rivals(self, side: Side, at: int, own_pair: P | None) -> Iterator[Rival]:
        """The overlapping mentions of the other side that it is not paired with, best first."""
        for pair in self._side(side).overlapping.get(at, ()):
            if own_pair is None or (pair.gold, pair.system) != (own_pair.gold, own_pair.system):
                winner = self._pair_of_partner(side, pair)
                paired_with = None if winner is None else self._mention(side, winner).id
                yield Rival(self._partner(side, pair).id, self.similarity(pair), paired_with)


def why_unscored(document: Document, only: str | None) -> str:
    """Why a document is not scored: the run is over the document ``only`` alone, or gold lacks it."""
    if only is not None:
        return f"only document {only} is scored (only-document)"
    return f"gold has no document {document.doc_id}: the documents of gold are scored (scored-documents)"


def other_side(side: Side) -> Side:
    """The side that ``side`` is compared with."""
    return GOLD if side == SYSTEM else SYSTEM


# ------------------------------------------------------------------------------------------------------- mends


class PairFaults(Generic[P]):
    """The faults of one document of a system.

    ``gold`` and ``system`` are the mentions that are compared, as they were read; ``differs`` tells for the span and each
    attribute that has a row in the budget whether the two mentions of a pair differ in it.
    """

    def __init__(
        self,
        gold: Sequence[Mention],
        system: Sequence[Mention],
        outcomes: MentionOutcomes[P],
        differs: Mapping[str, Callable[[P], bool]],
    ) -> None:
        self._gold_mentions, self._system_mentions = gold, system
        self._pairs, self._differs = outcomes.pairs, differs
        self._system_pairs: Mapping[int, P] = outcomes.system_pairs
        overlapping = {pair.system for pair in outcomes.overlapping}
        unpaired = set(range(len(system))) - outcomes.system_pairs.keys() - outcomes.system_copies.keys()
        self._dropped = {
            DUPLICATE: frozenset(outcomes.system_copies),
            SPURIOUS: unpaired - overlapping,
            OUTCOMPETED: unpaired & overlapping,
        }
        found = {*outcomes.gold_pairs, *outcomes.gold_copies}
        self._missed = [mention for at, mention in enumerate(gold) if at not in found]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many mentions have each fault."""
        counts = {fault: len(dropped) for fault, dropped in self._dropped.items()}
        counts |= {fault: sum(map(differs, self._pairs)) for fault, differs in self._differs.items()}
        counts[MISSED] = len(self._missed)
        return {fault: count for fault, count in counts.items() if count}

    def mended_mentions(self, faults: frozenset[str]) -> list[Mention | None]:
        """The system's mentions after mending these faults; None for one that is dropped."""
        dropped = {at for fault in faults & self._dropped.keys() for at in self._dropped[fault]}
        return [
            None if at in dropped else self._mend_mention(at, mention, faults)
            for at, mention in enumerate(self._system_mentions)
        ]

    def added_mentions(self, faults: frozenset[str]) -> list[Mention]:
        """The gold mentions that mending these faults adds."""
        return self._missed if MISSED in faults else []

    def _mend_mention(self, at: int, mention: Mention, faults: frozenset[str]) -> Mention:
        """The mention with what its gold partner has, where one of these faults says that they differ."""
        pair = self._system_pairs.get(at)
        if pair is None:
            return mention
        gold = self._gold_mentions[pair.gold]
        for fault, differs in self._differs.items():
            if fault in faults and differs(pair):
                mention = mention._replace(**{name: getattr(gold, name) for name in _FIELDS[fault]})
        return mention


_FIELDS = {SPAN: ("span", "text"), TYPE: ("type",), REALIS: ("realis",)}
"""The fields of a mention that mending a fault replaces."""
