"""Which verdicts are shown: those of a document, an item, a cause, a type; and what one system has right, another not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lydite.model.verdict import GOLD, RIGHT, Verdict
from lydite.records import NamedTuple


class VerdictFilter(NamedTuple):
    """What is asked for; an empty part asks for everything."""

    documents: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self)

    def of(self, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
        """The verdicts that are asked for."""
        return (verdict for verdict in verdicts if self._wants(verdict))

    def _wants(self, verdict: Verdict) -> bool:
        return (
            (not self.documents or verdict.document in self.documents)
            and (not self.ids or verdict.id in self.ids)
            and (not self.causes or verdict.cause in self.causes)
            and (not self.types or verdict.type in self.types)
        )


def lost_by_second(first: Iterable[Verdict], second: Iterable[Verdict]) -> Iterator[Verdict]:
    """What the first system has right of gold and the second has not, as the second has it."""
    right = {(one.document, one.id, one.line) for one in first if one.side == GOLD and one.cause in RIGHT}
    for verdict in second:
        key = verdict.document, verdict.id, verdict.line
        if verdict.side == GOLD and verdict.cause not in RIGHT and key in right:
            yield verdict
