"""Records as documents have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from lydite.records import fields, is_dataclass


def plain(value: object) -> object:
    """A value of records, mappings and sequences as objects and lists: a record by the names of its fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | AbstractSet) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value
