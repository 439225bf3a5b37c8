"""The faults of a system's spans, and the document that the system would have written without some of them."""

from __future__ import annotations

from lydite.model import Document
from lydite.model.document import some_layers
from lydite.model.span_alignment import SpanPair
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import Explained
from lydite.tasks.paired import DUPLICATE, MISSED, OUTCOMPETED, SPAN, SPURIOUS, TYPE, PairFaults
from lydite.tasks.spans.documents import SpanComparison
from lydite.tasks.spans.outcomes import mention_outcomes, rule_of
from lydite.tasks.spans.settings import SpanSettings


def faults(settings: SpanSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are mended; only what the headline compares has one."""
    rule = rule_of(settings)
    compared = ((SPAN,) if rule.place else ()) + ((TYPE,) if rule.type else ())
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, *compared, MISSED)


class SpanFaults(PairFaults[SpanPair]):
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[SpanComparison], settings: SpanSettings) -> None:
        pair = explained.comparison.pair
        self._system = pair.system
        outcomes = mention_outcomes(explained.comparison, settings)
        differs = {SPAN: lambda pair: not pair.same_place, TYPE: lambda pair: not pair.same_type}
        rows = faults(settings)
        differs_in_rows = {fault: differ for fault, differ in differs.items() if fault in rows}
        super().__init__(pair.gold.mentions, pair.system.mentions, outcomes, differs_in_rows)
        # What holds for a span holds for its copies.
        pairs = outcomes.system_pairs
        copied = {at: pairs[first] for at, first in outcomes.system_copies.items() if first in pairs}
        self._system_pairs = {**pairs, **copied}

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults: with spans, whatever it had before."""
        mended = (mention for mention in self.mended_mentions(faults) if mention is not None)
        mentions = (*mended, *self.added_mentions(faults))
        layers = some_layers(self._system.layers, self._system.layers.keys() - {TAGS_LAYER})
        return self._system._replace(mentions=mentions, layers=layers, present=True)
