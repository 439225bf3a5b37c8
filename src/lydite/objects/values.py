"""Converting the values inside plain objects: integers of any library, texts, spans; errors name the place of the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from math import isfinite
from operator import index
from typing import TypeVar

from lydite.formats.faults import Faults
from lydite.numerals import WHOLE, is_whole

T = TypeVar("T")

NAMELESS_PREFIX = "#"
"""The beginning of the id that a document without one gets; its number among the others follows."""


def display(value: object) -> str:
    """A value as a message shows it: short, and with its type where the value alone does not tell."""
    whole_text = repr(value)
    return f"{type(value).__name__} {whole_text[:57]}…" if len(whole_text) > 60 else whole_text


def wrong_value(where: str, expected: str, value: object) -> Faults:
    """The fault of a value in one place."""
    return Faults(f"{where}: expected {expected}, found {display(value)}")


def to_integer(value: object, where: str) -> int:
    """The integer that a value of Python, NumPy, torch or another library stands for; booleans are refused."""
    number = _to_integer(value, where, "an integer")
    if not is_whole(number):
        raise wrong_value(where, WHOLE, value)
    return number


def _to_integer(value: object, where: str, expected: str) -> int:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise wrong_value(where, expected, value)
    try:
        return index(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, RuntimeError):
        raise wrong_value(where, expected, value) from None


def to_text(value: object, where: str) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise wrong_value(where, "a text", value)
    return value


def to_number(value: object, where: str) -> float:
    """The number that a value of any library stands for; booleans, texts and infinite numbers are refused."""
    if isinstance(value, str | bytes | bool):
        raise wrong_value(where, "a number", value)
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, OverflowError):
        raise wrong_value(where, "a number", value) from None
    if not isfinite(number):
        raise wrong_value(where, "a finite number", value)
    return number


def to_id(value: object, where: str) -> str:
    """A text, or an integer of any size as text."""
    return value if isinstance(value, str) else str(_to_integer(value, where, "a text or an integer"))


def to_list(value: object, where: str, of: str) -> list[object]:
    """The items of an iterable that is neither a text nor a mapping; rows of an array become lists."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong_value(where, f"a list of {of}", value)
    return [item.tolist() if hasattr(item, "tolist") else item for item in value]


def is_empty(value: object) -> bool:
    """Whether a value is None or a collection without items; ``bool`` would not do for arrays."""
    return value is None or (isinstance(value, Sized) and not len(value))


def convert_each(make: Callable[[object, str], T], items: Iterable[object], where: str) -> list[T]:
    """Convert each item, given its place."""
    return [make(item, f"{where}[{at}]") for at, item in enumerate(items)]


def check_keys(
    value: Mapping[str, object], where: str, known: Sequence[str], needed: Iterable[str] = ()
) -> None:
    """Refuse a mapping that lacks a key or has an unknown one."""
    for key in value:
        if key not in known:
            raise Faults(f"{where}: unknown key {key!r}; known: {', '.join(known)}")
    for key in needed:
        if key not in value:
            raise Faults(f"{where}: the key {key!r} is missing")


def to_span(start: object, end: object, where: str) -> tuple[int, int]:
    """The half-open range from start to end; refused unless 0 ≤ start < end."""
    begin, stop = to_integer(start, f"{where}.start"), to_integer(end, f"{where}.end")
    if not 0 <= begin < stop:
        raise Faults(f"{where}: expected 0 ≤ start < end, found {begin} and {stop}")
    return begin, stop


def to_range(value: object, where: str) -> tuple[int, int]:
    """The range that a pair (start, end) stands for."""
    ends = to_list(value, where, "two integers")
    if len(ends) != 2:
        raise wrong_value(where, "(start, end)", value)
    return to_span(ends[0], ends[1], where)


def to_ranges(value: object, where: str) -> tuple[tuple[int, int], ...]:
    """The sorted ranges of a span: one pair (start, end), or a list of pairs for a discontinuous span."""
    items = to_list(value, where, "(start, end)")
    if items and (isinstance(items[0], str) or not isinstance(items[0], Iterable)):
        return (to_range(items, where),)
    if not items:
        raise wrong_value(where, "(start, end)", value)
    return tuple(sorted(set(convert_each(to_range, items, where))))
