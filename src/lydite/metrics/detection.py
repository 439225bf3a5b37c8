"""Detection: how many mentions were found, with credit for partial overlap; and the measures of the 2014 pilot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lydite.grouping import grouped
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Alignment, Pair, Score, Share, Tally
from lydite.model.tally import Additive, Empty


def credit(pairs: Iterable[Pair]) -> float:
    """The similarities of the pairs added up in the order in which they were taken.

    A plain running sum in a fixed order: it is the number that the official scorers print.
    """
    total = 0.0
    for pair in pairs:
        total += pair[2]  # by position, which takes half as long as by name
    return total


def detection(alignment: Alignment) -> Tally:
    """Detection: TP = sum of the similarities of the pairs; P = TP / system mentions, R = TP / gold mentions.

    A missed mention lowers recall only, a spurious one precision only; a mention with an empty span can never be
    paired but counts on its side (EvmEval 1.2 and later).
    """
    true_positives = credit(alignment.pairs)
    return Tally(true_positives, len(alignment.gold), true_positives, len(alignment.system))


def original_detection(alignment: Alignment, *, misses_as_alarms: bool = False) -> Tally:
    """Detection as first defined by the 2014 pilot (Algorithms 1 and 2; EvmEval 1.0 and 1.1).

    The alignment is many to one.  TP = sum over gold mentions with a partner of the best similarity;
    FP = system mentions that are nobody's best partner; P = TP/(TP+FP), R = TP/gold mentions.  P is too high when
    overlap is partial, which is why version 1.2 divides by the number of system mentions instead.

    With ``misses_as_alarms`` FP = gold mentions without a partner, as Algorithm 2 is printed.
    """
    best = best_partners(alignment.pairs)
    true_positives = credit(best)
    false_positives = len(alignment.gold if misses_as_alarms else alignment.system) - len(best)
    return Tally(true_positives, len(alignment.gold), true_positives, true_positives + false_positives)


def best_partners(pairs: Iterable[Pair]) -> list[Pair]:
    """The first pair of each gold item, in the order of gold: pairs come best first."""
    first: dict[int, Pair] = {}
    for pair in pairs:
        first.setdefault(pair.gold, pair)
    return [first[position] for position in sorted(first)]


def attribute_accuracy(
    alignment: Alignment,
    gold_values: Sequence[str],
    system_values: Sequence[str],
    placeholder: str | None = None,
) -> Share:
    """Share of its partners whose attribute is right, per gold mention, over all gold mentions (pilot, Algorithm 3).

    A gold mention without partner earns 0; one with a partner and ``placeholder`` as its value earns 1.  The sum runs
    in the order of gold, one addition for every partner that is right: it is what the official scorers print.
    """
    partners = grouped((gold, system) for gold, system, _ in alignment.pairs)
    correct = 0.0
    for gold in sorted(partners):
        value = gold_values[gold]
        if value == placeholder:
            correct += 1.0
            continue
        for system in partners[gold]:
            if system_values[system] == value:
                correct += 1 / len(partners[gold])
    return Share(correct, len(alignment.gold))


@dataclass(frozen=True, slots=True)
class TwoSidedShare(Additive):
    """A share of gold mentions with the number of system mentions: without any, precision would be undefined."""

    share: Share
    system_total: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The share, as a value."""
        return self.share.score(empty=empty)


@dataclass(frozen=True, slots=True)
class MucCounts(Additive):
    """MUC-style counts: exact and partial pairs, possible (gold) and actual (system) items.

    recall = (correct + partial/2)/possible, precision = (correct + partial/2)/actual.
    """

    correct: int = 0
    partial: int = 0
    possible: int = 0
    actual: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1 with half credit for partial pairs."""
        earned = self.correct + 0.5 * self.partial
        return Score.of_credit(earned, self.actual, self.possible, empty=empty)


@dataclass(frozen=True, slots=True)
class ExchangedMucCounts(Additive):
    """The same counts with the denominators as the pilot paper prints them: recall over actual, precision over possible."""

    correct: int = 0
    partial: int = 0
    possible: int = 0
    actual: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1 with half credit for partial pairs."""
        return MucCounts(self.correct, self.partial, self.actual, self.possible).score(empty=empty)


