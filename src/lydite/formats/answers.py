"""What a model wrote: JSON by RFC 8259, or what is left of it after repairs in named steps.

The string is tried as it is, and then after each step; the first that parses counts, and each step works on what the last
one left.  Numbers keep their digits: they are ``int`` or ``Decimal``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import NoReturn

from lydite.model.answer import PLAIN, UNPARSEABLE, RecordAnswer


class BadJSONError(ValueError):
    """What was expected, and the position at which the text stops being JSON."""

    def __init__(self, expected: str, position: int, line: int = 1, column: int = 1) -> None:
        super().__init__(
            f"{expected} (line {line}, column {column})" if line > 1 else f"{expected} (column {column})"
        )
        self.position = position


def parse_json(text: str) -> tuple[object, tuple[str, ...]]:
    """The value of a JSON text, and the keys that were repeated; of these the last counts."""
    repeated: list[str] = []

    def from_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: set[str] = set()
            repeated.extend(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return found

    try:
        value = json.loads(
            text,
            object_pairs_hook=from_pairs,
            parse_constant=_no_number,
            parse_float=_decimal,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        raise BadJSONError(error.msg, error.pos, error.lineno, error.colno) from None
    except RecursionError:
        raise BadJSONError("lists or objects nested too deeply", 0) from None
    except ValueError as error:
        raise BadJSONError(str(error), 0) from None
    return value, tuple(repeated)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError(f"{digits:.40} is too large a number") from None


def _whole(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= 1000 else _decimal(digits)


def read_answer(text: str, repairs: Iterable[str]) -> RecordAnswer:
    """The value of what a model wrote; ``repairs`` are the steps that may be tried."""
    written, text = text, text.strip().removeprefix("\ufeff").strip()
    tried: list[str] = []
    allowed = set(repairs)
    fault = ""
    for name, step in _STEPS.items():
        if name == PLAIN or name in allowed:
            changed = step(text)
            if name != PLAIN:
                if changed == text:
                    continue
                tried.append(name)
            text = changed
            try:
                value, repeated = parse_json(text)
            except BadJSONError as error:
                fault = fault or str(error)
            else:
                return RecordAnswer(value, "+".join(tried) or PLAIN, repeated, fault, written)
    return RecordAnswer(None, UNPARSEABLE, (), fault, written)


# ------------------------------------------------------------------------------------------------------ repairs

_FENCE = re.compile(r"```[^\W_]*[ \t]*(?:\r\n|\r|\n)")
_END_OF_FENCE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*```")


def _inside_fence(text: str) -> str:
    begin = _FENCE.search(text)
    if begin is None:
        return text
    rest = text[begin.end() :]
    end = _END_OF_FENCE.search(rest)
    return rest[: end.start() if end else None].strip()


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    """The characters that stand outside of strings, with their positions; the quotes are not among them."""
    inside = escaped = False
    for at, sign in enumerate(text):
        if inside:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                inside = False
        elif sign == '"':
            inside = True
        else:
            yield at, sign


def _outermost(text: str) -> str:
    begin = re.search(r"[{\[]", text)
    if begin is None:
        return text
    text = text[begin.start() :]
    depth = 0
    for at, sign in _outside_strings(text):
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return text[: at + 1]
    return text


def _without_commas(text: str) -> str:
    dropped: list[int] = []
    comma, last = -1, -1
    for at, sign in _outside_strings(text):
        if last >= 0 and at != last + 1:
            comma = -1  # a string stands between
        last = at
        if sign == ",":
            comma = at
        elif sign in "}]" and comma >= 0:
            dropped.append(comma)
            comma = -1
        elif not sign.isspace():
            comma = -1
    for at in reversed(dropped):
        text = text[:at] + text[at + 1 :]
    return text


def _closed(text: str) -> str:
    """The longest beginning that ends outside of a string and is JSON once its open brackets are closed."""
    ends = [] if _is_deep(text) else _ends_outside_strings(text)
    while ends:
        end = ends.pop()
        kept = text[:end].rstrip(" \t\r\n,")
        closed = kept + _closing_brackets(kept)
        try:
            parse_json(closed)
        except BadJSONError as error:
            # A beginning that reaches beyond the position would stop being JSON there as well.
            while ends and 0 < error.position < len(kept) and ends[-1] > error.position:
                ends.pop()
        else:
            return closed
    return text


DEEPEST = 500
"""Deeper lists and objects are not closed: no answer has them."""


def _is_deep(text: str) -> bool:
    depth = 0
    for _, sign in _outside_strings(text):
        depth += (sign in "{[") - (sign in "}]")
        if depth > DEEPEST:
            return True
    return False


def _ends_outside_strings(text: str) -> list[int]:
    """The lengths of the beginnings that end outside of a string, ascending."""
    ends: list[int] = []
    before = -1
    for at, _ in _outside_strings(text):
        if at != before + 1:
            ends.append(at)  # a string has just ended
        ends.append(at + 1)
        before = at
    last_quote = _end_of_last_string(text)
    return [*ends, len(text)] if last_quote == len(text) else ends


def _end_of_last_string(text: str) -> int:
    """Where the last string that is closed ends; 0 without any."""
    inside = escaped = False
    end = 0
    for at, sign in enumerate(text):
        if escaped:
            escaped = False
        elif inside and sign == "\\":
            escaped = True
        elif sign == '"':
            inside = not inside
            end = end if inside else at + 1
    return end


def _closing_brackets(text: str) -> str:
    brackets: list[str] = []
    for _, sign in _outside_strings(text):
        if sign in "{[":
            brackets.append("}" if sign == "{" else "]")
        elif sign in "}]" and brackets:
            brackets.pop()
    return "".join(reversed(brackets))


_STEPS: dict[str, Callable[[str], str]] = {
    PLAIN: lambda text: text,
    "fence": _inside_fence,
    "outer": _outermost,
    "commas": _without_commas,
    "close": _closed,
}
REPAIRS = ("fence", "outer", "commas", "close")
