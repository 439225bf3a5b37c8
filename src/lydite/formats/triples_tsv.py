"""Plain triples: subject, relation and object in columns separated by tabs.

The string of the subject, trimmed and with single spaces, is the only id of the first element, that of the object
the only id of the second; an empty object makes a unary triple.
"""

from __future__ import annotations

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Options
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import text_of
from lydite.formats.triples import READ_AS_TRIPLES, corpus_of_parts, triple_document
from lydite.model import Corpus, Document
from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement


def read(source: Source, _settings: Options) -> Corpus:
    """One triple per line; blank lines are skipped, lines without three columns are refused, all at once."""
    return corpus_of_parts(source, "triples-tsv", _document)


def _document(part: SourcePart) -> Document:
    triples: list[Triple] = []
    findings: list[Finding] = []
    for number, line in enumerate(text_of(part).split("\n"), start=1):
        columns = line.rstrip("\r").split("\t")
        if not line.strip():
            continue
        if len(columns) != 3:
            message = f"expected 3 columns (subject, relation, object), found {len(columns)}"
            findings.append(Finding("wrong-column-count", "error", message, Location(part.path, number)))
            continue
        subject, relation, object_ = columns
        triples.append(Triple(relation.strip(), _element(subject), _element(object_), id=str(number)))
    if findings:
        raise FormatError(findings)
    return triple_document(part, triples)


def _element(text: str) -> TripleElement:
    words = " ".join(text.split())
    return TripleElement((words,), "", words) if words else EMPTY_ELEMENT


# Three columns can be anything, so the format must be named.
TRIPLES_TSV = READ_AS_TRIPLES._replace(
    name="triples-tsv", title="Plain triples", extensions=(".tsv",), recognise=lambda _head: False, read=read
)
