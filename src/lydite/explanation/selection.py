"""Choose verdicts: by document, item, cause and type, or those that one system has right and another has not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lydite.model.verdict import GOLD, RIGHT, Verdict


class VerdictFilter(NamedTuple):
    """The documents, ids, causes and types of the wanted verdicts; an empty part allows all."""

    documents: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self)

    def select(self, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
        """The verdicts that pass."""
        return (verdict for verdict in verdicts if self._passes(verdict))

    def _passes(self, verdict: Verdict) -> bool:
        return (
            (not self.documents or verdict.document in self.documents)
            and (not self.ids or verdict.id in self.ids)
            and (not self.causes or verdict.cause in self.causes)
            and (not self.types or verdict.type in self.types)
        )


def lost_by_second(first: Iterable[Verdict], second: Iterable[Verdict]) -> Iterator[Verdict]:
    """The second system's verdicts on the gold items that the first system has right and the second has not."""
    right = {(one.document, one.id, one.line) for one in first if one.side == GOLD and one.cause in RIGHT}
    for verdict in second:
        key = verdict.document, verdict.id, verdict.line
        if verdict.side == GOLD and verdict.cause not in RIGHT and key in right:
            yield verdict
