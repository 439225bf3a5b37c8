"""ACE figures worked out naively, formula by formula: every matching and every mapping is tried.

Written from the definitions alone and slow on purpose: no sweep, no components, no caches, no shared code with the
package.  Only for small corpora.  Sections are given as ``expected.json`` of a conformance case has them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, NamedTuple

from lydite.model import Corpus
from lydite.model.ace import LAYER, SOURCE_LAYER, Region

EPS = 1e-8
SIMPLE = ("entity", "value", "timex2")
ARG = ("Arg-1", "Arg-2", "Arg")
SYMMETRIC = ("PER-SOC", "PHYS", "METONYMY")
LEVEL_WEIGHT = {"NAM": 1.0, "NOM": 0.5, "PRO": 0.1}
TIMEX = {"ANCHOR_DIR": 0.25, "ANCHOR_VAL": 0.5, "MOD": 0.1, "SET": 0.1, "TYPE": 0.1, "VAL": 1.0}
TIMEX_2005 = {"TYPE": 0.5}
FA = 0.75
RELATION_ERROR = {"TYPE": 1.0, "SUBTYPE": 0.7, "MODALITY": 0.75, "TENSE": 0.99999999}
EVENT_ERROR = {
    "TYPE": 0.5,
    "SUBTYPE": 0.9,
    "MODALITY": 0.75,
    **dict.fromkeys(("GENERICITY", "POLARITY", "TENSE"), 0.99999999),
}


@dataclass(frozen=True)
class Set:
    """A parameter set, as far as the published ones differ."""

    model: int = 2008
    text: float = 0.0
    map_level: bool = False
    mentions: bool = True
    names: bool = False
    wrong: bool = False
    generic: float = 1e-8
    timex: Mapping[str, float] = field(default_factory=lambda: TIMEX)
    valuation: str = "both"
    f_measure: bool = False
    geometric: bool = False


OLD = Set(2005, map_level=True, wrong=True, generic=0.0)
SETS = {
    "ace08-local": Set(),
    "ace08-local2007": Set(map_level=True, wrong=True),
    "ace08-global": Set(mentions=False, names=True),
    "ace08-global-mentions": Set(names=True),
    "ace07": Set(2007, 0.3, map_level=True, wrong=True, generic=0.0),
    "ace05": replace(OLD, timex=TIMEX_2005),
    "ace05-timex": OLD,
}


@dataclass(eq=False)
class Mention:
    id: str
    place: Region
    extent: Region
    type: str
    role: str
    style: str
    weight: float
    arguments: tuple[tuple[str, str], ...] = ()

    @property
    def self(self) -> float:
        return self.weight + EPS


@dataclass(eq=False)
class Occ:
    id: str
    kind: str
    doc: str
    attrs: dict[str, str]
    mentions: list[Mention]
    names: list[str]
    source: str
    language: str = ""
    value: float = 0.0
    alarm: float = 0.0


@dataclass(eq=False)
class Elem:
    id: str
    kind: str
    docs: dict[str, Occ]
    args: list[tuple[str, str]]
    level: str = ""
    entropy: float = 0.0
    host: str = ""
    links: dict[str, str] = field(default_factory=dict)


Elems = dict[str, Elem]


@dataclass(eq=False)
class Out:
    """What became of an occurrence: status, listed value, maximum, and the costs."""

    doc: str
    gold: Occ | None
    system: Occ | None
    status: str
    value: float
    maximum: float
    cost: float
    parts: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    matched: list[tuple[int, int]] = field(default_factory=list)
    roles: list[tuple[tuple[str, str], tuple[str, str]]] | None = None


@dataclass(eq=False)
class Section:
    kind: str
    gold: Elems
    system: Elems
    partner: dict[str, str]
    outs: list[Out]
    errors: dict[str, int] = field(default_factory=dict)
    surplus_errors: dict[str, int] = field(default_factory=dict)
    """Argument errors of mapped system elements, in documents that their partners lack."""
    listed: dict[tuple[str, str], float] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------------ reading


def level_of(element: Any, p: Set) -> str:
    if not p.mentions and element.names:
        return "NAM"
    levels = {
        "NOM" if m.metonymic and m.type == "NAM" and p.model == 2008 else m.type for m in element.mentions
    }
    return max(levels, key=LEVEL_WEIGHT.__getitem__) if levels else "PRO"


def normal(name: str) -> str:
    text = " ".join(name.lower().split())
    for sign in "'-":
        text = sign.join(part.strip() for part in text.split(sign))
    return text.removesuffix(".")


def short(text: str) -> str:
    """Of a head or extent of more than 40 characters the first 37 and three dots; white space is one space."""
    lines = re.split(r"[\r\n]+", text)
    whole = lines[0]
    for line in lines[1:]:
        broken = whole[-1:] == "-" and whole[-2:-1].strip() and line[:1].strip()
        whole = whole[:-1] + line if broken else f"{whole}\n{line}"
    whole = re.sub(r"\s+", " ", whole)
    return whole if len(whole) <= 40 else f"{whole[:37]}..."


def script(text: str) -> str:
    found = set()
    for c in text:
        if "a" <= c.lower() <= "z":
            found.add("English")
        elif "\u0600" <= c <= "\u06ff":
            found.add("Arabic")
        elif "\u4e00" <= c <= "\u9fff":
            found.add("Chinese")
    return found.pop() if len(found) == 1 else "MIXED" if found else "UNKNOWN"


def merged(languages: Iterable[str]) -> str:
    found = set(languages)
    return found.pop() if len(found) == 1 else "MIXED" if found else "UNKNOWN"


def role_of(element: Any, role: str, p: Set) -> str | None:
    if element.kind == "relation" and p.model == 2008:
        if "time" in role.lower():
            return None
        if element.attributes["TYPE"] in SYMMETRIC:
            return "Arg"
    return role


def attributes(element: Any, level: str, p: Set) -> dict[str, str]:
    found = dict(element.attributes)
    if element.kind == "entity":
        found["LEVEL"] = level
    if element.kind == "timex2":
        found = {"TYPE": "TIMEX2", "SET": "NO", "NON_SPECIFIC": "NO", **found}
        if p.model == 2005:
            found = {name: text for name, text in found.items() if text}
    if element.kind == "relation":
        found = {"MODALITY": "Unspecified", "TENSE": "Unspecified", **found}
        if found["TYPE"] == "METONYMY":
            found["SUBTYPE"] = "Unspecified"
        if p.model == 2008:
            del found["TENSE"]
    return found


def arguments(element: Any, given: Iterable[Any], p: Set) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for one in given:
        role = role_of(element, one.role, p)
        if role is not None and (role, one.filler) not in found:
            found.append((role, one.filler))
    return found


def side_of(corpus: Corpus, docs: Iterable[str], p: Set) -> dict[str, Elems]:
    side: dict[str, Elems] = {kind: {} for kind in (*SIMPLE, "relation", "event")}
    for kind, elements in side.items():
        for doc in docs:
            document = corpus.documents.get(doc)
            if document is None:
                continue
            for e in document.layers[LAYER]:
                if e.kind != kind:
                    continue
                elem = elements.setdefault(e.id, Elem(e.id, kind, {}, [], host=e.id))
                elem.args += [a for a in arguments(e, e.arguments, p) if a not in elem.args]
                elem.links.update({link.resource: link.id for link in e.links})
                elem.docs[doc] = occurrence(e, doc, document.layers[SOURCE_LAYER].source, p)
        for elem in elements.values():
            elem.level = max((o.attrs.get("LEVEL", "PRO") for o in elem.docs.values()), key=LEVEL_WEIGHT.get)
            elem.entropy = entropy([o.names for o in elem.docs.values()])
            for occ in elem.docs.values():
                texts = [script(short(m.place.text)) for m in occ.mentions] + [script(n) for n in occ.names]
                for _, filler in elem.args:
                    owner = next((side[k][filler] for k in SIMPLE if filler in side[k]), None)
                    texts.append(
                        owner.docs[occ.doc].language if owner and occ.doc in owner.docs else "UNKNOWN"
                    )
                occ.language = merged(texts)
    return side


def occurrence(e: Any, doc: str, source: str, p: Set) -> Occ:
    entity = e.kind == "entity"
    attrs = attributes(e, level_of(e, p) if entity else "", p)
    mentions = [
        Mention(
            m.id,
            m.head if entity else m.extent,
            m.extent,
            m.type,
            (m.role or attrs["TYPE"]) if entity else "",
            "METONYMIC" if m.metonymic else "LITERAL",
            LEVEL_WEIGHT[m.type] if entity else 1.0,
            tuple(arguments(e, m.arguments, p)),
        )
        for m in e.mentions
    ]
    return Occ(e.id, e.kind, doc, attrs, mentions, sorted({normal(n.text) for n in e.names}), source)


def entropy(names: Sequence[Sequence[str]]) -> float:
    counts = {n: sum(n in one for one in names) / len(names) for one in names for n in one}
    return -sum(c * math.log(c) for c in counts.values() if c < 1)


# ------------------------------------------------------------------------------------------------ small formulas


def overlap(a: Region, b: Region) -> float:
    shared = min(a.end, b.end) - max(a.start, b.start)
    return max(0.0, shared) / max(a.end - a.start, b.end - b.start)


def text_match(a: str, b: str) -> float:
    a, b = a.upper(), b.upper()
    if a.isascii() and b.isascii():
        a, b = ("".join(c for c in x if c.isalnum()) for x in (a, b))
    if a == b:
        return 1.0
    if not a or not b:
        return 0.0
    runs = (a[i:j] for i in range(len(a)) for j in range(i + 1, len(a) + 1))
    return max((len(run) for run in runs if run in b), default=0) / max(len(a), len(b))


def q(kind: str, i: Mention, j: Mention, p: Set) -> float | None:
    shared = overlap(i.place, j.place)
    if shared < 0.3:
        return None
    if kind != "entity":
        return 1 + EPS * shared
    if p.text and text_match(i.place.text, j.place.text) < p.text:
        return None
    wrong = (i.type != j.type) + (i.role != j.role) + (i.style != j.style)
    return (min(i.weight, j.weight) + EPS * shared) * 0.9**wrong


def lev(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


def near(a: str, b: str) -> float:
    longer = max(len(a), len(b))
    found = 1 - lev(a, b) / longer if longer else 1.0
    return found if found >= 0.5 else 0.0


def sim(r: Occ, s: Occ) -> float:
    named = [o.attrs["LEVEL"] == "NAM" for o in (r, s)]
    if not any(named):
        return 1.0
    if not all(named) or not r.names or not s.names:
        return 0.0
    best = [max(near(a, b) for b in s.names) for a in r.names]
    best += [max(near(a, b) for a in r.names) for b in s.names]
    return sum(best) / len(best)


def errors(r: Occ, s: Occ, table: Mapping[str, float]) -> float:
    found = 1.0
    for name, weight in table.items():
        if r.attrs.get(name) != s.attrs.get(name):
            found *= weight
    return found


def v(r: Occ, s: Occ, p: Set) -> float:
    """The attribute part."""
    if r.kind == "entity":
        weights = [1.0 if o.attrs["CLASS"] == "SPC" else p.generic for o in (r, s)]
        base = EPS + min(weights) if p.model > 2005 else max(EPS, min(weights))
        table = {"TYPE": 0.5, "SUBTYPE": 0.9, "CLASS": 0.75}
        if p.names:
            table["LEVEL"] = 0.5
        return base * errors(r, s, table) * (sim(r, s) if p.names else 1.0)
    if r.kind == "value":
        return (1 + EPS if p.model > 2005 else 1.0) * errors(r, s, {"TYPE": 0.5, "SUBTYPE": 0.9})
    if r.kind == "timex2":
        total = sum(
            w * (1 if r.attrs[a] == s.attrs[a] else EPS)
            for a, w in p.timex.items()
            if a in r.attrs and a in s.attrs
        )
        return EPS + total if p.model > 2005 else max(EPS, total)
    return errors(r, s, RELATION_ERROR if r.kind == "relation" else EVENT_ERROR)


def mass(o: Occ, p: Set) -> float:
    return sum(m.self for m in o.mentions) if p.mentions else 1.0


def one_to_one(pairs: Sequence[tuple[Any, Any]]) -> Iterator[list[tuple[Any, Any]]]:
    if not pairs:
        yield []
        return
    first, *rest = pairs
    for more in one_to_one([x for x in rest if x[0] != first[0] and x[1] != first[1]]):
        yield [first, *more]
    yield from one_to_one(rest)


def best_map(
    gains: Mapping[tuple[Any, Any], float],
    matched: Mapping[tuple[Any, Any], int] | None = None,
    lone: int | None = 0,
    *,
    one_table: bool = False,
) -> dict[Any, Any]:
    """Every one-to-one choice is tried; ``lone`` 0 or 1 names the side whose only item takes its best partner.

    ``one_table`` does not look for components.
    """
    pairs, chosen = sorted(gains), {}
    if one_table:
        return _best_of(pairs, gains, {}, lone) if pairs else {}
    while pairs:
        component = {pairs[0]}
        while more := {x for x in pairs if any(x[0] == y[0] or x[1] == y[1] for y in component)} - component:
            component |= more
        pairs = [x for x in pairs if x not in component]
        chosen.update(_best_of(sorted(component), gains, matched or {}, lone))
    return chosen


def _best_of(
    pairs: Sequence[tuple[Any, Any]],
    gains: Mapping[tuple[Any, Any], float],
    matched: Mapping[tuple[Any, Any], int],
    lone: int | None,
) -> dict[Any, Any]:
    golds = sorted({x[0] for x in pairs})
    last = max(x[1] for x in pairs)
    if lone is not None and len({x[lone] for x in pairs}) == 1:
        every = [[pair] for pair in pairs]
    elif any(gains[x] < 0 for x in pairs):
        every = list(completed(pairs))
    else:
        every = list(one_to_one([x for x in pairs if gains[x] >= 0]))
    totals = [math.fsum(gains[x] for x in one) for one in every]
    noise = 1e-13 * max(abs(gains[x]) for x in pairs)
    best = [one for one, total in zip(every, totals, strict=True) if total >= max(totals) - noise]

    def rank(one: Sequence[tuple[Any, Any]]) -> tuple[int, list[tuple[bool, Any]]]:
        found = dict(one)
        order = [(g not in found, found.get(g, last)) for g in golds]
        return -sum(matched.get(x, 0) for x in one), order

    return dict(min(best, key=rank))


def completed(pairs: Sequence[tuple[Any, Any]]) -> Iterator[list[tuple[Any, Any]]]:
    """The allowed pairs of every complete assignment of a square with one place more than the longer side."""
    golds, systems = (sorted({x[side] for x in pairs}) for side in (0, 1))
    side = max(len(golds), len(systems)) + 1
    allowed = set(pairs)
    for places in permutations(range(side)):
        found = zip(golds, (systems[j] if j < len(systems) else None for j in places), strict=False)
        yield [pair for pair in found if pair in allowed]


# ------------------------------------------------------------------------------------ entities, values and times


class Simple:
    """Entities, values or times of both sides."""

    def __init__(self, kind: str, gold: Elems, system: Elems, p: Set) -> None:
        self.kind, self.gold, self.system, self.p = kind, gold, system, p
        self.everyone: dict[str, list[Mention]] = {}
        for elem in gold.values():
            for doc, occ in elem.docs.items():
                self.everyone.setdefault(doc, []).extend(occ.mentions)
                occ.value = self.own(elem, occ)
        for elem in system.values():
            for occ in elem.docs.values():
                occ.value = self.own(elem, occ)
                occ.alarm = self.alarm(elem, occ, level=True)

    def level(self, elem: Elem, occ: Occ) -> float:
        return LEVEL_WEIGHT[elem.level if self.p.model == 2005 else occ.attrs["LEVEL"]]

    def n(self, elem: Elem, occ: Occ, *, level: bool) -> float:
        return self.level(elem, occ) / mass(occ, self.p) if level and self.kind == "entity" else 1.0

    def own(self, elem: Elem, occ: Occ) -> float:
        return self.n(elem, occ, level=True) * v(occ, occ, self.p) * mass(occ, self.p)

    def c(self, doc: str, j: Mention) -> float:
        touched = any(q(self.kind, i, j, self.p) is not None for i in self.everyone.get(doc, ()))
        return 0.0 if touched and self.p.model == 2005 else 1.0

    def alarm(self, elem: Elem, occ: Occ, *, level: bool) -> float:
        p, n = self.p, self.n(elem, occ, level=level)
        if p.model > 2005:
            return -FA * n * v(occ, occ, p) * mass(occ, p)
        own = v(occ, occ, p)
        generic = self.kind == "entity" and occ.attrs["CLASS"] != "SPC"
        spurious = sum(m.self * self.c(occ.doc, m) for m in occ.mentions) if p.mentions else 1.0
        return n * max(EPS, FA * (0.0 if generic else own)) * -FA * spurious

    def pair(
        self, a: Elem, b: Elem, doc: str, *, level: bool = True
    ) -> tuple[float, list[tuple[int, int]], float, float] | None:
        """V(r, s, d), the matching, the self scores and the scores in it; None where it is not defined."""
        p = self.p
        if doc not in a.docs or doc not in b.docs:
            return None
        r, s = a.docs[doc], b.docs[doc]
        worth = v(r, s, p)
        if worth <= 0:
            return None
        n_r, n_s = self.n(a, r, level=level), self.n(b, s, level=level)
        if not p.mentions:
            lower = p.model == 2005 and level and self.kind == "entity"
            return (min(n_r, n_s) if lower else n_r) * worth, [], 1.0, 1.0
        scores = {
            (i, j): found
            for i, x in enumerate(r.mentions)
            for j, y in enumerate(s.mentions)
            if (found := q(self.kind, x, y, p)) is not None
        }
        if not scores:
            return None
        every = []
        for m in one_to_one(sorted(scores)):
            outside = [y for j, y in enumerate(s.mentions) if j not in {j for _, j in m}]
            total = sum(scores[x] for x in m)
            charge = sum(self.c(doc, y) * y.self for y in outside)
            if p.model > 2005:
                value = n_r * worth * total - FA * n_s * v(s, s, p) * charge
            else:
                by_level = level and self.kind == "entity"
                least = min(self.level(a, r), self.level(b, s)) / mass(r, p) if by_level else 1.0
                value = least * worth * (total - FA * charge)
            every.append((value, m, sum(r.mentions[i].self for i, _ in m), total))
        largest = max(every, key=lambda one: one[0])
        noise = 1e-13 * (abs(largest[0]) + FA * n_s * v(s, s, p) * mass(s, p))
        equal = [one for one in every if one[0] >= largest[0] - noise]
        golds = sorted(range(len(r.mentions)), key=lambda i: r.mentions[i].id)

        def rank(one: tuple[float, list[tuple[int, int]], float, float]) -> list[str]:
            found = dict(one[1])
            return [s.mentions[found[i]].id if i in found else "~" for i in golds]

        return min(equal, key=rank)

    def mapping(self) -> dict[str, str]:
        level = self.p.map_level and not self.p.f_measure
        gains: dict[tuple[str, str], float] = {}
        matched: dict[tuple[str, str], int] = {}
        for a in self.gold.values():
            for b in self.system.values():
                found = {doc: self.pair(a, b, doc, level=level) for doc in b.docs}
                common = [(r, b.docs[doc]) for doc, r in a.docs.items() if doc in b.docs]
                if not any(v(r, s, self.p) > 0 for r, s in common):
                    continue
                if self.p.mentions and not any(
                    q(self.kind, x, y, self.p) is not None
                    for r, s in common
                    for x in r.mentions
                    for y in s.mentions
                ):
                    continue
                total = 0.0
                for doc, occ in b.docs.items():
                    here = found[doc]
                    if self.p.f_measure:
                        if here is not None and here[0]:
                            sides = a.docs[doc], occ
                            most = [v(o, o, self.p) * mass(o, self.p) for o in sides]
                            recall, precision = here[0] / most[0], here[0] / most[1]
                            total += 2 * precision * recall / (precision + recall)
                        continue
                    alarm = self.alarm(b, occ, level=level)
                    if here is not None:
                        total += here[0]
                    elif doc not in a.docs:
                        total += alarm if self.p.model == 2008 else 0.0
                    elif v(a.docs[doc], occ, self.p) <= 0:
                        total += alarm
                    total -= alarm
                gains[a.id, b.id] = total
                matched[a.id, b.id] = sum(len(here[1]) for here in found.values() if here)
        return best_map(gains, matched)

    def section(self) -> Section:
        partner = self.mapping()
        owner = {b: a for a, b in partner.items()}
        outs = []
        for a in self.gold.values():
            b = self.system.get(partner.get(a.id, ""))
            outs += [self.out(a, b, doc) for doc in a.docs]
        for b in self.system.values():
            gone = self.gold[owner[b.id]].docs if b.id in owner else ()
            for doc, occ in b.docs.items():
                if doc not in gone:
                    outs.append(Out(doc, None, occ, "fa", occ.alarm, 0.0, -occ.alarm))
        return Section(self.kind, self.gold, self.system, partner, outs)

    def out(self, a: Elem, b: Elem | None, doc: str) -> Out:
        p, r = self.p, a.docs[doc]
        if b is None or doc not in b.docs:
            return Out(doc, r, None, "miss", 0.0, r.value, r.value)
        s = b.docs[doc]
        worth, n = v(r, s, p), self.n(a, r, level=True)
        if worth <= 0:
            return Out(doc, r, s, "miss", s.alarm, r.value, r.value)
        status = "correct" if r.attrs == s.attrs else "error"
        found = self.pair(a, b, doc)
        full = v(r, r, p)
        if found is None:
            return Out(doc, r, s, status, 0.0, r.value, r.value if r.value >= EPS else 0.0)
        value, _, own, total = found
        cost = r.value - value
        if cost < (EPS if p.model > 2005 else 0):
            cost = 0.0
        if not p.mentions:
            return Out(doc, r, s, status, value, r.value, cost, (max(0.0, full - worth), 0.0, 0.0, 0.0))
        parts = (
            n * (full - worth) * mass(r, p),
            n * worth * total - value,
            n * worth * (mass(r, p) - own),
            n * worth * (own - total),
        )
        attribute, false, missed, wrong = (max(0.0, part) for part in parts)
        joined = self.pair(a, b, doc, level=p.map_level)
        matched = joined[1] if joined else []
        return Out(doc, r, s, status, value, r.value, cost, (attribute, false, missed, wrong), matched)


# ------------------------------------------------------------------------------------------ relations and events


class Compared(NamedTuple):
    """A relation or event of either side: the argument map, whether there is one, v(R, S) and V(R, S, d)."""

    joined: dict[int, int]
    has_map: bool
    worth: float
    values: dict[str, float]


class Frames:
    """Relations or events; ``whole`` is mention scoring, ``hosts`` who a promoted mention belongs to."""

    def __init__(
        self,
        kind: str,
        gold: Elems,
        system: Elems,
        simple: Sequence[Simple],
        p: Set,
        *,
        mapped: Mapping[str, str],
        hosts: Mapping[str, str] | None = None,
        stretches: tuple[Mapping[str, tuple[float, float]], ...] | None = None,
    ) -> None:
        self.kind, self.gold, self.system, self.simple, self.mapped, self.p = (
            kind,
            gold,
            system,
            simple,
            mapped,
            p,
        )
        self.whole, self.hosts, self.stretches = hosts is not None, hosts or {}, stretches
        for elems, mine in ((gold, True), (system, False)):
            for elem in elems.values():
                for doc, occ in elem.docs.items():
                    worths = [self.a(filler, doc, gold=mine) for _, filler in elem.args]
                    occ.value = self.together(worths, len(worths)) + EPS * len(occ.mentions)
                    occ.alarm = -FA * occ.value

    def together(self, scores: Sequence[float], count: int) -> float:
        """The sum, or the geometric mean over all arguments: 0 if one of them has no score above 0."""
        if not self.p.geometric:
            return sum(scores)
        found = [score for score in scores if score > 0]
        return math.prod(found) ** (1 / count) if count and len(found) == count else 0.0

    def a(self, filler: str, doc: str, *, gold: bool) -> float:
        for one in self.simple:
            elems = one.gold if gold else one.system
            if filler in elems and doc in elems[filler].docs:
                absent = self.p.model == 2005 and not self.whole and not one.gold
                return 0.0 if absent else elems[filler].docs[doc].value
        return 0.0

    def credit(self, a: str, b: str, doc: str) -> float | None:
        """What a pair of arguments earns: its value, or in mention scoring all of gold's, if it has a value."""
        value = self.vab(a, b, doc)
        return self.a(a, doc, gold=True) if value and self.whole else value

    def vab(self, a: str, b: str, doc: str) -> float | None:
        for one in self.simple:
            if a in one.gold and b in one.system:
                found = one.pair(one.gold[a], one.system[b], doc)
                if found is None:
                    return None
                r, s = one.gold[a].docs[doc], one.system[b].docs[doc]
                if one.kind != "entity" or self.p.valuation == "both":
                    return found[0]
                worth = v(r, s, self.p)
                return {
                    "attributes": worth * LEVEL_WEIGHT[r.attrs["LEVEL"]],
                    "mentions": v(r, r, self.p) * found[0] / worth,
                    "none": r.value,
                }[self.p.valuation]
        return None

    def rho(self, gold_role: str, system_role: str, type_: str, *, in_map: bool) -> float:
        model = self.p.model
        both = gold_role in ARG and system_role in ARG
        if gold_role == system_role or (model == 2005 and both):
            return 1.0
        if model == 2007 and both and type_ in SYMMETRIC and not in_map:
            return 1.0
        return 0.7 if gold_role in {"Arg-1", "Arg-2"} else 0.75

    def rho_in_map_2005(self, gold_role: str, system_role: str, r: Occ, s: Occ) -> float:
        swap = gold_role != system_role and {gold_role, system_role} <= set(ARG)
        if not swap or r.attrs["TYPE"] in SYMMETRIC:
            return self.rho(gold_role, system_role, r.attrs["TYPE"], in_map=True)
        same = [RELATION_ERROR[name] for name in ("TYPE", "SUBTYPE") if r.attrs[name] == s.attrs[name]]
        return math.prod((1 - EPS) * error for error in same)

    def argument_map(self, big: Elem, small: Elem, worth: float) -> dict[int, int] | None:
        """None if no pair is allowed; otherwise the map, which may be empty."""
        r, s = (next(iter(elem.docs.values())) for elem in (big, small))
        type_ = r.attrs["TYPE"]
        gains = {}
        for gold_role, a in big.args:
            for system_role, b in small.args:
                values = [x for doc in small.docs if (x := self.vab(a, b, doc))]
                if not values or not (self.whole or self.p.wrong or self.mapped.get(a) == b):
                    continue
                apart = (gold_role in ARG) != (system_role in ARG)
                if self.p.model == 2005 and self.kind == "relation" and apart:
                    continue
                if self.p.model == 2005:
                    more = 0.5 if self.kind == "event" and not self.p.geometric else 0.0
                    gain = (self.rho_in_map_2005(gold_role, system_role, r, s) + more) * sum(values)
                else:
                    gain = self.rho(gold_role, system_role, type_, in_map=True) * worth * sum(values)
                    gain += FA * sum(self.a(b, doc, gold=False) for doc in small.docs)
                gains[(a, gold_role), (b, system_role)] = gain
        if not gains:
            return None
        found = best_map(gains, lone=1, one_table=True)
        return {
            big.args.index((gold_role, a)): small.args.index((system_role, b))
            for (a, gold_role), (b, system_role) in found.items()
        }

    def extents(self, r: Occ, s: Occ) -> float:
        shared = {
            (i, j): found
            for i, x in enumerate(r.mentions)
            for j, y in enumerate(s.mentions)
            if (found := overlap(x.extent, y.extent)) > 0
        }
        return max(sum(shared[x] for x in m) for m in one_to_one(sorted(shared)))

    def compare(self, big: Elem, small: Elem) -> Compared | None:
        """The argument map, whether there is one, v(R, S) and V(R, S, d); None if the two cannot be mapped."""
        common = [doc for doc in big.docs if doc in small.docs]
        if not common:
            return None
        r, s = big.docs[common[0]], small.docs[common[0]]
        worth = v(r, s, self.p)
        found = self.argument_map(big, small, worth)
        if big.args and found is None:
            return None
        joined = found or {}
        if self.kind == "relation":
            roles = [small.args[j][0] for j in joined.values()]
            if roles.count("Arg") < 2 and not {"Arg-1", "Arg-2"} <= set(roles):
                return None
        if self.whole and self.kind == "event" and not self.extents(r, s):
            return None
        if self.stretches is not None:
            one, other = self.stretches[0].get(big.id), self.stretches[1].get(small.id)
            if not one or not other or min(one[1], other[1]) < max(one[0], other[0]):
                return None
        swapped = any(big.args[i][0] in ARG and big.args[i][0] != small.args[j][0] for i, j in joined.items())
        ordered = self.kind == "relation" and r.attrs["TYPE"] not in SYMMETRIC
        if self.p.model == 2005 and ordered and swapped:
            for name in ("TYPE", "SUBTYPE"):
                worth *= RELATION_ERROR[name] if r.attrs[name] == s.attrs[name] else 1.0
        values = {}
        any_defined = False
        for doc in small.docs:
            if doc in big.docs:
                value, defined = self.value(big, small, joined, worth, doc)
                any_defined = any_defined or defined
                values[doc] = value if defined else 0.0
            elif self.p.model == 2008:
                values[doc] = -FA * sum(self.a(b, doc, gold=False) for _, b in small.args)
        return Compared(joined, found is not None, worth, values) if any_defined else None

    def earned(
        self, big: Elem, small: Elem, joined: Mapping[int, int], doc: str
    ) -> list[tuple[int, float, float]]:
        found = []
        for i, j in joined.items():
            value = self.credit(big.args[i][1], small.args[j][1], doc)
            if value:
                rho = self.rho(big.args[i][0], small.args[j][0], big.docs[doc].attrs["TYPE"], in_map=False)
                found.append((j, rho, value))
        return found

    def value(
        self, big: Elem, small: Elem, joined: Mapping[int, int], worth: float, doc: str
    ) -> tuple[float, bool]:
        shared = self.extents(big.docs[doc], small.docs[doc])
        earned = self.earned(big, small, joined, doc)
        used = {j for j, _, _ in earned}
        credit = self.together([rho * value for _, rho, value in earned], len(big.args))
        if self.p.model > 2005:
            others = sum(self.a(b, doc, gold=False) for j, (_, b) in enumerate(small.args) if j not in used)
            return worth * (credit + EPS * shared) - FA * others, bool(used) or shared > 0
        share = 0.5 if self.kind == "event" and not self.whole and not self.p.geometric else 0.0
        excess = sum(self.a(b, doc, gold=False) for _, b in small.args) - sum(x for _, _, x in earned)
        return worth * (credit - share * excess + EPS * shared), bool(used) or shared > 0

    def section(self) -> Section:
        compared = {}
        gains = {}
        for big in self.gold.values():
            for small in self.system.values():
                found = self.compare(big, small)
                if found is not None:
                    compared[big.id, small.id] = found
                    gains[big.id, small.id] = sum(found.values.values()) - sum(
                        o.alarm for o in small.docs.values()
                    )
        partner = best_map(gains)
        owner = {b: a for a, b in partner.items()}
        section = Section(self.kind, self.gold, self.system, partner, [])
        for big in self.gold.values():
            small = self.system.get(partner.get(big.id, ""))
            for doc, r in big.docs.items():
                if small is None or doc not in small.docs:
                    section.outs.append(Out(doc, r, None, "miss", 0.0, r.value, r.value))
                else:
                    section.outs.append(self.out(big, small, doc, compared[big.id, small.id], section))
        for small in self.system.values():
            if small.id in owner and self.p.model == 2008:
                section.surplus_errors[small.id] = self.surplus_errors(self.gold[owner[small.id]], small)
            gone = self.gold[owner[small.id]].docs if small.id in owner else ()
            for doc, occ in small.docs.items():
                if doc not in gone:
                    section.outs.append(Out(doc, None, occ, "fa", occ.alarm, 0.0, -occ.alarm))
                if self.p.model == 2008:
                    section.listed[small.id, doc] = EPS * len(occ.mentions)
        return section

    def out(
        self,
        big: Elem,
        small: Elem,
        doc: str,
        found: Compared,
        section: Section,
    ) -> Out:
        joined, has_map, worth, values = found
        r, s = big.docs[doc], small.docs[doc]
        value = values[doc]
        cost = r.value - value
        if cost < (EPS if self.p.model > 2005 else 0):
            cost = 0.0
        all_a = sum(self.a(a, doc, gold=True) for _, a in big.args)
        mapped_a = sum(
            self.a(big.args[i][1], doc, gold=True)
            for i, j in joined.items()
            if self.credit(big.args[i][1], small.args[j][1], doc)
        )
        credit = sum(rho * x for _, rho, x in self.earned(big, small, joined, doc))
        kept = worth * (credit + EPS * self.extents(r, s))
        parts = all_a - worth * all_a, kept - value, worth * (all_a - mapped_a), worth * mapped_a - kept
        attribute, false, missed, wrong = (max(0.0, part) for part in parts)
        wrong_args = self.argument_errors(big, small, joined, r.attrs["TYPE"])
        if not has_map:
            wrong_args = len(big.args)
        section.errors[big.id] = wrong_args
        status = "correct" if r.attrs == s.attrs and not wrong_args else "error"
        roles = [(big.args[i], small.args[j]) for i, j in joined.items()]
        return Out(doc, r, s, status, value, r.value, cost, (attribute, false, missed, wrong), roles=roles)

    def surplus_errors(self, big: Elem, small: Elem) -> int:
        """By the argument map of the two ids exchanged, if both sides have them; else the number of arguments."""
        other_big, other_small = self.gold.get(small.id), self.system.get(big.id)
        if other_big is not None and other_small is not None:
            common = [doc for doc in other_big.docs if doc in other_small.docs]
            worth = v(other_big.docs[common[0]], other_small.docs[common[0]], self.p) if common else 0.0
            joined = self.argument_map(other_big, other_small, worth) if common else None
            if joined is not None:
                type_ = other_big.docs[common[0]].attrs["TYPE"]
                wrong = self.argument_errors(other_big, other_small, joined, type_)
                sizes = len(big.args) + len(small.args) - len(other_big.args) - len(other_small.args)
                return max(wrong + sizes, 0)
        return len(small.args)

    def argument_errors(self, big: Elem, small: Elem, joined: Mapping[int, int], type_: str) -> int:
        mapped = right = mutual = 0
        for i, j in joined.items():
            (gold_role, a), (system_role, b) = big.args[i], small.args[j]
            if a not in self.mapped:
                continue
            mapped += 1
            if self.mapped[a] == self.hosts.get(b, b):
                mutual += 1
                free = self.p.model == 2007 and type_ in SYMMETRIC and {gold_role, system_role} <= set(ARG)
                right += gold_role == system_role or free
        if self.p.model == 2005:
            return len(big.args) - (0 if self.whole else mutual)
        return len(big.args) + len(small.args) - mapped - right


