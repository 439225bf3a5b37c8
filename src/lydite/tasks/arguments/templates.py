"""Arguments as gen-arg scores them: fillers of templates, placed near the trigger, by head and by coreference."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from lydite.errors import Finding, Location, UsageError, refuse
from lydite.escaping import counted
from lydite.formats.faults import Faults
from lydite.formats.json_lines import json_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.source import open_source
from lydite.memory import kept_for_a_run
from lydite.model import DocumentPair, Figures, Tally
from lydite.model.graphs import GRAPHS, GraphTrigger, SentenceGraph
from lydite.model.roles import TEMPLATES
from lydite.model.windows import WINDOWS, Range
from lydite.numerals import is_whole
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.relations.matching import Item, Matching, match

T = TypeVar("T")
MICRO = Average("micro", empty="zero")
EMPTY, AND = "<arg>", "and"
ARTICLES = frozenset({"the", "a", "an"})
MENTION_IDS = "mention-ids"
_SLOT = re.compile(r"<arg([0-9]+)>")


class Template(NamedTuple):
    """The template of an event type, and the roles of its slots."""

    words: tuple[str, ...]
    roles: tuple[str, ...]


class PlacedFiller(NamedTuple):
    """An argument of an event, by the event's number, its tokens and its role."""

    event: int
    place: Range
    type: str
    role: str


# ---------------------------------------------------------------------------------------------------------- files


@kept_for_a_run(2)
def templates_in(path: str) -> Mapping[str, Template]:
    """The templates of event types."""
    try:
        found = json.loads(Path(path).read_bytes())
        return {
            kind: Template(tuple(one["template"].split()), tuple(one["roles"])) for kind, one in found.items()
        }
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        message = f'expected {{type: {{"template": "…", "roles": […]}}}}, found: {error}'
        raise refuse(Location(path), "bad-templates-file", message) from None


def _records_by_document(path: str, parse: Callable[[Mapping[str, object]], T]) -> dict[str, T]:
    found = {}
    for place, line in json_lines(open_source(path)):
        try:
            record = json_object(line)
            found[str(record["doc_key"])] = parse(record)
        except NotJSONError as error:
            raise refuse(place.location, "bad-event-record", f"expected an object, found: {error}") from None
        except KeyError as error:
            message = f"expected an object with the key {error}, found none"
            raise refuse(place.location, "bad-event-record", message) from None
        except Faults as error:
            raise refuse(place.location, "bad-event-record", str(error)) from None
    return found


@kept_for_a_run(2)
def heads_in(path: str) -> Mapping[str, Sequence[int]]:
    """The head of each token, by document."""
    return _records_by_document(path, _heads)


def _heads(record: Mapping[str, object]) -> Sequence[int]:
    heads = record["heads"]
    if not isinstance(heads, list) or not all(map(is_whole, heads)):
        raise Faults(f"expected a list of whole numbers under 'heads', found {heads!r:.60}")
    return heads


@kept_for_a_run(2)
def clusters_in(path: str) -> Mapping[str, Sequence[Sequence[str]]]:
    """The clusters of mentions by document, as many as there are informative mentions."""
    return _records_by_document(path, _clusters)


def _clusters(record: Mapping[str, object]) -> Sequence[Sequence[str]]:
    clusters, informative = record["clusters"], record["informative_mentions"]
    if not isinstance(clusters, list) or not all(map(_is_list_of_strings, clusters)):
        raise Faults(f"expected a list of lists of ids under 'clusters', found {clusters!r:.60}")
    if not isinstance(informative, list):
        raise Faults(f"expected a list under 'informative_mentions', found {informative!r:.60}")
    return clusters[: len(informative)]


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


# ------------------------------------------------------------------------------------------------------- fillers


