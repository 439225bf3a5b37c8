"""CorefUD scoring a second time, the slow way: every rule as it is written, nothing shared with the package.

A node is (number of the sentence, ID as a Decimal).  Links are enumerated, one-to-one sums are tried one by one; only the
choice among equally good pairings is left to SciPy, whose procedure the rules describe.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

Node = tuple[int, Decimal]


class StoppedError(Exception):
    """The official scorer ends with an error."""


class Mention(NamedTuple):
    """Its nodes, its head, the DEPS of its head, and the order in which it was opened."""

    nodes: tuple[Node, ...]
    head: Node
    deps: str
    opened: int

    @property
    def zero(self) -> bool:
        return self.head[1] % 1 != 0


Document = list[list[Mention]]


# ----------------------------------------------------------------------------------------------------- reading


class _Open:
    def __init__(self, number: int, node: Node, head: str | None, *, parts: bool) -> None:
        self.number, self.nodes, self.head, self.parts = number, [node], head, parts
        self.single = self.done = False


def read(text: str) -> dict[str, Document]:
    """The documents of a file, their entities in order."""
    if not text.endswith("\n\n") or text.startswith("\n"):
        raise StoppedError
    fields: list[str] = []
    document: str | None = None
    documents: dict[str, Document] = {}
    entities: dict[str, list[_Open]] = {}
    stacks: dict[str, list[_Open]] = {}
    place_of: dict[int, str] = {}
    deps_of: dict[Node, str] = {}
    opened = marks = 0
    for sentence, block in enumerate(text.strip("\n").split("\n\n"), 1):
        nodes: dict[Node, str] = {}
        for line in block.split("\n"):
            if line.startswith("# newdoc"):
                marks += 1
                document = line.partition(" = ")[2] or str(marks)
                documents.setdefault(document, [])
            elif line.startswith("# global.Entity = "):
                fields = line.partition(" = ")[2].split("-")
            elif not line.startswith("#"):
                columns = line.split("\t")
                if "-" not in columns[0]:
                    nodes[sentence, Decimal(columns[0])] = columns[9]
                    deps_of[sentence, Decimal(columns[0])] = columns[8]
        place_of[sentence] = document or ""
        order = sorted(nodes)
        for node in order:
            if not nodes[node].startswith("Entity="):
                continue
            if not fields or document is None:
                raise StoppedError
            for item in re.findall(r"\([^()]+\)?|[^()]+\)", nodes[node]):
                text_of = item.strip("()").removeprefix("Entity=")
                if item.startswith("("):
                    said = dict(zip(fields, text_of.split("-"), strict=False))
                    eid, part, parts = _parted(said["eid"])
                    if part > 1:
                        waiting = [
                            m
                            for m in entities.get(eid, [])
                            if m.parts and not m.done and m not in stacks.get(eid, [])
                        ]
                        if not waiting:
                            raise StoppedError
                        mention = waiting[0]
                        mention.nodes.append(node)
                        mention.head, mention.single = said.get("head"), False
                    else:
                        opened += 1
                        mention = _Open(opened, node, said.get("head"), parts=part == 1)
                        entities.setdefault(eid, []).append(mention)
                    stacks.setdefault(eid, []).append(mention)
                    mention.single = item.endswith(")")
                    if not mention.single:
                        continue
                else:
                    eid, part, parts = _parted(text_of.split("-")[0])
                if not stacks.get(eid):
                    raise StoppedError
                mention = stacks[eid].pop()
                if mention.nodes[-1][0] != sentence:
                    raise StoppedError
                if not item.startswith("("):
                    for other in order[order.index(mention.nodes[-1]) + 1 :]:
                        mention.nodes.append(other)
                        if other == node:
                            break
                if parts and part == parts:
                    unfinished = [m for m in entities[eid] if m.parts and not m.done]
                    if unfinished[-1:] != [mention]:
                        raise StoppedError
                    mention.done = True
    whole = []
    for eid, found in entities.items():
        closed = [m for m in found if m not in stacks.get(eid, [])]
        mentions = sorted((_finished(m, deps_of) for m in closed), key=_order)
        if mentions:
            whole.append((_order(mentions[0])[:3], eid, mentions))
    for _, _, mentions in sorted(whole, key=lambda entry: entry[:2]):
        for name, entities_of in documents.items():
            piece = [m for m in mentions if place_of[m.nodes[0][0]] == name]
            if piece:
                entities_of.append(piece)
    return documents


def _order(mention: Mention) -> tuple[Any, ...]:
    return mention.nodes[0], -len(mention.nodes), mention.nodes[-1], mention.opened


def _parted(eid: str) -> tuple[str, int, int]:
    found = re.fullmatch(r"(.*)\[(\d+)/(\d+)\]", eid)
    return (found[1], int(found[2]), int(found[3])) if found else (eid, 0, 0)


def _finished(mention: _Open, deps_of: dict[Node, str]) -> Mention:
    nodes = sorted(mention.nodes)
    if mention.single and not mention.parts:
        head = nodes[0]
    elif mention.head is None:
        if mention.single:
            raise StoppedError
        head = nodes[0]
    else:
        if not mention.head.isdigit() or int(mention.head) > len(nodes):
            raise StoppedError
        number = int(mention.head)
        head = nodes[number - 1] if number else nodes[-1] if mention.single else nodes[0]
    return Mention(tuple(nodes), head, deps_of[head], mention.number)


# ---------------------------------------------------------------------------------------------------- matching


class Scored(NamedTuple):
    """Both sides after matching: entities as lists of (identity, mention), and the table of partners."""

    key: list[list[tuple[Any, Mention]]]
    response: list[list[tuple[Any, Mention]]]
    partner: dict[Any, Any]
    unordered: bool


def match(key: Document, response: Document, how: str, *, dependent: bool, singletons: bool) -> Scored:
    def identity(mention: Mention) -> Any:
        nodes = frozenset(mention.nodes)
        return (nodes, mention.head) if how == "head" else nodes

    sides = []
    for document in (key, response):
        # The first mention of an identity stays, at its place.
        entities = [
            [
                (identity(m), m)
                for at, m in enumerate(entity)
                if identity(m) not in [identity(o) for o in entity[:at]]
            ]
            for entity in document
        ]
        sides.append([entity for entity in entities if singletons or len(entity) > 1])
    free: list[dict[Any, Mention]] = []
    for side in sides:
        distinct: dict[Any, Mention] = {}
        for entity in side:
            for name, mention in entity:
                distinct.setdefault(name, mention)
        free.append(distinct)
    pairs: list[tuple[Any, Any]] = []
    unordered = False

    def take(weigh: Any, *, zeros: bool) -> None:
        nonlocal unordered
        ranked = [
            sorted(
                ((name, m) for name, m in names.items() if m.zero or not zeros),
                key=lambda e: (e[1].nodes[0], e[1].nodes[-1], len(e[1].nodes), e[1].nodes, e[1].head),
            )
            for names in free
        ]
        if not ranked[0] or not ranked[1]:
            return
        for side in ranked:
            spots = [(m.nodes[0], m.nodes[-1], len(m.nodes)) for _, m in side]
            unordered = unordered or len(spots) != len(set(spots))
        weights = np.array([[weigh(k, r) for _, r in ranked[1]] for _, k in ranked[0]], dtype=float)
        for row, column in zip(*linear_sum_assignment(weights, maximize=True), strict=True):
            if weights[row, column] > 0:
                pairs.append((ranked[0][row][0], ranked[1][column][0]))
                del free[0][ranked[0][row][0]], free[1][ranked[1][column][0]]

    if dependent:
        take(_by_dependencies, zeros=True)
    for name in list(free[0]):
        if name in free[1]:
            pairs.append((name, name))
            del free[0][name], free[1][name]
    if how == "head":
        take(lambda k, r: len({*k.nodes} & {*r.nodes}) / len(k.nodes) if k.head == r.head else 0, zeros=False)
    if how == "partial":
        take(
            lambda k, r: len(r.nodes) / len(k.nodes) if {*r.nodes} <= {*k.nodes} and k.head in r.nodes else 0,
            zeros=False,
        )
    partner = {one: other for one, other in pairs if one != other}
    partner.update({other: one for one, other in pairs if one != other})
    return Scored(sides[0], sides[1], partner, unordered)


def _by_dependencies(key: Mention, response: Mention) -> float:
    if key.head[0] != response.head[0]:
        return 0
    if "_" in {key.deps, response.deps}:
        raise StoppedError
    labelled = [{tuple(item.split(":", 1)) for item in m.deps.split("|")} for m in (key, response)]
    parents = [{parent for parent, *_ in items} for items in labelled]
    return 10 * _f(*labelled) + _f(*parents)


def _f(one: set[Any], other: set[Any]) -> float:
    shared = len(one & other)
    p, r = shared / len(one), shared / len(other)
    return 2 * p * r / (p + r) if shared else 0


# ----------------------------------------------------------------------------------------------------- metrics

Counts = tuple[Fraction, int, Fraction, int]


def counts(scored: Scored) -> dict[str, Counts]:
    """Recall credit and total, precision credit and total, of every metric; BLANC as two kinds of links."""
    sides = (scored.key, scored.response)
    homes = [{name: at for at, entity in enumerate(side) for name, _ in entity} for side in sides]

    def found(name: Any, there: int) -> int | None:
        return homes[there].get(scored.partner.get(name, name))

    result: dict[str, list[Any]] = {name: [] for name in ("muc", "b-cubed", "lea")}
    for here, there in ((0, 1), (1, 0)):
        muc = b_cubed = lea = Fraction()
        for entity in sides[here]:
            places = [found(name, there) for name, _ in entity]
            parts = [places.count(place) for place in {*places} - {None}]
            size = len(entity)
            muc += sum(parts) - len(parts)
            b_cubed += Fraction(sum(n * n for n in parts), size)
            if size > 1:
                lea += Fraction(size * sum(n * (n - 1) for n in parts), size * (size - 1))
            elif places[0] is not None:
                lea += len(sides[there][places[0]]) == 1
        total = sum(map(len, sides[here]))
        result["muc"] += [muc, total - len(sides[here])]
        result["b-cubed"] += [b_cubed, total]
        result["lea"] += [lea, total]
    sizes = [sum(map(len, side)) for side in sides]

    def overlap(k: int, r: int) -> int:
        held = {name for name, _ in scored.response[r]}
        return sum(scored.partner.get(name, name) in held for name, _ in scored.key[k])

    grid = [[overlap(k, r) for r in range(len(scored.response))] for k in range(len(scored.key))]
    phi4 = [
        [Fraction(2 * n, len(scored.key[k]) + len(scored.response[r])) for r, n in enumerate(row)]
        for k, row in enumerate(grid)
    ]
    result["ceaf-m"] = [best(grid), sizes[0], best(grid), sizes[1]]
    result["ceaf-e"] = [best(phi4), len(scored.key), best(phi4), len(scored.response)]
    flat = [(at, found(name, 1)) for at, entity in enumerate(scored.key) for name, _ in entity]
    both = [(one, other) for one, other in combinations(flat, 2) if None not in {one[1], other[1]}]
    linked = sum(one[0] == other[0] and one[1] == other[1] for one, other in both)
    apart = sum(one[0] != other[0] and one[1] != other[1] for one, other in both)
    links = [sum(len(entity) * (len(entity) - 1) // 2 for entity in side) for side in sides]
    every = [size * (size - 1) // 2 for size in sizes]
    result["coreference"] = [linked, links[0], linked, links[1]]
    result["other"] = [apart, every[0] - links[0], apart, every[1] - links[1]]
    mentions = [[{*m.nodes} for entity in side for _, m in entity] for side in sides]
    shared = best([[len(k & r) for r in mentions[1]] for k in mentions[0]])
    result["mor"] = [shared, sum(map(len, mentions[0])), shared, sum(map(len, mentions[1]))]
    result["zero"] = _zeros(scored, homes[1])
    return {
        name: (Fraction(values[0]), int(values[1]), Fraction(values[2]), int(values[3]))
        for name, values in result.items()
    }


def best(grid: list[list[Any]]) -> Any:
    """The largest one-to-one sum."""
    if grid and len(grid[0]) > len(grid):
        grid = [list(column) for column in zip(*grid, strict=True)]
    width = len(grid[0]) if grid else 0

    @cache
    def rest(row: int, free: int) -> Any:
        if row == len(grid) or not free:
            return 0
        choices = [rest(row + 1, free)]
        choices += [
            grid[row][column] + rest(row + 1, free & ~(1 << column))
            for column in range(width)
            if free >> column & 1 and grid[row][column]
        ]
        return max(choices)

    return rest(0, (1 << width) - 1)


def _zeros(scored: Scored, homes: dict[Any, int]) -> list[Any]:
    def place(entry: tuple[Any, Mention]) -> Any:
        return entry[1].nodes[0], entry[1].nodes[-1], len(entry[1].nodes)

    def twin(name: Any) -> Any:
        return name if name in homes else scored.partner.get(name)

    heads = [min(entity, key=place)[0] for entity in scored.response]
    right = wrong = missed = 0
    met = []
    for entity in scored.key:
        ordered = sorted(entity, key=place)
        for at, (name, mention) in enumerate(ordered):
            if not mention.zero or not at:
                continue
            other = twin(name)
            met.append(other)
            if other is None or other in heads:
                missed += 1
            elif homes[other] in [
                homes[twin(before)] for before, _ in ordered[:at] if twin(before) is not None
            ]:
                right += 1
            else:
                wrong += 1
    extra = sum(
        m.zero and name not in heads and name not in met for entity in scored.response for name, m in entity
    )
    return [right, right + wrong + missed, right, right + wrong + extra]
