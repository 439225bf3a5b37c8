"""CorefUD: clusters in the ``Entity=`` attribute of CoNLL-U.

::

    # newdoc id = wsj_0001
    # global.Entity = eid-etype-head-other
    1 <TAB> Pierre <TAB> … <TAB> Entity=(e1-person-1-
    2 <TAB> Vinken <TAB> … <TAB> Entity=e1)
    3 <TAB> himself <TAB> … <TAB> Entity=(e1-person-1-)

``(eid-…`` opens a mention, ``eid)`` closes it, ``(eid-…)`` is one of a single word, without separators between them; a
discontinuous mention writes its parts as ``eid[1/2]``.  A mention is a set of nodes with a head; nodes are words and
empty nodes (``7.1``), and a mention whose head is an empty node is a zero.

Two layers come of it: ``trees``, the sentences and the clusters over their nodes, and ``clusters``, where a mention is
the runs of its words through the document, or the name of its first node if it has no word.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from sys import intern
from typing import NamedTuple

from lydite.errors import Finding, Location, refuse
from lydite.escaping import counted
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.names import MISSPELT, is_misspelt
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import byte_order_mark_finding, encoding_findings
from lydite.formats.units import regroup
from lydite.formats.words import UNKNOWN, LazyWords, written_words
from lydite.grouping import grouped
from lydite.memory import without_garbage_collection
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.nodes import (
    Dependency,
    Node,
    NodeCluster,
    NodeMention,
    Sentence,
    SentenceNode,
    Trees,
    node_text,
)
from lydite.model.word_text import runs_of
from lydite.numerals import NATURAL
from lydite.resource_limits import hint_to_raise, limit

_ITEM = re.compile(r"\(([^()]++)(\))?|([^()]++)(\))?|[()]")
"""An item that opens, is one word, or closes; else what is none: a part that never closes is passed over as a whole."""
_PART = re.compile(rf"(.*)\[({NATURAL})/({NATURAL})\]", re.DOTALL)
_NODE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", re.ASCII)
_TOKEN = re.compile(r"[0-9]+-[0-9]+", re.ASCII)
_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*)|\s.*|)", re.DOTALL)
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)", re.DOTALL)
_FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(.*)", re.DOTALL)
_COLUMN_BREAK = re.compile(r"[\t\r\x0b\x0c]")
"""No comment holds one of these, unless the line end behind it was lost."""
COLUMNS = 10


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a CoNLL-U file (or all of a folder or archive)."""
    shared = _SharedState()
    with without_garbage_collection():
        for part in source.parts:
            shared.findings.extend(encoding_findings(part))
            _read_part(part, shared)
    documents = {name: gathered.document() for name, gathered in shared.documents.items()}
    if not documents:
        message = "expected CoNLL-U lines with ten columns, found none"
        shared.findings.append(Finding("no-document", "error", message, Location(source.parts[0].path, 1)))
    corpus = corpus_of(source, "corefud", documents, findings=shared.findings)
    return regroup(corpus, options)


# ------------------------------------------------------------------------------------------------- the sentences


def _read_part(part: SourcePart, shared: _SharedState) -> None:
    """The sentences of one file: blocks of lines between blank ones."""
    entities = _Entities(part, shared)
    block: list[tuple[int, str]] = []
    blank, number = 1, 0
    with part.open() as stream:
        if stream.read(len(BOM_UTF8)) == BOM_UTF8:
            shared.findings.append(byte_order_mark_finding(part.path, "so its first line is no comment"))
        else:
            stream.seek(0)
        for number, raw in enumerate(stream, 1):
            line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
            if line.strip():
                if not block and blank != number:
                    entities.add_finding("blank-line", "a blank line where a sentence was expected", blank)
                block.append((number, line))
            elif block:
                entities.read_sentence(block)
                block, blank = [], number + 1
    if block:
        message = "the file ends without a blank line after this sentence"
        entities.add_finding("sentence-not-ended", message, number)
        entities.read_sentence(block)
    entities.finish()


class _Fields(NamedTuple):
    """The positions of the fields of an opening item; None if items have no such field."""

    eid: int
    head: int | None
    type: int | None
    in_one_document: bool
    """Whether ids are those of one document only (``GRP``)."""

    @classmethod
    def of(cls, text: str) -> _Fields:
        names = text.strip().split("-")
        grouped = "eid" not in names and "GRP" in names
        eid = names.index("eid") if "eid" in names else names.index("GRP") if grouped else 0
        head, kind = (names.index(name) if name in names else None for name in ("head", "etype"))
        return cls(eid, head, kind, grouped)


