"""ACE elements: entities, values, time expressions, relations and events, as an APF file gives them.

An :class:`Element` is what one document says about one element; the same ``id`` in several documents is one element
of the corpus.  Attribute names are upper case, as in the format.  Nothing is filled in here: a missing MODALITY is
missing, and what it counts as is decided where the element is valued.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from lydite.assignment import assign

ENTITY, VALUE, TIMEX2, RELATION, EVENT = "entity", "value", "timex2", "relation", "event"
KINDS = (ENTITY, VALUE, TIMEX2, RELATION, EVENT)
"""The five kinds, in the order in which they are scored and reported."""
FILLER_KINDS = (ENTITY, VALUE, TIMEX2)
"""The kinds of elements that fill arguments."""

_CONDITION_NAMES = {
    "mention-count": "MENTION COUNT",
    "cross-doc": "CROSS-DOC",
    "name-entropy": "NAME_ENTROPY",
    "argument-errors": "ARGUMENT ERRORS",
    "num-arguments": "NUM ARGUMENTS",
}


def condition_name(name: str) -> str:
    """The name of a breakdown of elements in the official tables: mostly ours in upper case."""
    return _CONDITION_NAMES.get(name, name.upper())


LAYER: Final = "ace"
"""The layer of a document that holds its elements."""

SOURCE_LAYER: Final = "ace-source"
"""The layer that holds a :class:`SourceFile`."""


class Box(NamedTuple):
    """A rectangle on a page of an image."""

    page: str
    x: float
    y: float
    width: float
    height: float


class Region(NamedTuple):
    """Where a head or an extent lies: a half-open range of characters or seconds, or boxes on pages."""

    start: float
    end: float
    text: str = ""
    boxes: tuple[Box, ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether the place counts characters, which are whole; seconds are not, and a picture has neither."""
        return isinstance(self.start, int) and not self.boxes

    @property
    def characters(self) -> tuple[tuple[int, int], ...]:
        """The characters that it holds; those of a sound or a picture are none."""
        return ((int(self.start), int(self.end)),) if self.is_text and self.end > self.start else ()


def overlap(first: Region, second: Region) -> float:
    """Shared length over the longer of two spans: the smaller of the two fractions; 0 if they do not touch.

    Text and time alike, since both are half-open here.  Of images the shared area over the larger total area, with
    boxes of equal pages assigned one to one so that the shared area is largest.
    """
    if first.boxes or second.boxes:
        return _box_overlap(first, second)
    shared = min(first.end, second.end) - max(first.start, second.start)
    return shared / max(first.end - first.start, second.end - second.start) if shared > 0 else 0.0


def _box_overlap(first: Region, second: Region) -> float:
    shared: list[tuple[int, int, float]] = []
    for i, one in enumerate(first.boxes):
        for j, other in enumerate(second.boxes):
            width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            if one.page == other.page and width > 0 and height > 0:
                shared.append((i, j, width * height))
    areas = [sum(box.width * box.height for box in region.boxes) for region in (first, second)]
    return sum(shared[place][2] for place in assign(shared)) / max(areas) if shared else 0.0


class ElementArgument(NamedTuple):
    """A role and the id of what fills it: an element, or a mention where a mention has arguments."""

    role: str
    filler: str


class Name(NamedTuple):
    """A name of an entity and, where given, its place."""

    text: str
    region: Region | None = None


class Link(NamedTuple):
    """The id of an element in an outside resource."""

    resource: str
    id: str


class SourceFile(NamedTuple):
    """The source of a document: kind of data (``text``, ``audio``, ``image``), genre, address."""

    data_type: str
    source: str
    uri: str


# Nothing changes elements and mentions, but there are many: frozen, each would take five times as long to make.


@dataclass(slots=True, unsafe_hash=True, repr=False)
class ElementMention:
    """One place where an element is mentioned.

    ``head`` is the head of an entity mention or the anchor of an event mention.  ``type`` (NAM, NOM, PRO), ``role``
    and ``metonymic`` belong to entity mentions; ``arguments`` to mentions of relations and events.
    """

    id: str
    extent: Region | None
    head: Region | None = None
    type: str = ""
    role: str = ""
    metonymic: bool = False
    arguments: tuple[ElementArgument, ...] = ()
    line: int = field(default=0, repr=False, compare=False)

    def __repr__(self) -> str:
        # Documents are hashed by what they say; written out by hand, because there are many mentions.
        extent = _written(self.extent)
        head = extent if _is_same(self.head, self.extent) else _written(self.head)
        arguments = [tuple(argument) for argument in self.arguments] if self.arguments else "[]"
        return f"{self.id!r} {self.type} {self.role} {self.metonymic!r} [{extent}, {head}] {arguments}"


def _written(place: Region | None) -> str:
    """A place written like a tuple, but faster."""
    if place is None:
        return "None"
    start, end, text, boxes = place
    return f"({start}, {end}, {text!r}, {boxes})"


def _is_same(one: Region | None, other: Region | None) -> bool:
    """Whether two places are equal and written alike: the seconds 1.0 equal the character 1, but are not written alike."""
    return one == other and (one is None or other is None or type(one.start) is type(other.start))


@dataclass(slots=True, unsafe_hash=True, repr=False)
class Element:
    """One element as a document describes it."""

    kind: str
    id: str
    attributes: Mapping[str, str]
    mentions: tuple[ElementMention, ...] = ()
    arguments: tuple[ElementArgument, ...] = ()
    names: tuple[Name, ...] = ()
    links: tuple[Link, ...] = ()
    line: int = field(default=0, repr=False, compare=False)

    def __repr__(self) -> str:
        # As above; the places of names are left out, since heads have them.
        arguments = [tuple(argument) for argument in self.arguments] if self.arguments else "[]"
        names = [name.text for name in self.names]
        links = [tuple(link) for link in self.links] if self.links else "[]"
        return f"{self.kind} {self.id!r} {self.attributes} {self.mentions} {arguments} {names} {links}"
