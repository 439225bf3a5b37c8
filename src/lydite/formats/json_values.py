"""JSON as every reader takes it: no key twice in an object, no NaN, no infinity."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from json import JSONDecoder


class NotJSONError(ValueError):
    """A description of what was found instead of JSON, and its column if that is known."""

    def __init__(self, found: str, column: int | None = None) -> None:
        super().__init__(found)
        self.column = column


def json_value(written: bytes | str) -> object:
    """The value of a JSON text; raises :class:`NotJSONError`.

    A repeated key is refused, because its first value would be lost, and so is NaN, which is not JSON.
    """
    from json import JSONDecodeError

    try:
        text = written.decode("utf-8", "surrogatepass") if isinstance(written, bytes) else written
        return _decoder().decode(text.removeprefix("\ufeff"))
    except JSONDecodeError as error:
        # The line is left out where the text is just one: the reader knows its number in the file.
        line = f"line {error.lineno}, " if "\n" in text.rstrip() else ""
        raise NotJSONError(f"{error.msg} ({line}column {error.colno})", error.colno) from None
    except ValueError as error:
        too_long = "int_max_str_digits" in str(error)
        raise NotJSONError("a number of thousands of digits" if too_long else str(error)) from None
    except RecursionError:
        raise NotJSONError("lists or objects nested too deeply") from None


def fault_column(written: bytes | str) -> int | None:
    """The column in which a line stops being JSON; None if it is JSON, or if the column is not known."""
    try:
        json_value(written)
    except NotJSONError as error:
        return error.column
    return None


def json_object(written: bytes | str) -> dict[str, object]:
    """The object of a JSON text; raises :class:`NotJSONError`, also for any other value."""
    value = json_value(written)
    if not isinstance(value, dict):
        raise NotJSONError(type(value).__name__)
    return value


@cache
def _decoder() -> JSONDecoder:
    import json

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values_by_key = dict(pairs)
    if len(values_by_key) < len(pairs):
        repeated = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {repeated!r} twice in one object")
    return values_by_key


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"{text}, which is too large a number")
    return number