# ------------------------------------------------------------------------------------------------- mention tasks


def promoted(elems: Elems, p: Set) -> Elems:
    found: Elems = {}
    for elem in elems.values():
        for occ in elem.docs.values():
            for m in occ.mentions:
                attrs, names, level = dict(occ.attrs), occ.names, ""
                if elem.kind == "entity":
                    literal = m.type == "NAM" and m.style == "LITERAL"
                    level = attrs["LEVEL"] = (
                        "NOM" if m.type == "NAM" and not literal and p.model == 2008 else m.type
                    )
                    names = [short(m.place.text)] if literal else names
                own = Occ(m.id, elem.kind, occ.doc, attrs, [m], names, occ.source, occ.language)
                found[m.id] = Elem(m.id, elem.kind, {occ.doc: own}, [], level or "PRO", elem.entropy, elem.id)
    return found


def promoted_frames(elems: Elems, hosts: Mapping[str, str] | None) -> Elems:
    found: Elems = {}
    for elem in elems.values():
        for occ in elem.docs.values():
            for m in occ.mentions:
                own = Occ(m.id, elem.kind, occ.doc, occ.attrs, [m], [], occ.source, occ.language)
                args: list[tuple[str, str]] = []
                for role, filler in m.arguments:
                    arg = role, filler if hosts is None else hosts[filler]
                    if arg not in args:
                        args.append(arg)
                found[m.id] = Elem(m.id, elem.kind, {occ.doc: own}, args, host=elem.id)
    return found


