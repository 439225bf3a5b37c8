"""Templates of MUC-4 as GRIT, GTT and IterX score them: roles are filled by entities, entities are sets of mentions."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.tasks.figures import Credits

ROLES = ("PerpInd", "PerpOrg", "Target", "Victim", "Weapon")
TYPE_KEY = "incident_type"
TYPE = "incident_type"
DEFAULT_TYPE = "attack"

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation))
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


@lru_cache(maxsize=1 << 16)
def normalise(mention: str) -> str:
    """Lower case, without punctuation and articles, with single blanks."""
    return " ".join(_ARTICLE.sub(" ", mention.lower().translate(_PUNCTUATION)).split())


class FilledEntity(NamedTuple):
    """The mentions of an entity, normalised; where it stands, and its words for people."""

    mentions: tuple[str, ...]
    place: str
    words: object

    def holds(self, other: FilledEntity) -> bool:
        """Whether every mention of another entity is one of this."""
        return all(mention in self.mentions for mention in other.mentions)


Filled = Mapping[str, Sequence[FilledEntity]]


def entities_of(value: object, place: str, *, is_gold: bool) -> list[FilledEntity]:
    """The entities of a role; gold ones without mentions are dropped."""
    found = []
    for at, one in enumerate(value if isinstance(value, list) else []):
        written = one if isinstance(one, list) else [one]
        words = [text[0] if isinstance(text, list) and text else text for text in written]
        mentions = tuple(normalise(text) for text in words if isinstance(text, str))
        if mentions or not is_gold:
            found.append(FilledEntity(mentions, f"{place}[{at}]", words))
    return found


def roles_of(value: object, *, is_gold: bool, place: str = "") -> dict[str, list[FilledEntity]]:
    """The entities of the five roles."""
    roles = value if isinstance(value, dict) else {}
    return {role: entities_of(roles.get(role), f"{place}{role}", is_gold=is_gold) for role in ROLES}


def in_record(record: object, *names: str) -> object:
    """What a record has under the first of these keys that it has."""
    held = record if isinstance(record, dict) else {}
    return next((held[name] for name in names if name in held), None)


# --------------------------------------------------------------------------------------------------------- GRIT


def subset(gold: FilledEntity, system: FilledEntity) -> Fraction:
    """1 if every mention of the system's entity is one of gold's."""
    return Fraction(gold.holds(system))


def proportional(gold: FilledEntity, system: FilledEntity) -> Fraction:
    """The mentions of gold's entity that the system's has, out of those of the system's."""
    if not system.mentions:
        return Fraction(0)
    return Fraction(sum(mention in system.mentions for mention in gold.mentions), len(system.mentions))


SIMILARITIES: Mapping[str, Callable[[FilledEntity, FilledEntity], Fraction]] = {
    "subset": subset,
    "proportional": proportional,
}


class RoleFillers(NamedTuple):
    """The entities of one role on both sides, and the pairs that were assigned."""

    role: str
    gold: Sequence[FilledEntity]
    system: Sequence[FilledEntity]
    pairs: Mapping[int, tuple[int, Fraction]]
    """Gold position → system position and similarity."""

    @property
    def credits(self) -> Credits:
        """The sum of similarities, out of the entities of both sides."""
        total = float(sum((similarity for _, similarity in self.pairs.values()), Fraction(0)))
        return Credits(total, len(self.system), total, len(self.gold))


def assign(
    role: str, gold: Sequence[FilledEntity], system: Sequence[FilledEntity], similarity: str
) -> RoleFillers:
    """Assign the entities of a role one to one, with the largest sum of similarity."""
    alike = SIMILARITIES[similarity]
    worth = {
        (i, j): (value,)
        for i, one in enumerate(gold)
        for j, other in enumerate(system)
        if (value := alike(one, other))
    }
    pairs = best_pairs(len(gold), len(system), worth)
    return RoleFillers(role, gold, system, {i: (j, worth[i, j][0]) for i, j in pairs})


