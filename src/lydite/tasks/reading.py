"""Settings that tasks share."""

from lydite.profile import Setting

READING = Setting(
    "reading",
    "str",
    "refuse",
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)

REPAIR_OFFSETS = Setting(
    "repair-offsets",
    "str",
    "none",
    "move words in a conversion whose offsets count something else than the characters of their text",
    (
        "none",
        "utf-16",
        "bytes",
        "crlf",
        "bom",
        "tags",
        "shift",
    ),  # lydite.model.offsets.KINDS, not loaded for that
    table="convert",
    signed=False,
)

GROUND = Setting(
    "ground",
    "bool",
    False,
    "place words that have no offsets in the text, in a conversion",
    table="convert",
    signed=False,
)
