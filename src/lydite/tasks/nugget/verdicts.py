"""Why each mention counts or not: the mapping of the headline, then what it left unpaired, paired among itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lydite.align.attributes import NORMALISATIONS
from lydite.align.comparison import MentionComparison
from lydite.model import Document, Mention, Pair
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
from lydite.tasks.nugget import chain_verdicts, link_verdicts, mends, words
from lydite.tasks.nugget.coreference import LINK_SETS
from lydite.tasks.nugget.documents import white_list
from lydite.tasks.nugget.fates import fate_of, is_skipped
from lydite.tasks.nugget.measurements import shown_type
from lydite.tasks.nugget.settings import NuggetSettings

CAUSES = {
    "right": "paired with a mention of the other side: same span, and every attribute agrees",
    "partial-span": "paired, and every attribute agrees, but the spans overlap only in part",
    "wrong-type": "overlaps a mention of the other side that is paired with no other one; the types differ",
    "wrong-realis": "overlaps a mention of the other side that is paired with no other one; realis differs",
    "wrong-type-and-realis": "overlaps a mention of the other side that is paired with no other one; both differ",
    "missed": "a gold mention that no system mention overlaps",
    "spurious": "a system mention that overlaps no gold mention",
    "outcompeted": "overlaps mentions of the other side, but all of them were paired with others",
    "duplicate": "a system mention that says the same as another one",
    "no-document": "a gold mention of a document that the system lacks",
    "left-out": "not counted: a rule of the profile or of the run leaves it out",
}
"""Every cause that a mention can have."""

_WRONG = {
    ("type",): "wrong-type",
    ("realis",): "wrong-realis",
    ("type", "realis"): "wrong-type-and-realis",
}


_REALIS = {name.lower(): name for name in ("Actual", "Generic", "Other")}


# ---------------------------------------------------------------------------------------------------- verdicts


def verdicts(explained: Explained[MentionComparison], settings: NuggetSettings) -> Iterator[Verdict]:
    """A verdict for every mention of both sides of a document, gold first, in file order."""
    comparison = explained.comparison
    if is_skipped(comparison, settings):
        why = f"document {explained.doc_id} has no gold mentions (quirk skip-documents-without-gold)"
        yield from (
            _left_out(explained.doc_id, SYSTEM, mention, why) for mention in explained.system.mentions
        )
        return
    judge = _Judge(explained.doc_id, comparison, settings)
    yield from judge.gold()
    yield from _filtered(explained.gold, GOLD, settings)
    yield from judge.system()
    yield from _filtered(explained.system, SYSTEM, settings)


class _Judge:
    """Judges the mentions of one compared document."""

    def __init__(self, doc_id: str, comparison: MentionComparison, settings: NuggetSettings) -> None:
        self.doc_id, self.comparison, self.settings = doc_id, comparison, settings
        self.fate = fate_of(comparison, settings)
        self.mentions = list(comparison.gold.mentions), list(comparison.system.mentions)
        self.places = words.Places(comparison)
        self.near: tuple[dict[int, list[Pair]], dict[int, list[Pair]]] = ({}, {})
        for pair in comparison.candidates:
            self.near[0].setdefault(pair.gold, []).append(pair)
            self.near[1].setdefault(pair.system, []).append(pair)

    def gold(self) -> Iterator[Verdict]:
        """The gold mentions."""
        for position, mention in enumerate(self.mentions[0]):
            pair = self.fate.pair_of_gold(position)
            if pair is not None:
                yield self._paired(GOLD, position, mention, pair)
            elif position in self.fate.gold_copies:
                first = self.mentions[0][self.fate.gold_copies[position]]
                why = f"equal keys of one side count once (pairing sets): {_name(first)} says the same"
                yield _left_out(self.doc_id, GOLD, mention, why)
            else:
                yield self._missed(position, mention)

    def system(self) -> Iterator[Verdict]:
        """The system mentions."""
        for position, mention in enumerate(self.mentions[1]):
            pair = self.fate.of_system.get(position)
            if pair is not None:
                yield self._paired(SYSTEM, position, mention, pair)
            else:
                yield self._unpaired(position, mention)

    def _paired(self, side: Side, position: int, mention: Mention, pair: Pair) -> Verdict:
        ours = side == GOLD
        other = self.mentions[ours][pair.system if ours else pair.gold]
        credited = pair.gold in self.fate.credited and self.fate.credited[pair.gold].system == pair.system
        if credited:
            cause, why = self._right(other, pair)
        else:
            cause, why = self._wrong(side, other, pair)
        credit = pair.similarity if credited else 0.0
        return self._verdict(side, position, mention, other.id, (cause, why), credit=credit)

    def _right(self, other: Mention, pair: Pair) -> tuple[str, str]:
        if pair.similarity == 1:
            return "right", f"paired with {_name(other)}: same span{self._agreeing(pair)}"
        return (
            "partial-span",
            f"paired with {_name(other)}: spans overlap, {self._measure(pair)}{self._agreeing(pair)}",
        )

    def _agreeing(self, pair: Pair) -> str:
        attributes = self.settings.attributes
        if not attributes:
            return ""
        said = " and ".join(attributes)
        excused = [
            name
            for name in attributes
            if self.comparison.gold_columns[name][pair.gold]
            != self.comparison.system_columns[name][pair.system]
        ]
        more = f" (gold {' and '.join(excused)} NOT_ANNOTATED agrees with anything)" if excused else ""
        return (
            f", same {said}{more}"
            if not excused
            else f", {said} agree{'' if len(attributes) > 1 else 's'}{more}"
        )

    def _wrong(self, side: Side, other: Mention, pair: Pair) -> tuple[str, str]:
        wrong = tuple(
            name
            for name in ("type", "realis")
            if name in self.settings.attributes and not self.comparison.agrees(name, pair.gold, pair.system)
        )
        gold, system = self.mentions[0][pair.gold], self.mentions[1][pair.system]
        said = " and ".join(f"{name} is {_value(system, name)}, not {_value(gold, name)}" for name in wrong)
        overlap = "has the span of" if pair.similarity == 1 else "overlaps"
        who = "" if side == SYSTEM else "the system's "
        return _WRONG[wrong], f"{overlap} {self._with(other, pair)}, but {who}{said}"

    def _missed(self, position: int, mention: Mention) -> Verdict:
        near = self.near[0].get(position, ())
        if not self.comparison.system.present:
            why = f"{_name(mention)} stands in document {self.doc_id}, which the system lacks"
            cause = "no-document"
        elif near:
            best = near[0]
            cause = "outcompeted"
            why = f"overlaps {self._with(self.mentions[1][best.system], best)}, {self._went(best, GOLD)}"
        else:
            cause, why = "missed", f"no system mention overlaps {_name(mention)}{self._emptiness(mention)}"
        return self._verdict(GOLD, position, mention, None, (cause, why))

    def _unpaired(self, position: int, mention: Mention) -> Verdict:
        near = self.near[1].get(position, ())
        if position in self.fate.system_copies:
            first = self.mentions[1][self.fate.system_copies[position]]
            cause, why = "duplicate", f"says the same as {_name(first)}, which counts"
        elif near:
            best = near[0]
            cause = "outcompeted"
            why = f"overlaps {self._with(self.mentions[0][best.gold], best)}, {self._went(best, SYSTEM)}"
        else:
            cause, why = "spurious", f"no gold mention overlaps {_name(mention)}{self._emptiness(mention)}"
        counted = position not in self.fate.system_copies or self.settings.pairing != "sets"
        return self._verdict(SYSTEM, position, mention, None, (cause, why), counted=counted)

    def _went(self, best: Pair, side: Side) -> str:
        """Whom the best candidate of a mention went to."""
        taken = self.fate.of_system.get(best.system) if side == GOLD else self.fate.pair_of_gold(best.gold)
        if taken is None:
            return "which agrees but was mapped elsewhere (many to one)"
        winner = self.mentions[0][taken.gold] if side == GOLD else self.mentions[1][taken.system]
        return f"which is paired with {self._with(winner, taken)}"

    def _emptiness(self, mention: Mention) -> str:
        return "" if mention.span.merged() or mention.span.tokens else ": nothing of its span is visible"

    def _with(self, other: Mention, pair: Pair) -> str:
        place = f"line {other.line}; " if other.line else ""
        return f"{other.id} ({place}{self._measure(pair)})"

    def _measure(self, pair: Pair) -> str:
        name = "similarity" if self.settings.similarity == "exact" else "Dice"
        return f"{name} {pair.similarity:.2f}"

    def _verdict(
        self,
        side: Side,
        position: int,
        mention: Mention,
        other: str | None,
        said: tuple[str, str],
        *,
        credit: float = 0.0,
        counted: bool = True,
    ) -> Verdict:
        cause, why = said
        return Verdict(
            self.doc_id,
            side,
            mention.id,
            other,
            cause,
            credit,
            1.0 - credit if counted else 0.0,
            why,
            self._rivals(side, position),
            mention.line,
            mention.type,
            mention.text,
            traits={"realis": mention.realis},
            ranges=self.places.of(mention),
        )

    def _rivals(self, side: Side, position: int) -> tuple[Rival, ...]:
        """The overlapping mentions of the other side that it is not paired with, best first."""
        gold, system = self.mentions
        if side == GOLD:
            own = self.fate.pair_of_gold(position)
            partner = own.system if own is not None else None
            return tuple(
                Rival(system[pair.system].id, pair.similarity, self._partner_of_system(pair.system))
                for pair in self.near[0].get(position, ())
                if pair.system != partner
            )
        own = self.fate.of_system.get(position)
        partner = own.gold if own is not None else None
        return tuple(
            Rival(gold[pair.gold].id, pair.similarity, self._partner_of_gold(pair.gold))
            for pair in self.near[1].get(position, ())
            if pair.gold != partner
        )

    def _partner_of_system(self, position: int) -> str | None:
        pair = self.fate.of_system.get(position)
        return None if pair is None else self.mentions[0][pair.gold].id

    def _partner_of_gold(self, position: int) -> str | None:
        pair = self.fate.pair_of_gold(position)
        return None if pair is None else self.mentions[1][pair.system].id


def _name(mention: Mention) -> str:
    return f"{mention.id} (line {mention.line})" if mention.line else mention.id


def _value(mention: Mention, name: str) -> str:
    return (mention.type if name == "type" else mention.realis) or "empty"


def _left_out(doc_id: str, side: Side, mention: Mention, why: str) -> Verdict:
    return Verdict(
        doc_id,
        side,
        mention.id,
        None,
        LEFT_OUT,
        0.0,
        0.0,
        named(mention.id, why),
        (),
        mention.line,
        mention.type,
        mention.text,
    )


def _filtered(document: Document, side: Side, settings: NuggetSettings) -> Iterator[Verdict]:
    """The mentions that the white list removes."""
    wanted = white_list(settings)
    if not wanted:
        return
    normalise = NORMALISATIONS[settings.normalisation]
    for mention in document.mentions:
        if normalise(mention.type) not in wanted:
            why = f"the type {mention.type or 'empty'} of {mention.id} is not on the white list (type-whitelist)"
            yield _left_out(document.doc_id, side, mention, why)


def left_out(document: Document, side: Side, settings: NuggetSettings) -> Iterator[Verdict]:
    """The mentions of a document that is not scored."""
    if settings.only_document is not None:
        why = f"only document {settings.only_document} is scored (only-document)"
    elif side == SYSTEM and settings.scored_documents == "gold":
        why = f"gold has no document {document.doc_id}: the documents of gold are scored (scored-documents)"
    else:
        why = f"document {document.doc_id} comes after a duplicate mention id (quirk stop-at-duplicate-id)"
    for mention in document.mentions:
        yield _left_out(document.doc_id, side, mention, why)


# -------------------------------------------------------------------------------------------------- confusions


def _confusion(
    attribute: str, comparison: MentionComparison, settings: NuggetSettings
) -> Iterator[Confusion]:
    """The values of pairs of the mapping without attributes, and of what it leaves unpaired."""
    gold, system = comparison.gold_columns[attribute], comparison.system_columns[attribute]
    if is_skipped(comparison, settings):
        return
    pairs = comparison.align_greedily().pairs
    ours, theirs = {pair.gold for pair in pairs}, {pair.system for pair in pairs}

    def shown(value: str) -> str:
        if attribute == "realis":
            return _REALIS.get(value, value) or "(empty)"
        return shown_type(value, settings.normalisation) or "(empty)"

    yield from ((shown(gold[pair.gold]), shown(system[pair.system])) for pair in pairs)
    yield from ((shown(value), None) for at, value in enumerate(gold) if at not in ours)
    yield from ((None, shown(value)) for at, value in enumerate(system) if at not in theirs)


EXPLAINER = Explainer(
    causes=CAUSES,
    verdicts=verdicts,
    left_out=left_out,
    faults=mends.faults,
    find_faults=mends.find_faults,
    measurements={
        "coref": chain_verdicts.verdicts,
        **{name: partial(link_verdicts.verdicts, name) for name in LINK_SETS},
    },
    confusions={attribute: partial(_confusion, attribute) for attribute in ("type", "realis")},
    text=words.text,
)
