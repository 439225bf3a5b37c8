"""Mentions and the relations between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count, islice, repeat
from operator import eq
from typing import Final, overload

from lydite.model.span import Span
from lydite.records import NamedTuple

COREFERENCE = "Coreference"
"""The name of the relation that joins all members of a cluster."""

AFTER, SUBEVENT = "After", "Subevent"
"""The names of links between event mentions: the second one happens later, or is a part of the first one."""

RELATIONS = (COREFERENCE, AFTER, SUBEVENT)
"""The relations that a task scores."""

NOT_ANNOTATED = "NOT_ANNOTATED"
"""What files say of a type or realis where nobody said anything."""

SYSTEM_LAYER: Final = "system"
"""The layer of a document that holds the name of the system as its file gave it; it is never scored."""


WRITTEN_LAYER: Final = "written"
"""The layer of a document that gives the lines of its mentions as their file has them; only some official layouts ask."""


class Mention(NamedTuple):
    """A span with an id and attributes, as one line or element of a file gave it.

    ``type`` and ``realis`` are as written; how they are compared is for ``align`` and the profile.
    ``confidences`` are as written too: they are not scored and need not be numbers.
    ``line`` is the 1-based line of the file, 0 if the mention came from no file.
    """

    id: str
    span: Span
    text: str = ""
    type: str = ""
    realis: str = ""
    confidences: tuple[str, ...] = ()
    line: int = 0


class Relation(NamedTuple):
    """A named relation between mentions of a document, with the ids in their order.

    ``Coreference`` relates all members of a cluster; ``After`` and ``Subevent`` lead from the first to the second.
    """

    name: str
    id: str
    members: tuple[str, ...]
    line: int = 0


class Bounds(NamedTuple):
    """Begin and end of many ranges of characters, half-open, as two columns."""

    begins: Sequence[int]
    ends: Sequence[int]


class MentionColumns:
    """The mentions of a document column by column, in file order: all that most checks and measures look at.

    ``bounds`` holds begin and end of every mention if each span is one range of characters, as nearly all are, else
    None; ``spans`` says the same as records, which are made when they are first asked for.
    """

    __slots__ = ("_doubled", "_spans", "bounds", "ids", "realis", "types")

    def __init__(
        self,
        ids: Sequence[str],
        types: Sequence[str],
        realis: Sequence[str],
        *,
        bounds: Bounds | None = None,
        spans: Sequence[Span] | Callable[[], Sequence[Span]] | None = None,
    ) -> None:
        self.ids, self.types, self.realis = ids, types, realis
        self.bounds, self._spans = bounds, spans
        self._doubled: Sequence[int] | None = None

    @property
    def spans(self) -> Sequence[Span]:
        """Where the mentions stand."""
        if self._spans is None:
            # What Span(ranges=((begin, end),)) does, without a Python-level call for each of many.
            ranges = zip(zip(*(self.bounds or ((), ())), strict=True))
            self._spans = list(map(tuple.__new__, repeat(Span), zip(ranges, repeat(()))))
        elif callable(self._spans):
            self._spans = self._spans()
        return self._spans

    @property
    def doubled(self) -> Sequence[int]:
        """Positions of the mentions that begin where another one does or, without bounds, have the same span."""
        if self._doubled is None:
            self._doubled = repeats(self.bounds.begins if self.bounds else [*map(hash, self.spans)])
        return self._doubled

    def __getitem__(self, part: slice) -> MentionColumns:
        """The columns of some of the mentions."""
        return MentionColumns(
            self.ids[part],
            self.types[part],
            self.realis[part],
            bounds=None if self.bounds is None else Bounds(*(ends[part] for ends in self.bounds)),
            spans=None if self._spans is None else self.spans[part],
        )


def repeats(numbers: Sequence[int]) -> Sequence[int]:
    """The positions of numbers that occur more than once; sorted, because a set of very many takes more room."""
    ordered = sorted(numbers)
    repeated = set(compress(ordered, map(eq, ordered, islice(ordered, 1, None))))
    return [*compress(count(), map(repeated.__contains__, numbers))] if repeated else ()


def columns_of(mentions: Sequence[Mention]) -> MentionColumns:
    """The columns of mentions; no record is made where a reader has the columns anyway."""
    if isinstance(mentions, LazyMentions):
        return mentions.columns
    return MentionColumns(
        [mention.id for mention in mentions],
        [mention.type for mention in mentions],
        [mention.realis for mention in mentions],
        spans=[mention.span for mention in mentions],
    )


ALL = slice(None)
_MANY = 1 << 14


class LazyMentions(Sequence[Mention]):
    """Mentions that are made from their columns when the first one is asked for; a document may never be asked.

    ``make`` makes a part of them; of many mentions a single one is made by itself.
    """

    __slots__ = ("_made", "_make", "columns")

    def __init__(
        self, columns: MentionColumns, make: Callable[[MentionColumns, slice], tuple[Mention, ...]]
    ) -> None:
        self.columns, self._make = columns, make
        self._made: tuple[Mention, ...] | None = None

    def _all(self) -> tuple[Mention, ...]:
        if self._made is None:
            self._made = self._make(self.columns, ALL)
        return self._made

    def __len__(self) -> int:
        return len(self.columns.ids)

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> Mention: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Mention, ...]: ...

    def __getitem__(self, place: int | slice) -> Mention | tuple[Mention, ...]:
        if self._made is None and len(self) > _MANY and isinstance(place, int):
            at = range(len(self))[place]
            return self._make(self.columns, slice(at, at + 1))[0]
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[type[tuple[Mention, ...]], tuple[tuple[Mention, ...]]]:
        return tuple, (self._all(),)
