"""A format that can hold a layer returns it unchanged; what it cannot hold is reported, all of it and nothing else."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.facade.converting import measure_conversion
from lydite.formats import FORMATS
from lydite.formats.bridges import with_layers
from lydite.formats.eal import parse_file, with_linking
from lydite.formats.layers import LAYERS
from lydite.formats.losses import Losses
from lydite.formats.rewriting import file_name, measure_losses, rewrite_documents
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, Document, Mention, Relation, Span
from lydite.model.ace import Element as AceElement
from lydite.model.ace import ElementArgument, ElementMention, Link, Name, Region, SourceFile
from lydite.model.argument import (
    Argument,
    ArgumentRow,
    Assessment,
    Entity,
    Event,
    EventArgument,
    Frame,
    PartialArgument,
)
from lydite.model.argument_lines import ArgumentLines, BrokenRow
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Triple, TripleElement

WRITERS = [name for name in FORMATS if FORMATS[name].write is not None]

plain_words = st.text("abcéß1", min_size=1, max_size=4)
odd_words = st.text('ab1 \t\n:;,#&<>"|-_()[]=’é\u2028\x0b\x85', max_size=5)
"""Whatever separates, quotes or ends something in one of the formats."""


Ranges = tuple[tuple[int, int], ...]


class Words:
    """How names and texts are drawn: plain ones fit everywhere, odd ones nearly nowhere."""

    def __init__(self, *, odd: bool) -> None:
        self.names = st.one_of(plain_words, odd_words) if odd else plain_words
        self.odd = odd

    def ids(self, draw: st.DrawFn, letter: str, count: int) -> list[str]:
        """Names that are different."""
        if not self.odd:
            return [f"{letter}{number}" for number in range(1, count + 1)]
        return [f"{draw(self.names)}{number}" for number in range(1, count + 1)]


@st.composite
def mention_documents(draw: st.DrawFn, *, odd: bool, unit: str) -> Document:
    """Mentions at different places, with clusters and relations; odd ones may overlap, cross or have several pieces."""
    words = Words(odd=odd)
    count = draw(st.integers(0, 5))
    mentions = []
    ids = words.ids(draw, "E", count)
    for number in range(count):
        begin = 10 * number + draw(st.integers(0, 3))
        span = _span(draw, begin, unit, odd=odd)
        type_, realis = (
            draw(words.names),
            draw(st.sampled_from(("Actual", "Other", "" if odd else "Generic"))),
        )
        confidences = draw(st.sampled_from(((), ("0.5",), ("0.5", "1")))) if odd else ()
        mentions.append(Mention(ids[number], span, draw(words.names), type_, realis, confidences))
    relations = tuple(_relations(draw, ids, odd=odd))
    tokens = {f"t{number}": "w" for number in range(70)} if unit == "token" else None
    return Document("d1", tuple(mentions), relations, tokens=tokens)


def _span(draw: st.DrawFn, begin: int, unit: str, *, odd: bool) -> Span:
    size = draw(st.integers(1, 4))
    if unit == "token":
        return Span(tokens=tuple(f"t{place}" for place in range(begin, begin + size)))
    if odd and draw(st.booleans()):
        return draw(st.sampled_from((Span(), Span(((begin, begin + 1), (begin + 3, begin + 4))))))
    return Span(((begin, begin + size),))


def _relations(draw: st.DrawFn, ids: list[str], *, odd: bool) -> Iterator[Relation]:
    if len(ids) > 2:
        yield Relation("Coreference", "C1", tuple(ids[: draw(st.integers(1 if odd else 2, 3))]))
    if len(ids) > 1:
        yield Relation("After", "R1", (ids[1], ids[0]))
        if odd:
            yield Relation("Before all", "R 2", tuple(ids))


@st.composite
def cluster_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    """Clusters of runs of tokens that do not overlap; among odd ones, ids and mentions of several runs."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=8))
    begins = list(itertools.accumulate((size + 1 for size in sizes), initial=0))
    members: list[Hashable] = [(begin, begin + size) for begin, size in zip(begins, sizes, strict=False)]
    if odd:
        strange: list[Hashable] = [
            "m1",
            "d1#m2",
            ("x#1", "x#2"),
            "a b#t3",
            "#",
            "d1#3-4-9",
            "d1/m3",
            "a/b",
            (1, 2, 5, 7),
        ]
        chosen = draw(st.lists(st.sampled_from(strange), unique=True))
        members = [*members, *chosen]
    homes = draw(st.lists(st.integers(0, 3), min_size=len(members), max_size=len(members)))
    groups = {home: [one for one, own in zip(members, homes, strict=True) if own == home] for home in homes}
    ids = Words(odd=odd).ids(draw, "", len(groups))
    clusters = Partition(
        Cluster(name, tuple(group)) for name, group in zip(ids, groups.values(), strict=True)
    )
    tokens = None
    if draw(st.booleans()):
        names = odd_words if odd else plain_words
        tokens = {f"t{place}": draw(names) for place in range(begins[-1])}
    return Document("d1", tokens=tokens, layers={"clusters": clusters, "token-count": begins[-1]})


