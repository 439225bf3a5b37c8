"""The records of a document: windows or sentences that are aligned with those of the other side, and their tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final, Literal, NamedTuple

WINDOWS: Final = "windows"
"""The layer of a document with its :class:`Windows`."""

SENTENCES: Final = "sentences"
"""The layer of a document with its :class:`Sentences`."""

Range = tuple[int, int]


class Sentences(NamedTuple):
    """The words of a document whose places are token numbers, sentence by sentence.

    Two sides must have equally many tokens: in every sentence if sentences are ``counted``, else in the document.
    """

    words: tuple[tuple[str, ...], ...]
    counted: bool


class Window(NamedTuple):
    """A record: its name, its line, its tokens, and where these stand in the text of the document."""

    name: str
    line: int
    words: tuple[str, ...]
    ranges: tuple[Range, ...]

    @property
    def title(self) -> str:
        """The window as messages name it."""
        return f"window {self.name}"


class Windows(NamedTuple):
    """The windows of a document, in file order.

    ``by`` says what they are aligned by: their names; their position, where they have none; or, as sentences of one
    record, their position in the document, whose name is aligned.
    """

    by: Literal["name", "position", "sentence"]
    windows: tuple[Window, ...]


def pair_windows(ours: Windows, theirs: Windows) -> Iterator[tuple[Window | None, Window]]:
    """Every window of a system with the one of gold that it is aligned with, by name or position; None if gold lacks it."""
    if ours.by == theirs.by == "name":
        known = {window.name: window for window in ours.windows}
        return ((known.get(window.name), window) for window in theirs.windows)
    return zip(chain(ours.windows, repeat(None)), theirs.windows, strict=False)
