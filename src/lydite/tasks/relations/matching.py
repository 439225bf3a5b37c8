"""Which items of a sentence, a document or a corpus agree: the small table that every figure and every verdict is read from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from lydite.grouping import grouped
from lydite.model import Tally
from lydite.model.outcome import PAIRED, UNPAIRED, Outcome
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.model.windows import Range

T = TypeVar("T")
RIGHT, REPEAT, WRONG = "right", "repeat", "wrong"


class Item(NamedTuple):
    """Something that is compared: ``key`` decides over agreement, ``content`` is what explains it."""

    key: Hashable
    type: str
    window: int
    content: Any = None


class MatchedItem(NamedTuple):
    """What became of an item: ``status`` is right, wrong or repeat, ``partner`` the item of the other side that decided.

    ``rivals`` are items of the other side that come near.
    """

    side: Side
    item: Item
    partner: Item | None
    status: str
    credit: int
    cause: str
    rivals: tuple[Item, ...] = ()


class Matching(NamedTuple):
    """The items of both sides that count, and those that repeat others and do not."""

    gold: Sequence[Item]
    system: Sequence[Item]
    gold_repeats: Sequence[Item] = ()
    system_repeats: Sequence[Item] = ()
    right: Callable[[Item], bool] | None = None
    """What a system item must fulfil beside being in gold."""

    def credited(self) -> Iterator[Item]:
        """The system items that are right."""
        known = {item.key for item in self.gold}
        right = self.right
        return (item for item in self.system if item.key in known and (right is None or right(item)))

    def tally(self) -> Tally:
        """Correct items out of those of each side."""
        correct = sum(1 for _ in self.credited())
        return Tally(correct, len(self.gold), correct, len(self.system))

    def by_type(self) -> dict[str, Tally]:
        """The same for each type; types that one side has alone included."""
        counts: dict[str, list[int]] = {}
        for at, items in enumerate((self.gold, self.system, self.credited())):
            for item in items:
                counts.setdefault(item.type, [0, 0, 0])[at] += 1
        return {name: Tally(c, g, c, s) for name, (g, s, c) in sorted(counts.items())}


Keyed = Iterable[tuple[Hashable, str, object]]
"""The items of a sentence: key, type, content."""


def items_of(sentences: Iterable[T], items: Callable[[T], Keyed]) -> Iterator[Item]:
    """The items of all sentences of a side; those of different sentences are never equal."""
    return (
        Item((number, key), kind, number, content)
        for number, sentence in enumerate(sentences)
        for key, kind, content in items(sentence)
    )


def match(
    gold: Iterable[Item],
    system: Iterable[Item],
    *,
    repeats_count: bool = False,
    right: Callable[[Item], bool] | None = None,
) -> Matching:
    """The items of both sides; equal ones count once unless repeats count."""
    if repeats_count:
        return Matching(list(gold), list(system), right=right)
    (ours, our_repeats), (theirs, their_repeats) = map(_once, (gold, system))
    return Matching(ours, theirs, our_repeats, their_repeats, right)


def _once(items: Iterable[Item]) -> tuple[list[Item], list[Item]]:
    """The first item of each key, and those that repeat one."""
    first: dict[Hashable, Item] = {}
    repeats = [item for item in items if first.setdefault(item.key, item) is not item]
    return list(first.values()), repeats


Near = Callable[[Item, Item], tuple[int, str] | None]
"""How a gold and a system item come near: a rank (smaller is nearer) and the cause; None if they do not."""


def outcomes(
    matching: Matching,
    near: Near,
    *,
    missed: str = "missed",
    spurious: str = "spurious",
) -> list[MatchedItem]:
    """What became of each item, gold first: the nearest wrong items of both sides explain each other, one to one."""
    of_gold = grouped((item.key, item) for item in matching.gold)
    credited = list(matching.credited())
    right_system = {id(item) for item in credited}
    of_system = grouped((item.key, item) for item in credited)
    wrong_gold = [item for item in matching.gold if item.key not in of_system]
    wrong_system = [item for item in matching.system if id(item) not in right_system]
    near_gold, near_system = _nearest(wrong_gold, wrong_system, near)
    known_gold, known_system = _by_window(matching.gold), _by_window(matching.system)
    found: list[MatchedItem] = []
    for item in matching.gold:
        if item.key in of_system:
            found.append(MatchedItem(GOLD, item, of_system[item.key][0], RIGHT, 1, RIGHT))
            continue
        partner, cause = near_gold.get(id(item), (None, missed))
        rivals = (other for other in known_system.get(item.window, ()) if near(item, other))
        found.append(MatchedItem(GOLD, item, partner, WRONG, 0, cause, tuple(rivals)))
    for item in matching.system:
        if id(item) in right_system:
            found.append(MatchedItem(SYSTEM, item, of_gold[item.key][0], RIGHT, 1, RIGHT))
            continue
        partner, cause = near_system.get(id(item), (None, spurious))
        candidates = [
            (found_near, other)
            for other in known_gold.get(item.window, ())
            if (found_near := near(other, item))
        ]
        if partner is None and candidates:
            # Its gold items are credited to others: it says something else about them.
            (_, cause), partner = min(candidates, key=lambda one: one[0])
        found.append(
            MatchedItem(SYSTEM, item, partner, WRONG, 0, cause, tuple(other for _, other in candidates))
        )
    found += (MatchedItem(GOLD, item, None, REPEAT, 0, REPEAT) for item in matching.gold_repeats)
    found += (MatchedItem(SYSTEM, item, None, REPEAT, 0, REPEAT) for item in matching.system_repeats)
    return found


def _by_window(items: Iterable[Item]) -> dict[int, list[Item]]:
    return grouped((item.window, item) for item in items)


Partners = dict[int, tuple[Item | None, str]]


def _nearest(gold: Sequence[Item], system: Sequence[Item], near: Near) -> tuple[Partners, Partners]:
    """Pairs of wrong items, nearest first, each item in one at most."""
    by_window = _by_window(gold)
    candidates = sorted(
        (
            (*found, ours, theirs)
            for theirs in system
            for ours in by_window.get(theirs.window, ())
            if (found := near(ours, theirs)) is not None
        ),
        key=lambda one: one[0],
    )
    of_gold: Partners = {}
    of_system: Partners = {}
    for _, cause, ours, theirs in candidates:
        if id(ours) not in of_gold and id(theirs) not in of_system:
            of_gold[id(ours)] = theirs, cause
            of_system[id(theirs)] = ours, cause
    return of_gold, of_system


def overlap(one: Range, other: Range) -> bool:
    """Whether two runs of tokens have a token in common."""
    return one[0] < other[1] and other[0] < one[1]


def outcomes_of_gold(matching: Matching, name: Callable[[Item], str]) -> list[Outcome]:
    """The gold items that count, and whether the system has each right."""
    right = {item.key for item in matching.credited()}
    return [
        Outcome(
            GOLD,
            at,
            PAIRED if item.key in right else UNPAIRED,
            agrees={"item": item.key in right},
            name=name(item),
        )
        for at, item in enumerate(matching.gold)
    ]
