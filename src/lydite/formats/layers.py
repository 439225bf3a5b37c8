"""The layers of documents as the format ``lydite`` keeps them: each has a line here, and one in ``Layers`` of the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lydite.formats.records import NotARecordError, from_plain
from lydite.model import Mention, Relation
from lydite.model.ace import KINDS, Element, SourceFile
from lydite.model.answer import RecordAnswer
from lydite.model.argument import Entity, Event
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, Partition
from lydite.model.event_pairs import EventPairs
from lydite.model.facts import FactSheet
from lydite.model.graphs import SentenceGraph
from lydite.model.mention import NOT_ANNOTATED
from lydite.model.nodes import Trees
from lydite.model.roles import RoleLinks, RoleStrings
from lydite.model.string_items import STRINGS_LAYER, StringItems
from lydite.model.triple import Triple
from lydite.model.windows import Windows
from lydite.numerals import is_whole
from lydite.registry import Registry


class LayerItem(NamedTuple):
    """One item of a layer, as a loss report compares it.

    Two items are the same if their content is equal.  If only their subjects are equal (or, of sets, have something in
    common), one changed into the other.  ``what`` is the kind of loss, in the plural; ``id`` is given where ids may
    change; ``shown`` is how the item reads in the report, if that is not its content.
    """

    what: str
    name: str
    subject: Hashable
    content: Hashable
    id: str | None = None
    shown: str | None = None


class Layer(NamedTuple):
    """A layer: its name, the noun for one of its items, its type, and the items that are compared.

    ``finish`` turns decoded data into the type that tasks expect.  A layer with ``content = False`` describes the file
    and not the annotation: it is kept where that is possible, and is no loss where it is not.
    """

    name: str
    noun: str
    type: object
    items: Callable[[Any], Iterator[LayerItem]] = lambda _value: iter(())
    finish: Callable[[Any], object] = lambda value: value
    content: bool = True

    def decode(self, data: object) -> object:
        """The layer from lists and objects, the inverse of ``plain``; raises ``NotARecordError``."""
        return self.finish(from_plain(self.type, data, self.name))


def _clusters(value: Partition) -> Iterator[LayerItem]:
    for cluster in value:
        members = ", ".join(sorted(map(repr, cluster.members)))
        yield LayerItem("clusters", cluster.id, frozenset(cluster.members), members, cluster.id or None)


def _trees(value: Trees) -> Iterator[LayerItem]:
    """Types and heads of mentions, and zeros by their nodes; words and clusters are compared elsewhere.

    Sentences are numbered through a file; documents are compared, so that their numbers begin at their first sentence.
    """
    first = value.sentences[0].number if value.sentences else 0
    for cluster in value.clusters:
        for mention in cluster.members:
            nodes = tuple((sentence - first, place) for sentence, place in mention.nodes)
            subject = (cluster.id, nodes)
            if mention.type:
                yield LayerItem("entity types", cluster.id, subject, (*subject, mention.type))
            if mention.is_zero:
                yield LayerItem("zeros", cluster.id, subject, (nodes, mention.dependencies))
            elif len(nodes) > 1:
                head = mention.head[0] - first, mention.head[1]
                yield LayerItem("heads", cluster.id, subject, (*subject, head))


def _triples(value: Sequence[Triple]) -> Iterator[LayerItem]:
    for number, triple in enumerate(value, 1):
        subject = triple.relation, frozenset(triple.first.ids), frozenset(triple.second.ids)
        yield LayerItem("triples", triple.id or str(number), subject, repr(tuple(triple)))


def _events(value: Sequence[Event]) -> Iterator[LayerItem]:
    """Events by type, trigger and realis, and their arguments by role and span.

    Each head and each text is an item of its own; where there is no span, the text stands for it.
    """
    for event in value:
        place = _place(event.trigger, event.text)
        name, subject = f"{event.type} {place}", (annotated_value(event.type), place)
        yield LayerItem("events", name, place, (*subject, annotated_value(event.realis)))
        yield from _head_and_text("triggers", name, subject, event.head, event.text if event.trigger else "")
        for argument in event.arguments:
            filler = (*subject, argument.role, _place(argument.span, argument.text))
            yield LayerItem("event arguments", argument.role, filler, filler)
            words = argument.text if argument.span else ""
            yield from _head_and_text("event arguments", argument.role, filler, argument.head, words)


def _head_and_text(
    what: str, name: str, subject: tuple[str, ...], head: Sequence[tuple[int, int]], text: str
) -> Iterator[LayerItem]:
    if head:
        yield LayerItem(f"heads of {what}", name, subject, (*subject, _ranges(head)))
    if text:
        yield LayerItem(f"texts of {what}", name, subject, (*subject, text))


def _place(ranges: Sequence[tuple[int, int]], words: str) -> str:
    return _ranges(ranges) or repr(words)


def _ranges(ranges: Sequence[tuple[int, int]]) -> str:
    return ";".join(f"{begin},{end}" for begin, end in ranges)


def annotated_value(value: str) -> str:
    """A type or realis; empty instead of the placeholder that formats write where there is none."""
    return "" if value == NOT_ANNOTATED else value


def _arguments(value: ArgumentLines) -> Iterator[LayerItem]:
    for row in value.rows:
        content = repr((row.argument, row.confidence, row.assessment, row.cluster))
        yield LayerItem("arguments", row.id, row.argument, content, row.id or None)
        if row.remark:
            yield LayerItem("remarks", row.id, row.argument, row.remark)
    yield from _frames(value)
    for broken in value.broken:
        subject = f"line {broken.line}"
        yield LayerItem("lines without an argument", subject, subject, repr(broken.partial))


def _frames(value: ArgumentLines) -> Iterator[LayerItem]:
    """Frames by the arguments that they join, whatever their ids, and the arguments that are in no frame yet."""
    texts = {row.id: repr(row.argument) for row in value.rows} if value.frames or value.incomplete else {}
    for number, frame in enumerate(value.frames, 1):
        members = sorted(texts.get(member, member) for member in frame.members)
        joined = repr(members)
        yield LayerItem("frames", frame.id or str(number), frozenset(members), joined)
        if frame.id:
            yield LayerItem("frame ids", frame.id, joined, (joined, frame.id))
    for name in value.incomplete:
        argument = texts.get(name, name)
        yield LayerItem("arguments not yet linked", name, argument, argument)


def _elements(value: Sequence[Element]) -> Iterator[LayerItem]:
    for element in value:
        yield LayerItem("ACE elements", element.id, (element.kind, element.id), repr(element))


def _entities(value: Sequence[Entity]) -> Iterator[LayerItem]:
    """Entities by their ids, and their mentions with their spans."""
    for entity in value:
        yield LayerItem("entities", entity.id, entity.id, (entity.type, entity.id))
        for mention in entity.mentions:
            content = (entity.id, str(mention.span), mention.text)
            yield LayerItem("entity mentions", mention.id, (entity.id, mention.id), content)


def _times(value: Sequence[Mention]) -> Iterator[LayerItem]:
    for mention in value:
        yield LayerItem("times", mention.id, mention.id, (str(mention.span), mention.text, mention.type))


def _links(value: Sequence[Relation]) -> Iterator[LayerItem]:
    for name, link_id, members, _ in value:
        yield LayerItem(f"{name} links", link_id, link_id, (name, *members))


def _partition(clusters: tuple[Cluster, ...]) -> Partition:
    """The clusters, if all of their members can be mentions."""
    for number, cluster in enumerate(clusters):
        odd = next((member for member in cluster.members if not _is_mention(member)), None)
        if odd is not None or None in cluster.members:
            message = f"clusters[{number}].members: expected a text or runs of tokens, found {odd!r:.80}"
            raise NotARecordError(message)
    return Partition(clusters)


def _is_mention(member: Hashable) -> bool:
    """Whether it is a name, several names, runs of tokens (``[first, end, …]``), or one of these behind its document."""
    if isinstance(member, str):
        return True
    if not isinstance(member, tuple) or not member:
        return False
    if isinstance(member[0], str):
        return all(isinstance(name, str) for name in member) or (len(member) == 2 and _is_mention(member[1]))
    # Tables and objects may name a mention by any two numbers: first and last token, or sentence and word.
    return len(member) % 2 == 0 and all(map(is_whole, member))


_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _known_elements(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    """The elements, if they are of the five kinds and the names of their attributes can stand in XML."""
    for number, element in enumerate(elements):
        if element.kind not in KINDS:
            raise NotARecordError(f"ace[{number}].kind: expected {', '.join(KINDS)}, found {element.kind!r}")
        odd = next((name for name in element.attributes if not _ATTRIBUTE.fullmatch(name)), None)
        if odd is not None:
            message = f"ace[{number}].attributes: expected the name of an attribute, found {odd!r}"
            raise NotARecordError(message)
    return elements


def _prefixes(value: Mapping[str, str]) -> Iterator[LayerItem]:
    for prefix, address in value.items():
        yield LayerItem("name spaces", prefix, prefix, address)


def _tags(value: Sequence[Sequence[str]]) -> Iterator[LayerItem]:
    for number, sentence in enumerate(value, 1):
        yield LayerItem("tags", f"sentence {number}", number, (number, *sentence))


def _graphs(value: Sequence[SentenceGraph]) -> Iterator[LayerItem]:
    """Entities, relations, triggers and arguments, by the number of their sentence."""
    for number, graph in enumerate(value, 1):
        for what, items in (
            ("entities", graph.entities),
            ("relations", graph.relations),
            ("triggers", graph.triggers),
            ("event arguments", graph.roles),
        ):
            for item in items:
                yield LayerItem(what, f"sentence {number}", (number, repr(item)), (number, repr(item)))


def _facts(value: FactSheet) -> Iterator[LayerItem]:
    for number, entity in enumerate(value.entities):
        yield LayerItem("entities", str(number), number, repr(entity))
    for fact in value.facts:
        yield LayerItem("facts", fact.relation, fact.key, (*fact.key, fact.evidence))


def _event_pairs(value: EventPairs) -> Iterator[LayerItem]:
    for name, mentions in value.events:
        yield LayerItem("events", name, name, (name, mentions))
    for relation in value.relations:
        yield LayerItem("relations", relation.type, relation, relation)


def _role_links(value: RoleLinks) -> Iterator[LayerItem]:
    for link in value.links:
        yield LayerItem("event arguments", link.role, link[:3], link[:3])


def _role_strings(value: RoleStrings) -> Iterator[LayerItem]:
    for number, event in enumerate(value.events):
        yield LayerItem("events", event.type, number, repr(event))
    for answer in value.answers:
        yield LayerItem("event arguments", answer.trigger, answer.trigger, repr(answer))


def _templates(value: Sequence[str]) -> Iterator[LayerItem]:
    for number, template in enumerate(value):
        yield LayerItem("templates", str(number), number, (number, template))


def _strings(value: StringItems) -> Iterator[LayerItem]:
    """Items by their words; lines are no content."""
    for entity in value.entities:
        content = repr(entity._replace(line=0))
        yield LayerItem("entities", entity.forms[0], content, content)
    for relation in value.relations:
        yield LayerItem("relations", relation.type, repr(relation), repr(relation))
    for event in value.events:
        yield LayerItem("events", event.type, repr(event), repr(event))
    if value.output is not None:
        yield LayerItem("outputs of a model", "output", "output", value.output)


def _record(value: RecordAnswer) -> Iterator[LayerItem]:
    yield LayerItem("records", "record", "record", repr(value))


_LAYERS = (
    Layer("clusters", "cluster", tuple[Cluster, ...], _clusters, _partition),
    Layer("local-clusters", "word on ids", bool, content=False),
    Layer("trees", "sentence", Trees, _trees),
    Layer("discarded", "item", tuple[str, ...], content=False),
    Layer("triples", "triple", tuple[Triple, ...], _triples),
    Layer("events", "event", tuple[Event, ...], _events),
    Layer("times", "time", tuple[Mention, ...], _times),
    Layer("entities", "entity", tuple[Entity, ...], _entities),
    Layer("links", "relation", tuple[Relation, ...], _links),
    Layer("arguments", "argument", ArgumentLines, _arguments),
    Layer("ace", "ACE element", tuple[Element, ...], _elements, _known_elements),
    Layer("ace-source", "source", SourceFile, content=False),
    Layer("token-count", "number of tokens", int, content=False),
    Layer("token-counts", "number of tokens", Mapping[str, int | None], content=False),
    Layer("system", "name of the system", str, content=False),
    Layer("prefixes", "name space", Mapping[str, str], _prefixes),
    Layer("grounding", "placement", Mapping[str, tuple[str, int]], content=False),
    Layer("graphs", "sentence", tuple[SentenceGraph, ...], _graphs),
    Layer("windows", "record", Windows, content=False),
    Layer("facts", "fact", FactSheet, _facts),
    Layer("event-pairs", "relation between events", EventPairs, _event_pairs),
    Layer("role-links", "argument", RoleLinks, _role_links),
    Layer("role-strings", "event", RoleStrings, _role_strings),
    Layer("filled-templates", "template", tuple[str, ...], _templates),
    Layer(STRINGS_LAYER, "item", StringItems, _strings),
    Layer("record", "record", RecordAnswer, _record),
    Layer("tags", "sentence", tuple[tuple[str, ...], ...], _tags),
)
LAYERS: Registry[Layer] = Registry("layer", {layer.name: layer for layer in _LAYERS}, group="lydite.layers")
