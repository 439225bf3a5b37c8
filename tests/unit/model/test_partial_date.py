from __future__ import annotations

import pytest

from lydite.model.partial_date import (
    coarser_dates,
    fits_calendar,
    has_date_form,
    is_date,
    unknown_before_known,
)


@pytest.mark.parametrize(
    "text", ["2005-06-17", "2005-06-XX", "19XX-XX-XX", "1982-12-3X", "1999-XX-31", "2010-13-01"]
)
def test_the_scorer_takes_these_for_dates(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "XXXX-05-04",
        "20X0-05-04",
        "2010-05-xx",
        "2005-W24",
        "2005-06",
        "2010-05-04T10:00",
        "Tuesday",
        "٢٠٠٥-06-17",
    ],
)
def test_the_scorer_does_not_take_these_for_dates(text: str) -> None:
    assert not is_date(text)


def test_a_small_x_is_an_unknown_place_where_the_profile_says_so() -> None:
    assert is_date("198x-xx-xx", small_x=True)


def test_coarser_forms_lose_one_digit_after_the_other_from_the_right() -> None:
    assert coarser_dates("1982-12-31") == (
        "1982-12-3X",
        "1982-12-XX",
        "1982-1X-XX",
        "1982-XX-XX",
        "198X-XX-XX",
        "19XX-XX-XX",
        "1XXX-XX-XX",
    )


def test_a_small_x_stays_small_in_coarser_forms() -> None:
    assert coarser_dates("198x-xx-xx") == ("19Xx-xx-xx", "1XXx-xx-xx")


def test_the_coarsest_date_has_no_coarser_form() -> None:
    assert coarser_dates("1XXX-XX-XX") == ()


def test_a_date_without_any_digit_says_nothing() -> None:
    assert not has_date_form("XXXX-XX-XX")
    assert has_date_form("XXXX-05-04")


@pytest.mark.parametrize(
    "text", ["2010-0X-XX", "2010-1X-XX", "2010-02-2X", "201X-02-29", "2012-02-29", "XXXX-02-29", "2010-XX-3X"]
)
def test_some_day_fits_these_dates(text: str) -> None:
    assert fits_calendar(text)


@pytest.mark.parametrize(
    "text", ["2010-2X-XX", "2010-02-3X", "2010-XX-4X", "2011-02-29", "2010-00-XX", "1900-02-29", "2010-04-31"]
)
def test_no_day_fits_these_dates(text: str) -> None:
    assert not fits_calendar(text)


def test_an_unknown_month_before_a_known_day_is_noticed() -> None:
    assert unknown_before_known("1999-XX-31")
    assert not unknown_before_known("1999-12-XX")
