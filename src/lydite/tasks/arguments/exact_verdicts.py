"""Verdicts and mends for arguments of ordinary event extraction, which are members of sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lydite.formats.bridges import with_layers
from lydite.model import Document, DocumentPair
from lydite.model.argument import Event
from lydite.model.document import Layers
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Side, Verdict, uncounted
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


def verdicts(doc_id: str, comparison: SetComparison) -> Iterator[Verdict]:
    """A verdict for every member of the sets of both sides; of spans, a repeated member is redundant."""
    gold, system = comparison.members("ac")
    yield from _side_verdicts(doc_id, comparison, GOLD, gold, system)
    yield from _side_verdicts(doc_id, comparison, SYSTEM, system, gold)
    if not comparison.by_words:
        yield from _repeated_verdicts(doc_id, GOLD, comparison.gold)
        yield from _repeated_verdicts(doc_id, SYSTEM, comparison.system)


def _side_verdicts(
    doc_id: str, comparison: SetComparison, side: Side, own: Iterable[Member], others: Collection[Member]
) -> Iterator[Verdict]:
    """Verdicts on the members of one side."""
    right, other_name = ("found", "the system") if side == GOLD else ("right", "gold")
    for member in sorted(own):
        is_right = member in others
        name = _member_name(member, comparison)
        yield Verdict(
            doc_id,
            side,
            name,
            name if is_right else None,
            right if is_right else "missed" if side == GOLD else _cause(member, others),
            int(is_right),
            int(not is_right),
            _explain(member, comparison, others, other_name),
            type=member[0],
            text=comparison.words_of(member),
            traits={"role": f"{member[0]}.{member[1]}"},
            ranges=() if comparison.by_words else member[2],
        )


def _explain(member: Member, comparison: SetComparison, others: Collection[Member], other_name: str) -> str:
    name, by_words = _member_name(member, comparison), comparison.by_words
    if member in others:
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


def _repeated_verdicts(doc_id: str, side: Side, events: Sequence[ComparedEvent]) -> Iterator[Verdict]:
    """Verdicts on arguments that an earlier event of the same type has too: the set has them once."""
    seen = set()
    for event in events:
        for member in sorted(set(members_of([event], "ac"))):
            if member in seen:
                name = _span_name(member)
                why = f"{name} stands in another event of the type too, and equal members count once"
                verdict = uncounted(doc_id, side, name, why, line=event.line, type=event.type)
                yield verdict._replace(cause="redundant") if side == SYSTEM else verdict
            seen.add(member)


def left_out(document: Document, side: Side, match: str, why: str) -> Iterator[Verdict]:
    """Verdicts on the arguments of a document that is not scored; its events are made from other layers if need be."""
    doc_id, document = document.doc_id, with_layers(document, (LAYER,))
    if match == "words":
        alone = compare_words(DocumentPair(doc_id, Document(doc_id), document))
        for kind, role, words, number in alone.members_in(alone.system, "ac"):
            name = alone.item_name((kind, role, words, number))
            reason, traits = f"{name} does not count: {why}", {"role": f"{kind}.{role}"}
            yield Verdict(
                doc_id, side, name, None, LEFT_OUT, 0, 0, reason, type=kind, text=words, traits=traits
            )
        return
    for event in document.layers.get(LAYER, ()):
        for member in sorted(set(members_of([event_by_span(event)], "ac"))):
            yield uncounted(doc_id, side, _span_name(member), why, line=event.line, type=event.type)


class SetFaults:
    """The faults of one document of a system: arguments that gold lacks, and arguments that it lacks."""

    def __init__(self, document: Document, comparison: SetComparison) -> None:
        self._document, self._comparison = with_layers(document, (LAYER,)), comparison
        gold, system = comparison.members("ac")
        self._missed = sorted(gold - system)
        self._wrong = {
            fault: {member for member in system - gold if _cause(member, gold) == f"wrong-{fault}"}
            for fault in (TYPE, ROLE, FILLER)
        }

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many arguments have each fault."""
        counts = {fault: len(members) for fault, members in self._wrong.items()} | {MISSED: len(self._missed)}
        return {fault: count for fault, count in counts.items() if count}

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults."""
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
