"""Words beside a place in the text, in whatever layer of a document they stand.

Offsets can lie where words stand beside them, and words can be put in the text where offsets are missing; both look
at a document as groups of places and know nothing of layers.  A group is what belongs together: the extent and the
head of an ACE mention, the spans of one event argument, a trigger and what fills the roles of its event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from lydite.escaping import counted
from lydite.model import ace
from lydite.model.ace import Element, ElementMention, Name, Region
from lydite.model.argument import (
    EVENTS_LAYER,
    TIME_ROLES,
    ArgumentRow,
    Entity,
    Event,
    EventArgument,
    Range,
    identifier_2015,
)
from lydite.model.argument_lines import LAYER as ARGUMENTS_LAYER
from lydite.model.argument_lines import ArgumentLines
from lydite.model.document import Document, Layers
from lydite.model.mention import Mention
from lydite.model.span import Span
from lydite.records import NamedTuple, replace

Ranges = tuple[Range, ...]
TIMES_LAYER: Final = "times"
ENTITIES_LAYER: Final = "entities"
LINKS_LAYER: Final = "links"
NO_TEXT = frozenset({"", "-"})
"""What stands in the text column of a file when there is no text."""


class Place(NamedTuple):
    """A place and the words that are said to stand there.

    Without ``words`` nothing can be checked; without ``ranges`` the words have not been placed yet.  ``name`` is what
    reports call it, ``noun`` what it is, ``line`` where the file has it.  Places with the same words and the same
    ``turn`` take the places of these words in turn; without a turn, words belong to the nearest place.  If not
    ``whole``, the words may be a part of what stands there.
    """

    name: str
    noun: str
    words: str
    ranges: Ranges
    turn: str | None = None
    line: int = 0
    whole: bool = True

    @property
    def is_checkable(self) -> bool:
        """Whether words stand beside offsets."""
        return bool(self.words and self.ranges)

    @property
    def is_unplaced(self) -> bool:
        """Whether there are words and no offsets."""
        return bool(self.words) and not self.ranges

    def is_in(self, text: str, ranges: Ranges | None = None) -> bool:
        """Whether the words stand in the text, here or at other ranges; white space and character references aside."""
        ranges = self.ranges if ranges is None else ranges
        if any(not 0 <= begin <= end <= len(text) for begin, end in ranges):
            return False
        found = " ".join(text[begin:end] for begin, end in ranges)
        return self._agrees(found) or ("&" in found and self._agrees(_unescaped(found)))

    def _agrees(self, found: str) -> bool:
        there, said = found.split(), self.words.split()
        return there == said or (not self.whole and " ".join(said) in " ".join(there))


def _unescaped(text: str) -> str:
    """Text without the character references that XML and SGML must use."""
    for name, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(name, sign)
    return text


Group = tuple[Place, ...]
Visit = Callable[[Group], Sequence[Ranges]]
"""Takes a group and says where each of its places is to be."""


def groups_of(document: Document) -> list[Group]:
    """All groups of places of a document: mentions first, then layer by layer."""
    groups: list[Group] = []

    def note(group: Group) -> Sequence[Ranges]:
        groups.append(group)
        return [place.ranges for place in group]

    with_places(document, note)
    return groups


def places_of(document: Document) -> Iterator[Place]:
    """All places of a document."""
    return (place for group in groups_of(document) for place in group)


def with_places(document: Document, visit: Visit) -> Document:
    """The document with every place where ``visit`` says; the same document if all stay where they are."""
    changed = False

    def watched(group: Group) -> Sequence[Ranges]:
        nonlocal changed
        made = visit(group)
        changed = changed or any(place.ranges != ranges for place, ranges in zip(group, made, strict=True))
        return made

    mentions = tuple(_mention(mention, watched) for mention in document.mentions)
    walked = {
        name: walk(layer, watched, document)
        for name, walk in _WALKS.items()
        if (layer := document.layers.get(name))
    }
    # A walk gives back what it was given, with other places.
    layers = cast("Layers", {**document.layers, **walked})
    return document._replace(mentions=mentions, layers=layers, content=None) if changed else document


def count_nouns(places: Iterable[Place]) -> str:
    """``3 mentions, 1 filler``."""
    counts = Counter(place.noun for place in places)
    return ", ".join(counted(count, noun) for noun, count in counts.items())


def _words(text: str) -> str:
    stripped = text.strip()
    return "" if stripped in NO_TEXT else stripped


# ------------------------------------------------------------------------------------------------------ mentions


def _mention(mention: Mention, visit: Visit, noun: str = "mention") -> Mention:
    if mention.span.tokens:
        return mention
    ranges = mention.span.ranges
    (made,) = visit((Place(mention.id, noun, _words(mention.text), ranges, mention.type, mention.line),))
    return mention if made == ranges else mention._replace(span=Span(tuple(made)))


# -------------------------------------------------------------------------------------------------------- events


def _events(events: Sequence[Event], visit: Visit, document: Document) -> tuple[Event, ...]:
    """A trigger that is a mention too is looked at there, and goes where the mention goes."""
    known = {mention.span.ranges for mention in document.mentions if mention.span.ranges and mention.text}
    return tuple(
        _event(event, f"events[{number}]", visit, alone=event.trigger not in known)
        for number, event in enumerate(events)
    )


def _event(event: Event, name: str, visit: Visit, *, alone: bool) -> Event:
    """The trigger, its head, and every filler with its head: one group."""
    words = _words(event.text) if alone else ""
    group = [
        Place(f"{name}.trigger", "trigger", words, event.trigger, event.type, event.line),
        Place(f"{name}.head", "head", "", event.head, line=event.line),
    ]
    for number, one in enumerate(event.arguments):
        at = f"{name}.arguments[{number}]"
        group.append(Place(at, "filler", _words(one.text), one.span, line=event.line))
        group.append(Place(f"{at}.head", "head", "", one.head, line=event.line))
    trigger, head, *fillers = visit(tuple(group))
    arguments = tuple(
        EventArgument(one.role, span, of_it, one.text)
        for one, span, of_it in zip(event.arguments, fillers[::2], fillers[1::2], strict=True)
    )
    return event._replace(trigger=trigger, head=head, arguments=arguments)


# ----------------------------------------------------------------------------------------------------- arguments


def _arguments(lines: ArgumentLines, visit: Visit, _document: Document) -> ArgumentLines:
    rows = tuple(_row(row, visit) for row in lines.rows)
    if not lines.frames and not lines.incomplete:
        return replace(lines, rows=rows)
    # A linking may name arguments by an identifier that is made of their spans.
    ids = {row.id for row in lines.rows}
    changed = {
        identifier_2015(before.argument): identifier_2015(after.argument)
        for before, after in zip(lines.rows, rows, strict=True)
        if before is not after
    }
    named = {old: new for old, new in changed.items() if old not in ids}
    frames = tuple(
        frame._replace(members=tuple(named.get(one, one) for one in frame.members)) for frame in lines.frames
    )
    incomplete = tuple(named.get(one, one) for one in lines.incomplete)
    return replace(lines, rows=rows, frames=frames, incomplete=incomplete)


def _row(row: ArgumentRow, visit: Visit) -> ArgumentRow:
    """The canonical string with its offsets; the base filler and the justifications go where it goes.

    A date need not stand in the text.
    """
    argument = row.argument
    words = "" if argument.role in TIME_ROLES else _words(argument.text)
    name = row.id or str(row.line)
    span, filler, justification, additional = visit(
        (
            Place(name, "canonical string", words, (argument.span,), line=row.line, whole=False),
            Place(name, "base filler", "", (argument.filler,), line=row.line),
            Place(name, "justification", "", argument.justification, line=row.line),
            Place(name, "additional justification", "", argument.additional, line=row.line),
        )
    )
    moved = argument._replace(
        span=span[0], filler=filler[0], justification=tuple(justification), additional=tuple(additional)
    )
    return row if moved == argument else row._replace(argument=moved)


# ----------------------------------------------------------------------------------------------------------- ACE


def _elements(elements: Sequence[Element], visit: Visit, document: Document) -> tuple[Element, ...]:
    """Extents and heads with their text; sound and images have no characters."""
    source = document.layers.get(ace.SOURCE_LAYER)
    if source is not None and source.data_type in {"audio", "image"}:
        return tuple(elements)
    return tuple(_element(element, visit) for element in elements)


def _element(element: Element, visit: Visit) -> Element:
    mentions = tuple(_element_mention(mention, element.kind, visit) for mention in element.mentions)
    names = tuple(_name(name, element, visit) for name in element.names)
    return replace(element, mentions=mentions, names=names)


def _element_mention(mention: ElementMention, kind: str, visit: Visit) -> ElementMention:
    head = "anchor" if kind == ace.EVENT else "head"
    regions = {"extent": mention.extent, head: mention.head}
    here = {noun: region for noun, region in regions.items() if region is not None and region.characters}
    made = visit(
        tuple(_region(f"{mention.id} {noun}", noun, one, mention.line) for noun, one in here.items())
    )
    placed = {noun: _put(region, ranges) for (noun, region), ranges in zip(here.items(), made, strict=True)}
    return replace(mention, extent=placed.get("extent", mention.extent), head=placed.get(head, mention.head))


def _name(name: Name, element: Element, visit: Visit) -> Name:
    if name.region is None or not name.region.characters:
        return name
    (made,) = visit((_region(f"{element.id} name", "name", name.region, element.line),))
    return name._replace(region=_put(name.region, made))


def _region(name: str, noun: str, region: Region, line: int) -> Place:
    return Place(name, noun, _words(region.text), region.characters, line=line)


def _put(region: Region, ranges: Ranges) -> Region:
    return region._replace(start=ranges[0][0], end=ranges[0][1])


# --------------------------------------------------------------------------------------------- times and entities


def _times(times: Sequence[Mention], visit: Visit, _document: Document) -> tuple[Mention, ...]:
    return tuple(_mention(mention, visit, "time") for mention in times)


def _entities(entities: Sequence[Entity], visit: Visit, _document: Document) -> tuple[Entity, ...]:
    return tuple(
        one._replace(mentions=tuple(_mention(mention, visit, "entity mention") for mention in one.mentions))
        for one in entities
    )


_WALKS: Mapping[str, Callable[..., object]] = {
    EVENTS_LAYER: _events,
    TIMES_LAYER: _times,
    ENTITIES_LAYER: _entities,
    ARGUMENTS_LAYER: _arguments,
    ace.LAYER: _elements,
}
"""Every layer that has places in the text, and how it is walked."""
