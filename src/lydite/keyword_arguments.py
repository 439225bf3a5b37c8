"""Checking the types of keyword arguments of the library, which are the same wherever a name occurs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from lydite.errors import UsageError


def check_keywords(**given: object) -> None:
    """Refuse values that have not the type of their keyword."""
    for name, value in given.items():
        expected, fits = _KINDS[name]
        if not fits(value):
            raise UsageError(f"{name}: expected {expected}, found {value!r}")


def names_of(keyword: str, value: object) -> tuple[str, ...]:
    """The names in a list of texts, or in one text with commas between them, as on the command line."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        names = tuple(value)
        if all(isinstance(name, str) for name in names):
            return names
        value = names
    raise UsageError(f"{keyword}: expected a list of names, found {value!r}")


def _is_whole(value: object) -> bool:
    from numbers import Integral

    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    from numbers import Real

    return isinstance(value, Real) and not isinstance(value, bool)


_Kind = tuple[str, Callable[[object], bool]]
_TEXT: _Kind = "a text", lambda value: isinstance(value, str)
_TEXT_IF_ANY: _Kind = "a text", lambda value: value is None or isinstance(value, str)
_TABLE: _Kind = "a dict", lambda value: value is None or isinstance(value, Mapping)
_NUMBER: _Kind = "a number", _is_number
_SWITCH: _Kind = "True or False", lambda value: isinstance(value, bool)

_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("task", "format", "figure", "against", "resample_by"), _TEXT_IF_ANY),
    **dict.fromkeys(("interval", "correction", "name"), _TEXT),
    **dict.fromkeys(("quirks", "expect", "columns"), _TABLE),
    **dict.fromkeys(("resamples", "seed", "top"), ("a whole number", _is_whole)),
    **dict.fromkeys(("level", "alpha"), _NUMBER),
    **dict.fromkeys(("diagnosis", "no_quirks", "keep_documents"), _SWITCH),
    "budget": ("True, False or None", lambda value: value is None or isinstance(value, bool)),
    "jobs": ("a number of processes, 1 or more", lambda value: _is_whole(value) and value >= 1),  # type: ignore[operator]
    "profile": ("a name or a path", lambda value: value is None or isinstance(value, str | os.PathLike)),
}
