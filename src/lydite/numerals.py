"""Numbers as input writes them: in ASCII digits, and no larger than anything that is counted.

Python takes more for a number than any format means: ``1_000``, the digits of other scripts, ``nan``.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TypeGuard

MOST_DIGITS = 18
"""An offset, a token number or a count with more digits is damaged: no text is that long, and no array could hold it."""
TOO_LARGE = 10**MOST_DIGITS
WHOLE = f"an integer of up to {MOST_DIGITS} digits"

NATURAL = f"[0-9]{{1,{MOST_DIGITS}}}"
"""An offset or a count, as a regular expression."""
_DECIMAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def is_natural(text: str) -> bool:
    """Whether a text is an offset or a count: digits and nothing else, not too many."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value of JSON or of Python is an offset or a count, with or without a sign; true and 3.0 are none."""
    return type(value) is int and -TOO_LARGE < value < TOO_LARGE


def decimal_of(text: str) -> float | None:
    """The finite number that a text writes, blanks around it aside; None if it writes none."""
    said = text.strip()
    if re.fullmatch(_DECIMAL, said) is None:
        return None
    number = float(said)
    return number if isfinite(number) else None
