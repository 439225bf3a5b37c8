"""How much of anything is taken: small input must not cost a machine its memory or its disk.

Each limit has a name, a default and a sentence; ``LYDITE_LIMIT_<NAME>`` in the environment sets another one.  Limits
belong to the machine, not to a score: they never change a number, they refuse.
"""

from __future__ import annotations

import os

from lydite.errors import UsageError
from lydite.numerals import is_natural
from lydite.records import NamedTuple


class Limit(NamedTuple):
    """A number that nothing may exceed, and what it counts."""

    default: int
    counts: str


LIMITS: dict[str, Limit] = {
    "unpacked": Limit(8 << 30, "bytes that an archive or a .gz file unpacks to"),
    "ratio": Limit(
        100, "times its packed size that an archive or a .gz file of more than 256 MiB unpacks to"
    ),
    "member": Limit(256 << 20, "bytes of one document in a store of arguments"),
    "name": Limit(1024, "characters in the name of a member of an archive"),
    "attributes": Limit(1000, "attributes of one XML element"),
    "tokens": Limit(
        50_000_000,
        "tokens of one document that a column format is written with, and offsets in an official comparison file",
    ),
    "resamples": Limit(1_000_000, "resamples of a corpus"),
}
LARGE = 256 << 20
"""What unpacks to less is no bomb, however well it was packed."""


def limit(name: str) -> int:
    """The limit of that name: from the environment, or the default."""
    said = os.environ.get(f"LYDITE_LIMIT_{name.upper()}", "")
    if not said:
        return LIMITS[name].default
    if not is_natural(said):
        raise UsageError(
            f"LYDITE_LIMIT_{name.upper()}: expected a whole number, found {said!r}",
            hint=f"it counts {LIMITS[name].counts}; {LIMITS[name].default} by default",
        )
    return int(said)


def setting_of(name: str) -> str:
    """What a hint says about a limit that was exceeded."""
    return f"if it is right, allow more with LYDITE_LIMIT_{name.upper()}"
