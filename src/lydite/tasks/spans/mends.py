"""The faults of a system's spans, and the document that the system would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from lydite.model import Document, Mention
from lydite.model.document import some_layers
from lydite.model.span_alignment import SpanPair
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import Explained
from lydite.tasks.spans.documents import Comparison
from lydite.tasks.spans.fates import fate_of, positions, rule_of
from lydite.tasks.spans.settings import SpanSettings

DUPLICATE, SPURIOUS, OUTCOMPETED, SPAN, TYPE, MISSED = (
    "duplicate",
    "spurious",
    "outcompeted",
    "span",
    "type",
    "missed",
)


def faults(settings: SpanSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are mended; only what the headline looks at has one."""
    rule = rule_of(settings)
    within = ((SPAN,) if rule.place else ()) + ((TYPE,) if rule.type else ())
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, *within, MISSED)


class SpanFaults:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[Comparison], settings: SpanSettings) -> None:
        comparison = explained.comparison
        self._gold, self._system = comparison.pair.gold, comparison.pair.system
        self._faults = faults(settings)
        fate = fate_of(comparison, settings)
        ours, _ = positions(self._gold.mentions, comparison.gold)
        theirs, copies = positions(self._system.mentions, comparison.system)
        near = {pair.system for pair in comparison.candidates}
        self._partner = {
            at: fate.of_system[place] for at, place in enumerate(theirs) if place in fate.of_system
        }
        unpaired = [(at, place) for at, place in enumerate(theirs) if place not in fate.of_system]
        self._dropped = {
            DUPLICATE: frozenset(copies),
            SPURIOUS: frozenset(at for at, place in unpaired if at not in copies and place not in near),
            OUTCOMPETED: frozenset(at for at, place in unpaired if at not in copies and place in near),
        }
        self._counting = {place: self._gold.mentions[at] for at, place in reversed([*enumerate(ours)])}
        self._missed = [self._counting[at] for at in range(len(comparison.gold)) if at not in fate.of_gold]
        self._pairs = fate.pairs

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many spans have each fault."""
        counts = {
            **{fault: len(dropped) for fault, dropped in self._dropped.items()},
            SPAN: sum(not pair.same_place for pair in self._pairs),
            TYPE: sum(not pair.same_type for pair in self._pairs),
            MISSED: len(self._missed),
        }
        return {fault: counts[fault] for fault in self._faults if counts[fault]}

    def mend(self, mended: frozenset[str]) -> Document:
        """The system's document after mending these faults: with spans, whatever it had before."""
        gone = {at for fault in mended & self._dropped.keys() for at in self._dropped[fault]}
        mentions = [
            self._as_gold(mention, self._partner[at], mended) if at in self._partner else mention
            for at, mention in enumerate(self._system.mentions)
            if at not in gone
        ]
        added = self._missed if MISSED in mended else []
        layers = some_layers(self._system.layers, self._system.layers.keys() - {TAGS_LAYER})
        return self._system._replace(mentions=(*mentions, *added), layers=layers, present=True)

    def _as_gold(self, mention: Mention, pair: SpanPair, mended: frozenset[str]) -> Mention:
        gold = self._counting[pair.gold]
        if SPAN in mended and not pair.same_place:
            mention = mention._replace(span=gold.span, text=gold.text)
        if TYPE in mended and not pair.same_type:
            mention = mention._replace(type=gold.type)
        return mention


def find_faults(explained: Explained[Comparison], settings: SpanSettings) -> SpanFaults:
    """The faults of a compared document."""
    return SpanFaults(explained, settings)
