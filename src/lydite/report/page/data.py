"""Data inside a page: inert blocks of JSON that nothing in them can leave, packed where they are large."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable

from lydite.records import NamedTuple
from lydite.report.page.sides import Json

PACK_ABOVE = 2_000_000
"""Bytes of all documents together above which their blocks are packed."""


class DataBlock(NamedTuple):
    """A block of data: what it is called, its text, and whether that is gzip in base64."""

    name: str
    text: str
    packed: bool = False

    @property
    def size(self) -> int:
        """Bytes in the page."""
        return len(self.text.encode("utf-8")) + 80


def inert(value: object) -> str:
    """JSON that can stand in a script element: without ``<`` there is no end tag and no comment in it."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    written = written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    # Halves of surrogate pairs, which bytes that were no UTF-8 become, are escapes in JSON as well.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def packed(block: DataBlock) -> DataBlock:
    """The block as gzip in base64; the same text gives the same bytes, whenever it is packed."""
    data = gzip.compress(block.text.encode("utf-8"), compresslevel=6, mtime=0)
    return DataBlock(block.name, base64.b64encode(data).decode("ascii"), packed=True)


def blocks(documents: Iterable[tuple[str, Json]]) -> list[DataBlock]:
    """One block per document; all of them packed as soon as together they are large."""
    made: list[DataBlock] = []
    size, large = 0, False
    for name, document in documents:
        made.append(DataBlock(name, inert(document)))
        size += made[-1].size
        if large:
            made[-1] = packed(made[-1])
        elif size > PACK_ABOVE:
            made, large = [packed(block) for block in made], True
    return made


def within(found: Iterable[tuple[float, int, DataBlock]], limit: int) -> set[int]:
    """The numbers of the blocks that fit: those that lost most first, equals in their order."""
    kept: set[int] = set()
    used = 0
    for _, number, block in sorted(found, key=lambda entry: (-entry[0], entry[1])):
        if used + block.size > limit:
            break
        used += block.size
        kept.add(number)
    return kept
