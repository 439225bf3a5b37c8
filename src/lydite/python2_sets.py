"""The iteration order of sets in Python 2.7 (64 bits, without hash randomisation).

Two official programs print or choose items in that order, so it decides figures; it depends on the members and on the
order in which they were added, and on nothing else.
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
_LARGE = 50_000
"""A table with more members grows by a factor of two instead of four."""


def set_order(keys: Iterable[Key]) -> list[Key]:
    """The distinct keys in the iteration order of a set to which they were added one by one."""
    table: list[tuple[int, Key] | None] = [None] * 8
    for filled, key in enumerate(dict.fromkeys(keys), 1):
        _insert(table, key_hash(key), key)
        if 3 * filled >= 2 * len(table):
            table = _enlarge(table, filled)
    return [entry[1] for entry in table if entry is not None]


def _enlarge(table: list[tuple[int, Key] | None], filled: int) -> list[tuple[int, Key] | None]:
    least = (2 if filled > _LARGE else 4) * filled
    grown: list[tuple[int, Key] | None] = [None] * max(8, 1 << least.bit_length())
    for entry in table:
        if entry is not None:
            _insert(grown, *entry)
    return grown


def _insert(table: list[tuple[int, Key] | None], hashed: int, key: Key) -> None:
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
    return _hash_bytes(key) if isinstance(key, bytes) else _hash_tuple(key)


def _avoid_failure_value(hashed: int) -> int:
    """The hash, or another one instead of -1, which means failure in Python 2.7."""
    return _WORD - 1 if hashed == _WORD else hashed


@lru_cache(maxsize=1 << 16)  # documents often have the same ids
def _hash_bytes(key: bytes | str) -> int:
    if isinstance(key, str):
        key = in_bytes(key)
    if not key:
        return 0
    hashed = key[0] << 7
    for byte in key:
        hashed = (_MULTIPLIER * hashed & _WORD) ^ byte
    return _avoid_failure_value(hashed ^ len(key))


@lru_cache(maxsize=1 << 14)  # and the same links
def _hash_tuple(key: tuple[bytes | str, ...]) -> int:
    hashed = 0x345678
    for member, factor in zip(key, _factors(len(key)), strict=True):
        hashed = (hashed ^ _hash_bytes(member)) * factor & _WORD
    return _avoid_failure_value((hashed + 97531) & _WORD)


@cache
def _factors(length: int) -> list[int]:
    steps = (82520 + 2 * left for left in range(length - 1, 0, -1))
    return list(accumulate(steps, initial=_MULTIPLIER))