@st.composite
def triple_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    names = Words(odd=odd).names
    elements = st.builds(TripleElement, st.lists(names, max_size=3, unique=not odd).map(tuple), names, names)
    confidences = st.none() | st.sampled_from((1, 0.5, -2))
    triples = st.builds(Triple, names, elements, elements, names, names, confidences, names)
    return Document("d1", layers={"triples": tuple(draw(st.lists(triples, max_size=3)))})


@st.composite
def event_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    """Events at different triggers; odd ones share triggers, have heads and several ranges, or words and no place."""
    words = Words(odd=odd)
    events = []
    for number in range(draw(st.integers(0, 3))):
        begin = 10 * (0 if odd and draw(st.booleans()) else number)
        arguments = []
        for place in range(draw(st.integers(0, 3))):
            head = ((begin + place, begin + place + 1),) if odd and draw(st.booleans()) else ()
            role = draw(words.names) or "r"
            span, text = _placed(draw, ((begin + place, begin + place + 2),), odd=odd)
            arguments.append(EventArgument(role if odd else f"{role}x", span, head, text))
        head = ((begin, begin + 1),) if odd and draw(st.booleans()) else ()
        trigger = (
            ((begin, begin + 2), (begin + 4, begin + 5))
            if odd and draw(st.booleans())
            else ((begin, begin + 2),)
        )
        trigger, text = _placed(draw, trigger, odd=odd)
        realis = draw(st.sampled_from(("", "Actual")))
        type_ = draw(st.sampled_from(("T", draw(words.names) or "T")))
        events.append(Event(type_, trigger, tuple(arguments), head, realis, text=text))
    return Document("d1", layers={"events": tuple(events)})


def _placed(draw: st.DrawFn, span: Ranges, *, odd: bool) -> tuple[Ranges, str]:
    """A span with words or without; odd words may have no place."""
    if not odd:
        return span, draw(st.sampled_from(("", draw(plain_words))))
    if draw(st.integers(0, 4)) == 0:
        return (), draw(st.one_of(plain_words, odd_words.filter(str.strip)))
    return span, draw(st.one_of(st.just(""), plain_words, odd_words))


