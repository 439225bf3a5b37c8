"""Letters for systems that cannot be told apart: two share one exactly if they do not differ significantly."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lydite.model.letters import letters


def groups(systems: int, differing: Collection[frozenset[int]]) -> list[str]:
    """The letters of each system, best first (compact letter display by insert and absorb, Piepho 2004).

    ``differing`` are the pairs of positions that differ significantly.  Letters are given in the order of the best
    system that has them.
    """
    columns: list[frozenset[int]] = [frozenset(range(systems))]
    for pair in sorted(sorted(pair) for pair in differing):
        one, other = pair
        split = [part for column in columns for part in _without_both(column, one, other)]
        columns = _absorbed(split)
    ordered = sorted(columns, key=sorted)
    names = [letters(number).lower() for number in range(len(ordered))]
    return [
        "".join(name for name, column in zip(names, ordered, strict=True) if system in column)
        for system in range(systems)
    ]


def _without_both(column: frozenset[int], one: int, other: int) -> Iterable[frozenset[int]]:
    return (column - {one}, column - {other}) if {one, other} <= column else (column,)


def _absorbed(columns: list[frozenset[int]]) -> list[frozenset[int]]:
    """Each set once, and none that is part of another."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]
