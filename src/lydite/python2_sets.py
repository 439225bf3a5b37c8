"""The order in which a set of Python 2.7 gives out its members (64 bits, hash randomisation off).

Two official programs print or take things in that order, so it decides figures; it is a function of the members and of
the order in which they were put in, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate
from typing import TypeVar

from lydite.escaping import in_bytes

Key = TypeVar("Key", bytes, tuple[bytes, ...], tuple[str, ...])
"""A text in a tuple stands for its bytes."""

_WORD = (1 << 64) - 1
_MULTIPLIER = 1000003
_MANY = 50_000
"""Beyond so many members a table grows by two instead of four."""


def set_order(keys: Iterable[Key]) -> list[Key]:
    """The distinct keys in the order of the slots of the table that they are put into one after the other."""
    table: list[tuple[int, Key] | None] = [None] * 8
    for filled, key in enumerate(dict.fromkeys(keys), 1):
        _put(table, key_hash(key), key)
        if 3 * filled >= 2 * len(table):
            table = _grown(table, filled)
    return [entry[1] for entry in table if entry is not None]


def _grown(table: list[tuple[int, Key] | None], filled: int) -> list[tuple[int, Key] | None]:
    least = (2 if filled > _MANY else 4) * filled
    grown: list[tuple[int, Key] | None] = [None] * max(8, 1 << least.bit_length())
    for entry in table:
        if entry is not None:
            _put(grown, *entry)
    return grown


def _put(table: list[tuple[int, Key] | None], hashed: int, key: Key) -> None:
    mask = len(table) - 1
    place, rest = hashed & mask, hashed
    while table[place & mask] is not None:
        place = (5 * place + rest + 1) & _WORD
        rest >>= 5
    table[place & mask] = hashed, key


def key_hash(key: bytes | tuple[bytes | str, ...]) -> int:
    """The hash of a byte string or of a tuple of byte strings, as a number from 0 to 2⁶⁴ − 1.

    >>> key_hash(b"After"), key_hash((b"E1", b"E2", b"After"))
    (8531567404105825195, 9520533590634744593)
    """
    return _of_bytes(key) if isinstance(key, bytes) else _of_tuple(key)


def _told_from_failure(hashed: int) -> int:
    """No hash is all ones: that means a failure there."""
    return _WORD - 1 if hashed == _WORD else hashed


@lru_cache(maxsize=1 << 16)  # the ids of a document come again in the next one
def _of_bytes(key: bytes | str) -> int:
    if isinstance(key, str):
        key = in_bytes(key)
    if not key:
        return 0
    hashed = key[0] << 7
    for byte in key:
        hashed = (_MULTIPLIER * hashed & _WORD) ^ byte
    return _told_from_failure(hashed ^ len(key))


@lru_cache(maxsize=1 << 14)  # and so do their links
def _of_tuple(key: tuple[bytes | str, ...]) -> int:
    hashed = 0x345678
    for member, factor in zip(key, _factors(len(key)), strict=True):
        hashed = (hashed ^ _of_bytes(member)) * factor & _WORD
    return _told_from_failure((hashed + 97531) & _WORD)


@cache
def _factors(length: int) -> list[int]:
    steps = (82520 + 2 * left for left in range(length - 1, 0, -1))
    return list(accumulate(steps, initial=_MULTIPLIER))
