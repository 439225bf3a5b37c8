"""Windows of a document, aligned by their names: where the places of a system stand in the text of gold.

Sides count tokens window by window, and a file may leave windows out or give them in another order.  So the places of a
system are moved to the tokens of the window of the same name in gold.  What gold lacks stands behind its text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.errors import Location, refuse
from lydite.escaping import counted
from lydite.model import Document, Mention, Span
from lydite.model.argument import EVENTS_LAYER, Event
from lydite.model.document import Layers
from lydite.model.places import ENTITIES_LAYER, TIMES_LAYER
from lydite.model.windows import WINDOWS, Range, Windows, pair_windows


def align_windows(gold: Document, system: Document, *, strict: bool) -> Document:
    """The system's document with the places of gold's text; as it is if a side has no windows, or both have the same.

    Raises :class:`~lydite.errors.FormatError` if windows that only their order aligns differ, or if a window has another
    number of tokens than gold's and the alignment is ``strict``.
    """
    ours, theirs = gold.layers.get(WINDOWS), system.layers.get(WINDOWS)
    if ours is None or theirs is None:
        return system
    if ours.by != theirs.by or ours.by == "position":
        _expect_same_records(ours, theirs, gold, system)
    elif [(window.name, window.ranges) for window in ours.windows] == [
        (window.name, window.ranges) for window in theirs.windows
    ]:
        return system
    elif strict:
        _expect_same_numbers(ours, theirs, system)
    text = gold.text or ""
    places: dict[Range, Range] = {}
    for partner, window in pair_windows(ours, theirs):
        targets = partner.ranges if partner is not None else ()
        if more := window.words[len(targets) :]:
            targets = (*targets, *_ranges_behind(len(text) + 1, more))
            text = f"{text}\n{' '.join(more)}"
        places.update(zip(window.ranges, targets, strict=False))
    return _moved(system, places)._replace(text=text)


def _expect_same_records(ours: Windows, theirs: Windows, gold: Document, system: Document) -> None:
    """Refuse records that only their order aligns, and that are not the same."""
    message = None
    place = Location(system.path, system.line or None)
    for number, (one, other) in enumerate(zip(ours.windows, theirs.windows, strict=False), 1):
        if one.words != other.words:
            where = f"line {one.line} of {gold.path}"
            message = f"record {number} of document {system.doc_id!r} has other tokens than gold ({where})"
            place = Location(system.path, other.line or None)
            break
    else:
        if len(ours.windows) != len(theirs.windows):
            numbers = f"{counted(len(ours.windows), 'record')} in gold and {len(theirs.windows)} here"
            message = f"document {system.doc_id!r} has {numbers}"
    if message is not None:
        hint = "only their order aligns these records; sent_id or wnd_id on both sides aligns them by name"
        raise refuse(place, "records-differ", message, hint=hint)


def _expect_same_numbers(ours: Windows, theirs: Windows, system: Document) -> None:
    """Refuse windows with another number of tokens than gold's, and records with another number of sentences."""
    hint = "were both sides made from the same text? --reading as-official compares token numbers as they are"
    for partner, window in pair_windows(ours, theirs):
        if partner is not None and len(partner.words) != len(window.words):
            numbers = f"{counted(len(partner.words), 'token')} in gold and {len(window.words)} here"
            message = f"document {system.doc_id!r}, {window.title}: {numbers}"
            raise refuse(Location(system.path, window.line or None), "texts-differ", message, hint=hint)
    if ours.by == "sentence" and len(ours.windows) != len(theirs.windows):
        numbers = f"{counted(len(ours.windows), 'sentence')} in gold and {len(theirs.windows)} here"
        message = f"document {system.doc_id!r}: {numbers}"
        raise refuse(Location(system.path, system.line or None), "texts-differ", message, hint=hint)


def _ranges_behind(start: int, words: Sequence[str]) -> list[Range]:
    """The places of words that are joined by blanks."""
    ranges = []
    for word in words:
        ranges.append((start, start + len(word)))
        start += len(word) + 1
    return ranges


def _moved(document: Document, places: Mapping[Range, Range]) -> Document:
    """The document with every place moved; each begins where a token begins and ends where a token ends."""
    begins = {one[0]: other[0] for one, other in places.items()}
    ends = {one[1]: other[1] for one, other in places.items()}

    def ranges(old: tuple[Range, ...]) -> tuple[Range, ...]:
        return tuple((begins[begin], ends[end]) for begin, end in old)

    def mention(old: Mention) -> Mention:
        return old._replace(span=Span(ranges(old.span.ranges)))

    def event(old: Event) -> Event:
        arguments = tuple(one._replace(span=ranges(one.span)) for one in old.arguments)
        return old._replace(trigger=ranges(old.trigger), arguments=arguments)

    layers: Layers = {**document.layers}
    if EVENTS_LAYER in layers:
        layers[EVENTS_LAYER] = tuple(map(event, layers[EVENTS_LAYER]))
    if TIMES_LAYER in layers:
        layers[TIMES_LAYER] = tuple(map(mention, layers[TIMES_LAYER]))
    if ENTITIES_LAYER in layers:
        layers[ENTITIES_LAYER] = tuple(
            one._replace(mentions=tuple(map(mention, one.mentions))) for one in layers[ENTITIES_LAYER]
        )
    return document._replace(mentions=tuple(map(mention, document.mentions)), layers=layers)
