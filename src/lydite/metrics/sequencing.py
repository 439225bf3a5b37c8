"""Temporal awareness of event sequences (UzZaman et al. 2013, as the event nugget scorer 1.8 uses it).

An event is an interval with start < end.  After(a, b) means a.end < b.start, Subevent(a, b) means a.start < b.start and
b.end < a.end; what follows from a set of links follows by transitivity of < on these points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from lydite.exact_sums import FractionSum
from lydite.grouping import members_of
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model.cluster import ClusterTally
from lydite.model.mention import AFTER, SUBEVENT

Link = tuple[str, int, int]
"""(relation, first node, second node)."""


class Graph(Protocol):
    """What is known about the order of events; links are taken one by one."""

    def take(self, link: Link) -> bool:
        """Take a link as true, unless it contradicts what follows already; say whether it follows already."""

    def follows(self, link: Link) -> bool:
        """Whether the link is among the consequences of what was taken."""


class Points:
    """The end points of events under the order that links impose, closed under transitivity as links come in.

    Every point has the set of points after it and the set before it, as bits of a whole number.
    """

    def __init__(self) -> None:
        self._number: dict[int, int] = {}
        self._after: list[int] = []
        self._before: list[int] = []

    def _new_point(self, node: int) -> int:
        """The number of the start of an event; its end is the next one."""
        start = self._number[node] = len(self._after)
        self._after += [2 << start, 0]
        self._before += [0, 1 << start]
        return start

    def _orders(self, link: Link) -> tuple[tuple[int, int], ...]:
        name, first, second = link
        one, other = self._number.get(first), self._number.get(second)
        if one is None:
            one = self._new_point(first)
        if other is None:
            other = one if first == second else self._new_point(second)
        if name == AFTER:
            return ((one + 1, other),)
        return (one, other), (other + 1, one + 1)

    def take(self, link: Link) -> bool:
        """Take a link as true, unless the reverse of a part of it follows; say whether it follows already."""
        orders, after = self._orders(link), self._after
        is_new = False
        for earlier, later in orders:
            if earlier == later or after[later] >> earlier & 1:
                return False
            if not after[earlier] >> later & 1:
                is_new = True
        if is_new:
            for earlier, later in orders:
                self._put_in_order(earlier, later)
        return not is_new

    def take_all(self, links: Iterable[Link]) -> bool:
        """Take the links of an empty graph as true if none contradicts the others; say whether that is so.

        It is faster than link by link, where each one looks at all points before and after it.
        """
        orders = {order for link in links for order in self._orders(link)}
        size = len(self._after)
        later_than: list[list[int]] = [[point + 1] if point % 2 == 0 else [] for point in range(size)]
        for earlier, later in orders:
            if later != earlier + 1 or earlier % 2:
                later_than[earlier].append(later)
        order = _topological(later_than)
        if order is None:
            return False
        after, before = self._after, self._before
        for point in reversed(order):
            for later in later_than[point]:
                after[point] |= after[later] | 1 << later
        for point in order:
            earlier_points = before[point] | 1 << point
            for later in later_than[point]:
                before[later] |= earlier_points
        return True

    def _put_in_order(self, earlier: int, later: int) -> None:
        if self._after[earlier] >> later & 1:
            return
        downstream = self._after[later] | 1 << later
        upstream = self._before[earlier] | 1 << earlier
        for point in members_of(upstream):
            self._after[point] |= downstream
        for point in members_of(downstream):
            self._before[point] |= upstream

    def follows(self, link: Link) -> bool:
        """Whether the link is among the consequences of what was taken."""
        if link[1] not in self._number or link[2] not in self._number:
            return False
        return all(self._after[earlier] >> later & 1 for earlier, later in self._orders(link))

    def onward(self, links: Iterable[Link]) -> dict[int, int]:
        """For each point, as bits, the points that these links put directly after it."""
        after: dict[int, int] = {}
        for link in links:
            for earlier, later in self._orders(link):
                after[earlier] = after.get(earlier, 0) | 1 << later
        return after

    def has_other_way(self, link: Link, onward: Mapping[int, int]) -> bool:
        """Whether an After link follows from the others that lead ``onward``, without itself."""
        ((earlier, later),) = self._orders(link)
        return bool(onward[earlier] & ~(1 << later) & self._before[later])


def _topological(later_than: Sequence[Sequence[int]]) -> list[int] | None:
    """All points, each before the points that are later than it; None if there is a cycle."""
    waits_for = [0] * len(later_than)
    for following in later_than:
        for later in following:
            waits_for[later] += 1
    order = [point for point, number in enumerate(waits_for) if not number]
    for point in order:  # which grows
        for later in later_than[point]:
            waits_for[later] -= 1
            if not waits_for[later]:
                order.append(later)
    return order if len(order) == len(later_than) else None


class ReducedLinks(NamedTuple):
    """The links of a side: all of them, those left after reduction, and what follows from them."""

    written: frozenset[Link]
    links: tuple[Link, ...]
    graph: Graph

    def entails(self, link: Link) -> bool:
        """Whether the side has the link, or its links imply it."""
        return link in self.written or self.graph.follows(link)


def reduce_links(links: Sequence[Link], closure: Closure = Points) -> ReducedLinks:
    """The links without those that follow from earlier ones; links that contradict earlier ones stay."""
    graph = closure()
    return ReducedLinks(frozenset(links), tuple(link for link in links if not graph.take(link)), graph)


Closure = Callable[[], Graph]
"""Makes an empty graph: :class:`Points` of logic, or the time chains of the official program."""


def depends_on_order(links: Sequence[Link], points: Points) -> bool:
    """Whether another order of the links of one relation would give another reduced set.

    Subevent links come first and never follow from each other.  An After link that follows from other links, some of
    them After links, is kept or dropped by its place among those.  The links do not contradict each other; ``points``
    have taken all of them.
    """
    subevents = [link for link in links if link[0] == SUBEVENT]
    if not subevents or len(subevents) == len(links):
        return False
    alone, onward = Points(), points.onward(links)
    alone.take_all(subevents)
    return any(
        points.has_other_way(link, onward) and not alone.follows(link) for link in links if link[0] == AFTER
    )


class Awareness(NamedTuple):
    """How many links of each side of a document the other side entails.

    ``entailed_system`` and ``entailed_gold`` are reduced links that the other side entails; ``implicit`` are links of
    the system that gold does not write but implies; ``room`` is 1 + T(n) - entailed_gold, with n the number of events
    in links of both sides and T(n) = n(n-1)/2: an implicit link earns 0.99/room.
    """

    entailed_gold: int
    gold_total: int
    entailed_system: int
    system_total: int
    implicit: int
    room: int

    @property
    def running(self) -> float:
        """The credit for recall as the official program computes it, in doubles."""
        return self.entailed_gold + 0.99 / (self.room or 1) * self.implicit

    @property
    def tally(self) -> ClusterTally:
        """The counts, exactly."""
        extra = FractionSum({100 * (self.room or 1): 99 * self.implicit}) if self.implicit else FractionSum()
        return ClusterTally(
            FractionSum({1: self.entailed_gold}) + extra,
            self.gold_total,
            FractionSum({1: self.entailed_system}),
            self.system_total,
        )


def awareness(
    gold_links: Sequence[Link], system_links: Sequence[Link], closure: Closure = Points
) -> Awareness:
    """ReducedLinks links of each side that the other one entails, and the system's that gold implies without writing them.

    Precision is what gold entails of the system's links, recall what the system entails of gold's, with an extra: every
    implicit link earns w = 0.99 / (1 + T(n) - r), r being the number of gold links that the system entails.
    By logic alone the room never falls below 1.  Links that contradict each other count without being true, so with
    the closure of the official program it can: at 0 that program divides by zero, and here an implicit link earns 0.99.
    """
    gold, system = reduce_links(gold_links, closure), reduce_links(system_links, closure)
    entailed_gold = sum(map(system.entails, gold.links))
    unwritten = set(system.links).difference(gold.links)
    implied = {link for link in unwritten if gold.graph.follows(link)}
    common = len(_events(gold.links) & _events(system.links))
    free = common * (common - 1) // 2 - entailed_gold
    return Awareness(
        entailed_gold,
        len(gold.links),
        sum(link in gold.written or link in implied for link in system.links),
        len(system.links),
        implicit=sum(link in implied for link in system.links),
        room=1 + (max(0, free) if closure is Points else free),
    )


def _events(links: Iterable[Link]) -> set[int]:
    return {first for _, first, _ in links} | {second for _, _, second in links}


TEMPORAL_AWARENESS = MetricDeclaration(
    name="temporal-awareness",
    title="Temporal awareness",
    cite="uzzaman2013tempeval",
    measure=lambda aligned: awareness(aligned.gold.links, aligned.system.links).tally,
    exceptions=(
        (Law.SELF, "two equal sides without links have nothing to count: 0/0 is 0"),
        (Law.RENAME, "the official program takes links in an order that it makes of their ids (a quirk)"),
        (Law.SWAP, "only recall has credit for implicit links"),
        (Law.SHUFFLE, "where a link of one relation follows from a mixture, its place in the order counts"),
        (Law.SPURIOUS, "a link over a spurious mention can make links follow that are right"),
        (Law.BOUNDS, "implicit links can lift recall above what was written"),
    ),
    weaknesses="links are counted over all pairs of cluster members, so large clusters decide",
    domain="links",
)
