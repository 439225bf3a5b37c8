"""The measurements of relations, as the profile lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from lydite.metrics.relations import items
from lydite.model import Figures, Tally
from lydite.model.span_alignment import TypeTally
from lydite.pipeline.task import AnyMeasurement, Headline, Measurement
from lydite.results.averages import Average
from lydite.tasks.relations import events, facts
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.settings import RelationSettings

MICRO = Average("micro", empty="zero")
OVER_DOCUMENTS = Average("macro", empty="zero", of="figures")
OVER_TYPES = Average("macro", empty="zero", of="types")
MATCH, MATCH_BY_TYPE = "relation-match", "span-types"


def headline(settings: RelationSettings) -> Headline:
    """The first measure of the profile whose files are given."""
    first = measurements(settings)[0]
    return Headline(first.name, first.metric)


def measurements(settings: RelationSettings) -> Sequence[AnyMeasurement]:
    """The measures of the profile, and their means over documents or types."""
    if settings.relation_ends == "entities":
        return [facts.measurement(name, settings) for name in facts.measures(settings)]
    if settings.relation_ends == "events":
        return [events.measurement(name, settings) for name in settings.measures]
    found: list[AnyMeasurement] = []
    for name in settings.measures:
        averages = (MICRO, OVER_DOCUMENTS) if "documents" in settings.macro else (MICRO,)
        found.append(item_measurement(name, averages))
        if "types" in settings.macro:
            found.append(mean_over_types(name))
    return found


def item_measurement(name: str, averages: tuple[Average, ...] = (MICRO,)) -> AnyMeasurement:
    """The items of a measure that both sides have, broken down by type."""
    return Measurement(name, MATCH, partial(_tally, name), averages, {"type": partial(_by_type, name)}, MICRO)


def mean_over_types(name: str) -> AnyMeasurement:
    """The same as the mean over types."""
    return Measurement(
        name, MATCH_BY_TYPE, partial(_type_tally, name), (OVER_TYPES,), empty_counts=TypeTally({})
    )


def _tally(name: str, comparison: GraphComparison) -> Tally:
    return items(comparison.matching(name))


def _by_type(name: str, comparison: GraphComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching(name).by_type().items()


def _type_tally(name: str, comparison: GraphComparison) -> TypeTally:
    return TypeTally(comparison.matching(name).by_type())
