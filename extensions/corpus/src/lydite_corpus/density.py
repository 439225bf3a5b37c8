"""Rank documents until every type of event occurs often enough.

Annotated events are counted where a document has any, elsewhere trigger words.  A type has triggers (words, phrases and
beginnings of words) and a minimum.  Documents are chosen by what they add to Σ min(count, minimum) / minimum, then by
events per character, then by id, until every minimum is reached.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lydite.errors import Finding, FormatError, Location
from lydite.formats.numbered_lines import filled_lines, parse_lines
from lydite.numerals import is_natural
from lydite_corpus.analysis import place_among_tags, placed_words
from lydite_corpus.documents import AnnotatedEvent
from lydite_corpus.index import Index, searchable, thread_end
from lydite_corpus.query import Node, Or, QueryError, Words, parse
from lydite_corpus.search import SearchTerm, find_terms, matching_numbers, search_term_of, without_overlaps

ANNOTATION, TRIGGER_WORDS = "annotation", "words"


class EventType(NamedTuple):
    """A type of event, its triggers, and how often it must occur."""

    name: str
    triggers: tuple[Words, ...]
    least: int


class DenseDocument(NamedTuple):
    """A document of the ranking: what it adds to the objective, its events by type, and how much of it is kept.

    ``length`` is the number of characters kept; ``by`` says what was counted: ``annotation`` or ``words``.
    """

    document: str
    gain: float
    counts: Mapping[str, int]
    length: int
    cut: bool
    by: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranked documents, their events by type, and how many are missing of types below their minimum."""

    documents: tuple[DenseDocument, ...]
    totals: Mapping[str, int]
    missing: Mapping[str, int]


def read_types(path: str) -> list[EventType]:
    """Read a tab-separated table with the header ``type``, ``triggers``, ``minimum``; commas separate triggers."""
    lines = filled_lines(path)
    header = lines[0][1].split("\t") if lines else []
    if header != ["type", "triggers", "minimum"]:
        message = f"expected the header type, triggers, minimum between tabs, found {' '.join(header)!r}"
        raise FormatError([Finding("bad-event-types", "error", message, Location(path, 1))])
    types, findings = parse_lines(lines[1:], path, "bad-event-types", _parse_type)
    seen: dict[str, int] = {}
    for number, event in types:
        first = seen.setdefault(_normalised_type(event.name), number)
        if first != number:
            message = f"expected type {event.name!r} once, found it again (first on line {first})"
            findings.append(Finding("bad-event-types", "error", message, Location(path, number)))
    if not lines[1:]:
        message = "expected at least one type below the header, found none"
        findings.append(Finding("bad-event-types", "error", message, Location(path, 1)))
    if findings:
        raise FormatError(sorted(findings, key=lambda finding: finding.location or Location(path)))
    return [event for _, event in types]


def _parse_type(line: str) -> EventType:
    cells = line.split("\t")
    if len(cells) != 3:
        raise ValueError(f"expected 3 columns (type, triggers, minimum), found {len(cells)}")
    name, triggers, least = cells
    if not is_natural(least) or int(least) < 1:
        raise ValueError(f"expected a minimum of 1 or more, found {least!r:.60}")
    parsed: list[Words] = []
    for text in filter(None, map(str.strip, triggers.split(","))):
        try:
            node: Node = parse(text if '"' in text or " " not in text else f'"{text}"')
        except QueryError as error:
            raise ValueError(str(error)) from None
        if not isinstance(node, Words):
            raise ValueError(  # noqa: TRY004 - about the input
                f"expected words, phrases or beginnings of words between commas, found {text!r}"
            )
        parsed.append(node)
    if not parsed:
        raise ValueError(f"expected triggers of {name!r}, found none")
    return EventType(name, tuple(parsed), int(least))


