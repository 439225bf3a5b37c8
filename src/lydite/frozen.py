"""Dicts that do not change: what is handed out can be shared, and nobody can spoil it for others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("this does not change; dict(…) makes a copy that does")


class FrozenDict(dict[K, V]):
    """A dict in which nothing can be put, and from which nothing can be taken."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where types are checked it is a Mapping, which has none of these
        __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)


def frozen(said: Mapping[K, V]) -> FrozenDict[K, V]:
    """The same with dicts and lists inside that do not change either."""
    return FrozenDict({key: _fixed(value) for key, value in said.items()})


def _fixed(value: V) -> V:
    if isinstance(value, Mapping):
        return frozen(value)  # type: ignore[return-value]  # the same to who only reads
    return tuple(map(_fixed, value)) if isinstance(value, list) else value  # type: ignore[return-value]
