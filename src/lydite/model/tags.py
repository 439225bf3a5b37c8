"""Tags of tokens, and the spans that they mean: B-, I-, O; with E-, S- (IOBES) or L-, U- (BILOU).

Two readings.  *Strict*: a span is a complete one of its scheme, and nothing else is a span.  *Lenient*, that of
``conlleval``: a span begins wherever the type changes or a tag cannot continue the one before, so that every tag but
``O`` belongs to a span.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

TAGS_LAYER: Final = "tags"
"""The layer of a document that holds its tags, sentence by sentence."""

OUTSIDE = "O"
_FIRST = frozenset("BIESLU")
IOB2, IOBES, BILOU = "iob2", "iobes", "bilou"
SCHEMES = (IOB2, IOBES, BILOU)
_LETTERS = {IOB2: ("", ""), IOBES: ("E", "S"), BILOU: ("L", "U")}
"""Of every scheme the letters of a last and of a single token."""

Tags = Sequence[Sequence[str]]


class Labelled(NamedTuple):
    """A span of tokens with its type."""

    start: int
    end: int
    type: str


def is_tag(tag: str) -> bool:
    """Whether a text is ``O``, or a letter of a scheme, alone or with ``-`` and a type."""
    return tag == OUTSIDE or (tag[:1] in _FIRST and tag[1:2] in {"", "-"})


def scheme_of(tags: Tags) -> str:
    """The scheme that the letters of tags tell; without E, S, L and U it is IOB2."""
    letters = {tag[:1] for sentence in tags for tag in sentence}
    if letters & {"L", "U"}:
        return BILOU
    return IOBES if letters & {"E", "S"} else IOB2


@lru_cache(4096)
def split(tag: str) -> tuple[str, str]:
    """The letter and the type of a tag; a letter without a type has the type ``_``."""
    return tag[:1], tag[1:].split("-", maxsplit=1)[-1] or "_"


def lenient(sentence: Sequence[str]) -> Iterator[Labelled]:
    """The spans that ``conlleval`` sees, whatever the tags."""
    before, kind, begin = OUTSIDE, "_", 0
    for at, tag in enumerate([*sentence, OUTSIDE]):
        letter, type_ = split(tag)
        if _ends(before, letter, kind, type_):
            yield Labelled(begin, at, kind)
        if _begins(before, letter, kind, type_):
            begin = at
        before, kind = letter, type_


def _ends(before: str, letter: str, kind: str, type_: str) -> bool:
    if before in {"E", "S"} or (before in {"B", "I"} and letter in {"B", "S", "O"}):
        return True
    return before != OUTSIDE and kind != type_


def _begins(before: str, letter: str, kind: str, type_: str) -> bool:
    if letter in {"B", "S"} or (before in {"E", "S", "O"} and letter in {"E", "I"}):
        return True
    return letter != OUTSIDE and kind != type_


def strict(sentence: Sequence[str], scheme: str) -> Sequence[Labelled]:
    """The complete spans of a scheme: B I* of one type, in IOBES and BILOU B I* E or L, and S or U."""
    return _strict(tuple(sentence), scheme)


@lru_cache(64)
def _strict(sentence: tuple[str, ...], scheme: str) -> tuple[Labelled, ...]:
    # A sentence is looked at twice in a row: when its tags are checked, and when its spans are taken.
    return tuple(_complete(sentence, scheme))


def _complete(sentence: tuple[str, ...], scheme: str) -> Iterator[Labelled]:
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


def ill_formed(sentence: Sequence[str], scheme: str) -> Iterator[int]:
    """The positions of tags that belong to no complete span of the scheme and are not ``O``."""
    spans = strict(sentence, scheme)
    if sum(span.end - span.start for span in spans) == len(sentence) - sentence.count(OUTSIDE):
        return iter(())
    held = {at for span in spans for at in range(span.start, span.end)}
    return (at for at, tag in enumerate(sentence) if tag != OUTSIDE and at not in held)
