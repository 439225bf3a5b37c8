"""The faults of a system's mentions, and the document that the system would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from lydite.align.comparison import MentionComparison
from lydite.model import Document, Mention, Pair
from lydite.model.verdict import Explained
from lydite.tasks.nugget.documents import compared_places, surviving
from lydite.tasks.nugget.fates import fate_of, is_skipped
from lydite.tasks.nugget.settings import NuggetSettings

DUPLICATE, SPURIOUS, OUTCOMPETED, SPAN, MISSED = "duplicate", "spurious", "outcompeted", "span", "missed"


def faults(settings: NuggetSettings) -> tuple[str, ...]:
    """The rows of the budget, in the order in which they are mended; only attributes under evaluation have one."""
    attributes = tuple(name for name in ("type", "realis") if name in settings.attributes)
    return (DUPLICATE, SPURIOUS, OUTCOMPETED, SPAN, *attributes, MISSED)


class MentionFaults:
    """The faults of one document of a system."""

    def __init__(self, explained: Explained[MentionComparison], settings: NuggetSettings) -> None:
        self._explained, self._settings = explained, settings
        comparison = explained.comparison
        self._comparison = comparison
        fate = fate_of(comparison, settings)
        self._gold, self._system = (
            compared_places(explained.gold, settings),
            compared_places(explained.system, settings),
        )
        self._pairs = fate.pairs
        near = {pair.system for pair in comparison.candidates}
        unpaired = [at for at in range(len(comparison.system.mentions)) if at not in fate.of_system]
        self._dropped = {
            DUPLICATE: frozenset(at for at in unpaired if at in fate.system_copies),
            SPURIOUS: frozenset(at for at in unpaired if at not in fate.system_copies and at not in near),
            OUTCOMPETED: frozenset(at for at in unpaired if at not in fate.system_copies and at in near),
        }
        self._missed = [
            at
            for at in range(len(comparison.gold.mentions))
            if fate.pair_of_gold(at) is None and at not in fate.gold_copies
        ]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many mentions have each fault; in a document that is skipped nothing has one."""
        if is_skipped(self._comparison, self._settings):
            return {}
        counts = {fault: len(positions) for fault, positions in self._dropped.items()}
        counts[SPAN] = sum(pair.similarity != 1 for pair in self._pairs)
        for name in self._settings.attributes:
            counts[name] = sum(self._differs(name, pair) for pair in self._pairs)
        counts[MISSED] = len(self._missed)
        return {fault: counts[fault] for fault in faults(self._settings) if counts[fault]}

    def _differs(self, name: str, pair: Pair) -> bool:
        columns = self._comparison.gold_columns[name], self._comparison.system_columns[name]
        return columns[0][pair.gold] != columns[1][pair.system]

    def mend(self, mended: frozenset[str]) -> Document:
        """The system's document after mending these faults."""
        system = self._explained.system
        mentions: dict[int, Mention] = dict(enumerate(system.mentions))
        for fault, positions in self._dropped.items():
            if fault in mended:
                for position in positions:
                    del mentions[self._system[position]]
        for pair in self._pairs:
            place = self._system[pair.system]
            mentions[place] = self._as_gold(mentions[place], pair, mended)
        added: list[Mention] = []
        if MISSED in mended:
            added = [self._explained.gold.mentions[self._gold[at]] for at in self._missed]
        left = (*mentions.values(), *added)
        relations = surviving(system.relations, {mention.id for mention in left})
        return system._replace(mentions=left, relations=relations, present=True)

    def _as_gold(self, mention: Mention, pair: Pair, mended: frozenset[str]) -> Mention:
        gold = self._explained.gold.mentions[self._gold[pair.gold]]
        if SPAN in mended and pair.similarity != 1:
            mention = mention._replace(span=gold.span, text=gold.text)
        if "type" in mended and self._differs("type", pair):
            mention = mention._replace(type=gold.type)
        if "realis" in mended and self._differs("realis", pair):
            mention = mention._replace(realis=gold.realis)
        return mention


def find_faults(explained: Explained[MentionComparison], settings: NuggetSettings) -> MentionFaults:
    """The faults of a compared document."""
    return MentionFaults(explained, settings)
