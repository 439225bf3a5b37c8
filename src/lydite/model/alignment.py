"""Which items of two sides were joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydite.records import NamedTuple


class Pair(NamedTuple):
    """A gold and a system item that were joined, by position, with the weight of the join."""

    gold: int
    system: int
    similarity: float


class Alignment(NamedTuple):
    """All pairs between the items of two sides; what is in no pair is missed or spurious.

    ``gold`` and ``system`` are the items in file order (mentions, mostly); pairs refer to them by position and
    stand in the order in which they were taken.  In a one-to-one alignment a position occurs once at most.
    """

    gold: Sequence[Any]
    system: Sequence[Any]
    pairs: tuple[Pair, ...]

    @property
    def missed(self) -> tuple[int, ...]:
        """Positions of gold items in no pair."""
        paired = {pair.gold for pair in self.pairs}
        return tuple(position for position in range(len(self.gold)) if position not in paired)

    @property
    def spurious(self) -> tuple[int, ...]:
        """Positions of system items in no pair."""
        paired = {pair.system for pair in self.pairs}
        return tuple(position for position in range(len(self.system)) if position not in paired)