@st.composite
def argument_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    """Lines of a store: of a system with confidences, or assessed."""
    assessed = draw(st.booleans())
    rows = []
    for number in range(draw(st.integers(0, 3))):
        place = 0 if odd and draw(st.booleans()) else 10 * number
        text = draw(odd_words) if odd else "Hest"
        argument = Argument(
            "d1", "Life.Die", "Place", text, (place, place + 4), ((0, 99),), (place, place + 4), (), "Actual"
        )
        judged = Assessment("C", "C", "C", "I", "Actual", "NAME") if assessed else None
        confidence = draw(st.sampled_from((0.5, 1.0))) if odd or not assessed else 1.0
        remark = draw(st.sampled_from(("", "why"))) if odd else ""
        rows.append(
            ArgumentRow(
                argument,
                number,
                str(number),
                confidence,
                judged,
                1 if assessed else None,
                18 if assessed else 11,
                remark,
            )
        )
    if not rows or draw(st.booleans()):
        return Document("d1", layers={"arguments": ArgumentLines(rows=tuple(rows))})
    ids = [row.id for row in rows]
    some = st.lists(st.sampled_from([*ids, "a b", "#", ""] if odd else ids), min_size=1, unique=True).map(
        tuple
    )
    frames = st.builds(Frame, some, id=st.sampled_from(("", "f") if odd else ("",)))
    broken = (BrokenRow(9, 3, PartialArgument("d1", "Life.Die", "Place", "x", None, None, None, None, None)),)
    lines = ArgumentLines(
        rows=tuple(rows),
        broken=broken if odd and draw(st.booleans()) else (),
        frames=tuple(draw(st.lists(frames, max_size=3))),
        incomplete=draw(st.one_of(st.just(()), some)),
        linked=True,
    )
    return Document("d1", layers={"arguments": lines})


@st.composite
def ace_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    """Entities and events with mentions, names and links."""
    words = Words(odd=odd)
    text = draw(words.names)
    place = Region(3, 3 + draw(st.integers(1, 5)), text)
    mention = ElementMention(
        "d1-E1-1", place, place, "NAM", draw(st.sampled_from(("", "PER"))), odd and draw(st.booleans())
    )
    entity = AceElement(
        "entity",
        "d1-E1",
        {"TYPE": "PER", "SUBTYPE": "Individual", "CLASS": "SPC"},
        (mention,),
        names=(Name(text, place),) if draw(st.booleans()) else (),
        links=(Link("wiki", draw(words.names)),) if odd else (),
    )
    said = ElementMention("d1-V1-1", place, place, arguments=(ElementArgument("Victim", "d1-E1-1"),))
    event = AceElement(
        "event",
        "d1-V1",
        {
            "TYPE": "Life",
            "SUBTYPE": "Die",
            "MODALITY": "Asserted",
            "POLARITY": "Positive",
            "GENERICITY": "Specific",
            "TENSE": "Past",
        },
        (said,),
        (ElementArgument("Victim", "d1-E1"),),
    )
    elements = draw(st.sampled_from(((), (entity,), (entity, event))))
    return Document("d1", layers={"ace": elements, "ace-source": SourceFile("text", "nw", "d1")})


@st.composite
def background_documents(draw: st.DrawFn, *, odd: bool, layer: str) -> Document:
    """What stands beside events and is not scored: entities with their mentions, times, links between them."""
    names = Words(odd=odd).names
    ids = Words(odd=odd).ids(draw, "N", 4)
    mentions = [
        Mention(name, Span(((10 * place, 10 * place + 3),)), draw(names), draw(names))
        for place, name in enumerate(ids)
    ]
    held: dict[str, tuple[Any, ...]] = {
        "entities": (
            Entity("n1", draw(names), tuple(mentions[:2])),
            Entity("n2", draw(names), tuple(mentions[2:])),
        ),
        "times": tuple(mentions),
        "links": tuple(
            Relation(draw(names), f"L{number}", tuple(draw(st.permutations(ids))[:2])) for number in range(2)
        ),
    }
    return Document("d1", layers={layer: held[layer]})


@st.composite
def tag_documents(draw: st.DrawFn, *, odd: bool) -> Document:
    """Sentences of tags, with words or without; odd types and words hold whatever separates something."""
    words = Words(odd=odd)
    tags = st.builds("{}-{}".format, st.sampled_from("BIES"), words.names) | st.just("O")
    sentences = tuple(map(tuple, draw(st.lists(st.lists(tags, min_size=1, max_size=4), max_size=3))))
    count = sum(map(len, sentences))
    tokens = {str(place): draw(words.names) for place in range(count)} if draw(st.booleans()) else None
    return Document("d1", tokens=tokens, layers={"tags": sentences})


