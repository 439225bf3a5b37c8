"""What the viewer shows of a document: items with their places, chains and links, whatever its layers.

Places are half-open ranges of characters in the text that is shown.  A document with words and without text is shown as
its words, joined by spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.ace import LAYER as ACE
from lydite.model.ace import Element
from lydite.model.argument import Event
from lydite.model.argument_lines import LAYER as ARGUMENTS
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, mention_text
from lydite.model.mention import COREFERENCE
from lydite.model.nodes import Trees, node_mention_text
from lydite.model.span import Span
from lydite.model.triple import Triple, TripleElement, triple_names
from lydite.model.word_text import AddressedWords, NamedWords, Ranges
from lydite.report.tables import all_digits

Json = dict[str, object]
Value = TypeVar("Value")


class PageItem(NamedTuple):
    """An item with its place in the text: ``of`` is its id in verdicts, ``attributes`` are its labels."""

    id: str
    of: str
    ranges: Ranges
    attributes: Mapping[str, str]
    text: str = ""
    line: int = 0


class LinkEnd(NamedTuple):
    """An end of a link: its role, and the item, or words with their place."""

    role: str
    item: str = ""
    text: str = ""
    ranges: Ranges = ()


class PageLink(NamedTuple):
    """A named link between items: a relation, an event with its arguments, a triple."""

    id: str
    name: str
    parts: tuple[LinkEnd, ...]
    line: int = 0


class Chain(NamedTuple):
    """A cluster of items; ``crosses`` if the same id in another document means the same cluster."""

    id: str
    items: tuple[str, ...]
    crosses: bool = False


class PageSide(NamedTuple):
    """One side of a document."""

    items: tuple[PageItem, ...] = ()
    chains: tuple[Chain, ...] = ()
    links: tuple[PageLink, ...] = ()

    def to_dict(self) -> Json:
        """The side in the data of its document, without empty values."""
        return _non_empty(
            items=[
                _non_empty(
                    id=item.id,
                    of="" if item.of == item.id else item.of,
                    at=item.ranges,
                    is_=dict(item.attributes),
                    text=item.text,
                    line=item.line,
                )
                for item in self.items
            ],
            chains=[_non_empty(id=one.id, items=one.items, crosses=one.crosses) for one in self.chains],
            links=[
                _non_empty(
                    id=link.id,
                    name=link.name,
                    line=link.line,
                    parts=[
                        _non_empty(role=part.role, item=part.item, text=part.text, at=part.ranges)
                        for part in link.parts
                    ],
                )
                for link in self.links
            ],
        )


def _non_empty(**values: Value) -> dict[str, Value]:
    return {key.rstrip("_"): value for key, value in values.items() if value}


def text_of(document: Document) -> str | None:
    """The text of a document, or its words joined by spaces."""
    if document.text is not None:
        return document.text
    if (addressed := _addressed_words(document)) is not None:
        return addressed.text
    return NamedWords(document.tokens or {}).text or None


def _addressed_words(document: Document) -> AddressedWords | None:
    """The words of mentions that are addresses, where files have them and the document has no text."""
    load = document.layers.get("addressed-words") if document.text is None else None
    return words if load is not None and (words := load()).words else None


def page_side(document: Document) -> PageSide:
    """The items, chains and links that a side has in a document."""
    words = NamedWords(document.tokens or {} if document.text is None else {})
    sides = [show(document, words) for key, show in _LAYERS.items() if document.layers.get(key) is not None]
    if document.mentions:
        sides.insert(0, _mentions(document, words))
    return PageSide(
        tuple(item for side in sides for item in side.items),
        tuple(chain for side in sides for chain in side.chains),
        tuple(link for side in sides for link in side.links),
    )


def _place(span: Span, words: NamedWords) -> Ranges:
    return span.merged() if span.ranges else words.named(span.tokens)


def _mentions(document: Document, words: NamedWords) -> PageSide:
    items = [
        PageItem(
            mention.id,
            mention.id,
            _place(mention.span, words),
            _non_empty(type=mention.type, realis=mention.realis),
            mention.text,
            mention.line,
        )
        for mention in document.mentions
    ]
    chains = [Chain(one.id, one.members) for one in document.relations if one.name == COREFERENCE]
    links = [
        PageLink(
            relation.id,
            relation.name,
            tuple(LinkEnd("from" if place == 0 else "to", one) for place, one in enumerate(relation.members)),
            relation.line,
        )
        for relation in document.relations
        if relation.name != COREFERENCE
    ]
    return PageSide(tuple(items), tuple(chains), tuple(links))


def _clusters(document: Document, words: NamedWords) -> PageSide:
    items: list[PageItem] = []
    chains: list[Chain] = []
    clusters: Sequence[Cluster] = document.layers["clusters"]
    trees: Trees | None = document.layers.get("trees")
    addressed = _addressed_words(document)
    text = words.text if addressed is None else addressed.text
    for number, cluster in enumerate(clusters):
        name = str(cluster.id) or f"cluster {number}"
        nodes = [*map(node_mention_text, trees.clusters[number].members)] if trees is not None else ()
        first = len(items)
        for place, member in enumerate(cluster.members):
            ranges, key = addressed.at(member) if addressed else _runs(member, words), mention_text(member)
            of = nodes[place] if place < len(nodes) else key
            items.append(PageItem(key, of, ranges, {"cluster": name}, _text_at(text, ranges)))
        chains.append(Chain(name, tuple(item.id for item in items[first:])))
    return PageSide(tuple(items), tuple(chains))


def _runs(member: Hashable, words: NamedWords) -> Ranges:
    """The place of a cluster member that consists of one or several runs of tokens."""
    if not isinstance(member, tuple) or len(member) % 2 or not all(isinstance(edge, int) for edge in member):
        return ()
    runs = zip(member[::2], member[1::2], strict=True)
    return tuple(place for first, end in runs for place in words.run(int(first), int(end)))


def _text_at(text: str, ranges: Ranges) -> str:
    return " … ".join(text[begin:end] for begin, end in ranges)


def _argument_lines(document: Document, _words: NamedWords) -> PageSide:
    lines: ArgumentLines = document.layers[ARGUMENTS]
    items: list[PageItem] = []
    for row in lines.rows:
        argument = row.argument
        labels = _non_empty(type=argument.event_type, role=argument.role, realis=argument.realis)
        if row.assessment is not None:
            labels["assessed"] = "".join(letter or "–" for letter in row.assessment[:4])
            labels["right realis"] = row.assessment.realis or "–"
        elif row.confidence != 1.0:
            labels["confidence"] = all_digits(row.confidence)
        key = row.id or f"line {row.line}"
        items.append(PageItem(key, key, (argument.filler,), labels, argument.text, row.line))
    links = [
        PageLink(
            frame.id or f"frame {number}",
            "frame",
            tuple(LinkEnd("argument", member) for member in frame.members),
            frame.line,
        )
        for number, frame in enumerate(lines.frames, 1)
    ]
    members = zip((row.cluster for row in lines.rows), (item.id for item in items), strict=True)
    chains = [Chain(str(name), tuple(ids)) for name, ids in grouped(members).items() if name is not None]
    return PageSide(tuple(items), tuple(chains), tuple(links))


def _events(document: Document, _words: NamedWords) -> PageSide:
    events: Sequence[Event] = document.layers["events"]
    items: list[PageItem] = []
    links: list[PageLink] = []
    for number, event in enumerate(events, 1):
        key = f"event {number}"
        labels = _non_empty(type=event.type, realis=event.realis)
        items.append(PageItem(key, key, event.trigger, labels, event.text, event.line))
        arguments = tuple(LinkEnd(one.role, "", one.text, one.span) for one in event.arguments)
        links.append(PageLink(key, event.type, (LinkEnd("trigger", key), *arguments), event.line))
    return PageSide(tuple(items), (), tuple(links))


def _triples(document: Document, words: NamedWords) -> PageSide:
    triples: Sequence[Triple] = document.layers["triples"]
    items: list[PageItem] = []
    links: list[PageLink] = []
    for key, triple in zip(triple_names(triples), triples, strict=True):
        first, second = _end(triple.first, words), _end(triple.second, words)
        text = f"{first[0]} → {second[0]}" if triple.second.ids else first[0]
        items.append(PageItem(key, key, first[1] + second[1], _non_empty(relation=triple.relation), text))
        ends = (LinkEnd("first", key, *first), LinkEnd("second", "", *second))
        links.append(PageLink(key, triple.relation, ends))
    return PageSide(tuple(items), (), tuple(links))


def _end(element: TripleElement, words: NamedWords) -> tuple[str, Ranges]:
    return element.comment or " ".join(element.ids), words.named(element.ids)


def _elements(document: Document, _words: NamedWords) -> PageSide:
    elements: Sequence[Element] = document.layers[ACE]
    items: list[PageItem] = []
    chains: list[Chain] = []
    links: list[PageLink] = []
    for element in elements:
        labels = _non_empty(
            type=element.attributes.get("TYPE", element.kind),
            subtype=element.attributes.get("SUBTYPE", ""),
            class_=element.attributes.get("CLASS", ""),
            realis=element.attributes.get("MODALITY", ""),
        )
        of_element = [
            PageItem(
                mention.id,
                element.id,
                place.characters if (place := mention.head or mention.extent) is not None else (),
                {**labels, **_non_empty(level=mention.type), "kind": element.kind},
                region.text if (region := mention.extent or mention.head) else "",
                mention.line,
            )
            for mention in element.mentions
        ]
        if not of_element:
            of_element = [
                PageItem(element.id, element.id, (), {**labels, "kind": element.kind}, "", element.line)
            ]
        items += of_element
        chains.append(Chain(element.id, tuple(item.id for item in of_element), crosses=True))
        if element.arguments:
            parts = tuple(LinkEnd(argument.role, argument.filler) for argument in element.arguments)
            links.append(PageLink(element.id, labels["type"], parts, element.line))
    return PageSide(tuple(items), tuple(chains), tuple(links))


_LAYERS: Mapping[str, Callable[[Document, NamedWords], PageSide]] = {
    ARGUMENTS: _argument_lines,
    "events": _events,
    ACE: _elements,
    "clusters": _clusters,
    "triples": _triples,
}
"""The function that makes the page side of each layer."""

EMPTY_SIDE = PageSide()