def muc_partial(alignment: Alignment, *, exchanged: bool = False) -> MucCounts | ExchangedMucCounts:
    """MUC-style detection (pilot paper, section 3.1): an exact pair earns 1, a partial pair 0.5."""
    correct = sum(1 for pair in alignment.pairs if pair.similarity == 1)
    counts = ExchangedMucCounts if exchanged else MucCounts
    return counts(correct, len(alignment.pairs) - correct, len(alignment.gold), len(alignment.system))


def by_value(
    alignment: Alignment, gold_values: Sequence[str], system_values: Sequence[str]
) -> Iterable[tuple[str, Tally]]:
    """Detection per attribute value: recall of the gold mentions that have it, precision of the system mentions.

    A pair whose values differ is in the gold credit of the one value and in the system credit of the other, so no
    figure exceeds one.  (The official table by type credits both to the value of the gold mention.)
    """
    gold_totals, system_totals = Counter(gold_values), Counter(system_values)
    values = sorted({*gold_totals, *system_totals})
    gold_credit, system_credit = dict.fromkeys(values, 0.0), dict.fromkeys(values, 0.0)
    for gold, system, similarity in alignment.pairs:
        gold_credit[gold_values[gold]] += similarity
        system_credit[system_values[system]] += similarity
    for value in values:
        yield value, Tally(gold_credit[value], gold_totals[value], system_credit[value], system_totals[value])


DETECTION = MetricDeclaration(
    name="detection",
    title="Detection",
    cite="mitamura2015event",
    measure=detection,
    weaknesses="Greedy pairing is not optimal, and equal overlaps are decided by the order of lines.",
)

_MANY_TO_ONE = Law.SWAP, "a gold mention may have several partners, a system mention only one"
_DOUBLE_ANNOTATION = Law.SELF, "of several gold mentions on one span one gets all partners"

AUGMENTED = MetricDeclaration(
    name="augmented",
    title="Detection, repaired precision (pilot)",
    cite="liu2015evaluation",
    measure=detection,
    exceptions=(_MANY_TO_ONE, _DOUBLE_ANNOTATION),
)

ORIGINAL = MetricDeclaration(
    name="original",
    title="Detection, original precision (pilot)",
    cite="liu2015evaluation",
    measure=original_detection,
    exceptions=(
        _MANY_TO_ONE,
        _DOUBLE_ANNOTATION,
        (Law.SPURIOUS, "TP/(TP+FP) with fractional TP is no ratio of mentions; Algorithm 4 repaired it"),
    ),
    weaknesses="Partial overlap costs recall but hardly any precision.",
)

ACCURACY = MetricDeclaration(
    name="accuracy",
    title="Attribute accuracy (pilot)",
    cite="liu2015evaluation",
    measure=lambda alignment: attribute_accuracy(
        alignment, [""] * len(alignment.gold), [""] * len(alignment.system)
    ),
    exceptions=(
        (Law.SWAP, "only gold mentions are counted"),
        (Law.SPURIOUS, "there is no precision"),
        _DOUBLE_ANNOTATION,
    ),
)

ORIGINAL_V1_0 = ORIGINAL._replace(
    name="original-v1.0", title="Detection, original precision (pilot, version 1.0)"
)
ACCURACY_V1_0 = ACCURACY._replace(name="accuracy-v1.0", title="Attribute accuracy (pilot, version 1.0)")

MULTIPLICATIVE = MetricDeclaration(
    name="multiplicative",
    title="F1 of spans times accuracies (pilot)",
    cite="liu2015evaluation",
    measure=lambda alignment: Share(original_detection(alignment).score(empty="zero").f1 or 0.0, 1),
    exceptions=(
        (Law.SWAP, "a product of figures has one side only"),
        (Law.ADD, "a product of corpus figures is no sum over documents"),
        (Law.SPURIOUS, "there is no precision"),
        _DOUBLE_ANNOTATION,
    ),
    weaknesses="It hides which factor moved, and multiplies figures of different denominators.",
)

MUC_PARTIAL = MetricDeclaration(
    name="muc-partial",
    title="MUC-style detection, half credit",
    cite="liu2015evaluation",
    measure=muc_partial,
)
