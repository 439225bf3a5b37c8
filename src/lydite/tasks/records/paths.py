"""Paths: the place of a leaf in a record, with indices (``items[1].qty``) or without (``items[].qty``)."""

from __future__ import annotations

import json

from lydite.records import NamedTuple

_SPECIAL = frozenset('.[]"')
ELEMENT = "[]"


class RecordPlace(NamedTuple):
    """A place in a record: the path without indices, and those with the indices of both sides."""

    path: str = ""
    gold: str = ""
    system: str = ""

    def under(self, key: str) -> RecordPlace:
        """The place of a key of the object here."""
        path, gold, system = self
        if path == gold == system:
            return RecordPlace(*[below(path, key)] * 3)
        return RecordPlace(below(path, key), below(gold, key), below(system, key))

    def element(self, gold: int | None, system: int | None) -> RecordPlace:
        """The place of an element of the list here, by its positions; None where a side has none."""
        path, ours, theirs = self
        return RecordPlace(f"{path}[]", f"{ours}[{gold}]", f"{theirs}[{system}]")


def below(path: str, key: str) -> str:
    """The path of a key of the object at a path."""
    if not _SPECIAL.isdisjoint(key):
        key = json.dumps(key, ensure_ascii=False)
    return f"{path}.{key}" if path else key


def steps_of(path: str) -> list[str | None]:
    """The keys of a path without indices, None for the elements of a list; ValueError if it is none."""
    steps: list[str | None] = []
    at = 0
    while at < len(path):
        if path.startswith(ELEMENT, at):
            steps.append(None)
            at += len(ELEMENT)
            continue
        if steps:
            if path[at] != ".":
                raise ValueError(f"expected '.' or '[]' at character {at + 1}")
            at += 1
        if path.startswith('"', at):
            key, at = json.JSONDecoder().raw_decode(path, at)
        else:
            end = min((found for sign in _SPECIAL if (found := path.find(sign, at)) >= 0), default=len(path))
            key, at = path[at:end], end
        steps.append(str(key))
    return steps
