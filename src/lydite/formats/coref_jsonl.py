"""Coreference in JSON lines: ``doc_key`` and ``clusters``, as the end-to-end resolvers write them.

One JSON object per line::

    {"doc_key": "bc/cctv/00/cctv_0000_0", "clusters": [[[0, 0], [4, 5]], [[2, 2]]]}
    {"doc_key": "d1", "type": "clusters", "clusters": {"c1": ["m1", "m2"], "c2": ["m3"]}}
    {"doc_key": "d1", "type": "graph", "mentions": ["m1", "m2", "m3"], "links": [["m1", "m2"]]}

Spans are token numbers with inclusive ends unless ``ends = "exclusive"``; ``sentences`` are lists of words.  In a graph
the clusters are the components of the links; a mention without link is a singleton.  Other keys are skipped.  Where
documents are scored together, named clusters of one name are one cluster; a cluster without a name stays in its document.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, cast

from lydite.errors import Finding, FormatError, Location, refuse
from lydite.escaping import counted, first_of
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.document_places import DocumentPlaces, LinePlace
from lydite.formats.faults import Faults
from lydite.formats.json_lines import NONE_FOUND, document_name, json_lines, line_findings
from lydite.formats.json_records import keys_of_first_record, record_format_of
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.predicted_keys import PREFIX, choose_key_of
from lydite.formats.source import BlockReader, Source
from lydite.formats.text import NOT_UTF_8
from lydite.formats.units import address_of, is_of_several, mention_at, name_apart, regroup
from lydite.formats.words import UNKNOWN, LazyWords
from lydite.grouping import closure
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.cluster import Cluster, Partition, is_filled_run
from lydite.model.document import Facts, Layers
from lydite.model.windows import SENTENCES, Sentences
from lydite.numerals import WHOLE, is_whole

DYGIE_KEYS = frozenset({"ner", "relations", "events"})
"""Keys of DyGIE++ beside clusters."""


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a JSON lines file; ``options["ends"]`` is ``inclusive`` or ``exclusive``."""
    form = _Form(key="clusters", shift=int(options.get("ends") != "exclusive"))
    findings: list[Finding] = []
    keys = _keys_beside_spans(source)
    if keys is not None:
        key, told = choose_key_of("clusters", keys, source, options)
        form = form._replace(key=key)
        findings.extend(told)
    lines = _LineIndex(form)
    for place, line in json_lines(source, lines.files):
        findings.extend(lines.add(place, line))
    if not lines.places and not findings:
        findings.append(Finding("no-document", "error", NONE_FOUND, Location(source.parts[0].path, 1)))
    if any(finding.code in {NOT_UTF_8, "repeated-window"} for finding in findings):
        raise FormatError(findings)  # a line would be lost, whatever the reading mode
    documents = LazyDocuments(lines.places, lines.load)
    facts: Facts = {"key": form.key}
    corpus = corpus_of(source, "coref-jsonl", documents, findings=findings, facts=facts)
    return regroup(corpus, options)


class _Form(NamedTuple):
    """The key that holds the clusters, and 1 if their ends are inclusive, else 0."""

    key: str
    shift: int


def _keys_beside_spans(source: Source) -> set[frozenset[str]] | None:
    """The keys of records that begin with ``predicted_``; None if the first record has no clusters as lists of spans.

    Only such records have predicted clusters beside them.
    """
    keys: set[frozenset[str]] = set()
    mark = f'"{PREFIX}'.encode()
    is_first = True
    for _, line in json_lines(source):
        if is_first or mark in line:
            try:
                record = json_object(line)
            except NotJSONError:
                record = {}
                if is_first:
                    return None
            if is_first and (record.get("type") == "graph" or isinstance(record.get("clusters"), dict)):
                return None
            keys.add(frozenset(record))
        is_first = False
    return None if is_first else keys


BYTES_IN_MEMORY = 1 << 23
"""Documents of the first lines, up to this many bytes, stay in memory; later ones are read again when they are needed."""


