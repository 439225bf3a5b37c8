"""Named entries that are loaded when they are first used, with near names for unknown ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar, cast

from lydite.errors import UsageError

T = TypeVar("T")


def near_names(name: str, known: Iterator[str] | list[str], *, most: int = 3) -> list[str]:
    """Known names that are similar to ``name``, best first; case does not matter."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in known}
    return [by_lower[match] for match in get_close_matches(str(name).lower(), by_lower, n=most, cutoff=0.6)]


def did_you_mean(name: str, known: Iterator[str] | list[str]) -> str | None:
    """A hint for a misspelt name, or None if no name is similar."""
    near = near_names(name, known)
    return f"did you mean {' or '.join(repr(match) for match in near)}?" if near else None


def near_or_known(name: str, known: Iterable[str]) -> str:
    """A hint for an unknown name: the similar names, or else all names."""
    names = list(known)
    return did_you_mean(name, names) or f"known: {', '.join(names) or 'none'}"


class Registry(Generic[T]):
    """A table of contents: names in a fixed order, each with its object or with the place to import it from.

    An entry is either the object itself or ``"package.module:NAME"``.  The second form is imported when the entry
    is first used, so that a command loads only the formats, metrics and tasks that it uses.  Other packages add
    entries through the entry-point group; they cannot replace entries of lydite.
    """

    def __init__(self, kind: str, entries: Mapping[str, T | str], *, group: str | None = None) -> None:
        self.kind = kind
        self._entries: dict[str, T | str] = dict(entries)
        self._own = tuple(entries)
        self._group = group
        self._packages: set[str] = set()
        self._complete = group is None

    def __iter__(self) -> Iterator[str]:
        """The names of lydite, then those of other packages, which are only looked up when the first ones are used up."""
        yield from self._own
        yield from self.plugins()

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name in self._entries:
            return True
        self._add_plugins()
        return name in self._entries

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, name: str) -> T:
        """The entry of that name; an unknown name is a :class:`UsageError` with near names."""
        if name not in self:
            raise UsageError(f"no {self.kind} {name!r}", hint=near_or_known(name, self))
        entry = self._entries[name]
        if isinstance(entry, str):
            entry = self._entries[name] = cast("T", load(entry))
        return entry

    def plugins(self) -> list[str]:
        """The names that other packages add."""
        self._add_plugins()
        return [name for name in self._entries if name not in self._own]

    def packages(self) -> set[str]:
        """The packages, by their outermost names, that added entries."""
        self._add_plugins()
        return self._packages

    def values(self) -> list[T]:
        """All entries, loaded, in order."""
        return [self[name] for name in self]

    def _add_plugins(self) -> None:
        if self._complete:
            return
        self._complete = True
        from importlib.metadata import entry_points

        for point in entry_points(group=cast("str", self._group)):
            self._entries.setdefault(point.name, point.value)
            self._packages.add(point.module.partition(".")[0])


def load(place: str) -> object:
    """Import the object at ``"package.module:NAME"``."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
