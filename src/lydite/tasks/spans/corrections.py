"""The faults of a system's spans, and the document that the system would have written without some of them."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.model import Document, DocumentPair
from lydite.model.document import some_layers
from lydite.model.outcome import Outcome
from lydite.model.tags import TAGS_LAYER
from lydite.tasks.paired import DUPLICATE, MISSED, OUTCOMPETED, SPAN, SPURIOUS, TYPE, PairCorrections
from lydite.tasks.spans.outcomes import rule_of
from lydite.tasks.spans.settings import SpanSettings


def faults(settings: SpanSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are corrected; only what the headline compares has one."""
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, *_attributes(settings), MISSED)


def _attributes(settings: SpanSettings) -> tuple[str, ...]:
    rule = rule_of(settings)
    return ((SPAN,) if rule.place else ()) + ((TYPE,) if rule.type else ())


class SpanCorrections(PairCorrections):
    """The faults of one document of a system."""

    def __init__(self, pair: DocumentPair, settings: SpanSettings, outcomes: Sequence[Outcome]) -> None:
        self._document = pair.system
        mentions = pair.gold.mentions, pair.system.mentions
        super().__init__(*mentions, outcomes, _attributes(settings), with_copies=True)

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults: with spans, whatever it had before."""
        corrected = (mention for mention in self.corrected_mentions(faults) if mention is not None)
        mentions = (*corrected, *self.added_mentions(faults))
        layers = some_layers(self._document.layers, self._document.layers.keys() - {TAGS_LAYER})
        return self._document._replace(mentions=mentions, layers=layers, present=True)
