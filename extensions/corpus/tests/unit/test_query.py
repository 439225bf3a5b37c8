from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite_corpus.query import (
    And,
    Filter,
    Like,
    Not,
    Or,
    QueryError,
    TargetNames,
    Words,
    parse,
    parse_filter,
)


def test_words_beside_each_other_are_joined_by_and() -> None:
    assert parse("a b") == parse("a AND b") == And((Words("a"), Words("b")))


def test_or_binds_less_than_and() -> None:
    assert parse("a b OR c") == Or((And((Words("a"), Words("b"))), Words("c")))


def test_parentheses_bind_first() -> None:
    assert parse("a (b OR c)") == And((Words("a"), Or((Words("b"), Words("c")))))


def test_not_negates_one_atom() -> None:
    assert parse('a NOT "b c"') == And((Words("a"), Not(Words("b c"))))


def test_operators_are_in_capitals_and_quotes_make_words_of_them() -> None:
    assert parse("a or b") == And((Words("a"), Words("or"), Words("b")))
    assert parse('a "OR" b') == And((Words("a"), Words("OR"), Words("b")))


def test_atoms_with_keys() -> None:
    assert parse("begin*") == Words("begin", prefix=True)
    assert parse("like:D1") == Like("D1", is_document=True)
    assert parse('like:"some text"') == Like("some text", is_document=False)
    assert parse("profile:T1") == TargetNames("T1", 9)
    assert parse("genre:nw,wl") == Filter("genre", ("nw", "wl"))
    assert parse("lang:ar") == Filter("language", ("ar",))
    assert parse("date:2006-01-01..2006-06") == Filter("date", ("2006-01-01", "2006-06"))
    assert parse("date:2006..") == Filter("date", ("2006", ""))
    assert parse("date:20060201..2006-03-01") == Filter("date", ("2006-02-01", "2006-03-01"))
    assert parse("date:2008-02-29") == Filter("date", ("2008-02-29", "2008-02-29"))


@pytest.mark.parametrize(
    ("query", "column"),
    [
        ("", 1), ("   ", 4), ("a AND", 6), ("AND a", 1), ("a OR OR b", 6), ("(a b", 1), ("a b)", 4), ("()", 2),
        ('say "never', 5), ("a be*gin", 5), ("*", 1), ("a --", 3), ("colour:red", 1), ("genre:", 7), ('like:""', 6),
        ("a date:yesterday", 8), ("date:2006-01-01..2006-13", 18), ("date:..", 6), ("date:2006-05..2006-01", 6),
        ("date:2006-04-01..20060301", 6), ("date:2006-02-30", 6), ("date:2006-02..2006-02-29", 15),
        ("a NOT", 6), ("o'b*", 1), ('like:"--"', 6), ('a date:"2006-01..2006-13"', 18), ("a\tbe*gin", 5),
    ],
)  # fmt: skip
def test_an_error_points_at_its_column(query: str, column: int) -> None:
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("query", "excerpt"),
    [
        ("a\tno:b", ("a no:b", "  ^")),
        ("Ramírez no:b", ("Ramírez no:b", "        ^")),
        ("漢字 no:b", ("漢字 no:b", "     ^")),
        ("Rami\u0301rez no:b", ("Rami\u0301rez no:b", "        ^")),
    ],
)
def test_the_excerpt_points_below_the_character_however_wide_those_before_it_are(
    query: str, excerpt: tuple[str, str]
) -> None:
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert caught.value.excerpt == excerpt
    assert query[caught.value.column - 1 :] == "no:b"


def test_an_error_in_a_filter_beside_the_query_points_into_its_value() -> None:
    with pytest.raises(QueryError, match=r"^filter date, column 10: expected a date") as caught:
        parse_filter("date", "2006-01..yesterday")
    assert caught.value.excerpt == ("2006-01..yesterday", "         ^")


def test_a_misspelt_key_gets_a_near_one() -> None:
    with pytest.raises(QueryError) as caught:
        parse("gerne:nw")
    assert caught.value.hint == "did you mean 'genre'?"


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from('ab ()":*ANDORT'))))
def test_any_text_is_a_query_or_an_error_with_a_column(text: str) -> None:
    try:
        parse(text)
        column = 1
    except QueryError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1


def test_deep_parentheses_are_refused() -> None:
    with pytest.raises(QueryError, match="at most 50"):
        parse("(" * 5000 + "a" + ")" * 5000)