def _fields_in(part: SourcePart) -> _Fields | None:
    """The fields that a file declares, on whatever line; None if it declares none."""
    with part.open() as stream:
        for raw in stream:
            if found := _FIELDS.fullmatch(raw.decode("utf-8", "surrogateescape").rstrip("\r\n")):
                return _Fields.of(found.group(1))
    return None


class _Tree(NamedTuple):
    """A sentence while its mentions are read: the numbers of its nodes in their order, and the places of its words."""

    sentence: Sentence
    document: _GatheredDocument
    numbers: Sequence[float]
    places: Sequence[int | None]
    """The number of a word in its document; None for an empty node."""


@dataclass(slots=True)
class _Mention:
    """A mention while it is read: its nodes as (tree, position), and its head as it is written."""

    entity: _Entity
    line: int
    order: int
    nodes: list[tuple[_Tree, int]]
    type: str
    head: str | None
    in_parts: bool = False
    of_one_word: bool = False
    """Written as one item; for a mention in parts: its last part is."""
    has_all_parts: bool = True
    is_open: bool = True


@dataclass(slots=True)
class _Entity:
    """An entity of a file: its mentions, those that are open, and those begun in parts whose last part did not end."""

    id: str
    mentions: list[_Mention] = field(default_factory=list)
    open: list[_Mention] = field(default_factory=list)
    in_parts: list[_Mention] = field(default_factory=list)


