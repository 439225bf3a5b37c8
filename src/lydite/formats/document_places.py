"""The places of documents in their files, in a few bytes for each, because there may be millions of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lydite.errors import Location
from lydite.formats.source import BlockReader, SourcePart

if TYPE_CHECKING:
    from lydite.id_table import IdTable

P = TypeVar("P", bound=tuple[Any, ...])
"""A record of a part and whole numbers."""

IN_MEMORY = 100_000
"""Up to so many documents the table is in memory; beyond, it is on disk, which takes some microseconds for each."""


class DocumentPlaces(MutableMapping[str, P]):
    """Places by document id, in the order in which they were put there.

    A record of five numbers takes 300 bytes as an object and 80 as bytes; it is made when it is asked for.
    """

    def __init__(self, record: Callable[..., P]) -> None:
        self._record = record
        self._parts: list[SourcePart] = []
        self._packed: dict[str, bytes] | IdTable = {}

    @property
    def table(self) -> IdTable | None:
        """The table of the ids, where they are not in memory."""
        return None if isinstance(self._packed, dict) else self._packed

    def __setitem__(self, doc_id: str, place: P) -> None:
        part, *numbers = place
        if not self._parts or self._parts[-1] is not part:
            self._parts.append(part)
        self._packed[doc_id] = struct.pack(f"<I{len(numbers)}Q", len(self._parts) - 1, *numbers)
        if isinstance(self._packed, dict) and len(self._packed) > IN_MEMORY:
            from lydite.id_table import IdTable

            table = IdTable()
            table.update(self._packed)
            self._packed = table

    def __getitem__(self, doc_id: str) -> P:
        packed = self._packed[doc_id]
        part, *numbers = struct.unpack(f"<I{len(packed) // 8}Q", packed)
        return self._record(self._parts[part], *numbers)

    def __delitem__(self, doc_id: str) -> None:
        del self._packed[doc_id]

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


class LinePlace(NamedTuple):
    """The place of the line of a document."""

    part: SourcePart
    offset: int
    size: int
    line: int

    @property
    def location(self) -> Location:
        """The place for findings."""
        return Location(self.part.path, self.line)

    def read(self, files: BlockReader) -> bytes:
        """The bytes of the line; raises :class:`~lydite.errors.FormatError` if they are gone."""
        return files.read(self.part, self.offset, self.offset + self.size)
