"""Triples as JSON lines: one object per triple, with the document it belongs to.

::

    {"doc": "d1", "id": "e1", "relation": "agent", "first": {"ids": ["w2"], "label": "event", "comment": "fell"},
     "second": {"ids": ["w1"]}, "profile_id": "rule-1", "profile_confidence": 30, "layer": "srl"}

Every key but ``relation`` may be missing.  With ``doc`` one file stands for a folder; without it the file is one
document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial

from lydite.errors import Finding, FormatError
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name, has_keys, joined_files, parsed_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.source import Source, SourcePart
from lydite.formats.triples import TRIPLES
from lydite.formats.units import is_of_several
from lydite.model import Corpus, Document
from lydite.model.document import Facts
from lydite.model.triple import Triple, TripleElement
from lydite.numerals import is_whole


def read(source: Source, _settings: Options) -> Corpus:
    """The documents of all files, in the order in which they are first named; bad lines are refused, all at once."""
    by_document: dict[str, list[Triple]] = {}
    findings: list[Finding] = []
    joined: list[Finding] = []
    files_of_documents: dict[str, SourcePart] = {}
    has_names = False
    for place, (document, triple) in parsed_lines(source, _parse_line, findings, "bad-json-line", _HINT):
        has_names = has_names or document is not None
        doc_id = place.part.name if document is None else document
        by_document.setdefault(doc_id, []).append(triple)
        joined.extend(joined_files(files_of_documents, doc_id, place))
    if findings:
        raise FormatError(findings)
    if not by_document:
        by_document[source.parts[0].name] = []
    documents = {
        doc_id: Document(doc_id, path=doc_id, layers={TRIPLES: tuple(triples)})
        for doc_id, triples in by_document.items()
    }
    facts: Facts = {"folder": has_names or len(source.parts) > 1}
    return corpus_of(source, "triples-jsonl", documents, findings=joined, facts=facts)


_HINT = 'each line is one object: {"relation": "agent", "first": {"ids": ["w1"]}, "second": {"ids": ["w2"]}}'


def _parse_line(line: bytes, _number: int) -> tuple[str | None, Triple]:
    """The document that a line names, if it names one, and its triple."""
    try:
        data = json_object(line)
        if b"\\ud" in line.lower() or b"\xed" in line:
            # Half a surrogate pair, escaped or in bytes, is no character: no format could write it.
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (NotJSONError, UnicodeEncodeError) as error:
        raise Faults(f"expected a JSON object, found: {error}") from None
    document = data.get("doc")
    doc_id = document_name(document)
    if doc_id is None and document is not None:
        raise Faults(f"expected a text or a number as doc, found {document!r:.60}")
    confidence = data.get("profile_confidence")
    if not (confidence is None or isinstance(confidence, float) or is_whole(confidence)):
        raise Faults(f"expected a number as profile_confidence, found {confidence!r:.60}")
    return doc_id, Triple(
        relation=_text(data, "relation"),
        first=_element(data, "first"),
        second=_element(data, "second"),
        id=_text(data, "id"),
        profile_id=_text(data, "profile_id"),
        profile_confidence=confidence,
        layer=_text(data, "layer"),
    )


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise Faults(f"expected text as {key}, found {value!r}")
    return value.strip()


def _element(data: Mapping[str, object], key: str) -> TripleElement:
    value = {} if data.get(key) is None else data[key]
    ids = value.get("ids", []) if isinstance(value, dict) else None
    listed = isinstance(ids, list) and all(isinstance(token, str) for token in ids)
    if not isinstance(value, dict) or ids is None or not listed:
        raise Faults(f"expected {key} as an object with a list of ids, found {value!r}")
    unknown = [name for name in value if name not in {"ids", "label", "comment"}]
    if unknown:
        raise Faults(f"expected the keys ids, label and comment in {key}, found {unknown[0]!r}")
    distinct = dict.fromkeys(token.strip() for token in ids if token.strip())
    return TripleElement(tuple(distinct), _text(value, "label"), _text(value, "comment"))


def write(corpus: Corpus) -> bytes:
    """One line per triple; the document is named when there are several or the corpus was a folder."""
    return b"".join(_lines(corpus))


def _lines(corpus: Corpus) -> Iterator[bytes]:
    several = is_of_several(corpus)
    for doc_id, document in corpus.documents.items():
        for triple in document.layers.get(TRIPLES, ()):
            entry: dict[str, object] = {"doc": doc_id} if several else {}
            entry.update(triple.to_dict())
            entry["layer"] = entry.pop("kaflayer")
            yield json.dumps(entry, ensure_ascii=False).encode("utf-8") + b"\n"


_NAMES = json_names(
    "doc relation first second ids label comment id profile_id profile_confidence layer", closed=True
)

TRIPLES_JSONL = Format(
    name="triples-jsonl",
    title="Triples as JSON lines",
    extensions=(".jsonl",),
    tasks=("triples",),
    recognise=partial(has_keys, needed=(b"relation", b"first")),
    read=read,
    write=write,
    layers=("triples",),
    holds_many=True,
    called_after_file=True,
    names=_NAMES,
)
