"""Letters as names."""

from __future__ import annotations


def letters(number: int) -> str:
    """Return A, B, …, Z, AA, AB, … for 0, 1, …, 25, 26, 27, …"""
    rest, last = divmod(number, 26)
    return (letters(rest - 1) if rest else "") + chr(ord("A") + last)
