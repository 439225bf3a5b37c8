"""Numbers in the input: ASCII digits only, and no larger than any sensible count.

Python accepts more than any format means: ``1_000``, the digits of other scripts, ``nan``.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TypeGuard

MOST_DIGITS = 18
"""An offset, a token number or a count with more digits must be damaged: no text is that long."""
TOO_LARGE = 10**MOST_DIGITS
WHOLE = f"an integer of up to {MOST_DIGITS} digits"

NATURAL = f"[0-9]{{1,{MOST_DIGITS}}}"
"""An offset or a count, as a regular expression."""
_DECIMAL = r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
"""Possessive: thousands of digits that are no number are looked at once."""


def is_natural(text: str) -> bool:
    """Whether a text is an offset or a count: only digits, and not too many."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an integer that can be an offset or a count, with or without a sign; True and 3.0 are not."""
    return type(value) is int and -TOO_LARGE < value < TOO_LARGE


def decimal_of(text: str) -> float | None:
    """The finite number in a text, apart from blanks around it; None if it is not a number."""
    digits = text.strip()
    if re.fullmatch(_DECIMAL, digits) is None:
        return None
    number = float(digits)
    return number if isfinite(number) else None
