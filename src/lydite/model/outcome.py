"""Outcomes: what became of the items of a compared document, one row for each item of each side.

A task makes the rows; whatever is reported about items is read from them: verdicts, the error budget, confusions, the
pairs of a diagnosis, and which gold items a system has right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

from lydite.model.verdict import (
    GOLD,
    LEFT_OUT,
    SYSTEM,
    Confusion,
    Credit,
    Rival,
    Side,
    Verdict,
    name_left_out,
)

PAIRED: Literal["paired"] = "paired"
COPY: Literal["copy"] = "copy"
UNPAIRED: Literal["unpaired"] = "unpaired"
FILTERED: Literal["filtered"] = "filtered"
NO_DOCUMENT: Literal["no-document"] = "no-document"
Status = Literal["paired", "copy", "unpaired", "filtered", "no-document"]
"""A copy repeats an item of its side; a filtered item is not compared; a gold item may lack the system's document."""

NO_ATTRIBUTES: Mapping[str, Any] = MappingProxyType({})
T = TypeVar("T")


class Outcome(NamedTuple):
    """What became of one item."""

    side: Side
    item: int | None
    """The position of the item among the compared items of its side; None if it is not compared."""
    status: Status
    partner: int | None = None
    """The position of its partner on the other side; for a copy, that of the item that it repeats on its own side."""
    agrees: Mapping[str, bool] = NO_ATTRIBUTES
    """For a pair: whether the two agree on each thing that the figure asks for."""
    differs: frozenset[str] = frozenset()
    """For a pair: what is not the same on both sides.  Values may differ and agree, where a rule says so."""
    similarity: float = 0.0
    credit: Credit = 0
    lost: Credit = 0
    """What it could have earned beyond its credit."""
    cause: str = ""
    why: str = ""
    name: str = ""
    partner_name: str | None = None
    rivals: tuple[Rival, ...] = ()
    line: int = 0
    type: str = ""
    text: str = ""
    traits: Mapping[str, str] = NO_ATTRIBUTES
    place: tuple[tuple[int, int], ...] = ()
    """The characters that it covers, where they are known."""
    more: Mapping[str, Any] = NO_ATTRIBUTES
    """What the verdict shows beside this, in tasks that have more."""

    @property
    def is_right(self) -> bool:
        """Whether it has a partner that agrees on everything."""
        return self.status == PAIRED and all(self.agrees.values())

    @property
    def counts(self) -> bool:
        """Whether the figure counts the item."""
        return self.status not in {COPY, FILTERED}

    def verdict(self, doc_id: str) -> Verdict:
        """The outcome as people read it."""
        return Verdict(
            doc_id,
            self.side,
            self.name,
            self.partner_name,
            self.cause,
            self.credit,
            self.lost,
            self.why,
            self.rivals,
            self.line,
            self.type,
            self.text,
            self.traits,
            self.place,
            more=self.more,
        )


def left_out(
    side: Side,
    name: str,
    why: str,
    *,
    nothing: Credit = 0,
    line: int = 0,
    type: str = "",  # noqa: A002 - the word of the record
    text: str = "",
    status: Status = FILTERED,
) -> Outcome:
    """The outcome of an item that is not counted; ``nothing`` is 0 in the number type of the task's credits."""
    why = name_left_out(name, why)
    return Outcome(
        side,
        None,
        status,
        credit=nothing,
        lost=nothing,
        cause=LEFT_OUT,
        why=why,
        name=name,
        line=line,
        type=type,
        text=text,
    )


def pair_outcomes(
    gold: Sequence[str],
    system: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    agreement: Callable[[int, int], Mapping[str, bool]] = lambda _gold, _system: NO_ATTRIBUTES,
) -> list[Outcome]:
    """The outcomes of two lists of names under an alignment that is one to one, gold first."""
    pairs = list(pairs)
    to_system = dict(pairs)
    to_gold = {theirs: ours for ours, theirs in pairs}
    rows = []
    for at, name in enumerate(gold):
        partner = to_system.get(at)
        if partner is None:
            rows.append(Outcome(GOLD, at, UNPAIRED, name=name))
        else:
            rows.append(Outcome(GOLD, at, PAIRED, partner, agreement(at, partner), name=name))
    for at, name in enumerate(system):
        partner = to_gold.get(at)
        if partner is None:
            rows.append(Outcome(SYSTEM, at, UNPAIRED, name=name))
        else:
            rows.append(Outcome(SYSTEM, at, PAIRED, partner, agreement(partner, at), name=name))
    return rows


# ------------------------------------------------------------------------------------------------------- queries


def gold_items_right(outcomes: Iterable[Outcome]) -> Iterator[tuple[str, bool]]:
    """The names of the gold items that count, and whether the system has each right."""
    return ((one.name, one.is_right) for one in outcomes if one.side == GOLD and one.counts)


def pairs_and_rest(
    outcomes: Sequence[Outcome],
    gold: Sequence[T],
    system: Sequence[T],
    agreement: Callable[[int, int], Mapping[str, object]],
) -> dict[str, object]:
    """Pairs in the order of gold with what ``agreement`` says of each; missed and spurious items."""
    return {
        "pairs": [
            {"gold": gold[ours], "system": system[theirs], **agreement(ours, theirs)}
            for ours, theirs in pairs_of(outcomes)
        ],
        "missed": [gold[at] for at in unpaired_items(outcomes, GOLD)],
        "spurious": [system[at] for at in unpaired_items(outcomes, SYSTEM)],
    }


def pairs_of(outcomes: Iterable[Outcome]) -> Iterator[tuple[int, int]]:
    """The positions of gold and system in all pairs, in the order of gold."""
    for one in outcomes:
        if one.side == GOLD and one.status == PAIRED:
            assert one.item is not None
            assert one.partner is not None
            yield one.item, one.partner


def unpaired_items(outcomes: Iterable[Outcome], side: Side) -> list[int]:
    """The positions of the items of a side that count and have no partner."""
    return [
        one.item
        for one in outcomes
        if one.side == side and one.item is not None and one.status in {UNPAIRED, NO_DOCUMENT}
    ]


def confused_values(
    outcomes: Sequence[Outcome], gold: Sequence[str], system: Sequence[str]
) -> Iterator[Confusion]:
    """The gold and the system value of every pair, and the values of items without a partner."""
    yield from ((gold[ours], system[theirs]) for ours, theirs in pairs_of(outcomes))
    yield from ((gold[at], None) for at in unpaired_items(outcomes, GOLD))
    yield from ((None, system[at]) for at in unpaired_items(outcomes, SYSTEM))
