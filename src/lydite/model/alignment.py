"""Alignments: which gold item was joined with which system item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Pair(NamedTuple):
    """A gold and a system item that were joined, by position, and their similarity."""

    gold: int
    system: int
    similarity: float


class Alignment(NamedTuple):
    """All pairs of items of two sides; items in no pair are missed or spurious.

    ``gold`` and ``system`` are the items (mostly mentions) in file order; pairs refer to them by position, in the order
    in which they were chosen.  In a one-to-one alignment a position occurs at most once.
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
