"""What became of the spans of a document under the headline: pairs, what they earn, copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from lydite.align.pairing import pair_greedily
from lydite.align.spans import pair_by_overlap
from lydite.model.outcome import Outcome, pair_outcomes
from lydite.model.span_alignment import SpanPair
from lydite.model.verdict import Credit
from lydite.pipeline.task import Headline
from lydite.tasks.paired import SPAN, TYPE, MentionMatching, find_copies
from lydite.tasks.spans.documents import SpanComparison, labelled_span
from lydite.tasks.spans.settings import SpanSettings

RIGHT, PARTIAL_SPAN, WRONG_TYPE = "right", "partial-span", "wrong-type"


Pairs = Sequence[SpanPair]


def _by_rank(comparison: SpanComparison) -> Pairs:
    return comparison.by_rank.pairs


def _by_overlap_of_any_type(comparison: SpanComparison) -> Pairs:
    gold, system = ([one._replace(type="") for one in side] for side in (comparison.gold, comparison.system))
    return pair_by_overlap(gold, system).pairs


class Rule(NamedTuple):
    """What a measure compares in a pair, what the pair earns on either side, and which pairs it makes."""

    credit: Callable[[SpanPair], Credit] = lambda pair: int(pair.same_place and pair.same_type)
    place: bool = True
    """Whether boundaries matter."""
    type: bool = True
    full_credit: int = 1
    """What a span can earn at most."""
    pairs: Callable[[SpanComparison], Pairs] = _by_rank
    pairs_of_any_type: Callable[[SpanComparison], Pairs] = _by_rank
    """The pairs with types left free."""

    def agreement(self, pair: SpanPair) -> dict[str, bool]:
        """Whether the two spans of a pair agree on what the measure compares."""
        place = {SPAN: pair.same_place} if self.place else {}
        return {TYPE: pair.same_type, **place} if self.type else place


_EQUAL_SPANS = Rule(
    pairs=lambda both: [pair for pair in both.candidates if pair.same_place and pair.same_type],
    pairs_of_any_type=lambda both: [pair for pair in both.by_rank.pairs if pair.same_place],
)
_RULES = {
    **dict.fromkeys(("entity", "types", "types-weighted"), _EQUAL_SPANS),
    "strict": Rule(),
    "exact": Rule(lambda pair: int(pair.same_place), type=False),
    "partial": Rule(lambda pair: 1 if pair.same_place else Fraction(1, 2), type=False),
    "type": Rule(lambda pair: int(pair.same_type), place=False),
    "muc": Rule(lambda pair: pair.same_type + pair.same_place, full_credit=2),
    "overlap": Rule(
        lambda pair: pair.dice if pair.same_type else 0,
        pairs=lambda both: both.by_overlap.pairs,
        pairs_of_any_type=_by_overlap_of_any_type,
    ),
}


def rule_of(settings: SpanSettings) -> Rule:
    """The rule of the headline."""
    return _RULES[settings.measures[0]]


def pairs_under(comparison: SpanComparison, rule: Rule) -> list[SpanPair]:
    """The pairs of a measure, then greedy pairs of the spans that it leaves, the most similar ones first."""
    pairs = rule.pairs(comparison)
    gold, system = {pair.gold for pair in pairs}, {pair.system for pair in pairs}
    rest = (pair for pair in comparison.candidates if pair.gold not in gold and pair.system not in system)
    return [*pairs, *pair_greedily(rest, len(comparison.gold), len(comparison.system))]


def match_mentions(comparison: SpanComparison, settings: SpanSettings) -> MentionMatching[SpanPair]:
    """The pairs of :func:`pairs_under` by the positions of mentions: of several equal ones the first one counts."""
    sides = comparison.pair.gold, comparison.pair.system
    (gold, gold_copies), (system, system_copies) = (
        find_copies(map(labelled_span, side.mentions)) for side in sides
    )
    pairs, overlapping = (
        [
            pair._replace(
                gold=gold[comparison.gold[pair.gold]], system=system[comparison.system[pair.system]]
            )
            for pair in span_pairs
        ]
        for span_pairs in (pairs_under(comparison, rule_of(settings)), comparison.candidates)
    )
    gold_pairs, system_pairs = {pair.gold: pair for pair in pairs}, {pair.system: pair for pair in pairs}
    return MentionMatching(gold_pairs, system_pairs, gold_copies, system_copies, overlapping)


def outcomes(comparison: SpanComparison, _settings: SpanSettings, figure: Headline) -> list[Outcome]:
    """The distinct spans of both sides under a measure, in the order of the text."""
    rule = _RULES[figure.measurement]
    pairs = {(pair.gold, pair.system): pair for pair in pairs_under(comparison, rule)}
    gold, system = (
        [f"{type_} {','.join(f'{begin}-{end}' for begin, end in ranges)}" for ranges, type_ in side]
        for side in (comparison.gold, comparison.system)
    )
    return pair_outcomes(gold, system, pairs, lambda ours, theirs: rule.agreement(pairs[ours, theirs]))
