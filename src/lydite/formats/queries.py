"""Queries: the items of a corpus whose columns match patterns, such as the fillers of one role.

An item is a mention, a tag, an argument, an event, an entity, a triple or an ACE element.  A layer whose items lack a column
that a query names has no item that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import cast

from lydite.errors import UsageError
from lydite.formats.base import ALL_LAYERS
from lydite.formats.token_spans import known_only
from lydite.grouping import grouped
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.ace import Element, ElementArgument
from lydite.model.argument import Event
from lydite.model.argument_lines import LAYER, ArgumentLines
from lydite.model.document import Layers
from lydite.model.mention import Mention
from lydite.model.tags import OUTSIDE, TAGS_LAYER, Tags, split

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "mentions": ("type", "realis", "text"),
    "arguments": ("type", "role", "realis", "text"),
    "events": ("type", "role", "realis"),
    "entities": ("type",),
    "triples": ("relation", "layer"),
    TAGS_LAYER: ("type",),
    "ace": ("kind", "type", "subtype", "role"),
}
"""The columns of the items of each layer."""

_WITHOUT_COLUMNS = frozenset({"clusters", "links", "times", "trees", "discarded", "written"})
"""Layers about items that a query may leave out, without columns of their own."""


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions by column, each a list of patterns: an item matches one pattern of every column."""

    conditions: Mapping[str, Sequence[str]]

    def accepts(self, **values: Collection[str]) -> bool:
        """Whether each column that is given here, and that the query names, has a value that matches."""
        return all(
            any(fnmatchcase(value, pattern) for value in values[column] for pattern in patterns)
            for column, patterns in self.conditions.items()
            if column in values
        )

    def finds_in(self, layer: str) -> bool:
        """Whether the items of a layer have all the columns."""
        return set(self.conditions) <= set(COLUMNS.get(layer, ()))

    def select(self, document: Document) -> tuple[Document, int]:
        """The document with what the query finds in it, and how many items that are."""
        layers = {
            name: layer
            for name, layer in document.layers.items()
            if name not in COLUMNS and name not in _WITHOUT_COLUMNS
        }
        count = 0
        for name in COLUMNS:
            if name in document.layers and self.finds_in(name):
                # Each selection takes and returns the layer of its name.
                layers[name], found = _SELECTIONS[name](document.layers.get(name), self)
                count += found
        mentions: tuple[Mention, ...] = ()
        if self.finds_in("mentions"):
            accepts = self.accepts
            mentions = tuple(
                one
                for one in document.mentions
                if accepts(type=(one.type,), realis=(one.realis,), text=(one.text,))
            )
        selected = document._replace(
            mentions=mentions,
            relations=tuple(known_only(document.relations, {one.id for one in mentions})),
            layers=cast("Layers", layers),
            content=None,
        )
        return selected, count + len(mentions)


def parse_query(texts: Iterable[str]) -> Query:
    """The query of conditions ``COLUMN=PATTERN``; several patterns of one column are alternatives."""
    conditions = []
    for text in texts:
        column, equals, pattern = text.partition("=")
        if not equals or not column:
            hint = "role=Buyer, or type=Transaction.*"
            raise UsageError(f"--where {text!r}: expected COLUMN=PATTERN", hint=hint)
        conditions.append((column.strip().lower(), pattern))
    return Query(grouped(conditions))


