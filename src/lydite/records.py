"""``NamedTuple`` and ``dataclass`` as the standard library has them, but quickly made when a module is loaded.

The standard library compiles the type of every field of a named tuple, a constructor for each of them, and six methods
for a frozen dataclass.  A short run has ninety of the first and ten to thirty of the second, and spent an eighth of its
instructions on making them.  Here types stay the texts that they are, constructors of named tuples with as many fields
share their code but for the names, and of a dataclass ``__init__`` alone is compiled.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from dataclasses import FrozenInstanceError, dataclass
from functools import cache, partial
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

# Who reads types reads those of the standard library.
if not TYPE_CHECKING:
    _ANY = namedtuple("_ANY", [f"field{at}" for at in range(40)])  # noqa: PYI024 - its fields have no types
    _READERS = [vars(_ANY)[field] for field in _ANY._fields]
    """What reads a field of any named tuple, by its place; no record has more fields."""

    class _Record(tuple):
        """What all named tuples have."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            """A record of values in the order of the fields."""
            record = tuple.__new__(cls, values)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _replace(self, /, **values):
            """The record with other values in some of its fields."""
            record = tuple.__new__(type(self), map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return record

        def _asdict(self):
            """The values by the names of the fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return type(self).__name__ + self._layout % self

        def __getnewargs__(self):
            return tuple(self)

    class _RecordType(type):
        """Makes a class of fields with types into a named tuple with the methods of that class."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            if "__annotations__" not in namespace:
                # Python 3.14 keeps types apart until they are asked for, but for modules that want them as texts.
                raise TypeError(f"{name} has no fields: does its module import annotations from __future__?")
            fields = tuple(namespace["__annotations__"])
            defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace.update(
                zip(fields, _READERS[: len(fields)], strict=True),
                __slots__=(),
                __new__=_constructor(name, fields, tuple(defaults.values())),
                __match_args__=fields,
                _fields=fields,
                _field_defaults=defaults,
                _layout=f"({', '.join(f'{field}=%r' for field in fields)})",
            )
            return type(name, (_Record, *bases[1:]), namespace)

    def _constructor(name, fields, defaults):
        code = _code_for(len(fields)).replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return FunctionType(code, {"new": tuple.__new__}, None, defaults)

    @cache
    def _code_for(count):
        values = "".join(f"field{at}, " for at in range(count))
        return eval(f"lambda _cls, {values}: new(_cls, ({values}))").__code__  # noqa: S307 - our own text

    class NamedTuple(metaclass=_RecordType):
        """Base of records."""

    def dataclass(kind=None, /, *, frozen=False, slots=False, eq=True, repr=True, **more):  # noqa: A002 - its name there
        """The decorator; what is not just frozen and with slots is left to the standard library."""
        if frozen and slots and not more:
            return partial(_frozen, eq=eq, with_repr=repr)
        return dataclasses.dataclass(kind, frozen=frozen, slots=slots, eq=eq, repr=repr, **more)

    def _frozen(kind, *, eq, with_repr):
        """A frozen class with slots."""
        kind = dataclasses.dataclass(kind, init=False, repr=False, eq=False, slots=True)
        fields = dataclasses.fields(kind)
        methods = {**_STATE, "__init__": _initialiser(kind, fields)}
        if with_repr:
            methods["__repr__"] = _represented
        if eq:
            methods |= _comparison(_reader([field.name for field in fields if field.compare]))
        for name, method in methods.items():
            # A class that compares on its own has None for its hash.
            if vars(kind).get(name) is None:
                setattr(kind, name, method)
        return kind

    class _Unset:
        def __repr__(self):
            return "<factory>"

    def _initialiser(kind, fields):
        known = {"_set": object.__setattr__, "_unset": _Unset()}
        parameters, lines = [], []
        for field in fields:
            name = parameter = value = field.name
            alone = None
            if field.default is not dataclasses.MISSING:
                alone = f"_default_{name}"
                known[alone] = field.default
                parameter = f"{name}={alone}"
            elif field.default_factory is not dataclasses.MISSING:
                known[f"_make_{name}"] = field.default_factory
                alone = f"_make_{name}()"
                parameter, value = f"{name}=_unset", f"{alone} if {name} is _unset else {name}"
            if field.init:
                parameters.append(parameter)
            elif alone is None:
                continue
            else:
                value = alone
            lines.append(f' _set(self, "{name}", {value})')
        exec("\n".join([f"def __init__(self, {', '.join(parameters)}):", *lines]), known)  # noqa: S102 - our own text
        made = known["__init__"]
        made.__qualname__ = f"{kind.__qualname__}.__init__"
        made.__annotations__ = {**{field.name: field.type for field in fields if field.init}, "return": None}
        return made

    def _reader(names):
        """What reads the fields of these names as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        return lambda record: tuple(getattr(record, name) for name in names)

    def _comparison(read):
        def __eq__(self, other):  # noqa: N807 - it becomes a method
            return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self):  # noqa: N807 - it becomes a method
            return hash(read(self))

        return {"__eq__": __eq__, "__hash__": __hash__}

    def _represented(self):
        shown = [field.name for field in dataclasses.fields(self) if field.repr]
        values = [f"{name}={getattr(self, name)!r}" for name in shown]
        return f"{type(self).__qualname__}({', '.join(values)})"

    def _refuse_value(_self, name, _value):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_deletion(_self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self):
        return [getattr(self, field.name) for field in dataclasses.fields(self)]

    def _restore(self, state):
        for field, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, field.name, value)

    _STATE = {
        "__setattr__": _refuse_value,
        "__delattr__": _refuse_deletion,
        "__getstate__": _state,
        "__setstate__": _restore,
    }


__all__ = ["NamedTuple", "dataclass"]
