"""JSON as every reader takes it: no key twice in an object, no NaN, no infinity."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from json import JSONDecoder


class NotJSONError(ValueError):
    """What was found instead of JSON, in words, and in which column if that is known."""

    def __init__(self, found: str, column: int | None = None) -> None:
        super().__init__(found)
        self.column = column


def json_value(said: bytes | str) -> object:
    """The value that a text writes; raises :class:`NotJSONError`.

    A key that stands twice would lose what it says first; NaN is no JSON, and nothing could be counted with it.
    """
    from json import JSONDecodeError

    try:
        text = said.decode("utf-8", "surrogatepass") if isinstance(said, bytes) else said
        return _decoder().decode(text.removeprefix("\ufeff"))
    except JSONDecodeError as error:
        # Who reads one line knows its number; to call it the first one would mislead.
        line = f"line {error.lineno}, " if "\n" in text.rstrip() else ""
        raise NotJSONError(f"{error.msg} ({line}column {error.colno})", error.colno) from None
    except ValueError as error:
        raise NotJSONError(str(error)) from None
    except RecursionError:
        raise NotJSONError("lists or objects nested too deeply") from None


def fault_column(said: bytes | str) -> int | None:
    """In which column a line stops being JSON; None if it does not, or if nobody knows."""
    try:
        json_value(said)
    except NotJSONError as error:
        return error.column
    return None


def json_object(said: bytes | str) -> dict[str, object]:
    """The object that a text writes; raises :class:`NotJSONError`, also if it writes another value."""
    value = json_value(said)
    if not isinstance(value, dict):
        raise NotJSONError(type(value).__name__)
    return value


@cache
def _decoder() -> JSONDecoder:
    import json

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r} twice in one object")
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"{text}, which is too large a number")
    return number
