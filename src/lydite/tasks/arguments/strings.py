"""Events compared by words alone, where there is no text that offsets could count in.

Triggers and fillers are equal if their words are, without regard to case, white space and the forms of quotes and
dashes.  Equal items are paired one to one: two gold events with the same words and type need two system events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lydite.errors import Finding, Location
from lydite.model import Document, DocumentPair
from lydite.model.argument import Event, Range
from lydite.model.grounding import normalised

LAYER: Final = "events"
Member = tuple[Any, ...]
"""Event type, role, words …, and the number among equals."""


@dataclass(frozen=True, slots=True)
class StringComparison:
    """The events of both sides, as (type, trigger words, ((role, words), …))."""

    gold: Sequence[tuple[str, str, tuple[tuple[str, str], ...]]]
    system: Sequence[tuple[str, str, tuple[tuple[str, str], ...]]]
    wordless: tuple[Finding, ...] = ()

    def members(self, name: str) -> tuple[set[Member], set[Member]]:
        """The sets of both sides; equal members are numbered, so that each needs a partner of its own."""
        ours, theirs = (set(numbered(_members(side, name))) for side in (self.gold, self.system))
        return ours, theirs

    def of_system(self) -> list[Member]:
        """The arguments of the system with their roles, in the order of its events."""
        return numbered(_members(self.system, "ac"))

    @staticmethod
    def shown_item(member: Member) -> str:
        """An argument with its role on one line."""
        kind, role, words, number = member
        return f"{kind}.{role} {words!r}" + (f" ({number + 1})" if number else "")

    def diagnosis(self) -> Iterator[tuple[str, object]]:
        """Missed and spurious arguments with their roles."""
        gold, system = self.members("ac")
        yield "missed", [_argument_entry(member) for member in sorted(gold - system)]
        yield "spurious", [_argument_entry(member) for member in sorted(system - gold)]
        yield "agreement", {}


def _members(events: Sequence[tuple[str, str, tuple[tuple[str, str], ...]]], name: str) -> Iterator[Member]:
    attached = name.endswith("+")
    with_role = name.startswith("ac")
    for kind, trigger, arguments in events:
        if name == "ti":
            yield None, None, trigger
        elif name == "tc":
            yield kind, None, trigger
        else:
            for role, words in arguments:
                yield kind, role if with_role else None, *((trigger,) if attached else ()), words


def numbered(members: Iterable[Member]) -> list[Member]:
    """The members, each with its number among equals."""
    seen: Counter[Member] = Counter()
    found = []
    for member in members:
        found.append((*member, seen[member]))
        seen[member] += 1
    return found


def _argument_entry(member: Member) -> dict[str, object]:
    kind, role, words, _ = member
    return {"event_type": kind, "role": role, "span": "", "text": words}


def compare(pair: DocumentPair) -> StringComparison:
    """The words of the pair."""
    findings: list[Finding] = []
    gold, system = (
        [_event(one, side, findings) for one in side.layers.get(LAYER, ())]
        for side in (pair.gold, pair.system)
    )
    return StringComparison(list(gold), list(system), tuple(findings))


def alone(document: Document) -> StringComparison:
    """The words of one document as those of a system, beside nothing."""
    return compare(DocumentPair(document.doc_id, Document(document.doc_id), document))


def _event(
    event: Event, document: Document, findings: list[Finding]
) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return (
        event.type,
        _words(event.text, event.trigger, document, findings),
        tuple((one.role, _words(one.text, one.span, document, findings)) for one in event.arguments),
    )


def _words(said: str, span: Sequence[Range], document: Document, findings: list[Finding]) -> str:
    if not said and document.text is not None:
        said = " ".join(document.text[begin:end] for begin, end in span)
    if not said:
        shown = ", ".join(f"{begin}-{end}" for begin, end in span)
        message = f"document {document.doc_id!r}: no words at {shown}, and no text to take them from"
        place = Location(document.path, document.line or None)
        findings.append(Finding("no-words", "error", message, place, document.doc_id))
    return normalised(said)
