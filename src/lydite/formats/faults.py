"""Everything that is wrong with a record, told in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
S = TypeVar("S")


class Faults(Exception):  # noqa: N818 - what a record has, not what went wrong with the program
    """What is wrong with a record; its arguments are what the findings will say, one for each fault."""


def every(make: Callable[[S], T], items: Iterable[S]) -> list[T]:
    """What is made of each item; the :class:`Faults` of all of them are raised together."""
    return all_of(*(partial(make, item) for item in items))


def all_of(*makers: Callable[[], object]) -> list[Any]:
    """What the makers return, things of any kind; the :class:`Faults` of all of them are raised together."""
    made: list[object] = []
    found: list[object] = []
    for make in makers:
        try:
            made.append(make())
        except Faults as faults:
            found += faults.args
    if found:
        raise Faults(*found)
    return made
