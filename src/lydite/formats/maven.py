"""MAVEN and what was built on it: JSON lines, one document per line.

MAVEN       ``content`` (sentences with ``tokens``), ``events`` with mentions at token numbers of a sentence
MAVEN-ERE   ``tokens`` (sentences), the same events, ``TIMEX``, and relations between events and times
MAVEN-Arg   ``document`` (a text), events with mentions at characters, ``argument`` by role, ``entities``

The mentions of an event corefer.  Its arguments stand with its first mention; a filler that is an entity is the mention
of that entity nearest to it, of equals the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any, TypedDict

from lydite.formats.event_records import (
    RecordContent,
    RecordEvent,
    RecordMention,
    RecordShape,
    SpanOrWords,
    make_each,
    named_once,
    number_of,
    record_format,
    span_of,
    tokens_of,
    words_of,
)
from lydite.formats.faults import Faults
from lydite.formats.json_lines import first_line
from lydite.formats.json_records import is_record_of
from lydite.formats.names import json_names
from lydite.model.mention import COREFERENCE, SUBEVENT
from lydite.model.places import ENTITIES_LAYER, LINKS_LAYER, TIMES_LAYER

_NAMED_RELATIONS = ("temporal_relations", "causal_relations")


def parse(records: Sequence[Mapping[str, object]], _key: str) -> RecordContent:
    """The content of a document, which is one record."""
    (record,) = records
    content = RecordContent(_sentences(record), [], _text(record))
    reader = _Record(record, content.sentences)
    content.events.extend(reader.events())
    times, entities = tuple(reader.times()), tuple(reader.entities.values())
    return content._replace(times=times, entities=entities, links=tuple(_links(record)))


def _sentences(record: Mapping[str, Any]) -> list[list[str]]:
    if "content" in record:
        return [tokens_of(sentence["tokens"]) for sentence in record["content"]]
    return list(map(tokens_of, record.get("tokens", ())))


def _text(record: Mapping[str, object]) -> str | None:
    text = record.get("document")
    if text is None and "content" not in record and "tokens" not in record:
        raise Faults("no 'content', 'tokens' or 'document'")
    if text is not None and not isinstance(text, str):
        raise Faults(f"expected a text under 'document', found {text!r:.60}")
    return text


class _Mention(TypedDict, total=False):
    """A mention, a time or a filler: its words, and where they stand."""

    id: str
    type: str
    trigger_word: str
    mention: str
    content: str
    offset: list[int]
    sent_id: int
    entity_id: str


class _Record:
    """Reads the events, times and entities of one record."""

    def __init__(self, record: Mapping[str, Any], sentences: Sequence[Sequence[str]]) -> None:
        self._record = record
        self._starts = [0, *accumulate(map(len, sentences))][:-1]
        """Before how many tokens of the document each sentence begins."""
        self.entities = named_once(
            (
                str(one["id"]),
                (str(one["id"]), str(one.get("type", "")), tuple(map(self._entity, one["mention"]))),
            )
            for one in record.get("entities", [])
        )
        named = (one for kind in ("events", "TIMEX") for one in record.get(kind, []))
        named_once((one["id"], one) for one in named if one.get("id", "") != "")

    def events(self) -> list[RecordEvent]:
        """One event per mention; ``event_mentions`` are candidates, which belong to no event."""
        found = make_each(self._mentions_of_event, self._record.get("events", []))
        candidates = self._record.get("event_mentions", [])
        others = make_each(lambda mention: self._make_event(mention, mention.get("type", "")), candidates)
        return [*chain.from_iterable(found), *others]

    def _mentions_of_event(self, event: Mapping[str, Any]) -> list[RecordEvent]:
        def read(item: tuple[int, _Mention]) -> RecordEvent:
            number, mention = item
            found = self._make_event(mention, event["type"])
            arguments = () if number else tuple(self._arguments(event.get("argument", {}), found))
            return found._replace(cluster=event.get("id", ""), arguments=arguments)

        return make_each(read, enumerate(event["mention"]))

    def _make_event(self, mention: _Mention, kind: str) -> RecordEvent:
        return RecordEvent(mention.get("id", ""), kind, self._place(mention, mention.get("trigger_word")))

    def times(self) -> Iterator[RecordMention]:
        """Time expressions."""
        for time in self._record.get("TIMEX", []):
            yield RecordMention(str(time["id"]), time.get("type", ""), self._place(time, time.get("mention")))

    def _entity(self, mention: _Mention) -> RecordMention:
        return RecordMention(mention.get("id", ""), "", self._place(mention, mention.get("mention")))

    def _arguments(
        self, argument: Mapping[str, Sequence[_Mention]], event: RecordEvent
    ) -> Iterator[tuple[str, SpanOrWords]]:
        for role, fillers in argument.items():
            for filler in fillers:
                if "entity_id" not in filler:
                    yield role, self._place(filler, filler.get("content"))
                    continue
                if filler["entity_id"] not in self.entities:
                    raise Faults(f"role {role}: no entity {filler['entity_id']!r}")
                _, _, mentions = self.entities[filler["entity_id"]]
                if not mentions:
                    raise Faults(f"role {role}: entity {filler['entity_id']!r} has no mention")
                yield role, _nearest_place([one.where for one in mentions], event.trigger)

    def _place(self, mention: _Mention, words: object) -> SpanOrWords:
        """Tokens of a sentence, characters of the document, or words alone."""
        if mention.get("offset") is None:
            return words_of(words)
        first, last = mention["offset"]
        run = span_of(first, last, words)
        if mention.get("sent_id") is None:
            if self._record.get("document") is None:
                raise Faults(f"expected 'sent_id' beside the tokens {first!r} to {last!r}, found none")
            if not 0 <= run.begin < run.end:
                raise Faults(f"characters {run.begin} to {run.end}")
            return run._replace(of_tokens=False)
        sentence = number_of(mention["sent_id"])
        if not 0 <= sentence < len(self._starts):
            raise Faults(f"sentence {sentence} of {len(self._starts)}")
        return span_of(first, last, words, self._starts[sentence])


def _nearest_place(places: Sequence[SpanOrWords], trigger: SpanOrWords) -> SpanOrWords:
    """The place nearest to the trigger, of equals the first; the first if the trigger or all of them have none."""
    known = [place for place in places if not isinstance(place, str)]
    if isinstance(trigger, str) or not known:
        return places[0]
    begin, end = trigger.begin, trigger.end
    return min(known, key=lambda one: (max(one.begin - end, begin - one.end, 0), one.begin, one.end))


def _links(record: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Relations by name: subevents are what a task knows, temporal and causal ones keep their names."""
    for pair in record.get("subevent_relations", []):
        yield SUBEVENT, _pair(pair)
    for kind in _NAMED_RELATIONS:
        for name, pairs in record.get(kind, {}).items():
            for pair in pairs:
                yield name, _pair(pair)


