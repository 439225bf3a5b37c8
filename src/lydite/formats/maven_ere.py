"""MAVEN-ERE: relations between events, and their coreference: gold by events, systems by mentions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from lydite.errors import Finding, FormatError, Location, Severity
from lydite.escaping import first_of
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name, json_lines, line_findings
from lydite.formats.json_records import is_record_of
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.sentence_graphs import SHAPE_ERRORS, bad_record, list_of, name_of, reason
from lydite.formats.source import Source
from lydite.model import Corpus, Document
from lydite.model.cluster import Partition
from lydite.model.document import Facts
from lydite.model.event_pairs import EVENT_PAIRS, TYPES, EventPairs, EventRelation, as_clusters


def read(source: Source, options: Options) -> Corpus:
    """One document for each line."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    for place, line in json_lines(source):
        where = place.location
        try:
            document = _document(json_object(line), where)
        except (NotJSONError, Faults, *SHAPE_ERRORS) as error:
            why = str(error) if isinstance(error, NotJSONError | Faults) else reason(error)
            message = f"expected a document with events or relations, found: {why}"
            code = "unknown-relation-type" if why.startswith(_UNKNOWN) else ""
            finding = bad_record("maven-ere", message, where)
            findings.extend(line_findings(place, line, [finding._replace(code=code or finding.code)]))
            continue
        before = documents.get(document.doc_id)
        if before is not None:
            message = f"document {document.doc_id!r} occurs twice (before: line {before.line})"
            official = options.get("reading") == "as-official"
            severity: Severity = "warning" if official else "error"
            hint = "were the outputs of two runs joined?"
            findings.append(Finding("repeated-window", severity, message, where, document.doc_id, hint=hint))
        documents[document.doc_id] = document
    if any(finding.severity == "error" for finding in findings):
        raise FormatError(findings)
    facts: Facts = {"folder": len(documents) > 1, "records": dict.fromkeys(documents, ())}
    return corpus_of(source, "maven-ere", documents, findings=findings, sha256=source.sha256(), facts=facts)


_UNKNOWN = "relation type"


def _document(record: Mapping[str, Any], where: Location) -> Document:
    doc_id = document_name(record.get("id"))
    if doc_id is None:
        raise Faults("no 'id' with the name of the document")
    events = tuple(
        (name_of(event["id"], "id"), tuple(name_of(one["id"], "id") for one in event["mention"]))
        for event in record.get("events", ())
    )
    times = tuple(name_of(one["id"], "id") for one in record.get("TIMEX", ()))
    told = tuple(
        tuple(name_of(one, "id") for one in list_of(cluster, "cluster"))
        for cluster in record.get("coreference", ())
    )
    clusters, twice = _each_once(told)
    pairs = EventPairs(
        events, times, tuple(_relations(record)), clusters or tuple(held for _, held in events)
    )
    layers = {EVENT_PAIRS: pairs, "clusters": Partition(as_clusters(pairs.clusters), local=True)}
    document = Document(doc_id, path=where.path, line=where.line or 0, layers=layers)  # type: ignore[arg-type]
    if not twice:
        return document
    message = f"document {doc_id!r}: mentions in two clusters ({first_of(twice)}); the first one counts"
    return document._replace(findings=(document.finding("mention-twice", "warning", message),))


def _each_once(clusters: tuple[tuple[str, ...], ...]) -> tuple[tuple[tuple[str, ...], ...], list[str]]:
    """The clusters with each mention in the first one that has it, and the mentions that others have too."""
    seen: set[str] = set()
    twice: list[str] = []
    found = []
    for cluster in clusters:
        members = tuple(dict.fromkeys(cluster))
        twice += [member for member in members if member in seen]
        found.append(tuple(member for member in members if member not in seen))
        seen.update(members)
    return tuple(found), twice


def _relations(record: Mapping[str, Any]) -> Iterator[EventRelation]:
    for kind in ("temporal", "causal"):
        for name, pairs in record.get(f"{kind}_relations", {}).items():
            if name not in TYPES[kind]:
                raise Faults(f"{_UNKNOWN} {name!r}, and {kind} ones are {', '.join(TYPES[kind])}")
            yield from (_relation(kind, name, pair) for pair in pairs)
    yield from (_relation("subevent", "subevent", pair) for pair in record.get("subevent_relations", ()))


def _relation(kind: str, name: str, pair: object) -> EventRelation:
    if not (isinstance(pair, list) and len(pair) == 2):
        raise Faults(f"expected a pair of ids, found {pair!r:.60}")
    return EventRelation(kind, name, name_of(pair[0], "id"), name_of(pair[1], "id"))


MAVEN_ERE = Format(
    name="maven-ere",
    title="MAVEN-ERE documents (JSON lines)",
    extensions=(".jsonl", ".json"),
    tasks=("relations", "coref"),
    recognise=partial(is_record_of, "maven-ere"),
    read=read,
    layers=(EVENT_PAIRS, "clusters"),
    holds_many=True,
    names=json_names(
        "id events mention TIMEX temporal_relations causal_relations subevent_relations coreference",
        "title tokens sentences sentence type type_id trigger_word sent_id offset",
        free_under="temporal_relations causal_relations",
    ),
    unread="tokens, sentences, places and types of events",
)
