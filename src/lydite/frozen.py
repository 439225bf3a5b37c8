"""Immutable dicts, which can be shared safely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("this dict is immutable; dict(…) makes a copy that can be changed")


class FrozenDict(dict[K, V]):
    """A dict that cannot be changed."""

    __slots__ = ()

    if not TYPE_CHECKING:  # annotations call it a Mapping, which has none of these
        __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)


def frozen(mapping: Mapping[K, V]) -> FrozenDict[K, V]:
    """An immutable copy of a mapping, in which dicts and lists are immutable, too."""
    return FrozenDict({key: _freeze(value) for key, value in mapping.items()})


def _freeze(value: V) -> V:
    if isinstance(value, Mapping):
        return frozen(value)  # type: ignore[return-value]  # for readers it is the same
    return tuple(map(_freeze, value)) if isinstance(value, list) else value  # type: ignore[return-value]
