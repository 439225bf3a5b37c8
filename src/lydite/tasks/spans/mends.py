"""The faults of a system's spans, and the document that the system would have written without some of them."""

from __future__ import annotations

from lydite.model import Document
from lydite.model.document import some_layers
from lydite.model.span_alignment import SpanPair
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import Explained
from lydite.tasks.paired import DUPLICATE, MISSED, OUTCOMPETED, SPAN, SPURIOUS, TYPE, PairFaults
from lydite.tasks.spans.documents import SpanComparison
from lydite.tasks.spans.fates import fate_of, rule_of
from lydite.tasks.spans.settings import SpanSettings


def faults(settings: SpanSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are mended; only what the headline looks at has one."""
    rule = rule_of(settings)
    within = ((SPAN,) if rule.place else ()) + ((TYPE,) if rule.type else ())
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, *within, MISSED)


class SpanFaults(PairFaults[SpanPair]):
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[SpanComparison], settings: SpanSettings) -> None:
        pair = explained.comparison.pair
        self._system = pair.system
        fate = fate_of(explained.comparison, settings)
        differs = {SPAN: lambda pair: not pair.same_place, TYPE: lambda pair: not pair.same_type}
        rows = faults(settings)
        looked_at = {fault: differ for fault, differ in differs.items() if fault in rows}
        super().__init__(pair.gold.mentions, pair.system.mentions, fate, looked_at)
        # What holds for a span holds for all that say the same.
        first = {**{at: at for at in fate.of_system}, **fate.system_copies}
        self._partner = {at: fate.of_system[one] for at, one in first.items() if one in fate.of_system}

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults: with spans, whatever it had before."""
        mentions = [mention for mention in self.mended(faults) if mention is not None]
        layers = some_layers(self._system.layers, self._system.layers.keys() - {TAGS_LAYER})
        return self._system._replace(mentions=(*mentions, *self.added(faults)), layers=layers, present=True)
