"""The settings that code for all tasks uses."""

from __future__ import annotations

from typing import TypeVar

from lydite.formats.base import TOPIC
from lydite.profile import Settings, choice

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
