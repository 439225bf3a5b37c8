"""When two attribute values agree."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from functools import lru_cache

_LETTERS_AND_DIGITS = frozenset(string.ascii_letters + string.digits)
_DROPPED_BY_N1 = frozenset(string.whitespace + string.punctuation)
_TO_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@lru_cache(maxsize=1 << 14)  # a corpus has few distinct values
def n1(value: str) -> str:
    """Lower-case ASCII; ASCII white space and punctuation dropped; everything else stays (2015)."""
    return "".join(letter for letter in value.translate(_TO_LOWER) if letter not in _DROPPED_BY_N1)


@lru_cache(maxsize=1 << 14)  # a corpus has few distinct values
def n2(value: str) -> str:
    """ASCII letters and digits, lower-cased; everything else is dropped (2016 and later)."""
    return "".join(letter for letter in value if letter in _LETTERS_AND_DIGITS).translate(_TO_LOWER)


NORMALISATIONS: dict[str, Callable[[str], str]] = {"none": str, "n1": n1, "n2": n2}
"""The pilot study compares strings as they are written."""


def normalised(values: Sequence[str], how: str) -> tuple[str, ...]:
    """The values as the profile compares them."""
    return tuple(map(NORMALISATIONS[how], values))
