"""Tags of tokens, and the spans that they encode: B-, I-, O; with E-, S- (IOBES) or L-, U- (BILOU).

There are two readings.  *Strict*: only complete spans of the scheme are spans.  *Lenient*, as in ``conlleval``: a span
begins wherever the type changes or a tag cannot continue the one before, so that every tag but ``O`` belongs to a span.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, Self

TAGS_LAYER: Final = "tags"
"""The layer of a document with its tags, sentence by sentence."""

OUTSIDE = "O"
_FIRST = frozenset("BIESLU")
AUTO = "auto"
IOB2, IOBES, BILOU = "iob2", "iobes", "bilou"
SCHEMES = (IOB2, IOBES, BILOU)
_LETTERS = {IOB2: ("", ""), IOBES: ("E", "S"), BILOU: ("L", "U")}
"""The letters of a last and of a single token in each scheme."""

Tags = Sequence[Sequence[str]]


class Labelled(NamedTuple):
    """A span of tokens with its type."""

    start: int
    end: int
    type: str


class PlacedTags(tuple[str, ...]):  # noqa: SLOT001 - a tuple that knows its place has no slots
    """The tags of a sentence in a file with one tag on each line: its first line, and the column of each tag."""

    line: int
    columns: Sequence[int]

    @classmethod
    def at(cls, line: int, tags: Iterable[tuple[str, int]]) -> Self:
        """Return tags with their columns, beginning at a line."""
        tags = list(tags)
        placed = cls(tag for tag, _ in tags)
        placed.line, placed.columns = line, [column for _, column in tags]
        return placed


@lru_cache(4096)
def is_tag(tag: str) -> bool:
    """Whether a text is ``O``, or a letter of a scheme, alone or followed by ``-`` and a type."""
    return tag == OUTSIDE or (tag[:1] in _FIRST and tag[1:2] in {"", "-"})


def scheme_of(tags: Tags) -> str:
    """Infer the scheme from the letters of tags; without E, S, L and U it is IOB2."""
    letters = {tag[:1] for tag in set(chain.from_iterable(tags))}
    if letters & {"L", "U"}:
        return BILOU
    return IOBES if letters & {"E", "S"} else IOB2


@lru_cache(4096)
def split(tag: str) -> tuple[str, str]:
    """Return the letter and the type of a tag; a letter without a type has the type ``_``."""
    return tag[:1], tag[1:].split("-", maxsplit=1)[-1] or "_"


def lenient(sentence: Sequence[str]) -> Iterator[Labelled]:
    """Return the spans that ``conlleval`` reads from any sequence of tags."""
    previous, previous_type, begin = OUTSIDE, "_", 0
    for at, tag in enumerate([*sentence, OUTSIDE]):
        letter, type_ = split(tag)
        if _ends(previous, letter, previous_type, type_):
            yield Labelled(begin, at, previous_type)
        if _begins(previous, letter, previous_type, type_):
            begin = at
        previous, previous_type = letter, type_


def _ends(previous: str, letter: str, previous_type: str, type_: str) -> bool:
    if previous in {"E", "S"} or (previous in {"B", "I"} and letter in {"B", "S", "O"}):
        return True
    return previous != OUTSIDE and previous_type != type_


def _begins(previous: str, letter: str, previous_type: str, type_: str) -> bool:
    if letter in {"B", "S"} or (previous in {"E", "S", "O"} and letter in {"E", "I"}):
        return True
    return letter != OUTSIDE and previous_type != type_


class ReadTags(NamedTuple):
    """The tags of a document in their scheme: the complete spans of each sentence, and whether it is well-formed.

    A sentence is well-formed if every tag but ``O`` belongs to a complete span.
    """

    scheme: str
    spans: Sequence[tuple[Labelled, ...]]
    well_formed: Sequence[bool]


@lru_cache(8)
def read(tags: tuple[tuple[str, ...], ...], scheme: str) -> ReadTags:
    """Read tags, for the checks and again for their spans; the scheme ``auto`` is inferred from their letters."""
    scheme = scheme_of(tags) if scheme == AUTO else scheme
    spans = [tuple(strict(sentence, scheme)) for sentence in tags]
    covered = [
        sum([end - start for start, end, _ in found]) == len(sentence) - sentence.count(OUTSIDE)
        for found, sentence in zip(spans, tags, strict=True)
    ]
    return ReadTags(scheme, spans, covered)


def strict(sentence: Sequence[str], scheme: str) -> Iterator[Labelled]:
    """Return the complete spans of a scheme: B I* of one type; in IOBES and BILOU, B I* E or L, and S or U."""
    last, single = _LETTERS[scheme]
    at = 0
    while at < len(sentence):
        if sentence[at] == OUTSIDE:
            at += 1
            continue
        letter, type_ = split(sentence[at])
        end = at + 1
        if letter == "B":
            while end < len(sentence) and split(sentence[end]) == ("I", type_):
                end += 1
            closed = bool(last) and end < len(sentence) and split(sentence[end]) == (last, type_)
            end += closed
            if closed or not last:
                yield Labelled(at, end, type_)
        elif single and letter == single:
            yield Labelled(at, end, type_)
        at = end


def ill_formed(sentence: Sequence[str], spans: Iterable[Labelled]) -> Iterator[int]:
    """Return the positions of tags that are not ``O`` and belong to none of the complete spans."""
    covered = {at for span in spans for at in range(span.start, span.end)}
    return (at for at, tag in enumerate(sentence) if tag != OUTSIDE and at not in covered)
