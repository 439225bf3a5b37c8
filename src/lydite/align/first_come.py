"""Credit as the reference program for triples gives it: every system triple takes the first gold triple that fits.

The program compares ordered pairs (a, b):

* *partial*: both first elements are empty or share an id, and so for the second;
* *exact*: both lists of ids have the same length and every id of a is in b, for first and second (repeated ids count
  in the length);
* the ``same`` conditions ask for equal relations too (without case).  If ``lump`` is on, a ``participant`` b may
  stand for eight roles of a, but then the ids must be exact.

It never takes back a choice, so its counts depend on the order of the files, and a file scored against itself need
not get everything.  :mod:`lydite.align.triples` is the definition without these oddities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lydite.align.triple_scope import NO_TOKENS, TripleSide
from lydite.align.triples import TokenIndex, candidates, merge_positions
from lydite.grouping import grouped
from lydite.model.triple import Triple

PARTICIPANT = "participant"
LUMPED_ROLES = frozenset(
    {"patient", "done-by", "destination-of", "use-of", "instrument", "source-of", "product-of", "path-of"}
)
"""The relations, in this spelling, for which ``participant`` may stand."""


class FirstComeItem(NamedTuple):
    """A triple in range with all that is compared of it."""

    position: int
    triple: Triple
    relation: str
    first: frozenset[str]
    second: frozenset[str]
    lengths: tuple[int, int]


Condition = Callable[[FirstComeItem, FirstComeItem], bool]


def items(side: TripleSide) -> tuple[FirstComeItem, ...]:
    """The triples of a side in range, in file order."""
    return tuple(
        FirstComeItem(
            position, triple, relation, first, second, (len(triple.first.ids), len(triple.second.ids))
        )
        for position, (triple, relation, first, second) in enumerate(
            zip(side.in_range, side.relations, side.firsts, side.seconds, strict=True)
        )
    )


def partial(a: FirstComeItem, b: FirstComeItem) -> bool:
    """Whether both elements share an id or are empty on both sides."""
    return not a.first.isdisjoint(b.first) and not a.second.isdisjoint(b.second)


def exact(a: FirstComeItem, b: FirstComeItem) -> bool:
    """Whether the lists of ids are equally long and every id of ``a`` is in ``b``."""
    return a.lengths == b.lengths and a.first <= b.first and a.second <= b.second


def same_relation(test: Condition, *, lump: bool) -> Condition:
    """``test`` for equal relations; with ``lump``, *exact* for a role ``a`` and a ``participant`` ``b``."""

    def with_relation(a: FirstComeItem, b: FirstComeItem) -> bool:
        if a.relation == b.relation:
            return test(a, b)
        if lump and b.triple.relation == PARTICIPANT and a.triple.relation in LUMPED_ROLES:
            return exact(a, b)
        return False

    return with_relation


def conditions(*, lump: bool) -> Mapping[str, Condition]:
    """The four conditions by name."""
    return {
        "exact_same": same_relation(exact, lump=lump),
        "exact_ignored": exact,
        "partial_same": same_relation(partial, lump=lump),
        "partial_ignored": partial,
    }


class ItemIndex:
    """Items in the order in which they were added, found by the tokens that they share with another item."""

    def __init__(self, content: Iterable[FirstComeItem] = ()) -> None:
        self.items: list[FirstComeItem] = []
        self._firsts, self._seconds = TokenIndex(), TokenIndex()
        for item in content:
            self.add(item)

    def add(self, item: FirstComeItem) -> None:
        """Add an item at the end."""
        self._firsts.add(len(self.items), item.first)
        self._seconds.add(len(self.items), item.second)
        self.items.append(item)

    def overlapping(self, item: FirstComeItem) -> Iterator[FirstComeItem]:
        """The items that share tokens with ``item``, in order; every condition implies that."""
        for place in candidates(self._firsts, self._seconds, item.first, item.second):
            yield self.items[place]

    def first(self, item: FirstComeItem, test: Condition) -> FirstComeItem | None:
        """The first item for which ``test(it, item)`` is true."""
        return next((other for other in self.overlapping(item) if test(other, item)), None)

    def holds(self, item: FirstComeItem, test: Condition) -> bool:
        """Whether ``test(item, it)`` is true for any item."""
        return any(test(item, other) for other in self.overlapping(item))


def without_duplicates(content: Iterable[FirstComeItem], duplicate: Condition) -> list[FirstComeItem]:
    """The items without those for which ``duplicate(it, earlier)`` is true for an earlier item that stays."""
    distinct = ItemIndex()
    for item in content:
        if not distinct.holds(item, duplicate):
            distinct.add(item)
    return distinct.items


def equal_content(a: FirstComeItem, b: FirstComeItem) -> bool:
    """Whether two triples are duplicates by definition: equal relation and sets of ids."""
    return (a.relation, a.first, a.second) == (b.relation, b.first, b.second)


def same_item(a: FirstComeItem, b: FirstComeItem) -> bool:
    """Whether two items are one and the same triple of a file."""
    return a.position == b.position


class Credited(NamedTuple):
    """A gold triple that was found, and the system triple that found it."""

    gold: FirstComeItem
    system: FirstComeItem


def credit(
    gold: ItemIndex, system: Iterable[FirstComeItem], *, fits: Condition, taken: Condition
) -> list[Credited]:
    """Every system triple goes to the first gold triple g with ``fits(g, s)``.

    g becomes correct unless ``taken(g, c)`` holds for a correct triple c; no second gold triple is tried.
    """
    correct = ItemIndex()
    credited = []
    for item in system:
        found = gold.first(item, fits)
        if found is not None and not correct.holds(found, taken):
            correct.add(found)
            credited.append(Credited(found, item))
    return credited


@dataclass(frozen=True, slots=True)
class Elements:
    """Greedy counts of first or second elements, and the tables of their labels.

    ``correct`` are system elements; ``matches`` counts gold labels, ``mismatches`` pairs of gold and system labels
    that met without fitting.
    """

    gold: int
    system: int
    correct: int
    matches: Counter[str]
    mismatches: Counter[tuple[str, str]]


def elements(gold: Iterable[FirstComeItem], system: Iterable[FirstComeItem], name: str) -> Elements:
    """Elements that share no id with an earlier counted one, and how many of the system's are in gold.

    A gold label fits when it is empty or equal to the system's.  A system element is correct when some gold triple
    shares an id with it and has a fitting label.
    """
    ours, theirs = list(gold), list(system)
    gold_elements, system_elements = _without_shared_ids(ours, name), _without_shared_ids(theirs, name)
    index = TokenIndex(_ids(item, name) for item in ours)
    correct = sum(
        any(
            _fits(ours[place], item, name)
            for place in merge_positions(index.position_lists(_ids(item, name)) or ((),))
        )
        for item in system_elements
    )
    matches, mismatches = _label_tables(gold_elements, theirs, name)
    return Elements(len(gold_elements), len(system_elements), correct, matches, mismatches)


def _ids(item: FirstComeItem, name: str) -> frozenset[str]:
    return item.first if name == "first" else item.second


def _label(item: FirstComeItem, name: str) -> str:
    label: str = getattr(item.triple, name).label
    return label


def _fits(gold: FirstComeItem, system: FirstComeItem, name: str) -> bool:
    label = _label(gold, name)
    return not label or label == _label(system, name)


def _without_shared_ids(content: Iterable[FirstComeItem], name: str) -> list[FirstComeItem]:
    used: set[str] = set()
    taken = []
    for item in content:
        ids = _ids(item, name)
        if ids is not NO_TOKENS and used.isdisjoint(ids):
            used |= ids
            taken.append(item)
    return taken


def _label_tables(
    gold_elements: list[FirstComeItem], system: list[FirstComeItem], name: str
) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    matches: Counter[str] = Counter()
    mismatches: Counter[tuple[str, str]] = Counter()
    index = TokenIndex(_ids(item, name) for item in system)
    for item in gold_elements:
        for place in merge_positions(index.position_lists(_ids(item, name)) or ((),)):
            if _fits(item, system[place], name):
                matches[_label(item, name)] += 1
                break
            mismatches[_label(item, name), _label(system[place], name)] += 1
    return matches, mismatches


def missed(gold: ItemIndex, system: Iterable[FirstComeItem]) -> list[FirstComeItem]:
    """Gold triples that no system triple struck off the list.

    A system triple takes the first gold triple g that it overlaps and strikes off the first remaining triple that
    has g's id and no ids beyond g's.
    """
    remaining = grouped((item.triple.id, item) for item in gold.items)
    for item in system:
        found = gold.first(item, partial)
        if found is not None:
            _strike_off(remaining[found.triple.id], found)
    left = {item.position for group in remaining.values() for item in group}
    return [item for item in gold.items if item.position in left]


def _strike_off(group: list[FirstComeItem], found: FirstComeItem) -> None:
    first, second = set(found.triple.first.ids), set(found.triple.second.ids)
    for position, item in enumerate(group):
        if set(item.triple.first.ids) <= first and set(item.triple.second.ids) <= second:
            del group[position]
            return


def wrong_relation(
    gold: ItemIndex, system: Iterable[FirstComeItem], *, fits: Condition, duplicate: Condition
) -> list[FirstComeItem]:
    """System triples that overlap gold triples but none that ``fits``, duplicates dropped."""
    wrong = [one for one in system if gold.first(one, partial) is not None and gold.first(one, fits) is None]
    return without_duplicates(wrong, duplicate)


def confusion(
    gold: ItemIndex, system: Iterable[FirstComeItem]
) -> Iterator[tuple[FirstComeItem, FirstComeItem]]:
    """Every overlapping pair (gold, system) with different spellings of the relation."""
    for item in system:
        for other in gold.overlapping(item):
            if partial(other, item) and other.triple.relation != item.triple.relation:
                yield other, item
