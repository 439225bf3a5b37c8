"""Why each mention counts or not: the mapping of the headline, then what it left unpaired, paired among itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from lydite.align.comparison import MentionComparison
from lydite.model import Document, Mention, Pair
from lydite.model.outcome import COPY, Outcome, confused_values
from lydite.model.verdict import GOLD, SYSTEM, Confusion, Credit, Explained, Explainer, Judge, Side
from lydite.tasks.coref.verdicts import NO_CREDIT
from lydite.tasks.nugget import chain_outcomes, corrections, link_outcomes
from lydite.tasks.nugget.coreference import LINK_SETS
from lydite.tasks.nugget.documents import stops_at_duplicate_id
from lydite.tasks.nugget.measurements import (
    MUC_PARTIAL,
    headline,
    headline_attributes,
    shown_type,
    span_outcomes,
)
from lydite.tasks.nugget.outcomes import (
    MentionPlaces,
    counts_once,
    filtered_mentions,
    left_out_mention,
    match_mentions,
    sides_of,
    text_of,
    why_skipped,
)
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import SPAN, MentionOutcomes, name_with_line, why_unscored

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

_WRONG = {("type",): "wrong-type", ("realis",): "wrong-realis", ("type", "realis"): "wrong-type-and-realis"}
"""The causes of pairs whose attributes differ."""
_REALIS_SPELLINGS = {name.lower(): name for name in ("Actual", "Generic", "Other")}


def outcomes(explained: Explained[MentionComparison], settings: NuggetSettings) -> Iterator[Outcome]:
    """The outcomes of all mentions of a document under the headline, gold first, in file order."""
    comparison = explained.comparison
    why = why_skipped(comparison, settings)
    counted = _NuggetOutcomes(explained.doc_id, comparison, settings)
    for side, document, compared in sides_of(explained):
        if why is None:
            yield from counted.of_side(side)
        else:
            yield from (left_out_mention(side, one, why) for one in compared.mentions)
        yield from filtered_mentions(document, side, settings)


class _NuggetOutcomes(MentionOutcomes[Pair]):
    """Makes the outcomes of the mentions of one compared document."""

    no_credit = 0.0
    full_credit = 1.0

    def __init__(self, doc_id: str, comparison: MentionComparison, settings: NuggetSettings) -> None:
        self.comparison, self.settings = comparison, settings
        self.attributes = headline_attributes(settings)
        self.full_credit_of_copy = 0.0 if counts_once(settings) else 1.0
        self.halves = headline(settings).metric == MUC_PARTIAL
        sides = comparison.gold, comparison.system
        super().__init__(
            doc_id, sides, match_mentions(comparison, settings), MentionPlaces(comparison).ranges_of
        )

    def similarity(self, pair: Pair) -> float:
        return pair.similarity

    def similarity_in_words(self, similarity: float) -> str:
        name = "similarity" if self.settings.similarity == "exact" else "Dice"
        return f"{name} {similarity:.2f}"

    def traits_of(self, mention: Mention) -> Mapping[str, str]:
        return {"realis": mention.realis}

    def why_isolated(self, mention: Mention) -> str:
        return "" if mention.span.merged() or mention.span.tokens else ": nothing of its span is visible"

    def agreement(self, pair: Pair) -> tuple[Mapping[str, bool], frozenset[str]]:
        gold, system = self.comparison.gold_columns, self.comparison.system_columns
        agrees = {name: self.comparison.agrees(name, pair.gold, pair.system) for name in self.attributes}
        differs = {name for name in self.attributes if gold[name][pair.gold] != system[name][pair.system]}
        same_span = pair.similarity == 1
        return {SPAN: same_span, **agrees}, frozenset(differs if same_span else {*differs, SPAN})

    def credit(self, pair: Pair) -> Credit:
        """The similarity of spans where all attributes agree; one half of a partial span in the MUC-style measure."""
        if not all(self.comparison.agrees(name, pair.gold, pair.system) for name in self.attributes):
            return 0.0
        return 1.0 if pair.similarity == 1 else 0.5 if self.halves else pair.similarity

    def cause_of(self, outcome: Outcome) -> tuple[str, str]:
        """Right or partial span where all attributes agree, else the attributes that are wrong."""
        gold, system = self.mentions_of(outcome)
        partner = system if outcome.side == GOLD else gold
        wrong = tuple(name for name in self.attributes if not outcome.agrees[name])
        if wrong:
            differences = " and ".join(
                f"{name} is {getattr(system, name) or 'empty'}, not {getattr(gold, name) or 'empty'}"
                for name in wrong
            )
            relation = "has the span of" if outcome.agrees[SPAN] else "overlaps"
            where = f"{relation} {self.with_similarity(partner, outcome.similarity)}"
            whose = "" if outcome.side == SYSTEM else "the system's "
            return _WRONG[wrong], f"{where}, but {whose}{differences}"
        same = ""
        names = " and ".join(self.attributes)
        if by_placeholder := [name for name in self.attributes if name in outcome.differs]:
            agree = "agree" if len(self.attributes) > 1 else "agrees"
            same = (
                f", {names} {agree} (gold {' and '.join(by_placeholder)} NOT_ANNOTATED agrees with anything)"
            )
        elif names:
            same = f", same {names}"
        if outcome.agrees[SPAN]:
            return "right", f"paired with {name_with_line(partner)}: same span{same}"
        rule = ", which counts one half (muc-partial)" if self.halves else ""
        overlap = f"spans overlap, {self.similarity_in_words(outcome.similarity)}{rule}{same}"
        return "partial-span", f"paired with {name_with_line(partner)}: {overlap}"

    def cause_of_gold_copy(self, mention: Mention, first: Mention) -> Outcome:
        why = f"equal keys of one side count once (pairing sets): {name_with_line(first)} says the same"
        return left_out_mention(GOLD, mention, why, status=COPY)

    def cause_without_document(self, mention: Mention) -> tuple[str, str]:
        why = f"{name_with_line(mention)} stands in document {self.doc_id}, which the system lacks"
        return "no-document", why


def left_out(
    document: Document, side: Side, settings: NuggetSettings, nothing: Credit = 0.0
) -> Iterator[Outcome]:
    """The mentions of a document that is not scored."""
    why = _why_unscored(document, side, settings)
    for mention in document.mentions:
        yield left_out_mention(side, mention, why, nothing=nothing)


def _left_out_links(
    measurement: str, document: Document, side: Side, settings: NuggetSettings
) -> Iterator[Outcome]:
    """The links of a document that is not scored."""
    return link_outcomes.left_out(measurement, document, side, _why_unscored(document, side, settings))


def _why_unscored(document: Document, side: Side, settings: NuggetSettings) -> str:
    stopped = "comes after a duplicate mention id (quirk stop-at-duplicate-id)"
    may_be_new = side == SYSTEM and settings.scored_documents == "gold"
    if settings.only_document is not None or (may_be_new and not stops_at_duplicate_id(settings)):
        return why_unscored(document, settings.only_document)
    if may_be_new:
        return f"document {document.doc_id} is not in gold, or it {stopped}"
    return f"document {document.doc_id} {stopped}"


# -------------------------------------------------------------------------------------------------- confusions


def _confusion(
    attribute: str, comparison: MentionComparison, settings: NuggetSettings
) -> Iterator[Confusion]:
    """The values of an attribute in the pairs of the mapping of spans, and of what it leaves unpaired."""
    if why_skipped(comparison, settings):
        return iter(())

    def show(value: str) -> str:
        if attribute == "realis":
            return _REALIS_SPELLINGS.get(value, value) or "(empty)"
        return shown_type(value, settings.normalisation) or "(empty)"

    gold, system = (
        [show(value) for value in columns[attribute]]
        for columns in (comparison.gold_columns, comparison.system_columns)
    )
    return confused_values(span_outcomes(comparison), gold, system)


def find_faults(
    explained: Explained[MentionComparison], settings: NuggetSettings
) -> corrections.MentionCorrections:
    """The faults of a compared document."""
    counted = _NuggetOutcomes(explained.doc_id, explained.comparison, settings)
    return corrections.MentionCorrections(
        explained, settings, [*counted.of_side(GOLD), *counted.of_side(SYSTEM)]
    )


EXPLAINER = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=corrections.faults,
    find_faults=find_faults,
    measurements={
        "coref": Judge(chain_outcomes.outcomes, partial(left_out, nothing=NO_CREDIT)),
        **{
            name: Judge(partial(link_outcomes.outcomes, name), partial(_left_out_links, name))
            for name in LINK_SETS
        },
    },
    measured_causes=chain_outcomes.CAUSES,
    confusions={attribute: partial(_confusion, attribute) for attribute in ("type", "realis")},
    text=text_of,
)