class QuerySelection:
    """What a query finds in a corpus; ``found`` counts the items in the documents that were read so far."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.found = 0

    def of(self, corpus: Corpus, layers: Collection[str]) -> Corpus:
        """The corpus with what the query finds; refused if no layer that its format may have has all the columns."""
        possible = [name for name in COLUMNS if name in layers or ALL_LAYERS in layers]
        if not any(map(self.query.finds_in, possible)):
            asked = " and ".join(self.query.conditions)
            having = "; ".join(f"{name}: {', '.join(COLUMNS[name])}" for name in possible)
            hint = f"{corpus.format} has {having}" if having else "other formats have columns"
            raise UsageError(f"--where: nothing in {corpus.path} has {asked}", hint=hint)
        read = corpus.documents

        def load(doc_id: str) -> Document:
            selected, found = self.query.select(read[doc_id])
            self.found += found
            return selected

        return replace(corpus, documents=LazyDocuments(read, load))


def _select_lines(lines: ArgumentLines, query: Query) -> tuple[ArgumentLines, int]:
    def accepted(event_type: str, role: str, realis: str, text: str) -> bool:
        return query.accepts(type=(event_type,), role=(role,), realis=(realis,), text=(text,))

    rows = [
        row if accepted(one.event_type, one.role, one.realis, one.text) else None
        for row in lines.rows
        for one in (row.argument,)
    ]
    kept = sum(row is not None for row in rows)
    return (lines if kept == len(rows) else lines.with_rows(rows)), kept


def _select_events(events: Iterable[Event], query: Query) -> tuple[tuple[Event, ...], int]:
    """Events, and where roles are asked for those with such an argument, which lose all other arguments."""
    kept = []
    for event in events:
        arguments = tuple(one for one in event.arguments if query.accepts(role=(one.role,)))
        if query.accepts(type=(event.type,), realis=(event.realis,)):
            if "role" not in query.conditions:
                kept.append(event)
            elif arguments:
                kept.append(event._replace(arguments=arguments))
    return tuple(kept), len(kept)


def _select_elements(elements: Iterable[Element], query: Query) -> tuple[tuple[Element, ...], int]:
    """ACE elements, as events; the elements that fill the roles of these stay, since they are named there."""
    elements = tuple(elements)
    found = {element.id: one for element in elements if (one := _selected_element(element, query))}
    named = {argument.filler for one in found.values() for argument in one.arguments}
    kept = tuple(found.get(one.id, one) for one in elements if one.id in found or one.id in named)
    return kept, len(found)


def _selected_element(element: Element, query: Query) -> Element | None:
    type_, subtype = (element.attributes.get(name, "") for name in ("TYPE", "SUBTYPE"))
    types = (type_, f"{type_}.{subtype}")
    if not query.accepts(kind=(element.kind,), type=types, subtype=(subtype,)):
        return None
    if "role" not in query.conditions:
        return element

    def asked(arguments: Iterable[ElementArgument]) -> tuple[ElementArgument, ...]:
        return tuple(one for one in arguments if query.accepts(role=(one.role,)))

    arguments = asked(element.arguments)
    mentions = tuple(replace(one, arguments=asked(one.arguments)) for one in element.mentions)
    return replace(element, arguments=arguments, mentions=mentions) if arguments else None


def _select_tags(sentences: Tags, query: Query) -> tuple[Tags, int]:
    """The tags of all tokens, of which those of other types become ``O``."""
    kept = tuple(
        tuple(tag if tag != OUTSIDE and query.accepts(type=(split(tag)[1],)) else OUTSIDE for tag in sentence)
        for sentence in sentences
    )
    return kept, sum(tag != OUTSIDE for sentence in kept for tag in sentence)


def _plain(values: Callable[..., Mapping[str, Collection[str]]]) -> Callable[..., tuple[object, int]]:
    """The selection of items by the values of their columns."""

    def select(items: Iterable[object], query: Query) -> tuple[object, int]:
        kept = tuple(one for one in items if query.accepts(**values(one)))
        return kept, len(kept)

    return select


_SELECTIONS: Mapping[str, Callable[..., tuple[object, int]]] = {
    LAYER: _select_lines,
    "events": _select_events,
    "ace": _select_elements,
    TAGS_LAYER: _select_tags,
    "entities": _plain(lambda one: {"type": (one.type,)}),
    "triples": _plain(lambda one: {"relation": (one.relation,), "layer": (one.layer,)}),
}
"""The functions that select from a layer, by its name."""
