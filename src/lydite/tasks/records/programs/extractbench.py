"""ExtractBench, array records: equal cells of the rows of lists, rows paired so that most cells are equal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.model.strings import common_subsequence
from lydite.tasks.figures import EqualCells

PROVENANCE = "_provenance"
ALIKE = {"description": 0.95, "court": 0.85}
"""Columns whose strings may differ, and how alike they must be."""


class Cell(NamedTuple):
    """A cell that is counted: its column, the two places (None where there is no row), the two values."""

    path: str
    gold_id: str | None
    system_id: str | None
    gold: object
    system: object
    is_equal: bool


class Counted(NamedTuple):
    """The cells of a record, counted; ``figures`` are None where the program has none."""

    figures: EqualCells | None
    cells: list[Cell]


def count(gold: object, system: object, schema: Mapping[str, object]) -> Counted:
    """The cells of a record on both sides."""
    if not isinstance(gold, dict) or not isinstance(system, dict):
        return Counted(None, [])
    properties = schema.get("properties")
    fields: Mapping[str, object] = properties if isinstance(properties, dict) else {}
    ours, theirs = with_dates(gold), with_dates(system)
    assert isinstance(ours, dict)
    assert isinstance(theirs, dict)
    cells: list[Cell] = []
    total = EqualCells()
    has_list = False
    for key in dict.fromkeys((*ours, *theirs)):
        if key == PROVENANCE:
            continue
        about = fields.get(key)
        about = about if isinstance(about, dict) else {}
        is_list = "array" in types_of(about)
        if not is_list and not isinstance(ours.get(key), list):
            is_equal = same_cell(ours.get(key), theirs.get(key), key, about)
            cells.append(Cell(key, key, key, ours.get(key), theirs.get(key), is_equal))
            total += EqualCells(int(is_equal), 1, 1)
            continue
        rows, others = _rows(ours.get(key)), _rows(theirs.get(key))
        columns = _columns(about, rows)
        if columns:
            has_list = True
            found = list(_cells_of_rows(key, rows, others, columns))
            correct = sum(cell.is_equal for cell in found)
            size = len(columns)
            total += EqualCells(correct, len(rows) * size, len(others) * size, len(rows), len(others))
            cells += found
    return Counted(total if has_list and total.expected else None, cells)


def types_of(schema: Mapping[str, object]) -> set[str]:
    """The types that a schema allows."""
    named = schema.get("type")
    types = set(named if isinstance(named, list) else [named] if isinstance(named, str) else [])
    for name in ("anyOf", "oneOf"):
        options = schema.get(name)
        for option in options if isinstance(options, list) else []:
            if isinstance(option, dict):
                types |= types_of(option)
    return types


def _rows(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _columns(about: Mapping[str, object], rows: Sequence[object]) -> dict[str, Mapping[str, object]]:
    """The columns of a list with what the schema says about each; else the keys of gold's rows."""
    items = about.get("items")
    properties = items.get("properties") if isinstance(items, dict) else None
    if isinstance(properties, dict) and properties:
        return {key: one if isinstance(one, dict) else {} for key, one in properties.items()}
    return {key: {} for row in rows if isinstance(row, dict) for key in row}


def _cells_of_rows(
    key: str, rows: Sequence[object], others: Sequence[object], columns: Mapping[str, Mapping[str, object]]
) -> Iterator[Cell]:
    def cells(row: object) -> list[object]:
        return [row.get(column) for column in columns] if isinstance(row, dict) else [None] * len(columns)

    ours, theirs = list(map(cells, rows)), list(map(cells, others))
    worth = {}
    equal: dict[tuple[int, int], list[bool]] = {}
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            same = [
                same_cell(a, b, column, about)
                for a, b, (column, about) in zip(one, other, columns.items(), strict=True)
            ]
            if any(same):
                equal[i, j] = same
                worth[i, j] = (sum(same),)
    partner = dict(best_pairs(len(ours), len(theirs), worth))
    # Rows without an equal cell pair in order, which changes no figure.
    free = [j for j in range(len(theirs)) if j not in set(partner.values())]
    for i in range(len(ours)):
        if i not in partner and free:
            partner[i] = free.pop(0)
    nowhere = [None] * len(columns)
    for i, one in enumerate(ours):
        to = partner.get(i)
        others_cells = nowhere if to is None else theirs[to]
        for at, column in enumerate(columns):
            system_id = None if to is None else f"{key}[{to}].{column}"
            is_equal = to is not None and (i, to) in equal and equal[i, to][at]
            place = f"{key}[].{column}"
            yield Cell(place, f"{key}[{i}].{column}", system_id, one[at], others_cells[at], is_equal)
    for j in free:
        for at, column in enumerate(columns):
            yield Cell(f"{key}[].{column}", None, f"{key}[{j}].{column}", None, theirs[j][at], is_equal=False)


