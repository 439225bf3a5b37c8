"""Relations and the entities that they join: items that both sides have.

All of them see a matching of items (:mod:`lydite.tasks.relations.matching`): those of gold, those of the system, and
which of these are right.
"""

from __future__ import annotations

from typing import Protocol

from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Tally
from lydite.model.span_alignment import TypeTally


class ItemMatching(Protocol):
    """Items of both sides, of which some of the system's are right."""

    def tally(self) -> Tally:
        """Right items out of those of each side."""

    def by_type(self) -> dict[str, Tally]:
        """The same for each type."""


def items(matching: ItemMatching) -> Tally:
    """Right items over the items of a side."""
    return matching.tally()


def by_type(matching: ItemMatching) -> TypeTally:
    """The mean over types."""
    return TypeTally(matching.by_type())


RELATION_MATCH = MetricDeclaration(
    "relation-match",
    "Equal items",
    "taille2020stop",
    items,
    "a boundary that is off by one costs as much as a missed relation, twice",
    domain="relations",
    counts_copies=True,
)
RELATION_TYPES = MetricDeclaration(
    "relation-types",
    "Equal items, mean over types",
    "taille2020stop",
    by_type,
    "a type with one relation weighs as much as one with thousands",
    ((Law.ADD, "a mean over types is no sum"),),
    domain="relations",
)
