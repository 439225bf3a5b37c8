"""The faults of a system's triples, and the triples that it would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from lydite.formats.triples import TRIPLES
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.document import Layers
from lydite.model.outcome import COPY, PAIRED, Outcome, unpaired_items
from lydite.model.triple import Triple
from lydite.model.verdict import GOLD, SYSTEM, Explained
from lydite.tasks.triples.comparison import AnyComparison
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.outcomes import triple_places
from lydite.tasks.triples.settings import TripleSettings

SPURIOUS, IDS, RELATION, MISSED = FAULTS = ("spurious", "ids", "relation", "missed")


class TripleCorrections:
    """The faults of one document of a system."""

    def __init__(
        self, explained: Explained[AnyComparison], settings: TripleSettings, outcomes: Sequence[Outcome]
    ) -> None:
        comparison = explained.comparison
        self._document = explained.system
        self._gold, self._system = triples_of(explained.gold), triples_of(explained.system)
        self._gold_places = triple_places(explained.gold, comparison.gold, settings, is_system=False).in_range
        self._places = triple_places(explained.system, comparison.system, settings, is_system=True).in_range
        rows = [one for one in outcomes if one.side == SYSTEM and one.item is not None]
        self._copies = grouped((one.partner, one.item) for one in rows if one.status == COPY)
        pairs = [(one.item, one.partner, one.differs) for one in rows if one.status == PAIRED]
        self._wrong_ids, self._wrong_relations = (
            {
                at: gold
                for at, gold, differs in pairs
                if at is not None and gold is not None and fault in differs
            }
            for fault in (IDS, RELATION)
        )
        self._spurious = unpaired_items(outcomes, SYSTEM)
        self._missed = unpaired_items(outcomes, GOLD)

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The number of triples with each fault."""
        counts = {
            SPURIOUS: len(self._spurious),
            IDS: len(self._wrong_ids),
            RELATION: len(self._wrong_relations),
            MISSED: len(self._missed),
        }
        return {fault: count for fault, count in counts.items() if count}

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults.

        With all faults corrected the output is gold, in the order of gold: order decides where credit goes to the first
        triple that fits, and one triple stands for several where partners are shared.
        """
        if faults and faults == frozenset(self.items):
            return self._with_triples([triple._replace(profile_confidence=None) for triple in self._gold])
        written: dict[int, Triple] = dict(enumerate(self._system))
        if SPURIOUS in faults:
            for at in self._spurious:
                for place in self._with_copies(at):
                    del written[place]
        for fault, wrong, names in (
            (IDS, self._wrong_ids, ("first", "second")),
            (RELATION, self._wrong_relations, ("relation",)),
        ):
            for at, other in wrong.items() if fault in faults else ():
                right = {name: getattr(self._gold_triple(other), name) for name in names}
                for place in self._with_copies(at):
                    written[place] = written[place]._replace(**right)
        missed = self._missed if MISSED in faults else ()
        added = [self._gold_triple(at)._replace(profile_confidence=None) for at in missed]
        return self._with_triples([*written.values(), *added])

    def _gold_triple(self, at: int) -> Triple:
        return self._gold[self._gold_places[at]]

    def _with_triples(self, content: Sequence[Triple]) -> Document:
        layers: Layers = {**self._document.layers, TRIPLES: tuple(content)}
        return self._document._replace(layers=layers, present=True)

    def _with_copies(self, at: int) -> list[int]:
        """The places of a triple and of its copies, which are corrected together."""
        return [self._places[one] for one in (at, *self._copies.get(at, ()))]
