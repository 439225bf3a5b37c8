"""Seeded random ACE corpora: gold, and a system that gets things wrong in every way the formulas know of."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lydite.model import Corpus, Document
from lydite.model.ace import (
    LAYER,
    SOURCE_LAYER,
    Element,
    ElementArgument,
    ElementMention,
    Link,
    Name,
    Region,
    SourceFile,
)

SUBTYPES = {"PER": ("Individual", "Group"), "ORG": ("Commercial", "Media"), "GPE": ("Nation", "Special")}
RELATIONS = {
    "PHYS": ("Located", "Near"),
    "ORG-AFF": ("Employment", "Founder"),
    "PER-SOC": ("Family",),
    "METONYMY": (),
}
EVENTS = {"Life": ("Die", "Marry"), "Conflict": ("Attack",)}
ROLES = ("Agent", "Victim", "Place", "Time-Within", "Crime")
WORDS = ("Mira Valdez", "Valdez", "Corvale", "Aldane", "O' Ren-Takk.", "ald", "سليم", "北山", "17")
SOURCES = ("newswire", "weblog")


@dataclass
class Seed:
    """An element of the world: who it is, and where it stands in each document."""

    number: int
    attributes: dict[str, str]
    places: dict[str, list[tuple[Region, Region, str, bool, str]]]
    names: dict[str, list[str]]


def word(rng: random.Random, place: int) -> Region:
    text = rng.choice(WORDS)
    return Region(place, place + len(text), text)


def around(rng: random.Random, region: Region) -> Region:
    return Region(max(0, region.start - rng.choice((0, 0, 3, 9))), region.end + rng.choice((0, 0, 4, 6)))


class World:
    """What is true: entities, values and times with their places; ``shared`` makes some of them corpus-wide."""

    def __init__(self, rng: random.Random, *, shared: bool, documents: int) -> None:
        self.rng = rng
        self.docs = [f"d{number}" for number in range(documents)]
        self.source = {doc: rng.choice(SOURCES) for doc in self.docs}
        self.shared = shared
        self.entities = [
            self.entity(number) for number in range(rng.randint(2, 4) * (1 if shared else documents))
        ]
        self.values = [self.plain(number) for number in range(rng.randint(0, 2))]
        self.times = [self.plain(number) for number in range(rng.randint(0, 2))]

    def where(self, number: int) -> list[str]:
        if not self.shared:
            return [self.docs[number % len(self.docs)]]
        return self.rng.sample(self.docs, self.rng.randint(1, len(self.docs)))

    def entity(self, number: int) -> Seed:
        rng = self.rng
        type_ = rng.choice(list(SUBTYPES))
        attributes = {
            "TYPE": type_,
            "SUBTYPE": rng.choice(SUBTYPES[type_]),
            "CLASS": rng.choice(("SPC", "SPC", "SPC", "GEN", "USP")),
        }
        places: dict[str, Any] = {}
        names: dict[str, list[str]] = {}
        for doc in self.where(number):
            places[doc] = []
            for _ in range(rng.randint(1, 3)):
                head = word(rng, rng.randint(0, 60))
                level = rng.choice(("NAM", "NAM", "NOM", "PRO"))
                metonymic = rng.random() < 0.15
                role = rng.choice(("", "", "", "ORG", "GPE"))
                places[doc].append((head, around(rng, head), level, metonymic, role))
            names[doc] = [head.text for head, _, level, *_ in places[doc] if level == "NAM"]
            if rng.random() < 0.15:
                names[doc] = []
        return Seed(number, attributes, places, names)

    def plain(self, number: int) -> Seed:
        places: dict[str, Any] = {}
        for doc in self.where(number):
            found = [word(self.rng, self.rng.randint(0, 60)) for _ in range(self.rng.randint(1, 2))]
            places[doc] = [(region, region, "", False, "") for region in found]
        return Seed(number, {}, places, {})


class Side:
    """One side of a comparison, drawn from a world with some errors."""

    def __init__(self, world: World, rng: random.Random, prefix: str, errors: float) -> None:
        self.world, self.rng, self.prefix, self.errors = world, rng, prefix, errors
        self.elements: dict[str, list[Element]] = {doc: [] for doc in world.docs}
        self.hosts: dict[tuple[str, str], list[str]] = {}
        self.count = 0
        self.with_entities()
        for kind, seeds in (("value", world.values), ("timex2", world.times)):
            self.with_plain(kind, seeds)
        self.with_relations()
        self.with_events()

    def wrong(self) -> bool:
        return self.rng.random() < self.errors

    def mention_id(self) -> str:
        self.count += 1
        return f"{self.prefix}m{self.count:03d}"

    def moved(self, region: Region) -> Region:
        if not self.wrong():
            return region
        step = self.rng.choice((-4, -2, 1, 3, 20))
        start = max(0, int(region.start) + step)
        end = max(start + 1, int(region.end) + self.rng.choice((step, 0)))
        return Region(start, end, region.text if self.rng.random() < 0.7 else self.rng.choice(WORDS))

    def may_merge(self, one: int, other: int) -> bool:
        return self.world.shared or (one - other) % len(self.world.docs) == 0

    def with_entities(self) -> None:
        rng, seeds = self.rng, self.world.entities
        host = {seed.number: seed.number for seed in seeds}
        for seed in seeds:
            if self.wrong():
                host[seed.number] = rng.choice([n for n in host if self.may_merge(n, seed.number)])
        attributes: dict[int, dict[str, str]] = {}
        for seed in seeds:
            found = dict(seed.attributes)
            if self.wrong():
                found["TYPE"] = rng.choice(list(SUBTYPES))
                found["SUBTYPE"] = rng.choice(SUBTYPES[found["TYPE"]])
            if self.wrong():
                found["SUBTYPE"] = rng.choice(SUBTYPES[found["TYPE"]])
            if self.wrong():
                found["CLASS"] = rng.choice(("SPC", "GEN"))
            attributes[seed.number] = found
        links = {n: rng.choice(("x1", "x2", "x3")) for n in host if rng.random() < 0.5}
        for doc in self.world.docs:
            gathered: dict[int, list[ElementMention]] = {}
            names: dict[int, list[str]] = {}
            for seed in seeds:
                for head, extent, level, metonymic, role in seed.places.get(doc, ()):
                    if self.wrong():
                        continue
                    owner = host[seed.number]
                    if self.wrong():
                        owner = rng.choice([n for n in host if self.may_merge(n, seed.number)])
                    level_here = rng.choice(("NAM", "NOM", "PRO")) if self.wrong() else level
                    place = self.moved(head)
                    extent_here = self.moved(extent) if self.wrong() else extent
                    style = not metonymic if self.wrong() else metonymic
                    role_here = rng.choice(("", "GPE")) if self.wrong() else role
                    mention = ElementMention(
                        self.mention_id(), extent_here, place, level_here, role_here, style
                    )
                    gathered.setdefault(owner, []).append(mention)
                    names.setdefault(owner, [])
                    names[owner] += [n for n in seed.names.get(doc, ()) if not self.wrong()]
            for owner, mentions in gathered.items():
                self.entity(doc, owner, attributes[owner], mentions, names[owner], link=links.get(owner))
            if self.wrong() and self.prefix == "S":
                head = word(rng, rng.randint(0, 80))
                mention = ElementMention(self.mention_id(), head, head, rng.choice(("NAM", "NOM")))
                number = 90 + self.world.docs.index(doc)
                found = {"TYPE": "PER", "SUBTYPE": "Group", "CLASS": "SPC"}
                self.entity(doc, number, found, [mention], ["Zork"])

    def entity(
        self,
        doc: str,
        number: int,
        attributes: dict[str, str],
        mentions: list[ElementMention],
        names: list[str],
        *,
        link: str | None = None,
    ) -> None:
        entity_id = f"{self.prefix}E{number:02d}"
        named = any(m.type == "NAM" and not m.metonymic for m in mentions)
        links = (Link("kb", link),) if link else ()
        given = tuple(Name(text) for text in names) if named else ()
        self.elements[doc].append(
            Element("entity", entity_id, attributes, tuple(mentions), names=given, links=links)
        )
        self.hosts[doc, entity_id] = [m.id for m in mentions]

    def with_plain(self, kind: str, seeds: list[Seed]) -> None:
        for seed in seeds:
            if self.wrong():
                continue
            element_id = f"{self.prefix}{kind[0].upper()}{seed.number}"
            attributes = self.value() if kind == "value" else self.time()
            for doc, places in seed.places.items():
                found = [
                    ElementMention(self.mention_id(), self.moved(region))
                    for region, *_ in places
                    if not self.wrong()
                ]
                if found:
                    self.elements[doc].append(Element(kind, element_id, attributes, tuple(found)))
                    self.hosts[doc, element_id] = [m.id for m in found]

    def value(self) -> dict[str, str]:
        if self.rng.random() < 0.5:
            return {"TYPE": self.rng.choice(("Crime", "Sentence"))}
        return {"TYPE": "Numeric", "SUBTYPE": self.rng.choice(("Money", "Percent"))}

    def time(self) -> dict[str, str]:
        choices = {
            "VAL": ("2006", "2007", ""),
            "MOD": ("START", "END"),
            "ANCHOR_VAL": ("2006", "2005"),
            "ANCHOR_DIR": ("AFTER", "BEFORE"),
            "SET": ("YES",),
            "COMMENT": ("so",),
        }
        return {name: self.rng.choice(some) for name, some in choices.items() if self.rng.random() < 0.5}

    def of_kind(self, doc: str, *kinds: str) -> list[str]:
        return [e.id for e in self.elements[doc] if e.kind in kinds]

    def inside(self, doc: str, arguments: tuple[ElementArgument, ...]) -> tuple[ElementArgument, ...]:
        return tuple(
            ElementArgument(a.role, self.rng.choice(self.hosts[doc, a.filler]))
            for a in arguments
            if (doc, a.filler) in self.hosts and self.rng.random() < 0.9
        )

    def with_relations(self) -> None:
        rng = self.rng
        for number in range(rng.randint(1, 3)):
            doc = rng.choice(self.world.docs)
            entities = self.of_kind(doc, "entity")
            if len(entities) < 2:
                continue
            first, second = rng.sample(entities, 2)
            type_ = rng.choice(list(RELATIONS))
            attributes = {"TYPE": type_}
            if RELATIONS[type_]:
                attributes["SUBTYPE"] = rng.choice(RELATIONS[type_])
            if rng.random() < 0.4:
                attributes["MODALITY"] = rng.choice(("Asserted", "Other"))
            if rng.random() < 0.3:
                attributes["TENSE"] = rng.choice(("Past", "Future"))
            arguments = (ElementArgument("Arg-1", first), ElementArgument("Arg-2", second))
            times = self.of_kind(doc, "timex2")
            if times and rng.random() < 0.5:
                role = rng.choice(("Time-Within", "Time-After"))
                arguments = (*arguments, ElementArgument(role, rng.choice(times)))
            docs = {doc}
            if self.world.shared:
                docs |= {
                    other
                    for other in self.world.docs
                    if {first, second} & set(self.of_kind(other, "entity")) and rng.random() < 0.6
                }
            for where in sorted(docs):
                mentions = self.frame_mentions(where, arguments)
                if type_ == "METONYMY" and rng.random() < 0.5:
                    mentions = ()
                self.elements[where].append(
                    Element("relation", f"{self.prefix}R{number}", attributes, mentions, arguments)
                )

    def frame_mentions(self, doc: str, arguments: tuple[ElementArgument, ...]) -> tuple[ElementMention, ...]:
        found = []
        for _ in range(self.rng.randint(1, 2)):
            start = self.rng.randint(0, 70)
            extent = Region(start, start + self.rng.randint(5, 40))
            anchor = Region(start, start + 3)
            found.append(
                ElementMention(self.mention_id(), extent, anchor, arguments=self.inside(doc, arguments))
            )
        return tuple(found)

    def with_events(self) -> None:
        rng = self.rng
        for number in range(rng.randint(1, 2)):
            doc = rng.choice(self.world.docs)
            fillers = self.of_kind(doc, "entity", "value", "timex2")
            chosen = rng.sample(fillers, min(len(fillers), rng.randint(0, 4)))
            arguments = tuple(ElementArgument(rng.choice(ROLES), filler) for filler in chosen)
            type_ = rng.choice(list(EVENTS))
            attributes = {
                "TYPE": type_,
                "SUBTYPE": rng.choice(EVENTS[type_]),
                "MODALITY": rng.choice(("Asserted", "Other")),
                "POLARITY": rng.choice(("Positive", "Negative")),
                "GENERICITY": "Specific",
                "TENSE": rng.choice(("Past", "Future")),
            }
            mentions = self.frame_mentions(doc, arguments)
            self.elements[doc].append(
                Element("event", f"{self.prefix}Q{number}", attributes, mentions, arguments)
            )

    def corpus(self) -> Corpus:
        documents = {
            doc: Document(
                doc,
                layers={
                    LAYER: tuple(self.elements[doc]),
                    SOURCE_LAYER: SourceFile("text", self.world.source[doc], doc),
                },
            )
            for doc in self.world.docs
        }
        return Corpus("system" if self.prefix == "S" else "gold", documents)


def corpora(seed: int, *, shared: bool, extra: bool) -> tuple[Corpus, Corpus]:
    """Gold and system.  Without ``shared`` every element stands in one document, and the system may lack documents.

    ``extra`` lets the system have a document that gold has not.
    """
    rng = random.Random(f"{seed} {shared}")
    world = World(rng, shared=shared, documents=rng.randint(1, 3))
    errors = rng.choice((0.05, 0.15, 0.3))
    gold, system = Side(world, rng, "G", 0.0).corpus(), Side(world, rng, "S", errors).corpus()
    documents = dict(system.documents)
    if len(documents) > 1 and not shared and rng.random() < 0.2:
        del documents[rng.choice(sorted(documents))]
    if extra and rng.random() < 0.3:
        head = word(rng, 0)
        more = ElementMention("SX-1", head, head, "NAM")
        entity = Element("entity", "SX", {"TYPE": "PER", "SUBTYPE": "Group", "CLASS": "SPC"}, (more,))
        layers = {LAYER: (entity,), SOURCE_LAYER: SourceFile("text", "weblog", "x")}
        documents["x"] = Document("x", layers=layers)
    return gold, replace(system, documents=documents)


def changed(corpus: Corpus, change: Callable[[str, tuple[Element, ...]], tuple[Element, ...]]) -> Corpus:
    """The corpus with other elements in every document."""
    return replace(
        corpus,
        documents={
            doc_id: item._replace(layers={**item.layers, LAYER: change(doc_id, item.layers[LAYER])})
            for doc_id, item in corpus.documents.items()
        },
    )


def renamed(corpus: Corpus, names: dict[str, str]) -> Corpus:
    """The corpus with other ids; ``names`` remembers them."""

    def new(name: str) -> str:
        return names.setdefault(name, f"n{len(names) * 7919 % 1000:03d}{len(names)}")

    def change(_doc_id: str, elements: tuple[Element, ...]) -> tuple[Element, ...]:
        return tuple(
            replace(
                element,
                id=new(element.id),
                arguments=tuple(ElementArgument(a.role, new(a.filler)) for a in element.arguments),
                mentions=tuple(
                    replace(
                        mention,
                        id=new(mention.id),
                        arguments=tuple(ElementArgument(a.role, new(a.filler)) for a in mention.arguments),
                    )
                    for mention in element.mentions
                ),
            )
            for element in elements
        )

    return changed(corpus, change)