@dataclass(slots=True)
class _GatheredDocument:
    """A document while its sentences are read."""

    doc_id: str
    path: str
    line: int
    sentences: list[Sentence] = field(default_factory=list)
    clusters: list[tuple[NodeCluster, Cluster]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    words: int = 0

    def document(self) -> Document:
        """The document from what was gathered; clusters never cross documents."""
        sentences = tuple(self.sentences)
        known = any(word != UNKNOWN for sentence in sentences for word in sentence.words)
        return Document(
            self.doc_id,
            path=self.path,
            line=self.line,
            tokens=LazyWords(self.words, partial(_forms, sentences)) if known else None,
            layers={
                "clusters": Partition((cluster for _, cluster in self.clusters), local=True),
                "token-count": self.words,
                "trees": Trees(sentences, tuple(cluster for cluster, _ in self.clusters)),
            },
            findings=tuple(self.findings),
        )


def _forms(sentences: Iterable[Sentence]) -> list[str]:
    return list(chain.from_iterable(sentence.words for sentence in sentences))


@dataclass(slots=True)
class _SharedState:
    """What all files of a source share: documents by name, findings, and the numbers of sentences and documents."""

    documents: dict[str, _GatheredDocument] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    sentences: int = 0
    marks: int = 0


class _Entities:
    """Reads the sentences of one file and the entities in them."""

    def __init__(self, part: SourcePart, shared: _SharedState) -> None:
        self._part, self._path, self._shared = part, part.path, shared
        self._document: _GatheredDocument | None = None
        self._begun = False
        self._fields: _Fields | None = None
        self._entities: dict[tuple[str | None, str], _Entity] = {}
        self._order = 0
        self._nodes = 0
        """How many nodes the mentions of the sentence have, each counted by itself."""

    # ------------------------------------------------------------------------------------------------- sentences

    def read_sentence(self, lines: Iterable[tuple[int, str]]) -> None:
        """Read one block of lines: comments and nodes; items are read in the order of the nodes."""
        begins: str | None = None
        sent_id: str | None = None
        rows: list[tuple[float, int, list[str]]] = []
        self._nodes = 0
        for number, line in lines:
            if not line.startswith("#"):
                rows.extend(self._row(number, line))
                continue
            if _COLUMN_BREAK.search(line):
                message = "a comment holds columns, which are not read; was a line end lost?"
                self.add_finding("lines-joined", message, number)
            if named := _NEW_DOCUMENT.fullmatch(line):
                begins = self._begin_document(number, named.group(1))
            elif found := _SENT_ID.fullmatch(line):
                sent_id = found.group(1).strip()
            elif found := _FIELDS.fullmatch(line):
                self._fields = _Fields.of(found.group(1))
                names = found.group(1).strip().split("-")
                for known in ("eid", "etype", "head"):
                    misspelt = [name for name in names if is_misspelt(name.lower(), known)]
                    if known not in names and misspelt:
                        message = (
                            f"expected the field {known}, found {misspelt[0]!r}; its content is not read"
                        )
                        self.add_finding(MISSPELT, message, number)
        if rows or begins is not None:
            rows.sort(key=lambda row: row[0])
            self._read_items(self._tree(begins, sent_id, rows), rows)

    def _row(self, number: int, line: str) -> Iterator[tuple[float, int, list[str]]]:
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            message = f"expected 10 columns separated by TABs, found {len(columns)}"
            self.add_finding("too-few-columns", message, number)
        elif _NODE.fullmatch(columns[0]):
            yield float(columns[0]), number, columns
        elif not _TOKEN.fullmatch(columns[0]):
            message = f"expected an ID such as 7, 7.1 or 7-8, found {columns[0]!r}"
            self.add_finding("odd-node-id", message, number)

    def _begin_document(self, number: int, name: str | None) -> str:
        self._shared.marks += 1
        doc_id = (name or "").strip() or str(self._shared.marks)
        self._begun = True
        self._document = self._gather_document(doc_id, number)
        return doc_id

    def _gather_document(self, doc_id: str, line: int) -> _GatheredDocument:
        """The document of that name, which begins here; lines before the first ``newdoc`` are one without a name."""
        if (known := self._shared.documents.get(doc_id)) is not None:
            message = (
                f"document {doc_id!r} begins again (before: line {known.line}); its sentences are joined"
            )
            place = Location(self._path, line)
            self._shared.findings.append(Finding("repeated-document", "warning", message, place, doc_id))
        return self._shared.documents.setdefault(doc_id, _GatheredDocument(doc_id, self._path, line))

    def _tree(
        self, begins: str | None, sent_id: str | None, rows: Sequence[tuple[float, int, list[str]]]
    ) -> _Tree:
        document = self._document
        if document is None:
            document = self._document = self._gather_document("", rows[0][1])
        nodes = tuple(SentenceNode(intern(row[0]), intern(row[1]), row[8]) for _, _, row in rows)
        self._shared.sentences += 1
        sentence = Sentence(self._shared.sentences, begins, sent_id, nodes)
        places: list[int | None] = []
        for node in nodes:
            places.append(None if node.is_empty else document.words)
            document.words += not node.is_empty
        document.sentences.append(sentence)
        return _Tree(sentence, document, [number for number, _, _ in rows], places)

    # ----------------------------------------------------------------------------------------------------- items

    def _read_items(self, tree: _Tree, rows: Sequence[tuple[float, int, list[str]]]) -> None:
        for position, (_, line, columns) in enumerate(rows):
            if "=" not in columns[9]:
                continue
            for attribute in columns[9].split("|"):
                if attribute.startswith("Entity="):
                    self._read_cell(tree, position, line, attribute[7:])
                elif "=(" in attribute and is_misspelt(attribute.partition("=")[0].lower(), "entity"):
                    self.add_finding(MISSPELT, f"expected the attribute Entity=, found {attribute!r}", line)

    def _read_cell(self, tree: _Tree, position: int, line: int, text: str) -> None:
        if self._fields is None:
            self._fields = _fields_in(self._part)
        if self._fields is None:
            message = (
                "an Entity attribute, and no line '# global.Entity = eid-…' in the file that names its fields"
            )
            hint = "the fields are taken to be eid-etype-head-other"
            self.add_finding("no-entity-fields", message, line, hint=hint)
            self._fields = _Fields.of("eid-etype-head-other")
        if not self._begun:
            self._begun = True
            message = "a mention before the first line '# newdoc'"
            self.add_finding("mention-outside-document", message, line, hint="add '# newdoc id = …' above it")
        items = _ITEM.findall(text)
        if not all(opened or end for opened, _, _, end in items):
            message = f"expected items such as (e1-…, e1) and (e1-…), found {text!r}"
            self.add_finding("odd-cell", message, line)
        for opened, single, closed, end in items:
            if end:
                self._close(tree, position, line, closed.split("-")[0])
            if not opened:
                continue
            fields = opened.split("-")
            eid = fields[self._fields.eid] if self._fields.eid < len(fields) else fields[0]
            mention = self._open(tree, position, line, eid, fields)
            if single and mention is not None:
                mention.of_one_word = True
                self._close(tree, position, line, eid)

    def _entity(self, tree: _Tree, eid: str) -> tuple[_Entity, int, int]:
        """The entity of an id as it is written, the number of the part, and the number of parts; 0 and 0 without parts."""
        part = _PART.fullmatch(eid)
        name, place, parts = (part.group(1), int(part.group(2)), int(part.group(3))) if part else (eid, 0, 0)
        scope = tree.document.doc_id if self._fields is not None and self._fields.in_one_document else None
        return self._entities.setdefault((scope, name), _Entity(name)), place, parts

    def _open(self, tree: _Tree, position: int, line: int, eid: str, fields: list[str]) -> _Mention | None:
        entity, place, _ = self._entity(tree, eid)
        assert self._fields is not None
        places = self._fields.head, self._fields.type
        head, kind = (fields[at] if at is not None and at < len(fields) else None for at in places)
        if place > 1:
            unfinished = [mention for mention in entity.in_parts if not mention.is_open]
            if not unfinished:
                message = f"part {place} of a mention whose first part did not come before"
                self._flag(entity, "mention-not-opened", message, line, tree)
                return None
            mention = unfinished[0]
            mention.nodes.append((tree, position))
            mention.head, mention.of_one_word, mention.is_open = head, False, True
        else:
            self._order += 1
            nodes = [(tree, position)]
            mention = _Mention(entity, line, self._order, nodes, kind or "", head, in_parts=place == 1)
            entity.mentions.append(mention)
            if place == 1:
                mention.has_all_parts = False
                entity.in_parts.append(mention)
        entity.open.append(mention)
        return mention

    def _close(self, tree: _Tree, position: int, line: int, eid: str) -> None:
        entity, place, parts = self._entity(tree, eid)
        if not entity.open:
            self._flag(entity, "mention-not-opened", "a mention ends that did not begin", line, tree)
            return
        mention = entity.open.pop()
        mention.is_open = False
        last_tree, last = mention.nodes[-1]
        if last_tree is not tree:
            message = f"a mention ends in another sentence than it begins (line {mention.line})"
            self._flag(entity, "mention-crosses-sentences", message, line, tree)
            return
        if not mention.of_one_word:
            end = position if position > last else len(tree.numbers) - 1
            if position <= last:
                message = "a mention is opened and closed at one word, so it is read on to the end"
                hint = "write (eid-…) for a mention of one word"
                self._flag(entity, "mention-runs-on", message, line, tree, hint=hint)
            self._nodes += end - last
            if self._nodes > limit("nodes"):
                message = f"the mentions of a sentence have more than {counted(limit('nodes'), 'node')}"
                raise refuse(Location(self._path, line), "too-large", message, hint=hint_to_raise("nodes"))
            mention.nodes.extend((tree, at) for at in range(last + 1, end + 1))
        if parts and place == parts:
            if not entity.in_parts or entity.in_parts[-1] is not mention:
                message = "parts of several mentions are interleaved"
                self._flag(entity, "parts-interleaved", message, line, tree)
            if mention in entity.in_parts:
                entity.in_parts.remove(mention)
            mention.has_all_parts = True

    # --------------------------------------------------------------------------------------------------- the end

    def finish(self) -> None:
        """Add the clusters to their documents, in the order of the first mentions of their entities."""
        entities = []
        for entity in self._entities.values():
            pairs = [pair for mention in entity.mentions if (pair := self._finish_mention(mention))]
            pairs.sort(key=lambda pair: (_place(pair[1]), pair[0].order))
            if pairs:
                entities.append((_place(pairs[0][1]), entity.id, pairs))
        entities.sort(key=lambda entry: entry[:2])
        for _, eid, pairs in entities:
            by_document = grouped((pair[0].nodes[0][0].document.doc_id, pair) for pair in pairs)
            for doc_id, members in by_document.items():
                of_nodes = NodeCluster(eid, tuple(made for _, made in members))
                of_runs = Cluster(eid, tuple(_runs(mention.nodes) for mention, _ in members))
                self._shared.documents[doc_id].clusters.append((of_nodes, of_runs))

    def _finish_mention(self, mention: _Mention) -> tuple[_Mention, NodeMention] | None:
        tree = mention.nodes[0][0]
        flag = partial(self._flag, mention.entity, line=mention.line, tree=tree)
        if mention.is_open:
            flag("mention-not-closed", "a mention begins here and does not end; it is left out")
            return None
        if not mention.has_all_parts:
            flag("mention-not-closed", "a mention of several parts begins here, and parts of it are missing")
        nodes = enumerate(mention.nodes)
        places = sorted(((tree.sentence.number, tree.numbers[at]), number) for number, (tree, at) in nodes)
        at = _head_of(mention, len(places))
        if at is None:
            size = counted(len(places), "node")
            flag("odd-head", f"the head {mention.head!r} is no node of the mention, which has {size}")
            at = 0
        head, number = places[at]
        head_tree, head_at = mention.nodes[number]
        node = head_tree.sentence.nodes[head_at]
        dependencies = self._dependencies(mention, head_tree, node.dependencies) if node.is_empty else None
        distinct = tuple(dict.fromkeys(place for place, _ in places))
        return mention, NodeMention(distinct, head, node.is_empty, dependencies, mention.type)

    def _dependencies(self, mention: _Mention, tree: _Tree, written: str) -> tuple[Dependency, ...] | None:
        if written == "_":
            return None
        found = []
        for item in written.split("|"):
            parent, colon, label = item.partition(":")
            number = float(parent) if _NODE.fullmatch(parent) else None
            if number is None or not colon or (number and number not in tree.numbers):
                message = f"expected parents and labels such as 3:nsubj in DEPS, found {written!r}"
                self.add_finding("odd-dependencies", message, mention.line, mention.entity.id, tree)
                return None
            found.append((number, label))
        return tuple(found)

    def _flag(
        self, entity: _Entity, code: str, message: str, line: int, tree: _Tree, *, hint: str | None = None
    ) -> None:
        self.add_finding(code, f"cluster {entity.id}: {message}", line, entity.id, tree, hint=hint)

    def add_finding(
        self,
        code: str,
        message: str,
        line: int,
        item: str | None = None,
        tree: _Tree | None = None,
        *,
        hint: str | None = None,
    ) -> None:
        """Add a finding to the current document, or to the source if there is none yet."""
        gathered = tree.document if tree is not None else self._document
        place = Location(self._path, line)
        finding = Finding(code, "warning", message, place, gathered.doc_id if gathered else None, item, hint)
        (gathered.findings if gathered else self._shared.findings).append(finding)


def _head_of(mention: _Mention, size: int) -> int | None:
    """The position of the head among the nodes of a mention; None if the written head is not among them.

    A mention of one word is its own head.  Without a head, or with head 0, it is the first node; if the last part of a
    mention in parts is one word, the head must be written, and 0 means the last node.
    """
    if mention.of_one_word and not mention.in_parts:
        return 0
    if mention.head is None:
        return None if mention.of_one_word else 0
    if not (mention.head.isascii() and mention.head.isdigit()) or len(mention.head) > len(str(size)):
        return None
    head = int(mention.head)
    if head == 0:
        return size - 1 if mention.of_one_word else 0
    return head - 1 if head <= size else None


def _place(mention: NodeMention) -> tuple[Node, int, Node]:
    """The sort key of mentions: first node, more nodes first, last node."""
    return mention.nodes[0], -len(mention.nodes), mention.nodes[-1]


def _runs(nodes: Iterable[tuple[_Tree, int]]) -> Hashable:
    """The runs of words of a mention in its document, or the name of its first node if it has no words."""
    first = tree, at = min(nodes, key=lambda node: (node[0].sentence.number, node[0].numbers[node[1]]))
    words = sorted({place for tree, at in nodes if (place := tree.places[at]) is not None})
    if not words:
        tree, at = first
        return node_text((tree.sentence.number - tree.document.sentences[0].number + 1, tree.numbers[at]))
    return runs_of(words)


# ---------------------------------------------------------------------------------------------------- writing


def write(corpus: Corpus) -> bytes:
    """The corpus as CoNLL-U with words (``_`` if not known), empty nodes and clusters.

    The sentences are those that were read; a document without them is one sentence.
    """
    lines: list[str] = []
    first = corpus.facts.get("clusters_before", 0) + 1
    for document in corpus.documents.values():
        lines.append(f"# newdoc id = {document.doc_id}\n# global.Entity = eid-etype-head-other\n")
        trees: Trees | None = document.layers.get("trees")
        if trees is None:
            cells = _cells_of_runs(document, first)
            size = max(document.layers.get("token-count", 0), max(cells, default=-1) + 1)
            words = enumerate(written_words(document, size))
            lines += [_line(str(token + 1), word, "_", cells.get(token)) for token, word in words]
            lines.append("\n")
            first += len(document.layers.get("clusters", ()))
        else:
            lines += _written_trees(trees)
    return "".join(lines).encode("utf-8", "surrogateescape")


def _line(node_id: str, form: str, dependencies: str, cell: str | None) -> str:
    entity = "_" if cell is None else f"Entity={cell}"
    head = "_" if "." in node_id else "0"
    return f"{node_id}\t{form}\t" + "_\t" * 4 + f"{head}\t_\t{dependencies}\t{entity}\n"


def _written_trees(trees: Trees) -> Iterator[str]:
    """The sentences as they were read, with the clusters over their nodes."""
    cells = _cells_of_nodes(trees)
    for sentence in trees.sentences:
        if sentence.sent_id is not None:
            yield f"# sent_id = {sentence.sent_id}\n"
        for node in sentence.nodes:
            yield _line(node.id, node.form, node.dependencies, cells.get((sentence.number, float(node.id))))
        yield "\n"


def _cells_of_nodes(trees: Trees) -> dict[Node, str]:
    # The number of a sentence is in the place of its nodes: no run goes from one sentence to the next.
    nodes = ((sentence.number, float(node.id)) for sentence in trees.sentences for node in sentence.nodes)
    places = {node: place + node[0] for place, node in enumerate(nodes)}
    mentions = []
    for cluster in trees.clusters:
        for mention in cluster.members:
            edges = runs_of(sorted(places[node] for node in mention.nodes))
            head = mention.nodes.index(mention.head) + 1
            ranges = [*zip(edges[::2], edges[1::2], strict=True)]
            mentions.append((cluster.id, f"-{mention.type or 'x'}-{head}-", ranges))
    cells = _cells(mentions)
    return {node: cells[place] for node, place in places.items() if place in cells}


def _cells_of_runs(document: Document, first_id: int) -> dict[int, str]:
    """The Entity cells of a document without sentences; ids are numbered through the file, in its order."""
    mentions = []
    for number, cluster in enumerate(document.layers.get("clusters", ()), first_id):
        for member in cluster.members:
            if not isinstance(member, tuple) or not all(isinstance(part, int) for part in member):
                continue  # an id is at no word; the loss report names it
            if not all(one < other for one, other in pairwise((-1, *member))):
                continue  # and so is a run without words, which a table may have
            mentions.append((f"e{number}", "-x-1-", list(zip(member[::2], member[1::2], strict=True))))
    return _cells(mentions)


def _cells(mentions: Iterable[tuple[str, str, Sequence[Sequence[int]]]]) -> dict[int, str]:
    """The cells by place: closing items, innermost first, then opening ones, longest first, then mentions of one word."""
    items: dict[int, list[tuple[int, int, str]]] = {}
    for name, fields, ranges in mentions:
        for part, (first, end) in enumerate(ranges, 1):
            eid = name if len(ranges) == 1 else f"{name}[{part}/{len(ranges)}]"
            if end - first == 1:
                items.setdefault(first, []).append((2, 0, f"({eid}{fields})"))
            else:
                items.setdefault(first, []).append((1, -end, f"({eid}{fields}"))
                items.setdefault(end - 1, []).append((0, -first, f"{eid})"))
    return {place: "".join(text for _, _, text in sorted(found)) for place, found in items.items()}


def recognise(head: bytes) -> bool:
    """Whether the first bytes declare the Entity fields or have an Entity attribute."""
    return b"# global.Entity" in head or re.search(rb"\tEntity=\S", head) is not None


COREFUD = Format(
    name="corefud",
    title="CorefUD (CoNLL-U with Entity=)",
    extensions=(".conllu",),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    in_lines=True,
    layers=("clusters",),
    holds_many=True,
    has_words=True,
)
