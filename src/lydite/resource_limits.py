"""Limits on resources: small input must not fill the memory or the disk of a machine.

Each limit has a name and a default; ``LYDITE_LIMIT_<NAME>`` in the environment changes it.  Limits belong to the machine,
not to a score: input beyond them is refused, and they never change a number.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from lydite.errors import UsageError
from lydite.numerals import is_natural


class Limit(NamedTuple):
    """The default of a limit, and what it counts."""

    default: int
    counts: str


LIMITS: dict[str, Limit] = {
    "unpacked": Limit(8 << 30, "bytes that an archive or a .gz file unpacks to"),
    "ratio": Limit(
        100, "unpacked size over packed size of an archive or a .gz file that unpacks to more than 256 MiB"
    ),
    "member": Limit(
        256 << 20, "bytes of one document in a store of arguments, and that a workbook unpacks to"
    ),
    "members": Limit(10_000, "files and folders in an archive"),
    "name": Limit(1024, "characters in the name of a member of an archive"),
    "attributes": Limit(1000, "attributes of one XML element"),
    "columns": Limit(10_000, "columns in the heading of a table, or in a row of a workbook"),
    "cells": Limit(
        5_000_000,
        "cells in the sheet of a workbook, with the empty ones before them in their row, and empty rows",
    ),
    "nodes": Limit(1_000_000, "nodes of all mentions of a sentence in CorefUD, each mention by itself"),
    "tokens": Limit(
        50_000_000,
        "tokens of a document that is written in a column format, and offsets in an official comparison file",
    ),
    "nested": Limit(100, "documents of a column file that have begun where none has ended yet"),
    "resamples": Limit(1_000_000, "resamples of a corpus"),
}
LARGE = 256 << 20
"""An archive that unpacks to fewer bytes is harmless, however high its compression ratio."""


def limit(name: str) -> int:
    """The limit of that name: from the environment, or the default."""
    value = os.environ.get(f"LYDITE_LIMIT_{name.upper()}", "")
    if not value:
        return LIMITS[name].default
    if not is_natural(value):
        hint = f"it counts {LIMITS[name].counts}; {LIMITS[name].default} by default"
        raise UsageError(f"LYDITE_LIMIT_{name.upper()}: expected a whole number, found {value!r}", hint=hint)
    return int(value)


def hint_to_raise(name: str) -> str:
    """The hint for input that exceeds a limit."""
    return f"if the input is correct, raise the limit with LYDITE_LIMIT_{name.upper()}"
