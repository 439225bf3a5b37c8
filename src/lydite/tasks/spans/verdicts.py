"""Why each span counts or not: the pairs of the headline, then what it left unpaired, paired among itself."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model import Document, Mention
from lydite.model.span_alignment import SpanPair
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import (
    GOLD,
    LEFT_OUT,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Side,
    Verdict,
    uncounted,
)
from lydite.model.word_text import Ranges, WordText
from lydite.tasks.paired import MISSED, PairJudge, Ruling, confusions_of_pairs, name_with_line, why_unscored
from lydite.tasks.spans import mends
from lydite.tasks.spans.documents import SpanComparison, prepare, words_of
from lydite.tasks.spans.grounding import is_unplaced
from lydite.tasks.spans.outcomes import PARTIAL_SPAN, RIGHT, WRONG_TYPE, mention_outcomes, rule_of
from lydite.tasks.spans.settings import SpanSettings
from lydite.tasks.strings.verdicts import with_strings

CAUSES = {
    RIGHT: "paired with a span of the other side that agrees in all that the headline compares",
    PARTIAL_SPAN: "paired with a span of the other side that has its type and overlaps it only in part",
    WRONG_TYPE: "paired with a span of the other side at its place, or overlapping it; the types differ",
    "missed": "a gold span that no system span overlaps",
    "spurious": "a system span that overlaps no gold span",
    "outcompeted": "overlaps spans of the other side, but all of them were paired with others",
    "duplicate": "a system span that says the same as another one",
    LEFT_OUT: "not counted: a rule of the profile or of the run leaves it out",
}
"""Every cause that a span can have."""


class _SpanPlaces:
    """Where spans stand, in characters; where tags made them, characters of the joined words of a side."""

    def __init__(self, comparison: SpanComparison) -> None:
        sides = comparison.pair.gold, comparison.pair.system
        self._are_words = any(TAGS_LAYER in side.layers for side in sides)
        tokens = next((side.tokens for side in sides if side.tokens), {})
        self._words = WordText(list(tokens.values()))

    def ranges_of(self, mention: Mention) -> Ranges:
        """The characters that a span covers; none if its words are not known."""
        if not self._are_words:
            return () if is_unplaced(mention) else mention.span.ranges
        return tuple(place for begin, end in mention.span.ranges for place in self._words.run(begin, end))

    @property
    def text(self) -> str | None:
        """The joined words, None where spans are characters or the words are not known."""
        return self._words.text or None if self._are_words else None


def text(explained: Explained[SpanComparison]) -> str | None:
    """The text that ranges are of: the words that carry the tags, or None where spans stand in the source text."""
    return _SpanPlaces(explained.comparison).text


def verdicts(explained: Explained[SpanComparison], settings: SpanSettings) -> Iterator[Verdict]:
    """A verdict for every span of both sides of a document, gold first, in file order."""
    judge = _SpanJudge(explained.doc_id, explained.comparison, settings)
    yield from judge.judge_side(GOLD)
    yield from judge.judge_side(SYSTEM)


class _SpanJudge(PairJudge[SpanPair]):
    """Gives the verdicts on the spans of one compared document."""

    noun = "span"

    def __init__(self, doc_id: str, comparison: SpanComparison, settings: SpanSettings) -> None:
        self.rule = rule_of(settings)
        self.full_credit = self.rule.full_credit
        sides = comparison.pair.gold, comparison.pair.system
        outcomes = mention_outcomes(comparison, settings)
        super().__init__(doc_id, sides, outcomes, _SpanPlaces(comparison).ranges_of)

    def similarity(self, pair: SpanPair) -> float:
        return float(pair.dice)

    def text_of(self, mention: Mention, document: Document) -> str:
        """The words of a span, where the document has them."""
        return mention.text or words_of(mention.span.ranges, document)

    def judge_pair(self, side: Side, other: Mention, pair: SpanPair) -> Ruling:
        cause = self.rule.cause(pair)
        if cause == RIGHT:
            same = ["same span"] * pair.same_place + ["same type"] * pair.same_type
            why = f"paired with {name_with_line(other)}: {', '.join(same) or 'they overlap'}"
        elif cause == PARTIAL_SPAN:
            why = f"overlaps {self.name_with_similarity(other, pair)}, which has the same type"
        else:
            gold, system = self.gold.mentions[pair.gold], self.system.mentions[pair.system]
            where = "has the span of" if pair.same_place else "overlaps"
            whose = "" if side == SYSTEM else "the system's "
            partner = self.name_with_similarity(other, pair)
            why = f"{where} {partner}, but {whose}type is {system.type}, not {gold.type}"
        return cause, why, self.rule.credit(pair)

    def judge_gold_copy(self, mention: Mention, first: Mention) -> Verdict:
        why = f"{name_with_line(first)} says the same, and equal spans count once"
        return _left_out(self.gold.document, GOLD, mention, why)

    def judge_without_document(self, mention: Mention) -> tuple[str, str]:
        why = f"the system has no document {self.doc_id}, so nothing overlaps {name_with_line(mention)}"
        return MISSED, why


def _left_out(document: Document, side: Side, mention: Mention, why: str) -> Verdict:
    text = mention.text or words_of(mention.span.ranges, document)
    return uncounted(document.doc_id, side, mention.id, why, line=mention.line, type=mention.type, text=text)


def left_out(document: Document, side: Side, settings: SpanSettings) -> Iterator[Verdict]:
    """The spans of a document that is not scored."""
    why = why_unscored(document, settings.only_document)
    prepared = prepare(document, settings)
    return (_left_out(prepared, side, mention, why) for mention in prepared.mentions)


def _type_confusions(comparison: SpanComparison, settings: SpanSettings) -> Iterator[Confusion]:
    """The types of pairs of the headline with types left free, and of what it leaves unpaired."""
    gold, system = (
        {at: span.type for at, span in enumerate(side)} for side in (comparison.gold, comparison.system)
    )
    pairs = rule_of(settings).pairs_of_any_type(comparison)
    return confusions_of_pairs(gold, system, (pair[:2] for pair in pairs))


OF_OFFSETS = Explainer(
    causes=CAUSES,
    headline=Judge(verdicts, left_out),
    faults=mends.faults,
    find_faults=mends.SpanFaults,
    confusions={"type": _type_confusions},
    text=text,
)
EXPLAINER = with_strings(OF_OFFSETS)
