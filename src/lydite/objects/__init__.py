"""Plain Python objects as corpora: what people who train or serve extractors have instead of files.

A corpus is a mapping from ids to documents, or an iterable of documents; a document is a plain object of its task
(:data:`OBJECTS` names the maker of each) or a :class:`~lydite.model.Document`.  What does not fit is refused with its
place inside the object, everything at once.
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
"""From the id, the plain object and the name of its side to the document; raises :class:`~lydite.formats.faults.Faults`."""

OBJECTS: Registry[Make] = Registry(
    "task with plain documents",
    {
        "nugget": "lydite.objects.mentions:nugget_document",
        "coref": "lydite.objects.clusters:coref_document",
        "arguments": "lydite.objects.events:event_document",
        "triples": "lydite.objects.triples:triple_document",
        "ace": "lydite.objects.inner:inner_document",
        "spans": "lydite.objects.spans:span_document",
    },
    group="lydite.objects",
)

CODE = "odd-object"


def corpus_of_objects(source: object, task: str, name: str) -> Corpus:
    """The corpus that plain objects mean; all that does not fit is raised together, as :class:`InvalidInput`.

    The documents of a mapping are called by its keys, whatever they call themselves; those of an iterable by their own
    ids, and where they have none by their places.
    """
    make = OBJECTS[task]
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    keyed = isinstance(source, Mapping)
    for key, item in _items(source, task):
        try:
            called = document_id(key) if keyed else f"{values.NAMELESS}{key}"
            document = item if isinstance(item, Document) else make(called, item, name)
        except Faults as faults:
            told = str(key) if keyed else called
            findings += [_finding(f"{_place(key)}{fault}", name, told) for fault in faults.args]
            continue
        doc_id = called if keyed else document.doc_id
        if doc_id in documents:
            twice = f"{_place(key)}: the document id {doc_id!r} occurs twice"
            findings.append(_finding(twice, name, doc_id))
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
        f"expected a path, a Corpus, a mapping or an iterable of {task} documents, found {values.shown(source)}"
    )


def _place(key: object) -> str:
    """The document as it stands in the object: ``documents["d7"]``, ``documents[3]``, also where its name is ``#3``."""
    if isinstance(key, str) and key.startswith(values.NAMELESS):
        key = int(key.removeprefix(values.NAMELESS))
    return f"documents[{json.dumps(key, ensure_ascii=False) if isinstance(key, str) else repr(key)}]"


def document_id(given: object) -> str:
    """The name of a document: a text, or a whole number of any library."""
    try:
        return values.name(given, "")
    except Faults:
        raise Faults(f": expected a text as document id, found {given!r}") from None


def _finding(message: str, name: str, doc_id: str) -> Finding:
    return Finding(CODE, "error", message, Location(name), doc_id)


def _facts(documents: Iterable[Document]) -> Facts:
    """What a reader says of a file with these documents; where no mention has a place, nothing of their unit."""
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
