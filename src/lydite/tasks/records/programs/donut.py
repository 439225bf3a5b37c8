"""Donut: texts under their keys as a multiset, and the edit distance of the trees that they form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from lydite.model.strings import edit_distance
from lydite.tasks.records.values import text_of_number

SUBTREE = "<subtree>"
ROOT = "<root>"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    return value.strip() if isinstance(value, str) else text_of_number(value)  # type: ignore[arg-type]


def normalise(value: object) -> dict[str, object] | list[object]:
    """A value as the program sees it: lists of texts or objects below keys in the order of their lengths."""
    if not value:
        return {} if isinstance(value, dict) else []
    if isinstance(value, dict):
        found: dict[str, object] = {}
        for key in sorted(value, key=lambda key: (len(key), key)):
            inside = normalise(value[key])
            if inside:
                found[key] = inside if isinstance(inside, list) else [inside]
        return found
    if isinstance(value, list):
        if all(isinstance(one, dict) for one in value):
            return [inside for one in value if (inside := normalise(one))]
        kept = (
            one for one in value if isinstance(one, str | int | float | Decimal) and not isinstance(one, bool)
        )
        return [text for one in kept if (text := _text(one))]
    return [_text(value)]


def fields_of(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a normalised value, each with the keys above it."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from fields_of(inside, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inside in value:
            yield from fields_of(inside, path)
    else:
        yield path, str(value)


def common(gold: object, system: object) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """The fields of both sides as multisets."""
    return Counter(fields_of(gold)), Counter(fields_of(system))


# --------------------------------------------------------------------------------------------- trees and their edits


class _Node(NamedTuple):
    name: str
    is_text: bool
    children: tuple[_Node, ...]


def _tree(value: object, name: str = ROOT) -> _Node:
    if isinstance(value, dict):
        return _Node(name, is_text=False, children=tuple(_tree(inside, key) for key, inside in value.items()))
    assert isinstance(value, list)
    children = (
        _tree(one, SUBTREE) if isinstance(one, dict) else _Node(str(one), is_text=True, children=())
        for one in value
    )
    return _Node(name, is_text=False, children=tuple(children))


class _Ordered(NamedTuple):
    """The nodes of a tree from left to right, children first; the first leaf below each; the key roots."""

    nodes: list[_Node]
    first: list[int]
    roots: list[int]


def _ordered(root: _Node) -> _Ordered:
    nodes: list[_Node] = []
    first: list[int] = []

    def visit(node: _Node) -> int:
        lowest = [visit(child) for child in node.children]
        leftmost = lowest[0] if lowest else len(nodes)
        nodes.append(node)
        first.append(leftmost)
        return leftmost

    visit(root)
    last_with = {leaf: at for at, leaf in enumerate(first)}
    return _Ordered(nodes, first, sorted(last_with.values()))


def _alone(node: _Node) -> int:
    """What it costs to insert or to remove a node."""
    return len(node.name) if node.is_text else 1


def _change(one: _Node, two: _Node) -> int:
    if one.is_text and two.is_text:
        return edit_distance(one.name, two.name)
    if one.is_text or two.is_text:
        return 1 + len(one.name if one.is_text else two.name)
    return int(one.name != two.name)


def tree_distance(one: object, two: object) -> int:
    """The least cost of edits that turn one tree into the other (Zhang and Shasha 1989)."""
    return _TreeEdits(_ordered(_tree(one)), _ordered(_tree(two))).distance()


class _TreeEdits:
    """The distances of the subtrees of two trees."""

    def __init__(self, one: _Ordered, two: _Ordered) -> None:
        self._one, self._two = one, two
        self._remove, self._insert = list(map(_alone, one.nodes)), list(map(_alone, two.nodes))
        self._changes: dict[tuple[_Node, _Node], int] = {}
        self._distance = [[0] * len(two.nodes) for _ in one.nodes]

    def distance(self) -> int:
        """The distance of the whole trees."""
        if self._one.nodes[-1] == self._two.nodes[-1]:
            return 0
        for i in self._one.roots:
            for j in self._two.roots:
                self._compare_forests(i, j)
        return self._distance[-1][-1]

    def _compare_forests(self, i: int, j: int) -> None:
        """The distances of all subtrees that end at key roots i and j."""
        one, two, distance = self._one, self._two, self._distance
        from_one, from_two = one.first[i], two.first[j]
        width = j - from_two + 2
        rows = [[0] * width for _ in range(i - from_one + 2)]
        for y in range(1, width):
            rows[0][y] = rows[0][y - 1] + self._insert[from_two + y - 1]
        for x in range(1, len(rows)):
            here = from_one + x - 1
            row, before = rows[x], rows[x - 1]
            cost, first = self._remove[here], one.first[here]
            row[0] = before[0] + cost
            for y in range(1, width):
                there = from_two + y - 1
                best = min(before[y] + cost, row[y - 1] + self._insert[there])
                if first == from_one and two.first[there] == from_two:
                    changed = before[y - 1] + self._change(one.nodes[here], two.nodes[there])
                    row[y] = distance[here][there] = min(best, changed)
                else:
                    whole = rows[first - from_one][two.first[there] - from_two] + distance[here][there]
                    row[y] = min(best, whole)

    def _change(self, one: _Node, two: _Node) -> int:
        names = _named(one), _named(two)
        if names not in self._changes:
            self._changes[names] = _change(*names)
        return self._changes[names]


def _named(node: _Node) -> _Node:
    """A node without what is below it."""
    return node._replace(children=()) if node.children else node


def accuracy(gold: object, system: object) -> float:
    """1 − the distance to gold, in proportion to that of an empty record; not below 0."""
    empty = sum(map(_alone, _ordered(_tree(gold)).nodes)) - 1
    if empty == 0:
        return float(sum(map(_alone, _ordered(_tree(system)).nodes)) == 1)
    return max(0.0, 1 - tree_distance(system, gold) / empty)
