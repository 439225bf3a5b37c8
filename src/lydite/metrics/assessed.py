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

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.argument_alignment import ArgumentAlignment, Cluster, Having


class ClusterOutcome(NamedTuple):
    """What one cluster counts as; ``fp`` and ``fn`` may both hold."""

    cluster: Cluster
    tp: bool
    fp: bool
    fn: bool


_new = tuple.__new__
"""Makes a named tuple without the detour over its names: there are three for every cluster of every system."""

Measure = Callable[[ArgumentAlignment], Iterator[ClusterOutcome]]


def selected_outcomes(having: Callable[[ArgumentAlignment], Having]) -> Measure:
    """Outcomes by the selected argument of each cluster: standard with good, strict with perfect."""

    def outcomes(alignment: ArgumentAlignment) -> Iterator[ClusterOutcome]:
        arguments, clusters = having(alignment)
        for cluster in alignment.clusters:
            tp = cluster.selected in arguments
            fn = not tp and cluster.identity in clusters
            fp = not tp and cluster.selected is not None
            if tp or fp or fn:
                yield _new(ClusterOutcome, (cluster, tp, fp, fn))

    return outcomes


def lax_outcomes(alignment: ArgumentAlignment) -> Iterator[ClusterOutcome]:
    """Outcomes by anything the pool holds: an answer is right if some assessed argument of its cluster is good."""
    found = alignment.good.clusters
    for cluster in alignment.clusters:
        right = cluster.identity in found
        answered = cluster.selected is not None
        if right or answered:
            tp = right and answered
            yield _new(ClusterOutcome, (cluster, tp, answered and not tp, right and not tp))


standard_outcomes = selected_outcomes(attrgetter("good"))
strict_outcomes = selected_outcomes(attrgetter("perfect"))

MEASURES: dict[str, Measure] = {
    "standard": standard_outcomes,
    "strict": strict_outcomes,
    "lax": lax_outcomes,
}


def tally_of(outcomes: Iterable[ClusterOutcome]) -> Tally:
    """The counts of all clusters together."""
    columns = list(zip(*outcomes, strict=True))
    if not columns:
        return Tally()
    tp, fp, fn = (column.count(True) for column in columns[1:])
    return Tally(tp, tp + fn, tp, tp + fp)


def assessed(alignment: ArgumentAlignment) -> Tally:
    """The standard counts of a document."""
    return tally_of(standard_outcomes(alignment))


_ONE_SIDED = "gold holds judgements about the system's own arguments: the sides cannot be exchanged"

ASSESSED = MetricDeclaration(
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
