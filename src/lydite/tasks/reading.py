"""Settings that tasks share."""

from lydite.formats.units import TOPIC
from lydite.profile import choice, setting, switch

READING = choice(
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)

REPAIR_OFFSETS = choice(
    "move words in a conversion whose offsets count something else than the characters of their text",
    (
        "none",
        "utf-16",
        "bytes",
        "crlf",
        "bom",
        "tags",
        "shift",
    ),
    table="convert",
    signed=False,
)

GROUND = switch("place words that have no offsets in the text, when scoring or converting", table="convert")

ONLY_DOCUMENT: str | None = setting(
    "str", None, "score this document alone", table="select", abbreviation="document"
)

SCORED_DOCUMENTS = choice(
    "which documents are scored: those of gold, or those of either side", ("gold", "either"), table="select"
)

TOPIC_OF = setting(
    "str",
    TOPIC,
    "regular expression for the topic in a document's name (its first group, if it has one)",
    table="read",
)


def findings(sentence: str, *, flag: bool = True) -> tuple[str, ...]:
    """A setting that lists findings by code; ``sentence`` says what they do."""
    return setting("list", (), sentence, table="check", signed=False, flag=flag)
