"""A document of both sides, sentence by sentence: entities, and relations between places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from lydite.model import DocumentPair
from lydite.model.graphs import GRAPHS, NOTHING, SentenceGraph
from lydite.model.windows import WINDOWS, Windows
from lydite.tasks.relations.matching import Item, Keyed, Matching, items_of, match
from lydite.tasks.relations.sides import ComparedRelation, GraphRules, SentenceSide, rules_of, side_of

NO_WINDOWS = Windows("name", ())


class SentencePair(NamedTuple):
    """A sentence of both sides: the numbers of its windows, None on a side that lacks it."""

    gold_window: int | None
    system_window: int | None
    gold: SentenceSide
    system: SentenceSide


def paired_graphs(
    pair: DocumentPair,
) -> Iterator[tuple[int | None, int | None, SentenceGraph, SentenceGraph]]:
    """The sentences of both sides: by name, or by position where names are not known; then those that gold lacks."""
    gold, system = (document.layers.get(GRAPHS, ()) for document in (pair.gold, pair.system))
    ours, theirs = (document.layers.get(WINDOWS, NO_WINDOWS) for document in (pair.gold, pair.system))
    if ours.by == theirs.by == "name":
        numbers = {window.name: number for number, window in enumerate(theirs.windows)}
        places = [numbers.pop(window.name, None) for window in ours.windows]
        extra = list(numbers.values())
    else:
        places = [number if number < len(system) else None for number in range(len(gold))]
        extra = list(range(len(gold), len(system)))
    for number, place in enumerate(places):
        yield number, place, gold[number], NOTHING if place is None else system[place]
    for place in extra:
        yield None, place, NOTHING, system[place]


class GraphSettings(Protocol):
    """The settings that a comparison of sentences asks for by name; :func:`rules_of` takes all others."""

    @property
    def measures(self) -> tuple[str, ...]:
        """What is measured, the headline first."""

    @property
    def recall_above_one(self) -> bool:
        """Whether repeats count."""

    def __hash__(self) -> int: ...


class GraphComparison:
    """The sentences of both sides of a document under the rules of a profile."""

    def __init__(self, pair: DocumentPair, settings: GraphSettings) -> None:
        self.pair, self._settings = pair, settings
        self.measures = settings.measures

    @property
    def headline(self) -> str:
        """The measure that ranks systems."""
        return self.measures[0]

    @property
    def rules(self) -> GraphRules:
        """The settings that decide how a sentence is compared."""
        return rules_of(self._settings)

    @cached_property
    def sentences(self) -> Sequence[SentencePair]:
        """The sentences of both sides."""
        rules = self.rules
        return [
            SentencePair(ours, theirs, side_of(gold, rules), side_of(system, rules))
            for ours, theirs, gold, system in paired_graphs(self.pair)
        ]

    def matching(self, measure: str) -> Matching:
        """The items of a measure."""
        found: Matching = getattr(self, _MATCHINGS[measure])
        return found

    @cached_property
    def _entities(self) -> Matching:
        return self._match(lambda side: ((one[:2], one.type, one) for one in side.entities))

    @cached_property
    def _levels(self) -> Matching:
        return self._match(lambda side: (((one.place, one.level), one.level, one) for one in side.entities))

    @cached_property
    def _relations(self) -> Matching:
        return self._match(lambda side: ((one.plain, one.type, one) for one in side.relations))

    @cached_property
    def _typed_relations(self) -> Matching:
        if not self.rules.any_right_type:
            return self._match(lambda side: ((one, one.type, one) for one in side.relations))
        places = {(item.window, item.content.place) for item in self._entities.credited()}

        def has_right_ends(item: Item) -> bool:
            relation: ComparedRelation = item.content
            return (item.window, relation.head) in places and (item.window, relation.tail) in places

        return self._relations._replace(right=has_right_ends)

    def _match(self, items: Callable[[SentenceSide], Keyed]) -> Matching:
        """The items of all sentences."""
        gold = items_of((one.gold for one in self.sentences), items)
        system = items_of((one.system for one in self.sentences), items)
        return match(gold, system, repeats_count=self._settings.recall_above_one)


_MATCHINGS = {"entity": "_entities", "mention": "_levels", "rel": "_relations", "rel+": "_typed_relations"}
"""By measure, the attribute of a comparison with its items."""
