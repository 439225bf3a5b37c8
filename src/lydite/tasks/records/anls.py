"""ANLS*: how alike two records are, leaf by leaf, by edit distance; lists pair so that the sum of means is largest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.model.strings import edit_distance
from lydite.tasks.records.paths import below
from lydite.tasks.records.values import Alternatives, text_of


class Missing:
    """What stands where a record has no value."""

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = Missing()
Tree = dict[str, "KeyScore"]


class KeyScore(NamedTuple):
    """The mean of a key of an object, over the pairs it occurs in, and those of the keys below."""

    score: Fraction | None
    fields: Tree


class LeafMatch(NamedTuple):
    """A leaf, or what is compared as a whole: both ids, what it earned, and how the two sides meet."""

    gold: str | None
    system: str | None
    path: str
    credit: Fraction
    gold_value: object
    system_value: object
    differ_in_type: bool = False


class Likeness(NamedTuple):
    """What a comparison earned out of its length, and the value of gold that was chosen."""

    sum: Fraction
    length: int
    chosen: object
    fields: Tree
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def mean(self) -> Fraction:
        """The sum out of the length; 1 for length 0."""
        return self.sum / self.length if self.length else Fraction(1)


def length_of(value: object) -> int:
    """How many leaves a value has; nothing is one, of alternatives the largest counts."""
    if isinstance(value, Alternatives):
        return max(map(length_of, value))
    if isinstance(value, dict):
        return sum(map(length_of, value.values()))
    return sum(map(length_of, value)) if isinstance(value, list) else 1


def is_empty(value: object) -> bool:
    """Null, a missing key, an empty string, list or object."""
    return value is None or value is MISSING or value in ("", [], {})


def as_alternatives(gold: object, system: object) -> object:
    """At the top, a list of strings in gold against a string is a set of alternatives."""
    is_set = isinstance(gold, list) and gold and isinstance(system, str)
    return Alternatives(gold) if is_set and all(isinstance(one, str) for one in gold) else gold  # type: ignore[attr-defined,arg-type]


def compare(gold: object, system: object) -> Likeness:
    """How alike two values are."""
    if isinstance(gold, Alternatives):
        return _best_alternative(gold, system)[1]
    if gold is None or gold is MISSING:
        is_right = is_empty(system)
        return Likeness(Fraction(is_right), max(1, length_of(system)), system if is_right else gold, {})
    if isinstance(gold, dict):
        if isinstance(system, dict):
            return _compare_objects(gold, system)
        return Likeness(Fraction(0), max(length_of(gold), length_of(system)), gold, {})
    if isinstance(gold, list):
        if isinstance(system, list):
            return _compare_lists(gold, system)
        return Likeness(Fraction(0), max(length_of(gold), length_of(system)), gold, {})
    if system is None or system is MISSING or isinstance(system, dict | list):
        return Likeness(Fraction(0), max(1, length_of(system)), gold, {})
    return Likeness(likeness_of_leaves(gold, system), 1, gold, {})


def _best_alternative(gold: Alternatives, system: object) -> tuple[int, Likeness]:
    found = [compare(one, system) for one in gold]
    at = max(range(len(found)), key=lambda at: (found[at].mean, found[at].chosen == system, -at))
    return at, found[at]


@lru_cache(maxsize=1 << 16)
def _normalised(text: str) -> str:
    return " ".join(text.lower().split())


def likeness_of_leaves(gold: object, system: object) -> Fraction:
    """1 − distance / longer length of both as text; below one half it is 0."""
    ours, theirs = _normalised(text_of(gold)), _normalised(text_of(system))
    longer = max(len(ours), len(theirs))
    if ours == theirs:
        return Fraction(1)
    alike = Fraction(longer - edit_distance(ours, theirs), longer)
    return alike if 2 * alike >= 1 else Fraction(0)


def _compare_objects(gold: Mapping[str, object], system: Mapping[str, object]) -> Likeness:
    total, length = Fraction(0), 0
    chosen: dict[str, object] = {}
    fields: Tree = {}
    for key in [*gold, *(key for key in system if key not in gold)]:
        found = compare(gold.get(key, MISSING), system.get(key, MISSING))
        length += found.length
        if key in gold:
            total += found.sum
            if found.chosen is not MISSING:
                chosen[key] = found.chosen
        elif is_empty(system[key]):
            continue
        fields[key] = KeyScore(found.mean, found.fields)
    return Likeness(total, length, chosen, fields)


def _compare_lists(gold: list[object], system: list[object]) -> Likeness:
    table = {(i, j): compare(one, other) for i, one in enumerate(gold) for j, other in enumerate(system)}
    gold_lengths, system_lengths = list(map(length_of, gold)), list(map(length_of, system))
    worth = {
        (i, j): (
            found.mean,
            int(found.chosen == system[j]),
            gold_lengths[i] + system_lengths[j] - found.length,
        )
        for (i, j), found in table.items()
    }
    pairs = best_pairs(len(gold), len(system), worth, full=True)
    matches = [table[pair] for pair in pairs]
    alone_gold = set(range(len(gold))) - {i for i, _ in pairs}
    alone_system = set(range(len(system))) - {j for _, j in pairs}
    length = sum(found.length for found in matches)
    length += sum(gold_lengths[i] for i in alone_gold) + sum(system_lengths[j] for j in alone_system)
    # In the order of the system, so that the chosen value does not depend on the order of gold.
    chosen = [table[pair].chosen for pair in sorted(pairs, key=lambda pair: pair[1])]
    chosen += [gold[i] for i in sorted(alone_gold)]
    total = sum((found.sum for found in matches), Fraction(0))
    return Likeness(total, length, chosen, _mean_of_trees([found.fields for found in matches]), tuple(pairs))


def _mean_of_trees(trees: list[Tree]) -> Tree:
    """Key by key, the mean over the trees that have it."""
    names = dict.fromkeys(name for tree in trees for name in tree)
    merged: Tree = {}
    for name in names:
        entries = [tree[name] for tree in trees if name in tree]
        scores = [one.score for one in entries if one.score is not None]
        score = sum(scores, Fraction(0)) / len(scores) if scores else None
        merged[name] = KeyScore(score, _mean_of_trees([one.fields for one in entries]))
    return merged


def tree_as_dict(tree: Tree) -> dict[str, object]:
    """The means of keys as nested objects of numbers."""
    return {
        name: {
            "score": None if one.score is None else float(one.score),
            **({"fields": tree_as_dict(one.fields)} if one.fields else {}),
        }
        for name, one in tree.items()
    }


def matches(
    gold: object, system: object, path: str = "", gold_id: str = "", system_id: str = ""
) -> Iterator[LeafMatch]:
    """The leaves of both sides as they met; what nothing meets stands alone."""
    if isinstance(gold, Alternatives):
        gold = gold[_best_alternative(gold, system)[0]]
    if isinstance(gold, dict) and isinstance(system, dict):
        for key in [*gold, *(key for key in system if key not in gold)]:
            places = below(path, key), below(gold_id, key), below(system_id, key)
            yield from matches(gold.get(key, MISSING), system.get(key, MISSING), *places)
    elif isinstance(gold, list) and isinstance(system, list):
        pairs = dict(_compare_lists(gold, system).pairs)
        for i, one in enumerate(gold):
            other = system[pairs[i]] if i in pairs else MISSING
            yield from matches(one, other, f"{path}[]", f"{gold_id}[{i}]", f"{system_id}[{pairs.get(i, '')}]")
        for j in sorted(set(range(len(system))) - set(pairs.values())):
            yield from matches(MISSING, system[j], f"{path}[]", f"{gold_id}[]", f"{system_id}[{j}]")
    elif is_empty(gold) and is_empty(system):
        return
    elif is_empty(gold) or is_empty(system):
        yield from _alone(gold, path, gold_id, is_gold=True)
        yield from _alone(system, path, system_id, is_gold=False)
    elif isinstance(gold, dict | list) or isinstance(system, dict | list):
        for leaf in _alone(gold, path, gold_id, is_gold=True):
            yield leaf._replace(differ_in_type=True)
        for leaf in _alone(system, path, system_id, is_gold=False):
            yield leaf._replace(differ_in_type=True)
    else:
        yield LeafMatch(gold_id, system_id, path, likeness_of_leaves(gold, system), gold, system)


def _alone(value: object, path: str, item: str, *, is_gold: bool) -> Iterator[LeafMatch]:
    """The leaves of a value that meets nothing on the other side."""
    if isinstance(value, Alternatives):
        value = value[0]
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _alone(one, below(path, key), below(item, key), is_gold=is_gold)
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from _alone(one, f"{path}[]", f"{item}[{at}]", is_gold=is_gold)
    elif not is_empty(value):
        if is_gold:
            yield LeafMatch(item, None, path, Fraction(0), value, None)
        else:
            yield LeafMatch(None, item, path, Fraction(0), None, value)
