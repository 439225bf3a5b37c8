"""Showing text of the input safely: nothing in it may move the cursor, forge a line or run as a formula.

Files, ids, types and arguments come from others; code that prints one of them calls :func:`printable`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_BIDI = "\u202a-\u202e\u2066-\u2069"
_LINES = "\u2028\u2029"
# Such large character sets are compiled only by the few runs that need them.
_HIDDEN = f"[\x00-\x1f\x7f-\x9f{_LINES}{_BIDI}\ud800-\udfff]"
_HIDDEN_IN_LINES = f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_LINES}{_BIDI}\ud800-\udfff]"

RUNS = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of cells that a spreadsheet program may take for formulas."""


def printable(text: str) -> str:
    r"""The text as one safe line: control characters and lone surrogates are replaced by escapes.

    >>> print(printable("d1\x1b[2J"))
    d1\x1b[2J
    """
    return text if text.isprintable() else re.sub(_HIDDEN, _escape, text)


def printable_lines(text: str) -> str:
    """As :func:`printable`, for a text of several lines: line ends and tabs are kept."""
    in_one = text.replace("\n", "").replace("\t", "")
    return text if in_one.isprintable() else re.sub(_HIDDEN_IN_LINES, _escape, text)


def is_utf_8(text: str) -> bool:
    """Whether a text can be encoded as UTF-8, that is, has no lone surrogates (which JSON can write)."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def in_bytes(text: str) -> bytes:
    """The text in UTF-8; escaped bytes that were not UTF-8 are restored, other lone surrogates are encoded as they are."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def short(text: str, limit: int) -> str:
    """The text cut to at most ``limit`` characters, with an ellipsis at the end if it was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: ``1 document``, ``2 documents``; ``several`` is the plural of an irregular noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {several or f'{noun}s'}"


def first_of(names: Sequence[str], most: int = 3) -> str:
    """The first names of a list, with an ellipsis if there are more."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        # A byte that was not UTF-8.
        return f"\\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def would_run(cell: str) -> bool:
    """Whether a spreadsheet program would take a cell of a CSV or TSV file for a formula; plain numbers are not."""
    return cell.startswith(RUNS) and re.fullmatch(_NUMBER, cell) is None


_NUMBER = r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?%?|-"
