"""The values inside plain objects: whole numbers of any library, texts, mappings; refusals name the place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from math import isfinite
from operator import index
from typing import TypeVar

from lydite.formats.faults import Faults, collect, collect_each
from lydite.numerals import WHOLE, is_whole

T = TypeVar("T")

NAMELESS = "#"
"""What the name of a document without an id begins with; its place among the others follows."""


def shown(value: object) -> str:
    """A value as a message shows it: short, and with its type where the value alone does not tell."""
    whole_text = repr(value)
    return f"{type(value).__name__} {whole_text[:57]}…" if len(whole_text) > 60 else whole_text


def refuse(where: str, expected: str, value: object) -> Faults:
    """The fault of one place."""
    return Faults(f"{where}: expected {expected}, found {shown(value)}")


def whole(value: object, where: str) -> int:
    """A whole number: of Python, NumPy, torch or whatever else counts as one; a truth value is none."""
    number = _integer(value, where, "an integer")
    if not is_whole(number):
        raise refuse(where, WHOLE, value)
    return number


def _integer(value: object, where: str, expected: str) -> int:
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        raise refuse(where, expected, value)
    try:
        return index(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, RuntimeError):
        raise refuse(where, expected, value) from None


def text(value: object, where: str) -> str:
    """A text, as it is."""
    if not isinstance(value, str):
        raise refuse(where, "a text", value)
    return value


def finite(value: object, where: str) -> float:
    """A number of any library; a truth value, a text, an infinite number or none at all is refused."""
    if isinstance(value, str | bytes | bool):
        raise refuse(where, "a number", value)
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, OverflowError):
        raise refuse(where, "a number", value) from None
    if not isfinite(number):
        raise refuse(where, "a finite number", value)
    return number


def name(value: object, where: str) -> str:
    """A text, or a whole number of any size as text."""
    return value if isinstance(value, str) else str(_integer(value, where, "a text or an integer"))


def listed(value: object, where: str, of: str) -> list[object]:
    """The items of an iterable that is neither a text nor a mapping; rows of an array are lists."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise refuse(where, f"a list of {of}", value)
    return [item.tolist() if hasattr(item, "tolist") else item for item in value]


def is_empty(value: object) -> bool:
    """Whether nothing is given: None, or a collection without items; the truth of an array says something else."""
    return value is None or (isinstance(value, Sized) and not len(value))


def each(make: Callable[[object, str], T], items: Iterable[object], where: str) -> list[T]:
    """What is made of each item, which knows its place; all faults are raised together."""
    return collect_each(lambda item: make(item[1], f"{where}[{item[0]}]"), enumerate(items))


def check_keys(
    value: Mapping[str, object], where: str, known: Sequence[str], needed: Iterable[str] = ()
) -> None:
    """Refuse a mapping that lacks a key or has one that is not known; its values are looked at all the same."""
    faults = [f"{where}: unknown key {key!r}; known: {', '.join(known)}" for key in value if key not in known]
    faults += [f"{where}: the key {key!r} is missing" for key in needed if key not in value]
    if faults:
        raise Faults(*faults)


def span(start: object, end: object, where: str) -> tuple[int, int]:
    """A half-open range: 0 ≤ start < end."""
    begin, stop = collect(lambda: whole(start, f"{where}.start"), lambda: whole(end, f"{where}.end"))
    if not 0 <= begin < stop:
        raise Faults(f"{where}: expected 0 ≤ start < end, found {begin} and {stop}")
    return begin, stop


def pair(value: object, where: str) -> tuple[int, int]:
    """A range given as (start, end)."""
    ends = listed(value, where, "two integers")
    if len(ends) != 2:
        raise refuse(where, "(start, end)", value)
    return span(ends[0], ends[1], where)


def ranges(value: object, where: str) -> tuple[tuple[int, int], ...]:
    """One range as (start, end), or a list of such for a discontinuous span."""
    items = listed(value, where, "(start, end)")
    if items and (isinstance(items[0], str) or not isinstance(items[0], Iterable)):
        return (pair(items, where),)
    if not items:
        raise refuse(where, "(start, end)", value)
    return tuple(sorted(set(each(pair, items, where))))
