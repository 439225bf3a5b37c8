"""When two leaves agree: the comparators of a schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from datetime import date
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from lydite.model.strings import edit_distance, normaliser
from lydite.tasks.records.values import Alternatives, kind_of

TEXT_STEPS = ("nfc", "spaces", "casefold")
_NO_ALIASES: Mapping[str, tuple[str, ...]] = MappingProxyType({})

_EXACT_DECIMALS = Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


class Comparator(NamedTuple):
    """How the leaves at one path are compared."""

    name: str = "exact"
    steps: tuple[str, ...] = TEXT_STEPS
    aliases: Mapping[str, tuple[str, ...]] = _NO_ALIASES
    """Further strings of the system that are right, by the gold string; both after the steps."""
    abs: Decimal = Decimal(0)
    rel: Decimal = Decimal(0)
    strings: bool = True
    thousands: str = ","
    decimal: str = "."
    order: str | None = None
    threshold: Fraction = Fraction(1, 2)

    def agree(self, gold: object, system: object) -> bool:
        """Whether the leaf of the system is right; of alternatives one is enough."""
        agree = _AGREE[self.name]
        if isinstance(gold, Alternatives):
            return any(agree(self, one, system) for one in gold)
        return agree(self, gold, system)

    def key(self, value: object) -> Hashable:
        """Equal for leaves that agree, where that is a matter of equality; None where it is not."""
        if isinstance(value, Alternatives):
            return None
        if self.name in {"exact", "boolean", "enum"}:
            return kind_of(value), value
        if self.name in {"text", "casefold"} and not self.aliases:
            return normaliser(self.steps)(value) if isinstance(value, str) else ("no string", value)
        return None

    def is_equality(self) -> bool:
        """Whether two leaves agree if and only if their keys are equal."""
        return self.name in {"exact", "boolean", "enum"}

    def sentence(self) -> str:
        """How leaves are compared, for people."""
        return {
            "exact": "compared exactly",
            "boolean": "compared exactly",
            "enum": "compared exactly",
            "text": f"compared after {', '.join(self.steps) or 'no steps'}",
            "casefold": f"compared after {', '.join(self.steps) or 'no steps'}",
            "number": f"compared as numbers, tolerance {max(self.abs, self.rel)}",
            "date": "compared as dates",
            "levenshtein": f"alike by less than {float(self.threshold):g}",
        }.get(self.name, "compared exactly")


def _same_leaf(_: Comparator, gold: object, system: object) -> bool:
    return kind_of(gold) == kind_of(system) and gold == system


def _same_text(how: Comparator, gold: object, system: object) -> bool:
    if not isinstance(gold, str) or not isinstance(system, str):
        return False
    normalise = normaliser(how.steps)
    ours, theirs = normalise(gold), normalise(system)
    return ours == theirs or theirs in how.aliases.get(ours, ())


_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def _number(how: Comparator, value: object) -> Decimal | None:
    if isinstance(value, str) and how.strings:
        digits = value.strip()
        if how.thousands:
            digits = digits.replace(how.thousands, "")
        if how.decimal:
            digits = digits.replace(how.decimal, ".")
        found = Decimal(digits, _EXACT_DECIMALS) if _NUMBER.fullmatch(digits) else None
        return found if found is not None and found.is_finite() else None
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Decimal(value) if is_number else None  # type: ignore[arg-type]


def _same_number(how: Comparator, gold: object, system: object) -> bool:
    ours, theirs = _number(how, gold), _number(how, system)
    if ours is None or theirs is None:
        return False
    exact = _EXACT_DECIMALS
    allowed = max(how.abs, exact.multiply(how.rel, exact.abs(ours)))
    return exact.abs(exact.subtract(ours, theirs)) <= allowed


_MONTHS = {
    name: at
    for at, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_YEAR_FIRST = re.compile(r"([0-9]{4})([-/])([0-9]{1,2})\2([0-9]{1,2})(?:T.*)?", re.DOTALL)
_DAY_MONTH = re.compile(r"([0-9]{1,2})\.? ([^\W\d_]{3,})\.? ([0-9]{4})")
_MONTH_DAY = re.compile(r"([^\W\d_]{3,})\.? ([0-9]{1,2}),? ([0-9]{4})")
_DIGITS = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})")
_THREE_NUMBERS = re.compile(r"[0-9]+[./-][0-9]+[./-][0-9]+")


def day_of(text: str, order: str | None) -> date | None:
    """The day that a string names; None if it is in none of the forms, or no day of the calendar."""
    text = text.strip()
    if found := _YEAR_FIRST.fullmatch(text):
        parts: tuple[str, str | int, str] = (found[1], found[3], found[4])
    elif found := _DAY_MONTH.fullmatch(text):
        parts = (found[3], _MONTHS.get(found[2][:3].lower(), 0), found[1])
    elif found := _MONTH_DAY.fullmatch(text):
        parts = (found[3], _MONTHS.get(found[1][:3].lower(), 0), found[2])
    elif order and (found := _DIGITS.fullmatch(text)):
        day, month = (found[1], found[3]) if order == "dmy" else (found[3], found[1])
        parts = (found[4], month, day)
    else:
        return None
    try:
        return date(*map(int, parts))
    except ValueError:
        return None


def _same_day(how: Comparator, gold: object, system: object) -> bool:
    if not isinstance(gold, str) or not isinstance(system, str):
        return False
    ours, theirs = day_of(gold, how.order), day_of(system, how.order)
    if ours is None or theirs is None:
        return gold.strip() == system.strip()
    return ours == theirs


def is_ambiguous_date(how: Comparator, gold: object, system: object) -> bool:
    """Whether two leaves are compared as strings though one is a date in digits whose order is not known."""
    golds = gold if isinstance(gold, Alternatives) else (gold,)
    texts = [one for one in (*golds, system) if isinstance(one, str)]
    if how.name != "date" or not isinstance(system, str) or len(texts) < 2:
        return False
    return any(_THREE_NUMBERS.fullmatch(one.strip()) and day_of(one, how.order) is None for one in texts)


def _alike(how: Comparator, gold: object, system: object) -> bool:
    if not isinstance(gold, str) or not isinstance(system, str):
        return False
    normalise = normaliser(how.steps)
    ours, theirs = normalise(gold), normalise(system)
    longer = max(len(ours), len(theirs))
    return longer - edit_distance(ours, theirs) >= how.threshold * longer


_AGREE: dict[str, Callable[[Comparator, object, object], bool]] = {
    "exact": _same_leaf,
    "text": _same_text,
    "casefold": _same_text,
    "number": _same_number,
    "date": _same_day,
    "boolean": _same_leaf,
    "enum": _same_leaf,
    "levenshtein": _alike,
    "skip": _same_leaf,
}
COMPARATORS = tuple(_AGREE)
