"""The places of a document in its text: words with or without offsets, in all layers.

Offsets can be checked against their words, and words without offsets can be found in the text; for both, a document
consists of groups of places, whatever its layers.  A group belongs together: the extent and the head of an ACE mention,
the spans of an event argument, a trigger and the fillers of the roles of its event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from lydite.escaping import counted, short
from lydite.model import ace
from lydite.model.ace import Element, ElementMention, Region
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

Ranges = tuple[Range, ...]
TIMES_LAYER: Final = "times"
ENTITIES_LAYER: Final = "entities"
LINKS_LAYER: Final = "links"
NO_TEXT = frozenset({"", "-"})
"""The text column of a file that has no text."""


class Place(NamedTuple):
    """Ranges in a text and the words that should be there.

    Without ``words`` the ranges cannot be checked; without ``ranges`` the words are not placed yet.  ``name`` is its name
    in reports, ``noun`` its kind, ``line`` its line in the file.  Places with the same words and the same ``turn`` take
    the occurrences of these words in turn; without a turn, they take the nearest one.  If not ``whole``, the words may be
    a part of the text in the ranges.
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
        """Whether there are words and offsets."""
        return bool(self.words and self.ranges)

    @property
    def is_unplaced(self) -> bool:
        """Whether there are words without offsets."""
        return bool(self.words) and not self.ranges

    def is_in(self, text: str, ranges: Ranges | None = None) -> bool:
        """Whether a text has the words in the ranges (or in others), ignoring white space and character references."""
        ranges = self.ranges if ranges is None else ranges
        if any(not 0 <= begin <= end <= len(text) for begin, end in ranges):
            return False
        covered = " ".join(text[begin:end] for begin, end in ranges)
        return self._agrees_with(covered) or ("&" in covered and self._agrees_with(_unescape(covered)))

    def mismatch(self, text: str) -> str:
        """The words of a finding if the text has other words there."""
        found = " ".join(" ".join(text[begin:end] for begin, end in self.ranges).split())
        at = ";".join(f"{begin},{end}" for begin, end in self.ranges)
        return f"{self.name}: the words are {self.words!r}, the document has {short(found, 60)!r} at {at}"

    def _agrees_with(self, text: str) -> bool:
        covered, expected = text.split(), self.words.split()
        return covered == expected or (not self.whole and " ".join(expected) in " ".join(covered))


def _unescape(text: str) -> str:
    """Replace the character references of XML and SGML."""
    for reference, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(reference, sign)
    return text


PlaceGroup = tuple[Place, ...]
Visit = Callable[[PlaceGroup], Sequence[Ranges]]
"""Takes a group and returns the new ranges of its places."""


def groups_of(document: Document) -> list[PlaceGroup]:
    """Return all groups of places of a document: mentions first, then layer by layer."""
    groups: list[PlaceGroup] = []

    def collect(group: PlaceGroup) -> Sequence[Ranges]:
        groups.append(group)
        return [place.ranges for place in group]

    with_places(document, collect)
    return groups


def places_of(document: Document) -> Iterator[Place]:
    """Return all places of a document."""
    return (place for group in groups_of(document) for place in group)


def with_places(document: Document, visit: Visit) -> Document:
    """Return the document with the ranges that ``visit`` returns; the same document if all stay the same."""
    changed = False

    def visit_and_compare(group: PlaceGroup) -> Sequence[Ranges]:
        nonlocal changed
        new = visit(group)
        changed = changed or any(place.ranges != ranges for place, ranges in zip(group, new, strict=True))
        return new

    mentions = tuple(_visit_mention(mention, visit_and_compare) for mention in document.mentions)
    placed = {
        name: visit_layer(layer, visit_and_compare, document)
        for name, visit_layer in _LAYER_VISITS.items()
        if (layer := document.layers.get(name))
    }
    # Each layer keeps its type.
    layers = cast("Layers", {**document.layers, **placed})
    return document._replace(mentions=mentions, layers=layers, content=None) if changed else document


def count_nouns(places: Iterable[Place]) -> str:
    """Return the number of places of each kind, such as ``3 mentions, 1 filler``."""
    counts = Counter(place.noun for place in places)
    return ", ".join(counted(count, noun) for noun, count in counts.items())


def _given_words(text: str) -> str:
    stripped = text.strip()
    return "" if stripped in NO_TEXT else stripped


# ------------------------------------------------------------------------------------------------------ mentions


def _visit_mention(mention: Mention, visit: Visit, noun: str = "mention") -> Mention:
    if mention.span.tokens:
        return mention
    ranges = mention.span.ranges
    (new,) = visit((Place(mention.id, noun, _given_words(mention.text), ranges, mention.type, mention.line),))
    return mention if new == ranges else mention._replace(span=Span(tuple(new)))


# -------------------------------------------------------------------------------------------------------- events


def _visit_events(events: Sequence[Event], visit: Visit, document: Document) -> tuple[Event, ...]:
    """Visit events; the words of a trigger that is also a mention are those of the mention, with which it moves."""
    mentioned = {mention.span.ranges for mention in document.mentions if mention.span.ranges and mention.text}
    return tuple(
        _visit_event(event, f"events[{number}]", visit, has_words=event.trigger not in mentioned)
        for number, event in enumerate(events)
    )


