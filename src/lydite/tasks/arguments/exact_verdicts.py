"""Why each argument of ordinary event extraction counts or not: sets of type, role and span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lydite.model import Document
from lydite.model.argument import Event
from lydite.model.verdict import GOLD, SYSTEM, Explained, Side, Verdict, uncounted
from lydite.tasks.arguments.exact import LAYER, SETS, ExactComparison, Member
from lydite.tasks.arguments.settings import ArgumentSettings


def name_of(member: Member) -> str:
    """What an argument is called: type, role and where it stands."""
    event_type, role, span = member
    if span and span[0][0] < 0:
        return f"{event_type}.{role}@nowhere-{-1 - span[0][0]}"
    return f"{event_type}.{role}@{','.join(f'{begin}-{end}' for begin, end in span)}"


def verdicts(explained: Explained[ExactComparison], _settings: ArgumentSettings) -> Iterator[Verdict]:
    """A verdict for every member of the sets of both sides; what is said again is redundant."""
    comparison = explained.comparison
    gold, system = comparison.members("ac")
    for member in sorted(gold):
        if member in system:
            yield _verdict(explained, GOLD, member, ("found", f"the system has {name_of(member)}"))
        else:
            yield _verdict(explained, GOLD, member, ("missed", _nearest(member, system, "the system")))
    for member in sorted(system):
        if member in gold:
            yield _verdict(explained, SYSTEM, member, ("right", f"gold has {name_of(member)}"))
        else:
            cause = cause_of(member, gold)
            yield _verdict(explained, SYSTEM, member, (cause, _nearest(member, gold, "gold")))
    yield from _again(explained, GOLD, comparison.gold)
    yield from _again(explained, SYSTEM, comparison.system)


def cause_of(member: Member, gold: Iterable[Member]) -> str:
    """What is wrong with an argument that gold lacks: its role, its type, or that it is there at all."""
    event_type, role, span = member
    there = [other for other in gold if other[2] == span]
    if any(other[0] == event_type for other in there):
        return "wrong-role"
    if any(other[1] == role for other in there):
        return "wrong-type"
    return "wrong-filler"


def _nearest(member: Member, others: Iterable[Member], side: str) -> str:
    there = sorted(other for other in others if other[2] == member[2])
    if not there:
        return f"{side} has no argument of any event at the span of {name_of(member)}"
    return f"{side} has {' and '.join(name_of(other) for other in there[:2])} at its span"


def _verdict(
    explained: Explained[ExactComparison], side: Side, member: Member, said: tuple[str, str]
) -> Verdict:
    cause, why = said
    credit = int(cause in {"found", "right"})
    name = name_of(member)
    other = name if credit else None
    text = explained.comparison.words.get(member[2], "")
    role = f"{member[0]}.{member[1]}"
    return Verdict(
        explained.doc_id,
        side,
        name,
        other,
        cause,
        credit,
        1 - credit,
        why,
        (),
        0,
        str(member[0]),
        text,
        {"role": role},
        tuple((int(begin), int(end)) for begin, end in member[2]),
    )


def _again(explained: Explained[ExactComparison], side: Side, events: Sequence[Event]) -> Iterator[Verdict]:
    """Arguments that stand in several events of a type: the set has them once."""
    seen = set()
    for event in events:
        for member in sorted(SETS["ac"]([event], explained.comparison.span)):
            if member in seen:
                why = (
                    f"{name_of(member)} stands in another event of the type too, and equal members count once"
                )
                verdict = _uncounted(explained.doc_id, side, member, event, why)
                yield verdict._replace(cause="redundant") if side == SYSTEM else verdict
            seen.add(member)


def left_out(document: Document, side: Side, why: str) -> Iterator[Verdict]:
    """The arguments of a document that is not scored."""
    for event in document.layers.get(LAYER, ()):
        for member in sorted(SETS["ac"]([event], "extent")):
            yield _uncounted(document.doc_id, side, member, event, why)


def _uncounted(doc_id: str, side: Side, member: Member, event: Event, why: str) -> Verdict:
    return uncounted(doc_id, side, name_of(member), why, line=event.line, type=str(member[0]))
