"""Which mentions of coreference overlap: runs of tokens tell what their sets of tokens would."""

from __future__ import annotations

from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from lydite.align.similarity import LONG_RANGE
from lydite.model.nodes import NodeMention
from lydite.tasks.coref.outcomes import edges_of, overlaps, size_of

RUNS = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda run: (run[0], run[0] + run[1]))
IN_PARTS = st.lists(st.integers(0, 40), min_size=4, max_size=6, unique=True).map(
    lambda edges: tuple(sorted(edges[: len(edges) // 2 * 2]))
)
OF_DOCUMENTS = st.tuples(st.sampled_from(["d", "e"]), RUNS)
NODES = st.lists(st.sampled_from([(1, 1.0), (1, 1.1), (1, 2.0), (2, 1.0)]), min_size=1, unique=True).map(
    lambda nodes: NodeMention(tuple(sorted(nodes)), nodes[0])
)
LONG = (40, 41 + LONG_RANGE)


def tokens_of(key: Hashable) -> set[Hashable]:
    if isinstance(key, NodeMention):
        return set(key.nodes)
    assert isinstance(key, tuple)
    if isinstance(key[0], str):
        return {(key[0], token) for token in tokens_of(key[1])}
    return {token for first, end in zip(key[::2], key[1::2], strict=True) for token in range(first, end)}


@given(
    st.lists(st.one_of(RUNS, IN_PARTS, OF_DOCUMENTS, NODES, st.just(LONG)), max_size=12),
    st.one_of(RUNS, IN_PARTS, OF_DOCUMENTS, NODES, st.just(LONG)),
)
def test_overlapping_mentions_are_found_with_the_tokens_that_they_share(
    keys: list[Hashable], key: Hashable
) -> None:
    common = {other: len(tokens_of(other) & tokens_of(key)) for other in keys}
    found = overlaps([key, LONG], keys).get(key, [])
    assert {other: count for count, other in found} == {
        other: count for other, count in common.items() if count
    }
    assert found == sorted(found, key=lambda entry: (-entry[0], edges_of(entry[1])))
    assert size_of(key) == len(tokens_of(key))


def test_a_mention_costs_the_same_however_far_its_ends_lie_from_each_other() -> None:
    far = 10**17
    near = overlaps(
        [(5, far), ("d", (1, 3)), (9 * far, 10 * far)], [(0, far), (4, 6), (far, 2 * far), ("d", (0, far))]
    )
    assert near == {(5, far): [(far - 5, (0, far)), (1, (4, 6))], ("d", (1, 3)): [(2, ("d", (0, far)))]}
    assert size_of((0, far, 2 * far, 3 * far)) == 2 * far


def test_numbers_that_are_no_run_of_tokens_overlap_nothing() -> None:
    # A table may name a mention by its sentence and its word.
    assert overlaps([(7, 3), (5, 5)], [(3, 8), (5, 5)]) == {}
    assert overlaps([(3, 8)], [(7, 3), (5, 5)]) == {}
