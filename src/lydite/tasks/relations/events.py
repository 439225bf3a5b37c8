"""Relations between events as MAVEN-ERE counts them: labels of ordered pairs of mentions, and an overall mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from lydite.align.clusters import align_clusters
from lydite.metrics import METRICS
from lydite.metrics.relations import epsilon_blanc
from lydite.model import DocumentPair, Figures, Tally
from lydite.model.cluster import ClusterAlignment, LinkTally, MeanTally
from lydite.model.event_pairs import (
    EVENT_PAIRS,
    SYMMETRIC,
    EpsilonLinkTally,
    EventPairs,
    EventRelation,
    as_clusters,
    complete_clusters,
)
from lydite.pipeline.task import AnyMeasurement, Measurement
from lydite.results.averages import Average
from lydite.tasks.relations.matching import Item, Matching, match
from lydite.tasks.relations.settings import RelationSettings

MICRO = Average("micro", empty="zero")
KINDS = ("temporal", "causal", "subevent")
COREFERENCE = ("muc", "b-cubed", "ceaf-e")
WEIGHTS = (4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0)
"""A quarter for each kind of relation, and a quarter for the mean of the four metrics of coreference."""
NO_PAIRS = EventPairs()


class EventComparison:
    """The relations and clusters of both sides of a document."""

    def __init__(self, pair: DocumentPair, settings: RelationSettings) -> None:
        self.pair, self._settings = pair, settings
        self.measures = settings.measures
        self.gold: EventPairs = pair.gold.layers.get(EVENT_PAIRS, NO_PAIRS)
        self.system: EventPairs = pair.system.layers.get(EVENT_PAIRS, NO_PAIRS)

    @property
    def headline(self) -> str:
        """The measure that ranks systems."""
        return self.measures[0]

    def matching(self, measure: str) -> Matching:
        """The labelled pairs of a kind; of all kinds for the overall mean."""
        kinds = KINDS if measure == "overall" else (measure,)
        gold, system = (
            [item for kind in kinds for item in self._items(side, kind)] for side in (self.gold, self.system)
        )
        return match(gold, system)

    def _items(self, side: EventPairs, kind: str) -> list[Item]:
        """The labels of ordered pairs of gold's mentions, and of times where these count."""
        known = {*self._mentions, *(self.gold.times if kind == "temporal" else ())}
        labels: dict[object, EventRelation] = {}
        for one in side.of_mentions(kind):
            first, second = one.first, one.second
            if first == second or first not in known or second not in known:
                continue
            if one.type in SYMMETRIC and not self._settings.simultaneous_ordered:
                first, second = sorted((first, second))
            relation = one._replace(first=first, second=second)
            labels[(first, second) if self._settings.last_pair_label else relation] = relation
        return [Item(one, one.type, 0, one) for one in labels.values()]

    @cached_property
    def _mentions(self) -> dict[str, None]:
        return self.gold.mentions

    @cached_property
    def alignment(self) -> ClusterAlignment:
        """The clusters of gold, and those of the system over gold's mentions."""
        gold = as_clusters(held for _, held in self.gold.events if held)
        system = as_clusters(complete_clusters(self.system.clusters, self._mentions))
        return align_clusters(gold, system, repeats="first", singletons=True)


def measurement(name: str, _settings: RelationSettings) -> AnyMeasurement:
    """The measurement of that name."""
    if name == "overall":
        return Measurement(name, "event-relations", overall, (MICRO,), empty_counts=_overall_of_nothing())
    return Measurement(
        name, "relation-match", partial(_tally, name), (MICRO,), {"type": partial(_by_type, name)}, MICRO
    )


def _tally(name: str, comparison: EventComparison) -> Tally:
    return comparison.matching(name).tally()


def _by_type(name: str, comparison: EventComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching(name).by_type().items()


def overall(comparison: EventComparison) -> MeanTally:
    """The three kinds of relations and coreference, a quarter each."""
    parts: dict[str, Figures] = {kind: comparison.matching(kind).tally() for kind in KINDS}
    return MeanTally({**parts, **_coreference(comparison.alignment)}, WEIGHTS)


def _coreference(alignment: ClusterAlignment) -> dict[str, Figures]:
    found: dict[str, Figures] = {name: METRICS[name].measure(alignment) for name in COREFERENCE}
    return {**found, "blanc": epsilon_blanc(alignment)}


def _overall_of_nothing() -> MeanTally:
    parts: dict[str, Figures] = {kind: Tally() for kind in KINDS}
    nothing = ClusterAlignment()
    coreference: dict[str, Figures] = {name: METRICS[name].measure(nothing) for name in COREFERENCE}
    return MeanTally({**parts, **coreference, "blanc": EpsilonLinkTally(LinkTally())}, WEIGHTS)
