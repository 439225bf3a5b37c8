"""What a process keeps: the collector of garbage out of the way of many records, side files for as long as a run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast


@contextmanager
def without_garbage_collection(*, keeps: bool = True) -> Iterator[None]:
    """Pause the collector: it would walk hundreds of thousands of records again and again and find nothing.

    Afterwards what was made counts as old, so that the first collection need not walk all of it either; unless hardly
    anything of it ``keeps``, as in a loop whose own young objects must not become old at every turn.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if keeps and gc.get_freeze_count() == 0:
                # Frozen and thawed, objects come back in the oldest generation, without a look at any of them.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


P = ParamSpec("P")
T = TypeVar("T")
_FORGETTERS: list[Callable[[], None]] = []


def kept_for_a_run(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember what a function of a path made of its file, the last ``most`` of them, until :func:`forget_files`.

    A file that many documents ask for is read once; a file that changes between two runs of a process is read again.
    """

    def remembered(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(function)
        _FORGETTERS.append(kept.cache_clear)
        return cast("Callable[P, T]", kept)

    return remembered


def forget_files() -> None:
    """Begin anew: every file is read again when it is next asked for."""
    for forget in _FORGETTERS:
        forget()
