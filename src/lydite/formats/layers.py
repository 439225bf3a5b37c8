"""The layers of tasks in the inner form: one line each, so that a new task adds its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lydite.formats.records import made, plain
from lydite.model.ace import Element, SourceFile
from lydite.model.argument import Event
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Triple
from lydite.registry import Registry


class Item(NamedTuple):
    """What a loss report compares: how it is called, what it is about, what it says, and its id where ids may change.

    Two items are the same if they say the same; if they are about the same (or, of sets, about something in common)
    and say something else, one changed into the other.  ``what`` is the kind of loss, in the plural.
    """

    what: str
    name: str
    about: Hashable
    said: Hashable
    id: str = ""


class Layer(NamedTuple):
    """A layer: its name, what one of its items is called, its type, and what is compared in it.

    ``finish`` turns what was read into the type that tasks expect.  A layer with ``content = False`` describes the
    file rather than what is annotated: it is kept where it can be, and no loss where it cannot.
    """

    name: str
    noun: str
    type: Any
    items: Callable[[Any], Iterator[Item]]
    finish: Callable[[Any], Any] = lambda value: value
    content: bool = True

    def encode(self, value: Any) -> Any:
        """The layer as lists and objects."""
        return plain(value)

    def decode(self, data: Any) -> Any:
        """The inverse of :meth:`encode`; raises ``NotARecordError``."""
        return self.finish(made(self.type, data, self.name))


def _clusters(value: Any) -> Iterator[Item]:
    for cluster in value:
        members = ", ".join(sorted(map(repr, cluster.members)))
        yield Item("clusters", cluster.id, frozenset(cluster.members), members, cluster.id)


def _triples(value: Any) -> Iterator[Item]:
    for number, triple in enumerate(value, 1):
        about = triple.relation, frozenset(triple.first.ids), frozenset(triple.second.ids)
        yield Item("triples", triple.id or str(number), about, repr(tuple(triple)))


def _events(value: Any) -> Iterator[Item]:
    """Events by type, trigger and realis, their arguments by role and span, and heads each by itself."""
    for event in value:
        place = _ranges(event.trigger)
        yield Item("events", f"{event.type} {place}", place, (said(event.type), place, said(event.realis)))
        if event.head:
            yield Item("heads of triggers", f"{event.type} {place}", (event.type, place), _ranges(event.head))
        for argument in event.arguments:
            about = (said(event.type), place, argument.role, _ranges(argument.span))
            yield Item("event arguments", argument.role, about, about)
            if argument.head:
                yield Item("heads of event arguments", argument.role, about, (*about, _ranges(argument.head)))


def _ranges(ranges: Sequence[tuple[int, int]]) -> str:
    return ";".join(f"{begin},{end}" for begin, end in ranges)


NOT_ANNOTATED = "NOT_ANNOTATED"


def said(value: str) -> str:
    """A type or realis, empty where a format must write something although nobody said anything."""
    return "" if value == NOT_ANNOTATED else value


def _arguments(value: Any) -> Iterator[Item]:
    for row in value.rows:
        content = repr((row.argument, row.confidence, row.assessment, row.cluster))
        yield Item("arguments", row.id, row.argument, content, row.id)
        if row.remark:
            yield Item("remarks", row.id, row.argument, row.remark)
    for frame in value.frames:
        yield Item("frames", frame.id, frame.id, frame.members)


def _elements(value: Any) -> Iterator[Item]:
    for element in value:
        yield Item("ACE elements", element.id, (element.kind, element.id), repr(element))


def _nothing(_value: Any) -> Iterator[Item]:
    return iter(())


CLUSTERS = Layer("clusters", "cluster", tuple[Cluster, ...], _clusters, Partition)
TRIPLES = Layer("triples", "triple", tuple[Triple, ...], _triples)
EVENTS = Layer("events", "event", tuple[Event, ...], _events)
ARGUMENTS = Layer("arguments", "argument", ArgumentLines, _arguments)
ACE = Layer("ace", "ACE element", tuple[Element, ...], _elements)
ACE_SOURCE = Layer("ace-source", "source", SourceFile, _nothing, content=False)
TOKEN_COUNT = Layer("token-count", "number of tokens", int, _nothing, content=False)
SYSTEM = Layer("system", "name of the system", str, _nothing, content=False)
PREFIXES = Layer("prefixes", "name space", Mapping[str, str], _nothing, content=False)
GROUNDING = Layer("grounding", "placement", Mapping[str, tuple[str, int]], _nothing, content=False)

LAYERS: Registry[Layer] = Registry(
    "layer",
    {
        "clusters": CLUSTERS,
        "triples": TRIPLES,
        "events": EVENTS,
        "arguments": ARGUMENTS,
        "ace": ACE,
        "ace-source": ACE_SOURCE,
        "token-count": TOKEN_COUNT,
        "system": SYSTEM,
        "prefixes": PREFIXES,
        "grounding": GROUNDING,
    },
    group="lydite.layers",
)
