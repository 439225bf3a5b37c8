"""Paths: the place of a leaf in a record, with indices (``items[1].qty``) or without (``items[].qty``)."""

from __future__ import annotations

import json
from typing import NamedTuple

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


Tokens = list[str | int | None]
"""The keys and positions of a path with indices; None where a side has no element."""


def tokens_of(path: str) -> Tokens:
    """The keys and positions of a path as :class:`RecordPlace` makes it; also of a path without indices.

    Raises ValueError if it is none.
    """
    tokens: Tokens = []
    at = 0
    while at < len(path):
        if path[at] == "[":
            end = path.index("]", at)
            index = path[at + 1 : end]
            if index not in {"", "None"} and not index.isdecimal():
                raise ValueError(f"expected '[]' at character {at + 1}")
            tokens.append(int(index) if index.isdecimal() else None)
            at = end + 1
            continue
        if tokens:
            if path[at] != ".":
                raise ValueError(f"expected '.' or '[]' at character {at + 1}")
            at += 1
        if path.startswith('"', at):
            key, at = json.JSONDecoder().raw_decode(path, at)
        else:
            end = min((found for sign in _SPECIAL if (found := path.find(sign, at)) >= 0), default=len(path))
            key, at = path[at:end], end
        tokens.append(str(key))
    return tokens


def steps_of(path: str) -> list[str | None]:
    """The keys of a path without indices, None for the elements of a list; ValueError if it is none."""
    tokens = tokens_of(path)
    if any(isinstance(token, int) for token in tokens):
        raise ValueError("expected '[]' without an index")
    return [token for token in tokens if not isinstance(token, int)]
