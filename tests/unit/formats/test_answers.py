"""What a model wrote: JSON as it is, or after repairs in named steps."""

from __future__ import annotations

from decimal import Decimal

import pytest

from lydite.formats.answers import REPAIRS, read_answer


@pytest.mark.parametrize(
    ("written", "how", "value"),
    [
        ('\ufeff {"a": 1} ', "plain", {"a": 1}),
        ('```json\n{"a": 1}\n```', "fence", {"a": 1}),
        ('It is {"a": "}"}, I think', "outer", {"a": "}"}),
        ('{"a": ",]", "b": [1, ], }', "commas", {"a": ",]", "b": [1]}),
        ('```\n{"a": [1,],}\n```', "fence+commas", {"a": [1]}),
        ('{"a": [1, {"b": "x", "c', "close", {"a": [1, {"b": "x"}]}),
        ('{"a": 1, "b": tr', "close", {"a": 1}),
        ("I do not know", "unparseable", None),
    ],
)
def test_the_first_step_after_which_an_answer_parses_counts(written: str, how: str, value: object) -> None:
    answer = read_answer(written, REPAIRS)
    assert (answer.how, answer.value) == (how, value)


def test_an_answer_that_is_cut_off_is_not_closed_unless_asked_for() -> None:
    assert read_answer('{"a": 1, "b', REPAIRS[:3]).how == "unparseable"


@pytest.mark.parametrize("written", ["NaN", "[Infinity]", "{'a': 1}", '{"a": True}', "[1] // one"])
def test_what_only_looks_like_json_is_none(written: str) -> None:
    assert read_answer(written, ()).how == "unparseable"


def test_the_last_of_repeated_keys_counts_and_all_are_named() -> None:
    answer = read_answer('{"a": 1, "a": 2, "b": {"c": 1, "c": 2, "c": 3}}', ())
    assert answer.value == {"a": 2, "b": {"c": 3}}
    assert sorted(answer.repeated_keys) == ["a", "c", "c"]


def test_numbers_keep_their_digits() -> None:
    assert str(read_answer("3.00", ()).value) == "3.00"
    assert read_answer("1e400", ()).value == Decimal("1e400")


def test_deeply_nested_lists_are_no_json_rather_than_a_defect() -> None:
    assert read_answer("[" * 100_000, REPAIRS).how == "unparseable"
