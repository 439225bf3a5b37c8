"""What became of every item of both sides: one table, from which verdicts, causes and standing are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from lydite.model import DocumentPair, Figures, outcome
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Explained, Rival, Side
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.figures import Named
from lydite.tasks.plain_values import plain

RIGHT = "right"
ABSENT = "absent"
UNPARSEABLE = "unparseable"
EXTRA_RECORD = "extra-record"
HALLUCINATED = "hallucinated"
EXTRA_FIELD = "extra-field"
TYPE_DIFFERS = "type-differs"
VALUE_DIFFERS = "value-differs"
MISSING = "missing"
SPURIOUS = "spurious"


class ItemOutcome(NamedTuple):
    """What became of an item: its partner, whether they agree, what it earned and why.

    ``item`` and ``partner`` are paths with indices, or whatever names an item of the task; ``place`` is the path without
    indices.  Of a pair there are two outcomes, one for each side, with the same cause.
    """

    side: Side
    item: str
    partner: str | None
    status: str
    cause: str
    credit: Fraction | int
    place: str
    gold: object = None
    system: object = None
    why: str | Callable[[], str] = ""
    """A sentence, or what makes it when it is asked for."""
    rivals: tuple[Rival, ...] = ()
    type: str = ""

    @property
    def is_pair(self) -> bool:
        """Whether the item has a partner whose outcome is the same."""
        return self.partner is not None


def outcome_of(
    side: Side, item: str, partner: str | None, cause: str, *, place: str, value: object, why: str
) -> ItemOutcome:
    """The outcome of an item whose value only its own side shows."""
    gold, system = (value, None) if side == GOLD else (None, value)
    credit = int(cause == RIGHT)
    return ItemOutcome(side, item, partner, cause, cause, credit, place, gold, system, why, type=place)


class Compared(NamedTuple):
    """A document of both sides: the outcomes of its items, and the counts of every measurement."""

    pair: DocumentPair
    outcomes: Sequence[ItemOutcome]
    figures: Mapping[str, Figures | None]
    """The counts by the name of the measurement; None leaves the document out of it."""
    parts: Mapping[tuple[str, str], Sequence[tuple[str, Figures]]] = MappingProxyType({})
    """The counts of breakdowns, by measurement and attribute."""
    detail: Mapping[str, object] = MappingProxyType({})
    """What the diagnosis of the document shows beside its outcomes."""


class FigureLine(NamedTuple):
    """A measurement: where its counts stand in a comparison, its name and metric, and by what it is broken down."""

    key: str
    name: str
    metric: str
    nothing: Figures
    by: tuple[str, ...] = ()


MICRO = Average("micro", empty="zero")


def measurement_of(line: FigureLine) -> Measurement[Compared]:
    """The measurement that reads the counts of a line."""

    def parts(attribute: str) -> Callable[[Compared], Sequence[tuple[str, Figures]]]:
        return lambda compared: compared.parts.get((line.key, attribute), ())

    return Measurement(
        line.name,
        line.metric,
        lambda compared: compared.figures.get(line.key),
        (MICRO,),
        breakdowns={attribute: parts(attribute) for attribute in line.by},
        part_average=MICRO,
        empty_counts=line.nothing,
    )


def causes_of(outcomes: Iterable[ItemOutcome]) -> Named:
    """How often each cause comes: a pair once, and neither what is right nor what is left out."""
    counts = Counter(
        one.cause
        for one in outcomes
        if one.cause not in {RIGHT, LEFT_OUT} and not (one.side != GOLD and one.is_pair)
    )
    return Named(dict(sorted(counts.items())))


def gold_outcomes(compared: Compared) -> list[outcome.Outcome]:
    """The items of gold that count, and whether each is right, as all tasks show them."""
    items = (one for one in compared.outcomes if one.side == GOLD and one.cause != LEFT_OUT)
    return [_row(one, at, line=0) for at, one in enumerate(items)]


def diagnose_outcomes(compared: Compared) -> dict[str, object]:
    """The cause of every item by side, and what else the scoring shows of a document."""
    found: dict[str, dict[str, str]] = {}
    for one in compared.outcomes:
        found.setdefault(one.side, {})[one.item] = one.cause
    return {**compared.detail, "causes": found}


def outcomes_of(explained: Explained[Compared]) -> Iterator[outcome.Outcome]:
    """The outcome of every item of both sides, gold first, as all tasks show them."""
    for side, document in ((GOLD, explained.gold), (SYSTEM, explained.system)):
        items = (one for one in explained.comparison.outcomes if one.side == side)
        yield from (_row(one, at, line=document.line) for at, one in enumerate(items))


def _row(one: ItemOutcome, at: int, *, line: int) -> outcome.Outcome:
    value = one.gold if one.side == GOLD else one.system
    text = value if isinstance(value, str) else "" if value is None else str(value)
    if isinstance(value, bool):
        text = text.lower()
    counts = one.cause != LEFT_OUT
    paired = outcome.PAIRED if one.is_pair or one.cause == RIGHT else outcome.UNPAIRED
    return outcome.Outcome(
        one.side,
        at,
        paired if counts else outcome.FILTERED,
        agrees={"value": one.cause == RIGHT},
        credit=one.credit if counts else 0,
        lost=1 - one.credit if counts else 0,
        cause=one.cause,
        why=one.why if isinstance(one.why, str) else one.why(),
        name=one.item,
        partner_name=one.partner,
        rivals=one.rivals,
        line=line,
        type=one.type or one.place,
        text=text,
        traits={"path": one.place},
        more={"path": one.place, "gold_value": plain(one.gold), "system_value": plain(one.system)},
    )
