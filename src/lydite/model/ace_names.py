"""How a name of an ACE entity is written when it is compared."""

from __future__ import annotations

import re
from functools import lru_cache

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
LATIN = "a-zªºß-öø-ɏɐ-ʯḀ-ỿ"
"""Small letters of names and texts that are normalised, as a character class of a pattern."""
_ARABIC = "\u0620-\u064a\u066e-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc"
_LINE_ENDS = re.compile(r"[\r\n]+")
_BETWEEN_HAN = re.compile(rf"(?<=[{_HAN}])\n(?=[{_HAN}])")
_HYPHENATED = re.compile(rf"(?<=[{LATIN}{_ARABIC}{_HAN}])-\n(?=[{LATIN}{_ARABIC}{_HAN}])")
_SPACES = re.compile(r"\s+")
_AROUND = re.compile(r"\s*(['-])\s*")
_BROKEN = re.compile(r"(?<=\S)-\n(?=\S)")
_LONGEST, _KEPT, _DOTS = 40, 37, "..."


@lru_cache(maxsize=1 << 16)
def shorten(text: str) -> str:
    """A head or extent as the official scorers keep it: one space for any white space, and not too long.

    A hyphen before a line end inside a word goes.  Of more than 40 characters the first 37 are kept, and three dots.
    """
    text = _BROKEN.sub("", _LINE_ENDS.sub("\n", text))
    text = _SPACES.sub(" ", text)
    return text if len(text) <= _LONGEST else text[:_KEPT] + _DOTS


@lru_cache(maxsize=1 << 16)
def normalise(name: str) -> str:
    """A name as it is compared: lower case, line ends and hyphenation undone, one space, no final full stop.

    A line end between two Han characters goes, and so does a hyphen before a line end between two letters (Latin,
    Arabic, Han); other line ends are spaces.  Space around apostrophes and hyphens goes.
    """
    text = _LINE_ENDS.sub("\n", name.lower())
    text = _BETWEEN_HAN.sub("", text)
    text = _HYPHENATED.sub("", text)
    text = _SPACES.sub(" ", text).strip()
    text = _AROUND.sub(r"\1", text)
    return text.removesuffix(".")
