"""Temporal awareness of event sequences (UzZaman et al. 2013, as the event nugget scorer 1.8 uses it).

An event is an interval with start < end.  After(a, b) means a.end < b.start, Subevent(a, b) means a.start < b.start and
b.end < a.end; what follows from a set of links follows by transitivity of < on these points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lydite.exact import FractionSum
from lydite.metrics.base import Law, Metric
from lydite.model.cluster import ClusterTally

Link = tuple[str, int, int]
"""(relation, first node, second node)."""


class Points:
    """The end points of events under the order that links impose, closed under transitivity as links come in.

    Every point has the set of points after it and the set before it, as bits of a whole number.
    """

    def __init__(self, nodes: Iterable[int]) -> None:
        self._number = {node: 2 * at for at, node in enumerate(dict.fromkeys(nodes))}
        size = 2 * len(self._number)
        self._after = [0] * size
        self._before = [0] * size
        for start in range(0, size, 2):
            self._order(start, start + 1)

    def _orders(self, link: Link) -> tuple[tuple[int, int], ...]:
        name, first, second = link
        one, other = self._number[first], self._number[second]
        if name == "After":
            return ((one + 1, other),)
        return (one, other), (other + 1, one + 1)

    def add(self, link: Link) -> None:
        """Take a link as true."""
        for earlier, later in self._orders(link):
            self._order(earlier, later)

    def _order(self, earlier: int, later: int) -> None:
        if self._after[earlier] >> later & 1:
            return
        downstream = self._after[later] | 1 << later
        upstream = self._before[earlier] | 1 << earlier
        for point in _bits(upstream):
            self._after[point] |= downstream
        for point in _bits(downstream):
            self._before[point] |= upstream

    def follows(self, link: Link) -> bool:
        """Whether the link is among the consequences of what was taken."""
        if link[1] not in self._number or link[2] not in self._number:
            return False
        return all(self._after[earlier] >> later & 1 for earlier, later in self._orders(link))

    def has_other_way(self, link: Link, others: Iterable[Link]) -> bool:
        """Whether the link follows from these others together with what every event implies, without itself."""
        onward: dict[int, int] = {}
        own = set(self._orders(link))
        for other in others:
            for earlier, later in self._orders(other):
                if (earlier, later) not in own:
                    onward[earlier] = onward.get(earlier, 0) | 1 << later
        for earlier, later in own:
            inside = 1 << (earlier + 1) if earlier % 2 == 0 else 0
            steps = onward.get(earlier, 0) | inside
            if not (steps >> later & 1 or steps & self._before[later]):
                return False
        return True

    @property
    def contradictory(self) -> bool:
        """Whether some point would lie before itself."""
        return any(after >> point & 1 for point, after in enumerate(self._after))


def _bits(number: int) -> Iterable[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class Reduced(NamedTuple):
    """The links that were kept one by one, and everything that follows from all of them."""

    links: tuple[Link, ...]
    points: Points


def reduce_links(links: Sequence[Link]) -> Reduced:
    """Links in their order without those that follow from the ones before."""
    points = Points(node for _, first, second in links for node in (first, second))
    kept = []
    for link in links:
        if not points.follows(link):
            kept.append(link)
            points.add(link)
    return Reduced(tuple(kept), points)


def depends_on_order(links: Sequence[Link]) -> bool:
    """Whether the reduced set would be another one if links of the same relation came in another order.

    Subevent links come first and never follow from each other.  An After link that follows from other links, some of
    them After links, is kept or dropped by its place among those.
    """
    subevents = [link for link in links if link[0] == "Subevent"]
    if not subevents or len(subevents) == len(links):
        return False
    alone = reduce_links(subevents).points
    points = reduce_links(links).points
    return any(
        points.has_other_way(link, links) for link in links if link[0] == "After" and not alone.follows(link)
    )


def temporal_awareness(gold_links: Sequence[Link], system_links: Sequence[Link]) -> ClusterTally:
    """Links of the system that gold entails, out of the system's; links of gold that the system entails, out of gold's.

    Recall has an extra: every system link that is not written in gold but follows from it earns
    w = 0.99 / (1 + T(n) - r), with n the number of events that occur in links of both sides, T(n) = n(n-1)/2 and r the
    number of gold links that the system entails.
    """
    gold, system = reduce_links(gold_links), reduce_links(system_links)
    entailed_system = sum(map(gold.points.follows, system.links))
    entailed_gold = sum(map(system.points.follows, gold.links))
    written = set(gold.links)
    implicit = sum(1 for link in system.links if link not in written and gold.points.follows(link))
    common = len(_events(gold.links) & _events(system.links))
    room = 1 + common * (common - 1) // 2 - entailed_gold
    extra = FractionSum({100 * room: 99 * implicit}) if implicit and room > 0 else FractionSum()
    return ClusterTally(
        FractionSum({1: entailed_gold}) + extra,
        len(gold.links),
        FractionSum({1: entailed_system}),
        len(system.links),
    )


def _events(links: Iterable[Link]) -> set[int]:
    return {event for _, first, second in links for event in (first, second)}


def _measure(links: Any) -> ClusterTally:
    return temporal_awareness(links.gold, links.system)


TEMPORAL_AWARENESS = Metric(
    name="temporal-awareness",
    title="Temporal awareness",
    cite="uzzaman2013tempeval",
    measure=_measure,
    laws=frozenset({Law.RENAME, Law.ADD}),
    exceptions=(
        (Law.SELF, "two equal sides without links have nothing to count: 0/0 is 0"),
        (Law.SWAP, "only recall has credit for implicit links"),
        (Law.SHUFFLE, "where a link of one relation follows from a mixture, its place in the order counts"),
        (Law.SPURIOUS, "a link over a spurious mention can make links follow that are right"),
        (Law.BOUNDS, "implicit links can lift recall above what was written"),
    ),
    weaknesses="links are counted over all pairs of cluster members, so large clusters decide",
    domain="links",
)
