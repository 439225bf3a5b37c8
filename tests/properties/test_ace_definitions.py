"""ACE values against their written definitions, worked out anew without any of the shortcuts of the aligner.

Corpora are drawn at random and dense: heads overlap, entities are confused, arguments change their roles.  Everything
is enumerated or solved as one square table; nothing is swept, indexed or split.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from lydite.align.ace import align
from lydite.align.ace_assignment import assign
from lydite.model import Document
from lydite.model.ace import (
    LAYER,
    SOURCE_LAYER,
    Element,
    ElementArgument,
    ElementMention,
    Name,
    Region,
    SourceFile,
)
from lydite.model.ace_alignment import AceAlignment, KindAlignment, Outcome
from lydite.model.ace_parameters import Parameters
from lydite.profile import load_profile
from lydite.tasks import TASKS

EPS = 1e-8
SIMPLE = ("entity", "value", "timex2")
TYPES = {"PER": ("Individual", "Group"), "ORG": ("Commercial", "Media"), "GPE": ("Nation", "Special")}
ROLES = ("Agent", "Target", "Place", "Time-Within")
RELATIONS = {"PHYS": ("Located", "Near"), "ORG-AFF": ("Employment", "Founder"), "PER-SOC": ("Family",)}
NAMES = ("mira takk", "mira tak", "oren", "orin", "corvale")
PROFILES = ("ace05", "ace05-timex", "ace07", "ace08-local2007", "ace08-local", "ace08-global-mentions")


# --------------------------------------------------------------------------------------------------- corpora


class Draw:
    """Random documents of one side; corpus-wide ids where ``shared``."""

    def __init__(self, seed: str, prefix: str, *, shared: bool, times: bool) -> None:
        self.random = random.Random(seed)
        self.prefix, self.shared, self.times = prefix, shared, times

    def documents(self) -> list[Document]:
        return [self.document(doc_id) for doc_id in ("a", "b")]

    def document(self, doc_id: str) -> Document:
        entities = [self.entity(doc_id, number) for number in range(self.random.randint(2, 4))]
        others = [self.other(doc_id, kind, number) for kind in ("value", "timex2") for number in range(2)]
        frames = [self.event(doc_id, number, [*entities, *others]) for number in range(2)]
        frames += [self.relation(doc_id, number, entities, others) for number in range(2)]
        layers = {
            LAYER: (*entities, *others, *frames),
            SOURCE_LAYER: SourceFile("text", "newswire", doc_id),
        }
        return Document(doc_id, layers=layers)

    def region(self, shortest: int, longest: int, room: int) -> Region:
        start = self.random.randrange(room)
        text = self.random.choice(NAMES)
        return Region(start, start + self.random.randint(shortest, longest), text)

    def entity(self, doc_id: str, number: int) -> Element:
        own = f"{self.prefix}E{number}" if self.shared else f"{self.prefix}{doc_id}E{number}"
        fixed = random.Random(f"{self.prefix}{number}") if self.shared else self.random
        type_ = fixed.choice(list(TYPES))
        attributes = {
            "TYPE": type_,
            "SUBTYPE": fixed.choice(TYPES[type_]),
            "CLASS": fixed.choice(("SPC", "SPC", "GEN")),
        }
        mentions = []
        for position in range(self.random.randint(1, 3)):
            head = self.region(2, 5, 14)
            level = self.random.choice(("NAM", "NOM", "PRO"))
            role = self.random.choice(("", "", "GPE"))
            metonymic = self.random.random() < 0.2
            mentions.append(ElementMention(f"{own}-{doc_id}-{position}", head, head, level, role, metonymic))
        names = tuple(
            Name(mention.head.text, mention.head)
            for mention in mentions
            if mention.type == "NAM" and not mention.metonymic and mention.head
        )
        return Element("entity", own, attributes, tuple(mentions), names=names)

    def other(self, doc_id: str, kind: str, number: int) -> Element:
        own = f"{self.prefix}{doc_id}{kind}{number}"
        place = self.region(3, 6, 12)
        if kind == "value":
            attributes = {"TYPE": "Numeric", "SUBTYPE": self.random.choice(("Money", "Percent"))}
        else:
            given = {"VAL": ("2001", "2002"), "MOD": ("START", "END"), "ANCHOR_VAL": ("x", "y")}
            attributes = {
                name: self.random.choice(choices)
                for name, choices in given.items()
                if self.random.random() < 0.7
            }
        return Element(kind, own, attributes, (ElementMention(f"{own}-1", place),))

    def event(self, doc_id: str, number: int, fillers: Sequence[Element]) -> Element:
        own = f"{self.prefix}{doc_id}W{number}"
        type_, subtype = self.random.choice((("Life", "Die"), ("Conflict", "Attack")))
        attributes = {"TYPE": type_, "SUBTYPE": subtype, "POLARITY": "Positive", "TENSE": "Past"}
        attributes |= {"MODALITY": self.random.choice(("Asserted", "Other")), "GENERICITY": "Specific"}
        chosen = self.random.sample(fillers, self.random.randint(0, 3))
        return self._frame("event", own, attributes, [(self.random.choice(ROLES), one) for one in chosen])

    def relation(
        self, doc_id: str, number: int, entities: Sequence[Element], others: Sequence[Element]
    ) -> Element:
        own = f"{self.prefix}{doc_id}R{number}"
        type_ = self.random.choice(list(RELATIONS))
        attributes = {"TYPE": type_, "SUBTYPE": self.random.choice(RELATIONS[type_])}
        arguments = list(zip(("Arg-1", "Arg-2"), self.random.sample(entities, 2), strict=True))
        if self.times and self.random.random() < 0.5:
            arguments.append(("Time-Within", self.random.choice(others[2:])))
        return self._frame("relation", own, attributes, arguments)

    def _frame(
        self, kind: str, own: str, attributes: dict[str, str], arguments: Sequence[tuple[str, Element]]
    ) -> Element:
        inside = tuple(
            ElementArgument(role, self.random.choice(filler.mentions).id) for role, filler in arguments
        )
        mention = ElementMention(f"{own}-1", self.region(6, 12, 20), arguments=inside)
        whole = tuple(ElementArgument(role, filler.id) for role, filler in arguments)
        return Element(kind, own, attributes, (mention,), whole)


# ----------------------------------------------------------------------------------------------- definitions


class Member(NamedTuple):
    """A mention as an element sees it."""

    id: str
    place: Region
    type: str
    role: str
    style: str


class Thing(NamedTuple):
    """An occurrence of an element, with defaults filled in."""

    kind: str
    attributes: Mapping[str, str]
    members: tuple[Member, ...]
    names: tuple[str, ...]


Side = dict[str, dict[str, Thing]]
"""Element id to document to occurrence."""


def overlap(one: Region, other: Region) -> float:
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0, shared) / max(one.end - one.start, other.end - other.start)


class Definitions:
    """Sections 3 to 9 of the description of ACE, one formula a method."""

    def __init__(self, profile: str) -> None:
        self.profile = load_profile("ace", profile, TASKS["ace"].settings)
        self.year = int(self.profile["model"])
        self.p: Any = self.profile.values

    def things(self, documents: Sequence[Document], kind: str) -> Side:
        side: Side = {}
        for document in documents:
            for element in document.layers[LAYER]:
                if element.kind == kind:
                    side.setdefault(element.id, {})[document.doc_id] = self.thing(element)
        return side

    def thing(self, element: Element) -> Thing:
        attributes = dict(element.attributes)
        members = tuple(
            Member(
                mention.id,
                (mention.head if element.kind == "entity" else None) or mention.extent or Region(0, 0),
                mention.type,
                mention.role or attributes.get("TYPE", ""),
                "METONYMIC" if mention.metonymic else "LITERAL",
            )
            for mention in element.mentions
        )
        if element.kind == "entity":
            attributes["LEVEL"] = min((self.level(one) for one in members), key=("NAM", "NOM", "PRO").index)
        if element.kind == "timex2":
            attributes |= {"TYPE": "TIMEX2", "SET": "NO"}
        if element.kind == "relation":
            attributes["MODALITY"] = "Unspecified"
            if self.year < 2008:
                attributes["TENSE"] = "Unspecified"
        return Thing(element.kind, attributes, members, tuple(sorted({name.text for name in element.names})))

    def level(self, member: Member) -> str:
        return (
            "NOM"
            if self.year == 2008 and member.type == "NAM" and member.style == "METONYMIC"
            else member.type
        )

    def own(self, kind: str, member: Member) -> float:
        return EPS + (self.p["entity"]["mention-type"][member.type] if kind == "entity" else 1.0)

    def mass(self, thing: Thing) -> float:
        return sum(self.own(thing.kind, member) for member in thing.members)

    def q(self, kind: str, one: Member, other: Member) -> float | None:
        shared = overlap(one.place, other.place)
        if shared < self.p["min-overlap"]:
            return None
        if kind != "entity":
            return 1 + EPS * shared
        if (
            self.p["min-text-match"]
            and self.text_match(one.place.text, other.place.text) < self.p["min-text-match"]
        ):
            return None
        weights = self.p["entity"]["mention-type"]
        errors = (one.type != other.type) + (one.role != other.role) + (one.style != other.style)
        return float((min(weights[one.type], weights[other.type]) + EPS * shared) * 0.9**errors)

    @staticmethod
    def text_match(one: str, other: str) -> float:
        one, other = ("".join(filter(str.isalnum, text.upper())) for text in (one, other))
        runs = {one[i:j] for i in range(len(one)) for j in range(i + 1, len(one) + 1)}
        return max((len(run) for run in runs if run in other), default=0) / max(len(one), len(other))

    def v(self, one: Thing, other: Thing) -> float:
        same = one is other
        kind, weights = one.kind, self.p[one.kind]
        ours, theirs = one.attributes, other.attributes
        if kind == "timex2":
            total = sum(
                weight * (1 if ours[name] == theirs[name] else EPS)
                for name, weight in weights["attribute"].items()
                if name in ours and name in theirs
            )
            return EPS + total if self.year > 2005 else max(EPS, total)
        if kind in {"relation", "event"}:
            base = 1.0
        elif kind == "value":
            base = EPS + 1 if self.year > 2005 else 1.0
        else:
            class_ = min(weights["class"][ours["CLASS"]], weights["class"][theirs["CLASS"]])
            base = EPS + class_ if self.year > 2005 else max(EPS, class_)
        if not same:
            for name, error in weights["error"].items():
                base *= error if ours.get(name) != theirs.get(name) else 1
        if kind == "entity" and self.p["use-name-similarity"]:
            base *= self.similarity(one, other)
        return float(base)

    def similarity(self, one: Thing, other: Thing) -> float:
        named = [thing.attributes["LEVEL"] == "NAM" for thing in (one, other)]
        if not all(named):
            return 0.0 if any(named) else 1.0
        near = {(a, b): self.near(a, b) for a in one.names for b in other.names}
        if not near:
            return 0.0
        best = [max(near[a, b] for b in other.names) for a in one.names]
        best += [max(near[a, b] for a in one.names) for b in other.names]
        return sum(best) / len(best)

    def near(self, one: str, other: str) -> float:
        rows = list(range(len(other) + 1))
        for i, a in enumerate(one, 1):
            last, rows = rows, [i]
            for j, b in enumerate(other, 1):
                rows.append(min(last[j] + 1, rows[-1] + 1, last[j - 1] + (a != b)))
        value = 1 - rows[-1] / max(len(one), len(other))
        return value if value >= 0.5 else 0.0

    def n(self, thing: Thing, weighting: str) -> float:
        if thing.kind != "entity" or weighting != "level":
            return 1.0
        return float(self.p["entity"]["mention-type"][thing.attributes["LEVEL"]] / self.mass(thing))

    def value(self, thing: Thing) -> float:
        return self.n(thing, self.p["eval-weighting"]) * self.v(thing, thing) * self.mass(thing)

    def touched(self, kind: str, member: Member, gold: Side, doc_id: str) -> bool:
        return any(
            self.q(kind, one, member) is not None
            for thing in gold.values()
            if doc_id in thing
            for one in thing[doc_id].members
        )

    def alarm(self, thing: Thing, gold: Side, doc_id: str, weighting: str) -> float:
        if self.year > 2005:
            return -0.75 * self.n(thing, weighting) * self.v(thing, thing) * self.mass(thing)
        total = sum(
            -0.75 * self.own(thing.kind, one)
            for one in thing.members
            if not self.touched(thing.kind, one, gold, doc_id)
        )
        raw = self.v(thing, thing) if self.v(thing, thing) > EPS else 0.0
        return self.n(thing, weighting) * max(EPS, 0.75 * raw) * total

    def pair(self, one: Thing, other: Thing, gold: Side, doc_id: str, weighting: str) -> float | None:
        """V(r, s, d); None without matching mentions or where v is 0."""
        kind, worth = one.kind, self.v(one, other)
        scores = {
            (i, j): score
            for i, ours in enumerate(one.members)
            for j, theirs in enumerate(other.members)
            if (score := self.q(kind, ours, theirs)) is not None
        }
        if not scores or worth <= 0:
            return None
        ours, theirs = self.n(one, weighting), self.n(other, weighting)
        if self.year > 2005:
            scale, charge = ours * worth, 0.75 * theirs * self.v(other, other)
        else:
            levels = [thing.attributes.get("LEVEL", "") for thing in (one, other)]
            weights = self.p["entity"]["mention-type"]
            least = min(weights[level] for level in levels) / self.mass(one) if kind == "entity" else 1.0
            scale, charge = least * worth, 0.75 * least * worth
        costs = [
            charge
            * self.own(kind, member)
            * (0.0 if self.year == 2005 and self.touched(kind, member, gold, doc_id) else 1.0)
            for member in other.members
        ]
        return max(
            scale * sum(scores[pair] for pair in chosen)
            - sum(cost for j, cost in enumerate(costs) if j not in {b for _, b in chosen})
            for chosen in matchings(list(scores))
        )

    def optimum(self, gains: Mapping[tuple[str, str], float]) -> float:
        """The largest total: components, a lone gold takes any partner, else one spare place."""
        total = 0.0
        left = dict(gains)
        while left:
            golds, systems = {next(iter(left))[0]}, set()
            while True:
                wider = {b for a, b in left if a in golds}, {a for a, b in left if b in systems}
                if wider[0] <= systems and wider[1] <= golds:
                    break
                systems |= wider[0]
                golds |= wider[1]
            part = {pair: gain for pair, gain in left.items() if pair[0] in golds}
            left = {pair: gain for pair, gain in left.items() if pair not in part}
            total += max(part.values()) if len(golds) == 1 else sum(part[pair] for pair in complete(part))
        return total


def matchings(pairs: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    if not pairs:
        yield []
        return
    first, *rest = pairs
    yield from matchings(rest)
    for chosen in matchings([pair for pair in rest if pair[0] != first[0] and pair[1] != first[1]]):
        yield [first, *chosen]


def complete(gains: Mapping[tuple[Any, Any], float]) -> list[tuple[Any, Any]]:
    """The allowed pairs of the best complete assignment of the square with one spare place."""
    from scipy.optimize import linear_sum_assignment

    golds, systems = (sorted({pair[side] for pair in gains}) for side in (0, 1))
    side = max(len(golds), len(systems)) + 1
    table = [[0.0] * side for _ in range(side)]
    for (gold, system), gain in gains.items():
        table[golds.index(gold)][systems.index(system)] = gain
    rows, columns = linear_sum_assignment(table, maximize=True)
    found = [
        (golds[i], systems[j])
        for i, j in zip(rows, columns, strict=True)
        if i < len(golds) and j < len(systems)
    ]
    return [pair for pair in found if pair in gains]


# ------------------------------------------------------------------------------------------------ comparison


def corpora(profile: str, seed: int) -> tuple[list[Document], list[Document]]:
    shared = "global" in profile
    times = profile in {"ace05", "ace05-timex", "ace07"}
    return tuple(  # type: ignore[return-value]
        Draw(f"{profile}{seed}{prefix}", prefix, shared=shared, times=times).documents() for prefix in "GS"
    )


def aligned(profile: str, gold: list[Document], system: list[Document]) -> AceAlignment:
    chosen = load_profile("ace", profile, TASKS["ace"].settings)
    return align(gold, system, Parameters.of(chosen))


def by_gold(section: KindAlignment) -> dict[tuple[str, str], Outcome]:
    return {
        (outcome.gold.element, outcome.doc_id): outcome
        for outcomes in section.outcomes.values()
        for outcome in outcomes
        if outcome.gold is not None
    }


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seed", range(6))
def test_elements_are_mapped_and_valued_as_the_definitions_say(profile: str, seed: int) -> None:
    documents = corpora(profile, seed)
    whole, rules = aligned(profile, *documents), Definitions(profile)
    for kind in SIMPLE:
        check_elements(whole.sections[kind], rules, *(rules.things(side, kind) for side in documents))


def check_elements(section: KindAlignment, rules: Definitions, gold: Side, system: Side) -> None:
    weighting = rules.p["map-weighting"]
    gains: dict[tuple[str, str], float] = {}
    for r, s in itertools.product(gold, system):
        common = gold[r].keys() & system[s].keys()
        touching = any(
            rules.q(section.kind, one, other) is not None
            for doc_id in common
            for one in gold[r][doc_id].members
            for other in system[s][doc_id].members
        )
        if not touching or not any(rules.v(gold[r][doc_id], system[s][doc_id]) > 0 for doc_id in common):
            continue
        total = 0.0
        for doc_id, thing in system[s].items():
            alarm = rules.alarm(thing, gold, doc_id, weighting)
            if doc_id not in gold[r]:
                total += alarm if rules.year == 2008 else 0.0
            elif rules.v(gold[r][doc_id], thing) <= 0:
                total += alarm
            else:
                total += rules.pair(gold[r][doc_id], thing, gold, doc_id, weighting) or 0.0
            total -= alarm
        gains[r, s] = total
    assert set(section.partner.items()) <= gains.keys()
    assert math.fsum(gains[pair] for pair in section.partner.items()) == pytest.approx(
        rules.optimum(gains), abs=1e-9
    )
    for (r, doc_id), outcome in by_gold(section).items():
        thing, partner = gold[r][doc_id], section.partner.get(r)
        assert outcome.maximum == pytest.approx(rules.value(thing), abs=1e-9)
        other = system[partner].get(doc_id) if partner is not None else None
        if other is None or rules.v(thing, other) <= 0:
            assert outcome.status == "miss"
            continue
        value = rules.pair(thing, other, gold, doc_id, rules.p["eval-weighting"])
        assert outcome.value == pytest.approx(value or 0.0, abs=1e-9)
        lost = outcome.attribute_cost, outcome.missed_cost, outcome.error_cost, outcome.false_cost
        if value is None:
            assert lost == (0, 0, 0, 0)
        elif rules.year > 2005:
            assert math.fsum(lost) == pytest.approx(outcome.maximum - outcome.value, abs=3e-8)
    for outcomes in section.outcomes.values():
        for outcome in outcomes:
            if outcome.gold is None and outcome.system is not None:
                thing = system[outcome.system.element][outcome.doc_id]
                alarm = rules.alarm(thing, gold, outcome.doc_id, rules.p["eval-weighting"])
                assert outcome.value == pytest.approx(alarm, abs=1e-9)


# ------------------------------------------------------------------------------------ relations and events


class Frame(NamedTuple):
    """A relation or event (or a mention of one) in its document; arguments are roles and what fills them."""

    id: str
    doc_id: str
    thing: Thing
    arguments: tuple[tuple[str, str], ...]


class FrameDefinitions:
    """Sections 6, 8 and 12: values of relations, events and their mentions from those of their arguments."""

    def __init__(
        self,
        rules: Definitions,
        documents: tuple[list[Document], list[Document]],
        whole: AceAlignment,
        *,
        mentions: bool,
    ) -> None:
        self.rules, self.whole, self.mentions = rules, whole, mentions
        self.mapped = {a: b for kind in SIMPLE for a, b in whole.sections[kind].partner.items()}
        self.gold = {kind: rules.things(documents[0], kind) for kind in SIMPLE}
        self.system = {kind: rules.things(documents[1], kind) for kind in SIMPLE}
        self.hosts = [
            {
                member.id: own
                for side in part.values()
                for own, docs in side.items()
                for thing in docs.values()
                for member in thing.members
            }
            for part in (self.gold, self.system)
        ]
        if mentions:
            self.system = {kind: self.promoted(part) for kind, part in self.system.items()}
        self.kind_of = {
            own: kind for part in (self.gold, self.system) for kind in SIMPLE for own in part[kind]
        }

    def promoted(self, part: Side) -> Side:
        return {
            member.id: {doc_id: Thing(thing.kind, self.with_level(thing, member), (member,), thing.names)}
            for docs in part.values()
            for doc_id, thing in docs.items()
            for member in thing.members
        }

    def with_level(self, thing: Thing, member: Member) -> Mapping[str, str]:
        if thing.kind != "entity":
            return thing.attributes
        return {**thing.attributes, "LEVEL": self.rules.level(member)}

    def frames(self, documents: Sequence[Document], kind: str, *, is_gold: bool) -> list[Frame]:
        found = []
        for document in documents:
            for element in document.layers[LAYER]:
                if element.kind != kind:
                    continue
                thing = self.rules.thing(element)
                if not self.mentions:
                    found.append(
                        Frame(element.id, document.doc_id, thing, self.roles(element, element.arguments))
                    )
                    continue
                for mention, member in zip(element.mentions, thing.members, strict=True):
                    arguments = self.roles(element, mention.arguments)
                    if is_gold:
                        arguments = tuple((role, self.hosts[0][filler]) for role, filler in arguments)
                    own = thing._replace(members=(member,))
                    found.append(Frame(mention.id, document.doc_id, own, tuple(dict.fromkeys(arguments))))
        return found

    def roles(self, element: Element, arguments: Sequence[ElementArgument]) -> tuple[tuple[str, str], ...]:
        symmetric = self.rules.year == 2008 and element.attributes["TYPE"] in {"PHYS", "PER-SOC"}
        return tuple(
            ("Arg" if symmetric and argument.role.startswith("Arg") else argument.role, argument.filler)
            for argument in arguments
        )

    def a(self, filler: str, doc_id: str, *, is_gold: bool) -> float:
        part = (self.gold if is_gold else self.system)[self.kind_of[filler]]
        if (
            not is_gold
            and self.rules.year == 2005
            and not self.mentions
            and not self.gold[self.kind_of[filler]]
        ):
            return 0.0
        thing = part[filler].get(doc_id)
        return 0.0 if thing is None else self.rules.value(thing)

    def v(self, gold_filler: str, system_filler: str, doc_id: str) -> float:
        kind = self.kind_of[gold_filler]
        if kind != self.kind_of[system_filler]:
            return 0.0
        gold, system = self.gold[kind], self.system[kind]
        if doc_id not in gold[gold_filler] or doc_id not in system[system_filler]:
            return 0.0
        pair = gold[gold_filler][doc_id], system[system_filler][doc_id]
        return self.rules.pair(*pair, gold, doc_id, self.rules.p["eval-weighting"]) or 0.0

    def value(self, frame: Frame, *, is_gold: bool) -> float:
        total = sum(self.a(filler, frame.doc_id, is_gold=is_gold) for _, filler in frame.arguments)
        return self.rules.v(frame.thing, frame.thing) * (total + EPS)

    def rho(self, gold: Frame, system: Frame, one: str, other: str, *, in_map: bool) -> float:
        if one == other:
            return 1.0
        args, symmetric = {"Arg-1", "Arg-2", "Arg"}, gold.thing.attributes["TYPE"] in {"PHYS", "PER-SOC"}
        if gold.thing.kind == "event" or one not in {"Arg-1", "Arg-2"}:
            return 0.75
        if self.rules.year == 2005 and other in args:
            if not in_map or symmetric:
                return 1.0
            product = 1.0
            for name in ("TYPE", "SUBTYPE"):
                if gold.thing.attributes[name] == system.thing.attributes[name]:
                    product *= (1 - EPS) * self.rules.p["relation"]["error"][name]
            return product
        if self.rules.year == 2007 and not in_map and symmetric and other in args:
            return 1.0
        return 0.7

    def gains(self, gold: Frame, system: Frame) -> dict[tuple[Any, Any], float]:
        found = {}
        worth, own = self.rules.v(gold.thing, system.thing), self.rules.v(system.thing, system.thing)
        for one, other in itertools.product(gold.arguments, system.arguments):
            value = self.v(one[1], other[1], gold.doc_id)
            free = self.rules.p["allow-wrong-mapping"] or self.mentions
            if not value or not (free or self.mapped.get(one[1]) == other[1]):
                continue
            rho = self.rho(gold, system, one[0], other[0], in_map=True)
            if self.rules.year == 2005:
                if gold.thing.kind == "relation" and ("Arg" in one[0]) != ("Arg" in other[0]):
                    continue
                found[one, other] = (rho + (0.5 if gold.thing.kind == "event" else 0.0)) * value
            else:
                spared = 0.75 * own * self.a(other[1], gold.doc_id, is_gold=False)
                found[one, other] = rho * worth * value + spared
        return found

    def argument_map(self, gains: Mapping[tuple[Any, Any], float]) -> list[tuple[Any, Any]]:
        if not gains:
            return []
        if len({other for _, other in gains}) == 1:
            return [max(gains, key=lambda pair: gains[pair])]
        return complete(gains)

    def pair(
        self, gold: Frame, system: Frame, joined: Sequence[tuple[Any, Any]], *, allowed: bool
    ) -> float | None:
        """V(R, S, d) with the given argument map, None if the two cannot be mapped."""
        rules, kind, doc_id = self.rules, gold.thing.kind, gold.doc_id
        extents = overlap(gold.thing.members[0].place, system.thing.members[0].place)
        if gold.arguments and not allowed:
            return None
        roles = sorted(role for _, (role, _) in joined if role.startswith("Arg"))
        if kind == "relation" and roles not in (["Arg-1", "Arg-2"], ["Arg", "Arg"]):
            return None
        if self.mentions and kind == "event" and not extents:
            return None
        if self.mentions and kind == "relation" and rules.year < 2008 and not self.meet(gold, system):
            return None
        if not joined and not extents:
            return None
        worth = rules.v(gold.thing, system.thing)
        swapped = any(one[0].startswith("Arg") and one[0] != other[0] for one, other in joined)
        if rules.year == 2005 and swapped and gold.thing.attributes["TYPE"] == "ORG-AFF":
            for name in ("TYPE", "SUBTYPE"):
                same = gold.thing.attributes[name] == system.thing.attributes[name]
                worth *= rules.p["relation"]["error"][name] if same else 1
        credit = {
            (one, other): self.a(one[1], doc_id, is_gold=True)
            if self.mentions
            else self.v(one[1], other[1], doc_id)
            for one, other in joined
        }
        earned = sum(
            self.rho(gold, system, one[0], other[0], in_map=False) * credit[one, other]
            for one, other in joined
        )
        if rules.year > 2005:
            rest = [b for b in system.arguments if b not in {other for _, other in joined}]
            charge = (
                0.75
                * rules.v(system.thing, system.thing)
                * sum(self.a(b[1], doc_id, is_gold=False) for b in rest)
            )
            return worth * (earned + EPS * extents) - charge
        alarm = 0.5 if kind == "event" and not self.mentions else 0.0
        everything = sum(self.a(b[1], doc_id, is_gold=False) for b in system.arguments)
        return worth * (earned - alarm * (everything - sum(credit.values())) + EPS * extents)

    def meet(self, gold: Frame, system: Frame) -> bool:
        return True if self.stretches is None else self.stretches(gold.id, system.id)

    stretches: Any = None


@pytest.mark.parametrize(
    ("profile", "mentions"),
    # Mentions of relations and events are not defined with name similarity.
    [*((name, False) for name in PROFILES), *((name, True) for name in PROFILES if "global" not in name)],
)
@pytest.mark.parametrize("seed", range(6))
def test_relations_and_events_are_mapped_and_valued_as_the_definitions_say(
    profile: str, seed: int, mentions: bool
) -> None:
    documents = corpora(profile, seed)
    whole = aligned(profile, *documents)
    rules = FrameDefinitions(Definitions(profile), documents, whole, mentions=mentions)
    rules.stretches = stretches_meet(documents)
    for kind in ("relation", "event"):
        check_frames(whole.sections[f"mention_{kind}" if mentions else kind], rules, documents)


def stretches_meet(documents: tuple[list[Document], list[Document]]) -> Any:
    """Whether the regions from the first to the last head of the two arguments overlap or touch."""
    spans = {}
    for side in documents:
        for document in side:
            heads = {m.id: m.head for e in document.layers[LAYER] if e.kind == "entity" for m in e.mentions}
            for element in document.layers[LAYER]:
                for mention in element.mentions if element.kind == "relation" else ():
                    own = [heads[a.filler] for a in mention.arguments if a.filler in heads]
                    spans[mention.id] = (
                        min(one.start for one in own if one),
                        max(one.end for one in own if one),
                    )
    return lambda one, other: min(spans[one][1], spans[other][1]) >= max(spans[one][0], spans[other][0])


def check_frames(
    section: KindAlignment, rules: FrameDefinitions, documents: tuple[list[Document], list[Document]]
) -> None:
    gold, system = (
        {frame.id: frame for frame in rules.frames(side, section.kind, is_gold=is_gold)}
        for side, is_gold in zip(documents, (True, False), strict=True)
    )
    outcomes = by_gold(section)
    gains: dict[tuple[str, str], float] = {}
    for r, s in itertools.product(gold, system):
        if gold[r].doc_id != system[s].doc_id:
            continue
        options = rules.gains(gold[r], system[s])
        joined = rules.argument_map(options)
        if section.partner.get(r) == s:
            ours = outcomes[r, gold[r].doc_id].arguments
            assert ours is not None
            chosen = [(pair[:2], pair[2:]) for pair in ours.pairs]
            assert sum(options[pair] for pair in chosen) == pytest.approx(
                sum(options[pair] for pair in joined), abs=1e-9
            )
            joined = chosen
        value = rules.pair(gold[r], system[s], joined, allowed=bool(options))
        if value is not None:
            gains[r, s] = value + 0.75 * rules.value(system[s], is_gold=False)
            if section.partner.get(r) == s:
                assert outcomes[r, gold[r].doc_id].value == pytest.approx(value, abs=1e-9)
    assert set(section.partner.items()) <= gains.keys()
    best = rules.rules.optimum(gains)
    assert math.fsum(gains[pair] for pair in section.partner.items()) == pytest.approx(best, abs=1e-9)
    for (r, _), outcome in outcomes.items():
        assert outcome.maximum == pytest.approx(rules.value(gold[r], is_gold=True), abs=1e-9)


@pytest.mark.parametrize("seed", range(50))
def test_a_loss_is_taken_where_no_place_is_free(seed: int) -> None:
    draw = random.Random(seed)
    gains = {
        (f"g{i}", f"s{j}"): draw.choice((-3, -2, -1, -0.5, 0.25, 1))
        for i in range(draw.randint(2, 3))
        for j in range(draw.randint(2, 3))
        if draw.random() < 0.9
    }
    golds, systems = (sorted({pair[side] for pair in gains}) for side in (0, 1))
    side = max(len(golds), len(systems)) + 1
    best = max(
        sum(
            gains.get((golds[i], systems[j]), 0.0)
            for i, j in enumerate(places)
            if i < len(golds) and j < len(systems)
        )
        for places in itertools.permutations(range(side))
    )
    chosen = assign(gains, one_spare=True, one_table=True)
    assert sum(gains[pair] for pair in chosen) == pytest.approx(best)
    assert len({one for one, _ in chosen}) == len({other for _, other in chosen}) == len(chosen)
