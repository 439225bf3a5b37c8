"""The token: a stretch of text and its place."""

from typing import NamedTuple


class Token(NamedTuple):
    """One token: ``text[start:end]`` of its document, counted in code points."""

    start: int
    end: int
    text: str
