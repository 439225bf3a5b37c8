"""Temporal awareness: what follows, what is dropped, what is in doubt."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.metrics.sequencing import (
    Awareness,
    Points,
    awareness,
    depends_on_order,
    reduce_links,
)
from lydite.metrics.time_chains import TimeChains

Link = tuple[str, int, int]


def after(first: int, second: int) -> Link:
    return ("After", first, second)


def subevent(first: int, second: int) -> Link:
    return ("Subevent", first, second)


def test_the_worked_example_of_an_implicit_link() -> None:
    tally = awareness([after(1, 2), after(2, 3)], [after(1, 3)]).tally
    assert (tally.system_credit.fraction, tally.system_total) == (1, 1)
    assert (tally.gold_credit.fraction, tally.gold_total) == (Fraction(495, 1000), 2)


def test_equal_links_score_one_and_none_score_zero() -> None:
    links = [after(1, 2), subevent(2, 3)]
    assert awareness(links, links).tally.score().f1 == 1
    assert awareness([], []).tally.score().f1 == 0


def test_a_link_is_taken_although_the_end_of_its_second_event_is_known_to_be_later() -> None:
    points = Points()
    for link in (subevent(2, 3), after(1, 3)):
        points.take(link)
    assert not points.follows(after(1, 2))
    assert not points.take(after(1, 2))
    assert points.follows(after(1, 2))


def test_nothing_follows_about_an_event_that_is_in_no_link() -> None:
    points = Points()
    points.take(after(1, 2))
    assert not points.follows(after(1, 3))
    assert not points.follows(after(3, 2))


def test_what_lies_after_an_event_lies_after_its_subevents() -> None:
    points = reduce_links([subevent(1, 2), after(1, 3)]).graph
    assert points.follows(after(2, 3))
    assert not points.follows(after(3, 2))


def test_a_link_that_follows_from_earlier_ones_is_dropped() -> None:
    assert reduce_links([subevent(2, 3), after(1, 2), after(1, 3)]).links == (subevent(2, 3), after(1, 2))
    assert len(reduce_links([subevent(2, 3), after(1, 3), after(1, 2)]).links) == 3


def test_order_counts_where_a_link_follows_from_a_mixture() -> None:
    def in_doubt(*links: Link) -> bool:
        points = Points()
        assert points.take_all(links)
        return depends_on_order(links, points)

    assert in_doubt(subevent(2, 3), after(1, 2), after(1, 3))
    assert not in_doubt(subevent(2, 3), after(1, 2))
    assert not in_doubt(after(1, 2), after(2, 3))


def test_links_that_cannot_all_hold_are_noticed() -> None:
    assert not reduce_links([subevent(1, 2), after(1, 2)]).graph.follows(after(1, 2))
    assert reduce_links([subevent(1, 2), after(1, 3)]).graph.follows(after(1, 3))


def test_a_link_that_contradicts_earlier_ones_counts_but_implies_nothing() -> None:
    found = reduce_links([subevent(1, 2), after(1, 2), after(2, 3)])
    assert found.links == (subevent(1, 2), after(1, 2), after(2, 3))
    assert found.entails(after(1, 2))
    assert not found.graph.follows(after(1, 2))
    assert not found.graph.follows(after(1, 3))


def test_the_weight_of_an_implicit_link_never_exceeds_one_by_logic() -> None:
    links = [subevent(1, 2), after(1, 2)]
    assert awareness(links, links).room == 1
    assert awareness(links, links, TimeChains).room == 0
    assert awareness(links, links).tally.score().f1 == 1


def test_time_chains_accept_a_link_that_does_not_follow() -> None:
    gold = [after(1, 2), after(4, 2), after(3, 4), after(5, 4)]
    assert reduce_links(gold, TimeChains).graph.follows(after(5, 3))
    assert not reduce_links(gold).graph.follows(after(5, 3))
    tally = awareness(gold, [after(5, 3)], TimeChains).tally
    assert (tally.gold_credit.fraction, tally.gold_total) == (Fraction(495, 1000), 4)


subevents = st.tuples(st.just("Subevent"), st.integers(0, 5), st.integers(0, 5)).filter(
    lambda link: link[1] < link[2]
)


@given(links=st.lists(subevents, unique=True, max_size=5))
def test_subevents_alone_lie_on_time_chains_as_logic_says(links: list[Link]) -> None:
    assert reduce_links(links, TimeChains).links == reduce_links(links).links


pairs = st.tuples(st.sampled_from(["After", "Subevent"]), st.integers(0, 5), st.integers(0, 5)).filter(
    lambda link: link[1] < link[2]
)


@settings(deadline=None)
@given(links=st.lists(pairs, unique=True, max_size=10))
def test_the_closure_is_transitive_reachability_over_end_points(links: list[Link]) -> None:
    found = reduce_links(links)
    onward: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for node in range(6):
        onward.setdefault((node, "start"), set()).add((node, "end"))
    for name, first, second in filter(found.graph.follows, links):
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

    points = found.graph
    known = {node for _, first, second in links for node in (first, second)}
    for first in known:
        for second in known - {first}:
            assert points.follows(("After", first, second)) == reaches((first, "end"), (second, "start"))
            assert points.follows(("Subevent", first, second)) == (
                reaches((first, "start"), (second, "start")) and reaches((second, "end"), (first, "end"))
            )


def test_the_running_credit_is_the_exact_one_in_doubles() -> None:
    for implicit, room in ((0, 0), (0, 4), (3, 4), (2, 1)):
        known = Awareness(2, 5, 1, 6, implicit, room)
        assert known.running == 2 + 0.99 / (room or 1) * implicit
        assert known.tally.gold_credit.fraction == 2 + Fraction(99, 100) * implicit / (room or 1)


def test_the_declared_metric_measures_the_links_of_both_sides_as_they_are_aligned() -> None:
    from lydite.align.links import Links, SideLinks
    from lydite.metrics import METRICS

    gold, system = (("After", 1, 2), ("After", 2, 3)), (("After", 1, 3),)
    aligned = Links(SideLinks(gold, ()), SideLinks(system, ()))
    assert METRICS["temporal-awareness"].measure(aligned) == awareness(gold, system).tally
