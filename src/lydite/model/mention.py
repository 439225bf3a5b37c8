"""Mentions and the relations between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, count, islice, repeat
from operator import eq
from typing import Final, NamedTuple, overload

from lydite.model.span import Span

COREFERENCE = "Coreference"
"""The name of the relation between all members of a cluster."""

AFTER, SUBEVENT = "After", "Subevent"
"""The names of links between event mentions: the second one happens later, or is part of the first one."""

RELATIONS = (COREFERENCE, AFTER, SUBEVENT)
"""The relations that a task scores."""

NOT_ANNOTATED = "NOT_ANNOTATED"
"""What files have as a type or realis that was not annotated."""

SYSTEM_LAYER: Final = "system"
"""The layer of a document with the name of the system as in its file; it is never scored."""

WRITTEN_LAYER: Final = "written"
"""The layer of a document with the lines of its mentions as in its file; only some official layouts use it."""


class Mention(NamedTuple):
    """A span with an id and attributes, from one line or element of a file.

    ``type`` and ``realis`` are as written; ``align`` and the profile decide how they are compared.  ``confidences`` are
    as written, too: they are not scored and need not be numbers.  ``line`` is counted from 1, and 0 without a file.
    """

    id: str
    span: Span
    text: str = ""
    type: str = ""
    realis: str = ""
    confidences: tuple[str, ...] = ()
    line: int = 0


class Relation(NamedTuple):
    """A named relation between mentions of a document, given by their ids in order.

    ``Coreference`` is between all members of a cluster; ``After`` and ``Subevent`` lead from the first to the second.
    """

    name: str
    id: str
    members: tuple[str, ...]
    line: int = 0


class Bounds(NamedTuple):
    """Begin and end of many half-open character ranges, as two columns."""

    begins: Sequence[int]
    ends: Sequence[int]


class MentionColumns:
    """The mentions of a document as columns, in file order: all that most checks and measures need.

    ``bounds`` are begin and end of every mention if each span is one character range, as nearly always, else None;
    ``spans`` are the same as records, which are made when first needed.
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
        """The spans of the mentions."""
        if self._spans is None:
            # Faster than calling Span(ranges=((begin, end),)) in a loop.
            ranges = zip(zip(*(self.bounds or ((), ())), strict=True))
            self._spans = list(map(tuple.__new__, repeat(Span), zip(ranges, repeat(()))))
        elif callable(self._spans):
            self._spans = self._spans()
        return self._spans

    @property
    def doubled(self) -> Sequence[int]:
        """Positions of the mentions that have the same begin as another one or, without bounds, the same span."""
        if self._doubled is None:
            self._doubled = repeats(self.bounds.begins if self.bounds else [*map(hash, self.spans)])
        return self._doubled

    def __getitem__(self, part: slice) -> MentionColumns:
        """Return the columns of some of the mentions."""
        return MentionColumns(
            self.ids[part],
            self.types[part],
            self.realis[part],
            bounds=None if self.bounds is None else Bounds(*(ends[part] for ends in self.bounds)),
            spans=None if self._spans is None else self.spans[part],
        )


def repeats(numbers: Sequence[int]) -> Sequence[int]:
    """Return the positions of numbers that occur more than once; by sorting, since a large set needs more memory."""
    ordered = sorted(numbers)
    repeated = set(compress(ordered, map(eq, ordered, islice(ordered, 1, None))))
    return [*compress(count(), map(repeated.__contains__, numbers))] if repeated else ()


def columns_of(mentions: Sequence[Mention]) -> MentionColumns:
    """Return the columns of mentions; no record is made if the reader has columns already."""
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
    """Mentions that are made from their columns when the first one is needed, if ever.

    ``make`` makes a slice of them; if there are very many, a single mention is made by itself.
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
