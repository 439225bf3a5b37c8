"""Entities, relations and events of a sentence, at the numbers of its tokens: what relation extraction compares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from lydite.model.windows import WINDOWS, Range

if TYPE_CHECKING:
    from lydite.model.document import Document

GRAPHS: Final = "graphs"
"""The layer of a document with a :class:`SentenceGraph` for each of its windows."""


class GraphEntity(NamedTuple):
    """A mention of an entity: its tokens, its type, and whether it is a name, a noun or a pronoun (``level``)."""

    place: Range
    type: str
    level: str = ""
    id: str = ""


class GraphRelation(NamedTuple):
    """A relation: the tokens of both ends, and their positions among the entities, where the file names entities."""

    type: str
    head: Range
    tail: Range
    ends: tuple[int, int] | None = None
    confidence: float | None = None


class GraphTrigger(NamedTuple):
    """The trigger of an event."""

    place: Range
    type: str


class GraphRole(NamedTuple):
    """An argument: the position of its trigger, its tokens, and the position of its entity, where the file names one."""

    trigger: int
    place: Range
    role: str
    entity: int | None = None


class SentenceGraph(NamedTuple):
    """What a side says of a sentence, in file order.

    ``is_data`` tells mentions with ids, as corpora have them, from the numbered lists that a system writes.  Tokens are
    counted from the begin of the window; in documents that are cut into sentences, from the begin of the document.
    """

    entities: tuple[GraphEntity, ...] = ()
    relations: tuple[GraphRelation, ...] = ()
    triggers: tuple[GraphTrigger, ...] = ()
    roles: tuple[GraphRole, ...] = ()
    is_data: bool = False


NOTHING = SentenceGraph()


class GraphWords:
    """The words at token numbers, and the characters that they cover in the text of their document."""

    def __init__(self, document: Document) -> None:
        self._by_window: Sequence[tuple[Sequence[str], Sequence[Range]]] = ()
        windows = document.layers.get(WINDOWS)
        if windows is None:
            return
        self._by_window = [(window.words, window.ranges) for window in windows.windows]
        if windows.by == "sentence":
            words = tuple(chain.from_iterable(words for words, _ in self._by_window))
            ranges = tuple(chain.from_iterable(ranges for _, ranges in self._by_window))
            self._by_window = [(words, ranges)] * len(self._by_window)

    def words(self, window: int, place: Range) -> str:
        """The words at a place, with blanks between them."""
        return " ".join(self._by_window[window][0][slice(*place)]) if window < len(self._by_window) else ""

    def characters(self, window: int, place: Range) -> tuple[Range, ...]:
        """The characters from the first to the last token of a place."""
        if window >= len(self._by_window):
            return ()
        covered = self._by_window[window][1][slice(*place)]
        return ((covered[0][0], covered[-1][1]),) if covered else ()