def stretches(side: Mapping[str, Elems]) -> dict[str, tuple[float, float]]:
    heads = {
        m.id: m.place for k in SIMPLE for e in side[k].values() for o in e.docs.values() for m in o.mentions
    }
    found = {}
    for e in side["relation"].values():
        for o in e.docs.values():
            for m in o.mentions:
                places = [heads[filler] for role, filler in m.arguments if role in ARG]
                if places:
                    found[m.id] = min(x.start for x in places), max(x.end for x in places)
    return found


def all_sections(gold: Corpus, system: Corpus, p: Set) -> dict[str, Section]:
    docs = sorted(gold.documents)
    ours, theirs = side_of(gold, docs, p), side_of(system, docs, p)
    simple = [Simple(kind, ours[kind], theirs[kind], p) for kind in SIMPLE]
    sections = {one.kind: one.section() for one in simple}
    mapped = {a: b for section in sections.values() for a, b in section.partner.items()}
    for kind in ("relation", "event"):
        sections[kind] = Frames(kind, ours[kind], theirs[kind], simple, p, mapped=mapped).section()
    if p.mentions:
        sections["mention_entity"] = Simple(
            "entity", promoted(ours["entity"], p), promoted(theirs["entity"], p), p
        ).section()
    if p.mentions and not p.names:
        mine = {
            m.id: e.id for k in SIMPLE for e in ours[k].values() for o in e.docs.values() for m in o.mentions
        }
        parts = [Simple(k, ours[k], promoted(theirs[k], p), p) for k in SIMPLE]
        hosts = {e.id: e.host for one in parts for e in one.system.values()}
        spans = None if p.model == 2008 else (stretches(ours), stretches(theirs))
        for kind in ("relation", "event"):
            golds, systems = promoted_frames(ours[kind], mine), promoted_frames(theirs[kind], None)
            near_enough = spans if kind == "relation" else None
            frames = Frames(kind, golds, systems, parts, p, mapped=mapped, hosts=hosts, stretches=near_enough)
            sections[f"mention_{kind}"] = frames.section()
    return {name: section for name, section in sections.items() if section.gold}


