"""Stickler: weighted scores of fields against thresholds, and counts of what was compared, nested as the schema is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isfinite
from typing import Literal, NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.model.strings import edit_distance
from lydite.tasks.figures import Confusions
from lydite.tasks.records.paths import RecordPlace, below
from lydite.tasks.records.schema import Violation
from lydite.tasks.records.values import kind_of, shown

KEY = "x-aws-stickler-"
OBJECT_THRESHOLD = Fraction(7, 10)
LEAF_THRESHOLD = Fraction(1, 2)
SLACK = Fraction(1, 10**10)
SMALLEST = Fraction(1, 100)
NOTHING, ALL = Fraction(0), Fraction(1)
TRUE, FALSE = ("true", "yes", "on", "t", "y", "1"), ("false", "no", "off", "f", "n", "0")
Kind = Literal["leaf", "object", "leaves", "objects"]


class Field:
    """What the schema says about a field: how it is compared, its threshold and its weight."""

    def __init__(self, schema: Mapping[str, object]) -> None:
        named = schema.get("type")
        names = [one for one in (named if isinstance(named, list) else [named]) if one != "null"]
        self.type = str(names[0]) if names and names[0] else "string"
        if named is None and "properties" in schema:
            self.type = "object"
        properties, items = schema.get("properties"), schema.get("items")
        self.fields: dict[str, Field] = {}
        self.element: Field | None = None
        self.kind: Kind = "leaf"
        if self.type == "object":
            self.kind = "object"
            named_fields = properties if isinstance(properties, dict) else {}
            self.fields = {
                key: Field(one if isinstance(one, dict) else {}) for key, one in named_fields.items()
            }
        elif self.type == "array":
            self.element = Field(items if isinstance(items, dict) else {})
            self.kind = "objects" if self.element.kind == "object" else "leaves"
        default = OBJECT_THRESHOLD if self.kind == "object" else LEAF_THRESHOLD
        self.threshold = _share(schema.get(f"{KEY}threshold"), default)
        self.weight = _share(schema.get(f"{KEY}weight"), ALL)
        self.clips = schema.get(f"{KEY}clip-under-threshold") is not False
        self.match_threshold = _share(schema.get(f"{KEY}match-threshold"), OBJECT_THRESHOLD)
        of_type = self.element.type if self.kind == "leaves" and self.element else self.type
        default_name = {"number": "Numeric", "integer": "Numeric", "boolean": "Exact"}.get(
            of_type, "Levenshtein"
        )
        written = schema.get(f"{KEY}comparator")
        self.comparator = str(written).removesuffix("Comparator") if written else default_name


def _share(value: object, default: Fraction) -> Fraction:
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Fraction(str(value)) if is_number else default


class Node:
    """The counts of a field, and those of the fields below it; ``bare`` are those of merged nodes without fields."""

    __slots__ = ("bare", "counts", "fields")

    def __init__(
        self, counts: Confusions, fields: Mapping[str, Node] | None = None, bare: Confusions | None = None
    ) -> None:
        self.counts = counts
        self.fields = dict(fields or {})
        self.bare = bare or (Confusions() if self.fields else counts)

    def merged(self, other: Node) -> Node:
        """Both nodes together, name by name."""
        fields = dict(self.fields)
        for name, node in other.fields.items():
            fields[name] = fields[name].merged(node) if name in fields else node
        return Node(self.counts + other.counts, fields, self.bare + other.bare)

    def aggregate(self, *, drops_bare: bool = True) -> Confusions:
        """The counts of the lowest fields; those of this level where these are 0 throughout.

        With ``drops_bare`` a node that was merged without fields vanishes beside those with fields.
        """
        if not self.fields:
            return self.counts
        total = sum((node.aggregate(drops_bare=drops_bare) for node in self.fields.values()), Confusions())
        if not any(total.as_dict().values()):
            total = sum((one.counts for one in self.fields.values()), Confusions())
        return total if drops_bare else total + self.bare


class CountedItem(NamedTuple):
    """A field, or an element of a list, as it was counted."""

    path: str
    gold_id: str | None
    system_id: str | None
    gold: object
    system: object
    counted: Literal["tp", "fd", "fa", "fn", "tn"]
    value: Fraction


class FieldScore(NamedTuple):
    """The score of a field, its counts, and the items behind them."""

    score: Fraction
    node: Node
    items: tuple[CountedItem, ...] = ()


class RecordScore(NamedTuple):
    """The score of a record, and its counts at the top and at the bottom."""

    score: Fraction
    fields: Mapping[str, Fraction]
    overall: Confusions
    aggregate: Confusions
    items: tuple[CountedItem, ...]
    extra: tuple[tuple[str, object], ...]
    """The keys that the schema lacks, by path, with their values."""


# ------------------------------------------------------------------------------------------------------ fitting


def misfits(value: object, field: Field, path: str = "") -> Iterator[Violation]:
    """The places at which the program would stop."""
    if value is None:
        return
    if field.kind == "object":
        if not isinstance(value, dict):
            yield Violation(path, "object", kind_of(value))
            return
        for key, inside in field.fields.items():
            yield from misfits(value.get(key), inside, below(path, key))
    elif field.element is not None:
        if not isinstance(value, list):
            yield Violation(path, "array", kind_of(value))
            return
        for at, one in enumerate(value):
            yield from misfits(one, field.element, f"{path}[{at}]")
    elif _fitted(value, field.type) is None:
        yield Violation(path, field.type, f"{kind_of(value)} {shown(value):.60}")


def _fitted(value: object, name: str) -> object:
    """A leaf as the type of its field; None if it does not fit."""
    if name == "string":
        return value if isinstance(value, str) else None
    if name == "boolean":
        if isinstance(value, bool):
            return value
        word = value.lower() if isinstance(value, str) else str(value)
        return word in TRUE if word in (*TRUE, *FALSE) else None
    if name in {"number", "integer"}:
        number = _number(value)
        if number is None or (name == "integer" and number != int(number)):
            return None
        return int(number) if name == "integer" else number
    return value


def _number(value: object) -> float | int | None:
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str | int | Decimal | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not isfinite(number):
        return None
    return value if isinstance(value, int) else number


# --------------------------------------------------------------------------------------------------- comparing


@lru_cache(maxsize=1 << 16)
def _normalised(text: str) -> str:
    return " ".join(text.lower().split())


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _leaf(field: Field, comparator: str, gold: object, system: object) -> Fraction:
    """How alike two leaves are that are both there."""
    if gold is None or system is None:
        return Fraction(gold is system)
    ours, theirs = _fitted(gold, field.type), _fitted(system, field.type)
    if comparator == "Numeric":
        return Fraction(_decimal(ours) == _decimal(theirs) is not None)
    if comparator == "Exact":
        return Fraction(_as_text(ours) == _as_text(theirs))
    one, two = _normalised(_as_text(ours)), _normalised(_as_text(theirs))
    longer = max(len(one), len(two))
    return Fraction(longer - edit_distance(one, two), longer) if longer else ALL


def _decimal(value: object) -> Decimal | None:
    digits = (
        "".join(sign for sign in value if sign in "0123456789.-") if isinstance(value, str) else repr(value)
    )
    try:
        return Decimal(digits)
    except ArithmeticError:
        return None


def _is_absent(value: object, field: Field) -> bool:
    if value is None:
        return True
    if field.kind == "leaf":
        return value == "" and isinstance(value, str)
    return value == [] and isinstance(value, list)


class Scorer:
    """Scores records under a schema."""

    def __init__(self, schema: Mapping[str, object], *, drops_bare: bool = True) -> None:
        self.root = Field({**schema, "type": "object"})
        self._drops_bare = drops_bare

    def record(self, gold: Mapping[str, object], system: Mapping[str, object]) -> RecordScore:
        """The score and the counts of a record."""
        fields = self._fields(gold, system, self.root, RecordPlace())
        overall = sum((one.node.counts for one in fields.values()), Confusions())
        extra = tuple(self._extra(gold, system, self.root, ""))
        overall += Confusions(fa=len(extra))
        top = Node(Confusions(), {key: one.node for key, one in fields.items()})
        items = tuple(item for one in fields.values() for item in one.items)
        scores = {key: one.score for key, one in fields.items()}
        return RecordScore(
            _mean(scores, self.root),
            scores,
            overall,
            top.aggregate(drops_bare=self._drops_bare),
            items,
            extra,
        )

    def _extra(
        self, gold: object, system: Mapping[str, object], field: Field, path: str
    ) -> Iterator[tuple[str, object]]:
        """The keys of the system that the schema lacks, at the top and in objects that both sides have."""
        for key, value in system.items():
            inside = field.fields.get(key)
            if inside is None:
                yield below(path, key), value
            elif inside.kind == "object" and isinstance(value, dict) and isinstance(gold, Mapping):
                ours = gold.get(key)
                if isinstance(ours, dict):
                    yield from self._extra(ours, value, inside, below(path, key))

    def _fields(
        self,
        gold: Mapping[str, object],
        system: Mapping[str, object],
        field: Field,
        place: RecordPlace,
    ) -> dict[str, FieldScore]:
        return {
            key: self._field(
                gold.get(key),
                system.get(key),
                inside,
                place.under(key),
            )
            for key, inside in field.fields.items()
        }

    def _field(self, gold: object, system: object, field: Field, place: RecordPlace) -> FieldScore:
        no_gold, no_system = _is_absent(gold, field), _is_absent(system, field)
        if no_gold and no_system:
            return FieldScore(ALL, Node(Confusions(tn=1)))
        if no_gold or no_system:
            return self._one_sided(gold, system, field, place)
        if field.kind == "leaf":
            value = _leaf(field, field.comparator, gold, system)
            is_right = value >= field.threshold
            counts = Confusions(tp=1) if is_right else Confusions(fd=1)
            item = CountedItem(*place, gold, system, "tp" if is_right else "fd", value)
            return FieldScore(value if is_right or not field.clips else NOTHING, Node(counts), (item,))
        if field.kind == "object":
            assert isinstance(gold, dict)
            assert isinstance(system, dict)
            value = self.raw(gold, system, field)
            is_right = value >= field.threshold
            counts = Confusions(tp=1) if is_right else Confusions(fd=1)
            below_it = self._fields(gold, system, field, place)
            node = Node(counts, {key: one.node for key, one in below_it.items()})
            item = CountedItem(*place, gold, system, "tp" if is_right else "fd", value)
            return FieldScore(value if is_right or not field.clips else NOTHING, node, (item,))
        assert isinstance(gold, list)
        assert isinstance(system, list)
        if field.kind == "leaves":
            return self._list_of_leaves(gold, system, field, place)
        return self._list_of_objects(gold, system, field, place)

    def _one_sided(self, gold: object, system: object, field: Field, place: RecordPlace) -> FieldScore:
        has_gold = not _is_absent(gold, field)
        value = gold if has_gold else system
        name: Literal["fn", "fa"] = "fn" if has_gold else "fa"
        is_list = isinstance(value, list)
        values: list[object] = value if isinstance(value, list) else [value]
        items = []
        for at, one in enumerate(values):
            here = place.element(at, at) if is_list else place
            if has_gold:
                items.append(CountedItem(here.path, here.gold, None, one, None, name, NOTHING))
            else:
                items.append(CountedItem(here.path, None, here.system, None, one, name, NOTHING))
        counts = Confusions(fn=len(values)) if has_gold else Confusions(fa=len(values))
        return FieldScore(NOTHING, Node(counts), tuple(items))

    def raw(self, gold: Mapping[str, object], system: Mapping[str, object], field: Field) -> Fraction:
        """How alike two objects are, without thresholds."""
        total = weights = NOTHING
        is_compared = False
        for key, inside in field.fields.items():
            ours, theirs = gold.get(key), system.get(key)
            no_gold, no_system = _is_absent(ours, inside), _is_absent(theirs, inside)
            if no_gold and no_system:
                continue
            is_compared = True
            weights += inside.weight
            if no_gold or no_system:
                continue
            total += inside.weight * self._raw_field(ours, theirs, inside)
        if not is_compared:
            return ALL
        return total / weights if weights else NOTHING

    def _raw_field(self, gold: object, system: object, field: Field) -> Fraction:
        if field.kind == "leaf":
            return _leaf(field, field.comparator, gold, system)
        if field.kind == "object":
            assert isinstance(gold, dict)
            assert isinstance(system, dict)
            return self.raw(gold, system, field)
        assert isinstance(gold, list)
        assert isinstance(system, list)
        pairs, worth = self._pairs(gold, system, field)
        if field.kind == "leaves":
            return sum((worth[pair][0] for pair in pairs), NOTHING) / max(len(gold), len(system))
        return self._sum_of_records(worth, pairs, max(len(gold), len(system)))

    @staticmethod
    def _sum_of_records(
        worth: Mapping[tuple[int, int], tuple[Fraction, int, Fraction]],
        pairs: Sequence[tuple[int, int]],
        longer: int,
    ) -> Fraction:
        scores = (worth[pair][2] for pair in pairs)
        return sum((score for score in scores if score >= SMALLEST / longer), NOTHING) / longer

    def _pairs(
        self, gold: Sequence[object], system: Sequence[object], field: Field
    ) -> tuple[list[tuple[int, int]], dict[tuple[int, int], tuple[Fraction, int, Fraction]]]:
        """The pairs of elements, and of every possible pair: how alike it is, whether it is equal, its score as records."""
        assert field.element is not None
        worth: dict[tuple[int, int], tuple[Fraction, int, Fraction]] = {}
        for i, j in product(range(len(gold)), range(len(system))):
            one, other = gold[i], system[j]
            if field.kind == "leaves":
                alike = _leaf(field.element, field.comparator, one, other)
                worth[i, j] = (alike, int(one == other), NOTHING)
            else:
                ours, theirs = _as_object(one), _as_object(other)
                score = self._record_score(ours, theirs, field.element)
                worth[i, j] = (self.raw(ours, theirs, field.element), int(one == other), score)
        return best_pairs(len(gold), len(system), worth, full=True), worth

    def _record_score(
        self, gold: Mapping[str, object], system: Mapping[str, object], field: Field
    ) -> Fraction:
        """The score of two objects as records: the weighted mean of their fields."""
        fields = self._fields(gold, system, field, RecordPlace())
        return _mean({key: one.score for key, one in fields.items()}, field)

    def _list_of_leaves(
        self,
        gold: Sequence[object],
        system: Sequence[object],
        field: Field,
        place: RecordPlace,
    ) -> FieldScore:
        pairs, worth = self._pairs(gold, system, field)
        items, counts = [], Confusions()
        total = NOTHING
        for i, j in pairs:
            value = worth[i, j][0]
            is_right = value >= field.threshold - SLACK
            counts += Confusions(tp=1) if is_right else Confusions(fd=1)
            total += value if value >= field.threshold else NOTHING
            name: Literal["tp", "fd"] = "tp" if is_right else "fd"
            items.append(CountedItem(*place.element(i, j), gold[i], system[j], name, value))
        rest = _without_partner(gold, system, pairs, place)
        counts += _counts_of(rest)
        return FieldScore(total / max(len(gold), len(system)), Node(counts), (*items, *rest))

    def _list_of_objects(
        self,
        gold: Sequence[object],
        system: Sequence[object],
        field: Field,
        place: RecordPlace,
    ) -> FieldScore:
        assert field.element is not None
        pairs, worth = self._pairs(gold, system, field)
        items, counts = [], Confusions()
        merged: Node | None = None
        for i, j in pairs:
            value = worth[i, j][0]
            is_right = value >= field.element.match_threshold
            counts += Confusions(tp=1) if is_right else Confusions(fd=1)
            name: Literal["tp", "fd"] = "tp" if is_right else "fd"
            items.append(CountedItem(*place.element(i, j), gold[i], system[j], name, value))
            if is_right:
                ours, theirs = _as_object(gold[i]), _as_object(system[j])
                fields = self._fields(ours, theirs, field.element, RecordPlace())
                node = Node(Confusions(), {key: one.node for key, one in fields.items()})
                merged = node if merged is None else merged.merged(node)
        rest = _without_partner(gold, system, pairs, place)
        counts += _counts_of(rest)
        score = self._sum_of_records(worth, pairs, max(len(gold), len(system)))
        return FieldScore(score, Node(counts, merged.fields if merged else None), (*items, *rest))


def _as_object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _mean(scores: Mapping[str, Fraction], field: Field) -> Fraction:
    """The weighted mean of the scores of fields."""
    weights = sum((field.fields[key].weight for key in scores), NOTHING)
    total = sum((field.fields[key].weight * score for key, score in scores.items()), NOTHING)
    return total / weights if weights else NOTHING


def _without_partner(
    gold: Sequence[object],
    system: Sequence[object],
    pairs: Sequence[tuple[int, int]],
    place: RecordPlace,
) -> list[CountedItem]:
    """The elements of both lists that are in no pair."""
    paired_gold, paired_system = {i for i, _ in pairs}, {j for _, j in pairs}
    items = [
        CountedItem(place.element(i, None).path, place.element(i, None).gold, None, one, None, "fn", NOTHING)
        for i, one in enumerate(gold)
        if i not in paired_gold
    ]
    items += [
        CountedItem(
            place.element(None, j).path, None, place.element(None, j).system, None, one, "fa", NOTHING
        )
        for j, one in enumerate(system)
        if j not in paired_system
    ]
    return items


def _counts_of(items: Sequence[CountedItem]) -> Confusions:
    return Confusions(
        fn=sum(item.counted == "fn" for item in items), fa=sum(item.counted == "fa" for item in items)
    )
