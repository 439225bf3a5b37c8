"""Kybot output: events and their roles, pointing to the terms of a KAF file.

::

    <kybotOut><doc shortname="11767.kaf">
      <event eid="e92" target="t9018" lemma="fish" rank="0.53" profile_id="p1,p2">
        <place name="…"><span id="t5"/></place> <dateInfo dateISO="…"><span id="t6"/></dateInfo>
      </event>
      <role rid="r170" event="e92" target="t9020" lemma="restoration" rtype="Kyoto#patient" rank="0.17"/>
    </doc></kybotOut>
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import UsageError
from lydite.formats.base import Options, text_option
from lydite.formats.naf import Resolver
from lydite.formats.names import xml_names
from lydite.formats.safe_xml import attributes, children, has_tag, line_of, local_name, parse
from lydite.formats.source import Source, SourcePart, open_file
from lydite.formats.triples import READ_AS_TRIPLES, ConversionReport, corpus_of_parts, parse_number
from lydite.grouping import grouped
from lydite.java_maps import map_order
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement

if TYPE_CHECKING:
    from lxml.etree import _Element

_PLACE_RELATIONS = {"place": "LOCATION", "country": "LOCATION"}
_DATE_RELATIONS = {"dateinfo": "TIME"}
_LARGEST_RANK = 1e300
"""Larger ranks are damaged: their percentages could not be computed."""


class _RankedItem(NamedTuple):
    """An event or role: its attributes, rank and node."""

    values: Mapping[str, str]
    rank: float
    node: _Element

    @property
    def target(self) -> str:
        return self.values.get("target", "")

    @property
    def event(self) -> str:
        """The id of the event itself, or of the event of a role."""
        return self.values.get("eid" if local_name(self.node) == "event" else "event", "")


def read(source: Source, settings: Options) -> Corpus:
    """Triples of events with their roles, places and dates; ``kaf`` names the file that has the terms."""
    path = text_option(settings, "kaf")
    if not path:
        message = "Kybot output points to the terms of a KAF file"
        raise UsageError(message, hint="name it with the setting 'kaf'")
    threshold = float(text_option(settings, "wsd-threshold", "0"))
    if not 0 <= threshold <= 100:
        raise UsageError(f"wsd-threshold is a percentage: expected 0 to 100, found {threshold:g}")
    return corpus_of_parts(source, "kybot", lambda part: _document(part, path, settings))


def _document(part: SourcePart, path: str, settings: Options) -> Document:
    report = ConversionReport(part)
    text = open_file(path)
    resolver = Resolver(text, report)
    root = parse(part)
    report.expect_places(root, _EXPECTED_CHILDREN)
    documents = [node for node in root.iter() if local_name(node) == "doc"]
    groups = _document_groups(documents, text.name, report, settings)
    return report.document((one for group in groups for one in _triples(group, resolver, settings)), settings)


def _document_groups(
    documents: Sequence[_Element], name: str, report: ConversionReport, settings: Options
) -> list[list[_Element]]:
    """The documents that go with the KAF file, each in a group; all in one group under ``kybot-documents-together``."""
    if len(documents) == 1 or settings.get("kybot-documents-together", False):
        return [list(documents)]
    groups = []
    for node in documents:
        short = attributes(node).get("shortname", "")
        if short.endswith(name):
            groups.append([node])
        else:
            report.add("other-document", f"documents other than {name}", short)
    return groups


def _ranked_items(nodes: Sequence[_Element], name: str, report: ConversionReport) -> list[_RankedItem]:
    items = []
    for document in nodes:
        for node in children(document, name):
            values = attributes(node)
            written = values.get("rank", "")
            rank = parse_number(written) if written else 0
            if rank is None or abs(rank) > _LARGEST_RANK:
                rank = 0
                message = f"expected a number as rank, found {written!r}; 0 is used"
                report.warn("bad-rank", message, line_of(node))
            items.append(_RankedItem(values, rank, node))
    return items


def _kept_positions(items: Sequence[_RankedItem], threshold: float) -> set[int]:
    """The positions of the events and roles that are not dropped as unlikely word senses.

    All with one target compete.  When at least two do and the best rank is above 0, one stays only if
    ⌊(100·rank)/best⌋ ≥ threshold; the best rank is taken before anything is dropped.
    """
    ranks = grouped((item.target, item.rank) for item in items)
    kept = set()
    for place, item in enumerate(items):
        competing_ranks = ranks[item.target]
        best = max(competing_ranks)
        if len(competing_ranks) < 2 or best <= 0 or _reaches(threshold, item.rank, best):
            kept.add(place)
    return kept


def _reaches(threshold: float, rank: float, best: float) -> bool:
    # ⌊percentage⌋ ≥ threshold exactly if percentage ≥ ⌈threshold⌉.
    return (100 * rank) / best >= math.ceil(threshold)


def _kept_in_hash_order(
    events: Sequence[_RankedItem], roles: Sequence[_RankedItem], threshold: float, report: ConversionReport
) -> set[int]:
    """The positions that the reference program keeps: it goes from target to target in the order of a hash map.

    What it drops for one target no longer counts for the next, and roles stay if their event would lose all of them.
    """
    items = [*events, *roles]
    event_at = {event.event: place for place, event in enumerate(events)}
    roles_of: dict[str, list[int]] = {name: [] for name in event_at}
    for place, role in enumerate(roles, start=len(events)):
        roles_of[role.event].append(place)
    order = _map_order(event_at, "events", report)
    competing: dict[str, list[str]] = {}
    for name in order:
        own = items[event_at[name]].target
        others = (items[place].target for place in roles_of[name])
        for target in (own, *(other for other in others if other != own)):
            competing.setdefault(target, []).append(name)
    dropped: set[int] = set()
    for target in _map_order(competing, "targets", report):
        names = competing[target]
        left = [name for name in names if event_at[name] not in dropped]
        places = (place for name in left for place in (event_at[name], *roles_of[name]))
        best = max((items[place].rank for place in places if items[place].target == target), default=0)
        if len(names) < 2 or best <= 0:
            continue
        for name in left:
            unlikely = {
                place
                for place in (event_at[name], *roles_of[name])
                if items[place].target == target and not _reaches(threshold, items[place].rank, best)
            }
            if unlikely.issuperset(roles_of[name]):
                unlikely.difference_update(roles_of[name])  # an event never loses all its roles
            dropped |= unlikely
            roles_of[name] = [place for place in roles_of[name] if place not in dropped]
    return set(range(len(items))) - dropped


def _map_order(names: Iterable[str], what: str, report: ConversionReport) -> Sequence[str]:
    keys, is_known = map_order(names)
    if not is_known:
        message = f"nine or more {what} share a place of the official program's hash table; their order there is not known"
        report.warn("unknown-hash-order", message)
    return keys


def _last_of_each_id(events: Sequence[_RankedItem], report: ConversionReport) -> list[_RankedItem]:
    """The last event of every id, where the first one of that id stands."""
    by_id: dict[str, _RankedItem] = {}
    for event in events:
        if event.event in by_id:
            report.add("repeated-id", "events with an id that a later event has", event.event)
        by_id[event.event] = event
    return list(by_id.values())


def _triples(nodes: Sequence[_Element], resolver: Resolver, settings: Options) -> Iterator[Triple]:
    report = resolver.report
    events = _ranked_items(nodes, "event", report)
    in_hash_order = settings.get("kybot-hash-order", False)
    if in_hash_order:
        events = _last_of_each_id(events, report)
    roles_of: dict[str, list[_RankedItem]] = {event.event: [] for event in events}
    roles = []
    for role in _ranked_items(nodes, "role", report):
        if role.event in roles_of:
            roles.append(role)
        else:  # it does not compete
            report.add("unknown-annotation", "roles of unknown events", role.values.get("rid", ""))
    threshold = float(text_option(settings, "wsd-threshold", "0"))
    kept = (
        _kept_in_hash_order(events, roles, threshold, report)
        if in_hash_order
        else _kept_positions([*events, *roles], threshold)
    )
    for place, role in enumerate(roles, start=len(events)):
        if place in kept:
            roles_of[role.event].append(role)
        else:
            report.add("below-threshold", "roles below the word-sense threshold", role.values.get("rid", ""))
    for place, event in enumerate(events):
        name = event.event
        if place not in kept:
            report.add("below-threshold", "events below the word-sense threshold, with their roles", name)
            continue
        first = _element(resolver, event)
        if first is None:
            report.add("unresolved-element", "events whose target has no tokens", name)
            continue
        for role in roles_of[name]:
            relation = role.values.get("rtype", "").split("#", 1)[-1]
            triple = Triple(relation, id=name, profile_id=role.values.get("profile_id", ""))
            yield from resolver.triples("role", triple, first, _element(resolver, role))
        yield from _place_and_date_triples(resolver, name, first, event, settings)


def _element(resolver: Resolver, item: _RankedItem) -> TripleElement | None:
    ids = resolver.tokens((item.target,))
    return TripleElement(ids, "", item.values.get("lemma", "")) if ids else None


def _place_and_date_triples(
    resolver: Resolver, name: str, first: TripleElement, event: _RankedItem, settings: Options
) -> Iterator[Triple]:
    """Places and countries, then dates: second element = tokens of all spans (the last one only as a quirk)."""
    last_only = settings.get("kybot-last-span-only", False)
    for names in (_PLACE_RELATIONS, _DATE_RELATIONS):
        for node in event.node:
            relation = names.get(local_name(node))
            if relation is None:
                continue
            terms = [attributes(span).get("id", "") for span in children(node, "span")]
            second = resolver.element(terms[-1:] if last_only else terms)
            yield from resolver.triples(relation, Triple(relation, id=name), first, second)


_EXPECTED_CHILDREN = {
    "kybotout": {"doc"},
    "doc": {"event", "role"},
    "event": {"place", "country", "dateinfo"},
    "place": {"span"},
    "country": {"span"},
    "dateinfo": {"span"},
}
_NAMES = xml_names(
    "kybotOut doc event role place dateInfo span eid rid event target lemma rank rtype profile_id shortname id",
    "pos synset name country countryCode dateISO location time",
    any_case=True,
)

KYBOT = READ_AS_TRIPLES._replace(
    name="kybot",
    title="Kybot output",
    extensions=(".kybot.xml",),
    recognise=partial(has_tag, b"<kybotout"),
    read=read,
    names=_NAMES,
)