# -------------------------------------------------------------------------------------------------------- tables


def binned(number: float, *bounds: tuple[float, str], last: str, slack: float = 0.0) -> str:
    return next((name for bound, name in bounds if number <= bound + slack), last)


def value_bin(x: float) -> str:
    bounds = (0.2, "<=0.2"), (0.5, "0.2-0.5"), (1, "0.5-1.0"), (2, "1-2"), (4, "2-4")
    return binned(x, *bounds, last=">4", slack=5e-6)


def count_bin(x: int) -> str:
    return binned(x, (1, "1"), (2, "2"), (4, "3-4"), (8, "5-8"), last=">8")


def value_of(section: Section, o: Occ, *, gold: bool) -> float:
    return o.value if gold else section.listed.get((o.id, o.doc), o.value)


Rows = tuple[Callable[[Occ, Elem, bool], str], Callable[[Elem, bool], str]]


def uniform(found: Iterable[str]) -> str:
    every = set(found)
    return every.pop() if len(every) == 1 else "(multi)"


def conditions(section: Section) -> dict[str, Rows]:
    """For every condition the row of an occurrence, and the row of an element."""

    def attribute(name: str) -> Rows:
        return (
            lambda o, _e, _g: o.attrs.get(name, ""),
            lambda e, _g: uniform(o.attrs.get(name, "") for o in e.docs.values()),
        )

    def element(row: Callable[[Elem, bool], str]) -> Rows:
        return lambda _o, e, g: row(e, g), row

    def arg_errors(e: Elem, gold: bool) -> str:
        wrong = (section.errors if gold else section.surplus_errors).get(e.id, 0)
        return binned(wrong, (0, "0"), (1, "1"), last=">1")

    names = ("TYPE", "SUBTYPE", "LEVEL", "CLASS", "MODALITY")
    return {
        **{name: attribute(name) for name in names},
        "LANGUAGE": (
            lambda o, _e, _g: o.language,
            lambda e, _g: merged(o.language for o in e.docs.values()),
        ),
        "SOURCE": (lambda o, _e, _g: o.source, lambda e, _g: uniform(o.source for o in e.docs.values())),
        "VALUE": (
            lambda o, _e, g: value_bin(value_of(section, o, gold=g)),
            lambda e, g: value_bin(sum(value_of(section, o, gold=g) for o in e.docs.values())),
        ),
        "MENTION COUNT": (
            lambda o, _e, _g: count_bin(len(o.mentions)),
            lambda e, _g: count_bin(sum(len(o.mentions) for o in e.docs.values())),
        ),
        "CROSS-DOC": element(lambda e, _g: "1" if len(e.docs) == 1 else ">1"),
        "NAME_ENTROPY": element(
            lambda e, _g: binned(e.entropy, (0.3, "<=0.3"), (0.6, "0.3-0.6"), (1, "0.6-1.0"), last=">1.0")
        ),
        "ARGUMENT ERRORS": element(arg_errors),
        "NUM ARGUMENTS": element(
            lambda e, _g: binned(len(e.args), *((n, str(n)) for n in range(5)), last=">4")
        ),
    }