def _visit_event(event: Event, name: str, visit: Visit, *, has_words: bool) -> Event:
    """Visit the trigger, its head, and every filler with its head, as one group."""
    words = _given_words(event.text) if has_words else ""
    group = [
        Place(f"{name}.trigger", "trigger", words, event.trigger, event.type, event.line),
        Place(f"{name}.head", "head", "", event.head, line=event.line),
    ]
    for number, one in enumerate(event.arguments):
        at = f"{name}.arguments[{number}]"
        group.append(Place(at, "filler", _given_words(one.text), one.span, line=event.line))
        group.append(Place(f"{at}.head", "head", "", one.head, line=event.line))
    trigger, head, *fillers = visit(tuple(group))
    arguments = tuple(
        EventArgument(one.role, span, head_of_filler, one.text)
        for one, span, head_of_filler in zip(event.arguments, fillers[::2], fillers[1::2], strict=True)
    )
    return event._replace(trigger=trigger, head=head, arguments=arguments)


# ----------------------------------------------------------------------------------------------------- arguments


def _visit_arguments(lines: ArgumentLines, visit: Visit, _document: Document) -> ArgumentLines:
    rows = tuple(_visit_row(row, visit) for row in lines.rows)
    if not lines.frames and not lines.incomplete:
        return replace(lines, rows=rows)
    # A linking may name arguments by an identifier that is computed from their spans.
    ids = {row.id for row in lines.rows}
    changed = {
        identifier_2015(before.argument): identifier_2015(after.argument)
        for before, after in zip(lines.rows, rows, strict=True)
        if before is not after
    }
    renamed = {old: new for old, new in changed.items() if old not in ids}
    frames = tuple(
        frame._replace(members=tuple(renamed.get(one, one) for one in frame.members))
        for frame in lines.frames
    )
    incomplete = tuple(renamed.get(one, one) for one in lines.incomplete)
    return replace(lines, rows=rows, frames=frames, incomplete=incomplete)


def _visit_row(row: ArgumentRow, visit: Visit) -> ArgumentRow:
    """Visit the canonical string, which filler and justifications follow; a date need not occur in the text."""
    argument = row.argument
    words = "" if argument.role in TIME_ROLES else _given_words(argument.text)
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


def _visit_elements(elements: Sequence[Element], visit: Visit, document: Document) -> tuple[Element, ...]:
    """Visit extents, heads and names with their text; audio and images have no characters."""
    source = document.layers.get(ace.SOURCE_LAYER)
    if source is not None and source.data_type in {"audio", "image"}:
        return tuple(elements)
    visited = []
    for element in elements:
        mentions = tuple(_visit_element_mention(mention, element.kind, visit) for mention in element.mentions)
        names = []
        for name in element.names:
            if name.region is not None and name.region.characters:
                (ranges,) = visit((_region_place(f"{element.id} name", "name", name.region, element.line),))
                name = name._replace(region=_move_region(name.region, ranges))  # noqa: PLW2901
            names.append(name)
        visited.append(replace(element, mentions=mentions, names=tuple(names)))
    return tuple(visited)


def _visit_element_mention(mention: ElementMention, kind: str, visit: Visit) -> ElementMention:
    head = "anchor" if kind == ace.EVENT else "head"
    regions = {"extent": mention.extent, head: mention.head}
    in_text = {noun: region for noun, region in regions.items() if region is not None and region.characters}
    new_ranges = visit(
        tuple(_region_place(f"{mention.id} {noun}", noun, one, mention.line) for noun, one in in_text.items())
    )
    new = {
        noun: _move_region(region, ranges)
        for (noun, region), ranges in zip(in_text.items(), new_ranges, strict=True)
    }
    return replace(mention, extent=new.get("extent", mention.extent), head=new.get(head, mention.head))


def _region_place(name: str, noun: str, region: Region, line: int) -> Place:
    return Place(name, noun, _given_words(region.text), region.characters, line=line)


def _move_region(region: Region, ranges: Ranges) -> Region:
    return region._replace(start=ranges[0][0], end=ranges[0][1])


# --------------------------------------------------------------------------------------------- times and entities


def _visit_times(times: Sequence[Mention], visit: Visit, _document: Document) -> tuple[Mention, ...]:
    return tuple(_visit_mention(mention, visit, "time") for mention in times)


def _visit_entities(entities: Sequence[Entity], visit: Visit, _document: Document) -> tuple[Entity, ...]:
    return tuple(
        one._replace(
            mentions=tuple(_visit_mention(mention, visit, "entity mention") for mention in one.mentions)
        )
        for one in entities
    )


_LAYER_VISITS: Mapping[str, Callable[..., object]] = {
    EVENTS_LAYER: _visit_events,
    TIMES_LAYER: _visit_times,
    ENTITIES_LAYER: _visit_entities,
    ARGUMENTS_LAYER: _visit_arguments,
    ace.LAYER: _visit_elements,
}
"""The layers with places in the text, and the functions that visit them."""
