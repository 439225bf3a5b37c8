"""Memory: pausing the garbage collector while many records are made, and caching files for the length of a run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast


@contextmanager
def without_garbage_collection(*, keeps: bool = True) -> Iterator[None]:
    """Pause the garbage collector, which would repeatedly search hundreds of thousands of records and find nothing.

    Afterwards the new objects count as old, so that the first collection need not search them either; without ``keeps``
    this is left out, for a loop that keeps hardly any of its objects.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if keeps and gc.get_freeze_count() == 0:
                # This moves all objects to the oldest generation without looking at any of them.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


P = ParamSpec("P")
T = TypeVar("T")
_CLEAR_CACHES: list[Callable[[], None]] = []


def kept_for_a_run(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the last ``most`` results of a function that reads a file, until :func:`forget_files`.

    A file that many documents need is read once; a file that changes between two runs of a process is read again.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(maxsize=most)(function)
        _CLEAR_CACHES.append(cached.cache_clear)
        return cast("Callable[P, T]", cached)

    return decorate


def forget_files() -> None:
    """Empty the caches, so that every file is read again."""
    for clear in _CLEAR_CACHES:
        clear()