@dataclass(eq=False)
class Item:
    """A mention as B-cubed counts it."""

    elem: Elem
    occ: Occ
    mention: Mention
    gold: bool
    count: float = 0.0
    value: float = 0.0


def b_cubed(section: Section, p: Set) -> list[Item]:
    sides = [
        [Item(e, o, m, gold) for e in elems.values() for o in e.docs.values() for m in o.mentions]
        for elems, gold in ((section.gold, True), (section.system, False))
    ]
    score = {
        (a, b): found
        for a in sides[0]
        for b in sides[1]
        if a.occ.doc == b.occ.doc and (found := q("entity", a.mention, b.mention, p)) is not None
    }

    def c(r: Elem, s: Elem) -> tuple[int, float]:
        best = [
            max((score[a, b] for b in sides[1] if b.elem is s and (a, b) in score), default=None)
            for a in sides[0]
            if a.elem is r
        ]
        found = [x for x in best if x is not None]
        return len(found), sum(found)

    for mine, others in ((sides[0], sides[1]), (sides[1], sides[0])):
        for item in mine:
            own = [x for x in mine if x.elem is item.elem]
            touched = [x for x in others if ((item, x) if item.gold else (x, item)) in score]
            pairs = [c(item.elem, x.elem) if item.gold else c(x.elem, item.elem) for x in touched]
            item.count = max((n for n, _ in pairs), default=0) / len(own)
            item.value = max((g for _, g in pairs), default=0.0) / sum(x.mention.self for x in own)
    return sides[0] + sides[1]