class _LineIndex:
    """Where the documents of a file lie; every line is parsed once before any document is asked for."""

    def __init__(self, form: _Form) -> None:
        self.places: DocumentPlaces[LinePlace] = DocumentPlaces(LinePlace)
        self._form = form
        self._documents: dict[str, Document] = {}
        self._size = 0
        self.files = BlockReader()

    def add(self, where: LinePlace, line: bytes) -> Iterator[Finding]:
        """Remember the place of the document in a line; yields what is wrong with the line."""
        place = where.location
        try:
            document = _document(where, line, self._form, self.files)
        except Faults as fault:
            code, sentence = fault.args
            yield from line_findings(where, line, [Finding(code, "error", sentence, place)])
            return
        doc_id = document.doc_id
        if doc_id in self.places:
            before = self.places[doc_id].line
            message = f"document {doc_id!r} occurs twice (before: line {before})"
            hint = "were the outputs of two runs joined?"
            yield Finding("repeated-window", "error", message, place, doc_id, hint=hint)
        self.places[doc_id] = where
        self._size += len(line)
        self._documents.pop(doc_id, None)
        if self._size <= BYTES_IN_MEMORY:
            self._documents[doc_id] = document

    def load(self, doc_id: str) -> Document:
        """The document of that name."""
        kept = self._documents.get(doc_id)
        if kept is not None:
            return kept
        where = self.places[doc_id]
        try:
            document = _document(where, where.read(self.files), self._form, self.files)
        except Faults:
            document = None
        if document is None or document.doc_id != doc_id:
            message = f"document {doc_id!r} was in line {where.line}, and is not there any more"
            raise refuse(where.part.path, "file-changed", message, hint="is something still writing it?")
        return document


def _document(where: LinePlace, line: bytes, form: _Form, files: BlockReader) -> Document:
    record = _parse_object(line)
    doc_id, clusters = _doc_id_and_clusters(record, form)
    sentences = tuple(tuple(map(str, words)) for words in _sentences(record))
    count = sum(map(len, sentences))
    layers: Layers = {"clusters": clusters}
    if count:
        names = {key.removeprefix(PREFIX) for key in record}
        layers |= {"token-count": count, SENTENCES: Sentences(sentences, not names.isdisjoint(DYGIE_KEYS))}
    document = Document(
        doc_id,
        path=where.part.path,
        line=where.line,
        tokens=LazyWords(count, partial(_load_words, where, files)) if count else None,
        layers=layers,
    )
    return document._replace(findings=_unlisted_findings(document, record))


def _unlisted_findings(document: Document, record: Mapping[str, object]) -> tuple[Finding, ...]:
    """A finding if links of a graph name mentions that its list of mentions lacks; they count all the same."""
    listed, links = record.get("mentions"), record.get("links")
    if record.get("type") != "graph" or not (isinstance(listed, list) and listed and isinstance(links, list)):
        return ()
    known = set(map(str, listed))
    unlisted = dict.fromkeys(str(end) for link in links for end in link if str(end) not in known)
    if not unlisted:
        return ()
    named = f"{counted(len(unlisted), 'mention')} that 'mentions' does not list ({first_of([*unlisted])})"
    message = f"links name {named}; each counts as a mention"
    return (document.finding("unlisted-mention", "warning", message, hint="list all mentions, or none"),)


def _sentences(record: Mapping[str, object]) -> list[list[object]]:
    """The sentences of a document; none if they are not lists."""
    sentences = record.get("sentences")
    if not isinstance(sentences, list) or not all(isinstance(sentence, list) for sentence in sentences):
        return []
    return sentences


def _load_words(where: LinePlace, files: BlockReader) -> list[str]:
    sentences = _sentences(_parse_object(where.read(files)))
    return [word if isinstance(word, str) else UNKNOWN for sentence in sentences for word in sentence]


def _parse_object(line: bytes) -> dict[str, object]:
    try:
        return json_object(line)
    except NotJSONError as error:
        raise Faults("not-json", f"expected a JSON object, found something else: {error}") from None


def _doc_id_and_clusters(record: Mapping[str, object], form: _Form) -> tuple[str, Partition]:
    doc_id = record.get("doc_key", record.get("doc_id", record.get("id")))
    by_name = record.get(form.key)
    if record.get("type") == "graph" or isinstance(by_name, dict):
        doc_id = "" if doc_id is None else doc_id
    name = document_name(doc_id)
    if name is None:
        raise Faults("missing-key", "expected a key 'doc_key' with the document's name, found none")
    if record.get("type") == "graph":
        links = record.get("links", [])
        if not isinstance(links, list):
            raise Faults("missing-key", "expected a key 'links' with a list of pairs of mention ids")
        alone = ([member] for member in _ids(doc_id, record.get("mentions", [])))
        groups = closure((*alone, *(_ids(doc_id, pair) for pair in links)))
        clusters = [Cluster(str(number), tuple(members)) for number, (_, members) in enumerate(groups)]
        return name, Partition(clusters, local=True)
    if isinstance(by_name, dict):
        filled = ((key, members) for key, members in by_name.items() if members)
        named = [Cluster(str(key), tuple(_ids(doc_id, members))) for key, members in filled]
        return name, Partition(named, local=False)
    # A record without a predicted key that others have is one for which nothing was predicted.
    nothing: list[object] | None = [] if form.key.startswith(PREFIX) else None
    return name, Partition(_span_clusters(doc_id, record.get(form.key, nothing), form.shift), local=True)


