"""The leaves of two records, walked together: correct, mismatched, missing, spurious; and which elements of lists pair.

The walk of a pair of elements gives their similarity; the pairs with the largest sum are walked.  Between objects whose
leaves are compared by equality nothing needs to be walked: their leaves are counted by path and key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from lydite.align.ordered_pairs import Criteria, best_pairs, best_pairs_of_arrays
from lydite.tasks.records import anls
from lydite.tasks.records.paths import ELEMENT, RecordPlace, below
from lydite.tasks.records.schema import SchemaNode
from lydite.tasks.records.values import Alternatives, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

CORRECT: Final = "correct"
MISMATCHED: Final = "mismatched"
MISSING: Final = "missing"
SPURIOUS: Final = "spurious"
LEFT_OUT: Final = "left-out"
Status = Literal["correct", "mismatched", "missing", "spurious", "left-out"]

SKIPPED, EXTRA, TYPES = "skipped", "extra", "types"
DIGITS: Final = 12
"""The decimals to which the similarity ``anls`` is rounded."""
MANY = 10_000
"""From this many possible pairs of elements on, their equal leaves are counted in arrays."""


class RecordLeaf(NamedTuple):
    """A leaf of one side, or of both where they meet."""

    status: Status
    path: str
    gold_id: str | None
    system_id: str | None
    gold: object
    system: object
    node: SchemaNode
    place: RecordPlace
    reason: str = ""
    """Why: a skipped path, an extra key, or containers that meet other values."""


class ListedObjects(NamedTuple):
    """What became of the elements of a list: their path, the objects on both sides, and the pairs of objects."""

    path: str
    gold: int
    system: int
    paired: int
    exact: int


class ElementPair(NamedTuple):
    """Two objects in lists that were paired, by their paths with indices, and how many of their leaves are correct."""

    gold: str
    system: str
    correct: int
    leaves: int


class Walk(NamedTuple):
    """All that the walk of a record found."""

    leaves: list[RecordLeaf]
    elements: list[ListedObjects]
    pairs: list[ElementPair]


class Counts(NamedTuple):
    """The leaves of the walk of two values."""

    correct: int = 0
    mismatched: int = 0
    missing: int = 0
    spurious: int = 0

    def __add__(self, other: Counts) -> Counts:  # type: ignore[override]  # counts add, tuples join
        a, b, c, d = self
        e, f, g, h = other
        return Counts(a + e, b + f, c + g, d + h)


NONE = Counts()
Similarity = tuple[Fraction, Counts]


class Walker:
    """Walks records under a schema and the settings of a run."""

    def __init__(
        self,
        root: SchemaNode,
        *,
        empty_is_value: bool = False,
        similarity: str = "dice",
        ignores_extra: bool = False,
    ) -> None:
        self._root = root
        self._empty_is_value = empty_is_value
        self._similarity = similarity
        self._ignores_extra = ignores_extra
        self._found = Walk([], [], [])
        self._pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        """The pairs of lists by their identity, as long as a record is walked."""

    def walk(self, gold: object, system: object) -> Walk:
        """The leaves of two records."""
        self._pairs.clear()
        self._found = Walk([], [], [])
        self._walk(gold, system, self._root, RecordPlace(), "")
        self._pairs.clear()
        return self._found

    def is_nothing(self, value: object) -> bool:
        """Null or a missing key; unless empty values count, an empty string, list or object too."""
        if value is None:
            return True
        return not self._empty_is_value and value in ("", [], {})

    # -------------------------------------------------------------------------------------------------- the walk

    def _walk(
        self,
        gold: object,
        system: object,
        node: SchemaNode,
        place: RecordPlace,
        reason: str,
    ) -> None:
        no_gold, no_system = self.is_nothing(gold), self.is_nothing(system)
        if no_gold and no_system:
            return
        if node.comparator.name == "skip" and not reason:
            reason = SKIPPED
        if isinstance(gold, dict) and (no_system or isinstance(system, dict)):
            theirs: Mapping[str, object] = {} if no_system else system  # type: ignore[assignment]
            for key, value in gold.items():
                self._walk(value, theirs.get(key), node.under(key), place.under(key), reason)
            self._walk_added(theirs, gold, node, place, reason)
        elif isinstance(gold, list) and (no_system or isinstance(system, list)):
            self._walk_lists(gold, [] if no_system else system, node, place, reason)  # type: ignore[arg-type]
        elif no_gold:
            self._walk_system(system, node, place, reason)
        elif no_system:
            status = _status(MISSING, reason)
            self._add(RecordLeaf(status, place.path, place.gold, None, gold, None, node, place, reason))
        elif isinstance(gold, dict | list) or isinstance(system, dict | list):
            self._walk(gold, None, node, place, reason or TYPES)
            self._walk_system(system, node, place, reason or TYPES)
        else:
            status = _status(CORRECT if node.comparator.agree(gold, system) else MISMATCHED, reason)
            self._add(
                RecordLeaf(status, place.path, place.gold, place.system, gold, system, node, place, reason)
            )

    def _add(self, leaf: RecordLeaf) -> None:
        self._found.leaves.append(leaf)

    def _walk_added(
        self,
        system: Mapping[str, object],
        gold: Mapping[str, object],
        node: SchemaNode,
        place: RecordPlace,
        reason: str,
    ) -> None:
        """The keys that only the system has."""
        for key, value in system.items():
            if key not in gold:
                is_extra = node.lacks(key) and reason != SKIPPED
                self._walk_system(value, node.under(key), place.under(key), EXTRA if is_extra else reason)

    def _walk_system(self, system: object, node: SchemaNode, place: RecordPlace, reason: str) -> None:
        """The leaves of a value of the system that meets nothing."""
        if node.comparator.name == "skip" and reason in {"", TYPES}:
            reason = SKIPPED
        if self.is_nothing(system):
            return
        if isinstance(system, dict):
            self._walk_added(system, {}, node, place, reason)
        elif isinstance(system, list):
            self._count_elements([], system, place, reason)
            for at, one in enumerate(system):
                self._walk_system(one, node.elements, place.element(None, at), reason)
        else:
            status: Status = LEFT_OUT if self._leaves_out(reason) else SPURIOUS
            self._add(RecordLeaf(status, place.path, None, place.system, None, system, node, place, reason))

    def _leaves_out(self, reason: str) -> bool:
        return reason == SKIPPED or (reason == EXTRA and self._ignores_extra)

    def _walk_lists(
        self,
        gold: Sequence[object],
        system: Sequence[object],
        node: SchemaNode,
        place: RecordPlace,
        reason: str,
    ) -> None:
        partner = dict(self._pair(gold, system, node) if gold and system else [])
        exact = paired = 0
        for i, one in enumerate(gold):
            before = len(self._found.leaves)
            j = partner.get(i)
            other = None if j is None else system[j]
            inside = place.element(i, j)
            self._walk(one, other, node.elements, inside, reason)
            if j is None:
                continue
            counted = [leaf.status for leaf in self._found.leaves[before:] if leaf.status != LEFT_OUT]
            correct = counted.count(CORRECT)
            if isinstance(one, dict) and isinstance(other, dict):
                paired += 1
                exact += correct == len(counted)
                self._found.pairs.append(ElementPair(inside.gold, inside.system, correct, len(counted)))
        taken = set(partner.values())
        for j, other in enumerate(system):
            if j not in taken:
                self._walk_system(other, node.elements, place.element(None, j), reason)
        self._count_elements(gold, system, place, reason, paired=paired, exact=exact)

    def _count_elements(
        self,
        gold: Sequence[object],
        system: Sequence[object],
        place: RecordPlace,
        reason: str,
        *,
        paired: int = 0,
        exact: int = 0,
    ) -> None:
        """Count the objects of two lists."""
        if self._leaves_out(reason):
            return
        ours, theirs = (sum(isinstance(one, dict) for one in side) for side in (gold, system))
        if ours or theirs:
            self._found.elements.append(ListedObjects(place.path + ELEMENT, ours, theirs, paired, exact))

    # ------------------------------------------------------------------------------------------- pairs of elements

    def _pair(
        self, gold: Sequence[object], system: Sequence[object], node: SchemaNode
    ) -> list[tuple[int, int]]:
        """The pairs of the elements of two lists, in the order of gold."""
        if node.ordered:
            return [(at, at) for at in range(min(len(gold), len(system)))]
        known = id(gold), id(system)
        if known not in self._pairs:
            self._pairs[known] = self._best_pairs(gold, system, node)
        return self._pairs[known]

    def _best_pairs(
        self, gold: Sequence[object], system: Sequence[object], node: SchemaNode
    ) -> list[tuple[int, int]]:
        kind = node.similarity or self._similarity
        flat = self._flattened(gold, system, node) if kind in {"dice", "count"} else None
        if flat is None:
            return best_pairs(len(gold), len(system), self._worth(gold, system, node))
        if len(gold) * len(system) >= MANY:
            stages = _worth_in_arrays(*flat, dice=kind == "dice")
            if stages is not None:
                return best_pairs_of_arrays(stages)
        return best_pairs(len(gold), len(system), _worth_of_flat(*flat, dice=kind == "dice"))

    def _worth(
        self, gold: Sequence[object], system: Sequence[object], node: SchemaNode
    ) -> dict[tuple[int, int], Criteria]:
        """Similarity, correct and mismatched leaves of all pairs that have something in common."""
        worth: dict[tuple[int, int], Criteria] = {}
        for i, one in enumerate(gold):
            for j, other in enumerate(system):
                similarity, counts = self._similar(one, other, node)
                if similarity > 0:
                    worth[i, j] = (similarity, counts.correct, counts.mismatched)
        return worth

    def _similar(self, gold: object, system: object, node: SchemaNode) -> Similarity:
        """The similarity of two elements, and the leaves of their walk."""
        inside = node.elements
        if isinstance(gold, dict) and isinstance(system, dict):
            for key in node.key:
                counts = self._counts(gold.get(key), system.get(key), inside.under(key))
                if counts.mismatched or counts.missing or counts.spurious:
                    return Fraction(0), NONE
        kind = node.similarity or self._similarity
        counts = self._counts(gold, system, inside)
        return _SIMILARITIES[kind](self, gold, system, inside, counts), counts

    def _counts(self, gold: object, system: object, node: SchemaNode) -> Counts:
        """The leaves of the walk of two values, without their places."""
        no_gold, no_system = self.is_nothing(gold), self.is_nothing(system)
        if (no_gold and no_system) or node.comparator.name == "skip":
            return NONE
        if isinstance(gold, dict) and (no_system or isinstance(system, dict)):
            theirs: Mapping[str, object] = {} if no_system else system  # type: ignore[assignment]
            total = NONE
            for key, value in gold.items():
                total += self._counts(value, theirs.get(key), node.under(key))
            for key, value in theirs.items():
                if key not in gold:
                    total += self._spurious(value, node, key)
            return total
        if isinstance(gold, list) and (no_system or isinstance(system, list)):
            others: Sequence[object] = [] if no_system else system  # type: ignore[assignment]
            pairs = self._pair(gold, others, node) if gold and others else []
            partner = dict(pairs)
            total = NONE
            for i, one in enumerate(gold):
                total += self._counts(one, others[partner[i]] if i in partner else None, node.elements)
            taken = set(partner.values())
            for j, other in enumerate(others):
                if j not in taken:
                    total += Counts(spurious=self._system_leaves(other, node.elements))
            return total
        if no_gold:
            return Counts(spurious=self._system_leaves(system, node))
        if no_system:
            return Counts(missing=1)
        if isinstance(gold, dict | list) or isinstance(system, dict | list):
            missing = self._counts(gold, None, node).missing
            return Counts(missing=missing, spurious=self._system_leaves(system, node))
        return Counts(correct=1) if node.comparator.agree(gold, system) else Counts(mismatched=1)

    def _spurious(self, value: object, node: SchemaNode, key: str) -> Counts:
        if self._ignores_extra and node.lacks(key):
            return NONE
        return Counts(spurious=self._system_leaves(value, node.under(key)))

    def _system_leaves(self, system: object, node: SchemaNode) -> int:
        """How many leaves a value of the system has that meets nothing."""
        if self.is_nothing(system) or node.comparator.name == "skip":
            return 0
        if isinstance(system, dict):
            return sum(self._spurious(value, node, key).spurious for key, value in system.items())
        if isinstance(system, list):
            return sum(self._system_leaves(one, node.elements) for one in system)
        return 1

    def pruned(
        self, value: object, node: SchemaNode, gold: object = None, *, is_gold: bool = False
    ) -> object:
        """A value without what the walk does not count: skipped paths, keys that are ignored."""
        if node.comparator.name == "skip":
            return None
        if isinstance(value, dict):
            known = gold if isinstance(gold, dict) else {}
            return {
                key: self.pruned(one, node.under(key), known.get(key), is_gold=is_gold)
                for key, one in value.items()
                if node.under(key).comparator.name != "skip"
                and (is_gold or key in known or not (self._ignores_extra and node.lacks(key)))
            }
        if isinstance(value, list):
            return [self.pruned(one, node.elements, is_gold=is_gold) for one in value]
        return value

    # ---------------------------------------------------------------------------------------------- long lists

    def _flattened(
        self, gold: Sequence[object], system: Sequence[object], node: SchemaNode
    ) -> tuple[list[_Flat], list[_Flat]] | None:
        """The leaves of all elements by path, where these are objects without lists, compared by equality; else None."""
        if node.key:
            return None
        flat: tuple[list[_Flat], list[_Flat]] = [], []
        for side, elements in zip(flat, (gold, system), strict=True):
            for one in elements:
                leaves: _Flat = {}
                if not self._flatten(one, node.elements, "", leaves, is_gold=side is flat[0]):
                    return None
                side.append(leaves)
        return flat

    def _flatten(self, value: object, node: SchemaNode, path: str, leaves: _Flat, *, is_gold: bool) -> bool:
        if node.comparator.name == "skip" or self.is_nothing(value):
            return True
        if isinstance(value, dict):
            if self._ignores_extra and node.properties is not None and any(map(node.lacks, value)):
                return False
            return all(
                self._flatten(one, node.under(key), below(path, key), leaves, is_gold=is_gold)
                for key, one in value.items()
            )
        if isinstance(value, list) or not node.comparator.is_equality() or isinstance(value, Alternatives):
            return False
        leaves[path] = kind_of(value), value
        return True


_Flat = dict[str, tuple[str, object]]


def _status(status: Status, reason: str) -> Status:
    return LEFT_OUT if reason == SKIPPED else status


def _worth_of_flat(
    gold: Sequence[_Flat], system: Sequence[_Flat], *, dice: bool
) -> dict[tuple[int, int], Criteria]:
    """As :meth:`Walker._worth`, from leaves by path."""
    worth: dict[tuple[int, int], Criteria] = {}
    for i, one in enumerate(gold):
        for j, other in enumerate(system):
            hits = len(one.items() & other.items())
            if hits:
                similarity = Fraction(2 * hits, len(one) + len(other)) if dice else hits
                worth[i, j] = (similarity, hits, len(one.keys() & other.keys()) - hits)
    return worth


LARGEST = 1 << 40
"""The largest common denominator of similarities that are compared as whole numbers in arrays."""


def _worth_in_arrays(
    gold: Sequence[_Flat], system: Sequence[_Flat], *, dice: bool
) -> list[npt.NDArray[np.int64]] | None:
    """As :meth:`Walker._worth`, path by path for all pairs at once: a matrix for each criterion.

    None where the similarities have no small common denominator.
    """
    import numpy as np

    paths = dict.fromkeys(path for one in (*gold, *system) for path in one)
    correct = np.zeros((len(gold), len(system)), dtype=np.int64)
    shared = np.zeros_like(correct)
    for path in paths:
        codes: dict[object, int] = {}
        ours, theirs = (
            np.array([codes.setdefault(one[path], len(codes)) if path in one else -1 for one in side])
            for side in (gold, system)
        )
        both = (ours >= 0)[:, None] & (theirs >= 0)[None, :]
        correct += (ours[:, None] == theirs[None, :]) & both
        shared += both
    mismatched = np.where(correct > 0, shared - correct, 0)
    if not dice:
        return [correct, mismatched]
    lengths = np.array(list(map(len, gold)))[:, None] + np.array(list(map(len, system)))[None, :]
    whole = lcm(*(int(length) for length in np.unique(lengths) if length))
    if whole > LARGEST:
        return None
    return [2 * correct * (whole // np.maximum(lengths, 1)), correct, mismatched]


# ----------------------------------------------------------------------------------------------- similarities


def _dice(_: Walker, _gold: object, _system: object, _node: SchemaNode, counts: Counts) -> Fraction:
    correct, mismatched, missing, spurious = counts
    leaves = 2 * (correct + mismatched) + missing + spurious
    return Fraction(2 * correct, leaves) if correct else Fraction(0)


def _count(_: Walker, _gold: object, _system: object, _node: SchemaNode, counts: Counts) -> Fraction:
    return Fraction(counts.correct)


def _subset(_: Walker, _gold: object, _system: object, _node: SchemaNode, counts: Counts) -> Fraction:
    return Fraction(bool(counts.correct and not counts.mismatched and not counts.spurious))


def _exact(_: Walker, _gold: object, _system: object, _node: SchemaNode, counts: Counts) -> Fraction:
    return Fraction(
        bool(counts.correct and not counts.mismatched and not counts.spurious and not counts.missing)
    )


def _anls(walker: Walker, gold: object, system: object, node: SchemaNode, _: Counts) -> Fraction:
    ours, theirs = walker.pruned(gold, node, is_gold=True), walker.pruned(system, node, gold)
    return Fraction(round(anls.compare(ours, theirs).mean * 10**DIGITS), 10**DIGITS)


def _weighted(walker: Walker, gold: object, system: object, node: SchemaNode, counts: Counts) -> Fraction:
    if not isinstance(gold, dict) or not isinstance(system, dict):
        return Fraction(counts.correct, sum(counts)) if counts.correct else Fraction(0)
    right = total = Fraction(0)
    for key in [*gold, *(key for key in system if key not in gold)]:
        inside = node.under(key)
        if key in gold:
            leaves = walker._counts(gold[key], system.get(key), inside)  # noqa: SLF001 - a part of the walker
        else:
            leaves = walker._spurious(system[key], node, key)  # noqa: SLF001 - a part of the walker
        right += inside.weight * leaves.correct
        total += inside.weight * sum(leaves)
    return right / total if total else Fraction(0)


_SIMILARITIES: dict[str, Callable[[Walker, object, object, SchemaNode, Counts], Fraction]] = {
    "dice": _dice,
    "count": _count,
    "subset": _subset,
    "exact": _exact,
    "anls": _anls,
    "weighted": _weighted,
}
