"""What each character does by itself: characters.tsv.

The table is the observed behaviour of the reference tokeniser, not a Unicode property:
combining marks and the soft hyphen are letters, ``₹`` and everything beyond the basic plane
are unknown.  An unknown character gives no token and separates, as a blank does.
"""

from __future__ import annotations

from bisect import bisect_right
from importlib.resources import files
from typing import NamedTuple


class _Row(NamedTuple):
    first: int
    last: int
    kind: str


def _read_table() -> tuple[_Row, ...]:
    lines = files(__package__).joinpath("characters.tsv").read_text("ascii").splitlines()[1:]
    cells = (line.split("\t") for line in lines)
    return tuple(_Row(int(first, 16), int(last, 16), kind) for first, last, kind in cells)


_ROWS = _read_table()
_FIRSTS = tuple(row.first for row in _ROWS)


def _ranges(*kinds: str) -> str:
    """The inside of a regular-expression class for all characters of these kinds."""
    return "".join(rf"\u{row.first:04x}-\u{row.last:04x}" for row in _ROWS if row.kind in kinds)


def _characters(kind: str) -> str:
    return "".join(chr(code) for row in _ROWS if row.kind == kind for code in range(row.first, row.last + 1))


# Each of these is the inside of a regular-expression class.
BLANK = _ranges("blank")
LETTER = _ranges("letter")
WORD = _ranges("letter", "digit")
# What joins words; also a plain string of characters, hence the ASCII hyphen at its end.
JOINERS = "_" + _characters("hyphen") + "-"
BLANKS = frozenset(_characters("blank"))
# Superscripts, fractions and circled numbers are marks here, but word characters to Python.
ALPHANUMERIC_MARKS = "".join(filter(str.isalnum, _characters("mark")))


class _Kinds(dict[str, str]):
    """The kind of a character, looked up once: texts use few different characters."""

    def __missing__(self, character: str) -> str:
        code = ord(character)
        row = _ROWS[bisect_right(_FIRSTS, code) - 1] if code >= _FIRSTS[0] else None
        kind = row.kind if row and code <= row.last else "unknown"
        self[character] = kind
        return kind


KIND = _Kinds()
