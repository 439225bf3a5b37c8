"""The normal forms in which attribute values are compared."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence

_LETTERS_AND_DIGITS = frozenset(string.ascii_letters + string.digits)
_DROPPED_BY_N1 = frozenset(string.whitespace + string.punctuation)
_TO_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _n1(value: str) -> str:
    """Lower-case ASCII; ASCII white space and punctuation dropped; everything else stays (2015)."""
    return "".join(letter for letter in value.translate(_TO_LOWER) if letter not in _DROPPED_BY_N1)


def _n2(value: str) -> str:
    """ASCII letters and digits, lower-cased; everything else is dropped (2016 and later)."""
    return "".join(letter for letter in value if letter in _LETTERS_AND_DIGITS).translate(_TO_LOWER)


class _Forms(dict[str, str]):
    """A cache of the normal forms of values: a corpus has few distinct ones.

    ``lru_cache`` would cost a run of detection 1.2 % more.
    """

    def __init__(self, normalise: Callable[[str], str]) -> None:
        super().__init__()
        self._normalise = normalise

    def __missing__(self, value: str) -> str:
        if len(self) >= MOST_FORMS:
            self.clear()
        form = self[value] = self._normalise(value)
        return form


MOST_FORMS = 1 << 14
"""How many values are remembered at most."""
n1 = _Forms(_n1).__getitem__
n2 = _Forms(_n2).__getitem__
NORMALISATIONS: dict[str, Callable[[str], str]] = {"none": str, "n1": n1, "n2": n2}
"""The normalisations of values by name; the pilot study compares strings as they are written."""


def normalised(values: Sequence[str], how: str) -> tuple[str, ...]:
    """The values as the profile compares them."""
    return tuple(map(NORMALISATIONS[how], values))
