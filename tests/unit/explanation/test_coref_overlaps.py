"""Which mentions of coreference overlap: the quick way for runs of tokens finds what the sets of tokens say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lydite.tasks.coref.fates import LONG_RUN, Overlaps, tokens_of

RUNS = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda run: (run[0], run[0] + run[1]))


@given(st.lists(RUNS, max_size=12), RUNS, st.booleans())
def test_overlapping_mentions_are_found_with_the_tokens_that_they_share(
    keys: list[tuple[int, int]], key: tuple[int, int], one_is_long: bool
) -> None:
    keys = [*keys, (40, 41 + LONG_RUN)] if one_is_long else keys
    expected = sorted(
        (-len(tokens_of(other) & tokens_of(key)), other)
        for other in set(keys)
        if tokens_of(other) & tokens_of(key)
    )
    assert [(-count, other) for count, other in Overlaps(keys).with_(key)] == expected
