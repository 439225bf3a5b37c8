"""The profile of ordinary event extraction: sets of spans, types and roles, no assessments.

Four sets per side, equal members counted once: ``ai`` (type, argument span), ``ac`` (+ role), ``ai+`` (trigger span,
type, argument span), ``ac+`` (+ role); beside them ``ti`` (trigger span) and ``tc`` (+ type).  0/0 is 0.
``ac`` may exceed ``ai``: one span with two roles is one member of the first set and two of the second.
Words without a place in the text equal nothing on the other side: missed in gold, spurious in a system.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from lydite.model import DocumentPair, Tally
from lydite.model.argument import Event
from lydite.pipeline import Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.arguments.strings import StringComparison

LAYER: Final = "events"
"""The layer of a document that holds its events."""

MICRO = Average("micro", empty="zero")
Member = tuple[Any, ...]
"""A member of a set; its event type and role, where it has them, are the first two entries."""

Members = Callable[[Sequence[Event], str], set[Member]]


def _trigger(event: Event, which: str) -> object:
    return event.head or event.trigger if which == "head" else event.trigger


def _arguments(events: Sequence[Event], which: str) -> Iterator[tuple[Event, str, object]]:
    for event in events:
        for argument in event.arguments:
            span = argument.head or argument.span if which == "head" else argument.span
            yield event, argument.role, span


def _ti(events: Sequence[Event], which: str) -> set[Member]:
    return {(None, None, _trigger(event, which)) for event in events}


def _tc(events: Sequence[Event], which: str) -> set[Member]:
    return {(event.type, None, _trigger(event, which)) for event in events}


def _ai(events: Sequence[Event], which: str) -> set[Member]:
    return {(event.type, None, span) for event, _, span in _arguments(events, which)}


def _ac(events: Sequence[Event], which: str) -> set[Member]:
    return {(event.type, role, span) for event, role, span in _arguments(events, which)}


def _ai_attached(events: Sequence[Event], which: str) -> set[Member]:
    return {(event.type, None, _trigger(event, which), span) for event, _, span in _arguments(events, which)}


def _ac_attached(events: Sequence[Event], which: str) -> set[Member]:
    return {
        (event.type, role, _trigger(event, which), span) for event, role, span in _arguments(events, which)
    }


SETS: dict[str, Members] = {
    "ti": _ti,
    "tc": _tc,
    "ai": _ai,
    "ac": _ac,
    "ai+": _ai_attached,
    "ac+": _ac_attached,
}


@dataclass(frozen=True, slots=True)
class ExactComparison:
    """The events of both sides of a document, and which span of them is compared."""

    gold: Sequence[Event]
    system: Sequence[Event]
    span: str
    words: Mapping[object, str]
    """The words of what has no place in the text, by the place of its own that it was given instead."""

    def members(self, name: str) -> tuple[set[Member], set[Member]]:
        """The sets of both sides."""
        return SETS[name](self.gold, self.span), SETS[name](self.system, self.span)

    def diagnosis(self) -> Iterator[tuple[str, object]]:
        """Missed and spurious arguments with their roles, and what both sides call what they both found."""
        gold, system = self.members("ac")
        yield "missed", [self._argument_entry(member) for member in sorted(gold - system)]
        yield "spurious", [self._argument_entry(member) for member in sorted(system - gold)]
        yield "agreement", dict(self._agreement())

    def shown_item(self, member: Member) -> str:
        """An argument with its role on one line."""
        entry = self._argument_entry(member)
        return f"{entry['event_type']}.{entry['role']} {entry['span'] or repr(entry.get('text'))}"

    def _argument_entry(self, member: Member) -> dict[str, object]:
        event_type, role, span = member
        if span in self.words:
            return {"event_type": event_type, "role": role, "span": "", "text": self.words[span]}
        return _placed_entry(member)

    def _agreement(self) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
        """Types and realis at equal triggers (``ti``), roles of equal spans of an event type (``ai``).

        A place where a side has several values has none to compare, and is left out.
        """
        from lydite.model.agreement import contingency

        triggers = [[(_trigger(event, self.span), event) for event in side] for side in self._sides]
        types, realis = (
            _at_one_place(*([(place, getattr(event, name)) for place, event in side] for side in triggers))
            for name in ("type", "realis")
        )
        yield "type", contingency(types)
        if any(map(any, realis)):
            yield "realis", contingency(realis)
        yield "role", contingency(_at_one_place(*map(self._roles, self._sides)))

    @property
    def _sides(self) -> tuple[Sequence[Event], Sequence[Event]]:
        return self.gold, self.system

    def _roles(self, events: Sequence[Event]) -> list[tuple[Hashable, str]]:
        return [((event.type, span), role) for event, role, span in _arguments(events, self.span)]


def _at_one_place(
    gold: Iterable[tuple[Hashable, str]], system: Iterable[tuple[Hashable, str]]
) -> list[tuple[str, str]]:
    """The values of both sides at every place where each has one."""
    ours, theirs = _values(gold), _values(system)
    return [
        (ours[place][0], theirs[place][0])
        for place in ours
        if len(ours[place]) == 1 and len(theirs.get(place, ())) == 1
    ]


def _values(items: Iterable[tuple[Hashable, str]]) -> dict[Hashable, tuple[str, ...]]:
    found: dict[Hashable, dict[str, None]] = {}
    for place, value in items:
        found.setdefault(place, {})[value] = None
    return {place: tuple(values) for place, values in found.items()}


def _placed_entry(member: Member) -> dict[str, object]:
    event_type, role, span = member
    return {"event_type": event_type, "role": role, "span": ",".join(f"{begin}-{end}" for begin, end in span)}


EventComparison = ArgumentComparison | ExactComparison | StringComparison
"""What is made of a pair: assessed arguments, sets of spans, or words."""


def compare(pair: DocumentPair, settings: ArgumentSettings) -> ExactComparison:
    """The events of the pair."""
    words: dict[object, str] = {}
    sides = [
        tuple(_apart(document.layers.get(LAYER, ()), side, words))
        for side, document in enumerate((pair.gold, pair.system))
    ]
    return ExactComparison(sides[0], sides[1], settings.span, words)


def _apart(events: Sequence[Event], side: int, words: dict[object, str]) -> Iterator[Event]:
    """The events with a place of its own, before the text, for everything that has none.

    Equal words that fill roles of one event share it, as they would in the text.
    """
    for event in events:
        shared: dict[str, tuple[tuple[int, int], ...]] = {}
        arguments = event.arguments
        if not all(one.span for one in arguments):
            arguments = tuple(
                one if one.span else one._replace(span=_elsewhere(one.text, side, words, shared))
                for one in arguments
            )
        trigger = event.trigger or _elsewhere(event.text, side, words, {})
        yield event._replace(trigger=trigger, arguments=arguments)


def _elsewhere(
    text: str, side: int, words: dict[object, str], shared: dict[str, tuple[tuple[int, int], ...]]
) -> tuple[tuple[int, int], ...]:
    if text not in shared:
        # Both sides count on, so that no two of these places are ever equal.
        shared[text] = ((-2 - len(words), -1 - side),)
        words[shared[text]] = text
    return shared[text]


def measurements(settings: ArgumentSettings) -> Sequence[Measurement[ExactComparison]]:
    """One measurement per set."""
    del settings
    return [_measurement(name) for name in SETS]


def _measurement(name: str) -> Measurement[ExactComparison]:
    breakdowns: dict[str, Callable[[ExactComparison], Iterator[tuple[str, Tally]]]] = {}
    if name != "ti":
        breakdowns["type"] = partial(_by, name, lambda member: str(member[0]))
    if name.startswith("ac"):
        breakdowns["role"] = partial(_by, name, lambda member: f"{member[0]}.{member[1]}")
    return Measurement(name, "detection", partial(_measure, name), (MICRO,), breakdowns, MICRO)


def _tally(gold: set[Member], system: set[Member]) -> Tally:
    common = len(gold & system)
    return Tally(common, len(gold), common, len(system))


def _measure(name: str, comparison: ExactComparison) -> Tally:
    return _tally(*comparison.members(name))


def _by(name: str, key: Callable[[Member], str], comparison: ExactComparison) -> Iterator[tuple[str, Tally]]:
    gold, system = comparison.members(name)
    for value in sorted({key(member) for member in gold | system}):
        mine = {member for member in gold if key(member) == value}
        theirs = {member for member in system if key(member) == value}
        yield value, _tally(mine, theirs)