def rank(
    index: Index,
    types: Sequence[EventType],
    *,
    leave_out: frozenset[str] = frozenset(),
    repeated_posts: Mapping[str, frozenset[int]] | None = None,
    longest: int | None = None,
    count: int | None = None,
) -> Ranking:
    """Return the greedy ranking, up to where every minimum is reached or it has ``count`` documents.

    ``repeated_posts`` are the numbers (from 1) of posts in which nothing is counted, by thread.
    """
    documents = list(_count_events(index, types, leave_out, repeated_posts or {}, longest))
    totals = dict.fromkeys((event.name for event in types), 0)

    def gain(counts: Mapping[str, int]) -> float:
        shares = (
            (min(totals[one.name] + counts[one.name], one.least) - min(totals[one.name], one.least))
            / one.least
            for one in types
        )
        return round(sum(shares), 12)

    heap = [
        (-gain(item.counts), -sum(item.counts.values()) / max(1, item.length), item.document, item)
        for item in documents
    ]
    heapq.heapify(heap)
    chosen: list[DenseDocument] = []
    while heap and (count is None or len(chosen) < count):
        _, density, doc_id, item = heapq.heappop(heap)
        fresh = (-gain(item.counts), density, doc_id, item)
        if not fresh[0]:
            continue
        if heap and fresh[:3] > heap[0][:3]:
            heapq.heappush(heap, fresh)
            continue
        chosen.append(item._replace(gain=-fresh[0]))
        for name, added in item.counts.items():
            totals[name] += added
    missing = {one.name: one.least - totals[one.name] for one in types if totals[one.name] < one.least}
    return Ranking(tuple(chosen), totals, missing)


def _count_events(
    index: Index,
    types: Sequence[EventType],
    leave_out: frozenset[str],
    repeated_posts: Mapping[str, frozenset[int]],
    longest: int | None,
) -> Iterator[DenseDocument]:
    """Count the events of every document that has any."""
    triggers = [(search_term_of(trigger), event.name) for event in types for trigger in event.triggers]
    annotated = index.events()
    numbers = set(matching_numbers(index, Or(tuple(one for event in types for one in event.triggers))))
    numbers.update(record.number for record in index.records() if record.id in annotated)
    for record, text in index.texts(numbers):
        doc_id = record.id
        if doc_id in leave_out:
            continue
        end = thread_end(record, longest)
        if doc_id in annotated:
            events = _annotated_events(annotated[doc_id], types, text)
        else:
            events = _triggered_events(searchable(record, text)[:end], triggers)
        omitted = [record.posts[number - 1] for number in repeated_posts.get(doc_id, ())]
        counted = Counter(
            name
            for name, offset in events
            if offset < end and not any(post.start <= offset < post.end for post in omitted)
        )
        counts = {event.name: counted[event.name] for event in types}
        by = ANNOTATION if doc_id in annotated else TRIGGER_WORDS
        yield DenseDocument(doc_id, 0.0, counts, end, end < len(text), by)


def _triggered_events(text: str, triggers: Sequence[tuple[SearchTerm, str]]) -> Iterator[tuple[str, int]]:
    """Return the types whose triggers occur in a text, with the offsets of the triggers.

    Of overlapping triggers only one counts (the first, then the longest), but for every type that has it.
    """
    places = find_terms(placed_words(text), [term for term, _ in triggers])
    counting = {(start, end) for start, end, _ in without_overlaps(places)}
    occurrences = dict.fromkeys((triggers[number][1], start, end) for start, end, number in places)
    yield from ((name, start) for name, start, end in occurrences if (start, end) in counting)


def _annotated_events(
    events: Sequence[AnnotatedEvent], types: Sequence[EventType], text: str
) -> Iterator[tuple[str, int]]:
    """Return the types of annotated events, with their offsets."""
    names = {_normalised_type(event.name): event.name for event in types}
    for event in events:
        name = names.get(_normalised_type(event.type))
        if name is not None:
            yield name, place_among_tags(text, event.start) if event.tagless else event.start


def _normalised_type(name: str) -> str:
    """Normalise a type: ``Conflict.Attack``, ``conflict_attack`` and ``Conflict:Attack`` become equal."""
    return "".join(character for character in name.casefold() if character.isalnum())
