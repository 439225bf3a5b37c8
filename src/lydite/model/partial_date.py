"""Dates with unknown digits, as in fillers of ``Time`` roles: ``2005-06-XX``, ``19XX-XX-XX``."""

from __future__ import annotations

import re
from functools import lru_cache

_YEAR = r"(?:[0-9]{4}|[0-9]{3}[X]|[0-9]{2}[X]{2}|[0-9][X]{3})"
_PART = r"(?:[0-9]{2}|[0-9][X]|[X]{2})"
_SCORED = re.compile(f"{_YEAR}-{_PART}-{_PART}")
_SCORED_SMALL = re.compile(_SCORED.pattern.replace("[X]", "[Xx]"))
_WRITTEN = re.compile(f"(?:{_YEAR}|XXXX)-{_PART}-{_PART}")


def is_date(text: str, *, small_x: bool = False) -> bool:
    """Whether the official scorer reads the text as a date: at least one digit of the year is known; any day is valid."""
    return (_SCORED_SMALL if small_x else _SCORED).fullmatch(text) is not None


@lru_cache(maxsize=4096)
def coarser_dates(text: str) -> tuple[str, ...]:
    """Return the less specific forms of a date: digits become ``X`` from the right, except the first of the year.

    >>> coarser_dates("1982-12-3X")
    ('1982-12-XX', '1982-1X-XX', '1982-XX-XX', '198X-XX-XX', '19XX-XX-XX', '1XXX-XX-XX')
    """
    forms: list[str] = []
    for position in range(len(text) - 1, 0, -1):
        if text[position].isdigit():
            text = f"{text[:position]}X{text[position + 1 :]}"
            forms.append(text)
    return tuple(forms)


def has_date_form(text: str) -> bool:
    """Whether the text is ``YYYY-MM-DD``, each part digits followed by ``X``, with at least one digit."""
    return _WRITTEN.fullmatch(text) is not None and text != "XXXX-XX-XX"


@lru_cache(maxsize=4096)
def fits_calendar(text: str) -> bool:
    """Whether a day of the years 0000–9999 (Gregorian leap years) fits the date, with any digit for each ``X``."""
    import calendar

    year, month, day = (re.compile(part.replace("X", "[0-9]")) for part in text.split("-"))
    months = [number for number in range(1, 13) if month.fullmatch(f"{number:02}")]
    days = [number for number in range(1, 32) if day.fullmatch(f"{number:02}")]
    if not months or not days:
        return False
    if any(days[0] <= calendar.monthrange(2001, number)[1] for number in months):
        return True
    # The only possible day is the 29th of February, or the day does not exist in any possible month.
    if 2 not in months or days[0] > 29:
        return False
    return any(calendar.isleap(number) for number in range(10000) if year.fullmatch(f"{number:04}"))


def unknown_before_known(text: str) -> bool:
    """Whether an unknown digit precedes a known one: ``1999-XX-31``."""
    return re.search(r"X.*[0-9]", text) is not None
