"""DocRED and Re-DocRED: pages with entities and facts (gold), and facts by page and entity number (systems)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name, json_lines, line_findings
from lydite.formats.json_records import is_record_of
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.sentence_graphs import SHAPE_ERRORS, bad_record, name_of, reason, tokens_of
from lydite.formats.source import Source
from lydite.model import Corpus, Document
from lydite.model.document import Facts
from lydite.model.facts import FACTS, Fact, FactEntity, FactSheet
from lydite.numerals import is_whole


def read(source: Source, _options: Options) -> Corpus:
    """One document for each title; facts of systems are gathered from the whole file."""
    pages: dict[str, Document] = {}
    facts: dict[str, list[Fact]] = {}
    places: dict[str, Location] = {}
    findings: list[Finding] = []
    entries = 0
    for place, line in json_lines(source):
        where = place.location
        try:
            record = json_object(line)
            title = document_name(record.get("title"))
            if title is None:
                raise Faults("no title")  # noqa: TRY301 - all faults become findings here
            places.setdefault(title, where)
            if "vertexSet" in record:
                if title in pages:
                    before = places[title]
                    message = f"document {title!r} occurs twice (before: {before.path}:{before.line})"
                    hint = "were two files joined?"
                    findings.append(Finding("repeated-window", "error", message, where, title, hint=hint))
                pages[title] = _page(title, record, where)
            else:
                entries += 1
                facts.setdefault(title, []).append(_fact(record, "h_idx", "t_idx", where.line or 0))
        except (NotJSONError, Faults, *SHAPE_ERRORS) as error:
            why = (
                reason(error)
                if isinstance(error, SHAPE_ERRORS) and not isinstance(error, NotJSONError)
                else str(error)
            )
            message = f"expected a page or a fact of a page, found: {why}"
            findings.extend(line_findings(place, line, [bad_record("docred", message, where)]))
    if findings:
        raise FormatError(findings)
    for title, found in facts.items():
        first = places[title]
        sheet = FactSheet((), tuple(found), entries)
        known = pages.get(title, Document(title, path=first.path, line=first.line or 0))
        pages[title] = known._replace(layers={**known.layers, FACTS: sheet})
    told: Facts = {"folder": len(pages) > 1, "records": dict.fromkeys(pages, ())}
    return corpus_of(source, "docred", pages, sha256=source.sha256(), facts=told)


def _page(title: str, record: Mapping[str, Any], where: Location) -> Document:
    sentences = [tokens_of(sentence) for sentence in record.get("sents", ())]
    entities = tuple(entity_of(mentions) for mentions in record["vertexSet"])
    labels = tuple(_fact(one, "h", "t", where.line or 0) for one in record.get("labels", ()))
    for fact in labels:
        for end in (fact.head, fact.tail):
            if end >= len(entities):
                raise Faults(f"entity {end} of {len(entities)} in a label of {title!r}")
    text = "\n".join(map(" ".join, sentences))
    sheet = FactSheet(entities, labels, len(labels))
    return Document(title, path=where.path, line=where.line or 0, text=text, layers={FACTS: sheet})


def entity_of(mentions: list[Mapping[str, Any]]) -> FactEntity:
    """An entity from its mentions."""
    names = tuple(name_of(one["name"], "name") for one in mentions)
    sentences = tuple(one["sent_id"] for one in mentions)
    return FactEntity(names, sentences, str(mentions[0].get("type", "")) if mentions else "")


def _fact(record: Mapping[str, Any], head: str, tail: str, line: int) -> Fact:
    ends = record[head], record[tail]
    evidence = record.get("evidence") or ()
    for number in (*ends, *evidence):
        if not is_whole(number) or number < 0:
            raise Faults(f"expected a whole number from 0 up, found {number!r:.60}")
    return Fact(name_of(record["r"], "relation"), *ends, tuple(evidence), line)


DOCRED = Format(
    name="docred",
    title="DocRED pages and facts (JSON array)",
    extensions=(".json", ".jsonl"),
    tasks=("relations",),
    recognise=partial(is_record_of, "docred"),
    read=read,
    layers=(FACTS,),
    holds_many=True,
    has_text=True,
    names=json_names(
        "title sents vertexSet labels name sent_id pos type h t r evidence h_idx t_idx",
        "index score global_pos",
    ),
    unread="places of mentions",
)
