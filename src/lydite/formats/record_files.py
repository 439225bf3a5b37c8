r"""Records: JSON objects with an id, one per line, in one JSON document, or one per file.

::

    {"id": "X1", "record": {"total": "3.00"}}
    {"id": "X2", "output": "```json\n{\"total\": 3}\n```"}
    {"id": "X3", "text": "…", "total": "3.00"}

``record`` is taken as it is; ``output``, ``prediction``, ``answer`` and ``response`` may be the string that a model wrote,
which is repaired in named steps if it is no JSON.  Without any of these keys the object itself, less its id and its
``text``, is the record.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Final

from lydite.errors import Finding, FormatError, Location
from lydite.formats.answers import REPAIRS, BadJSONError, parse_json, read_answer
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.json_lines import document_name, first_line, json_lines
from lydite.formats.names import MISSPELT, is_misspelt
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import NOT_UTF_8, encoding_finding
from lydite.model import Corpus, Document
from lydite.model.answer import RecordAnswer
from lydite.model.document import Layers

LAYER: Final = "record"
ID_KEYS = ("id", "doc_id", "docid", "doc", "key")
ANSWER_KEYS = ("record", "output", "prediction", "answer", "response")
TEXT_KEY: Final = "text"
DEFAULT_REPAIRS = REPAIRS[:3]


def _repairs(options: Options) -> tuple[str, ...]:
    chosen = options.get("repair", DEFAULT_REPAIRS)
    return tuple(map(str, chosen)) if isinstance(chosen, list | tuple) else DEFAULT_REPAIRS


def answer_in(
    data: Mapping[str, object], repairs: tuple[str, ...], repeated: tuple[str, ...] = ()
) -> RecordAnswer:
    """The record of an object, or the answer that it holds."""
    for key in ANSWER_KEYS:
        if key in data:
            written = data[key]
            if key != "record" and isinstance(written, str):
                answer = read_answer(written, repairs)
                return answer._replace(repeated_keys=(*repeated, *answer.repeated_keys))
            return RecordAnswer(written, repeated_keys=repeated)
    used = next((key for key in ID_KEYS if key in data), None)
    own = {key: value for key, value in data.items() if key not in {used, TEXT_KEY}}
    return RecordAnswer(own, repeated_keys=repeated)


class _Reader:
    """Gathers the records of the files of a source."""

    def __init__(self, options: Options) -> None:
        self._repairs = _repairs(options)
        self.documents: dict[str, Document] = {}
        self.findings: list[Finding] = []

    def refuse(self, message: str, place: Location, hint: str | None = None) -> None:
        self.findings.append(Finding("bad-record-line", "error", message, place, hint=hint))

    def add(self, doc_id: str, answer: RecordAnswer, place: Location, text: str | None = None) -> None:
        if doc_id in self.documents:
            message = f"record {doc_id!r} occurs twice (before: line {self.documents[doc_id].line})"
            self.findings.append(Finding("repeated-record", "error", message, place, doc_id))
            return
        layers: Layers = {LAYER: answer}
        self.documents[doc_id] = Document(
            doc_id, path=place.path, line=place.line or 0, text=text, layers=layers
        )

    def add_object(self, data: object, place: Location, repeated: tuple[str, ...] = ()) -> None:
        """Add the record of an object with an id."""
        if not isinstance(data, dict):
            self.refuse(f"expected an object with an id, found {data!r:.60}", place)
            return
        named = next((data[key] for key in ID_KEYS if key in data), None)
        doc_id = document_name(named)
        if doc_id is None:
            keys = ", ".join(map(repr, ID_KEYS))
            message = (
                f"expected a text or a number as the id of the record (one of {keys}), found {named!r:.60}"
            )
            self.refuse(message, place, "gold and system meet by the ids of records")
            return
        self._warn_of_misspelling(data, place, doc_id)
        text = data.get(TEXT_KEY)
        self.add(
            doc_id, answer_in(data, self._repairs, repeated), place, text if isinstance(text, str) else None
        )

    def _warn_of_misspelling(self, data: Mapping[str, object], place: Location, doc_id: str) -> None:
        """Warn where the key of an answer seems to be misspelt, so that the object itself would be the record."""
        if any(key in data for key in ANSWER_KEYS):
            return
        for key in data:
            meant = next((one for one in ANSWER_KEYS if is_misspelt(key.lower(), one)), None)
            if meant is not None:
                message = f"the key {key!r} is a field of the record {doc_id!r}, which has no key {meant!r}"
                hint = f"did you mean {meant!r}?"
                self.findings.append(Finding(MISSPELT, "warning", message, place, doc_id, hint=hint))

    def add_lines(self, source: Source) -> None:
        for place, line in json_lines(source):
            where = place.location
            encoding = encoding_finding(place.part.path, line, place.line)
            if encoding is not None:
                self.findings.append(encoding)
                continue
            try:
                data, repeated = parse_json(line.decode("utf-8"))
            except BadJSONError as error:
                self.refuse(f"expected a JSON object on one line, found: {error}", where)
            else:
                self.add_object(data, where, repeated)

    def add_whole(self, part: SourcePart, content: str) -> bool:
        """Add the records of one JSON document: a list, an object from ids to records, or one record."""
        try:
            data, repeated = parse_json(content)
        except BadJSONError as error:
            self.refuse(f"expected JSON, found: {error}", Location(part.path))
            return False
        place = Location(part.path, 1)
        if isinstance(data, list):
            for one in data:
                self.add_object(one, place, repeated)
                repeated = ()
        elif isinstance(data, dict) and not any(key in data for key in ID_KEYS):
            for doc_id, record in data.items():
                self.add(doc_id, RecordAnswer(record, repeated_keys=repeated), place)
                repeated = ()
        else:
            self.add_object(data, place, repeated)
        return True

    def add_file(self, part: SourcePart, content: str) -> None:
        """Add the record of a file, named after it."""
        name = os.path.basename(part.name)  # noqa: PTH119 - may be inside of an archive
        self.add(name.removesuffix(".json"), read_answer(content, self._repairs), Location(part.path, 1))

    def corpus(self, source: Source, name: str) -> Corpus:
        if not self.documents and not self.findings:
            message = "expected records, found none"
            self.findings.append(Finding("no-document", "error", message, Location(source.parts[0].path, 1)))
        if any(finding.code in {"bad-record-line", "no-document", NOT_UTF_8} for finding in self.findings):
            raise FormatError(self.findings)
        return corpus_of(source, name, self.documents, sha256=source.sha256(), findings=self.findings)


def _contents(source: Source) -> Iterator[tuple[SourcePart, str]]:
    for part in source.parts:
        with part.open() as stream:
            data = stream.read()
        encoding = encoding_finding(part.path, data)
        if encoding is not None:
            raise FormatError([encoding])
        yield part, data.decode("utf-8-sig")


def read_lines(source: Source, options: Options) -> Corpus:
    """One record per line."""
    reader = _Reader(options)
    reader.add_lines(source)
    return reader.corpus(source, "records-jsonl")


def read_json(source: Source, options: Options) -> Corpus:
    """A JSON document with all records; lines, if each is one."""
    return _read_json(source, options, "records-json")


def _read_json(source: Source, options: Options, name: str) -> Corpus:
    reader = _Reader(options)
    for part, content in _contents(source):
        single = Source(part.path, (part,))
        if not is_in_lines(content):
            reader.add_whole(part, content)
        else:
            reader.add_lines(single)
    return reader.corpus(source, name)


def is_in_lines(content: str) -> bool:
    """Whether every line is JSON by itself: the first one is an object, and another one follows or it has an id."""
    first, _, rest = content.lstrip("\ufeff \t\r\n").partition("\n")
    if not first.startswith("{"):
        return False
    try:
        data, _ = parse_json(first)
    except BadJSONError:
        return False
    return bool(rest.strip()) or (isinstance(data, dict) and any(key in data for key in ID_KEYS))


def read_folder(source: Source, options: Options) -> Corpus:
    """One record per file, named by its id; the content is what a model wrote."""
    reader = _Reader(options)
    for part, content in _contents(source):
        reader.add_file(part, content)
    return reader.corpus(source, "records-folder")


def write(corpus: Corpus) -> bytes:
    """One line per record: what was read and repaired; an answer that is no JSON stays a string."""
    lines = []
    for document in corpus.documents.values():
        answer = document.layers.get(LAYER, RecordAnswer(None))
        line: dict[str, object] = {"id": document.doc_id}
        if document.text is not None:
            line[TEXT_KEY] = document.text
        if answer.how == "unparseable":
            line["output"] = answer.written
        else:
            line["record"] = answer.value
        lines.append(written_json(line) + "\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def written_json(value: object) -> str:
    """A value as JSON on one line; numbers keep their digits."""
    from decimal import Decimal

    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(
                f"{json.dumps(key, ensure_ascii=False)}: {written_json(one)}" for key, one in value.items()
            )
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _has_id(head: bytes, *signs: bytes) -> bool:
    """Whether a file begins like this, and its first bytes hold the key of an id."""
    return first_line(head).startswith(signs) and _has_key(head, *(key.encode() for key in ID_KEYS))


def _has_key(head: bytes, *keys: bytes) -> bool:
    return any(b'"%b"' % key in head for key in keys)


_LIMITS = {"mentions": "records have leaves, and no mentions", "clusters": "there is no place for them"}

RECORDS_JSONL = Format(
    name="records-jsonl",
    title="Records as JSON lines",
    extensions=(".jsonl",),
    tasks=("records",),
    recognise=lambda head: _has_id(head, b"{"),
    read=read_lines,
    write=write,
    layers=(LAYER,),
    holds_many=True,
    needs_task=True,
    has_text=True,
    limits=_LIMITS,
)
RECORDS_JSON = Format(
    name="records-json",
    title="Records as one JSON document",
    extensions=(".json",),
    tasks=("records",),
    recognise=lambda head: _has_id(head, b"{", b"["),
    read=read_json,
    layers=(LAYER,),
    needs_task=True,
    has_text=True,
)
RECORDS_FOLDER = Format(
    name="records-folder",
    title="Records as a folder of JSON files",
    extensions=(".json",),
    tasks=("records",),
    recognise=lambda head: _has_id(head, b"{", b"["),
    read=read_folder,
    layers=(LAYER,),
    needs_task=True,
    called_after_file=True,
)
GRIT = Format(
    name="grit",
    title="Entities by role of GRIT (MUC-4)",
    extensions=(".json", ".jsonl"),
    tasks=("records",),
    recognise=lambda head: _has_key(head, b"extracts", b"pred_extracts"),
    read=lambda source, options: _read_json(source, options, "grit"),
    layers=(LAYER,),
    needs_task=True,
)
GTT = Format(
    name="gtt",
    title="Templates of GTT (MUC-4)",
    extensions=(".json", ".jsonl"),
    tasks=("records",),
    recognise=lambda head: _has_key(head, b"templates", b"pred_templates"),
    read=lambda source, options: _read_json(source, options, "gtt"),
    layers=(LAYER,),
    needs_task=True,
)
