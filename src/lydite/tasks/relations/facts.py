"""Facts of documents as DocRED and Re-DocRED count them: relations between entities by number, and their evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial

from lydite.errors import Finding, Location, UsageError, refuse
from lydite.escaping import counted
from lydite.formats.docred import entity_of
from lydite.formats.json_lines import json_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.sentence_graphs import SHAPE_ERRORS, reason
from lydite.formats.source import open_source
from lydite.memory import kept_for_a_run
from lydite.model import DocumentPair, Figures, Tally
from lydite.model.facts import FACTS, Fact, FactCounts, FactSheet, FactTally
from lydite.pipeline.task import AnyMeasurement, Measurement
from lydite.tasks.relations.matching import Item, Matching, match
from lydite.tasks.relations.settings import RelationSettings

FREQUENT = frozenset({"P17", "P131", "P27", "P150", "P175", "P577", "P463", "P527", "P495", "P361"})
"""The ten most frequent relations of DocRED."""
EPSILON = 0.00001
TrainingFact = tuple[str, str, str]
"""The names of two mentions and the relation of their entities."""
NO_FACTS = FactSheet()
WITHOUT_TRAINING = ("ign", "ign-distant")
"""The measures in which the facts of a training file do not count."""


@kept_for_a_run(2)
def training_facts(path: str) -> frozenset[TrainingFact]:
    """Every pair of names of mentions that a label of a training file joins, with the relation."""
    found: set[TrainingFact] = set()
    for place, line in json_lines(open_source(path)):
        try:
            record = json_object(line)
            entities = [entity_of(mentions) for mentions in record["vertexSet"]]  # type: ignore[attr-defined]
            for label in record.get("labels", ()):  # type: ignore[attr-defined]
                head, tail = entities[label["h"]], entities[label["t"]]
                found.update((one, other, label["r"]) for one in head.names for other in tail.names)
        except (NotJSONError, *SHAPE_ERRORS) as error:
            why = str(error) if isinstance(error, NotJSONError) else reason(error)
            message = f"expected a page with vertexSet and labels, found: {why}"
            raise refuse(place.location, "bad-event-record", message) from None
    return frozenset(found)


class FactComparison:
    """The facts of both sides of a document."""

    def __init__(self, pair: DocumentPair, settings: RelationSettings) -> None:
        self.pair, self._settings = pair, settings
        self.measures = measures(settings)
        self.gold: FactSheet = pair.gold.layers.get(FACTS, NO_FACTS)
        self.system: FactSheet = pair.system.layers.get(FACTS, NO_FACTS)

    @property
    def headline(self) -> str:
        """The measure that ranks systems."""
        return self.measures[0]

    @cached_property
    def facts(self) -> Matching:
        """The facts of both sides: of gold's repeats the last one counts, of the system's the first."""
        gold = {one.key: one for one in self.gold.facts}
        return match(map(_item, gold.values()), map(_item, self.system.facts))

    @cached_property
    def right(self) -> list[tuple[Fact, Fact]]:
        """The facts that both sides have: gold's and the system's."""
        gold = {item.key: item.content for item in self.facts.gold}
        return [(gold[item.key], item.content) for item in self.facts.credited()]

    def matching(self, measure: str) -> Matching:
        """The items of a measure; figures with training facts have those of all facts."""
        chosen = self._chooser(measure)
        if chosen is None:
            return self.facts
        system = [] if self.system.entries == 1 else self.facts.system
        return Matching(
            [item for item in self.facts.gold if chosen(item.content)],
            [item for item in system if chosen(item.content)],
        )

    def _chooser(self, measure: str) -> Callable[[Fact], bool] | None:
        """The facts of a part of all facts; None if it is no part."""
        if measure in {"frequent", "long-tail"}:
            return lambda fact: (fact.relation in FREQUENT) == (measure == "frequent")
        if measure in {"intra", "inter"}:
            return lambda fact: self._is_intra(fact) is (measure == "intra")
        return None

    def _is_intra(self, fact: Fact) -> bool | None:
        """Whether mentions of both entities stand in one sentence; None if gold does not have the entities."""
        if max(fact.head, fact.tail) >= len(self.gold.entities):
            return None
        head, tail = self.gold.entities[fact.head], self.gold.entities[fact.tail]
        return not set(head.sentences).isdisjoint(tail.sentences)

    def is_trained(self, fact: Fact, known: frozenset[TrainingFact]) -> bool:
        """Whether any two names of its entities are a fact of the training file."""
        if max(fact.head, fact.tail) >= len(self.gold.entities):
            return False
        head, tail = self.gold.entities[fact.head], self.gold.entities[fact.tail]
        return any((one, other, fact.relation) in known for one in head.names for other in tail.names)

    def ignoring(self, path: str) -> FactTally:
        """The counts without the right facts that a training file has."""
        known, settings = training_facts(path), self._settings
        right, gold, system = len(self.right), len(self.facts.gold), len(self.facts.system)
        trained = sum(self.is_trained(fact, known) for fact, _ in self.right)
        gold_credit = right
        if not settings.ign_recall:
            gold_credit -= trained
            gold -= sum(self.is_trained(item.content, known) for item in self.facts.gold)
        counts = FactCounts(gold_credit, gold, right - trained, system - trained, trained)
        return FactTally(counts, system_extra=EPSILON if settings.ign_epsilon else 0)

    def evidence(self) -> FactTally:
        """The sentences of evidence that both sides give for right facts."""
        common = sum(len({*gold.evidence} & {*system.evidence}) for gold, system in self.right)
        listed = sum(len(fact.evidence) for fact in self.gold.facts)
        given = self.right if not self._settings.evidence_of_wrong_facts else None
        found = (
            [system for _, system in given]
            if given is not None
            else [one.content for one in self.facts.system]
        )
        total = sum(len({*fact.evidence}) for fact in found) if self.pair.gold.present else 0
        plus_one = 1 if self._settings.evidence_plus_one else 0
        return FactTally(FactCounts(common, listed, common, total), gold_extra=plus_one)


def _item(fact: Fact) -> Item:
    return Item(fact.key, fact.relation, 0, fact)


def check(comparison: FactComparison) -> Iterator[Finding]:
    """An error about facts of entities that gold's page does not have."""
    count = len(comparison.gold.entities)
    odd = [one for one in comparison.system.facts if max(one.head, one.tail) >= count]
    if odd and comparison.pair.gold.present:
        first = odd[0]
        number = max(first.head, first.tail)
        message = f"page {comparison.pair.doc_id!r}: {counted(len(odd), 'fact')} of entities that gold does not have, the first of entity {number} of {count}"
        place = Location(comparison.pair.system.path, first.line or None)
        hint = "are entities numbered from 0, as in vertexSet?"
        yield Finding("unknown-entity", "error", message, place, comparison.pair.doc_id, hint=hint)


