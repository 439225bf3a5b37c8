"""Event arguments: what a system claims, how an assessor judges it, and which arguments share an event.

An argument claims that something fills a role of an event of some type in a document.  Its filler is a *canonical
argument string* (``text`` with the ``span`` it comes from); ``filler`` is the span that fills the role in the
``justification``; ``additional`` justifies the rest of the inference.  All ranges are half-open character ranges.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha1
from typing import Final, NamedTuple

from lydite.java_maps import string_hash
from lydite.model.mention import Mention

Range = tuple[int, int]
"""A half-open range of characters."""

Filler = tuple[str, Range]
"""A canonical argument string: the string and where it stands; two are equal if both parts are."""

ACTUAL, GENERIC, OTHER = "Actual", "Generic", "Other"
REALIS = (ACTUAL, GENERIC, OTHER)
"""The realis values, in the order of their numbers in the 2015 identifier."""

EVENTS_LAYER: Final = "events"
"""The layer of a document that holds events with their arguments."""

TIME_ROLES = frozenset({"Time", "TIME"})
"""The roles whose fillers are dates."""

ACCEPTABLE = frozenset({"C", "I"})
"""Judgements that accept: correct and inexact."""


class Argument(NamedTuple):
    """One claimed role filler; equality is the identity of an argument (everything but id and confidence)."""

    doc_id: str
    event_type: str
    role: str
    text: str
    span: Range
    justification: tuple[Range, ...]
    filler: Range
    additional: tuple[Range, ...]
    realis: str

    @property
    def canonical(self) -> Filler:
        """The canonical argument string."""
        return self.text, self.span


class PartialArgument(NamedTuple):
    """The columns of a line that could not be read completely: the unreadable ones are None."""

    doc_id: str
    event_type: str
    role: str
    text: str
    span: Range | None
    justification: tuple[Range, ...] | None
    filler: Range | None
    additional: tuple[Range, ...] | None
    realis: str | None


class Assessment(NamedTuple):
    """An assessor's judgement of an argument: ``C`` correct, ``I`` inexact, ``W`` wrong, None for ``NIL``.

    ``event_type`` None means that the assessor ignored the argument.
    """

    event_type: str | None
    role: str | None
    text: str | None
    filler: str | None
    realis: str | None
    mention_type: str | None

    @property
    def accepts_text(self) -> bool:
        """Whether the canonical argument string was accepted."""
        return self.text in ACCEPTABLE

    @property
    def accepts_event(self) -> bool:
        """Whether event type and role were accepted, so that the other judgements must be there."""
        return self.event_type in ACCEPTABLE and self.role in ACCEPTABLE

    def is_good(self, argument: Argument) -> bool:
        """All four judgements acceptable and the realis as claimed."""
        return self.realis == argument.realis and ACCEPTABLE.issuperset(self[:4])

    def is_perfect(self, argument: Argument) -> bool:
        """All four judgements correct and the realis as claimed."""
        return self.realis == argument.realis and self[:4] == ("C", "C", "C", "C")


class ArgumentRow(NamedTuple):
    """One line of a store: an argument with its confidence (system) or its assessment (gold).

    ``width`` is the number of columns.  ``assessment`` is None on a line that nobody assessed; ``cluster`` is the
    coreference id of the canonical argument string.  ``remark`` is the comment that stands directly above the line.
    """

    argument: Argument
    line: int = 0
    id: str = ""
    confidence: float = 1.0
    assessment: Assessment | None = None
    cluster: int | None = None
    width: int = 11
    remark: str = ""


class Frame(NamedTuple):
    """Arguments of one event, by id; ``id`` names the frame where the format has names."""

    members: tuple[str, ...]
    line: int = 0
    id: str = ""


class EventArgument(NamedTuple):
    """A span that fills a role of an event, with its head where one is known.

    ``text`` are the words that are said to stand there; words without a span have no place in the text yet.
    """

    role: str
    span: tuple[Range, ...] = ()
    head: tuple[Range, ...] = ()
    text: str = ""

    def __repr__(self) -> str:
        # The content hash is made from this, and the words of a placed filler add nothing to its span.
        fields = f"role={self.role!r}, span={self.span!r}, head={self.head!r}"
        return f"EventArgument({fields})" if self.span else f"EventArgument({fields}, text={self.text!r})"


class Event(NamedTuple):
    """An event of ordinary event extraction: a trigger with a type, its words (``text``), and its arguments."""

    type: str
    trigger: tuple[Range, ...] = ()
    arguments: tuple[EventArgument, ...] = ()
    head: tuple[Range, ...] = ()
    realis: str = ""
    line: int = 0
    text: str = ""

    @classmethod
    def at(cls, mention: Mention, arguments: tuple[EventArgument, ...] = ()) -> Event:
        """The event whose trigger is this mention of characters."""
        ranges = tuple(mention.span.ranges)
        return cls(mention.type, ranges, arguments, (), mention.realis, mention.line, mention.text)

    def __repr__(self) -> str:
        # As above; neither does the line of its file.
        fields = (
            f"type={self.type!r}, trigger={self.trigger!r}, arguments={self.arguments!r}, head={self.head!r}, "
            f"realis={self.realis!r}"
        )
        return f"Event({fields})" if self.trigger else f"Event({fields}, text={self.text!r})"


class Entity(NamedTuple):
    """An entity that fills roles, with its mentions."""

    id: str
    type: str
    mentions: tuple[Mention, ...] = ()


def without_additional(argument: Argument) -> Argument:
    """The argument as the written task description identifies it: additional justification does not count."""
    return argument._replace(additional=()) if argument.additional else argument


# Identifiers

_MASK = 0xFFFFFFFF


def _list_hash(values: Iterable[int]) -> int:
    total = 1
    for value in values:
        total = (31 * total + value) & _MASK
    return total


def _range_hash(span: Range) -> int:
    begin, end = span
    return _list_hash((begin, end - 1))  # the identifiers count inclusive ends


def identifier_2014(argument: Argument) -> int:
    """The 32-bit identifier of 2014: it decides official ties and is column 1 of written stores.

    With S a string's hash and A(x…) the list hash (h ← 31h + x, from 1):
    A(S(doc), S(type), S(role), A(S(text), span), span(filler), Σ additional, Σ justification, S(realis)), signed.
    """
    parts = (
        string_hash(argument.doc_id),
        string_hash(argument.event_type),
        string_hash(argument.role),
        _list_hash((string_hash(argument.text), _range_hash(argument.span))),
        _range_hash(argument.filler),
        sum(map(_range_hash, argument.additional)),
        sum(map(_range_hash, argument.justification)),
        string_hash(argument.realis),
    )
    value = _list_hash(parts) & _MASK
    return value - 0x100000000 if value & 0x80000000 else value


def identifier_2015(argument: Argument) -> str:
    """The SHA-1 of 2015 in hexadecimal: names and text without separators, then little-endian integers.

    The integers are the span and the filler (inclusive), 0, each justification in ascending order, 1, each
    additional justification in ascending order, and the number of the realis value.
    """
    digest = sha1(usedforsecurity=False)
    for text in (argument.doc_id, argument.event_type, argument.role, argument.text):
        digest.update(text.encode("utf-8", "surrogatepass"))
    numbers = [*_inclusive(argument.span), *_inclusive(argument.filler), 0]
    for span in sorted(argument.justification):
        numbers.extend(_inclusive(span))
    numbers.append(1)
    for span in sorted(argument.additional):
        numbers.extend(_inclusive(span))
    numbers.append(REALIS.index(argument.realis))
    for number in numbers:
        digest.update((number & _MASK).to_bytes(4, "little"))
    return digest.hexdigest()


def _inclusive(span: Range) -> Range:
    return span[0], span[1] - 1


def preference(argument: Argument, confidence: float) -> tuple[float, int, tuple[str, ...]]:
    """The sort key by which one argument of a cluster is preferred: confidence, then the larger 2014 identifier.

    Where two identifiers collide the columns decide, as text, so that the order of lines never does.
    """
    spans = ((argument.span,), argument.justification, (argument.filler,), argument.additional)
    columns = (",".join(f"{begin}-{end - 1}" for begin, end in sorted(ranges)) for ranges in spans)
    text = (argument.doc_id, argument.event_type, argument.role, argument.text, *columns, argument.realis)
    return confidence, identifier_2014(argument), text


def highest(given: Iterable[tuple[Argument, float]]) -> dict[Argument, float]:
    """Each argument with the highest of its confidences."""
    answers: dict[Argument, float] = {}
    for argument, confidence in given:
        answers[argument] = max(confidence, answers.get(argument, confidence))
    return answers


def best(rows: Iterable[tuple[Argument, float]]) -> tuple[Argument, float]:
    """The preferred one of arguments with confidences; identifiers are computed for ties alone."""
    leaders: list[tuple[Argument, float]] = []
    for row in rows:
        if not leaders or row[1] > leaders[0][1]:
            leaders = [row]
        elif row[1] == leaders[0][1]:
            leaders.append(row)
    return leaders[0] if len(leaders) == 1 else max(leaders, key=lambda row: preference(*row))
