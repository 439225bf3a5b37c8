"""Records as plain data for JSON, and back, by their declared types.

A record (named tuple or frozen dataclass) becomes an object with the names of its fields; a field that has its default
is left out, and so is ``line``, which is the line of another file.  Tuples become lists.
"""

from __future__ import annotations

import types
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from lydite.numerals import WHOLE, is_whole

OMITTED_FIELDS = frozenset({"line"})


class NotARecordError(ValueError):
    """Data that does not have the shape of a record; the message says where and what was expected."""


@cache
def _fields(record: type) -> dict[str, tuple[object, object]]:
    """Field → (type, default); MISSING if it has none."""
    hints = get_type_hints(record)
    if is_dataclass(record):
        found = {}
        for field in fields(record):
            default = field.default
            if default is MISSING and field.default_factory is not MISSING:
                default = field.default_factory()
            found[field.name] = hints[field.name], default
        return found
    names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]
    defaults: Mapping[str, object] = record._field_defaults  # type: ignore[attr-defined]
    return {name: (hints[name], defaults.get(name, MISSING)) for name in names}


def is_record(kind: object) -> bool:
    """Whether a type is a named tuple or a dataclass."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_field_defaults"))


def to_plain(value: object) -> object:
    """A value of records, tuples, mappings and scalars as lists and objects."""
    record: object = type(value)
    if is_record(record):
        return {
            name: to_plain(held)
            for name, (_, default) in _fields(record).items()
            if name not in OMITTED_FIELDS and (held := getattr(value, name)) != default
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(held) for key, held in value.items()}
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: object, data: object, where: str = "") -> object:
    """The inverse of :func:`to_plain`; raises :class:`NotARecordError` if the data do not fit the type."""
    if kind is Any or kind is object:
        return data
    if kind is Hashable:
        return _to_hashable(data)
    if isinstance(kind, type) and is_record(kind):
        return _make_record(kind, data, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, types.UnionType}:
        return _make_first_match(arguments, data, where)
    if origin is Literal:
        _expect(data in arguments, " or ".join(map(repr, arguments)), data, where)
        return data
    if origin is tuple:
        return _make_tuple(arguments, data, where)
    if origin is not None and issubclass(origin, Mapping):
        items = _object(data, where).items()
        return {key: from_plain(arguments[1], value, f"{where}.{key}") for key, value in items}
    if origin is not None and issubclass(origin, Sequence):
        return _make_tuple((arguments[0], ...), data, where)
    if kind is float and is_whole(data):
        return data
    if kind is int:
        _expect(is_whole(data), WHOLE, data, where)
    elif isinstance(kind, type):
        fits = isinstance(data, kind) and (kind is bool) == isinstance(data, bool)
        _expect(fits, kind.__name__, data, where)
    return data


def _to_hashable(data: object) -> object:
    if isinstance(data, dict):
        raise NotARecordError(f"expected a text, a number or a list, found {data!r}")
    return tuple(map(_to_hashable, data)) if isinstance(data, list) else data


def _make_record(kind: type, given: object, where: str) -> object:
    data = _object(given, where)
    known = _fields(kind)
    for name in data:
        if name not in known or name in OMITTED_FIELDS:
            message = f"unknown key {name!r} in {where or 'the record'}; known: {', '.join(known)}"
            raise NotARecordError(message)
    values = {}
    for name, (hint, default) in known.items():
        if name in data:
            values[name] = from_plain(hint, data[name], f"{where}.{name}")
        elif name in OMITTED_FIELDS:
            values[name] = 0
        elif default is MISSING:
            raise NotARecordError(f"the key {name!r} is missing in {where or 'the record'}")
    return kind(**values)


def _make_first_match(kinds: Sequence[object], data: object, where: str) -> object:
    if data is None and type(None) in kinds:
        return None
    refused = None
    for kind in kinds:
        if kind is not type(None):
            try:
                return from_plain(kind, data, where)
            except NotARecordError as error:
                refused = error
    raise refused or NotARecordError(f"{where}: expected nothing, found {data!r}")


def _make_tuple(kinds: Sequence[object], given: object, where: str) -> tuple[object, ...]:
    _expect(isinstance(given, list), "a list", given, where)
    data: list[object] = given  # type: ignore[assignment]  # as was just seen
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple([from_plain(kinds[0], item, f"{where}[{number}]") for number, item in enumerate(data)])
    _expect(len(data) == len(kinds), f"a list of {len(kinds)}", data, where)
    return tuple([from_plain(kind, item, where) for kind, item in zip(kinds, data, strict=True)])


def _object(data: object, where: str) -> dict[str, object]:
    _expect(isinstance(data, dict), "an object", data, where)
    return data  # type: ignore[return-value]  # as was just seen


def _expect(holds: bool, what: str, data: object, where: str) -> None:
    if not holds:
        raise NotARecordError(f"{where or 'the record'}: expected {what}, found {data!r:.80}")