def _pair(pair: object) -> tuple[str, ...]:
    if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair)):
        raise Faults(f"expected a pair of ids, found {pair!r:.60}")
    return tuple(pair)


def recognise(head: bytes) -> bool:
    """Whether the first line has events (or candidates) with trigger words, or beside sentences of tokens."""
    line = first_line(head)
    if not line.startswith(b"{") or not (b'"events"' in line or b'"event_mentions"' in line):
        return False
    if is_record_of("maven-arg", head):
        return False
    tokens = b'"tokens"' in line and (b'"content"' in line or b'"mention"' in line)
    return b'"trigger_word"' in line or tokens


MAVEN = record_format(
    RecordShape(
        "maven",
        itemgetter("id"),
        parse,
        relation_fields={"events": COREFERENCE, "subevent_relations": SUBEVENT},
    ),
    "MAVEN, MAVEN-ERE and MAVEN-Arg documents (JSON lines)",
    recognise,
    layers=(TIMES_LAYER, ENTITIES_LAYER, LINKS_LAYER),
    names=json_names(
        "id document content tokens events type mention offset sent_id trigger_word argument entity_id entities TIMEX"
        " event_mentions temporal_relations causal_relations subevent_relations",
        "title type_id sentence sentences mentions negative_triggers",
        free_under="argument temporal_relations causal_relations",
    ),
)
