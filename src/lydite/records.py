"""``NamedTuple`` and ``dataclass`` as in the standard library, but much faster to create when a module is loaded.

The standard library compiles the type of every field of a named tuple, a constructor for each class, and six methods
for a frozen dataclass; and ``dataclasses`` loads ``inspect``, which costs a short run half as much as all of an empty
one.  Here types stay texts, constructors of named tuples with equally many fields share their code, and of a frozen
dataclass with slots only ``__init__`` is compiled; ``dataclasses`` is loaded only for other classes.
"""

from __future__ import annotations

from functools import cache, partial
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    # Type checkers see the standard library.
    from dataclasses import dataclass, field, fields, is_dataclass, replace
else:
    from collections import _tuplegetter

    _FIELD_GETTERS = [_tuplegetter(at, f"Alias for field number {at}") for at in range(40)]
    """Getters for the fields of named tuples, by position; no record has more fields."""
    _new = tuple.__new__
    _CONSTRUCTORS = (
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
    )
    """Those of most records are compiled with this module; the others, when they are asked for."""

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
        """Makes a named tuple of a class with annotated fields, keeping its methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            if "__annotations__" not in namespace:
                # Python 3.14 has annotations here only in modules that import them from __future__.
                raise TypeError(f"{name} has no fields: does its module import annotations from __future__?")
            fields = tuple(namespace["__annotations__"])
            defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace.update(
                zip(fields, _FIELD_GETTERS[: len(fields)], strict=True),
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
        return FunctionType(code, {"_new": _new}, None, defaults)

    @cache
    def _code_for(count):
        if 1 <= count <= len(_CONSTRUCTORS):
            return _CONSTRUCTORS[count - 1].__code__
        values = "".join(f"field{at}, " for at in range(count))
        return eval(f"lambda _cls, {values}: _new(_cls, ({values}))").__code__  # noqa: S307 - our own text

    class NamedTuple(metaclass=_RecordType):
        """Base of records."""

    _MISSING = object()

    class _Field:
        """The options of a field; its name and type are added when the class is made."""

        __slots__ = ("compare", "default", "default_factory", "init", "name", "repr", "type")

        def __init__(self, default, default_factory, init, repr, compare):  # noqa: A002 - their names there
            self.default, self.default_factory = default, default_factory
            self.init, self.repr, self.compare = init, repr, compare

        def to_standard_field(self):
            """The same field for ``dataclasses``."""
            import dataclasses

            default, factory = (
                dataclasses.MISSING if value is _MISSING else value
                for value in (self.default, self.default_factory)
            )
            return dataclasses.field(
                default=default, default_factory=factory, init=self.init, repr=self.repr, compare=self.compare
            )

    def field(*, default=_MISSING, default_factory=_MISSING, init=True, repr=True, compare=True):  # noqa: A002 - as above
        """The options of a field."""
        return _Field(default, default_factory, init, repr, compare)

    def is_dataclass(record):
        """Whether this is a dataclass, or an instance of one."""
        return hasattr(record, "__record_fields__") or hasattr(record, "__dataclass_fields__")

    def fields(record):
        """The fields of a dataclass, or of an instance of one."""
        if hasattr(record, "__record_fields__"):
            return (*record.__record_fields__.values(),)
        import dataclasses

        return dataclasses.fields(record)

    def replace(record, /, **values):
        """A copy of a record with other values in some of its fields."""
        current = {one.name: getattr(record, one.name) for one in fields(record) if one.init}
        return type(record)(**{**current, **values})

    def dataclass(kind=None, /, *, frozen=False, slots=False, eq=True, repr=True, **more):  # noqa: A002 - its name there
        """The decorator; classes that are not frozen with slots, or have more options, are left to the standard library."""
        if frozen and slots and not more:
            return partial(_frozen, eq=eq, with_repr=repr)
        decorate = partial(_standard_dataclass, frozen=frozen, slots=slots, eq=eq, repr=repr, **more)
        return decorate if kind is None else decorate(kind)

    def _standard_dataclass(kind, **how):
        import dataclasses

        for name, value in [*vars(kind).items()]:
            if isinstance(value, _Field):
                setattr(kind, name, value.to_standard_field())
        return dataclasses.dataclass(kind, **how)

    def _frozen(kind, *, eq, with_repr):
        """Make a frozen class with slots."""
        own, inherited = _own_fields(kind), getattr(kind, "__record_fields__", {})
        if not inherited and hasattr(kind, "__dataclass_fields__"):
            raise TypeError(f"{kind.__name__} has fields from a class that is not both frozen and with slots")
        by_name = {**inherited, **own}
        methods = {
            **_STATE,
            "__init__": _initialiser(kind, by_name.values()),
            "__match_args__": tuple(one.name for one in by_name.values() if one.init),
        }
        if with_repr:
            methods["__repr__"] = _repr_method
        if eq:
            compared = [one.name for one in by_name.values() if one.compare]
            methods |= _comparison_methods(_field_getter(compared))
        replaced = {*own, "__dict__", "__weakref__"}
        namespace = {name: value for name, value in vars(kind).items() if name not in replaced}
        for name, method in methods.items():
            # A class with its own __eq__ has None as __hash__.
            if namespace.get(name) is None:
                namespace[name] = method
        namespace |= {
            "__slots__": tuple(name for name in own if name not in inherited),
            "__qualname__": kind.__qualname__,
            "__record_fields__": by_name,
            "__dataclass_fields__": _DELEGATED_FIELDS,
            "__dataclass_params__": _DELEGATED_PARAMS,
        }
        return type(kind)(kind.__name__, kind.__bases__, namespace)

    def _own_fields(kind):
        found = {}
        for name, type_ in vars(kind).get("__annotations__", {}).items():
            if not isinstance(type_, str):
                raise TypeError(f"{kind.__name__}: does its module import annotations from __future__?")
            if "ClassVar" in type_:
                continue
            default = vars(kind).get(name, _MISSING)
            one = found[name] = default if isinstance(default, _Field) else field(default=default)
            one.name, one.type = name, type_
        return found

    class _DelegatedAttribute:
        """An attribute that ``dataclasses`` expects in its classes; taken from an equal standard class when needed."""

        def __init__(self, name):
            self.name = name

        def __get__(self, _record, kind):
            return getattr(_standard_twin(kind), self.name)

    _DELEGATED_FIELDS = _DelegatedAttribute("__dataclass_fields__")
    _DELEGATED_PARAMS = _DelegatedAttribute("__dataclass_params__")

    @cache
    def _standard_twin(kind):
        """A class with the same fields, made by the standard library."""
        import dataclasses

        specifications = [(one.name, one.type, one.to_standard_field()) for one in fields(kind)]
        return dataclasses.make_dataclass(kind.__name__, specifications, frozen=True)

    class _Unset:
        def __repr__(self):
            return "<factory>"

    def _initialiser(kind, fields):
        known = {"_set": object.__setattr__, "_unset": _Unset()}
        parameters, lines = [], []
        for one in fields:
            name = parameter = value = one.name
            alone = None
            if one.default is not _MISSING:
                alone = f"_default_{name}"
                known[alone] = one.default
                parameter = f"{name}={alone}"
            elif one.default_factory is not _MISSING:
                known[f"_make_{name}"] = one.default_factory
                alone = f"_make_{name}()"
                parameter, value = f"{name}=_unset", f"{alone} if {name} is _unset else {name}"
            if one.init:
                parameters.append(parameter)
            elif alone is None:
                continue
            else:
                value = alone
            lines.append(f' _set(self, "{name}", {value})')
        exec("\n".join([f"def __init__(self, {', '.join(parameters)}):", *lines]), known)  # noqa: S102 - our own text
        made = known["__init__"]
        made.__qualname__ = f"{kind.__qualname__}.__init__"
        made.__annotations__ = {**{one.name: one.type for one in fields if one.init}, "return": None}
        return made

    def _field_getter(names):
        """A function that returns the fields of these names as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        return lambda record: tuple(getattr(record, name) for name in names)

    def _comparison_methods(read):
        def __eq__(self, other):  # noqa: N807 - it becomes a method
            return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self):  # noqa: N807 - it becomes a method
            return hash(read(self))

        return {"__eq__": __eq__, "__hash__": __hash__}

    def _repr_method(self):
        values = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr]
        return f"{type(self).__qualname__}({', '.join(values)})"

    def _refuse_value(_self, name, _value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_deletion(_self, name):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _state(self):
        return [getattr(self, name) for name in self.__record_fields__]

    def _restore(self, state):
        for name, value in zip(self.__record_fields__, state, strict=True):
            object.__setattr__(self, name, value)

    _STATE = {
        "__setattr__": _refuse_value,
        "__delattr__": _refuse_deletion,
        "__getstate__": _state,
        "__setstate__": _restore,
        "__replace__": replace,
    }


__all__ = ["NamedTuple", "dataclass", "field", "fields", "is_dataclass", "replace"]
