"""Counts and mentions as JSON: what a metric sends to another process or writes into a checkpoint.

Every record of counts (a named tuple or a frozen dataclass of lydite, or of a package that adds a metric) is written
with the name of its class; no other class can be made when it is read back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from importlib import import_module
from operator import index
from typing import Any

from lydite.errors import UsageError
from lydite.exact_sums import FractionSum
from lydite.metrics import METRICS

_RECORD, _TUPLE, _SET, _TABLE, _FRACTIONS = "record", "tuple", "set", "table", "fractions"


def encode(value: object) -> object:
    """Counts as JSON: lists, objects, texts and numbers."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, FractionSum):
        return {_FRACTIONS: [[key, value.terms[key]] for key in sorted(value.terms)]}
    if (names := _fields(type(value))) is not None:
        values = [encode(getattr(value, name)) for name in names]
        return {_RECORD: f"{type(value).__module__}:{type(value).__qualname__}", "fields": values}
    if isinstance(value, Mapping):
        return {_TABLE: [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {_TUPLE: [encode(item) for item in value]}
    if isinstance(value, frozenset):
        return {_SET: [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if hasattr(value, "__index__"):
        return index(value)
    raise TypeError(f"found {value!r:.80}")


def decode(data: object) -> Any:
    """The inverse of :func:`encode`."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if _FRACTIONS in data:
        return FractionSum({int(key): int(part) for key, part in data[_FRACTIONS]})
    if _TABLE in data:
        return {decode(key): decode(item) for key, item in data[_TABLE]}
    if _TUPLE in data:
        return tuple(decode(item) for item in data[_TUPLE])
    if _SET in data:
        return frozenset(map(decode, data[_SET]))
    return _record_class(data[_RECORD])(*map(decode, data["fields"]))


def _record_class(place: str) -> type:
    """The class at ``"package.module:NAME"``; refused unless it is a record of counts."""
    module, _, name = place.partition(":")
    found = getattr(import_module(module), name, None) if _may_hold_counts(module) else None
    if not isinstance(found, type) or _fields(found) is None:
        raise UsageError(f"this state holds counts of a kind that is not known: {place!r}")
    return found


def _fields(kind: type) -> tuple[str, ...] | None:
    """The names of the fields of a class of records; None if it is another class."""
    if not _may_hold_counts(kind.__module__):
        return None
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    names = getattr(kind, "_fields", None)
    return names if isinstance(names, tuple) and issubclass(kind, tuple) else None


def _may_hold_counts(module: str) -> bool:
    """Whether a module belongs to lydite or to a package that adds a metric."""
    package = module.partition(".")[0]
    return package == "lydite" or (package != "builtins" and package in METRICS.packages())
