"""Why each span counts or not: the pairs of the headline, then what it left unpaired, paired among itself."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model import Document, Mention
from lydite.model.span_alignment import SpanPair
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Confusion, Explained, Explainer, Rival, Side, Verdict
from lydite.tasks.spans import mends
from lydite.tasks.spans.documents import Comparison, prepare, words_of
from lydite.tasks.spans.fates import PARTIAL_SPAN, RIGHT, WRONG_TYPE, fate_of, positions, rule_of
from lydite.tasks.spans.settings import SpanSettings
from lydite.tasks.spans.words import Places, text

CAUSES = {
    RIGHT: "paired with a span of the other side: everything agrees that the headline looks at",
    PARTIAL_SPAN: "paired with a span of the other side that has its type and overlaps it only in part",
    WRONG_TYPE: "paired with a span of the other side at its place, or overlapping it; the types differ",
    "missed": "a gold span that no system span overlaps",
    "spurious": "a system span that overlaps no gold span",
    "outcompeted": "overlaps spans of the other side, but all of them were paired with others",
    "duplicate": "a system span that says the same as another one",
    LEFT_OUT: "not counted: a rule of the profile or of the run leaves it out",
}
"""Every cause that a span can have."""


def verdicts(explained: Explained[Comparison], settings: SpanSettings) -> Iterator[Verdict]:
    """A verdict for every span of both sides of a document, gold first, in file order."""
    judge = _Judge(explained.doc_id, explained.comparison, settings)
    yield from judge.side(GOLD)
    yield from judge.side(SYSTEM)


class _Judge:
    """Judges the spans of one compared document."""

    def __init__(self, doc_id: str, comparison: Comparison, settings: SpanSettings) -> None:
        self.doc_id, self.rule = doc_id, rule_of(settings)
        self.ranges = Places(comparison)
        fate = fate_of(comparison, settings)
        self.partner = fate.of_gold, fate.of_system
        self.documents = comparison.pair.gold, comparison.pair.system
        self.places, self.copies, self.counting = [], [], []
        for document, spans in zip(self.documents, (comparison.gold, comparison.system), strict=True):
            places, copies = positions(document.mentions, spans)
            self.places.append(places)
            self.copies.append(copies)
            self.counting.append(
                {place: document.mentions[at] for at, place in reversed([*enumerate(places)])}
            )
        self.near: tuple[dict[int, list[SpanPair]], dict[int, list[SpanPair]]] = ({}, {})
        for pair in comparison.candidates:
            self.near[0].setdefault(pair.gold, []).append(pair)
            self.near[1].setdefault(pair.system, []).append(pair)

    def side(self, side: Side) -> Iterator[Verdict]:
        """All spans of a side."""
        ours = side == SYSTEM
        for at, mention in enumerate(self.documents[ours].mentions):
            place, copy = self.places[ours][at], self.copies[ours].get(at)
            if copy is not None:
                yield self._repeated(side, mention, self.documents[ours].mentions[copy])
            elif (pair := self.partner[ours].get(place)) is not None:
                yield self._paired(side, mention, pair)
            else:
                yield self._alone(side, mention, place)

    def _repeated(self, side: Side, mention: Mention, first: Mention) -> Verdict:
        if side == GOLD:
            why = f"{_name(first)} says the same, and equal spans count once"
            return _left_out(self.documents[0], side, mention, why)
        return self._verdict(
            side, mention, "duplicate", f"says the same as {_name(first)}, which counts", worth=0
        )

    def _paired(self, side: Side, mention: Mention, pair: SpanPair) -> Verdict:
        other = self._other(side, pair)
        cause = self.rule.cause(pair)
        if cause == RIGHT:
            agreeing = [
                said for said, same in (("same span", pair.same_place), ("same type", pair.same_type)) if same
            ]
            why = f"paired with {_name(other)}: {', '.join(agreeing) or 'they overlap'}"
        elif cause == PARTIAL_SPAN:
            why = f"overlaps {_with(other, pair)}, which has the same type"
        else:
            gold, system = self.counting[0][pair.gold], self.counting[1][pair.system]
            where = "has the span of" if pair.same_place else "overlaps"
            who = "" if side == SYSTEM else "the system's "
            why = f"{where} {_with(other, pair)}, but {who}type is {system.type}, not {gold.type}"
        return self._verdict(side, mention, cause, why, pair)

    def _alone(self, side: Side, mention: Mention, place: int) -> Verdict:
        near = self.near[side == SYSTEM].get(place)
        if near:
            best = self._other(side, near[0])
            taken = self.partner[side == GOLD][near[0].system if side == GOLD else near[0].gold]
            winner = self.counting[side == SYSTEM][taken.gold if side == GOLD else taken.system]
            why = f"overlaps {_with(best, near[0])}, which is paired with {_with(winner, taken)}"
            return self._verdict(side, mention, "outcompeted", why, place=place)
        if side == SYSTEM:
            return self._verdict(side, mention, "spurious", f"no gold span overlaps {_name(mention)}")
        absent = not self.documents[1].present
        why = (
            f"the system has no document {self.doc_id}, so nothing overlaps {_name(mention)}"
            if absent
            else f"no system span overlaps {_name(mention)}"
        )
        return self._verdict(side, mention, "missed", why)

    def _other(self, side: Side, pair: SpanPair) -> Mention:
        """The span of the other side of a pair."""
        return self.counting[1][pair.system] if side == GOLD else self.counting[0][pair.gold]

    def _verdict(
        self,
        side: Side,
        mention: Mention,
        cause: str,
        why: str,
        pair: SpanPair | None = None,
        *,
        place: int | None = None,
        worth: int | None = None,
    ) -> Verdict:
        credit = 0 if pair is None else self.rule.credit(pair)
        if pair is not None:
            place = pair.gold if side == GOLD else pair.system
        document = self.documents[side == SYSTEM]
        return Verdict(
            self.doc_id,
            side,
            mention.id,
            None if pair is None else self._other(side, pair).id,
            cause,
            credit,
            (self.rule.worth if worth is None else worth) - credit,
            why,
            self._rivals(side, place, pair),
            mention.line,
            mention.type,
            mention.text or words_of(mention.span.ranges, document),
            ranges=self.ranges.of(mention),
        )

    def _rivals(self, side: Side, place: int | None, own: SpanPair | None) -> tuple[Rival, ...]:
        """The overlapping spans of the other side that it is not paired with, best first."""
        near = [] if place is None else self.near[side == SYSTEM].get(place, [])
        return tuple(
            Rival(self._other(side, pair).id, float(pair.dice), self._partner(side, pair))
            for pair in near
            if own is None or (pair.gold, pair.system) != (own.gold, own.system)
        )

    def _partner(self, side: Side, pair: SpanPair) -> str | None:
        """Whom the rival of a pair is paired with."""
        taken = self.partner[side == GOLD].get(pair.system if side == GOLD else pair.gold)
        if taken is None:
            return None
        return self.counting[side == SYSTEM][taken.gold if side == GOLD else taken.system].id


def _name(mention: Mention) -> str:
    return f"{mention.id} (line {mention.line})" if mention.line else mention.id


def _with(other: Mention, pair: SpanPair) -> str:
    place = f"line {other.line}; " if other.line else ""
    return f"{other.id} ({place}Dice {float(pair.dice):.2f})"


def _left_out(document: Document, side: Side, mention: Mention, why: str) -> Verdict:
    words = mention.text or words_of(mention.span.ranges, document)
    return Verdict(
        document.doc_id, side, mention.id, None, LEFT_OUT, 0, 0, why, (), mention.line, mention.type, words
    )


def left_out(document: Document, side: Side, settings: SpanSettings) -> Iterator[Verdict]:
    """The spans of a document that is not scored."""
    if settings.only_document is not None:
        why = f"only document {settings.only_document} is scored (only-document)"
    else:
        why = f"gold has no document {document.doc_id}: the documents of gold are scored (scored-documents)"
    prepared = prepare(document, settings)
    return (
        _left_out(prepared, side, mention, f"{_name(mention)} does not count: {why}")
        for mention in prepared.mentions
    )


def _types(comparison: Comparison, settings: SpanSettings) -> Iterator[Confusion]:
    """The types of pairs of the headline with types left free, and of what it leaves unpaired."""
    pairs = rule_of(settings).pairs_of_any_type(comparison)
    gold, system = comparison.gold, comparison.system
    ours, theirs = {pair.gold for pair in pairs}, {pair.system for pair in pairs}
    yield from ((gold[pair.gold].type, system[pair.system].type) for pair in pairs)
    yield from ((span.type, None) for at, span in enumerate(gold) if at not in ours)
    yield from ((None, span.type) for at, span in enumerate(system) if at not in theirs)


EXPLAINER = Explainer(
    causes=CAUSES,
    verdicts=verdicts,
    left_out=left_out,
    faults=mends.faults,
    find_faults=mends.find_faults,
    confusions={"type": _types},
    text=text,
)
