"""Rules 4 to 7: phone numbers, dates, fractions, numbers, short years."""

from collections.abc import Callable

import pytest

Cut = Callable[[str], str]

# fmt: off
NUMBERS = (
    "1,234.56", ".5", "1.2.3.4", "12:30", ":30", ",4", "-5", "+5", "-.5", "10km", "5m", "1990s",
    "3rd", "4x4", "1.5-fold", "2,000-plus", "2.5e-3", "1,204-317", "3.x",
)
# fmt: on


@pytest.mark.parametrize(
    "number",
    [
        "(555) 555-0134",
        "(555)555-0134",
        "(12) 3456 7890",
        "555 555 0134",
        "555\u00a0555\u00a00134",
        "+44 20 7946 0958",
        "+12 345 678",
        "2014 2015 2016",
        "1980-1985 1990-1995",
        "1234 5678 9012 3456",
        "100 200 300",
        "12 345 678",
    ],
)
def test_numbers_in_the_shape_of_a_phone_number_are_one_token(cut: Cut, number: str) -> None:
    assert cut(f"x {number} y") == f"x|{number}|y"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("1 200 300", "1|200|300"),
        ("20 000", "20|000"),
        ("100 200 30", "100|200|30"),
        ("(5555) 555-0134", "(|5555|)|555-0134"),
        ("(555)-555-0134", "(|555|)|-555|-0134"),
        ("+1 555 555 0134", "+1|555 555 0134"),
        ("555\t555\t0134", "555|555|0134"),
        ("555\n555 0134", "555|555|0134"),
    ],
)
def test_other_numbers_side_by_side_are_several_tokens(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


def test_a_phone_number_does_not_look_at_what_follows(cut: Cut) -> None:
    assert cut("1980-1985 1980-85") == "1980-1985 1980|-85"


@pytest.mark.parametrize(
    "number",
    [
        "12/05/2014",
        "5/12/14",
        "2014-05-12",
        "12-05-2014",
        "1/2",
        "3-1/2",
        "10 1/2",
        "10\u00a01/2",
        "1\u20442",
    ],
)
def test_dates_and_fractions_are_one_token(cut: Cut, number: str) -> None:
    assert cut(f"x {number} y") == f"x|{number}|y"


def test_a_line_feed_does_not_join_number_and_fraction(cut: Cut) -> None:
    assert cut("10\n1/2") == "10|1/2"


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_one_token(cut: Cut, number: str) -> None:
    assert cut(f"x {number} y") == f"x|{number}|y"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("1.5bn", "1.5|bn"),
        ("5:30 pm 5:30pm", "5:30|pm|5:30|pm"),
        ("2,000s", "2,000|s"),
        ("1.2-3.4", "1.2-3|.4"),
        ("1,2-3,4", "1,2-3|,4"),
        ("9:00-17:00", "9:00|-17:00"),
        ("3+4", "3|+4"),
        ("-5-6", "-5|-6"),
        ("5. 12: 7,", "5|.|12|:|7|,"),
        ("2.5.", "2.5|."),
        ("1.foo", "1|.|foo"),
        ("5%, 20°, 30m², 5¢, ½", "5|%|,|20|°|,|30m|²|,|5|¢|,|½"),
        ("$5 €5 £5 ¥5 -$5", "$|5|€|5|£|5|¥|5|-|$|5"),
        ("US$5 C$5 HK$5 CAD$5 ABCD$5 a$b", "US$|5|C$|5|HK$|5|CAD$|5|ABCD|$|5|a|$|b"),
    ],
)
def test_a_number_ends_where_another_class_begins(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the '90s, the ’90s.", "the|'90s|,|the|’90s|."),
        ("in '08 and ’08 too", "in|'08|and|’08|too"),
        ("in '08.", "in|'|08|."),
        ("in '08", "in|'|08"),
        ("the ‘90s", "the|‘|90s"),
    ],
)
def test_a_short_year_keeps_its_apostrophe_before_a_blank_and_a_decade_always(
    cut: Cut, text: str, tokens: str
) -> None:
    assert cut(text) == tokens
