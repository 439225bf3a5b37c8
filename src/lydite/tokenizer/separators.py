"""Extra separators: cut tokens at given characters.

The cut is blind: ``http://lorn.com/a-b`` becomes ``http:``, ``lorn.com``, ``a``, ``b``.
"""

import re
from collections.abc import Iterable, Iterator

from lydite.tokenizer.token import Token

#: What the official maker cuts at unless told otherwise.
DEFAULT_SEPARATORS = "/-\\"


def cut_at_separators(tokens: Iterable[Token], separators: str) -> Iterator[Token]:
    """The pieces of ``tokens`` between separator characters.

    A separator belongs to no token, so it is dropped; a token made of separators vanishes.
    Without separators the tokens stay as they are.
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
