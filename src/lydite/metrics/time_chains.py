"""The closure of links as the official program of event sequencing makes it: events on time chains.

Events are numbers on lines, and part of the numbers is wrong: the program asserts links that do not follow and misses
some that do (``docs/quirks.md#time-chain-closure``).  Written from the description of its behaviour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from lydite.metrics.sequencing import Link
from lydite.model.mention import AFTER

_STEP = 1000
_STARTS = tuple(_STEP * at for at in range(100, 104))
"""The numbers of the first two events of a chain."""
_BEFORE = -_STEP
"""The begin of every event that is put before another one, wherever that one stands: the mistake of the program."""


@dataclass(slots=True)
class _Event:
    """An event on its chain.

    ``head``: nothing was put directly before it; ``tail``: nothing directly after it; ``hollow``: its end comes directly
    after its begin.
    """

    chain: int
    begin: int
    end: int
    head: bool = False
    tail: bool = False
    hollow: bool = False


_Point = tuple[int, int]
"""A chain and a number on it; a plain tuple, because every lookup makes some."""


class TimeChains:
    """Events on chains, and bridges that lead from a number on one chain to a number on another and say "earlier"."""

    def __init__(self) -> None:
        self._events: dict[int, _Event] = {}
        self._bridges: list[list[tuple[int, _Point]]] = []
        self._last_exit: list[float] = []
        self._first_entry: list[float] = []
        """Of every chain the highest number from which a bridge leaves, and the lowest at which one arrives."""
        self._seen: set[Link] = set()
        self._entered: dict[_Point, dict[int, tuple[int, int]]] = {}
        """The results of :meth:`_earliest` since the last bridge was built."""

    # -------------------------------------------------------------------------------------------------- taking

    def take(self, link: Link) -> bool:
        """Take a link as true, unless it contradicts what follows already; say whether it follows already."""
        if link in self._seen:
            return True
        self._seen.add(link)
        name, first, second = link
        one, other = self._events.get(first), self._events.get(second)
        if one is not None and other is not None:
            return self._join(name, one, other)
        if one is None and other is None:
            self._start(name, first, second)
        elif one is None:
            assert other is not None
            self._events[first] = (self._put_before if name == AFTER else self._put_around)(other)
        else:
            self._events[second] = (self._put_after if name == AFTER else self._put_inside)(one)
        return False

    def _new_chain(self) -> int:
        self._bridges.append([])
        self._last_exit.append(-inf)
        self._first_entry.append(inf)
        return len(self._bridges) - 1

    def _start(self, name: str, first: int, second: int) -> None:
        chain = self._new_chain()
        at, then, later, last = _STARTS
        if name == AFTER:
            self._events[first] = _Event(chain, at, then, head=True, hollow=True)
            self._events[second] = _Event(chain, later, last, tail=True, hollow=True)
        else:
            self._events[first] = _Event(chain, at, last, head=True, tail=True)
            self._events[second] = _Event(chain, then, later, hollow=True)

    def _put_before(self, known: _Event) -> _Event:
        new = _Event(known.chain, _BEFORE, known.begin - _STEP, head=True, hollow=True)
        if known.head:
            known.head = False
        else:
            new.chain = self._new_chain()
            self._bridge(new, new.end, known, known.begin)
        return new

    def _put_after(self, known: _Event) -> _Event:
        new = _Event(known.chain, known.end + _STEP, known.end + 2 * _STEP, tail=True, hollow=True)
        if known.tail:
            known.tail = False
        else:
            new.chain = self._new_chain()
            self._bridge(known, known.end, new, new.begin)
        return new

    def _put_around(self, known: _Event) -> _Event:
        new = _Event(known.chain, known.begin - _STEP, known.end + _STEP, head=True, tail=True)
        if known.head and known.tail:
            known.head = known.tail = False
        else:
            new.chain = self._new_chain()
            self._bridge(new, new.begin, known, known.begin)
            self._bridge(known, known.end, new, new.end)
        return new

    def _put_inside(self, known: _Event) -> _Event:
        length = known.end - known.begin
        new = _Event(known.chain, known.begin + length // 3, known.begin + 2 * length // 3, hollow=True)
        if known.hollow:
            known.hollow = False
        else:
            new.chain, new.head, new.tail = self._new_chain(), True, True
            self._bridge(known, known.begin, new, new.begin)
            self._bridge(new, new.end, known, known.end)
        return new

    def _join(self, name: str, one: _Event, other: _Event) -> bool:
        pairs = _orders(name, one, other)
        for earlier, later in pairs:
            if self._is_at_or_before(later, earlier):
                return False
        if self._all_before(pairs):
            return True
        for earlier, later in pairs:
            self._build(earlier, later)
        return False

    def _all_before(self, pairs: Sequence[tuple[_Point, _Point]]) -> bool:
        for earlier, later in pairs:  # noqa: SIM110 - one frame less for every link
            if not self._is_before(earlier, later):
                return False
        return True

    def _bridge(self, one: _Event, earlier: int, other: _Event, later: int) -> None:
        self._build((one.chain, earlier), (other.chain, later))

    def _build(self, earlier: _Point, later: _Point) -> None:
        chain, number = earlier
        self._bridges[chain].append((number, later))
        if number > self._last_exit[chain]:  # noqa: PLR1730 - a call costs as much as all of this
            self._last_exit[chain] = number
        arrival, at = later
        if at < self._first_entry[arrival]:  # noqa: PLR1730 - as above
            self._first_entry[arrival] = at
        self._entered.clear()

    # ------------------------------------------------------------------------------------------------- lookups

    def follows(self, link: Link) -> bool:
        """Whether the program takes the link to follow from the links that were taken."""
        one, other = self._events.get(link[1]), self._events.get(link[2])
        if one is None or other is None:
            return False
        for earlier, later in _orders(link[0], one, other):
            if not self._is_before(earlier, later) or self._is_at_or_before(later, earlier):
                return False
        return True

    def _is_before(self, one: _Point, other: _Point) -> bool:
        return one[1] < other[1] if one[0] == other[0] else self._reaches(one, other)

    def _is_at_or_before(self, one: _Point, other: _Point) -> bool:
        """The same, and at the same place of a chain; two points of different chains may each be before the other."""
        return one[1] <= other[1] if one[0] == other[0] else self._reaches(one, other)

    def _reaches(self, start: _Point, goal: _Point) -> bool:
        """Whether a way over bridges leads from one point to the other without entering a chain twice.

        Mostly the way that enters every chain as early as possible tells: there is none, or it enters no chain twice.
        Only where it enters a chain twice are all ways tried.
        """
        first, begin = start
        last, number = goal
        if self._last_exit[first] < begin or self._first_entry[last] > number:
            return False
        entered = self._entered.get(start)
        if entered is None:
            entered = self._entered[start] = self._earliest(start)
        arrival = entered.get(last)
        if arrival is None or arrival[0] > number:
            return False
        chains, chain = {last}, last
        while chain != first:
            chain = entered[chain][1]
            if chain in chains:
                return self._has_way(start, goal, {first})
            chains.add(chain)
        return True

    def _earliest(self, start: _Point) -> dict[int, tuple[int, int]]:
        """For each other chain the lowest number at which it can be entered, and the chain from which; by any way."""
        first, begin = start
        bridges = self._bridges
        entered = {first: (begin, first)}
        waiting = [first]
        while waiting:
            chain = waiting.pop()
            number = entered[chain][0]
            for leaves, (arrival, at) in bridges[chain]:
                if leaves < number or arrival == first:
                    continue
                known = entered.get(arrival)
                if known is None or at < known[0]:
                    entered[arrival] = at, chain
                    waiting.append(arrival)
        return entered

    def _has_way(self, start: _Point, goal: _Point, entered: set[int]) -> bool:
        first, begin = start
        last, end = goal
        for leaves, arrival in self._bridges[first]:
            chain, number = arrival
            if leaves < begin or chain in entered:
                continue
            if chain == last:
                if number <= end:
                    return True
            elif self._has_way(arrival, goal, entered | {chain}):
                return True
        return False


def _orders(name: str, one: _Event, other: _Event) -> tuple[tuple[_Point, _Point], ...]:
    """The pairs of points of which the link puts the first before the second."""
    if name == AFTER:
        return (((one.chain, one.end), (other.chain, other.begin)),)
    begins = (one.chain, one.begin), (other.chain, other.begin)
    return begins, ((other.chain, other.end), (one.chain, one.end))