def in_row(item: Item, name: str, table: Mapping[str, Rows]) -> str:
    if name == "LEVEL":
        return item.mention.type
    if name in {"VALUE", "MENTION COUNT", "CROSS-DOC"}:
        return table[name][1](item.elem, item.gold)
    return table[name][0](item.occ, item.elem, item.gold)


def ratio(part: float, whole: float) -> float:
    return 100 * part / max(whole, 1e-30)


def prf(precision: float, recall: float) -> list[float]:
    return [precision, recall, 2 * precision * recall / max(precision + recall, 1e-30)]


def rates(items: Sequence[Item]) -> tuple[list[float], list[float]]:
    counts, values = [], []
    for gold in (False, True):
        mine = [x for x in items if x.gold == gold]
        counts.append(ratio(sum(x.count for x in mine), len(mine)))
        weight = sum(x.mention.self for x in mine)
        values.append(ratio(sum(x.value * x.mention.self for x in mine), weight))
    return prf(*counts), prf(*values)


def numbers(
    outs: Sequence[Out],
    elems: Sequence[tuple[Elem, bool]],
    section: Section,
    p: Set,
    items: Sequence[Item] = (),
) -> list[float]:
    """One row of a table."""
    n = {status: [o for o in outs if o.status == status] for status in ("correct", "error", "miss", "fa")}
    cost = {status: sum(o.cost for o in found) for status, found in n.items()}
    gold = len(outs) - len(n["fa"])
    value = sum(o.maximum for o in outs)
    everything = sum(o.maximum for o in section.outs)
    lost = cost["error"] + cost["correct"]
    kept = max(0.0, value - cost["miss"] - lost)
    right = len(n["correct"])
    plain = prf(ratio(right, right + len(n["error"]) + len(n["fa"])), ratio(right, gold))
    weighted = prf(ratio(kept, value - cost["miss"] + cost["fa"]), ratio(kept, value))
    if items:
        plain, weighted = rates(items)
    counts = [gold, len(n["fa"]), len(n["miss"]), len(n["error"])]
    percent = [min(999.9, ratio(counts[1], gold)), ratio(counts[2], gold), ratio(counts[3], gold)]
    score = max(-999.9, ratio(value - cost["miss"] - lost - cost["fa"], value))
    parts = [sum(o.parts[k] for o in outs if o.status in {"correct", "error"}) for k in range(4)]
    first, last = [cost["fa"], cost["miss"]], [lost]
    if p.model == 2008:
        golds = [e for e, is_gold in elems if is_gold]
        missed = sum(e.id not in section.partner for e in golds)
        counts = [len(golds), len(elems) - len(golds), missed, *counts]
        last = parts
    costs = [ratio(x, value) for x in first + last]
    costs[0] = min(999.9, costs[0])
    if p.model == 2008:
        costs[2:] = [min(999.9, cost) for cost in costs[2:]]
    shares = [ratio(x, everything) for x in (value, *first, *last)]
    shares[1] = min(999.99, shares[1])
    return [*counts, *percent, *plain, *costs, score, *weighted, *shares]


