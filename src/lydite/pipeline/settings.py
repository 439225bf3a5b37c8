"""What code that serves every task asks of its settings."""

from __future__ import annotations

from typing import TypeVar

from lydite.formats.base import TOPIC
from lydite.profile import Settings

C = TypeVar("C")
"""What a task makes of a document pair: both sides, aligned."""


class TaskSettings(Settings):
    """The settings of a task; what stands here has a value in all of them.

    A task lets something of this be set by declaring a field of the same name; in the others it is as it is here.
    """

    # ------------------------------------------------------------------------------------------------- reading
    map: tuple[str, ...] = ()
    """Where the keys of a record stand; whoever says so knows what the file is."""
    extension: str | None = None
    """The ending of the files of a folder that are read, where it is not that of the format."""
    unit: str | None = None
    """Of what there is one: what spans count, or what is scored as one document."""
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
    """What offsets are taken to count instead of characters."""
    ground: bool = False
    """Whether words that have no offsets are placed in the text."""
    # -------------------------------------------------------------------------------------------------- checks
    max_errors: int = 0
    """After how many errors validation stops; 0 reports all."""

    @property
    def joins_documents(self) -> bool:
        """Whether several documents are scored as one: those of a topic, or the whole corpus."""
        return False


S = TypeVar("S", bound=TaskSettings)
"""The settings of a task."""
