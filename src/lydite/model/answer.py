"""The answer of a system: a record, and how it was read from what a model wrote."""

from __future__ import annotations

from typing import NamedTuple

UNPARSEABLE = "unparseable"
PLAIN = "plain"


class RecordAnswer(NamedTuple):
    """The value of a string, and how it was read: ``plain``, the repairs (``fence+commas``) or ``unparseable``."""

    value: object
    how: str = PLAIN
    repeated_keys: tuple[str, ...] = ()
    fault: str = ""
    """Where the string stops being JSON and what was expected there."""
    written: str | None = None
    """What the model wrote, where it was a string."""
