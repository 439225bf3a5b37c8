"""The faults of a system's mentions, and the document that the system would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.align.comparison import MentionComparison
from lydite.model import Document
from lydite.model.outcome import Outcome
from lydite.model.verdict import Explained
from lydite.tasks.nugget.documents import compared_positions, surviving_relations
from lydite.tasks.nugget.measurements import headline_attributes
from lydite.tasks.nugget.outcomes import why_skipped
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import DUPLICATE, MISSED, OUTCOMPETED, REALIS, SPAN, SPURIOUS, TYPE, PairCorrections


def faults(settings: NuggetSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are corrected; only attributes under evaluation have one."""
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, *_attributes(settings), MISSED)


def _attributes(settings: NuggetSettings) -> tuple[str, ...]:
    return (SPAN, *(name for name in (TYPE, REALIS) if name in headline_attributes(settings)))


class MentionCorrections(PairCorrections):
    """The faults of one document of a system; where a document is skipped nothing has one."""

    def __init__(
        self,
        explained: Explained[MentionComparison],
        settings: NuggetSettings,
        outcomes: Sequence[Outcome],
    ) -> None:
        self._document = explained.system
        self._places = compared_positions(explained.system, settings)
        # Without gold mentions nothing can be added that would make a skipped document count.
        skipped = why_skipped(explained.comparison, settings) is not None
        self._is_skipped = skipped and not explained.comparison.gold.mentions
        super().__init__(
            [explained.gold.mentions[at] for at in compared_positions(explained.gold, settings)],
            [explained.system.mentions[at] for at in self._places],
            outcomes,
            _attributes(settings),
        )

    @property
    def items(self) -> Mapping[str, int]:
        """The number of mentions with each fault."""
        return {} if self._is_skipped else super().items

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults; mentions that are not compared stay."""
        read = enumerate(self._document.mentions)
        corrected = {**dict(read), **dict(zip(self._places, self.corrected_mentions(faults), strict=True))}
        left = (*(one for one in corrected.values() if one is not None), *self.added_mentions(faults))
        relations = surviving_relations(self._document.relations, {mention.id for mention in left})
        return self._document._replace(mentions=left, relations=relations, present=True)
