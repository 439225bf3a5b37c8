"""``NamedTuple`` as :mod:`typing` has it, without a look at the types of its fields when a module is loaded.

Types are texts in this code.  That of ``typing`` compiles every one of them at every start, 530 for a short run, which
is a fifteenth of its instructions; nobody asks for what comes of it.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, NamedTuple  # noqa: TID251 - what it is for those who read types

if not TYPE_CHECKING:

    class _RecordType(type):
        """Makes a class of fields with types into a named tuple with the methods of that class."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = namespace.get("__annotations__", {})
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            module = namespace.pop("__module__")
            record = namedtuple(name, fields, defaults=defaults, module=module)  # noqa: PYI024 - this is what makes them
            if len(bases) > 1:
                # A generic one becomes the base of a class with the type parameters.
                return type(name, (record, *bases[1:]), {"__slots__": (), "__module__": module, **namespace})
            for key, value in namespace.items():
                setattr(record, key, value)
            return record

    class NamedTuple(metaclass=_RecordType):
        """Base of records."""


__all__ = ["NamedTuple"]