def same_cell(gold: object, system: object, column: str, about: Mapping[str, object]) -> bool:
    """Whether two cells are equal, as the program compares them."""
    if isinstance(gold, str) and isinstance(system, str):
        ours, theirs = " ".join(gold.split()), " ".join(system.split())
        if ours == theirs:
            return True
        return column in ALIKE and _alike(ours, theirs, ALIKE[column])
    types = types_of(about)
    if types == {"number", "null"}:
        gold, system = (None if value == 0 else value for value in (gold, system))
    return gold == system


@lru_cache(maxsize=1 << 14)
def _alike(one: str, two: str, least: float) -> bool:
    ours, theirs = (" ".join(re.sub(r"[^\w ]", "", text).lower().split()) for text in (one, two))
    if ours == theirs:
        return True
    return 2 * common_subsequence(ours, theirs) / (len(ours) + len(theirs)) >= least


# -------------------------------------------------------------------------------------------------------- dates

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH_AT = {
    **{name: at for at, name in enumerate(_MONTHS, 1)},
    **{name[:3]: at for at, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = "|".join([*_WEEKDAYS, *(name[:3] for name in _WEEKDAYS)])
_MONTH = "|".join(sorted(_MONTH_AT, key=len, reverse=True))
_TIME = (
    r"(?:[T ]\s*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?\s?(?:Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})([-/])([0-9]{{1,2}})\2([0-9]{{1,2}}){_TIME}", re.IGNORECASE)
_NUMBERS = re.compile(rf"([0-9]{{1,2}})([-/])([0-9]{{1,2}})\2([0-9]{{4}}|[0-9]{{2}}){_TIME}", re.IGNORECASE)
_MONTH_FIRST = re.compile(
    rf"(?:(?P<weekday>{_WEEKDAY})(?:,\s*|\s+))?(?P<month>{_MONTH})(?P<stop>\.?)\s+(?P<day>[0-9]{{1,2}})(?:\s*,\s*|\s+)(?P<year>[0-9]{{4}})",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(rf"([0-9]{{1,2}})\s+({_MONTH})\s+([0-9]{{4}})", re.IGNORECASE)
_TEN_DIGITS = re.compile(r"[0-9]{10}")
_LAST_OF_1900 = 76
"""Two-digit years from this one on are of the 20th century."""


def with_dates(value: object) -> object:
    """A value in which every string that is a date has the form ``YYYY-MM-DD``."""
    if isinstance(value, dict):
        return {key: with_dates(one) for key, one in value.items()}
    if isinstance(value, list):
        return list(map(with_dates, value))
    return as_day(value) if isinstance(value, str) else value


@lru_cache(maxsize=1 << 14)
def as_day(text: str) -> str:
    """The day that a string names, as ``YYYY-MM-DD``; the string itself if it names none."""
    trimmed = text.strip()
    if not 4 <= len(trimmed) <= 50 or trimmed.isdigit() or _TEN_DIGITS.search(trimmed):
        return text
    parts = _parts(trimmed)
    if parts is None or not 1900 <= parts[0] <= 2100:
        return text
    try:
        return date(*parts).isoformat()
    except ValueError:
        return text


def _parts(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of a string in one of the forms."""
    if found := _YEAR_FIRST.fullmatch(text):
        return int(found[1]), int(found[3]), int(found[4])
    if found := _NUMBERS.fullmatch(text):
        first, second, third = int(found[1]), int(found[3]), int(found[4])
        if first > 31:
            return (_full_year(first), second, third) if len(found[4]) == 2 else None
        year = third if len(found[4]) == 4 else _full_year(third)
        return (year, second, first) if first > 12 else (year, first, second)
    if found := _MONTH_FIRST.fullmatch(text):
        if found["stop"] and not found["weekday"]:
            return None
        return int(found["year"]), _MONTH_AT[found["month"].lower()], int(found["day"])
    if found := _DAY_FIRST.fullmatch(text):
        return int(found[3]), _MONTH_AT[found[2].lower()], int(found[1])
    return None


def _full_year(year: int) -> int:
    return (1900 if year >= _LAST_OF_1900 else 2000) + year
