"""Leaves of nested data: their paths, and when two of them agree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import translate
from math import inf, isfinite
from typing import NamedTuple

MISSING = "(missing)"


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """(path, value) of everything that is not a container; an empty container is a leaf itself."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and value:
        for position, item in enumerate(value):
            yield from leaves(item, f"{path}[{position}]")
    else:
        yield path, value


def by_path(value: object) -> dict[str, object]:
    """The leaves by path; ValueError if two have the same path, because a name has a dot in it."""
    found: dict[str, object] = {}
    for path, leaf in leaves(value):
        if path in found:
            raise ValueError(f"two leaves have the path {path!r}")
        found[path] = leaf
    return found


class LeafDifference(NamedTuple):
    """A leaf whose value is not the expected one."""

    path: str
    expected: object
    found: object


class Tolerance:
    """The allowed difference by pattern of paths; the longest pattern that matches counts."""

    def __init__(self, patterns: Mapping[str, float]) -> None:
        for pattern, allowed in patterns.items():
            if isinstance(allowed, bool) or not isinstance(allowed, int | float) or not 0 <= allowed < inf:
                raise ValueError(
                    f"tolerance of {pattern!r}: expected a number from 0 up, found {allowed!r:.60}"
                )
        ordered = sorted(patterns.items(), key=lambda item: -len(item[0]))
        self._patterns = [(re.compile(translate(pattern)).match, allowed) for pattern, allowed in ordered]

    def __call__(self, path: str) -> float:
        """The allowed difference, absolute or relative, at this path."""
        dotted = path.replace("[", ".").replace("]", "") if "[" in path else path
        return next((allowed for matches, allowed in self._patterns if matches(dotted)), 0.0)


class Patterns:
    """A set of patterns of paths: patterns without wildcards are looked up, the others are one regular expression."""

    def __init__(self, patterns: Iterable[str]) -> None:
        wild = []
        self._exact: set[str] = set()
        for pattern in patterns:
            plain = pattern.replace("[[]", "\0")
            if any(sign in plain for sign in "*?["):
                wild.append(translate(pattern))
            else:
                self._exact.add(plain.replace("\0", "["))
        self._wild = re.compile("|".join(wild)).match if wild else None

    def __contains__(self, path: object) -> bool:
        return path in self._exact or (self._wild is not None and self._wild(str(path)) is not None)


def agrees(expected: object, found: object, allowed: float) -> bool:
    """Equal, or both numbers and near enough; whole numbers, text and truth values must be equal."""
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, float) and isfinite(expected) and isinstance(found, int | float):
        return abs(expected - found) <= max(allowed, allowed * abs(expected))
    if isinstance(expected, list | tuple | Mapping):
        return not expected and isinstance(found, list | tuple | Mapping) and not found
    return bool(expected == found)
