"""Event types, their roles, and the types of their fillers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RoleDefinition:
    """A role of an event type: the entity and value types that may fill it, and its definition for assessors."""

    name: str
    fillers: tuple[str, ...] = ()
    definition: str = ""
    tolerated: bool = False
    """Accepted with a warning: not in the written table, but in the file of the official program."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The event types of a campaign with their roles, in the order of its table.

    ``always`` are roles of every type.  ``removed`` are types of the parent scheme that the campaign dropped, and
    ``misspellings`` are invalid spellings in its own text; both are only for hints.  ``scrutiny`` are the types whose
    arguments assessors check twice, each with the reason.
    """

    name: str
    types: Mapping[str, Mapping[str, RoleDefinition]]
    always: Mapping[str, RoleDefinition] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    misspellings: Mapping[str, str] = field(default_factory=dict)
    scrutiny: Mapping[str, str] = field(default_factory=dict)
    realis: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)
    title: str = ""

    def roles(self, event_type: str) -> tuple[str, ...]:
        """Return the roles of a type in the order of its table, then those of every type."""
        own = [role.name for role in self.types[event_type].values() if not role.tolerated]
        return tuple(dict.fromkeys([*own, *self.always]))

    def role(self, event_type: str, name: str) -> RoleDefinition | None:
        """Return the role, or None if the type has no such role."""
        return self.types.get(event_type, {}).get(name) or self.always.get(name)
