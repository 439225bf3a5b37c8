"""Corpora from plain Python objects, which people who train or serve extractors have instead of files.

A corpus is a mapping from ids to documents, or an iterable of documents; a document is a plain object of its task
(:data:`OBJECTS` has a function that makes documents for each) or a :class:`~lydite.model.Document`.  Values that do
not fit are refused with their places inside the object, the first of each document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import starmap

from lydite.errors import Finding, InvalidInput, Location, UsageError
from lydite.formats.faults import Faults
from lydite.model import Corpus, Document
from lydite.model.document import Facts
from lydite.model.mention import RELATIONS
from lydite.objects import values
from lydite.registry import Registry

Make = Callable[[str, object, str], Document]
"""Makes a document from its id, the plain object and the name of its side; raises :class:`~lydite.formats.faults.Faults`."""

OBJECTS: Registry[Make] = Registry(
    "task with plain documents",
    {
        "nugget": "lydite.objects.mentions:nugget_document",
        "coref": "lydite.objects.clusters:coref_document",
        "arguments": "lydite.objects.events:event_document",
        "triples": "lydite.objects.triples:triple_document",
        "ace": "lydite.objects.inner:inner_document",
        "spans": "lydite.objects.spans:span_document",
        "records": "lydite.objects.records:record_document",
    },
    group="lydite.objects",
)

CODE = "odd-object"


def corpus_of_objects(source: object, task: str, name: str) -> Corpus:
    """Make a corpus from plain objects; the faults of all documents are raised together, as :class:`InvalidInput`.

    The documents of a mapping have its keys as ids, whatever ids of their own they have; those of an iterable have their
    own ids or, without one, ``#`` and their positions.
    """
    make = OBJECTS[task]
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    keyed = isinstance(source, Mapping)
    for key, item in _items(source, task):
        try:
            given_id = document_id(key) if keyed else f"{values.NAMELESS_PREFIX}{key}"
            document = item if isinstance(item, Document) else make(given_id, item, name)
        except Faults as fault:
            findings.append(_finding(f"{_place(key)}{fault}", name, str(key) if keyed else given_id))
            continue
        doc_id = given_id if keyed else document.doc_id
        if doc_id in documents:
            message = f"{_place(key)}: the document id {doc_id!r} occurs twice"
            findings.append(_finding(message, name, doc_id))
        if doc_id != document.doc_id or not document.path:
            document = document._replace(doc_id=doc_id, path=document.path or name)
        documents[doc_id] = document
    if findings:
        raise InvalidInput(findings)
    return Corpus(name, documents, name, "lydite", facts=_facts(documents.values()))


def _items(source: object, task: str) -> Iterable[tuple[object, object]]:
    """The plain objects of documents, by id or by position."""
    if isinstance(source, Mapping):
        return source.items()
    if isinstance(source, Iterable) and not isinstance(source, Document | bytes):
        return enumerate(source)
    raise UsageError(
        f"expected a path, a Corpus, a mapping or an iterable of {task} documents, found {values.display(source)}"
    )


def _place(key: object) -> str:
    """The place of a document in the object: ``documents["d7"]``; ``documents[3]`` also for the id ``#3``."""
    if isinstance(key, str) and key.startswith(values.NAMELESS_PREFIX):
        key = int(key.removeprefix(values.NAMELESS_PREFIX))
    return f"documents[{json.dumps(key, ensure_ascii=False) if isinstance(key, str) else repr(key)}]"


def document_id(given: object) -> str:
    """The id of a document: a text, or an integer of any library as text."""
    try:
        return values.to_id(given, "")
    except Faults:
        raise Faults(f": expected a text as document id, found {given!r}") from None


def _finding(message: str, name: str, doc_id: str) -> Finding:
    return Finding(CODE, "error", message, Location(name), doc_id)


def _facts(documents: Iterable[Document]) -> Facts:
    """The facts that a reader would find in a file with these documents; no unit if no mention has a place."""
    relations: set[str] = set()
    unit, count = "", 0
    for document in documents:
        count += 1
        if document.relations:
            relations.update(relation.name for relation in document.relations if relation.name in RELATIONS)
        if document.mentions and not unit:
            unit = next(filter(None, starmap(_unit, (one.span for one in document.mentions))), "")
    facts: Facts = {"relations": sorted(relations), "folder": count > 1, "named": True}
    return {**facts, "unit": unit} if unit else facts


def _unit(ranges: object, tokens: object) -> str:
    return "token" if tokens else "char" if ranges else ""
