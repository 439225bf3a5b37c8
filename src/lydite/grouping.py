"""Grouping values by key, and finding connected components."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Edge = TypeVar("Edge", bound=tuple[object, ...])
"""A tuple that begins with the two items that it joins, one of either side."""


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of every key; keys and values in the order of the pairs."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def members_of(bits: int) -> Iterator[int]:
    """The positions of the bits that are set in a number, in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


# A forest (union-find) is a list with the parent of each position; a root is its own parent.


def root_of(parent: list[int], one: int) -> int:
    """The root of a position of a forest; the path to it is shortened."""
    while parent[one] != one:
        parent[one] = one = parent[parent[one]]
    return one


def join(parent: list[int], one: int, other: int) -> None:
    """Join the trees of two positions of a forest under the smaller of their roots."""
    roots = root_of(parent, one), root_of(parent, other)
    parent[max(roots)] = min(roots)


def connected(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges grouped by connected component; groups and edges in the order of the edges."""
    parent = list(range(len(edges)))
    first_at: dict[tuple[int, Hashable], int] = {}
    for number, edge in enumerate(edges):
        for end in enumerate(edge[:2]):
            known = first_at.setdefault(end, number)
            if known != number:
                join(parent, number, known)
    return list(grouped((root_of(parent, number), edge) for number, edge in enumerate(edges)).values())


def closure(sets: Iterable[Iterable[K]]) -> list[tuple[int, list[K]]]:
    """Join sets that share a member; each result has the number of its first set, and empty sets are left out."""
    numbered = list(map(list, sets))
    parent = list(range(len(numbered)))
    first: dict[K, int] = {}
    for number, members in enumerate(numbered):
        for member in members:
            if (home := first.setdefault(member, number)) != number:
                join(parent, home, number)
    joined: dict[int, dict[K, None]] = {}
    for number, members in enumerate(numbered):
        joined.setdefault(root_of(parent, number), {}).update(dict.fromkeys(members))
    return [(number, list(members)) for number, members in joined.items() if members]
