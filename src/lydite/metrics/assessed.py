"""P/R/F1 over clusters of assessed arguments: standard, strict, lax (TAC KBP 2014).

For a cluster with the system's selected argument ``sel`` and the gold arguments K of the cluster:

* standard: true positive if ``sel`` was assessed and is good (all four judgements acceptable, realis as claimed);
* strict: the same with perfect (all four correct) in place of good;
* lax: true positive if the system has any argument in the cluster and some argument of K is good.

Otherwise a cluster with a system argument is a false positive, and under standard and strict it is a false negative
as well if some argument of K has the property: one cluster may be both.  A cluster without a system argument is a
false negative if some argument of K has the property, else nothing.  An argument without assessment counts as wrong.
Hence TP+FP are the clusters of the system and TP+FN the clusters of gold with the property.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.argument_alignment import ArgumentAlignment, ClusterCase


class ClusterOutcome(NamedTuple):
    """Whether a cluster is a true positive, false positive, false negative; it may be the last two at once."""

    tp: bool
    fp: bool
    fn: bool


Measure = Callable[[ClusterCase], ClusterOutcome]


@cache
def standard(case: ClusterCase) -> ClusterOutcome:
    """The outcome if the selected argument has to be good."""
    return _by_selected(case, right=case.good, holds_right=case.holds_good)


@cache
def strict(case: ClusterCase) -> ClusterOutcome:
    """The outcome if the selected argument has to be perfect."""
    return _by_selected(case, right=case.perfect, holds_right=case.holds_perfect)


def _by_selected(case: ClusterCase, *, right: bool, holds_right: bool) -> ClusterOutcome:
    return ClusterOutcome(right, case.answered and not right, holds_right and not right)


@cache
def lax(case: ClusterCase) -> ClusterOutcome:
    """The outcome if any system argument is right in a cluster that holds a good argument of gold."""
    return ClusterOutcome(
        case.answered and case.holds_good,
        case.answered and not case.holds_good,
        case.holds_good and not case.answered,
    )


MEASURES: dict[str, Measure] = {"standard": standard, "strict": strict, "lax": lax}


def tally_of(measure: Measure, cases: Mapping[ClusterCase, int]) -> Tally:
    """The tally of clusters, given how many are in each case."""
    tps = fps = fns = 0
    for case, number in cases.items():
        tp, fp, fn = measure(case)
        tps += number * tp
        fps += number * fp
        fns += number * fn
    return tally(tps, fps, fns)


@lru_cache(maxsize=4096)  # the parts of documents have small counts, and many have the same
def tally(tp: int, fp: int, fn: int) -> Tally:
    """The tally of these numbers of true positives, false positives and misses."""
    return Tally(tp, tp + fn, tp, tp + fp)


def assessed(alignment: ArgumentAlignment) -> Tally:
    """The standard counts of a document."""
    return tally_of(standard, alignment.cases)


ASSESSED = MetricDeclaration(
    name="assessed",
    title="Assessed arguments",
    cite="kbp2014arguments",
    measure=assessed,
    exceptions=(
        (Law.SELF, "a system that repeats the pool repeats its wrong answers too"),
        (Law.SWAP, "gold holds judgements about the system's own arguments: the sides cannot be exchanged"),
        (Law.SPURIOUS, "a more confident right argument of a cluster replaces a wrong one"),
    ),
    weaknesses="Recall is over the pool: a right argument that no pooled system found is not missed by anybody.",
    domain="assessed arguments",
)
