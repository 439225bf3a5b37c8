"""The faults of a system's relations, and the document that it would have written without some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from lydite.model import Document
from lydite.model.event_pairs import EVENT_PAIRS, EventPairs
from lydite.model.facts import FACTS, FactSheet
from lydite.model.graphs import GRAPHS, NOTHING, GraphEntity, GraphRelation, SentenceGraph
from lydite.model.verdict import GOLD, SYSTEM, Explained
from lydite.model.windows import WINDOWS, Windows
from lydite.tasks.paired import MISSED, SPURIOUS
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.events import EventComparison
from lydite.tasks.relations.facts import FactComparison
from lydite.tasks.relations.matching import WRONG, Item
from lydite.tasks.relations.outcomes import (
    BOUNDARY,
    END_TYPE,
    OTHER,
    PARTIAL,
    SWAPPED,
    WRONG_TYPE,
    AnyComparison,
    outcomes,
)
from lydite.tasks.relations.settings import RelationSettings
from lydite.tasks.relations.sides import ComparedRelation

FAULTS = (SPURIOUS, OTHER, SWAPPED, WRONG_TYPE, BOUNDARY, END_TYPE, PARTIAL, MISSED)
"""The rows of the error budget, in the order in which they are corrected."""


def faults(_settings: RelationSettings) -> tuple[str, ...]:
    """The rows of the error budget."""
    return FAULTS


class RelationCorrections:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[AnyComparison], settings: RelationSettings) -> None:
        del settings
        self._comparison, self._system = explained.comparison, explained.system
        found = outcomes(explained.comparison, explained.comparison.headline)
        self._wrong = [one for one in found if one.side == SYSTEM and one.status == WRONG]
        self._missed = [one for one in found if one.side == GOLD and one.status == WRONG]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many items have each fault: of a pair the system's counts."""
        counts = Counter(one.cause for one in self._wrong)
        counts[MISSED] = sum(one.cause == MISSED for one in self._missed)
        return {fault: count for fault, count in counts.items() if count}

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults: wrong items become gold's, or go."""
        removed = [one.item for one in self._wrong if one.cause in faults]
        added = [one.item for one in self._missed if one.cause in faults]
        return _MENDERS[type(self._comparison)](self._comparison, self._system, removed, added)


Mender = Callable[[Any, Document, Sequence[Item], Sequence[Item]], Document]


def _mend_graphs(
    comparison: GraphComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    """The sentences of gold with the mended items of the system: relations have ends of the types that gold gives."""
    graphs: list[SentenceGraph] = []
    for number, sentence in enumerate(comparison.sentences):
        read = NOTHING if sentence.system_window is None else system.layers[GRAPHS][sentence.system_window]
        gone = {item.key[1] for item in removed if item.window == number}  # type: ignore[index]
        new = [item.content for item in added if item.window == number]
        entities = [one for one in read.entities if one[:2] not in gone]
        relations = [one for one in sentence.system.relations if gone.isdisjoint((one, one.plain))]
        for content in new:
            if isinstance(content, GraphEntity):
                entities.append(content)
                continue
            relations.append(content)
            ends = (content.head, content.tail)
            entities += [one for one in sentence.gold.entities if one.place in ends and one not in entities]
        listed = comparison.rules.symmetric_order == "listed"
        mended = tuple(
            GraphRelation(one.type, one.head, one.tail) if listed else _as_read(one, entities)
            for one in relations
        )
        graphs.append(read._replace(entities=tuple(entities), relations=mended, is_data=False))
    windows = [
        comparison.pair.gold.layers[WINDOWS].windows[one.gold_window]
        if one.gold_window is not None
        else comparison.pair.system.layers[WINDOWS].windows[one.system_window or 0]
        for one in comparison.sentences
    ]
    by = (comparison.pair.gold if comparison.pair.gold.present else system).layers[WINDOWS].by
    layers = {**system.layers, GRAPHS: tuple(graphs), WINDOWS: Windows(by, tuple(windows))}
    return system._replace(layers=layers, present=True)  # type: ignore[arg-type]


def _as_read(one: ComparedRelation, entities: Sequence[GraphEntity]) -> GraphRelation:
    """A compared relation as a file has it: its ends are entities of the sentence, where it has them."""
    numbers = [
        next(
            (at for at, entity in enumerate(entities) if entity.place == place and entity.type in types), None
        )
        for place, types in ((one.head, one.head_types), (one.tail, one.tail_types))
    ]
    head, tail = numbers
    ends = None if head is None or tail is None else (head, tail)
    return GraphRelation(one.type, one.head, one.tail, ends)


def _mend_facts(
    comparison: FactComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    gone = {item.key for item in removed}
    kept = [one for one in comparison.system.facts if one.key not in gone]
    facts = (*kept, *(item.content for item in added))
    sheet = FactSheet((), facts, comparison.system.entries)
    return system._replace(layers={**system.layers, FACTS: sheet}, present=True)


def _mend_events(
    comparison: EventComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    gone = {item.content for item in removed}
    kept = [one for kind in ("temporal", "causal", "subevent") for one in comparison.system.of_mentions(kind)]
    relations = (*(one for one in kept if one not in gone), *(item.content for item in added))
    pairs: EventPairs = comparison.system._replace(events=(), relations=relations)
    return system._replace(layers={**system.layers, EVENT_PAIRS: pairs}, present=True)


_MENDERS: Mapping[type, Mender] = {
    GraphComparison: _mend_graphs,
    FactComparison: _mend_facts,
    EventComparison: _mend_events,
}
