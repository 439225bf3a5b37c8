"""What was recognised in mapped ACE elements: attributes, argument roles, names, and extents of mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lydite.model import Score
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, Region
from lydite.model.ace_alignment import ArgumentPairs, Occurrence, Outcome
from lydite.model.ace_parameters import Parameters
from lydite.model.tally import Empty, ratio

ATTRIBUTES = {
    ENTITY: ("CLASS", "LEVEL", "SUBTYPE", "TYPE"),
    "value": ("SUBTYPE", "TYPE"),
    TIMEX2: ("ANCHOR_DIR", "ANCHOR_VAL", "COMMENT", "MOD", "NON_SPECIFIC", "SET", "TYPE", "VAL"),
    RELATION: ("MODALITY", "SUBTYPE", "TENSE", "TYPE"),
    EVENT: ("GENERICITY", "MODALITY", "POLARITY", "SUBTYPE", "TENSE", "TYPE"),
}


@dataclass(frozen=True, slots=True)
class Recognised:
    """Items of gold, spurious and missed ones, and of those that both sides have the wrong and the right ones."""

    gold: int = 0
    spurious: int = 0
    missed: int = 0
    wrong: int = 0
    right: int = 0

    def __add__(self, other: Recognised) -> Recognised:
        return Recognised(
            self.gold + other.gold,
            self.spurious + other.spurious,
            self.missed + other.missed,
            self.wrong + other.wrong,
            self.right + other.right,
        )

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Right ones over all that the system has, and over all of gold."""
        return Score.of(
            ratio(self.right, self.right + self.wrong + self.spurious, empty=empty),
            ratio(self.right, self.gold, empty=empty),
            empty=empty,
        )

    def swapped(self) -> Recognised:
        """The sides exchanged."""
        return Recognised(self.right + self.wrong + self.spurious, self.missed, self.spurious, self.wrong, self.right)

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "gold": self.gold,
            "spurious": self.spurious,
            "missed": self.missed,
            "wrong": self.wrong,
            "right": self.right,
        }


Rows = Iterator[tuple[str, Recognised]]


def _both(outcomes: Iterable[Outcome]) -> Iterator[tuple[Outcome, Occurrence, Occurrence]]:
    for outcome in outcomes:
        if outcome.gold is not None and outcome.system is not None:
            yield outcome, outcome.gold, outcome.system


def attributes(kind: str, outcomes: Iterable[Outcome]) -> Rows:
    """By attribute: both have it and agree (right) or not (wrong), only gold has it, only the system has it."""
    for _, gold, system in _both(outcomes):
        for name in ATTRIBUTES[kind]:
            one, other = gold.attributes.get(name), system.attributes.get(name)
            if one is None and other is None:
                continue
            if one is None:
                yield name, Recognised(spurious=1)
            elif other is None:
                yield name, Recognised(gold=1, missed=1)
            else:
                yield name, Recognised(gold=1, wrong=int(one != other), right=int(one == other))


def confusions(kind: str, outcomes: Iterable[Outcome]) -> Rows:
    """By attribute, gold value and system value, of mapped occurrences: ``TYPE: PER > ORG``."""
    for _, gold, system in _both(outcomes):
        for name in ATTRIBUTES[kind]:
            one, other = gold.attributes.get(name), system.attributes.get(name)
            if one is not None or other is not None:
                same = one == other
                yield f"{name}: {one or '-'} > {other or '-'}", Recognised(
                    gold=int(one is not None), wrong=int(not same), right=int(same)
                )


def roles(outcomes: Iterable[Outcome]) -> Rows:
    """Argument roles of mapped relations or events: of all, of those with equal type, of those with equal subtype too.

    A pair is counted in every document that both have, with the same argument map.
    """
    for outcome in outcomes:
        if outcome.arguments is not None:
            yield from _role_rows(outcome)


def _role_rows(outcome: Outcome) -> Rows:
    assert outcome.gold is not None
    assert outcome.system is not None
    assert outcome.arguments is not None
    counted = _counted(outcome.arguments)
    yield "all", counted
    if outcome.gold.attributes.get("TYPE") == outcome.system.attributes.get("TYPE"):
        yield "type", counted
        if outcome.gold.attributes.get("SUBTYPE") == outcome.system.attributes.get("SUBTYPE"):
            yield "type and subtype", counted


def _counted(arguments: ArgumentPairs) -> Recognised:
    joined = len(arguments.pairs)
    wrong = sum(1 for gold_role, _, system_role, _ in arguments.pairs if gold_role != system_role)
    return Recognised(
        arguments.gold_count,
        arguments.system_count - joined,
        arguments.gold_count - joined,
        wrong,
        joined - wrong,
    )


def names(outcomes: Iterable[Outcome]) -> Rows:
    """Names of mapped entities by the type of the gold entity: joined and equal (right) or not (wrong)."""
    for outcome, gold, system in _both(outcomes):
        joined = len(outcome.names)
        right = sum(1 for i, j in outcome.names if gold.names[i] == system.names[j])
        yield gold.attributes.get("TYPE", ""), Recognised(
            len(gold.names), len(system.names) - joined, len(gold.names) - joined, joined - right, right
        )


def mentions(outcomes: Iterable[Outcome], attribute: str, parameters: Parameters) -> Rows:
    """Mentions of mapped entities by type, style or role: extents of joined mentions are right or wrong."""
    for outcome, gold, system in _both(outcomes):
        ours, theirs = {i for i, _ in outcome.mentions}, {j for _, j in outcome.mentions}
        for i, mention in enumerate(gold.mentions):
            if i not in ours:
                yield getattr(mention, attribute), Recognised(gold=1, missed=1)
        for j, mention in enumerate(system.mentions):
            if j not in theirs:
                yield getattr(mention, attribute), Recognised(spurious=1)
        for i, j in outcome.mentions:
            right = same_extent(gold.mentions[i].extent, system.mentions[j].extent, parameters)
            yield getattr(gold.mentions[i], attribute), Recognised(gold=1, wrong=int(not right), right=int(right))


def same_extent(first: Region, second: Region, parameters: Parameters) -> bool:
    """Whether both ends differ by no more than the profile allows (characters, seconds or centimetres)."""
    most = parameters.max_extent_difference
    if first.boxes or second.boxes:
        return len(first.boxes) == len(second.boxes) and all(
            one.page == other.page
            and max(
                abs(one.x - other.x),
                abs(one.y - other.y),
                abs(one.x + one.width - other.x - other.width),
                abs(one.y + one.height - other.y - other.height),
            )
            <= most["image"]
            for one, other in zip(first.boxes, second.boxes, strict=True)
        )
    limit = most["text"] if isinstance(first.start, int) else most["audio"]
    return max(abs(first.start - second.start), abs(first.end - second.end)) <= limit


def added(rows: Rows) -> Iterator[tuple[str, Recognised]]:
    """Rows of one name added up, in sorted order."""
    found: dict[str, Recognised] = {}
    for name, counts in rows:
        found[name] = found[name] + counts if name in found else counts
    yield from sorted(found.items())


def total(rows: Rows) -> Recognised:
    """All rows added up."""
    found = Recognised()
    for _, counts in rows:
        found += counts
    return found
