"""The settings that code for all tasks uses, and the declarations of settings that several tasks have."""

from __future__ import annotations

import os
from functools import cache
from typing import TypeVar

from lydite.errors import UsageError
from lydite.profile import Settings, choice, setting, switch
from lydite.registry import did_you_mean
from lydite.toml_files import read_text

TOPIC = r"^(?:[^:/]*:)?([^/]*)/"
"""The default expression for the topic of a document: the text before the first slash, without a name space."""

C = TypeVar("C")
"""The comparison that a task makes of a document pair: both sides, aligned."""


class TaskSettings(Settings):
    """The settings of a task, with defaults for those that every task must have.

    A task that declares a field of the same name lets users set it; in other tasks the value is the one given here.
    """

    # ------------------------------------------------------------------------------------------------- reading
    reading: str = "refuse"
    """Whether broken input is refused, or read as the official program does (``as-official``)."""
    map: tuple[str, ...] = ()
    """The places of keys in JSON records; the format need not be recognised then."""
    system_keys: str = "auto"
    """The keys of JSON records from which a system is read, where predictions may stand beside gold."""
    extension: str | None = None
    """The ending of the files of a folder that are read, if it is not that of the format."""
    unit: str | None = None
    """What spans count (characters, tokens), or what is scored as one document."""
    topic_of: str = TOPIC
    """The regular expression for the topic in a document's name."""
    # --------------------------------------------------------------------------------------- texts and their words
    documents: str | None = None
    """The folder of source texts."""
    offsets: str = "character"
    """What offsets count in source texts: characters, or UTF-16 units (``utf16``)."""
    tokens: str | None = None
    """The folder of token tables."""
    repair_offsets: str = "none"
    """What offsets are assumed to count instead of characters."""
    ground: bool = False
    """Whether words that have no offsets are placed in the text."""
    # ----------------------------------------------------------------------------------------------- measuring
    suite: str = choice(
        "gold and system are files, or folders of datasets whose means rank systems",
        ("none", "datasets"),
        table="read",
    )
    # -------------------------------------------------------------------------------------------------- checks
    max_errors: int = 0
    """The number of errors after which validation stops; 0 reports all."""

    @property
    def joins_documents(self) -> bool:
        """Whether several documents are scored as one: those of a topic, or the whole corpus."""
        return False


S = TypeVar("S", bound=TaskSettings)
"""The settings of a task."""

FINDING_CODES = f"{os.path.dirname(__file__)}/../data/finding-codes.txt"  # noqa: PTH120 - pathlib takes long to import
"""The codes of all findings, one on each line: the headings of the pages under ``docs/errors/``."""

READING = choice(
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)

SYSTEM_KEYS = choice(
    "JSON with predictions beside gold: the keys of a system, plain ones or predicted_… (auto: predicted, if there are any)",
    ("auto", "plain", "predicted"),
    table="read",
)

REPAIR_OFFSETS = choice(
    "move words in a conversion whose offsets count something else than the characters of their text",
    ("none", "utf-16", "bytes", "crlf", "bom", "tags", "shift"),
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
    "pattern",
    TOPIC,
    "regular expression for the topic in a document's name (its first group, if it has one)",
    table="read",
)


def findings(sentence: str, *, flag: bool = True) -> tuple[str, ...]:
    """The declaration of a setting that lists findings by code; ``sentence`` says what they do."""
    return setting("list", (), sentence, table="check", signed=False, flag=flag, check=_refuse_unknown_code)


def _refuse_unknown_code(code: str) -> None:
    """Refuse a code that no finding has, unless other packages add formats: their findings have codes of their own."""
    if code in _finding_codes():
        return
    from importlib.metadata import entry_points

    if entry_points(group="lydite.formats"):
        return
    hint = did_you_mean(code, list(_finding_codes())) or "the pages under docs/errors/ list all codes"
    raise UsageError(f"no finding has the code {code!r}", hint=hint)


@cache
def _finding_codes() -> frozenset[str]:
    return frozenset(read_text(FINDING_CODES).split())
