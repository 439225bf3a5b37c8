"""Arguments of events as today's corpora of documents have them: linked to one trigger, or as strings by role."""

from __future__ import annotations

from typing import Final, NamedTuple

from lydite.model.windows import Range

ROLE_LINKS: Final = "role-links"
"""The layer of a document with its :class:`RoleLinks` (RAMS)."""
TEMPLATES: Final = "filled-templates"
"""The layer of a document with the templates that a system filled, event by event (gen-arg)."""
ROLE_STRINGS: Final = "role-strings"
"""The layer of a document with its :class:`RoleStrings` (MAVEN-Arg)."""


class RoleLink(NamedTuple):
    """An argument of the trigger: its tokens (exclusive ends), its role, and how sure the system is."""

    trigger: Range
    place: Range
    role: str
    confidence: float | None = None


class RoleLinks(NamedTuple):
    """The arguments of the one event of a document; ``starts`` are the first tokens of its sentences, and the end."""

    trigger: Range | None
    type: str
    links: tuple[RoleLink, ...]
    starts: tuple[int, ...] = ()

    def sentence_of(self, token: int) -> int:
        """The number of the sentence with a token."""
        return sum(start <= token for start in self.starts) - 1


class RoleArgument(NamedTuple):
    """A gold argument: its role and the words of its mentions."""

    role: str
    strings: tuple[str, ...]


class RoleTrigger(NamedTuple):
    """A trigger with its arguments."""

    id: str
    arguments: tuple[RoleArgument, ...]


class RoleEvent(NamedTuple):
    """A gold event: its type and its triggers."""

    type: str
    triggers: tuple[RoleTrigger, ...]


class RoleAnswer(NamedTuple):
    """What a system says of a trigger: the type of its event, and strings by role, in file order."""

    trigger: str
    type: str
    roles: tuple[tuple[str, tuple[str, ...]], ...]


class RoleStrings(NamedTuple):
    """What a side says of a document: gold's events and negative triggers, or a system's answers."""

    events: tuple[RoleEvent, ...] = ()
    negatives: tuple[str, ...] = ()
    answers: tuple[RoleAnswer, ...] = ()