# ------------------------------------------------------------------------------------------------------ templates


class MucTemplate(NamedTuple):
    """A template: its type, the entities of its roles, and where it stands."""

    type: str
    roles: Filled
    place: str

    @property
    def size(self) -> int:
        """How many entities fill its roles."""
        return sum(map(len, self.roles.values()))


def distinct_templates(value: object) -> list[tuple[int, Mapping[str, object]]]:
    """The templates of gold with their positions; equal ones, with the same roles in the same order, count once."""
    seen: list[list[tuple[str, object]]] = []
    found: list[tuple[int, Mapping[str, object]]] = []
    for at, one in enumerate(value if isinstance(value, list) else []):
        if isinstance(one, dict) and (items := list(one.items())) not in seen:
            seen.append(items)
            found.append((at, one))
    return found


def system_templates(value: object) -> list[tuple[int, Mapping[str, object]]]:
    """The templates of a system with their positions."""
    return [
        (at, one) for at, one in enumerate(value if isinstance(value, list) else []) if isinstance(one, dict)
    ]


# ----------------------------------------------------------------------------------------------------------- GTT


class TemplatePair(NamedTuple):
    """What a system template earns with a gold template: entities by role that are right, for P and for R."""

    holds: bool
    p_right: Mapping[str, frozenset[int]]
    r_right: Mapping[str, frozenset[int]]

    @property
    def p_num(self) -> int:
        """What counts for precision, the type included."""
        return int(self.holds) + sum(map(len, self.p_right.values()))

    @property
    def r_num(self) -> int:
        """What counts for recall, the type included."""
        return int(self.holds) + sum(map(len, self.r_right.values()))


NO_PAIR = TemplatePair(holds=False, p_right={}, r_right={})


class Mapped(NamedTuple):
    """The templates of a document on both sides, and the mapping that counts."""

    gold: Sequence[MucTemplate]
    system: Sequence[MucTemplate]
    mapping: Sequence[int | None]
    """The gold template of every system template."""
    table: Sequence[Sequence[TemplatePair]]

    def credits(self) -> dict[str, Credits]:
        """The counts of the type and of every role."""
        found = {}
        for name in (*ROLES, TYPE):
            p_den = self._number(self.system, name)
            r_den = self._number(self.gold, name)
            pairs = [self.table[at][to] for at, to in enumerate(self.mapping) if to is not None]
            if name == TYPE:
                p_num = r_num = sum(pair.holds for pair in pairs)
            else:
                p_num = sum(len(pair.p_right.get(name, ())) for pair in pairs)
                r_num = sum(len(pair.r_right.get(name, ())) for pair in pairs)
            found[name] = Credits(p_num, p_den, r_num, r_den)
        return found

    @staticmethod
    def _number(templates: Sequence[MucTemplate], name: str) -> int:
        return len(templates) if name == TYPE else sum(len(one.roles[name]) for one in templates)


def _type_of(template: Mapping[str, object]) -> str:
    written = template.get(TYPE_KEY)
    return written if isinstance(written, str) else DEFAULT_TYPE


def map_templates(gold: object, system: object) -> Mapped:
    """The first mapping of system templates to gold templates with the highest F1 of the document."""
    ours = [
        MucTemplate(_type_of(one), roles_of(one, is_gold=True, place=f"templates[{at}]."), f"templates[{at}]")
        for at, one in distinct_templates(gold)
    ]
    theirs = [
        MucTemplate(
            _type_of(one), roles_of(one, is_gold=False, place=f"templates[{at}]."), f"templates[{at}]"
        )
        for at, one in system_templates(system)
    ]
    table = [[_pair(one, other) for one in ours] for other in theirs]
    p_den = len(theirs) + sum(one.size for one in theirs)
    r_den = len(ours) + sum(one.size for one in ours)
    return Mapped(ours, theirs, _best_mapping(table, len(ours), p_den, r_den), table)


