"""RAMS, gen-arg and MAVEN-Arg: records of arguments that other formats do not share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import Any

from lydite.errors import Finding, FormatError, Severity
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name, json_lines, line_findings
from lydite.formats.json_records import is_record_of
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.sentence_graphs import (
    SHAPE_ERRORS,
    bad_record,
    list_of,
    name_of,
    place_of,
    reason,
    tokens_of,
)
from lydite.formats.source import Source
from lydite.model import Corpus, Document
from lydite.model.document import Facts
from lydite.model.roles import (
    ROLE_LINKS,
    ROLE_STRINGS,
    TEMPLATES,
    RoleAnswer,
    RoleArgument,
    RoleEvent,
    RoleLink,
    RoleLinks,
    RoleStrings,
    RoleTrigger,
)
from lydite.model.windows import Range
from lydite.numerals import is_whole

Parse = Callable[[Mapping[str, object], Document], Document]
Join = Callable[[Document, Document], Document]


def _read(
    source: Source,
    options: Options,
    *,
    name: str,
    key: str,
    parse: Parse,
    join: Join | None = None,
) -> Corpus:
    """One document for each name under ``key``; further lines of a name are joined, if the format does that."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    for place, line in json_lines(source):
        where = place.location
        try:
            record = json_object(line)
            doc_id = document_name(record.get(key))
            if doc_id is None:
                raise Faults(f"no {key!r} with the name of the document")  # noqa: TRY301
            document = parse(record, Document(doc_id, path=where.path, line=where.line or 0))
        except (NotJSONError, Faults, *SHAPE_ERRORS) as error:
            why = str(error) if isinstance(error, NotJSONError | Faults) else reason(error)
            message = f"expected a record of {name}, found: {why}"
            findings.extend(line_findings(place, line, [bad_record(name, message, where)]))
            continue
        before = documents.get(doc_id)
        if before is not None and join is not None:
            document = join(before, document)
        elif before is not None:
            message = f"document {doc_id!r} occurs twice (before: {before.path}:{before.line})"
            severity: Severity = "warning" if options.get("reading") == "as-official" else "error"
            hint = "were the outputs of two runs joined? --reading as-official takes the last one"
            findings.append(Finding("repeated-window", severity, message, where, doc_id, hint=hint))
        documents[doc_id] = document
    if any(finding.severity == "error" for finding in findings):
        raise FormatError(findings)
    facts: Facts = {"folder": len(documents) > 1, "records": dict.fromkeys(documents, ())}
    return corpus_of(source, name, documents, findings=findings, sha256=source.sha256(), facts=facts)


# ----------------------------------------------------------------------------------------------------------- RAMS

_EVENT_NUMBER = re.compile(r".*[0-9]", re.DOTALL)


def _rams(record: Mapping[str, Any], document: Document) -> Document:
    """A document with one trigger; ends are inclusive, and what follows the last digit of a role id is the role."""
    sentences = [tokens_of(sentence) for sentence in record.get("sentences", ())]
    starts = (0, *accumulate(map(len, sentences)))
    triggers = record.get("evt_triggers") or []
    if len(triggers) > 1:
        raise Faults(f"expected one trigger, found {len(triggers)}")
    trigger, kind = None, ""
    for first, last, types in triggers:
        trigger, kind = _inclusive(first, last), name_of(types[0][0], "type") if types else ""
    links = []
    if "predictions" in record:
        for place, *arguments in record["predictions"]:
            links += [
                RoleLink(_inclusive(*place), _inclusive(first, last), name_of(role, "role"), _number(rest))
                for first, last, role, *rest in arguments
            ]
    else:
        links = [
            RoleLink(_inclusive(*place), _inclusive(*filler), _EVENT_NUMBER.sub("", name_of(role, "role")))
            for place, filler, role, *_ in record.get("gold_evt_links", ())
        ]
    found = RoleLinks(trigger, kind, tuple(links), starts if sentences else ())
    text = "\n".join(map(" ".join, sentences)) if sentences else None
    return document._replace(text=text, layers={ROLE_LINKS: found})