Make = Callable[..., st.SearchStrategy[Document]]
MAKERS: dict[str, tuple[str, Make]] = {
    "mentions": ("mentions", lambda **kind: mention_documents(unit="char", **kind)),
    "mentions of tokens": ("mentions", lambda **kind: mention_documents(unit="token", **kind)),
    "clusters": ("clusters", cluster_documents),
    "triples": ("triples", triple_documents),
    "events": ("events", event_documents),
    "arguments": ("arguments", argument_documents),
    "ace": ("ace", ace_documents),
    "tags": ("tags", tag_documents),
    "entities": ("entities", lambda **kind: background_documents(layer="entities", **kind)),
    "times": ("times", lambda **kind: background_documents(layer="times", **kind)),
    "links": ("links", lambda **kind: background_documents(layer="links", **kind)),
}


BESIDE_CLUSTERS = {"trees", "prefixes"}
"""Stand beside clusters, each in one format: ``test_corefud_by_definition`` and ``test_losses`` look at them."""


OF_SINGLE_FORMATS = {
    "event-pairs", "facts", "filled-templates", "graphs", "record", "role-links", "role-strings", "strings",
}  # fmt: skip
"""Each is the layer of few formats, and converted into lydite's own alone: ``test_pairs_of_formats`` looks at them."""


def test_documents_of_every_layer_are_made() -> None:
    assert {*BESIDE_CLUSTERS, *OF_SINGLE_FORMATS, *(layer for layer, _ in MAKERS.values())} == {
        "mentions",
        *(name for name in LAYERS if LAYERS[name].content),
    }


def carries(name: str, layer: str) -> bool:
    return layer in FORMATS[name].layers or "*" in FORMATS[name].layers


# ------------------------------------------------------------------------------------- unchanged where it can be


CARRIED = [
    (name, kind)
    for name in WRITERS
    for kind, (layer, _) in MAKERS.items()
    if carries(name, layer)
    and (kind != "mentions of tokens" or "*" in FORMATS[name].layers or "token" in FORMATS[name].units)
]


@pytest.mark.parametrize(("name", "kind"), CARRIED)
@settings(max_examples=15)
@given(data=st.data())
def test_a_format_that_can_hold_a_layer_returns_it_unchanged(
    name: str, kind: str, data: st.DataObject
) -> None:
    document = data.draw(MAKERS[kind][1](odd=False))
    losses, _ = measure_conversion(Corpus("c", {"d1": document}, format="lydite"), FORMATS[name])
    lost = {*losses.dropped, *losses.changed} - BETWEEN_MENTIONS.get(name, set())
    if not document.layers.get("triples"):
        lost -= WITHOUT_TRIPLES.get(name, set())
    assert lost <= {"token ids", "tokens", *_ids(losses)}, losses.lines()
    if FORMATS[name].has_words or "*" in FORMATS[name].layers:
        assert "tokens" not in losses.dropped


BETWEEN_MENTIONS = {"spans-jsonl": {"clusters", "After relations"}}
"""What is said between mentions and not of them, where a format holds mentions alone."""
WITHOUT_TRIPLES = {"triples-jsonl": {"documents"}}
"""What is not there where nothing is said."""


def _ids(losses: Losses) -> set[str]:
    return {what for what in losses.changed if what.endswith("ids")}


# ------------------------------------------------------------------------------------------------ exactly


NOWHERE = (Span(), Span(((0, 0),)))


