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

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from lydite.errors import Finding, FormatError, Location, refuse
from lydite.escaping import counted, first_of
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.document_places import DocumentPlaces, LinePlace
from lydite.formats.faults import Faults, collect, collect_each
from lydite.formats.json_lines import NONE_FOUND, document_name, json_lines, line_findings
from lydite.formats.json_records import keys_of_first_record, record_format_of
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.names import json_names
from lydite.formats.predicted_keys import PREFIX, choose_key
from lydite.formats.source import Source
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


def _fault(code: str, sentence: str) -> Faults:
    """One fault of a line: the code of its finding and the sentence."""
    return Faults((code, sentence))


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a JSON lines file; ``options["ends"]`` is ``inclusive`` or ``exclusive``."""
    form = _Form(key="clusters", shift=int(options.get("ends") != "exclusive"))
    findings: list[Finding] = []
    if _may_hold_predictions(source):
        key, told = choose_key("clusters", source, options)
        form = form._replace(key=key)
        findings.extend(told)
    lines = _LineIndex(form)
    for place, line in json_lines(source):
        findings.extend(lines.add(place, line))
    if not lines.places and not findings:
        findings.append(Finding("no-document", "error", NONE_FOUND, Location(source.parts[0].path, 1)))
    if any(finding.code in {NOT_UTF_8, "repeated-window"} for finding in findings):
        raise FormatError(findings)  # a line would be lost, whatever the reading mode
    documents = LazyDocuments(lines.places, lines.load)
    facts: Facts = {"key": form.key}
    corpus = corpus_of(
        source, "coref-jsonl", documents, sha256=source.sha256(), findings=findings, facts=facts
    )
    return regroup(corpus, options)


class _Form(NamedTuple):
    """The key that holds the clusters, and 1 if their ends are inclusive, else 0."""

    key: str
    shift: int


def _may_hold_predictions(source: Source) -> bool:
    """Whether the clusters of the first record are lists of spans: only these have predicted clusters beside them."""
    _, line = next(json_lines(source), (None, b""))
    try:
        record = json_object(line)
    except NotJSONError:
        return False
    return record.get("type") != "graph" and not isinstance(record.get("clusters"), dict)


BYTES_IN_MEMORY = 1 << 23
"""Documents of the first lines, up to this many bytes, stay in memory; later ones are read again when they are needed."""


class _LineIndex:
    """Where the documents of a file lie; every line is parsed once before any document is asked for."""

    def __init__(self, form: _Form) -> None:
        self.places: DocumentPlaces[LinePlace] = DocumentPlaces(LinePlace)
        self._form = form
        self._documents: dict[str, Document] = {}
        self._size = 0

    def add(self, where: LinePlace, line: bytes) -> Iterator[Finding]:
        """Remember the place of the document in a line; yields what is wrong with the line."""
        place = where.location
        try:
            document = _document(where, line, self._form)
        except Faults as faults:
            findings = (Finding(code, "error", sentence, place) for code, sentence in faults.args)
            yield from line_findings(where, line, findings)
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
            document = _document(where, where.read(), self._form)
        except Faults:
            document = None
        if document is None or document.doc_id != doc_id:
            message = f"document {doc_id!r} was in line {where.line}, and is not there any more"
            raise refuse(where.part.path, "file-changed", message, hint="is something still writing it?")
        return document


def _document(where: LinePlace, line: bytes, form: _Form) -> Document:
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
        tokens=LazyWords(count, partial(_load_words, where)) if count else None,
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


def _load_words(where: LinePlace) -> list[str]:
    sentences = _sentences(_parse_object(where.read()))
    return [word if isinstance(word, str) else UNKNOWN for sentence in sentences for word in sentence]


def _parse_object(line: bytes) -> dict[str, object]:
    try:
        return json_object(line)
    except NotJSONError as error:
        raise _fault("not-json", f"expected a JSON object, found something else: {error}") from None


def _doc_id_and_clusters(record: Mapping[str, object], form: _Form) -> tuple[str, Partition]:
    doc_id = record.get("doc_key", record.get("doc_id", record.get("id")))
    clusters: Callable[[], list[Cluster]]
    is_local = True
    if record.get("type") == "graph":
        doc_id = "" if doc_id is None else doc_id
        clusters = partial(_clusters_of_links, doc_id, record)
    elif isinstance(by_name := record.get(form.key), dict):
        doc_id = "" if doc_id is None else doc_id
        filled = [(name, members) for name, members in by_name.items() if members]
        clusters = partial(collect_each, partial(_named_cluster, doc_id), filled)
        is_local = False
    else:
        # A record without a predicted key that others have is one for which nothing was predicted.
        nothing: list[object] | None = [] if form.key.startswith(PREFIX) else None
        clusters = partial(_span_clusters, doc_id, record.get(form.key, nothing), form.shift)
    name, found = collect(partial(_document_name, doc_id), clusters)
    return name, Partition(found, local=is_local)


def _document_name(doc_id: object) -> str:
    if (name := document_name(doc_id)) is None:
        raise _fault("missing-key", "expected a key 'doc_key' with the document's name, found none")
    return name


def _named_cluster(doc_id: object, cluster: tuple[str, object]) -> Cluster:
    name, members = cluster
    return Cluster(str(name), tuple(_ids(doc_id, members)))


def _span_clusters(doc_id: object, clusters: object, shift: int) -> list[Cluster]:
    if not isinstance(clusters, list):
        message = "expected a key 'clusters' with a list of lists of [first, last], found none"
        raise _fault("missing-key", message)
    read = collect_each(lambda item: _span_cluster(doc_id, *item, shift), enumerate(clusters))
    return [cluster for cluster in read if cluster.members]


def _span_cluster(doc_id: object, number: int, cluster: object, shift: int) -> Cluster:
    if not isinstance(cluster, list):
        message = f"expected a list of [first, last] as cluster {number}, found {cluster!r}"
        raise _fault("odd-cluster", message)
    spans = collect_each(lambda mention: _span(doc_id, mention, number, shift), cluster)
    return Cluster(str(number), tuple(spans))


def _span(doc_id: object, mention: object, number: int, shift: int) -> Hashable:
    if isinstance(mention, str):
        return _mention_of(doc_id, mention)
    if not (isinstance(mention, list) and len(mention) == 2 and all(map(is_whole, mention))):
        expected = f"[first, last] as mention of cluster {number}, each {WHOLE}"
        raise _fault("odd-cluster", f"expected {expected}, found {mention!r:.60}")
    first, end = mention[0], mention[1] + shift
    if first < 0 or end <= first:
        edges = "first ≤ last" if shift else "first < end"
        raise _fault("odd-cluster", f"expected 0 ≤ {edges} in cluster {number}, found {mention!r:.60}")
    return first, end


def _ids(doc_id: object, members: object) -> list[Hashable]:
    if not isinstance(members, list):
        raise _fault("odd-cluster", f"expected a list of mention ids, found {members!r}")
    return collect_each(partial(_id, doc_id), members)


def _id(doc_id: object, member: object) -> Hashable:
    if not isinstance(member, str | int) or isinstance(member, bool):
        raise _fault("odd-cluster", f"expected a mention id, found {member!r}")
    return _mention_of(doc_id, str(member))


def _mention_of(doc_id: object, member: str) -> Hashable:
    """The runs of tokens if an id is an address in this document; any other id as it is."""
    return mention_at(member) if member.startswith(f"{doc_id}#") else member


def _clusters_of_links(doc_id: object, record: Mapping[str, object]) -> list[Cluster]:
    links = record.get("links", [])
    if not isinstance(links, list):
        raise _fault("missing-key", "expected a key 'links' with a list of pairs of mention ids")
    ids = partial(_ids, doc_id)
    mentions, pairs = collect(lambda: ids(record.get("mentions", [])), lambda: collect_each(ids, links))
    groups = closure((*([member] for member in mentions), *pairs))
    return [Cluster(str(number), tuple(members)) for number, (_, members) in enumerate(groups)]


def write(corpus: Corpus) -> bytes:
    """The corpus as JSON lines: spans with inclusive ends, or mention ids where mentions are not spans."""
    import json

    lines = []
    several = is_of_several(corpus)
    for document in corpus.documents.values():
        clusters: list[Cluster] = list(document.layers.get("clusters", ()))
        if all(is_filled_run(member) for cluster in clusters for member in cluster.members):
            spans = [[_inclusive_span(member) for member in cluster.members] for cluster in clusters]
            record: dict[str, object] = {"doc_key": document.doc_id, "clusters": spans}
        else:
            written: dict[str, list[str]] = {}
            for number, cluster in enumerate(clusters):
                own = name_apart(document, cluster) if several else cluster.id
                name = own if own and own not in written else f"{own}#{number}"
                written[name] = [_written_id(document.doc_id, member) for member in cluster.members]
            record = {"doc_key": document.doc_id, "type": "clusters", "clusters": written}
        if document.tokens:
            record["sentences"] = [list(document.tokens.values())]
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def _inclusive_span(span: Hashable) -> list[int]:
    assert is_filled_run(span)
    first, end = span
    return [first, end - 1]


def _written_id(doc_id: str, member: Hashable) -> str:
    """A mention id: as it is, or the address of its runs of tokens."""
    return member if isinstance(member, str) else address_of(doc_id, member)


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
    unread="keys beside those of documents, words and clusters",
    limits={"clusters": "a mention of several targets becomes one id"},
    names=_NAMES,
)
