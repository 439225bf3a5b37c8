"""What is measured on clusters, and how documents are averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lydite.errors import UsageError
from lydite.metrics import METRICS
from lydite.metrics.clusters import ceaf_e_over_phi3, conll, conll_over_phi3, kbp
from lydite.metrics.coreference import by_denominator
from lydite.model import Figures
from lydite.model.cluster import ClusterAlignment, ClusterTally, MeanTally
from lydite.pipeline import Headline, Measurement
from lydite.profile import Profile
from lydite.results.averages import Average
from lydite.tasks.coref.comparison import Coreference

MENTIONS = "mentions"
COREF = "coref"
_CONLL = ("muc", "b-cubed", "ceaf-e")
_WITHOUT_LINKS = ("muc", "blanc")

OnAlignment = Callable[[ClusterAlignment], Any]


def headline(profile: Profile) -> Headline:
    """The CoNLL average, or the first metric if its three are not measured."""
    wanted = profile["metrics"]
    average = profile["averages"][0]
    if set(_CONLL) <= set(wanted):
        return Headline(COREF, "conll", average)
    first = wanted[0]
    return Headline(MENTIONS if first == MENTIONS else COREF, first, average)


def bind(profile: Profile) -> list[Measurement]:
    """The measurements of a profile: mentions, the metrics asked for, and the averages that they allow."""
    averages = _averages(profile)
    measurements = [
        Measurement(
            MENTIONS if name == MENTIONS else COREF,
            name,
            partial(_measure, metric=_definition(name, profile)),
            averages,
            breakdowns={"cluster": _by_cluster} if name == "b-cubed" else {},
            part_average=Average("micro", empty="zero"),
        )
        for name in profile["metrics"]
    ]
    wanted = set(profile["metrics"])
    if set(_CONLL) <= wanted:
        measurements.append(_mean("conll", _weighted(profile), averages))
    if {*_CONLL, "blanc"} <= wanted:
        measurements.append(_mean("kbp", kbp, averages))
    return measurements


def _mean(name: str, metric: OnAlignment, averages: tuple[Average, ...]) -> Measurement:
    return Measurement(COREF, name, partial(_measure, metric=metric), averages)


def _averages(profile: Profile) -> tuple[Average, ...]:
    macro = Average("macro", empty="zero", of="figures" if profile["macro-f"] == "mean" else "prf")
    known = {"micro": Average("micro", empty="zero"), "macro": macro}
    return tuple(known[name] for name in profile["averages"])


def _measure(comparison: Coreference, *, metric: OnAlignment) -> Figures:
    figures: Figures = comparison.alignment.once(metric)
    return figures


def _definition(name: str, profile: Profile) -> OnAlignment:
    if name == "ceaf-e" and profile["ceafe-alignment"] == "phi3":
        return ceaf_e_over_phi3
    metric: OnAlignment = METRICS[name].measure
    if name in _WITHOUT_LINKS and profile["zero-division"] == "one-if-identical":
        return partial(_lenient, metric=metric)
    return metric


def _lenient(alignment: ClusterAlignment, *, metric: OnAlignment) -> Figures:
    from lydite.model.cluster_indices import IdenticalTally

    sides = [sorted(map(sorted, side)) for side in (alignment.gold, alignment.system)]
    return IdenticalTally(alignment.once(metric), identical=sides[0] == sides[1])


def _weighted(profile: Profile) -> OnAlignment:
    plain = conll_over_phi3 if profile["ceafe-alignment"] == "phi3" else conll
    if not profile["mela-weights"]:
        return plain
    try:
        weights = tuple(map(float, profile["mela-weights"]))
    except ValueError:
        weights = ()
    if len(weights) != 3 or min(weights) < 0 or not sum(weights):
        shown = ",".join(profile["mela-weights"])
        raise UsageError(
            f"setting 'mela-weights': expected three weights, found {shown!r}", hint="for instance 2,1,1"
        )

    def measure(alignment: ClusterAlignment) -> MeanTally:
        return MeanTally(alignment.once(plain).parts, weights)

    return measure


def _by_cluster(comparison: Coreference) -> Iterator[tuple[str, ClusterTally]]:
    """B³ of single clusters: a gold cluster's recall, a system cluster's precision."""
    table = comparison.alignment.table
    if comparison.alignment.repeated or len(table.gold_sizes) != len(comparison.gold):
        return
    doc_id = comparison.pair.doc_id
    for side, clusters, sizes in (
        ("gold", comparison.gold, table.gold_sizes),
        ("system", comparison.system, table.system_sizes),
    ):
        if len(clusters) != len(sizes):
            return
        place = 0 if side == "gold" else 1
        found: list[list[int]] = [[] for _ in sizes]
        for cell in table.cells:
            found[cell[place]].append(cell[2])
        for position, cluster in enumerate(clusters):
            credit = by_denominator((common * common, sizes[position]) for common in found[position])
            earned = (credit, sizes[position])
            tally = (
                ClusterTally(*earned)
                if side == "gold"
                else ClusterTally(system_credit=credit, system_total=earned[1])
            )
            yield f"{doc_id} {side} {cluster.id}", tally