def counted(document: Document, held: set[str], *, by_id: bool) -> dict[str, Counter[Hashable]]:
    """What a document says, kind by kind, ids apart: an account of its own, beside that of the loss report.

    Relations are told by the places of their members, by their ids where these are all that is left.
    """
    found: dict[str, Counter[Hashable]] = {}
    if "mentions" in held:
        found["mentions"] = Counter(map(content_of, document.mentions))
        nowhere = itertools.count()
        spans: dict[str, Hashable] = {
            mention.id: mention.id
            if by_id
            else ("nowhere", next(nowhere))
            if mention.span in NOWHERE
            else mention.span
            for mention in document.mentions
        }
        for relation in document.relations:
            places = [spans.get(member, member) for member in relation.members]
            cluster = relation.name == "Coreference"
            what = "clusters" if cluster else f"{relation.name} relations"
            found.setdefault(what, Counter())[frozenset(places) if cluster else tuple(places)] += 1
    for layer in held & document.layers.keys():
        for what, items in _LAYER_CONTENT[layer](document.layers[layer]).items():
            found.setdefault(what, Counter()).update(items)
    return found


def content_of(mention: Mention) -> Hashable:
    text = "" if mention.text == "-" else mention.text
    return mention.span, text, _said(mention.type), _said(mention.realis), mention.confidences


def _said(value: str) -> str:
    return "" if value == "NOT_ANNOTATED" else value


def _event_content(events: tuple[Event, ...]) -> dict[str, list[Hashable]]:
    triggers = [((_said(one.type), one.trigger or one.text), one) for one in events]
    fillers = [
        ((*key, one.role, one.span or one.text), one) for key, event in triggers for one in event.arguments
    ]
    return {
        "events": [(*key, _said(one.realis)) for key, one in triggers],
        "heads of triggers": [(*key, one.head) for key, one in triggers if one.head],
        "texts of triggers": [(*key, one.text) for key, one in triggers if one.trigger and one.text],
        "event arguments": [key for key, _ in fillers],
        "heads of event arguments": [(*key, one.head) for key, one in fillers if one.head],
        "texts of event arguments": [(*key, one.text) for key, one in fillers if one.span and one.text],
    }


def _argument_content(lines: ArgumentLines) -> dict[str, list[Hashable]]:
    meant: dict[str, Hashable] = {row.id: row.argument for row in lines.rows}
    frames = [
        (frozenset(meant.get(member, member) for member in frame.members), frame.id) for frame in lines.frames
    ]
    return {
        "arguments": [(row.argument, row.confidence, row.assessment, row.cluster) for row in lines.rows],
        "remarks": [(row.argument, row.remark) for row in lines.rows if row.remark],
        "frames": [members for members, _ in frames],
        "frame ids": [frame for frame in frames if frame[1]],
        "arguments not yet linked": [meant.get(name, name) for name in lines.incomplete],
        "lines without an argument": [broken.partial for broken in lines.broken],
    }


def _entity_content(entities: tuple[Entity, ...]) -> dict[str, list[Hashable]]:
    return {
        "entities": [(one.id, one.type) for one in entities],
        "entity mentions": [
            (one.id, mention.span, mention.text) for one in entities for mention in one.mentions
        ],
    }


def _link_content(links: tuple[Relation, ...]) -> dict[str, list[Hashable]]:
    found: dict[str, list[Hashable]] = {}
    for link in links:
        found.setdefault(f"{link.name} links", []).append(link.members)
    return found


_LAYER_CONTENT: dict[str, Callable[[Any], dict[str, list[Hashable]]]] = {
    "clusters": lambda clusters: {"clusters": [frozenset(cluster.members) for cluster in clusters]},
    "triples": lambda triples: {"triples": list(triples)},
    "events": _event_content,
    "arguments": _argument_content,
    "tags": lambda tags: {"tags": list(enumerate(tags))},
    "ace": lambda elements: {"ACE elements": [repr(element) for element in elements]},
    "entities": _entity_content,
    "times": lambda times: {"times": [(one.span, one.text, one.type) for one in times]},
    "links": _link_content,
}
MENTION_LOSSES = {"mentions", "spans", "texts of mentions", "types", "realis", "confidences"}