def table_names(kind: str, p: Set) -> tuple[str, ...]:
    model = p.model
    if kind == "entity":
        plain = ("TYPE", "LEVEL", "VALUE", "MENTION COUNT", "CLASS", "SOURCE")
        if model < 2008:
            return (*plain, "SUBTYPE|TYPE")
        more = ("LANGUAGE", "CROSS-DOC", "NAME_ENTROPY", "TYPE|LEVEL", "CROSS-DOC|TYPE", "SUBTYPE|TYPE")
        return (*plain, *more)
    if kind in {"value", "timex2"}:
        return ("SOURCE",) if model < 2008 else ("SOURCE", "LANGUAGE")
    found = ("TYPE", "MODALITY", "SOURCE", "ARGUMENT ERRORS", "SUBTYPE|TYPE")
    return (
        *found,
        *(("NUM ARGUMENTS",) if model > 2005 else ()),
        *(("LANGUAGE", "VALUE") if model == 2008 else ()),
    )


def tables(name: str, section: Section, p: Set) -> dict[str, dict[str, list[float]]]:
    table = conditions(section)
    with_b3 = name == "entity" and p.model == 2008 and p.mentions
    every = b_cubed(section, p) if with_b3 else []
    taken = set(section.partner.values())
    elems = [(e, True) for e in section.gold.values()]
    elems += [(e, False) for e in section.system.values() if e.id not in taken]

    def owner(o: Out) -> tuple[Occ, Elem, bool]:
        occ = o.gold or o.system
        assert occ is not None
        return occ, (section.gold if o.gold else section.system)[occ.id], o.gold is not None

    found: dict[str, dict[str, list[float]]] = {}
    for title in table_names(section.kind, p):
        row, _, given = title.partition("|")
        items = [] if title in {"LANGUAGE", "NAME_ENTROPY"} else every
        choices = {"ALL"} | ({table[given][0](*owner(o)) for o in section.outs} if given else set())
        for above in sorted(choices):
            some_outs, some_elems, some_items = section.outs, elems, items
            if above != "ALL":
                some_outs = [o for o in some_outs if table[given][0](*owner(o)) == above]
                some_elems = [x for x in some_elems if table[given][1](*x) == above]
                some_items = [x for x in some_items if in_row(x, given, table) == above]
            labels = {table[row][0](*owner(o)) for o in some_outs} | {table[row][1](*x) for x in some_elems}
            if row == "SUBTYPE":
                labels.discard("Unspecified")
            here = {
                label: numbers(
                    [o for o in some_outs if table[row][0](*owner(o)) == label],
                    [x for x in some_elems if table[row][1](*x) == label],
                    section,
                    p,
                    [x for x in some_items if in_row(x, row, table) == label],
                )
                for label in labels
            }
            here["total"] = numbers(some_outs, some_elems, section, p, some_items)
            found[f"{title}={above}" if given else title] = here
    return found


