"""Argument, linking and overall score of TAC KBP 2015 (Event Argument Linking)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from lydite.metrics.assessed import ASSESSED, assessed
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Score
from lydite.model.argument_alignment import FrameAlignment, Identity
from lydite.model.tally import Counts, Empty, amount, or_zero, ratio

Figure = Literal["argument", "link", "overall"]
Neighbours = dict[Identity, set[Identity]]


def neighbours(frames: tuple[frozenset[Identity], ...]) -> Neighbours:
    """For every linked cluster the other clusters that share a frame with it."""
    found: Neighbours = {}
    for frame in frames:
        for cluster in frame:
            found.setdefault(cluster, set()).update(frame)
    for cluster, others in found.items():
        others.discard(cluster)
    return found


def link_score(gold: Neighbours, system: Neighbours) -> tuple[float, float, float]:
    """Precision, recall and F1 of the links of a document: means over the clusters of the gold frames.

    For each gold cluster x the F1 of P(x) against G(x), its neighbours in system and gold frames, and their mean.
    x not in the system frames: 0.  Both neighbourhoods empty: 1.  Recall is the mean of the per-item recalls;
    precision is the sum of the per-item precisions over the number of system clusters.  Both linkings empty: 1,
    one of them: 0.
    """
    if not gold and not system:
        return 1.0, 1.0, 1.0
    if not gold or not system:
        return 0.0, 0.0, 0.0
    precisions, recalls, f1s = [], [], []
    for cluster in gold.keys() & system.keys():  # sums are exact, whatever the order
        ours, theirs = gold[cluster], system[cluster]
        if not ours and not theirs:
            precision = recall = f1 = 1.0
        elif common := len(ours & theirs):
            precision, recall = common / len(theirs), common / len(ours)
            f1 = 2 * precision * recall / (precision + recall)
        else:
            precision = recall = f1 = 0.0
        precisions.append(precision)
        recalls.append(recall)
        f1s.append(f1)
    return math.fsum(precisions) / len(system), math.fsum(recalls) / len(gold), math.fsum(f1s) / len(gold)


@dataclass(frozen=True, slots=True)
class LinkingFigures:
    """Additive counts of a document: argument counts, the clipped argument score, weighted link sums.

    ``kept`` is max(0, TP − β·FP) of each document; ``link_*`` are n_d times the link figures of each document.
    """

    shows: Figure
    """Which of the three scores is made from these counts."""
    beta: float
    share: float
    """λ: how much of the overall score is the link score."""
    tp: int = 0
    fp: int = 0
    fn: int = 0
    kept: float = 0.0
    items: int = 0
    link_precision: float = 0.0
    link_recall: float = 0.0
    link_f1: float = 0.0

    def __add__(self, other: LinkingFigures) -> LinkingFigures:
        return self.from_counts({name: getattr(self, name) + getattr(other, name) for name in _COUNTED})

    @property
    def argument(self) -> float:
        """Σ max(0, TP − β·FP) / Σ (TP + FN), 0 when there is nothing to find."""
        return _ratio_or_zero(self.kept, self.tp + self.fn)

    @property
    def link(self) -> float:
        """Σ n_d · link_d / Σ n_d, 0 when nothing is linked in gold."""
        return _ratio_or_zero(self.link_f1, self.items)

    def score(self, *, empty: Empty = "zero") -> Score:
        """The score of a corpus: arguments with P and R from summed counts, links, or both together."""
        del empty
        sides = _ratio_or_zero(self.link_precision, self.items), _ratio_or_zero(self.link_recall, self.items)
        return self._score(self.argument, Score(*sides, self.link, self.link))

    def document_score(self) -> Score:
        """The score of one document by itself.

        Its argument score (TP − β·FP) / (TP + FN) may be negative, and is undefined if there is nothing to find; then
        its overall score is undefined as well.  Where gold links nothing, nothing is left of the system's frames
        either: its link score is 1.
        """
        found = self.tp + self.fn
        argument = (self.tp - self.beta * self.fp) / found if found else None
        link = Score(1.0, 1.0, 1.0, 1.0)
        if self.items:
            precision, recall = self.link_precision / self.items, self.link_recall / self.items
            link = Score(precision, recall, self.link, self.link)
        return self._score(argument, link)

    def _score(self, argument: float | None, link: Score) -> Score:
        if self.shows == "argument":
            precision, recall = (
                _ratio_or_zero(self.tp, self.tp + self.fp),
                _ratio_or_zero(self.tp, self.tp + self.fn),
            )
            return Score(precision, recall, None, argument)
        if self.shows == "link":
            return link
        assert link.value is not None
        overall = None if argument is None else (1 - self.share) * argument + self.share * link.value
        return Score(value=overall)

    def as_dict(self) -> Counts:
        """The counts by name."""
        return {name: getattr(self, name) for name in _COUNTED}

    def from_counts(self, counts: Counts) -> LinkingFigures:
        """The inverse of :meth:`as_dict`."""
        return replace(self, **{name: amount(counts, name) for name in counts})


_COUNTED = ("tp", "fp", "fn", "kept", "items", "link_precision", "link_recall", "link_f1")


def _ratio_or_zero(part: float, whole: float) -> float:
    return or_zero(ratio(part, whole))


def linking_figures(alignment: FrameAlignment, *, shows: Figure, beta: float, share: float) -> LinkingFigures:
    """The counts of one document."""
    tally = assessed(alignment.arguments)
    tp = int(tally.gold_credit)
    fp, fn = int(tally.system_total) - tp, int(tally.gold_total) - tp
    gold = neighbours(alignment.gold)
    link = (len(gold) * figure for figure in link_score(gold, neighbours(alignment.system)))
    kept = max(0.0, tp - beta * fp)
    return LinkingFigures(shows, beta, share, tp, fp, fn, kept, len(gold), *link)


LINKING = MetricDeclaration(
    name="linking",
    title="Argument and link score",
    cite="kbp2015arguments",
    measure=partial(linking_figures, shows="overall", beta=0.25, share=0.5),
    exceptions=(
        *ASSESSED.exceptions,
        (Law.BOUNDS, "false alarms can make the argument score of a document negative"),
    ),
    weaknesses="A document without gold frames has a link score of 1 and no weight.",
    domain="frames",
)
