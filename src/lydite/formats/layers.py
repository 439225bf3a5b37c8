"""The layers of tasks in the inner form: one line each, so that a new task adds its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from lydite.formats.records import made, plain
from lydite.model import Mention, Relation
from lydite.model.ace import Element, SourceFile
from lydite.model.argument import Entity, Event
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Triple
from lydite.registry import Registry


class Item(NamedTuple):
    """What a loss report counts: how it is called, what it says, and among what, if not the noun of its layer."""

    name: str
    said: Hashable
    what: str = ""


def _items(value: Any) -> Iterator[Item]:
    if isinstance(value, Mapping):
        yield from (Item(str(key), repr(held)) for key, held in value.items())
    elif isinstance(value, tuple | list):
        yield from (Item(_name(item, number), repr(item)) for number, item in enumerate(value, 1))
    else:
        yield Item("", repr(value))


def _name(item: Any, number: int) -> str:
    return str(getattr(item, "id", "") or number)


class Layer(NamedTuple):
    """A layer: its name, what one of its items is called, its type, and how its items are counted.

    ``finish`` turns what was read into the type that tasks expect.  A layer with ``content = False`` describes the
    file rather than what is annotated: it is kept where it can be, and no loss where it cannot.
    """

    name: str
    noun: str
    type: Any
    finish: Callable[[Any], Any] = lambda value: value
    items: Callable[[Any], Iterator[Item]] = _items
    content: bool = True

    def encode(self, value: Any) -> Any:
        """The layer as lists and objects."""
        return plain(value)

    def decode(self, data: Any) -> Any:
        """The inverse of :meth:`encode`; raises ``NotARecordError``."""
        return self.finish(made(self.type, data, self.name))


def _clusters(value: Any) -> Iterator[Item]:
    for cluster in value:
        yield Item(cluster.id, repr(sorted(map(repr, cluster.members))))


def _arguments(value: Any) -> Iterator[Item]:
    """Arguments alone: what an event says besides is a mention.  Heads, and words that have a place, count by themselves."""
    for event in value:
        for argument in event.arguments:
            trigger, filler = event.trigger or event.text, argument.span or argument.text
            said = event.type, trigger, argument.role, filler
            yield Item(argument.role, repr(said))
            if argument.head:
                yield Item(argument.role, repr((*said, argument.head)), "heads of event arguments")
            if argument.span and argument.text:
                yield Item(argument.role, repr((*said, argument.text)), "texts of event arguments")


def triggers(events: Any) -> Iterator[Item]:
    """What events say besides arguments, for documents in which no mention says it."""
    for event in events:
        said = event.type, event.trigger or event.text
        yield Item(event.type, repr(said), "events")
        if event.realis:
            yield Item(event.type, repr((*said, event.realis)), "realis")
        if event.head:
            yield Item(event.type, repr((*said, event.head)), "heads of events")
        if event.trigger and event.text:
            yield Item(event.type, repr((*said, event.text)), "texts of events")


def _rows(value: Any) -> Iterator[Item]:
    for row in value.rows:
        yield Item(row.id, repr((row.argument, row.confidence, row.assessment, row.cluster)))
    # A frame is the arguments that it joins, whatever they are called.
    meant = {row.id: repr(row.argument) for row in value.rows} if value.frames or value.incomplete else {}
    for number, frame in enumerate(value.frames, 1):
        members = repr(sorted(meant.get(member, member) for member in frame.members))
        yield Item(frame.id or str(number), members, "frames")
        if frame.id:
            yield Item(frame.id, repr((members, frame.id)), "frame ids")
    for name in value.incomplete:
        yield Item(name, meant.get(name, name), "arguments not yet linked")
    for broken in value.broken:
        yield Item(f"line {broken.line}", repr(broken.partial), "lines that make no argument")


def _entities(value: Any) -> Iterator[Item]:
    """Entities by what they are called, and their mentions by where they stand."""
    for entity in value:
        yield Item(entity.id, repr((entity.type, entity.id)), "entities")
        for mention in entity.mentions:
            yield Item(mention.id, repr((entity.id, mention.span, mention.text)), "entity mentions")


def _spans(value: Any) -> Iterator[Item]:
    for mention in value:
        yield Item(mention.id, repr((mention.span, mention.text, mention.type)))


def _links(value: Any) -> Iterator[Item]:
    for relation in value:
        yield Item(relation.id, repr((relation.name, relation.members)), f"{relation.name} relations")


CLUSTERS = Layer("clusters", "cluster", tuple[Cluster, ...], Partition, _clusters)
TRIPLES = Layer("triples", "triple", tuple[Triple, ...])
EVENTS = Layer("events", "event argument", tuple[Event, ...], items=_arguments)
TIMES = Layer("times", "time", tuple[Mention, ...], items=_spans)
ENTITIES = Layer("entities", "entity", tuple[Entity, ...], items=_entities)
LINKS = Layer("links", "relation", tuple[Relation, ...], items=_links)
ARGUMENTS = Layer("arguments", "argument", ArgumentLines, items=_rows)
ACE = Layer("ace", "ACE element", tuple[Element, ...])
ACE_SOURCE = Layer("ace-source", "source", SourceFile, content=False)
TOKEN_COUNT = Layer("token-count", "number of tokens", int, content=False)
TOKEN_COUNTS = Layer("token-counts", "number of tokens", Mapping[str, int | None], content=False)
SYSTEM = Layer("system", "name of the system", str, content=False)
PREFIXES = Layer("prefixes", "name space", Mapping[str, str], content=False)
GROUNDING = Layer("grounding", "placement", Mapping[str, tuple[str, int]], content=False)

LAYERS: Registry[Layer] = Registry(
    "layer",
    {
        "clusters": CLUSTERS,
        "triples": TRIPLES,
        "events": EVENTS,
        "times": TIMES,
        "entities": ENTITIES,
        "links": LINKS,
        "arguments": ARGUMENTS,
        "ace": ACE,
        "ace-source": ACE_SOURCE,
        "token-count": TOKEN_COUNT,
        "token-counts": TOKEN_COUNTS,
        "system": SYSTEM,
        "prefixes": PREFIXES,
        "grounding": GROUNDING,
    },
    group="lydite.layers",
)
