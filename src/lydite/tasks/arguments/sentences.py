"""Events of sentences as OneIE and DyGIE++ count them: from the lists of a sentence, under named quirks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from lydite.model import DocumentPair, Figures, Tally
from lydite.model.graphs import SentenceGraph
from lydite.model.windows import Range
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.relations.comparison import paired_graphs
from lydite.tasks.relations.matching import Keyed, Matching, items_of, match
from lydite.tasks.relations.sides import moved_entities

MICRO = Average("micro", empty="zero")
MEASURES = ("ti", "tc", "ai", "ac")


class ComparedTrigger(NamedTuple):
    """A trigger of a sentence."""

    place: Range
    type: str


class ComparedArgument(NamedTuple):
    """An argument of a sentence: its tokens, the type of its event, its role, and where the trigger stands."""

    place: Range
    type: str
    role: str
    trigger: Range


class SentenceEvents(NamedTuple):
    """The events of one side of a sentence."""

    triggers: Sequence[ComparedTrigger]
    arguments: Sequence[ComparedArgument]


def events_of(graph: SentenceGraph, settings: ArgumentSettings) -> SentenceEvents:
    """The events of a sentence under the quirks of a profile."""
    triggers = [ComparedTrigger(one.place, one.type) for one in graph.triggers]
    final = {one.place: one.type for one in triggers} if settings.last_label else {}
    targets = moved_entities(graph.entities) if graph.is_data and settings.overlap_moves else ()
    arguments: list[ComparedArgument] = []
    filled: set[tuple[int, Hashable]] = set()
    for number, place, role, entity in graph.roles:
        if entity is not None and targets:
            entity = targets[entity]  # noqa: PLW2901 - the entity that stands for it
            place = graph.entities[entity].place  # noqa: PLW2901
        key = number, place if entity is None else entity
        if settings.one_role_per_entity and graph.is_data and key in filled:
            continue
        filled.add(key)
        trigger = triggers[number]
        arguments.append(ComparedArgument(place, final.get(trigger.place, trigger.type), role, trigger.place))
    if settings.last_label:
        triggers = [ComparedTrigger(place, kind) for place, kind in final.items()]
        arguments = list({(one.trigger, one.place): one for one in arguments}.values())
    if settings.arguments_per_trigger:
        return SentenceEvents(triggers, arguments)
    return SentenceEvents(triggers, list({one[:3]: one for one in reversed(arguments)}.values())[::-1])


class SentenceComparison(ItemComparison):
    """The events of all sentences of a document, on both sides."""

    def __init__(self, pair: DocumentPair, settings: ArgumentSettings) -> None:
        super().__init__(pair)
        self._settings = settings

    @cached_property
    def sentences(self) -> Sequence[tuple[int | None, int | None, SentenceEvents, SentenceEvents]]:
        """The sentences of both sides: the numbers of their windows, and their events."""
        return [
            (ours, theirs, events_of(gold, self._settings), events_of(system, self._settings))
            for ours, theirs, gold, system in paired_graphs(self.pair)
        ]

    def matching(self, measure: str) -> Matching:
        """The items of a measure."""
        return self._matchings[measure]

    @cached_property
    def _matchings(self) -> dict[str, Matching]:
        return {
            "ti": self._match(lambda one: ((trigger.place, "", trigger) for trigger in one.triggers)),
            "tc": self._with_first_types(
                self._match(lambda one: ((trigger, trigger.type, trigger) for trigger in one.triggers))
            ),
            "ai": self._match(lambda one: ((item[:2], item.type, item) for item in one.arguments)),
            "ac": self._match(lambda one: ((item[:3], item.type, item) for item in one.arguments)),
        }

    def _with_first_types(self, matching: Matching) -> Matching:
        """Of several gold triggers at one place, only the first one is looked at."""
        if not self._settings.first_trigger_only:
            return matching
        first: dict[tuple[int, Range], ComparedTrigger] = {}
        for item in matching.gold:
            first.setdefault((item.window, item.content.place), item.content)
        return matching._replace(
            right=lambda item: first[item.window, item.content.place].type == item.content.type
        )

    def _match(self, items: Callable[[SentenceEvents], Keyed]) -> Matching:
        gold = items_of((gold for _, _, gold, _ in self.sentences), items)
        system = items_of((system for _, _, _, system in self.sentences), items)
        return match(gold, system, repeats_count=self._settings.recall_above_one)


def measurements() -> list[Measurement[SentenceComparison]]:
    """Triggers and arguments, each identified and classified."""
    return [_measurement(name) for name in MEASURES]


def _measurement(name: str) -> Measurement[SentenceComparison]:
    breakdowns: dict[str, Callable[[SentenceComparison], Iterator[tuple[str, Figures]]]] = {}
    if name != "ti":
        breakdowns["type"] = partial(_by_type, name)
    if name == "ac":
        breakdowns["role"] = _by_role
    return Measurement(name, "relation-match", partial(_tally, name), (MICRO,), breakdowns, MICRO)


def _tally(name: str, comparison: SentenceComparison) -> Tally:
    return comparison.matching(name).tally()


def _by_type(name: str, comparison: SentenceComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching(name).by_type().items()


def _by_role(comparison: SentenceComparison) -> Iterator[tuple[str, Figures]]:
    found = comparison.matching("ac")
    gold, system = (
        [item._replace(type=f"{item.type}.{item.content.role}") for item in side]
        for side in (found.gold, found.system)
    )
    yield from found._replace(gold=gold, system=system).by_type().items()
