"""What belongs together: values by key, and things joined in pairs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of every key; keys and values in the order in which they come."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


# A forest is a list with the parent of each place; a root is its own.


def root_of(parent: list[int], one: int) -> int:
    """The root of a place of a forest, with the way to it made shorter."""
    while parent[one] != one:
        parent[one] = one = parent[parent[one]]
    return one


def join(parent: list[int], one: int, other: int) -> None:
    """Join the trees of two places of a forest under the smaller of their roots."""
    roots = root_of(parent, one), root_of(parent, other)
    parent[max(roots)] = min(roots)