def read_back(corpus: Corpus, name: str) -> Document | None:
    """What the reader finds in the file that a conversion writes."""
    target = FORMATS[name]
    (written,) = rewrite_documents(corpus, target)
    if target.holds_many and not written.data:
        return None  # an empty file may be that of any format
    in_tokens = any(mention.span.tokens for mention in written.completed.mentions)
    options = {"unit": "token" if in_tokens else "char"} if "token" in target.units else {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / file_name("d1", target)
        if written.files:
            for inside, data in written.files.items():
                (Path(folder) / inside).mkdir()
                (Path(folder) / inside / path.name).write_bytes(data)
        else:
            path.write_bytes(written.data)
        if target.open is not None:
            found = target.read(target.open(folder), options)
        else:
            found = target.read(
                Source(str(path), (SourcePart(str(path), lambda: BytesIO(written.data)),)), options
            )
            if len(found) > 1:
                whole = {**options, "unit": "corpus"}
                found = target.read(
                    Source(str(path), (SourcePart(str(path), lambda: BytesIO(written.data)),)), whole
                )
        return next(iter(found.documents.values()), None)


@pytest.mark.parametrize("kind", list(MAKERS))
@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=12)
@given(data=st.data())
def test_the_loss_report_names_what_is_missing_afterwards_and_nothing_else(
    name: str, kind: str, data: st.DataObject
) -> None:
    layer, make = MAKERS[kind]
    before = data.draw(make(odd=True))
    corpus = Corpus("c", {"d1": before}, format="lydite")
    losses = Losses("lydite", name, most=1000)
    for written in rewrite_documents(corpus, FORMATS[name]):
        measure_losses(written, FORMATS[name], losses)
    again = read_back(corpus, name)
    after = Document("d1") if again is None else again
    assert (again is None or not again.doc_id) == bool(losses.count("dropped", "documents"))
    # What was made of the layer for the target is made back of the target, where there is a way back.
    after = with_layers(after._replace(tokens=before.tokens), [layer])
    placed = any(mention.span != Span() for mention in after.mentions)
    ours, theirs = (counted(side, {layer}, by_id=not placed) for side in (before, after))
    for what, items in ours.items():
        missing = sum((items - theirs.get(what, Counter())).values())
        if what == "mentions":
            named = {
                loss.item
                for table in (losses.dropped, losses.changed)
                for one in MENTION_LOSSES
                for loss in table.get(one, ())
            }
            assert len(named) == missing, (what, losses.lines(), ours, theirs)
        else:
            told = losses.count("dropped", what) + losses.count("changed", what)
            assert told == missing, (what, losses.lines(), ours, theirs)


# ----------------------------------------------------------------------------------------- linking in a store


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=6)
_RANGES = st.tuples(st.integers(0, 99), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair)))


@st.composite
def argument_lines(draw: st.DrawFn) -> ArgumentLines:
    """Arguments under ids of any kind, in frames over any of them, or waiting for one."""
    arguments = st.builds(
        Argument,
        st.just("d1"),
        st.sampled_from(["Life.Die", "Conflict.Attack"]),
        st.sampled_from(["Victim", "Place", "Time"]),
        _WORDS,
        _RANGES,
        st.sets(_RANGES, min_size=1, max_size=3).map(lambda spans: tuple(sorted(spans))),
        _RANGES,
        st.sets(_RANGES, max_size=2).map(lambda spans: tuple(sorted(spans))),
        st.sampled_from(["Actual", "Generic", "Other"]),
    )
    rows = draw(
        st.lists(
            st.tuples(arguments, st.text(max_size=5), st.floats(0, 1)).map(
                lambda parts: ArgumentRow(parts[0], id=parts[1], confidence=parts[2])
            ),
            max_size=5,
            unique_by=(lambda row: row.id, lambda row: row.argument),
        )
    )
    some = st.lists(st.sampled_from([row.id for row in rows]), min_size=1, max_size=4, unique=True).map(tuple)
    frames = draw(st.lists(some.map(Frame), max_size=4)) if rows else []
    incomplete = draw(some) if rows and draw(st.booleans()) else ()
    return ArgumentLines(tuple(rows), frames=tuple(frames), incomplete=incomplete, linked=True, nested=True)