def fillers_of(template: Template, predicted: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """The role and the words of each slot that is not marked as empty: template and prediction are walked together."""
    at = 0
    for number, word in enumerate(template.words):
        if at >= len(predicted):
            return
        slot = _SLOT.match(word)
        if slot is None or predicted[at] == EMPTY:
            at += 1
            continue
        end = len(predicted)
        if number + 1 < len(template.words):
            behind = template.words[number + 1]
            end = next((place for place in range(at, end) if predicted[place] == behind), end)
        yield template.roles[int(slot[1]) - 1], predicted[at:end]
        at = end


def nearest_place(words: Sequence[str], tokens: Sequence[str], trigger: Range) -> Range | None:
    """Where words stand nearest to the trigger, of equals the first; None if they do not stand in the text."""
    begin, end = trigger
    length, best, least = len(words), None, len(tokens)
    for at in range(len(tokens) - max(length, 1) + 1):
        if list(tokens[at : at + length]) != list(words):
            continue
        distance = abs(begin - at - length) if at < begin else abs(at - end)
        if distance < least:
            best, least = (at, at + length), distance
    return best


def places_of(words: Sequence[str], tokens: Sequence[str], trigger: Range) -> list[Range]:
    """The place of a filler, or those of its parts between the word ``and``."""
    whole = nearest_place(words, tokens, trigger)
    if whole is not None:
        return [whole]
    parts: list[list[str]] = [[]]
    for word in words:
        if word == AND and parts[-1]:
            parts.append([])
        else:
            parts[-1].append(word)
    found = (nearest_place(part, tokens, trigger) for part in parts if part)
    return [place for place in found if place is not None]


# ---------------------------------------------------------------------------------------------------- comparison


class TemplateComparison(ItemComparison):
    """The arguments of both sides of a document, event by event."""

    def __init__(self, pair: DocumentPair, settings: ArgumentSettings) -> None:
        super().__init__(pair)
        self._settings = settings
        graphs = pair.gold.layers.get(GRAPHS, ())
        self._gold = graphs[0] if graphs else SentenceGraph()
        self._tokens = pair.gold.layers[WINDOWS].windows[0].words if graphs else ()
        self._lines = pair.system.layers.get(TEMPLATES, ())
        self._heads = self._heads_of_document() if settings.span == "head" else None
        self._templates = templates_in(settings.templates) if settings.templates else None

    def _heads_of_document(self) -> Sequence[int]:
        path = self._settings.heads
        if path is None:
            message = "heads of spans are compared, and no file has them"
            hint = "--heads FILE names the heads of all tokens; --span extent compares whole spans"
            raise refuse(Location(self.pair.gold.path), "no-heads", message, hint=hint)
        found = heads_in(path).get(self.pair.doc_id)
        if found is None or len(found) != len(self._tokens):
            number = "no heads" if found is None else counted(len(found), "head")
            message = f"document {self.pair.doc_id!r}: {number} for {counted(len(self._tokens), 'token')}"
            raise refuse(Location(path), "no-heads", message)
        return found

    @property
    def is_filled(self) -> bool:
        """Whether the system filled templates, and did not write events with places; a mended system has both."""
        return GRAPHS not in self.pair.system.layers

    @property
    def triggers(self) -> Sequence[GraphTrigger]:
        """The triggers of gold's events."""
        return self._gold.triggers

    def _has_template(self, kind: str) -> bool:
        return self._templates is None or kind in self._templates

    @cached_property
    def gold(self) -> list[PlacedFiller]:
        """The arguments of gold's events, each once."""
        found = []
        for number, place, role, _ in self._gold.roles:
            kind = self._gold.triggers[number].type
            is_numbered = self.is_filled or TEMPLATES in self.pair.system.layers
            left_out = is_numbered and self._settings.events_without_line and number >= len(self._lines)
            if not left_out and self._has_template(kind):
                found.append(PlacedFiller(number, self._gold_place(place), kind, role))
        return list(dict.fromkeys(found))

    def _gold_place(self, place: Range) -> Range:
        begin, end = place
        if self._settings.articles and end - begin > 1 and self._tokens[begin].lower() in ARTICLES:
            begin += 1
        return self._head(begin, end) if end - begin > 1 else (begin, end)

    def _head(self, begin: int, end: int) -> Range:
        """The head of a span, found from its first token; the span itself where extents are compared."""
        if self._heads is None:
            return begin, end
        at = begin
        for _ in range(begin, end):
            above = self._heads[at]
            if above == at or not begin <= above < end:
                break
            at = above
        return at, at + 1

    @cached_property
    def system(self) -> list[PlacedFiller]:
        """The arguments of the system, each once; those of events that gold does not have are events of their own."""
        found = self._filled() if self.is_filled else self._given()
        return list(dict.fromkeys(found))

    def _filled(self) -> Iterator[PlacedFiller]:
        if self._templates is None:
            raise UsageError("templates are filled, and no file has them", hint="--templates FILE")
        for number, (trigger, line) in enumerate(zip(self._gold.triggers, self._lines, strict=False)):
            template = self._templates.get(trigger.type)
            if template is None:
                continue
            for role, words in fillers_of(template, line.split()):
                if not words and not self._settings.empty_slot:
                    continue
                for begin, end in places_of(words, self._tokens, trigger.place):
                    yield PlacedFiller(number, self._head(begin, end), trigger.type, role)

    def _given(self) -> Iterator[PlacedFiller]:
        graphs = self.pair.system.layers[GRAPHS]
        system = graphs[0] if graphs else SentenceGraph()
        left = list(enumerate(system.triggers))
        partners: dict[int, int] = {}
        for number, trigger in enumerate(self._gold.triggers):
            taken = next(((at, one) for at, one in left if one == trigger), None)
            if taken is not None:
                left.remove(taken)
                partners[taken[0]] = number
        for number, place, role, _ in system.roles:
            kind = system.triggers[number].type
            if self._has_template(kind):
                event = partners.get(number, len(self._gold.triggers) + number)
                yield PlacedFiller(event, self._head(*place), kind, role)

    # ------------------------------------------------------------------------------------------- coreference

    @cached_property
    def _table(self) -> dict[Range, object]:
        """The cluster of each full span of a mention; later mentions replace earlier ones."""
        named = self._settings.coreference
        if named == MENTION_IDS:
            clusters = {one.id: one.id.rpartition("-")[0] for one in self._gold.entities}
        else:
            listed = clusters_in(named or "").get(self.pair.doc_id, ())
            clusters = {name: number for number, names in enumerate(listed) for name in names}  # type: ignore[misc]
        places = {one.id: one.place for one in self._gold.entities}
        table: dict[Range, object] = {}
        in_order = clusters if named != MENTION_IDS else places
        for name in in_order:
            if name in places:
                table[places[name]] = clusters[name]
                if not self._settings.heads_not_in_table:
                    table[self._gold_place(places[name])] = clusters[name]
        return table

    def _coreferent(self, one: PlacedFiller) -> list[PlacedFiller]:
        """The gold arguments of the same event whose span is in the same cluster."""
        cluster = self._table.get(one.place)
        if cluster is None:
            return []
        return [
            other
            for other in self.gold
            if other.event == one.event and self._table.get(other.place) == cluster
        ]

    def matching(self, measure: str) -> Matching:
        """The items of a measure; one that is right by coreference has the key of its gold argument."""
        name, _, by_coreference = measure.partition("-")
        key = _KEYS[name]
        gold = [_item(one, key(one)) for one in self.gold]
        by_place = {_KEYS["ai"](one) for one in self.gold}
        system = []
        for one in self.system:
            found = key(one)
            is_placed = _KEYS["ai"](one) in by_place and self._settings.place_before_coreference
            if by_coreference and not is_placed:
                same = (
                    key(other) for other in self._coreferent(one) if name == "ai" or other.role == one.role
                )
                found = next(same, found)
            system.append(_item(one, found))
        return match(gold, system, repeats_count=self._settings.recall_above_one)

    def findings(self) -> Iterator[Finding]:
        """Gold events without a line, and lines beyond the events."""
        if not self.is_filled:
            return
        events, lines = len(self._gold.triggers), len(self._lines)
        place = Location(self.pair.system.path, self.pair.system.line or None)
        if lines < events:
            message = f"document {self.pair.doc_id!r}: {counted(events, 'event')} in gold and {counted(lines, 'line')}; events without a line are not counted"
            yield Finding("missing-window", "warning", message, place, self.pair.doc_id)
        elif lines > events:
            message = f"document {self.pair.doc_id!r}: {counted(events, 'event')} in gold and {counted(lines, 'line')}; lines beyond the events are left out"
            yield Finding("extra-window", "warning", message, place, self.pair.doc_id)


_KEYS: Mapping[str, Callable[[PlacedFiller], tuple[object, ...]]] = {
    "ai": lambda one: one[:3],
    "ac": lambda one: one[:4],
}
"""What makes two arguments equal: event, place and type; and role."""


def _item(one: PlacedFiller, key: tuple[object, ...]) -> Item:
    return Item(key, one.type, 0, one)


def measurements(settings: ArgumentSettings) -> list[Measurement[TemplateComparison]]:
    """Arguments by place, and by place and role; the same with coreference, if it is given."""
    names = ["ac", "ai", *(["ai-coref", "ac-coref"] if settings.coreference else [])]
    return [
        Measurement(
            name, "relation-match", partial(_tally, name), (MICRO,), {"type": partial(_by_type, name)}, MICRO
        )
        for name in names
    ]


def _tally(name: str, comparison: TemplateComparison) -> Tally:
    return comparison.matching(name).tally()


def _by_type(name: str, comparison: TemplateComparison) -> Iterator[tuple[str, Figures]]:
    yield from comparison.matching(name).by_type().items()
