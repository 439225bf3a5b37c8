"""Relations and the entities that they join: items that both sides have.

All of them see a matching of items (:mod:`lydite.tasks.relations.matching`): those of gold, those of the system, and
which of these are right.
"""

from __future__ import annotations

from typing import Protocol

from lydite.metrics.base import Law, MetricDeclaration
from lydite.metrics.cluster_counts import count_table
from lydite.metrics.coreference import blanc
from lydite.model import Tally
from lydite.model.cluster import ClusterAlignment
from lydite.model.event_pairs import EpsilonLinkTally


class ItemMatching(Protocol):
    """Items of both sides, of which some of the system's are right."""

    def tally(self) -> Tally:
        """Right items out of those of each side."""


def items(matching: ItemMatching) -> Tally:
    """Right items over the items of a side."""
    return matching.tally()


def epsilon_blanc(alignment: ClusterAlignment) -> EpsilonLinkTally:
    """The link counts of BLANC, scored with a millionth in divisors."""
    return EpsilonLinkTally(blanc(count_table(alignment.table)))


RELATION_MATCH = MetricDeclaration(
    "relation-match",
    "Equal items",
    "taille2020stop",
    items,
    "a boundary that is off by one costs as much as a missed relation, twice",
    domain="relations",
)
FACT_MATCH = MetricDeclaration(
    "fact-match",
    "Facts without those of training files, or their evidence",
    "yao2019docred",
    items,
    "a fact that a training file has under other names counts in full",
    ((Law.SWAP, "training facts leave precision and not recall"),),
    domain="relations",
)
EVENT_RELATIONS = MetricDeclaration(
    "event-relations",
    "Relations between events and coreference, a quarter each",
    "wang2022mavenere",
    items,
    "subevents, of which there are few, weigh as much as temporal relations",
    domain="relations",
)
ARGUMENT_STRINGS = MetricDeclaration(
    "argument-strings",
    "Words of arguments, mean over values",
    "wang2024mavenarg",
    items,
    "F1 is a mean of its own and no function of precision and recall",
    ((Law.SWAP, "each gold argument has a value, and not each string of the system"),),
    domain="relations",
)
EXACT_MATCH = MetricDeclaration(
    "exact-match",
    "Equal strings of arguments, mean over values",
    "wang2024mavenarg",
    items,
    "one word more or less costs as much as another string",
    ((Law.SWAP, "each gold argument has a value, and not each string of the system"),),
    domain="relations",
)
