"""Entities, relations and events that are known by their words, without offsets."""

from __future__ import annotations

from typing import Final, NamedTuple

STRINGS_LAYER: Final = "strings"


class StringEntity(NamedTuple):
    """An entity: its label, the strings that name it, and where it stands, if that is known."""

    label: str
    forms: tuple[str, ...]
    start: int | None = None
    end: int | None = None
    line: int = 0


class StringRelation(NamedTuple):
    """A relation: its type, the strings that name each end, and the types of the ends."""

    type: str
    head: tuple[str, ...]
    tail: tuple[str, ...]
    head_type: str = ""
    tail_type: str = ""


class StringEvent(NamedTuple):
    """An event: its type, its trigger, and role and string of everything that fills a role."""

    type: str
    trigger: str | None
    arguments: tuple[tuple[str, str], ...] = ()


class StringItems(NamedTuple):
    """The items of a document; ``output`` is what a model wrote instead of them."""

    entities: tuple[StringEntity, ...] = ()
    relations: tuple[StringRelation, ...] = ()
    events: tuple[StringEvent, ...] = ()
    output: str | None = None
