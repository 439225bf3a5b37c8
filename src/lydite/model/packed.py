"""Many short texts in little memory: as separate strings, they would need more memory than their characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import overload


class PackedTexts(Sequence[str]):
    """Texts without line breaks, joined in pieces of some thousands, one unpacked at a time: fast in order."""

    __slots__ = ("_count", "_number", "_pieces", "_size", "_texts")

    def __init__(self, size: int) -> None:
        self._size = size
        self._pieces: list[str] = []
        self._count = 0
        self._number, self._texts = -1, [""]

    def extend(self, texts: Sequence[str]) -> None:
        """Append one piece of texts: as many as a piece has, except for the last one."""
        self._pieces.append("\n".join(texts))
        self._count += len(texts)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(piece.split("\n") for piece in self._pieces)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            begin, end, step = place.indices(self._count)
            return self._slice(begin, end) if step == 1 else [self[at] for at in range(begin, end, step)]
        number, at = divmod(range(self._count)[place], self._size)
        return self._unpacked(number)[at]

    def _slice(self, begin: int, end: int) -> list[str]:
        texts: list[str] = []
        for number in range(begin // self._size, -(-end // self._size)):
            before = number * self._size
            texts += self._unpacked(number)[max(begin - before, 0) : end - before]
        return texts

    def _unpacked(self, number: int) -> list[str]:
        if number != self._number:
            self._number, self._texts = number, self._pieces[number].split("\n")
        return self._texts
