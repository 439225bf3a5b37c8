"""Ordinary event extraction: sets of types, roles and spans, or of types, roles and words; no assessments.

Four sets per side: ``ai`` (type, argument), ``ac`` (+ role), ``ai+`` (trigger, type, argument), ``ac+`` (+ role);
beside them ``ti`` (trigger) and ``tc`` (+ type).  0/0 is 0.
``ac`` may exceed ``ai``: one span with two roles is one member of the first set and two of the second.

Spans: equal members count once.  Words without a place in the text equal nothing on the other side: missed in gold,
spurious in a system.

Words alone, where there is no text that offsets could count in: triggers and fillers are equal if their words are,
without regard to case, white space and the forms of quotes and dashes.  Equal items are paired one to one: two gold
events with the same words and type need two system events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from lydite.errors import Finding, Location
from lydite.grouping import grouped
from lydite.model import Document, DocumentPair, Tally
from lydite.model.argument import Event, EventArgument, Range
from lydite.model.grounding import normalised
from lydite.model.outcome import Outcome, pair_outcomes, unpaired_items
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings

LAYER: Final = "events"
"""The layer of a document that holds its events."""

MICRO = Average("micro", empty="zero")
SETS = ("ti", "tc", "ai", "ac", "ai+", "ac+")
Member = tuple[Any, ...]
"""A member of a set; its event type and role, where it has them, are the first two entries."""


class ComparedEvent(NamedTuple):
    """An event by what is compared of it: the places of its trigger and of what fills its roles, or their words."""

    type: str
    trigger: Hashable
    arguments: Sequence[tuple[str, Hashable]]
    realis: str = ""
    line: int = 0


def members_of(events: Iterable[ComparedEvent], name: str) -> Iterator[Member]:
    """The members of a set, as often as the events have them."""
    if name == "ti":
        return ((None, None, event.trigger) for event in events)
    if name == "tc":
        return ((event.type, None, event.trigger) for event in events)
    has_role = name.startswith("ac")
    if name.endswith("+"):
        return (
            (event.type, role if has_role else None, event.trigger, filler)
            for event in events
            for role, filler in event.arguments
        )
    return (
        (event.type, role if has_role else None, filler)
        for event in events
        for role, filler in event.arguments
    )


@dataclass(frozen=True)
class SetComparison:
    """The events of both sides of a document as sets, whose members are compared by spans or by words."""

    gold: Sequence[ComparedEvent]
    system: Sequence[ComparedEvent]
    words: Mapping[object, str] = field(default_factory=dict)
    """Under spans, the words of triggers and fillers without a place in the text, by the place that stands for it."""
    by_words: bool = False
    wordless: tuple[Finding, ...] = ()

    def members(self, name: str) -> tuple[set[Member], set[Member]]:
        """The sets of both sides."""
        ours, theirs = (set(self.members_in(side, name)) for side in (self.gold, self.system))
        return ours, theirs

    def members_in(self, events: Iterable[ComparedEvent], name: str) -> Iterable[Member]:
        """The members of a set in the order of events; members of equal words are numbered, so that each needs its own partner."""
        members = members_of(events, name)
        return _numbered(members) if self.by_words else members

    def outcomes(self, name: str) -> list[Outcome]:
        """The members of a set, sorted; equal members of both sides are paired."""
        gold, system = (sorted(side) for side in self.members(name))
        place = {member: at for at, member in enumerate(system)}
        pairs = ((at, place[member]) for at, member in enumerate(gold) if member in place)
        return pair_outcomes([*map(self.item_name, gold)], [*map(self.item_name, system)], pairs)

    def entry(self, member: Member) -> dict[str, object]:
        """A member of ``ac`` as the diagnosis shows it: by its span, or by its words if it has none."""
        event_type, role, place, *_ = member
        names = {"event_type": event_type, "role": role}
        if self.by_words or place in self.words:
            return {**names, "span": "", "text": self.words_of(member)}
        return {**names, "span": ",".join(f"{begin}-{end}" for begin, end in place)}

    def item_name(self, member: Member) -> str:
        """A member of a set on one line: what it has of type, role, trigger and filler, and its number among equal words."""
        event_type, role, *places = member
        number = places.pop() if self.by_words else 0
        kind = ".".join(filter(None, (event_type, role)))
        item = " ".join(filter(None, (kind, *map(self._place_name, places))))
        return f"{item} ({number + 1})" if number else item

    def _place_name(self, place: str | tuple[Range, ...]) -> str:
        words = self.words.get(place, place)
        return repr(words) if isinstance(words, str) else ",".join(f"{begin}-{end}" for begin, end in words)

    def words_of(self, member: Member) -> str:
        """The words of an argument, where they stand for its place."""
        return str(member[2]) if self.by_words else self.words.get(member[2], "")

    def filler(self, member: Member) -> EventArgument:
        """A member of ``ac`` as an argument of an event, with its words alone if it has no place in the text."""
        _, role, place, *_ = member
        if self.by_words or place in self.words:
            return EventArgument(role, text=self.words_of(member))
        return EventArgument(role, place)

    def diagnosis(self) -> dict[str, object]:
        """Missed and spurious members of ``ac``, and how far the sides agree on types, realis and roles."""
        gold, system = (sorted(side) for side in self.members("ac"))
        outcomes = self.outcomes("ac")
        return {
            "missed": [self.entry(gold[at]) for at in unpaired_items(outcomes, "gold")],
            "spurious": [self.entry(system[at]) for at in unpaired_items(outcomes, "system")],
            "agreement": {} if self.by_words else dict(self._agreement()),
        }

    def _agreement(self) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
        """Types and realis at equal triggers (``ti``), roles of equal spans of an event type (``ai``).

        A place where a side has several values has none to compare, and is left out.
        """
        from lydite.model.agreement import contingency

        sides = self.gold, self.system
        types, realis = (
            _values_at_shared_places(
                *([(event.trigger, getattr(event, name)) for event in side] for side in sides)
            )
            for name in ("type", "realis")
        )
        yield "type", contingency(types)
        if any(map(any, realis)):
            yield "realis", contingency(realis)
        yield "role", contingency(_values_at_shared_places(*map(_roles, sides)))


EventComparison = ArgumentComparison | SetComparison | ItemComparison
"""The comparison of a pair of documents: assessed arguments, or sets."""


# -------------------------------------------------------------------------------------------------------- spans


def _numbered(members: Iterable[Member]) -> Iterator[Member]:
    seen: Counter[Member] = Counter()
    for member in members:
        yield *member, seen[member]
        seen[member] += 1


def _roles(events: Iterable[ComparedEvent]) -> list[tuple[Hashable, str]]:
    return [((event.type, span), role) for event in events for role, span in event.arguments]


def _values_at_shared_places(
    gold: Iterable[tuple[Hashable, str]], system: Iterable[tuple[Hashable, str]]
) -> list[tuple[str, str]]:
    """The values of both sides at every place where each has one."""
    ours, theirs = _values_by_place(gold), _values_by_place(system)
    return [
        (ours[place][0], theirs[place][0])
        for place in ours
        if len(ours[place]) == 1 and len(theirs.get(place, ())) == 1
    ]


def _values_by_place(items: Iterable[tuple[Hashable, str]]) -> dict[Hashable, tuple[str, ...]]:
    return {place: tuple(dict.fromkeys(values)) for place, values in grouped(items).items()}


def compare_spans(pair: DocumentPair, settings: ArgumentSettings) -> SetComparison:
    """The comparison of a pair by spans; a trigger or filler without a span gets a place of its own before the text."""
    words: dict[object, str] = {}
    gold, system = (
        [
            event_by_span(_with_places(event, side, words), heads=settings.span == "head")
            for event in document.layers.get(LAYER, ())
        ]
        for side, document in enumerate((pair.gold, pair.system))
    )
    return SetComparison(gold, system, words)


def lonely_triggers(pair: DocumentPair, settings: ArgumentSettings) -> list[tuple[str, tuple[Range, ...]]]:
    """Type and place of the triggers that one side alone has."""
    heads = settings.span == "head"
    gold, system = (
        {
            (one.type, _sorted_ranges((heads and one.head) or one.trigger))
            for one in document.layers.get(LAYER, ())
        }
        for document in (pair.gold, pair.system)
    )
    return sorted(gold ^ system)


def event_by_span(event: Event, *, heads: bool = False) -> ComparedEvent:
    """An event by its spans, or by heads where it has them."""
    arguments = [(one.role, _sorted_ranges((heads and one.head) or one.span)) for one in event.arguments]
    trigger = _sorted_ranges((heads and event.head) or event.trigger)
    return ComparedEvent(event.type, trigger, arguments, event.realis, event.line)


def _sorted_ranges(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """The segments of a place, sorted and each once: files may write them in any order, and one twice."""
    return tuple(sorted(set(ranges))) if len(ranges) > 1 else ranges


def _with_places(event: Event, side: int, words: dict[object, str]) -> Event:
    """The event with a place for every trigger and filler that has none.

    Equal words that fill roles of one event share a place, as they would in the text.
    """
    if event.trigger and all(one.span for one in event.arguments):
        return event
    shared: dict[str, tuple[Range, ...]] = {}
    arguments = tuple(
        one if one.span else one._replace(span=_place_before_text(one.text, side, words, shared))
        for one in event.arguments
    )
    trigger = event.trigger or _place_before_text(event.text, side, words, {})
    return event._replace(trigger=trigger, arguments=arguments)


def _place_before_text(
    text: str, side: int, words: dict[object, str], shared: dict[str, tuple[Range, ...]]
) -> tuple[Range, ...]:
    if text not in shared:
        # ``words`` is shared by both sides, so that no two of these places are ever equal.
        shared[text] = ((-2 - len(words), -1 - side),)
        words[shared[text]] = text
    return shared[text]


# -------------------------------------------------------------------------------------------------------- words


def compare_words(pair: DocumentPair) -> SetComparison:
    """The comparison of a pair by words."""
    findings: list[Finding] = []
    gold, system = (
        [
            ComparedEvent(
                event.type,
                _words(event.text, event.trigger, document, findings),
                [(one.role, _words(one.text, one.span, document, findings)) for one in event.arguments],
            )
            for event in document.layers.get(LAYER, ())
        ]
        for document in (pair.gold, pair.system)
    )
    return SetComparison(gold, system, by_words=True, wordless=tuple(findings))


def _words(text: str, span: Sequence[Range], document: Document, findings: list[Finding]) -> str:
    if not text and document.text is not None:
        text = " ".join(document.text[begin:end] for begin, end in span)
    if not text:
        offsets = ", ".join(f"{begin}-{end}" for begin, end in span)
        message = f"document {document.doc_id!r}: no words at {offsets}, and no text to take them from"
        place = Location(document.path, document.line or None)
        findings.append(Finding("no-words", "error", message, place, document.doc_id))
    return normalised(text)


# ------------------------------------------------------------------------------------------------- measurements


def measurements(*, given_triggers: bool) -> Sequence[Measurement[SetComparison]]:
    """One measurement per set; none for triggers that systems were given."""
    return [_measurement(name) for name in SETS if not (given_triggers and name in {"ti", "tc"})]


def _measurement(name: str) -> Measurement[SetComparison]:
    breakdowns: dict[str, Callable[[SetComparison], Iterator[tuple[str, Tally]]]] = {}
    if name != "ti":
        breakdowns["type"] = partial(_tallies_by, name, lambda member: str(member[0]))
    if name.startswith("ac"):
        breakdowns["role"] = partial(_tallies_by, name, lambda member: f"{member[0]}.{member[1]}")
    return Measurement(name, "detection", partial(_measure, name), (MICRO,), breakdowns, MICRO)


def _tally(gold: set[Member], system: set[Member]) -> Tally:
    common = len(gold & system)
    return Tally(common, len(gold), common, len(system))


def _measure(name: str, comparison: SetComparison) -> Tally:
    return _tally(*comparison.members(name))


def _tallies_by(
    name: str, key: Callable[[Member], str], comparison: SetComparison
) -> Iterator[tuple[str, Tally]]:
    gold, system = (grouped((key(one), one) for one in side) for side in comparison.members(name))
    for value in sorted({*gold, *system}):
        yield value, _tally(set(gold.get(value, ())), set(system.get(value, ())))
