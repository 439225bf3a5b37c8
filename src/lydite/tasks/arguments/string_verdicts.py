"""Why each argument counts or not where words are compared: one to one, by type, role and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from lydite.model import Document
from lydite.model.argument import Event, EventArgument
from lydite.model.document import Layers
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Explained, Side, Verdict
from lydite.tasks.arguments.fates import FILLER, MISSED, ROLE, TYPE
from lydite.tasks.arguments.strings import LAYER, Member, StringComparison

shown = StringComparison.shown_item


def verdicts(explained: Explained[StringComparison]) -> Iterator[Verdict]:
    """A verdict for every argument of both sides."""
    gold, system = explained.comparison.members("ac")
    for member in sorted(gold):
        cause = "found" if member in system else "missed"
        yield _verdict(explained.doc_id, GOLD, member, cause, _why(member, system, "the system"))
    for member in sorted(system):
        cause = "right" if member in gold else _cause(member, gold)
        yield _verdict(explained.doc_id, SYSTEM, member, cause, _why(member, gold, "gold"))


def _cause(member: Member, gold: Iterable[Member]) -> str:
    """What is wrong with an argument that gold lacks: its role, its type, or that it is there at all."""
    kind, role, words, _ = member
    there = [other for other in gold if other[2] == words]
    if any(other[0] == kind and other[1] != role for other in there):
        return "wrong-role"
    return "wrong-type" if any(other[0] != kind and other[1] == role for other in there) else "wrong-filler"


def _why(member: Member, others: set[Member], side: str) -> str:
    if member in others:
        return f"{side} has {shown(member)} too"
    there = sorted(other for other in others if other[2] == member[2])
    if not there:
        return f"{side} has no argument with the words of {shown(member)}"
    return f"{side} has {' and '.join(map(shown, there[:2]))}, and not {shown(member)}"


def _verdict(doc_id: str, side: Side, member: Member, cause: str, why: str) -> Verdict:
    kind, role, words, _ = member
    credit = int(cause in {"found", "right"})
    counted = cause != LEFT_OUT
    name = shown(member)
    return Verdict(
        doc_id,
        side,
        name,
        name if credit else None,
        cause,
        credit,
        counted - credit,
        why,
        type=kind,
        text=words,
        traits={"role": f"{kind}.{role}"},
    )


def left_out(document: Document, side: Side, comparison: StringComparison, why: str) -> Iterator[Verdict]:
    """The arguments of a document that is not scored."""
    for member in comparison.of_system():
        said = f"{shown(member)} does not count: {why}"
        yield _verdict(document.doc_id, side, member, LEFT_OUT, said)


class StringFaults:
    """The faults of one document whose words are compared."""

    def __init__(self, explained: Explained[StringComparison]) -> None:
        self._document = explained.system
        self._arguments = explained.comparison.of_system()
        gold, system = explained.comparison.members("ac")
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
        gone = {member for fault in faults & self._wrong.keys() for member in self._wrong[fault]}
        left = iter(self._arguments)
        events = [
            event._replace(arguments=tuple(one for one in event.arguments if next(left) not in gone))
            for event in self._document.layers.get(LAYER, ())
        ]
        if MISSED in faults:
            events += [
                Event(kind, (), (EventArgument(role, (), (), words),))
                for kind, role, words, _ in self._missed
            ]
        layers: Layers = {**self._document.layers, LAYER: tuple(events)}
        return self._document._replace(layers=layers, present=True)
