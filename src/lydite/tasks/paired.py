"""Mentions that are paired with mentions of the other side: the outcome of each, and what corrects those that are wrong."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from lydite.model import Document, Mention, Pair
from lydite.model.outcome import (
    COPY,
    NO_ATTRIBUTES,
    NO_DOCUMENT,
    PAIRED,
    UNPAIRED,
    Outcome,
    pairs_of,
    unpaired_items,
)
from lydite.model.verdict import GOLD, SYSTEM, Credit, Rival, Side
from lydite.model.word_text import Ranges

if TYPE_CHECKING:
    from lydite.model.span_alignment import SpanPair

DUPLICATE, SPURIOUS, OUTCOMPETED, MISSED = "duplicate", "spurious", "outcompeted", "missed"
SPAN, TYPE, REALIS = "span", "type", "realis"


H = TypeVar("H", bound=Hashable)
P = TypeVar("P", bound="Pair | SpanPair")
"""A pair: its gold and its system mention by position."""


class MentionMatching(NamedTuple, Generic[P]):
    """The pairs of the mentions of a document, by position, and which mentions repeat others.

    ``overlapping`` are all pairs of mentions that overlap, the most similar ones first.  ``gold_copies`` and
    ``system_copies`` give the first mention that a copy repeats; a copy is in no pair.
    """

    gold_pairs: Mapping[int, P]
    system_pairs: Mapping[int, P]
    gold_copies: Mapping[int, int]
    system_copies: Mapping[int, int]
    overlapping: Sequence[P]


def find_copies(keys: Iterable[H]) -> tuple[dict[H, int], dict[int, int]]:
    """The first position of each key, in the order of keys; and each later position with the first one."""
    firsts: dict[H, int] = {}
    copies = {at: firsts[key] for at, key in enumerate(keys) if firsts.setdefault(key, at) != at}
    return firsts, copies


# ---------------------------------------------------------------------------------------------------- outcomes


def name_with_line(mention: Mention) -> str:
    """The id of a mention, with its line if that is known."""
    return f"{mention.id} (line {mention.line})" if mention.line else mention.id


class _MatchedSide(NamedTuple, Generic[P]):
    """One side: its document, and by position its mentions, their pairs, what they repeat, and all overlapping pairs."""

    document: Document
    mentions: Sequence[Mention]
    pairs: Mapping[int, P]
    copies: Mapping[int, int]
    overlapping: dict[int, list[P]]


class MentionOutcomes(ABC, Generic[P]):
    """Makes the outcomes of the mentions of one compared document."""

    noun: ClassVar[str] = "mention"
    no_credit: ClassVar[Credit] = 0
    full_credit: Credit = 1
    """What a mention can earn at most."""
    full_credit_of_copy: Credit = 0

    def __init__(
        self,
        doc_id: str,
        documents: tuple[Document, Document],
        matching: MentionMatching[P],
        ranges_of: Callable[[Mention], Ranges],
    ) -> None:
        gold, system = documents
        self.doc_id, self._ranges_of = doc_id, ranges_of
        self.gold = _MatchedSide(gold, list(gold.mentions), matching.gold_pairs, matching.gold_copies, {})
        self.system = _MatchedSide(
            system, list(system.mentions), matching.system_pairs, matching.system_copies, {}
        )
        for pair in matching.overlapping:
            self.gold.overlapping.setdefault(pair.gold, []).append(pair)
            self.system.overlapping.setdefault(pair.system, []).append(pair)

    @abstractmethod
    def similarity(self, pair: P) -> float:
        """How similar the two mentions of a pair are."""

    @abstractmethod
    def agreement(self, pair: P) -> tuple[Mapping[str, bool], frozenset[str]]:
        """What the two mentions of a pair agree on, and what of them is not the same."""

    @abstractmethod
    def credit(self, pair: P) -> Credit:
        """What the mentions of a pair earn."""

    @abstractmethod
    def cause_of(self, outcome: Outcome) -> tuple[str, str]:
        """Cause and reason for a mention that is paired."""

    @abstractmethod
    def cause_of_gold_copy(self, mention: Mention, first: Mention) -> Outcome:
        """The outcome of a gold mention that says the same as ``first``."""

    @abstractmethod
    def cause_without_document(self, mention: Mention) -> tuple[str, str]:
        """Cause and reason for a gold mention whose document the system lacks."""

    def text_of(self, mention: Mention, _document: Document) -> str:
        """The words of a mention."""
        return mention.text

    def traits_of(self, _mention: Mention) -> Mapping[str, str]:
        """What outcomes can be broken down by, beside the type."""
        return NO_ATTRIBUTES

    def why_isolated(self, _mention: Mention) -> str:
        """The end of the sentence on a mention that overlaps nothing: the reason, where there is one."""
        return ""

    def of_side(self, side: Side) -> Iterator[Outcome]:
        """The outcomes of all mentions of a side."""
        own = self.gold if side == GOLD else self.system
        for at, mention in enumerate(own.mentions):
            copy, pair = own.copies.get(at), own.pairs.get(at)
            row = Outcome(
                side,
                at,
                UNPAIRED,
                credit=self.no_credit,
                lost=self.full_credit - self.no_credit,
                name=mention.id,
                rivals=tuple(self._rivals(side, at, pair)),
                line=mention.line,
                type=mention.type,
                text=self.text_of(mention, own.document),
                traits=self.traits_of(mention),
                place=self._ranges_of(mention),
            )
            if pair is not None:
                partner = pair.system if side == GOLD else pair.gold
                agrees, differs = self.agreement(pair)
                row = row._replace(
                    status=PAIRED,
                    partner=partner,
                    partner_name=self._partner(side, pair).id,
                    agrees=agrees,
                    differs=differs,
                    similarity=self.similarity(pair),
                )
                credit = self.credit(pair)
                cause, why = self.cause_of(row)
                yield row._replace(credit=credit, lost=self.full_credit - credit, cause=cause, why=why)
            elif copy is None:
                yield self._unpaired(row, mention)
            elif side == GOLD:
                outcome = self.cause_of_gold_copy(mention, own.mentions[copy])
                yield outcome._replace(item=at, partner=copy)
            else:
                why = f"says the same as {name_with_line(own.mentions[copy])}, which counts"
                lost = self.full_credit_of_copy - self.no_credit
                yield row._replace(status=COPY, partner=copy, cause=DUPLICATE, why=why, lost=lost)

    def _unpaired(self, row: Outcome, mention: Mention) -> Outcome:
        """The outcome of a mention that is in no pair."""
        side = row.side
        own = self.gold if side == GOLD else self.system
        if side == GOLD and not self.system.document.present:
            cause, why = self.cause_without_document(mention)
            return row._replace(status=NO_DOCUMENT, cause=cause, why=why)
        assert row.item is not None
        overlapping = own.overlapping.get(row.item)
        if not overlapping:
            cause, other = (MISSED, SYSTEM) if side == GOLD else (SPURIOUS, GOLD)
            why = f"no {other} {self.noun} overlaps {name_with_line(mention)}{self.why_isolated(mention)}"
            return row._replace(cause=cause, why=why)
        best = overlapping[0]
        winner = self._pair_of_partner(side, best)
        lost_to = "which agrees but was mapped elsewhere (many to one)"
        if winner is not None:
            mentions = self.gold.mentions if side == GOLD else self.system.mentions
            rival = mentions[winner.gold if side == GOLD else winner.system]
            lost_to = f"which is paired with {self.with_similarity(rival, self.similarity(winner))}"
        partner = self.with_similarity(self._partner(side, best), self.similarity(best))
        return row._replace(cause=OUTCOMPETED, why=f"overlaps {partner}, {lost_to}")

    def with_similarity(self, mention: Mention, similarity: float) -> str:
        """A mention of a pair by its id, with its line and how similar the two mentions are."""
        line = f"line {mention.line}; " if mention.line else ""
        return f"{mention.id} ({line}{self.similarity_in_words(similarity)})"

    def similarity_in_words(self, similarity: float) -> str:
        """How similar the mentions of a pair are, as verdicts say it."""
        return f"Dice {similarity:.2f}"

    def mentions_of(self, outcome: Outcome) -> tuple[Mention, Mention]:
        """The gold and the system mention of a pair."""
        assert outcome.item is not None
        assert outcome.partner is not None
        gold, system = outcome.item, outcome.partner
        if outcome.side == SYSTEM:
            gold, system = system, gold
        return self.gold.mentions[gold], self.system.mentions[system]

    def _partner(self, side: Side, pair: P) -> Mention:
        """The mention of the other side in a pair."""
        return self.system.mentions[pair.system] if side == GOLD else self.gold.mentions[pair.gold]

    def _pair_of_partner(self, side: Side, pair: P) -> P | None:
        """The pair of the mapping that holds the mention of the other side in ``pair``."""
        return self.system.pairs.get(pair.system) if side == GOLD else self.gold.pairs.get(pair.gold)

    def _rivals(self, side: Side, at: int, own_pair: P | None) -> Iterator[Rival]:
        """The overlapping mentions of the other side that it is not paired with, best first."""
        own = self.gold if side == GOLD else self.system
        for pair in own.overlapping.get(at, ()):
            if own_pair is None or (pair.gold, pair.system) != (own_pair.gold, own_pair.system):
                winner = self._pair_of_partner(side, pair)
                paired_with = None
                if winner is not None:
                    paired_with = own.mentions[winner.gold if side == GOLD else winner.system].id
                yield Rival(self._partner(side, pair).id, self.similarity(pair), paired_with)


def why_unscored(document: Document, only: str | None) -> str:
    """Why a document is not scored: the run is over the document ``only`` alone, or gold lacks it."""
    if only is not None:
        return f"only document {only} is scored (only-document)"
    return f"gold has no document {document.doc_id}: the documents of gold are scored (scored-documents)"


def other_side(side: Side) -> Side:
    """The side that ``side`` is compared with."""
    return GOLD if side == SYSTEM else SYSTEM


# ------------------------------------------------------------------------------------------------- corrections


class PairCorrections:
    """The faults of one document of a system, read from the outcomes of its mentions.

    ``gold`` and ``system`` are the mentions that are compared, as they were read; ``attributes`` are the rows of the
    budget for what can differ in a pair.  ``with_copies`` says that a copy is corrected like the mention that it repeats.
    """

    def __init__(
        self,
        gold: Sequence[Mention],
        system: Sequence[Mention],
        outcomes: Sequence[Outcome],
        attributes: Sequence[str],
        *,
        with_copies: bool = False,
    ) -> None:
        self._gold, self._system = gold, system
        self._attributes, self._with_copies = attributes, with_copies
        self._outcomes = {one.item: one for one in outcomes if one.side == SYSTEM and one.item is not None}
        self._missed = [gold[at] for at in unpaired_items(outcomes, GOLD)]
        self._wrong = [self._outcomes[at].differs for _, at in pairs_of(outcomes)]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The number of mentions with each fault."""
        causes = [one.cause for one in self._outcomes.values()]
        counts = {fault: causes.count(fault) for fault in (DUPLICATE, SPURIOUS, OUTCOMPETED)}
        counts |= {fault: sum(fault in differs for differs in self._wrong) for fault in self._attributes}
        counts[MISSED] = len(self._missed)
        return {fault: count for fault, count in counts.items() if count}

    def corrected_mentions(self, faults: frozenset[str]) -> list[Mention | None]:
        """The system's mentions after correcting these faults; None for a mention that is dropped."""
        return [self._correct(self._outcomes[at], mention, faults) for at, mention in enumerate(self._system)]

    def added_mentions(self, faults: frozenset[str]) -> list[Mention]:
        """The gold mentions that correcting these faults adds."""
        return self._missed if MISSED in faults else []

    def _correct(self, outcome: Outcome, mention: Mention, faults: frozenset[str]) -> Mention | None:
        """The mention with what its gold partner has, where one of these faults says that they differ."""
        if outcome.status != PAIRED and outcome.cause in faults:
            return None
        if outcome.status == COPY and self._with_copies:
            assert outcome.partner is not None
            outcome = self._outcomes[outcome.partner]
        if outcome.status != PAIRED or outcome.partner is None:
            return mention
        gold = self._gold[outcome.partner]
        for fault in self._attributes:
            if fault in faults and fault in outcome.differs:
                mention = mention._replace(**{name: getattr(gold, name) for name in _FIELDS[fault]})
        return mention


_FIELDS = {SPAN: ("span", "text"), TYPE: ("type",), REALIS: ("realis",)}
"""The fields of a mention that correcting a fault replaces."""
