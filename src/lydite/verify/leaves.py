"""Leaves of nested data: their paths, and when two of them agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

MISSING = "(missing)"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(path, value) of everything that is no container; an empty container is a leaf itself."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and value:
        for position, item in enumerate(value):
            yield from leaves(item, f"{path}[{position}]")
    else:
        yield path, value


@dataclass(frozen=True, slots=True)
class Difference:
    """A leaf that is not what it should be."""

    path: str
    expected: Any
    found: Any


class Tolerance:
    """Patterns of paths with the allowed difference; the longest pattern that matches counts."""

    def __init__(self, patterns: Mapping[str, float]) -> None:
        self._patterns = sorted(patterns.items(), key=lambda item: -len(item[0]))

    def __call__(self, path: str) -> float:
        """The allowed difference, absolute or relative, at this path."""
        escaped = path.replace("[", ".").replace("]", "")
        return next((allowed for pattern, allowed in self._patterns if fnmatchcase(escaped, pattern)), 0.0)


def agrees(expected: Any, found: Any, allowed: float) -> bool:
    """Equal, or both numbers and near enough; whole numbers, text and truth values must be equal."""
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, float) and isinstance(found, int | float):
        return abs(expected - found) <= max(allowed, allowed * abs(expected))
    if isinstance(expected, list | tuple | Mapping):
        return not expected and isinstance(found, list | tuple | Mapping) and not found
    return bool(expected == found)
