"""The layers of tasks in the inner form: one line each, so that a new task adds its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from lydite.formats.records import made, plain
from lydite.model.ace import Element, SourceFile
from lydite.model.argument import Event
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Triple
from lydite.registry import Registry


def _items(value: Any) -> Iterator[tuple[str, Hashable]]:
    """What a loss report counts: (how it is called, what it says) of everything in the layer."""
    if isinstance(value, Mapping):
        yield from ((str(key), repr(held)) for key, held in value.items())
    elif isinstance(value, tuple | list):
        yield from ((_name(item, number), repr(item)) for number, item in enumerate(value, 1))
    else:
        yield "", repr(value)


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
    items: Callable[[Any], Iterator[tuple[str, Hashable]]] = _items
    content: bool = True

    def encode(self, value: Any) -> Any:
        """The layer as lists and objects."""
        return plain(value)

    def decode(self, data: Any) -> Any:
        """The inverse of :meth:`encode`; raises ``NotARecordError``."""
        return self.finish(made(self.type, data, self.name))


def _clusters(value: Any) -> Iterator[tuple[str, Hashable]]:
    for cluster in value:
        yield cluster.id, repr(sorted(map(repr, cluster.members)))


def _arguments(value: Any) -> Iterator[tuple[str, Hashable]]:
    """Arguments alone: what an event says besides is a mention."""
    for event in value:
        for argument in event.arguments:
            yield argument.role, repr((event.type, event.trigger, argument.role, argument.span))


def _rows(value: Any) -> Iterator[tuple[str, Hashable]]:
    for row in value.rows:
        yield row.id, repr((row.argument, row.confidence, row.assessment, row.cluster))
    for frame in value.frames:
        yield f"frame {frame.id}".strip(), repr(frame.members)


CLUSTERS = Layer("clusters", "cluster", tuple[Cluster, ...], Partition, _clusters)
TRIPLES = Layer("triples", "triple", tuple[Triple, ...])
EVENTS = Layer("events", "event argument", tuple[Event, ...], items=_arguments)
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
