"""How much of mapped ACE elements was recognised: attributes, argument roles, names, extents of mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lydite.metrics.ace_value import TIES, TURNED
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Score
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, Region
from lydite.model.ace_alignment import ElementOutcome, Occurrence
from lydite.model.ace_settings import AceSettings
from lydite.model.tally import Additive, Empty

ATTRIBUTES = {
    ENTITY: ("CLASS", "LEVEL", "SUBTYPE", "TYPE"),
    "value": ("SUBTYPE", "TYPE"),
    TIMEX2: ("ANCHOR_DIR", "ANCHOR_VAL", "COMMENT", "MOD", "NON_SPECIFIC", "SET", "TYPE", "VAL"),
    RELATION: ("MODALITY", "SUBTYPE", "TENSE", "TYPE"),
    EVENT: ("GENERICITY", "MODALITY", "POLARITY", "SUBTYPE", "TENSE", "TYPE"),
}


@dataclass(frozen=True, slots=True)
class Recognised(Additive):
    """Items of gold, spurious and missed ones, and of those that both sides have the wrong and the right ones."""

    gold: int = 0
    spurious: int = 0
    missed: int = 0
    wrong: int = 0
    right: int = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """Right ones over all that the system has, and over all of gold."""
        return Score.of_credit(self.right, self.right + self.wrong + self.spurious, self.gold, empty=empty)


Counts = dict[str, list[int]]
"""By row: gold, spurious, missed, wrong, right."""

_GOLD, _SPURIOUS, _MISSED, _WRONG, _RIGHT = range(5)


def as_figures(counts: Counts) -> Iterator[tuple[str, Recognised]]:
    """The rows, sorted."""
    for name in sorted(counts):
        yield name, Recognised(*counts[name])


def total(counts: Counts) -> Recognised:
    """All rows added up."""
    return Recognised(*map(sum, zip(*counts.values(), strict=True))) if counts else Recognised()


def _row(counts: Counts, name: str) -> list[int]:
    row = counts.get(name)
    if row is None:
        row = counts[name] = [0, 0, 0, 0, 0]
    return row


def _mapped(outcomes: Iterable[ElementOutcome]) -> Iterator[tuple[ElementOutcome, Occurrence, Occurrence]]:
    """The outcomes of mapped pairs, with both occurrences."""
    for outcome in outcomes:
        if outcome.gold is not None and outcome.system is not None:
            yield outcome, outcome.gold, outcome.system


def attributes(kind: str, outcomes: Iterable[ElementOutcome]) -> Counts:
    """By attribute: both have it and agree (right) or not (wrong), only gold has it, only the system has it."""
    return _compared(kind, outcomes, lambda name, _one, _other: name)


def confusions(kind: str, outcomes: Iterable[ElementOutcome]) -> Counts:
    """By attribute, gold value and system value, of mapped occurrences: ``TYPE: PER > ORG``."""
    return _compared(kind, outcomes, lambda name, one, other: f"{name}: {one or '-'} > {other or '-'}")


def _compared(
    kind: str, outcomes: Iterable[ElementOutcome], row_of: Callable[[str, str | None, str | None], str]
) -> Counts:
    """The attributes that a side of a mapped pair has, in the rows of their names and values."""
    counts: Counts = {}
    for _, gold, system in _mapped(outcomes):
        for name in ATTRIBUTES[kind]:
            one, other = gold.attributes.get(name), system.attributes.get(name)
            if one is not None or other is not None:
                row = _row(counts, row_of(name, one, other))
                row[_GOLD] += one is not None
                row[_column(one, other)] += 1
    return counts


def _column(one: str | None, other: str | None) -> int:
    if one is None:
        return _SPURIOUS
    if other is None:
        return _MISSED
    return _RIGHT if one == other else _WRONG


def roles(outcomes: Iterable[ElementOutcome]) -> Counts:
    """Argument roles of mapped relations or events: of all, of those with equal type, of those with equal subtype too.

    A pair is counted in every document that both have, with the same argument map.  Pairs without arguments make no
    row.
    """
    counts: Counts = {}
    for outcome, gold, system in _mapped(outcomes):
        if outcome.arguments is None or not (outcome.arguments.gold_count or outcome.arguments.system_count):
            continue
        names = ["all"]
        if gold.attributes.get("TYPE") == system.attributes.get("TYPE"):
            names.append("type")
            if gold.attributes.get("SUBTYPE") == system.attributes.get("SUBTYPE"):
                names.append("type and subtype")
        for name in names:
            joined = [role == other for role, _, other, _ in outcome.arguments.pairs]
            _add(_row(counts, name), outcome.arguments.gold_count, outcome.arguments.system_count, joined)
    return counts


def _add(row: list[int], gold: int, system: int, joined: Sequence[bool]) -> None:
    """Add items of both sides, of which so many are joined, rightly or wrongly."""
    right, both = sum(joined), len(joined)
    for position, number in enumerate((gold, system - both, gold - both, both - right, right)):
        row[position] += number


def names(outcomes: Iterable[ElementOutcome]) -> Counts:
    """Names of mapped entities by the type of the gold entity: joined and equal (right) or not (wrong)."""
    counts: Counts = {}
    for outcome, gold, system in _mapped(outcomes):
        joined = [gold.names[i] == system.names[j] for i, j in outcome.names]
        row = _row(counts, gold.attributes.get("TYPE", ""))
        _add(row, len(gold.names), len(system.names), joined)
    return counts


def mentions(outcomes: Iterable[ElementOutcome], attribute: str, parameters: AceSettings) -> Counts:
    """Mentions of mapped entities by type, style or role: extents of joined mentions are right or wrong."""
    counts: Counts = {}
    for outcome, gold, system in _mapped(outcomes):
        ours, theirs = {i for i, _ in outcome.mentions}, {j for _, j in outcome.mentions}
        for i, mention in enumerate(gold.mentions):
            row = _row(counts, getattr(mention, attribute))
            row[_GOLD] += 1
            row[_MISSED] += i not in ours
        for j, mention in enumerate(system.mentions):
            if j not in theirs:
                _row(counts, getattr(mention, attribute))[_SPURIOUS] += 1
        for i, j in outcome.mentions:
            right = same_extent(gold.mentions[i].extent, system.mentions[j].extent, parameters)
            _row(counts, getattr(gold.mentions[i], attribute))[_RIGHT if right else _WRONG] += 1
    return counts


def same_extent(first: Region, second: Region, parameters: AceSettings) -> bool:
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
    return abs(first.start - second.start) <= limit and abs(first.end - second.end) <= limit


_MAPPED = (
    (Law.SWAP, "the mapping maximises value, which is not symmetric"),
    (Law.RENAME, TIES),
    (Law.SPURIOUS, TURNED),
)
_NAMELESS = (
    Law.SELF,
    "of a mention that is scored by itself, and is no name, all names are missed and spurious",
)
_metric = partial(
    MetricDeclaration,
    cite="doddington2004ace",
    weaknesses="Only mapped elements are looked at.",
    domain="ace",
    exceptions=_MAPPED,
)

ACE_RECOGNITION = _metric(
    "ace-recognition",
    "Attributes of mapped elements",
    measure=lambda outcomes: total(attributes(ENTITY, outcomes)),
)
ACE_NAMES = _metric(
    "ace-names",
    "Names of mapped entities",
    measure=lambda outcomes: total(names(outcomes)),
    exceptions=(_NAMELESS, *_MAPPED),
)
ACE_MENTION_DETECTION = _metric(
    "ace-mention-detection",
    "Mentions of mapped entities and their extents",
    measure=lambda found: total(mentions(found[0], "type", found[1])),
)
