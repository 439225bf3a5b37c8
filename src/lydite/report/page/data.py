"""Data inside a page: blocks of JSON that cannot end their script element, packed if they are large."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from typing import NamedTuple

from lydite.report.page.sides import Json

PACK_ABOVE = 2_000_000
"""Bytes of all documents together above which their blocks are packed."""


class DataBlock(NamedTuple):
    """A block of data: its name, its text, and whether that is gzip in base64."""

    name: str
    text: str
    packed: bool = False

    @property
    def size(self) -> int:
        """The number of bytes in the page."""
        return len(self.text.encode("utf-8")) + 80


def inert(value: object) -> str:
    """JSON for a script element: without ``<`` it cannot contain an end tag or a comment."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    written = written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    # Lone surrogates, which stand for bytes that are not UTF-8, become escapes.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def pack(block: DataBlock) -> DataBlock:
    """The block as gzip in base64; the same text always gives the same bytes."""
    data = gzip.compress(block.text.encode("utf-8"), compresslevel=6, mtime=0)
    return DataBlock(block.name, base64.b64encode(data).decode("ascii"), packed=True)


def blocks(documents: Iterable[tuple[str, Json]]) -> list[DataBlock]:
    """One block per document; all are packed if together they are large."""
    made: list[DataBlock] = []
    size, large = 0, False
    for name, document in documents:
        made.append(DataBlock(name, inert(document)))
        size += made[-1].size
        if large:
            made[-1] = pack(made[-1])
        elif size > PACK_ABOVE:
            made, large = [pack(block) for block in made], True
    return made


def choose_fitting(entries: Iterable[tuple[float, int, DataBlock]], limit: int) -> set[int]:
    """The numbers of the blocks that fit into the limit, of entries (loss, number, block) with the largest loss first."""
    fitting: set[int] = set()
    used = 0
    for _, number, block in sorted(entries, key=lambda entry: (-entry[0], entry[1])):
        if used + block.size > limit:
            break
        used += block.size
        fitting.add(number)
    return fitting
