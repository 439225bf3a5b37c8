"""The values of records: what is a leaf, what is nothing, and which leaves are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

ANY: Final = "$any"

Number = int | Decimal


class Alternatives(tuple[object, ...]):
    """The values that gold accepts at one place: ``{"$any": [a, b]}``."""

    __slots__ = ()


def with_alternatives(value: object) -> object:
    """A value of gold, in which objects with the key ``$any`` alone have become alternatives."""
    if isinstance(value, dict):
        if len(value) == 1 and isinstance(found := value.get(ANY), list):
            return Alternatives(map(with_alternatives, found))
        return {key: with_alternatives(one) for key, one in value.items()}
    return [with_alternatives(one) for one in value] if isinstance(value, list) else value


def holds_alternatives(value: object) -> bool:
    """Whether an object in this value could stand for alternatives."""
    if isinstance(value, dict):
        return ANY in value or any(map(holds_alternatives, value.values()))
    return isinstance(value, list) and any(map(holds_alternatives, value))


def kind_of(value: object) -> str:
    """The JSON type of a value."""
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float | Decimal):
        return "number"
    if value is None:
        return "null"
    return "object" if isinstance(value, Mapping) else "array"


def same(one: object, two: object) -> bool:
    """Whether two values are equal as JSON: numbers by value, a boolean is no number."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        return one.keys() == two.keys() and all(same(value, two[key]) for key, value in one.items())
    if isinstance(one, Sequence) and isinstance(two, Sequence) and not isinstance(one, str):
        return len(one) == len(two) and all(map(same, one, two)) and not isinstance(two, str)
    return one == two


def text_of_number(value: Number | float) -> str:
    """Whole numbers in digits; others in the shortest form that reads back the same double."""
    return str(value) if isinstance(value, int) else repr(float(value))


def text_of(value: object) -> str:
    """A leaf as text: ``true``, ``12``, ``3.5``, a string as it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return value if isinstance(value, str) else text_of_number(value)  # type: ignore[arg-type]


def shown(value: object) -> str:
    """A value for people: strings in quotes, numbers with the digits that they were written with."""
    import json

    if isinstance(value, Alternatives):
        return " or ".join(map(shown, value))
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)
