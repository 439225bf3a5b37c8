"""The collector of cyclic garbage, out of the way while many records are made that hold no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector: it would walk hundreds of thousands of records again and again and find nothing.

    Afterwards what was made counts as old, so that the first collection need not walk all of it either.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_freeze_count() == 0:
                # Frozen and thawed, objects come back in the oldest generation, without a look at any of them.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
