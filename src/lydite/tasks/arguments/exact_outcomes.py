"""Outcomes and corrections of arguments of ordinary event extraction, which are members of sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lydite.formats.bridges import with_layers
from lydite.model import Document, DocumentPair
from lydite.model.argument import Event
from lydite.model.document import Layers
from lydite.model.outcome import COPY, Outcome, unpaired_items
from lydite.model.outcome import left_out as left_out_item
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.tasks.arguments.exact import (
    LAYER,
    ComparedEvent,
    Member,
    SetComparison,
    compare_words,
    event_by_span,
    members_of,
)
from lydite.tasks.arguments.outcomes import FILLER, MISSED, ROLE, TYPE


def outcomes(comparison: SetComparison) -> list[Outcome]:
    """The outcomes of the members of both sets; of spans, a repeated member is redundant."""
    gold, system = (sorted(side) for side in comparison.members("ac"))
    rows = []
    for row in comparison.outcomes("ac"):
        assert row.item is not None
        if row.side == GOLD:
            own, others, other_name = gold, system, "the system"
            cause = "found" if row.is_right else MISSED
        else:
            own, others, other_name = system, gold, "gold"
            cause = "right" if row.is_right else _cause(own[row.item], others)
        member = own[row.item]
        name = _member_name(member, comparison)
        rows.append(
            row._replace(
                credit=int(row.is_right),
                lost=int(not row.is_right),
                cause=cause,
                why=_explain(member, comparison, others, other_name, is_right=row.is_right),
                name=name,
                partner_name=name if row.is_right else None,
                type=member[0],
                text=comparison.words_of(member),
                traits={"role": f"{member[0]}.{member[1]}"},
                place=() if comparison.by_words else member[2],
            )
        )
    if not comparison.by_words:
        rows += [*_repeated(GOLD, comparison.gold), *_repeated(SYSTEM, comparison.system)]
    return rows


def _explain(
    member: Member, comparison: SetComparison, others: Sequence[Member], other_name: str, *, is_right: bool
) -> str:
    name, by_words = _member_name(member, comparison), comparison.by_words
    if is_right:
        return f"{other_name} has {name} too" if by_words else f"{other_name} has {name}"
    same_place = sorted(other for other in others if other[2] == member[2])
    if not same_place:
        what = "with the words" if by_words else "of any event at the span"
        return f"{other_name} has no argument {what} of {name}"
    near = " and ".join(_member_name(other, comparison) for other in same_place[:2])
    return f"{other_name} has {near}, and not {name}" if by_words else f"{other_name} has {near} at its span"


def _member_name(member: Member, comparison: SetComparison) -> str:
    return comparison.item_name(member) if comparison.by_words else _span_name(member)


def _span_name(member: Member) -> str:
    """The name of an argument in verdicts: type, role and span."""
    event_type, role, span = member
    if span and span[0][0] < 0:
        return f"{event_type}.{role}@nowhere-{-1 - span[0][0]}"
    return f"{event_type}.{role}@{','.join(f'{begin}-{end}' for begin, end in span)}"


def _cause(member: Member, gold: Iterable[Member]) -> str:
    """The cause for an argument that gold lacks: its role or its type is wrong, else its filler."""
    event_type, role, filler, *_ = member
    same_place = [other for other in gold if other[2] == filler]
    if any(other[0] == event_type and other[1] != role for other in same_place):
        return "wrong-role"
    if any(other[0] != event_type and other[1] == role for other in same_place):
        return "wrong-type"
    return "wrong-filler"


def _repeated(side: Side, events: Sequence[ComparedEvent]) -> Iterator[Outcome]:
    """The outcomes of arguments that an earlier event of the same type has too: the set has them once."""
    seen = set()
    for event in events:
        for member in sorted(set(members_of([event], "ac"))):
            if member in seen:
                name = _span_name(member)
                why = f"{name} stands in another event of the type too, and equal members count once"
                row = left_out_item(side, name, why, line=event.line, type=event.type, status=COPY)
                yield row._replace(cause="redundant") if side == SYSTEM else row
            seen.add(member)


def left_out(document: Document, side: Side, match: str, why: str) -> Iterator[Outcome]:
    """The arguments of a document that is not scored; its events are made from other layers if need be."""
    doc_id, document = document.doc_id, with_layers(document, (LAYER,))
    if match == "words":
        alone = compare_words(DocumentPair(doc_id, Document(doc_id), document))
        for kind, role, words, number in alone.members_in(alone.system, "ac"):
            name = alone.item_name((kind, role, words, number))
            row = left_out_item(side, name, why, type=kind, text=words)
            yield row._replace(why=f"{name} does not count: {why}", traits={"role": f"{kind}.{role}"})
        return
    for event in document.layers.get(LAYER, ()):
        for member in sorted(set(members_of([event_by_span(event)], "ac"))):
            yield left_out_item(side, _span_name(member), why, line=event.line, type=event.type)


class SetCorrections:
    """The faults of one document of a system: arguments that gold lacks, and arguments that it lacks."""

    def __init__(self, document: Document, comparison: SetComparison) -> None:
        self._document, self._comparison = with_layers(document, (LAYER,)), comparison
        gold, system = (sorted(side) for side in comparison.members("ac"))
        rows = outcomes(comparison)
        self._missed = [gold[at] for at in unpaired_items(rows, GOLD)]
        self._wrong: dict[str, set[Member]] = {TYPE: set(), ROLE: set(), FILLER: set()}
        for row in rows:
            if row.side == SYSTEM and row.item is not None and not row.is_right:
                self._wrong[row.cause.removeprefix("wrong-")].add(system[row.item])

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The number of arguments with each fault."""
        counts = {fault: len(members) for fault, members in self._wrong.items()} | {MISSED: len(self._missed)}
        return {fault: count for fault, count in counts.items() if count}

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults."""
        removed = {member for fault in faults & self._wrong.keys() for member in self._wrong[fault]}
        members = iter(self._comparison.members_in(self._comparison.system, "ac"))
        events = [
            event._replace(arguments=tuple(one for one in event.arguments if next(members) not in removed))
            for event in self._document.layers.get(LAYER, ())
        ]
        if MISSED in faults:
            events += [Event(one[0], (), (self._comparison.filler(one),)) for one in self._missed]
        layers: Layers = {**self._document.layers, LAYER: tuple(events)}
        return self._document._replace(layers=layers, present=True)
