"""How judgements change ACE value and B-cubed.

Gold annotation of the targets exists for the documents A only; systems answer on all.  An item is a document (or the
mentions of a document) that gold or a system gives to a target.  With weights h (1 inside A, 1/π for a sampled item)

    Value+ = Σ value of gold items + Σ h value of items judged right
    Score+ = Σ credit of gold items found + Σ h credit of right items found − w Σ h value of wrong items found

and items that are not decided are taken away from the system.  B-cubed is taken over the same items, with sums of h
in place of counts; the clusters are the targets with what was judged right, and the system entities mapped to them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import NamedTuple

from lydite.grouping import grouped
from lydite.model.tally import ratio
from lydite.results.agreement import mean
from lydite.results.bootstrap import percentile

UP, DOWN, OPEN = "up", "down", "open"


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """What gold or some system gives to a target in a document.

    ``found`` is the credit v(t, S) of each system that has it, ``value`` its value as gold, ``system_value`` its value
    as a false alarm (1 for systems that are not in it).  ``verdict`` is up, down, open, or None (in gold, or
    never asked about).
    """

    target: str
    doc_id: str
    inside: bool
    reference: bool
    found: Mapping[str, float]
    verdict: str | None = None
    pi: float = 1.0
    value: float = 1.0
    system_value: Mapping[str, float] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """h: how many items of the pool it represents."""
        return 1.0 if self.inside else 1.0 / self.pi

    @property
    def is_right(self) -> bool:
        """Whether it belongs to the target, by gold or by judgement."""
        return self.reference or self.verdict == UP

    @property
    def is_decided(self) -> bool:
        """Whether it is known to be right or wrong."""
        return self.reference or self.verdict in {UP, DOWN}


class AdjudicatedFigures(NamedTuple):
    """The figures of one system: ACE value in percent as everywhere in ACE, the others as fractions; None for 0/0."""

    ace_value_on_A: float | None  # noqa: N815 - A is the name of the annotated subset
    value_plus: float
    score_plus: float
    ace_value_plus: float | None
    adjudicated_precision: float | None
    relative_recall: float | None
    b3_recall: float | None
    b3_precision: float | None


Interval = tuple[float | None, float | None]
"""The lower and the upper end of a range of figures."""
FIGURES = AdjudicatedFigures._fields


def adjudicated(
    items: Sequence[JudgedItem], system: str, *, false_alarm: float, counts: Mapping[str, int] | None = None
) -> AdjudicatedFigures:
    """All figures of a system; ``counts`` says how often each document counts in a resample, once without it."""
    weighted = [
        (item, times, item.weight * times)
        for item in items
        if (times := 1 if counts is None else counts.get(item.doc_id, 0))
    ]
    gold = [item.value * times for item, times, _ in weighted if item.reference]
    earned = [
        item.found[system] * times for item, times, _ in weighted if item.reference and system in item.found
    ]
    alarms = [
        -false_alarm * item.system_value.get(system, 1.0) * times
        for item, times, _ in weighted
        if item.inside and not item.reference and system in item.found
    ]
    right = [(item, h) for item, _, h in weighted if not item.reference and item.verdict == UP]
    wrong = [(item, h) for item, _, h in weighted if not item.reference and item.verdict == DOWN]
    right_found = [(item, h) for item, h in right if system in item.found]
    wrong_found = [(item, h) for item, h in wrong if system in item.found]
    # Every figure is rounded once, after all of its terms were added: a full score is 100, and not nearly so.
    value_plus = fsum((*gold, *(h * item.value for item, h in right)))
    score_plus = fsum(
        (
            *earned,
            *(h * item.found[system] for item, h in right_found),
            *(-false_alarm * h * item.system_value.get(system, 1.0) for item, h in wrong_found),
        )
    )
    up, judged, pool = (fsum(h for _, h in part) for part in (right_found, right_found + wrong_found, right))
    recall, precision = _b_cubed([(item, h) for item, _, h in weighted], system)
    return AdjudicatedFigures(
        _percent(fsum(earned + alarms), fsum(gold)),
        value_plus,
        score_plus,
        _percent(score_plus, value_plus),
        ratio(up, judged),
        ratio(up, pool),
        recall,
        precision,
    )


def _b_cubed(items: Sequence[tuple[JudgedItem, float]], system: str) -> tuple[float | None, float | None]:
    """Weighted B-cubed of the targets with items judged right, and of the system entities without open items."""
    right = [(item, h) for item, h in items if item.is_right]
    decided = [(item, h) for item, h in items if system in item.found and item.is_decided]
    common = [(item, h) for item, h in right if system in item.found]
    shared = _sizes(common)

    def rate(side: Sequence[tuple[JudgedItem, float]]) -> float | None:
        sizes = _sizes(side)
        earned = fsum(h * (shared[item.target] / sizes[item.target]) for item, h in common)
        return ratio(earned, fsum(h for _, h in side))

    return rate(right), rate(decided)


def _sizes(items: Sequence[tuple[JudgedItem, float]]) -> dict[str, float]:
    """By target, the weight of its items."""
    groups = grouped((item.target, h) for item, h in items)
    return {target: fsum(weights) for target, weights in groups.items()}


def _percent(part: float, whole: float) -> float | None:
    return 100 * (part / whole) if whole else None


# -------------------------------------------------------------------------------------- targets, resamples


def macro_average(targets: Mapping[str, Mapping[str, float | None]]) -> dict[str, float | None]:
    """The mean of every figure over the targets where it is defined."""
    return {name: mean(one[name] for one in targets.values()) for name in FIGURES}


def intervals(
    items: Sequence[JudgedItem],
    system: str,
    *,
    false_alarm: float,
    resamples: int,
    seed: int,
    level: float = 0.95,
    among: Iterable[str] = (),
) -> dict[str, Interval]:
    """Percentile intervals by resampling documents with replacement: those of the items and of ``among``."""
    documents = sorted({*among, *(item.doc_id for item in items)})
    generator = random.Random(seed)  # noqa: S311 - a resample is no secret
    drawn: dict[str, list[float]] = {name: [] for name in FIGURES}
    for _ in range(resamples):
        counts = Counter(generator.choices(documents, k=len(documents)))
        figures = adjudicated(items, system, false_alarm=false_alarm, counts=counts)._asdict()
        for name, figure in figures.items():
            if figure is not None:
                drawn[name].append(figure)
    outside = 100 * (1 - level) / 2
    ends: dict[str, Interval] = dict.fromkeys(FIGURES, (None, None))
    for name, found in drawn.items():
        if found:
            found.sort()
            ends[name] = percentile(found, outside), percentile(found, 100 - outside)
    return ends
