"""Temporal awareness: what follows, what is dropped, what is in doubt."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.metrics.sequencing import depends_on_order, reduce_links, temporal_awareness

Link = tuple[str, int, int]


def after(first: int, second: int) -> Link:
    return ("After", first, second)


def subevent(first: int, second: int) -> Link:
    return ("Subevent", first, second)


def test_the_worked_example_of_an_implicit_link() -> None:
    tally = temporal_awareness([after(1, 2), after(2, 3)], [after(1, 3)])
    assert (tally.system_credit.fraction, tally.system_total) == (1, 1)
    assert (tally.gold_credit.fraction, tally.gold_total) == (Fraction(495, 1000), 2)


def test_equal_links_score_one_and_none_score_zero() -> None:
    links = [after(1, 2), subevent(2, 3)]
    assert temporal_awareness(links, links).score().f1 == 1
    assert temporal_awareness([], []).score().f1 == 0


def test_what_lies_after_an_event_lies_after_its_subevents() -> None:
    points = reduce_links([subevent(1, 2), after(1, 3)]).points
    assert points.follows(after(2, 3))
    assert not points.follows(after(3, 2))


def test_a_link_that_follows_from_earlier_ones_is_dropped() -> None:
    assert reduce_links([subevent(2, 3), after(1, 2), after(1, 3)]).links == (subevent(2, 3), after(1, 2))
    assert len(reduce_links([subevent(2, 3), after(1, 3), after(1, 2)]).links) == 3


def test_order_counts_where_a_link_follows_from_a_mixture() -> None:
    assert depends_on_order([subevent(2, 3), after(1, 2), after(1, 3)])
    assert not depends_on_order([subevent(2, 3), after(1, 2)])
    assert not depends_on_order([after(1, 2), after(2, 3)])


def test_links_that_cannot_all_hold_are_noticed() -> None:
    assert reduce_links([subevent(1, 2), after(1, 2)]).points.contradictory
    assert not reduce_links([subevent(1, 2), after(1, 3)]).points.contradictory


pairs = st.tuples(st.sampled_from(["After", "Subevent"]), st.integers(0, 5), st.integers(0, 5)).filter(
    lambda link: link[1] < link[2]
)


@settings(deadline=None)
@given(links=st.lists(pairs, unique=True, max_size=10))
def test_the_closure_is_transitive_reachability_over_end_points(links: list[Link]) -> None:
    onward: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for node in range(6):
        onward.setdefault((node, "start"), set()).add((node, "end"))
    for name, first, second in links:
        if name == "After":
            onward.setdefault((first, "end"), set()).add((second, "start"))
        else:
            onward.setdefault((first, "start"), set()).add((second, "start"))
            onward.setdefault((second, "end"), set()).add((first, "end"))

    def reaches(start: tuple[int, str], goal: tuple[int, str]) -> bool:
        seen, waiting = set(), [start]
        while waiting:
            for point in onward.get(waiting.pop(), ()):
                if point not in seen:
                    seen.add(point)
                    waiting.append(point)
        return goal in seen

    points = reduce_links(links).points
    known = {node for _, first, second in links for node in (first, second)}
    for first in known:
        for second in known - {first}:
            assert points.follows(("After", first, second)) == reaches((first, "end"), (second, "start"))
            assert points.follows(("Subevent", first, second)) == (
                reaches((first, "start"), (second, "start")) and reaches((second, "end"), (first, "end"))
            )