def _linked(lines: ArgumentLines) -> tuple[Any, ...]:
    """What a document says about its arguments, with arguments in place of their ids."""
    meant = {row.id: row.argument for row in lines.rows}
    frames = [frozenset(meant[member] for member in frame.members) for frame in lines.frames]
    answers = {row.argument: row.confidence for row in lines.rows}
    return answers, frames, {meant[member] for member in lines.incomplete}


@given(lines=argument_lines())
def test_arguments_and_linking_return_unchanged_from_a_store(lines: ArgumentLines) -> None:
    corpus = Corpus("x", {"d1": Document("d1", layers={"arguments": lines})}, format="lydite")
    losses = Losses("lydite", "eal")
    (written,) = rewrite_documents(corpus, FORMATS["eal"])
    measure_losses(written, FORMATS["eal"], losses)
    assert not losses.is_lossy
    assert losses.kept["frames"] == len(lines.frames)
    again = with_linking(parse_file("d1", written.files["arguments"]), written.files["linking"])
    assert _linked(again) == _linked(lines)


@given(lines=argument_lines(), names=st.lists(st.text(max_size=3), max_size=3))
def test_what_a_linking_file_cannot_hold_is_counted(lines: ArgumentLines, names: list[str]) -> None:
    frames = tuple(frame._replace(id=name) for frame, name in zip(lines.frames, names, strict=False))
    corpus = Corpus(
        "x", {"d1": Document("d1", layers={"arguments": replace(lines, frames=frames)})}, format="lydite"
    )
    losses, _ = measure_conversion(corpus, FORMATS["eal"])
    assert losses.kept["frames"] == len(frames)
    assert losses.count("dropped", "frame ids") == sum(bool(frame.id) for frame in frames)


# ------------------------------------------------------------------------------------ words with and without place


_PLACES = st.lists(_RANGES, min_size=1, max_size=2, unique=True).map(lambda spans: tuple(sorted(spans)))


@st.composite
def event_layers(draw: st.DrawFn) -> tuple[Event, ...]:
    """Events whose triggers and fillers have a place, words, or both."""

    def placed() -> tuple[Any, str]:
        span = draw(st.one_of(st.just(()), _PLACES))
        return span, draw(_WORDS) if not span or draw(st.booleans()) else ""

    events = []
    for _ in range(draw(st.integers(0, 3))):
        fillers = []
        for _ in range(draw(st.integers(0, 3))):
            span, words = placed()
            head = draw(st.one_of(st.just(()), _PLACES))
            fillers.append(EventArgument(draw(st.sampled_from(["Agent", "Place"])), span, head, words))
        trigger, words = placed()
        realis = draw(st.sampled_from(["", "Actual"]))
        events.append(
            Event(draw(st.sampled_from(["Attack", "Die"])), trigger, tuple(fillers), (), realis, text=words)
        )
    return tuple(events)


@pytest.mark.parametrize("name", ["events", "lydite"])
@given(events=event_layers(), text=st.text(max_size=20))
def test_events_with_places_or_words_return_unchanged(
    name: str, events: tuple[Event, ...], text: str
) -> None:
    document = Document("d1", text=text or None, layers={"events": events})
    losses, _ = measure_conversion(Corpus("x", {"d1": document}, format="lydite"), FORMATS[name])
    assert not losses.is_lossy
    arguments = sum(len(event.arguments) for event in events)
    assert (losses.kept["events"], losses.kept["event arguments"]) == (len(events), arguments)


@given(events=event_layers())
def test_what_brat_cannot_hold_of_events_is_counted(events: tuple[Event, ...]) -> None:
    document = Document("d1", layers={"events": events})
    losses, _ = measure_conversion(Corpus("x", {"d1": document}, format="lydite"), FORMATS["brat"])
    for what, total in (
        ("events", len(events)),
        ("event arguments", sum(len(one.arguments) for one in events)),
    ):
        told = losses.count("dropped", what) + losses.count("changed", what)
        assert losses.kept[what] + told == total
    unplaced = sum(not one.trigger for one in events)
    assert losses.count("dropped", "events") >= unplaced