def _span_clusters(doc_id: object, clusters: object, shift: int) -> list[Cluster]:
    if not isinstance(clusters, list):
        message = "expected a key 'clusters' with a list of lists of [first, last], found none"
        raise Faults("missing-key", message)
    read = []
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            message = f"expected a list of [first, last] as cluster {number}, found {cluster!r}"
            raise Faults("odd-cluster", message)
        if cluster:
            read.append(Cluster(str(number), tuple(_span(doc_id, one, number, shift) for one in cluster)))
    return read


def _span(doc_id: object, mention: object, number: int, shift: int) -> Hashable:
    if isinstance(mention, str):
        return _mention_of(doc_id, mention)
    if not (isinstance(mention, list) and len(mention) == 2 and all(map(is_whole, mention))):
        expected = f"[first, last] as mention of cluster {number}, each {WHOLE}"
        raise Faults("odd-cluster", f"expected {expected}, found {mention!r:.60}")
    first, end = mention[0], mention[1] + shift
    if first < 0 or end <= first:
        edges = "first ≤ last" if shift else "first < end"
        raise Faults("odd-cluster", f"expected 0 ≤ {edges} in cluster {number}, found {mention!r:.60}")
    return first, end


def _ids(doc_id: object, members: object) -> list[Hashable]:
    if not isinstance(members, list):
        raise Faults("odd-cluster", f"expected a list of mention ids, found {members!r}")
    for member in members:
        if not isinstance(member, str | int) or isinstance(member, bool):
            raise Faults("odd-cluster", f"expected a mention id, found {member!r}")
    return [_mention_of(doc_id, str(member)) for member in members]


def _mention_of(doc_id: object, member: str) -> Hashable:
    """The runs of tokens if an id is an address in this document; any other id as it is."""
    return mention_at(member) if member.startswith(f"{doc_id}#") else member


def write(corpus: Corpus) -> bytes:
    """The corpus as JSON lines: spans with inclusive ends, or mention ids where mentions are not spans."""
    import json

    lines = []
    several = is_of_several(corpus)
    for document in corpus.documents.values():
        clusters: list[Cluster] = list(document.layers.get("clusters", ()))
        if all(is_filled_run(member) for cluster in clusters for member in cluster.members):
            runs = [cast("list[tuple[int, int]]", [*cluster.members]) for cluster in clusters]
            spans = [[[first, end - 1] for first, end in run] for run in runs]
            record: dict[str, object] = {"doc_key": document.doc_id, "clusters": spans}
        else:
            written: dict[str, list[str]] = {}
            for number, cluster in enumerate(clusters):
                own = name_apart(document, cluster) if several else cluster.id
                name = own if own and own not in written else f"{own}#{number}"
                written[name] = [
                    member if isinstance(member, str) else address_of(document.doc_id, member)
                    for member in cluster.members
                ]
            record = {"doc_key": document.doc_id, "type": "clusters", "clusters": written}
        if document.tokens:
            record["sentences"] = [list(document.tokens.values())]
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


_NAMES = json_names(
    "doc_key doc_id clusters links mentions sentences type id", "speakers ner", free_under="clusters"
)


def recognise(head: bytes) -> bool:
    """Whether the first record has clusters or links, and no key of another format of documents with ``doc_key``."""
    keys = keys_of_first_record(head)
    return record_format_of(head) in {None, "coref-jsonl"} and bool(
        keys & {"clusters", f"{PREFIX}clusters", "links", "doc_key"}
    )


COREF_JSONL = Format(
    name="coref-jsonl",
    title="Coreference in JSON lines (doc_key, clusters)",
    extensions=(".jsonl", ".jsonlines", ".json"),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("clusters",),
    holds_many=True,
    has_words=True,
    names=_NAMES,
)