def _inclusive(first: object, last: object) -> Range:
    return place_of(first, last + 1 if is_whole(last) else last, 0, 1 << 40)


def _number(rest: list[object]) -> float | None:
    found = rest[0] if rest else None
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


RAMS = Format(
    name="rams",
    title="RAMS documents (JSON lines)",
    extensions=(".jsonlines", ".jsonl", ".json"),
    tasks=("arguments",),
    recognise=partial(is_record_of, "rams"),
    read=partial(_read, name="rams", key="doc_key", parse=_rams),
    layers=(ROLE_LINKS,),
    holds_many=True,
    has_text=True,
    names=json_names(
        "doc_key sentences evt_triggers gold_evt_links predictions", "ent_spans language_id split source_url"
    ),
    unread="ent_spans, sources",
)


# -------------------------------------------------------------------------------------------------------- gen-arg


def _gen_arg(record: Mapping[str, object], document: Document) -> Document:
    """The filled template of one event."""
    return document._replace(layers={TEMPLATES: (name_of(record["predicted"], "predicted"),)})


def _append(before: Document, line: Document) -> Document:
    """A document with the template of one more event."""
    return before._replace(layers={TEMPLATES: before.layers[TEMPLATES] + line.layers[TEMPLATES]})


GEN_ARG = Format(
    name="gen-arg",
    title="gen-arg templates (JSON lines)",
    extensions=(".jsonl", ".json"),
    tasks=("arguments",),
    recognise=partial(is_record_of, "gen-arg"),
    read=partial(_read, name="gen-arg", key="doc_key", parse=_gen_arg, join=_append),
    layers=(TEMPLATES,),
    holds_many=True,
    names=json_names("doc_key predicted", "gold"),
    unread="the copy of gold",
)


# ------------------------------------------------------------------------------------------------------ MAVEN-Arg


def _maven_arg(record: Mapping[str, Any], document: Document) -> Document:
    """Gold's events with the words of their arguments, or a system's answers."""
    if "preds" in record:
        answers = tuple(_answer(trigger, said) for trigger, said in record["preds"].items())
        return document._replace(layers={ROLE_STRINGS: RoleStrings(answers=answers)})
    text = name_of(record["text"] if "text" in record else record["document"], "text")
    events = tuple(
        RoleEvent(
            name_of(event["type"], "type"),
            tuple(_trigger(one, event["type"], text) for one in event["triggers"]),
        )
        for event in record["events"]
    )
    negatives = tuple(name_of(one["id"], "id") for one in record.get("negative_triggers", ()))
    return document._replace(text=text, layers={ROLE_STRINGS: RoleStrings(events, negatives)})


def _trigger(record: Mapping[str, Any], event_type: str, text: str) -> RoleTrigger:
    arguments = tuple(
        RoleArgument(
            name_of(one["role"], "role").removeprefix(f"{event_type}."),
            tuple(_text_at(mention["position"], text) for mention in one["mentions"]),
        )
        for one in record["arguments"]
    )
    return RoleTrigger(name_of(record["id"], "id"), arguments)


def _text_at(position: Iterable[object], text: str) -> str:
    first, end = position
    begin, end = place_of(first, end, 0, len(text))
    return text[begin:end]


def _answer(trigger: str, said: Mapping[str, object]) -> RoleAnswer:
    roles = tuple(
        (role, tuple(name_of(one, "string") for one in list_of(strings, role)))
        for role, strings in said.items()
        if role != "event_type"
    )
    return RoleAnswer(trigger, str(said.get("event_type", "")), roles)


MAVEN_ARG = Format(
    name="maven-arg",
    title="MAVEN-Arg documents (JSON lines)",
    extensions=(".jsonl", ".json"),
    tasks=("arguments",),
    recognise=partial(is_record_of, "maven-arg"),
    read=partial(_read, name="maven-arg", key="id", parse=_maven_arg),
    layers=(ROLE_STRINGS,),
    holds_many=True,
    has_text=True,
    names=json_names(
        "id text events type triggers arguments role mentions position negative_triggers preds event_type",
        "trigger_word mention title",
        free_under="preds",
    ),
    unread="trigger words",
)
