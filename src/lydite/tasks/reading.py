"""Settings that tasks share."""

from lydite.formats.units import TOPIC
from lydite.profile import setting

READING = setting(
    "str",
    "refuse",
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)

REPAIR_OFFSETS = setting(
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

GROUND = setting(
    "bool",
    False,
    "place words that have no offsets in the text, when scoring or converting",
    table="convert",
)

TOPIC_OF = setting(
    "str",
    TOPIC,
    "regular expression for the topic in a document's name (its first group, if it has one)",
    table="read",
)
