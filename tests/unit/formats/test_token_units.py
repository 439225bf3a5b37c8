from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.formats.token_spans import TokenPlaces
from lydite.formats.tokens import TokenTable
from lydite.model import Span


def places(*offsets: tuple[int, int]) -> TokenPlaces:
    names = [f"t{number}" for number in range(1, len(offsets) + 1)]
    return TokenPlaces(TokenTable(dict.fromkeys(names, ""), dict(zip(names, offsets, strict=True)), "d1.tab"))


SENTENCE = places((0, 3), (4, 10), (11, 15), (15, 18), (19, 23))


@pytest.mark.parametrize(
    ("tokens", "ranges"),
    [
        ("t2", ((4, 10),)),
        ("t2,t3", ((4, 15),)),
        ("t1,t3,t4", ((0, 3), (11, 18))),
        ("t4,t1,t3", ((0, 3), (11, 18))),
        ("t1,t3,t5", ((0, 3), (11, 15), (19, 23))),
    ],
)
def test_each_run_of_neighbours_becomes_one_segment(tokens: str, ranges: tuple[tuple[int, int], ...]) -> None:
    assert SENTENCE.characters(tokens.split(",")).ranges == ranges


@pytest.mark.parametrize(
    ("ranges", "tokens"),
    [
        (((4, 10),), "t2"),
        (((4, 15),), "t2,t3"),
        (((5, 8),), "t2"),  # inside a token: the token covers it
        (((2, 10),), "t2"),  # t1 only overlaps
        (((0, 18),), "t1,t2,t3,t4"),
        (((11, 15), (0, 3)), "t1,t3"),
        (((3, 4),), ""),  # the blank between two tokens
        (((9, 12),), ""),  # two tokens that only overlap
        (((7, 7),), ""),
    ],
)
def test_tokens_that_cover_a_segment_or_are_covered_by_one_are_taken(
    ranges: tuple[tuple[int, int], ...], tokens: str
) -> None:
    assert ",".join(SENTENCE.tokens(Span(ranges=ranges)).tokens) == tokens


def test_neighbours_are_rows_of_the_table_not_names() -> None:
    table = TokenTable({"a": "", "x": "", "b": ""}, {"a": (0, 1), "x": (2, 3), "b": (4, 5)}, "d1.tab")
    assert TokenPlaces(table).characters(["a", "x"]).ranges == ((0, 3),)
    assert TokenPlaces(table).characters(["a", "b"]).ranges == ((0, 1), (4, 5))


offsets = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 8)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=8,
)
segments = st.lists(
    st.tuples(st.integers(0, 25), st.integers(0, 8)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=3,
)


@given(offsets, segments)
def test_the_search_finds_what_looking_at_every_token_finds(
    table: list[tuple[int, int]], ranges: list[tuple[int, int]]
) -> None:
    wanted = [
        f"t{number}"
        for number, (begin, end) in enumerate(table, 1)
        if any(
            (first <= begin and end <= last) or (begin <= first and last <= end)
            for first, last in ranges
            if first < last
        )
    ]
    assert list(places(*table).tokens(Span(ranges=tuple(ranges))).tokens) == wanted


@st.composite
def sound_tables(draw: st.DrawFn) -> list[tuple[int, int]]:
    steps = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)), min_size=1, max_size=12))
    table, place = [], 0
    for gap, length in steps:
        table.append((place + gap, place + gap + length))
        place += gap + length
    return table


@given(sound_tables(), st.data())
def test_tokens_survive_the_way_to_characters_and_back(
    table: list[tuple[int, int]], data: st.DataObject
) -> None:
    names = [f"t{number}" for number in range(1, len(table) + 1)]
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    there = places(*table).characters(chosen)
    assert set(places(*table).tokens(there).tokens) == set(chosen)


@given(sound_tables(), segments)
def test_the_way_back_from_tokens_is_stable(
    table: list[tuple[int, int]], ranges: list[tuple[int, int]]
) -> None:
    once = places(*table).tokens(Span(ranges=tuple(ranges)))
    assert places(*table).tokens(places(*table).characters(once.tokens)) == once
