"""What is measured on clusters, and how documents are averaged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Literal

from lydite.errors import UsageError
from lydite.formats.units import is_address
from lydite.metrics import MEANS, METRICS
from lydite.metrics.clusters import ceaf_e_over_phi3
from lydite.metrics.coreference import sum_of_fractions
from lydite.metrics.relations import epsilon_blanc
from lydite.model import Figures
from lydite.model.cluster import Cluster, ClusterAlignment, ClusterTally, MeanTally
from lydite.model.outcome import NO_ATTRIBUTES, PAIRED, UNPAIRED, Outcome, Status
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.pipeline.task import Headline, Measurement
from lydite.results.averages import Average
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.diagnosis import cluster_name
from lydite.tasks.coref.settings import ONLY_OVER_NODES, OVER_NODES, SAME, CorefSettings, headline_metric

MENTIONS = "mentions"
COREF = "coref"
_UNDEFINED_WITHOUT_LINKS = ("muc", "blanc")
_VALUES = ("rand", "adjusted-rand")
"""Metrics without precision and recall."""

AlignmentMetric = Callable[[ClusterAlignment], Figures]


def headline(settings: CorefSettings) -> Headline:
    """The CoNLL average, or the first metric if its three are not measured; under the first average."""
    metric = headline_metric(settings.metrics)
    if settings.mean in MEANS and set(MEANS[settings.mean]) <= set(settings.metrics):
        metric = settings.mean
    figure = "value" if metric in _VALUES else "f1"
    return Headline(MENTIONS if metric == MENTIONS else COREF, metric, settings.averages[0], figure)


def measurements(settings: CorefSettings) -> list[Measurement[Coreference]]:
    """The measurements of a profile: mentions, the metrics asked for, and the averages that they allow."""
    _refuse_undefined(settings)
    over_nodes = settings.match != SAME
    metrics = {name: _metric_of(name, settings) for name in settings.metrics}
    nothing = ClusterAlignment()
    if over_nodes:
        from lydite.model.nodes import NOTHING_FOUND

        nothing = ClusterAlignment(found=NOTHING_FOUND)
    measurements = [
        Measurement(
            MENTIONS if name == MENTIONS else COREF,
            name,
            partial(_measure, metric=metric),
            _averages(settings, harmonic="figures" if name in _VALUES else "prf"),
            breakdowns={"cluster": _by_cluster} if name == "b-cubed" else {},
            part_average=Average("micro", empty="zero"),
            empty_counts=metric(nothing),
        )
        for name, metric in metrics.items()
    ]
    averages = _averages(settings, harmonic="parts")
    for name, weights in (("conll", _weights(settings)), *(() if over_nodes else (("kbp", ()),))):
        parts = MEANS[name]
        if set(parts) <= set(metrics):
            metric = partial(_mean, parts={part: metrics[part] for part in parts}, weights=weights)
            measure = partial(_measure, metric=metric)
            measurements.append(Measurement(COREF, name, measure, averages, empty_counts=metric(nothing)))
    return measurements


def _refuse_undefined(settings: CorefSettings) -> None:
    """Refuse metrics and readings of repeats that are not defined for the way in which mentions are paired."""
    match = settings.match
    undefined = [
        name
        for name in settings.metrics
        if (name in ONLY_OVER_NODES if match == SAME else name not in OVER_NODES)
    ]
    if undefined:
        hint = (
            "--profile corefud pairs mentions over nodes"
            if match == SAME
            else f"known: {', '.join(OVER_NODES)}"
        )
        raise UsageError(f"no metric {', '.join(undefined)} under match = {match}", hint=hint)
    if match != SAME and settings.repeats in {"first", "merge"}:
        hint = "there a mention counts in each of its clusters; --repeats error refuses what has several"
        raise UsageError(f"no repeats = {settings.repeats} under match = {match}", hint=hint)


def _mean(
    alignment: ClusterAlignment, *, parts: Mapping[str, AlignmentMetric], weights: tuple[float, ...]
) -> MeanTally:
    """The counts of the metrics as each is measured by itself, so that the mean is that of the figures shown."""
    return MeanTally({name: alignment.once(metric) for name, metric in parts.items()}, weights)


def _averages(
    settings: CorefSettings, *, harmonic: Literal["prf", "figures", "parts"]
) -> tuple[Average, ...]:
    """Micro and macro; ``harmonic`` is what is averaged where F1 follows from macro P and R."""
    macro = Average("macro", empty="zero", of="figures" if settings.macro_f == "mean" else harmonic)
    known = {"micro": Average("micro", empty="zero"), "macro": macro}
    return tuple(known[name] for name in settings.averages)


def _measure(comparison: Coreference, *, metric: AlignmentMetric) -> Figures:
    figures: Figures = comparison.alignment.once(metric)
    return figures


def _metric_of(name: str, settings: CorefSettings) -> AlignmentMetric:
    if name == "ceaf-e" and settings.ceafe_alignment == "phi3":
        return ceaf_e_over_phi3
    if name == "blanc" and settings.blanc_epsilon:
        return epsilon_blanc
    metric: AlignmentMetric = METRICS[name].measure
    if name in _UNDEFINED_WITHOUT_LINKS and settings.zero_division == "one-if-identical":
        return partial(_measure_with_identity, metric=metric)
    return metric


def _measure_with_identity(alignment: ClusterAlignment, *, metric: AlignmentMetric) -> Figures:
    """The counts with a note whether the sides are equal: then 0/0 is one."""
    from lydite.model.cluster_indices import IdenticalTally

    sides = [sorted(map(sorted, side)) for side in (alignment.gold, alignment.system)]
    return IdenticalTally(alignment.once(metric), int(sides[0] != sides[1]))


def _weights(settings: CorefSettings) -> tuple[float, ...]:
    """The weights of MUC, B³ and CEAFe; none if they are equal."""
    if not settings.mela_weights:
        return ()
    try:
        weights = tuple(map(float, settings.mela_weights))
    except ValueError:
        weights = ()
    if len(weights) != 3 or not 0 < sum(weights) < inf or min(weights) < 0:
        shown = ",".join(settings.mela_weights)
        raise UsageError(
            f"setting 'mela-weights': expected three weights, found {shown!r}", hint="for instance 2,1,1"
        )
    return weights


def _by_cluster(comparison: Coreference) -> Iterator[tuple[str, ClusterTally]]:
    """B³ of single clusters: a gold cluster's recall, a system cluster's precision."""
    doc_id = comparison.pair.doc_id
    for side, name, size, earned in _credits_of_clusters(comparison):
        credit = sum_of_fractions([(earned, size)])
        tally = (
            ClusterTally(credit, size)
            if side == GOLD
            else ClusterTally(system_credit=credit, system_total=size)
        )
        yield f"{doc_id} {side} {name}", tally


def _credits_of_clusters(comparison: Coreference) -> Iterator[tuple[Side, str, int, int]]:
    """Side, name and size of every cluster that counts, and the sum of the common mentions of its mentions.

    That is the sum of the squares of its cells.  Where mentions repeat, were left out, or are looked up as their
    partners, a cluster is no longer what was read, and its mentions are looked at one by one.
    """
    table = comparison.alignment.table
    sides: tuple[tuple[Side, Sequence[Cluster], Sequence[int]], ...] = (
        (GOLD, comparison.gold, table.gold_sizes),
        (SYSTEM, comparison.system, table.system_sizes),
    )
    as_read = all([len(cluster.members) for cluster in clusters] == [*sizes] for _, clusters, sizes in sides)
    if comparison.alignment.found is not None or comparison.alignment.repeated or not as_read:
        from lydite.tasks.coref.outcomes import locate_clusters

        located = locate_clusters(comparison)
        for side, _, _ in sides:
            for name, members in zip(located.names_of(side), located.of(side), strict=True):
                yield side, name, len(members), sum(member.common for member in members)
        return
    for place, (side, clusters, sizes) in enumerate(sides):
        squares = [0] * len(sizes)
        for cell in table.cells:
            squares[cell[place]] += cell[2] ** 2
        for at, (cluster, size) in enumerate(zip(clusters, sizes, strict=True)):
            yield side, cluster_name(cluster, at), size, squares[at]


# --------------------------------------------------------------------------------------------------- outcomes


def outcomes(comparison: Coreference, settings: CorefSettings, figure: Headline) -> Iterator[Outcome]:
    """The gold mentions, paired if the system has them; they agree if the system cluster holds the antecedent.

    The antecedent is the mention before in the gold cluster; the first mention of a gold cluster must be the first one
    of its system cluster too.  Where mentions alone are measured, the antecedent does not matter.
    """
    least = 1 if settings.singletons == "keep" else 2
    gold, system = (
        [members for members in map(_in_order, clusters) if len(members) >= least]
        for clusters in (comparison.gold, comparison.system)
    )
    home: dict[Hashable, tuple[Hashable, frozenset[Hashable]]] = {}
    for members in system:
        cluster = members[0], frozenset(members)
        for mention in members:
            home.setdefault(mention, cluster)
    with_links = figure.measurement != MENTIONS
    number = count()
    for members in gold:
        for place, mention in enumerate(members):
            first, held = home.get(mention, (None, frozenset()))
            status: Status = PAIRED if mention in held else UNPAIRED
            same = members[place - 1] in held if place else mention == first
            agrees = {"antecedent": same} if with_links else NO_ATTRIBUTES
            yield Outcome(GOLD, next(number), status, agrees=agrees, name=_mention_id(mention))


def _in_order(cluster: Cluster) -> list[Hashable]:
    """The members in the order of the text, where they say it; else in that of the file."""
    members = list(dict.fromkeys(cluster.members))
    if all(isinstance(member, tuple) and not is_address(member) for member in members):
        try:
            return sorted(members)  # type: ignore[type-var]  # tuples of what cannot be compared are caught below
        except TypeError:
            return members
    return members


def _mention_id(mention: Hashable) -> str:
    if isinstance(mention, tuple):
        return (
            "#".join(map(_mention_id, mention))
            if isinstance(mention[0], str)
            else "-".join(map(str, mention))
        )
    return str(mention)
