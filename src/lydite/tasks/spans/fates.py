"""What became of the spans of a document under the headline: who is paired with whom, and what that earns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from lydite.align.pairing import greedy
from lydite.align.spans import pair_by_overlap
from lydite.model import Mention, Pair
from lydite.model.span_alignment import LabelledSpan, SpanPair
from lydite.model.verdict import Credit
from lydite.tasks.spans.documents import Comparison, labelled
from lydite.tasks.spans.settings import SpanSettings

RIGHT, PARTIAL_SPAN, WRONG_TYPE = "right", "partial-span", "wrong-type"


Pairs = Sequence[SpanPair]


def _by_rank(comparison: Comparison) -> Pairs:
    return comparison.by_rank.pairs


def _equal(comparison: Comparison) -> Pairs:
    return [pair for pair in comparison.candidates if pair.same_place and pair.same_type]


def _in_one_place(comparison: Comparison) -> Pairs:
    return [pair for pair in comparison.by_rank.pairs if pair.same_place]


def _by_overlap(comparison: Comparison) -> Pairs:
    return comparison.by_overlap.pairs


def _by_overlap_of_any_type(comparison: Comparison) -> Pairs:
    gold, system = ([one._replace(type="") for one in side] for side in (comparison.gold, comparison.system))
    return pair_by_overlap(gold, system).pairs


class Rule(NamedTuple):
    """What a measure looks at in a pair, what the pair earns on either side, and which pairs are made."""

    credit: Callable[[SpanPair], Credit] = lambda pair: int(pair.same_place and pair.same_type)
    place: bool = True
    """Whether boundaries matter."""
    type: bool = True
    worth: int = 1
    """What a span can earn at most."""
    pairs: Callable[[Comparison], Pairs] = _by_rank
    pairs_of_any_type: Callable[[Comparison], Pairs] = _by_rank
    """The pairs with types left free."""

    def cause(self, pair: SpanPair) -> str:
        """What is wrong with a pair, of what the measure looks at."""
        if self.type and not pair.same_type:
            return WRONG_TYPE
        return PARTIAL_SPAN if self.place and not pair.same_place else RIGHT


_EQUAL = Rule(pairs=_equal, pairs_of_any_type=_in_one_place)
_RULES = {
    **dict.fromkeys(("entity", "types", "types-weighted"), _EQUAL),
    "strict": Rule(),
    "exact": Rule(lambda pair: int(pair.same_place), type=False),
    "partial": Rule(lambda pair: 1 if pair.same_place else Fraction(1, 2), type=False),
    "type": Rule(lambda pair: int(pair.same_type), place=False),
    "muc": Rule(lambda pair: pair.same_type + pair.same_place, worth=2),
    "overlap": Rule(
        lambda pair: pair.dice if pair.same_type else 0,
        pairs=_by_overlap,
        pairs_of_any_type=_by_overlap_of_any_type,
    ),
}


def rule_of(settings: SpanSettings) -> Rule:
    """The rule of the headline."""
    return _RULES[settings.measures[0]]


class Fate(NamedTuple):
    """The pairs by the positions of either side, among the spans that count."""

    of_gold: Mapping[int, SpanPair]
    of_system: Mapping[int, SpanPair]

    @property
    def pairs(self) -> list[SpanPair]:
        """All pairs, in the order of gold."""
        return [self.of_gold[position] for position in sorted(self.of_gold)]


def fate_of(comparison: Comparison, settings: SpanSettings) -> Fate:
    """The pairs of the headline; what it leaves is paired among itself, the most similar spans first."""
    made = rule_of(settings).pairs(comparison)
    gold, system = {pair.gold for pair in made}, {pair.system for pair in made}
    left = {
        (pair.gold, pair.system): pair
        for pair in comparison.candidates
        if pair.gold not in gold and pair.system not in system
    }
    more = greedy(Pair(pair.gold, pair.system, float(pair.dice)) for pair in left.values())
    pairs = [*made, *(left[pair.gold, pair.system] for pair in more)]
    return Fate({pair.gold: pair for pair in pairs}, {pair.system: pair for pair in pairs})


def standing(comparison: Comparison, settings: SpanSettings) -> Iterator[tuple[str, bool]]:
    """The gold spans, and whether the system has each right in all that the headline looks at."""
    rule, fate = rule_of(settings), fate_of(comparison, settings)
    for at, (ranges, type_) in enumerate(comparison.gold):
        pair = fate.of_gold.get(at)
        place = ",".join(f"{begin}-{end}" for begin, end in ranges)
        yield f"{type_} {place}", pair is not None and rule.cause(pair) == RIGHT


def positions(mentions: Sequence[Mention], spans: Sequence[LabelledSpan]) -> tuple[list[int], dict[int, int]]:
    """Where each mention stands among the spans that count; and the copies, with the first one that says the same."""
    place = {span: at for at, span in enumerate(spans)}
    found = [place[labelled(mention)] for mention in mentions]
    first: dict[int, int] = {}
    copies = {at: first[one] for at, one in enumerate(found) if first.setdefault(one, at) != at}
    return found, copies