def training_file(measure: str, settings: RelationSettings) -> str | None:
    """The training file whose facts do not count in a measure."""
    return {"ign": settings.train_annotated, "ign-distant": settings.train_distant}.get(measure)


def measures(settings: RelationSettings) -> tuple[str, ...]:
    """The measures of the profile, without those whose training file is not given."""
    found = tuple(
        name
        for name in settings.measures
        if name not in WITHOUT_TRAINING or training_file(name, settings) is not None
    )
    if not found:
        hint = "--train-annotated names that of ign, --train-distant that of ign-distant"
        raise UsageError(f"{', '.join(settings.measures)}: the training file is not given", hint=hint)
    return found


def measurement(name: str, settings: RelationSettings) -> AnyMeasurement:
    """The measurement of that name."""
    path = training_file(name, settings)
    if path is not None:
        nothing = FactTally(system_extra=EPSILON if settings.ign_epsilon else 0)
        return _measurement(name, "fact-match", lambda one: one.ignoring(path), nothing)
    if name == "evidence":
        nothing = FactTally(gold_extra=1 if settings.evidence_plus_one else 0)
        return _measurement(name, "fact-match", FactComparison.evidence, nothing)
    return _measurement(name, "relation-match", partial(_tally, name), None)


def _measurement(
    name: str, metric: str, measure: Callable[[FactComparison], Figures], nothing: Figures | None
) -> AnyMeasurement:
    from lydite.tasks.relations.measurements import MICRO

    breakdowns = {"type": partial(_by_type, name)} if nothing is None else {}
    return Measurement(name, metric, measure, (MICRO,), breakdowns, MICRO, empty_counts=nothing)


def _tally(name: str, comparison: FactComparison) -> Tally:
    return comparison.matching(name).tally()


def _by_type(name: str, comparison: FactComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching(name).by_type().items()
