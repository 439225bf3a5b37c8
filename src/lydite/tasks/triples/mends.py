"""The faults of a system's triples, and the triples that it would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from lydite.formats.triples import TRIPLES
from lydite.model import Document
from lydite.model.document import Layers
from lydite.model.triple import Triple
from lydite.model.verdict import Explained
from lydite.tasks.triples.comparison import FirstComeComparison
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.fates import AnyComparison, fate_of, places_of
from lydite.tasks.triples.settings import TripleSettings

SPURIOUS, IDS, RELATION, MISSED = FAULTS = ("spurious", "ids", "relation", "missed")


class TripleFaults:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[AnyComparison], settings: TripleSettings) -> None:
        comparison = explained.comparison
        fate = fate_of(comparison, settings)
        self._document = explained.system
        self._in_order = isinstance(comparison, FirstComeComparison)
        self._gold, self._system = triples_of(explained.gold), triples_of(explained.system)
        self._gold_places = places_of(explained.gold, comparison.gold, settings, is_system=False).in_range
        self._places = places_of(explained.system, comparison.system, settings, is_system=True).in_range
        ours, theirs = comparison.gold, comparison.system
        self._followers: dict[int, list[int]] = {}
        for copy, first in fate.system_copies.items():
            self._followers.setdefault(first, []).append(copy)
        self._pairs = fate.pairs
        self._wrong_ids = {
            system: gold
            for gold, system in self._pairs
            if (ours.firsts[gold], ours.seconds[gold]) != (theirs.firsts[system], theirs.seconds[system])
        }
        self._wrong_relations = {
            system: gold for gold, system in self._pairs if ours.relations[gold] != theirs.relations[system]
        }
        paired = {system for _, system in self._pairs}
        self._spurious = [
            at for at in range(len(theirs.in_range)) if at not in paired and at not in fate.system_copies
        ]
        found = {*fate.credited, *fate.others, *fate.gold_copies}
        self._missed = [at for at in range(len(ours.in_range)) if at not in found]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many triples have each fault."""
        counts = {
            SPURIOUS: len(self._spurious),
            IDS: len(self._wrong_ids),
            RELATION: len(self._wrong_relations),
            MISSED: len(self._missed),
        }
        return {fault: count for fault, count in counts.items() if count}

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults.

        Where the first triple that fits takes the credit, the order of the file counts: with everything mended the
        output says what gold says, in the order of gold.
        """
        if self._in_order and faults and faults == frozenset(self.items):
            return self._with([triple._replace(profile_confidence=None) for triple in self._gold])
        written: dict[int, Triple] = dict(enumerate(self._system))
        if SPURIOUS in faults:
            for at in self._spurious:
                for place in self._with_followers(at):
                    del written[place]
        if IDS in faults:
            for at, other in self._wrong_ids.items():
                gold = self._gold[self._gold_places[other]]
                for place in self._with_followers(at):
                    written[place] = written[place]._replace(first=gold.first, second=gold.second)
        if RELATION in faults:
            for at, other in self._wrong_relations.items():
                gold = self._gold[self._gold_places[other]]
                for place in self._with_followers(at):
                    written[place] = written[place]._replace(relation=gold.relation)
        added: list[Triple] = []
        if MISSED in faults:
            added = [
                self._gold[self._gold_places[at]]._replace(profile_confidence=None) for at in self._missed
            ]
        return self._with([*written.values(), *added])

    def _with(self, content: Sequence[Triple]) -> Document:
        layers: Layers = {**self._document.layers, TRIPLES: tuple(content)}
        return self._document._replace(layers=layers, present=True)

    def _with_followers(self, at: int) -> list[int]:
        """A triple and those that say the same and are not counted: what holds for one holds for all."""
        return [self._places[one] for one in (at, *self._followers.get(at, ()))]


def find_faults(explained: Explained[AnyComparison], settings: TripleSettings) -> TripleFaults:
    """The faults of a compared document."""
    return TripleFaults(explained, settings)