def _pair(gold: MucTemplate, system: MucTemplate) -> TemplatePair:
    if system.type not in gold.type:
        return NO_PAIR
    p_right, r_right = {}, {}
    for role in ROLES:
        ours, theirs = gold.roles[role], system.roles[role]
        p_right[role] = frozenset(
            j for j, other in enumerate(theirs) if any(one.holds(other) for one in ours)
        )
        r_right[role] = frozenset(i for i, one in enumerate(ours) if any(map(one.holds, theirs)))
    return TemplatePair(holds=True, p_right=p_right, r_right=r_right)


def _best_mapping(
    table: Sequence[Sequence[TemplatePair]], golds: int, p_den: int, r_den: int
) -> list[int | None]:
    """Every mapping in order, without those that cannot be better than the best one so far."""
    most = [(0, 0)]
    for row in reversed(table):
        p_most, r_most = (
            max((one.p_num for one in row), default=0),
            max((one.r_num for one in row), default=0),
        )
        most.append((most[-1][0] + p_most, most[-1][1] + r_most))
    most.reverse()

    def figure(p_num: int, r_num: int) -> Fraction:
        divisor = p_num * r_den + r_num * p_den
        return Fraction(2 * p_num * r_num, divisor) if divisor else Fraction(0)

    best: list[int | None] = []
    best_figure = Fraction(-1)
    chosen: list[int | None] = []

    def search(at: int, free: frozenset[int], p_num: int, r_num: int) -> None:
        nonlocal best, best_figure
        if figure(p_num + most[at][0], r_num + most[at][1]) <= best_figure:
            return
        if at == len(table):
            best, best_figure = list(chosen), figure(p_num, r_num)
            return
        for to in (*sorted(free), None):
            pair = NO_PAIR if to is None else table[at][to]
            chosen.append(to)
            search(at + 1, free - {to}, p_num + pair.p_num, r_num + pair.r_num)
            chosen.pop()

    search(0, frozenset(range(golds)), 0, 0)
    return best


# --------------------------------------------------------------------------------------------------------- IterX

Mention = tuple[str, str, str]
"""Template type, role, string."""


class TypedEntity(NamedTuple):
    """An entity of a template of some type, by its mentions."""

    mentions: tuple[Mention, ...]
    entity: FilledEntity
    role: str


class TypedTemplate(NamedTuple):
    """A template under one of its types; ``origin`` is the template that it stands for."""

    entities: tuple[TypedEntity, ...]
    origin: int
    place: str


class Matched(NamedTuple):
    """The templates of a document on both sides, the pairs, and the counts."""

    gold: Sequence[TypedTemplate]
    system: Sequence[TypedTemplate]
    pairs: Mapping[int, int]
    """Gold template → system template."""
    credits: Credits
    right: frozenset[tuple[str, str, int]]
    """Side, place of the entity and number of the mention, of all mentions that count."""


def _typed(roles: Mapping[str, Sequence[FilledEntity]], name: str, origin: int, place: str) -> TypedTemplate:
    entities = tuple(
        TypedEntity(tuple((name, role, text) for text in one.mentions), one, role)
        for role, fillers in roles.items()
        for one in fillers
    )
    return TypedTemplate(entities, origin, place)


def _gold_roles(template: Mapping[str, object], place: str) -> dict[str, list[FilledEntity]]:
    return {
        role: entities_of(value, f"{place}.{role}", is_gold=True)
        for role, value in template.items()
        if role != TYPE_KEY and isinstance(value, list)
    }


_IN_ANY_CASE = {**{role: role for role in ROLES}, **{role.lower(): role for role in ROLES}}


def _system_roles(template: Mapping[str, object], place: str) -> dict[str, list[FilledEntity]]:
    roles: dict[str, list[FilledEntity]] = {}
    for written, value in template.items():
        if written in _IN_ANY_CASE:
            found = entities_of(value, f"{place}.{written}", is_gold=True)
            roles.setdefault(_IN_ANY_CASE[written], []).extend(found)
    return roles