# -------------------------------------------------------------------------------------------------- recognition

NAMES = {
    "entity": ("CLASS", "LEVEL", "SUBTYPE", "TYPE"),
    "value": ("SUBTYPE", "TYPE"),
    "timex2": ("ANCHOR_DIR", "ANCHOR_VAL", "COMMENT", "MOD", "NON_SPECIFIC", "SET", "TYPE", "VAL"),
    "relation": ("MODALITY", "SUBTYPE", "TENSE", "TYPE"),
    "event": ("GENERICITY", "MODALITY", "POLARITY", "SUBTYPE", "TENSE", "TYPE"),
}


def recognition(section: Section) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for out in section.outs:
        if out.gold is None or out.system is None:
            continue
        for name in NAMES[section.kind]:
            one, other = out.gold.attrs.get(name), out.system.attrs.get(name)
            if one is None and other is None:
                continue
            row = found.setdefault(name, dict.fromkeys(("ref", "fa", "miss", "sub", "err"), 0))
            row["ref"] += one is not None
            row["fa"] += one is None
            row["miss"] += other is None
            row["sub"] += one is not None and other is not None and one != other
            row["err"] += one != other
    return found


def extent_counts(section: Section, attribute: str) -> dict[str, list[int]]:
    """Mentions of mapped entities: gold, spurious, missed, extent wrong, extent right."""
    found: dict[str, list[int]] = {}
    for out in section.outs:
        if out.gold is None or out.system is None:
            continue
        partner = dict(out.matched)
        for i, m in enumerate(out.gold.mentions):
            row = found.setdefault(getattr(m, attribute), [0] * 5)
            row[0] += 1
            if i not in partner:
                row[2] += 1
                continue
            other = out.system.mentions[partner[i]].extent
            right = abs(m.extent.start - other.start) <= 4 and abs(m.extent.end - other.end) <= 4
            row[4 if right else 3] += 1
        for j, m in enumerate(out.system.mentions):
            if j not in partner.values():
                found.setdefault(getattr(m, attribute), [0] * 5)[1] += 1
    return found


def name_counts(section: Section) -> dict[str, list[int]]:
    """Names of mapped entities by type of the gold entity: gold, spurious, missed, joined but unequal, equal."""
    found: dict[str, list[int]] = {}
    for out in section.outs:
        if out.gold is None or out.system is None:
            continue
        ours, theirs = out.gold.names, out.system.names
        joined: dict[str, str] = {}
        if out.gold.attrs["LEVEL"] == out.system.attrs["LEVEL"] == "NAM":
            gains = {(a, b): near(a, b) for a in ours for b in theirs}
            joined = best_map({pair: gain for pair, gain in gains.items() if gain}, lone=None)
        equal = sum(a == b for a, b in joined.items())
        row = found.setdefault(out.gold.attrs["TYPE"], [0] * 5)
        more = len(ours), len(theirs) - len(joined), len(ours) - len(joined), len(joined) - equal, equal
        for position, number in enumerate(more):
            row[position] += number
    return found


def role_counts(section: Section) -> dict[str, list[int]]:
    """Roles of mapped relations or events: gold, spurious, missed, unequal, equal."""
    found: dict[str, list[int]] = {}
    for out in section.outs:
        if out.gold is None or out.system is None or out.roles is None:
            continue
        args = len(section.gold[out.gold.id].args), len(section.system[out.system.id].args)
        if not any(args):
            continue
        wrong = sum(one[0] != other[0] for one, other in out.roles)
        joined = len(out.roles)
        names = ["all"]
        if out.gold.attrs["TYPE"] == out.system.attrs["TYPE"]:
            names.append("type")
            if out.gold.attrs["SUBTYPE"] == out.system.attrs["SUBTYPE"]:
                names.append("type and subtype")
        more = args[0], args[1] - joined, args[0] - joined, wrong, joined - wrong
        for name in names:
            row = found.setdefault(name, [0] * 5)
            for position, number in enumerate(more):
                row[position] += number
    return found
