"""Why each mention counts or not: the mapping of the headline, then what it left unpaired, paired among itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from lydite.align.comparison import MentionComparison
from lydite.model import Document, Mention, Pair
from lydite.model.verdict import GOLD, SYSTEM, Confusion, Credit, Explained, Explainer, Judge, Side, Verdict
from lydite.tasks.coref.verdicts import NO_CREDIT
from lydite.tasks.nugget import chain_verdicts, link_verdicts, mends
from lydite.tasks.nugget.coreference import LINK_SETS
from lydite.tasks.nugget.documents import stops_at_duplicate_id
from lydite.tasks.nugget.measurements import MUC_PARTIAL, headline, headline_attributes, shown_type
from lydite.tasks.nugget.outcomes import (
    MentionPlaces,
    counts_once,
    filtered_mentions,
    left_out_mention,
    mention_outcomes,
    sides_of,
    text_of,
    why_skipped,
)
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import PairJudge, Ruling, confusions_of_pairs, name_with_line, why_unscored

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


# ---------------------------------------------------------------------------------------------------- verdicts


def verdicts(explained: Explained[MentionComparison], settings: NuggetSettings) -> Iterator[Verdict]:
    """A verdict for every mention of both sides of a document, gold first, in file order."""
    comparison = explained.comparison
    why = why_skipped(comparison, settings)
    judge = _NuggetJudge(explained.doc_id, comparison, settings)
    for side, document, compared in sides_of(explained):
        if why is None:
            yield from judge.judge_side(side)
        else:
            yield from (left_out_mention(explained.doc_id, side, one, why) for one in compared.mentions)
        yield from filtered_mentions(document, side, settings)


class _NuggetJudge(PairJudge[Pair]):
    """Gives the verdicts on the mentions of one compared document."""

    no_credit = 0.0
    full_credit = 1.0

    def __init__(self, doc_id: str, comparison: MentionComparison, settings: NuggetSettings) -> None:
        self.comparison, self.settings = comparison, settings
        self.full_credit_of_copy = 0.0 if counts_once(settings) else 1.0
        sides = comparison.gold, comparison.system
        outcomes = mention_outcomes(comparison, settings)
        super().__init__(doc_id, sides, outcomes, MentionPlaces(comparison).ranges_of)

    def similarity(self, pair: Pair) -> float:
        return pair.similarity

    def similarity_in_words(self, pair: Pair) -> str:
        name = "similarity" if self.settings.similarity == "exact" else "Dice"
        return f"{name} {pair.similarity:.2f}"

    def traits_of(self, mention: Mention) -> Mapping[str, str]:
        return {"realis": mention.realis}

    def why_isolated(self, mention: Mention) -> str:
        return "" if mention.span.merged() or mention.span.tokens else ": nothing of its span is visible"

    def judge_pair(self, side: Side, other: Mention, pair: Pair) -> Ruling:
        """Right or partial span where all attributes agree, else the attributes that are wrong."""
        wrong = tuple(
            name
            for name in ("type", "realis")
            if name in headline_attributes(self.settings)
            and not self.comparison.agrees(name, pair.gold, pair.system)
        )
        same_span = pair.similarity == 1
        if wrong:
            gold, system = self.gold.mentions[pair.gold], self.system.mentions[pair.system]
            differences = " and ".join(
                f"{name} is {getattr(system, name) or 'empty'}, not {getattr(gold, name) or 'empty'}"
                for name in wrong
            )
            relation = "has the span of" if same_span else "overlaps"
            where = f"{relation} {self.name_with_similarity(other, pair)}"
            whose = "" if side == SYSTEM else "the system's "
            return _WRONG[wrong], f"{where}, but {whose}{differences}", 0.0
        if same_span:
            return "right", f"paired with {name_with_line(other)}: same span{self._agreement(pair)}", 1.0
        halved = headline(self.settings).metric == MUC_PARTIAL
        rule = ", which counts one half (muc-partial)" if halved else ""
        why = f"paired with {name_with_line(other)}: spans overlap, {self.similarity_in_words(pair)}{rule}{self._agreement(pair)}"
        return "partial-span", why, 0.5 if halved else pair.similarity

    def _agreement(self, pair: Pair) -> str:
        """The attributes on which a pair agrees, as the end of a sentence."""
        attributes = headline_attributes(self.settings)
        if not attributes:
            return ""
        names = " and ".join(attributes)
        gold, system = self.comparison.gold_columns, self.comparison.system_columns
        by_placeholder = [name for name in attributes if gold[name][pair.gold] != system[name][pair.system]]
        if not by_placeholder:
            return f", same {names}"
        agree = "agree" if len(attributes) > 1 else "agrees"
        return f", {names} {agree} (gold {' and '.join(by_placeholder)} NOT_ANNOTATED agrees with anything)"

    def judge_gold_copy(self, mention: Mention, first: Mention) -> Verdict:
        why = f"equal keys of one side count once (pairing sets): {name_with_line(first)} says the same"
        return left_out_mention(self.doc_id, GOLD, mention, why)

    def judge_without_document(self, mention: Mention) -> tuple[str, str]:
        why = f"{name_with_line(mention)} stands in document {self.doc_id}, which the system lacks"
        return "no-document", why


def left_out(
    document: Document, side: Side, settings: NuggetSettings, nothing: Credit = 0.0
) -> Iterator[Verdict]:
    """The mentions of a document that is not scored."""
    why = _why_unscored(document, side, settings)
    for mention in document.mentions:
        yield left_out_mention(document.doc_id, side, mention, why, nothing=nothing)


def _left_out_links(
    measurement: str, document: Document, side: Side, settings: NuggetSettings
) -> Iterator[Verdict]:
    """The links of a document that is not scored."""
    return link_verdicts.left_out(measurement, document, side, _why_unscored(document, side, settings))


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
        dict(enumerate(map(show, columns[attribute])))
        for columns in (comparison.gold_columns, comparison.system_columns)
    )
    return confusions_of_pairs(gold, system, (pair[:2] for pair in comparison.align_spans().pairs))


EXPLAINER = Explainer(
    causes=CAUSES,
    headline=Judge(verdicts, left_out),
    faults=mends.faults,
    find_faults=mends.MentionFaults,
    measurements={
        "coref": Judge(chain_verdicts.verdicts, partial(left_out, nothing=NO_CREDIT)),
        **{
            name: Judge(partial(link_verdicts.verdicts, name), partial(_left_out_links, name))
            for name in LINK_SETS
        },
    },
    measured_causes=chain_verdicts.CAUSES,
    confusions={attribute: partial(_confusion, attribute) for attribute in ("type", "realis")},
    text=text_of,
)