def match_templates(gold: object, system: object, similarity: str, *, count_copies: bool) -> Matched:
    """TemplatePair the templates of a document so that most is right; alternatives of a type stand for one template."""
    theirs = [
        _typed(_system_roles(one, f"templates[{at}]"), _type_of(one), at, f"templates[{at}]")
        for at, one in system_templates(system)
    ]
    splits = any(one.entities for one in theirs)
    ours: list[TypedTemplate] = []
    for at, one in distinct_templates(gold):
        place = f"templates[{at}]"
        written = _type_of(one)
        names = [name.strip() for name in written.split("/")] if splits else [written]
        ours += [_typed(_gold_roles(one, place), name, at, place) for name in names]
    compare = _phi3 if similarity == "phi3" else _phi_subset
    table = {(i, j): compare(one, other) for i, one in enumerate(ours) for j, other in enumerate(theirs)}
    kept = _better_alternatives(ours, len(theirs), table)
    worth = {
        (i, j): (Fraction(p_sum), Fraction(r_sum))
        for (i, j), (p_sum, r_sum, _) in table.items()
        if i in kept and p_sum
    }
    pairs = dict(best_pairs(len(ours), len(theirs), worth))
    counted = list(range(len(ours))) if count_copies and similarity == "phi3" else sorted(kept)
    size = _mentions if similarity == "phi3" else len
    earned = Credits(
        sum(table[pair][0] for pair in pairs.items()),
        sum(size(one.entities) for one in theirs),
        sum(table[pair][1] for pair in pairs.items()),
        sum(size(ours[i].entities) for i in counted),
    )
    right = frozenset(mark for pair in pairs.items() for mark in table[pair][2])
    gold_once = [ours[i] for i in sorted(kept)]
    at_kept = {i: at for at, i in enumerate(sorted(kept))}
    return Matched(gold_once, theirs, {at_kept[i]: j for i, j in pairs.items()}, earned, right)


def _mentions(entities: Sequence[TypedEntity]) -> int:
    return sum(len(one.mentions) for one in entities)


_Similar = tuple[int, int, list[tuple[str, str, int]]]


def _better_alternatives(
    templates: Sequence[TypedTemplate], others: int, table: Mapping[tuple[int, int], _Similar]
) -> set[int]:
    """Of the templates that stand for one, that with the largest sum of similarities, the first of equals."""
    best: dict[int, tuple[int, int]] = {}
    for i, one in enumerate(templates):
        total = sum(table[i, j][0] for j in range(others))
        if one.origin not in best or total > best[one.origin][0]:
            best[one.origin] = total, i
    return {i for _, i in best.values()}


def _phi3(gold: TypedTemplate, system: TypedTemplate) -> _Similar:
    worth = {
        (i, j): (Fraction(shared),)
        for i, one in enumerate(gold.entities)
        for j, other in enumerate(system.entities)
        if (shared := sum(mention in one.mentions for mention in other.mentions))
    }
    pairs = best_pairs(len(gold.entities), len(system.entities), worth)
    marks = []
    total = 0
    for i, j in pairs:
        one, other = gold.entities[i], system.entities[j]
        total += int(worth[i, j][0])
        marks += [
            ("system", other.entity.place, at)
            for at in range(len(other.mentions))
            if other.mentions[at] in one.mentions
        ]
        marks += [
            ("gold", one.entity.place, at)
            for at in range(len(one.mentions))
            if one.mentions[at] in other.mentions
        ]
    return total, total, marks


def _phi_subset(gold: TypedTemplate, system: TypedTemplate) -> _Similar:
    found: list[int] = []
    for other in system.entities:
        holder = (
            i for mention in other.mentions for i, one in enumerate(gold.entities) if mention in one.mentions
        )
        first = next(holder, None)
        if first is not None:
            found.append(first)
    return len(found), len(set(found)), []
