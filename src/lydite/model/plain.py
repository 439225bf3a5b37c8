"""Records as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass


def plain(value: object) -> object:
    """Convert records, mappings and sequences to dicts and lists; a record becomes a dict of its fields."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | AbstractSet) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value
