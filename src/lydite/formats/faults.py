"""All faults of a record, collected in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
S = TypeVar("S")


class Faults(Exception):  # noqa: N818 - what a record has, not what went wrong with the program
    """The faults of a record; each argument is the message of one finding."""


def collect_each(make: Callable[[S], T], items: Iterable[S]) -> list[T]:
    """The results of ``make`` for all items; the :class:`Faults` of all of them are raised together."""
    return collect(*(partial(make, item) for item in items))


def collect(*makers: Callable[[], object]) -> list[Any]:
    """The results of all functions, of any kind; the :class:`Faults` of all of them are raised together."""
    results: list[object] = []
    found: list[object] = []
    for make in makers:
        try:
            results.append(make())
        except Faults as faults:
            found += faults.args
    if found:
        raise Faults(*found)
    return results
