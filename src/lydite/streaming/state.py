"""Counts and mentions as JSON: what a metric sends to another process or writes into a checkpoint.

Every record of counts (a named tuple or a frozen dataclass of this package) is written with the name of its class;
nothing else can be made when it is read back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from importlib import import_module
from operator import index
from typing import Any

from lydite.errors import UsageError
from lydite.exact import FractionSum

_RECORD, _TUPLE, _SET, _TABLE, _FRACTIONS = "record", "tuple", "set", "table", "fractions"


def encoded(value: object) -> object:
    """Counts as lists, objects, texts and numbers."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, FractionSum):
        return {_FRACTIONS: [[key, value.terms[key]] for key in sorted(value.terms)]}
    if (names := _fields(type(value))) is not None:
        held = [encoded(getattr(value, name)) for name in names]
        return {_RECORD: f"{type(value).__module__}:{type(value).__qualname__}", "fields": held}
    if isinstance(value, Mapping):
        return {_TABLE: [[encoded(key), encoded(item)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {_TUPLE: [encoded(item) for item in value]}
    if isinstance(value, frozenset):
        return {_SET: [encoded(item) for item in value]}
    if isinstance(value, list):
        return [encoded(item) for item in value]
    if hasattr(value, "__index__"):
        return index(value)
    raise TypeError(f"found {value!r:.80}")


def decoded(data: object) -> Any:
    """The inverse of :func:`encoded`: a record of the kind that the data name."""
    if isinstance(data, list):
        return [decoded(item) for item in data]
    if not isinstance(data, dict):
        return data
    if _FRACTIONS in data:
        return FractionSum({int(key): int(part) for key, part in data[_FRACTIONS]})
    if _TABLE in data:
        return {decoded(key): decoded(item) for key, item in data[_TABLE]}
    if _TUPLE in data:
        return tuple(decoded(item) for item in data[_TUPLE])
    if _SET in data:
        return frozenset(map(decoded, data[_SET]))
    return _class_of(data[_RECORD])(*map(decoded, data["fields"]))


def _class_of(name: str) -> type:
    module, _, kind = name.partition(":")
    found = getattr(import_module(module), kind, None) if module.startswith("lydite.") else None
    if not isinstance(found, type) or _fields(found) is None:
        raise UsageError(f"this state holds counts of a kind that is not known: {name!r}")
    return found


def _fields(kind: type) -> tuple[str, ...] | None:
    """The names of the fields of a record of this package; None if the class is none."""
    if not kind.__module__.startswith("lydite."):
        return None
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    names = getattr(kind, "_fields", None)
    return names if isinstance(names, tuple) and issubclass(kind, tuple) else None
