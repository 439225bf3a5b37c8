"""The token, how tokens are cut at extra separators, and how they are written as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: What the official maker cuts at unless told otherwise.
DEFAULT_SEPARATORS = "/-\\"

_ONE_BLANK = str.maketrans("\t\n", "  ")


class Token(NamedTuple):
    """One token: ``text[start:end]`` of its document, counted in code points."""

    start: int
    end: int
    text: str


def cut_at_separators(tokens: Iterable[Token], separators: str) -> Iterator[Token]:
    """The pieces of ``tokens`` between separator characters.

    A separator belongs to no token, so it is dropped; a token made of separators vanishes.
    The cut is blind: ``http://lorn.com/a-b`` becomes ``http:``, ``lorn.com``, ``a``, ``b``.
    """
    if not separators:
        yield from tokens
        return
    pieces = re.compile(f"[^{re.escape(separators)}]+")
    has_none = frozenset(separators).isdisjoint
    for token in tokens:
        if has_none(token[2]):
            yield token
            continue
        for piece in pieces.finditer(token.text):
            start, end = piece.span()
            yield Token(token.start + start, token.start + end, piece[0])


def table_rows(tokens: Iterable[Token], *, first: int = 1, shift: int = 0) -> Iterator[str]:
    """The rows of a token table, each with its line feed: number, token, begin and end, with TAB between, no header.

    Numbers run from 1, the end is exclusive.  The token is the text as it stands in the document, except that each TAB
    and each line feed in it is written as one blank.  ``first`` is the number of the first row and ``shift`` is added to
    offsets, where the tokens are those of a later block of a long text.
    """
    for number, (start, end, text) in enumerate(tokens, start=first):
        yield f"{number}\t{text.translate(_ONE_BLANK)}\t{start + shift}\t{end + shift}\n"
