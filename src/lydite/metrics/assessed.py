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

from collections.abc import Callable, Iterator
from typing import NamedTuple

from lydite.metrics.base import Law, Metric
from lydite.model import Tally
from lydite.model.argument import Argument, Assessment
from lydite.model.argument_alignment import ArgumentAlignment, Cluster

Property = Callable[[Assessment, Argument], bool]


class Outcome(NamedTuple):
    """What one cluster counts as; ``fp`` and ``fn`` may both hold."""

    cluster: Cluster
    tp: bool
    fp: bool
    fn: bool

    @property
    def tally(self) -> Tally:
        """The counts of the cluster."""
        return Tally(int(self.tp), int(self.tp + self.fn), int(self.tp), int(self.tp + self.fp))


Measure = Callable[[ArgumentAlignment], Iterator[Outcome]]


def _has(alignment: ArgumentAlignment, argument: Argument | None, wanted: Property) -> bool:
    assessment = alignment.assessment(argument)
    return assessment is not None and argument is not None and wanted(assessment, argument)


def selected_outcomes(wanted: Property) -> Measure:
    """Outcomes by the selected argument of each cluster: standard with good, strict with perfect."""

    def outcomes(alignment: ArgumentAlignment) -> Iterator[Outcome]:
        for cluster in alignment.clusters:
            tp = _has(alignment, cluster.selected, wanted)
            fn = not tp and any(_has(alignment, argument, wanted) for argument in cluster.gold)
            fp = not tp and cluster.selected is not None
            if tp or fp or fn:
                yield Outcome(cluster, tp, fp, fn)

    return outcomes


def lax_outcomes(alignment: ArgumentAlignment) -> Iterator[Outcome]:
    """Outcomes by anything the pool holds: an answer is right if some assessed argument of its cluster is good."""
    for cluster in alignment.clusters:
        right = any(_has(alignment, argument, Assessment.is_good) for argument in cluster.gold)
        answered = cluster.selected is not None
        if right or answered:
            yield Outcome(cluster, answered and right, answered and not right, right and not answered)


standard_outcomes = selected_outcomes(Assessment.is_good)
strict_outcomes = selected_outcomes(Assessment.is_perfect)

MEASURES: dict[str, Measure] = {
    "standard": standard_outcomes,
    "strict": strict_outcomes,
    "lax": lax_outcomes,
}


def tally_of(outcomes: Iterator[Outcome]) -> Tally:
    """The counts of all clusters together."""
    tp = fp = fn = 0
    for outcome in outcomes:
        tp += outcome.tp
        fp += outcome.fp
        fn += outcome.fn
    return Tally(tp, tp + fn, tp, tp + fp)


def assessed(alignment: ArgumentAlignment) -> Tally:
    """The standard counts of a document."""
    return tally_of(standard_outcomes(alignment))


_ONE_SIDED = "gold holds judgements about the system's own arguments: the sides cannot be exchanged"

ASSESSED = Metric(
    name="assessed",
    title="Assessed arguments",
    cite="kbp2014arguments",
    measure=assessed,
    laws=frozenset({Law.RENAME, Law.SHUFFLE, Law.ADD, Law.BOUNDS}),
    exceptions=(
        (Law.SELF, "a system that repeats the pool repeats its wrong answers too"),
        (Law.SWAP, _ONE_SIDED),
        (Law.SPURIOUS, "a more confident right argument of a cluster replaces a wrong one"),
    ),
    weaknesses="Recall is over the pool: a right argument that no pooled system found is not missed by anybody.",
    domain="assessed arguments",
)
