"""Density: documents ranked and cut so that every type of event occurs often enough.

Where a document has annotated events, they are counted; elsewhere words tell of them.  A type has words, phrases and beginnings of words that tell of it, and a minimum.  Documents are taken by what they add to
Σ min(found, minimum) / minimum, then by how densely they speak of the types, then by id, until every minimum is reached.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from lydite.corpus.analysis import place_among_tags, placed_words
from lydite.corpus.documents import AnnotatedEvent
from lydite.corpus.index import Index, searchable, thread_end
from lydite.corpus.query import Node, Or, QueryError, Words, parse
from lydite.corpus.search import Leaf, all_places, apart, leaf_of, matching
from lydite.errors import Finding, FormatError, Location
from lydite.formats.numbered_lines import filled_lines, parse_lines
from lydite.numerals import is_natural
from lydite.records import NamedTuple, dataclass

ANNOTATION, WORDS = "annotation", "words"


class EventType(NamedTuple):
    """A type, what tells of it, and how often it must occur."""

    name: str
    triggers: tuple[Words, ...]
    least: int


class DenseDocument(NamedTuple):
    """A document of the ranking: what it adds, what it holds of each type, where it is cut (or its whole length).

    ``by`` says what was counted: ``annotation`` or ``words``.
    """

    document: str
    gain: float
    counts: Mapping[str, int]
    length: int
    cut: bool
    by: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The documents up to the cut, what they hold of each type, and by how much a type falls short."""

    documents: tuple[DenseDocument, ...]
    totals: Mapping[str, int]
    missing: Mapping[str, int]


def read_types(path: str) -> list[EventType]:
    """A table with a header ``type``, ``triggers``, ``minimum`` between tabs; triggers stand between commas."""
    lines = filled_lines(path)
    header = lines[0][1].split("\t") if lines else []
    if header != ["type", "triggers", "minimum"]:
        message = f"expected the header type, triggers, minimum between tabs, found {' '.join(header)!r}"
        raise FormatError([Finding("bad-event-types", "error", message, Location(path, 1))])
    types, findings = parse_lines(lines[1:], path, "bad-event-types", _event_type)
    seen: dict[str, int] = {}
    for number, event in types:
        first = seen.setdefault(_compared(event.name), number)
        if first != number:
            message = f"expected type {event.name!r} once, found it again (first on line {first})"
            findings.append(Finding("bad-event-types", "error", message, Location(path, number)))
    if not lines[1:]:
        message = "expected at least one type below the header, found none"
        findings.append(Finding("bad-event-types", "error", message, Location(path, 1)))
    if findings:
        raise FormatError(sorted(findings, key=lambda finding: finding.location or Location(path)))
    return [event for _, event in types]


def _event_type(line: str) -> EventType:
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
    repeated: Mapping[str, frozenset[int]] | None = None,
    longest: int | None = None,
    count: int | None = None,
) -> Ranking:
    """The shortest greedy ranking that reaches every minimum, or ``count`` documents if that is less.

    ``repeated`` names by thread the posts (from 1) in which nothing is counted.
    """
    found = list(_counted(index, types, leave_out, repeated or {}, longest))
    totals = dict.fromkeys((event.name for event in types), 0)

    def gain(counts: Mapping[str, int]) -> float:
        worth = sum(
            (min(totals[one.name] + counts[one.name], one.least) - min(totals[one.name], one.least))
            / one.least
            for one in types
        )
        return round(worth, 12)

    heap = [
        (-gain(item.counts), -sum(item.counts.values()) / max(1, item.length), item.document, item)
        for item in found
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


def _counted(
    index: Index,
    types: Sequence[EventType],
    leave_out: frozenset[str],
    repeated: Mapping[str, frozenset[int]],
    longest: int | None,
) -> Iterator[DenseDocument]:
    triggers = [(leaf_of(trigger), event.name) for event in types for trigger in event.triggers]
    annotated = index.events()
    numbers = set(matching(index, Or(tuple(trigger for event in types for trigger in event.triggers))))
    numbers.update(record.number for record in index.records() if record.id in annotated)
    for record, text in index.texts(numbers):
        doc_id = record.id
        if doc_id in leave_out:
            continue
        end = thread_end(record, longest)
        if doc_id in annotated:
            found = list(_annotated(annotated[doc_id], types, text))
        else:
            found = list(_triggered(searchable(record, text)[:end], triggers))
        omitted = [record.posts[number - 1] for number in repeated.get(doc_id, ())]
        kept = Counter(
            name
            for name, place in found
            if place < end and not any(post.start <= place < post.end for post in omitted)
        )
        counts = {event.name: kept[event.name] for event in types}
        by = ANNOTATION if doc_id in annotated else WORDS
        yield DenseDocument(doc_id, 0.0, counts, end, end < len(text), by)


def _triggered(text: str, triggers: Sequence[tuple[Leaf, str]]) -> Iterator[tuple[str, int]]:
    """The types that words of a text tell of, with the places of the words.

    Of triggers that overlap the longest counts, for every type that has it.
    """
    found = all_places(placed_words(text), [leaf for leaf, _ in triggers])
    counting = {(start, end) for start, end, _ in apart(found)}
    told = dict.fromkeys((triggers[leaf][1], start, end) for start, end, leaf in found)
    yield from ((name, start) for name, start, end in told if (start, end) in counting)


def _annotated(
    events: Sequence[AnnotatedEvent], types: Sequence[EventType], text: str
) -> Iterator[tuple[str, int]]:
    """The annotated events of the wanted types, with their places."""
    names = {_compared(event.name): event.name for event in types}
    for event in events:
        name = names.get(_compared(event.type))
        if name is not None:
            yield name, place_among_tags(text, event.start) if event.tagless else event.start


def _compared(name: str) -> str:
    """A type as it is compared: ``Conflict.Attack``, ``conflict_attack`` and ``Conflict:Attack`` are one."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())
