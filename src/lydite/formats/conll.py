"""Coreference columns: CoNLL-2011/2012, and SemEval-2010 with the same brackets.

::

    #begin document (bc/cctv/00/cctv_0000); part 000
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 0 <TAB> She <TAB> (12)
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 1 <TAB> met <TAB> -
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 2 <TAB> her <TAB> (12)|(3
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 3 <TAB> boss <TAB> 3)
    <empty line>
    #end document

The last column holds the clusters: ``(12)`` is a mention of one token, ``(3`` opens one, ``3)`` closes one, ``-`` or
``_`` is nothing; the bar between items may be missing.  Tokens count through the document, so a span may cross a
sentence break.  Per token all one-token items are read first, then all that open, then all that close, and a close takes
the span of its id that was opened last (CoNLL reference scorer 8.01).

Reading goes in two steps: an index of where the documents lie, then each document when it is asked for.  Most lines hold
no mention; they shrink to a mark in one pass and never become objects of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Format
from lydite.formats.source import CHUNK, Part, Source
from lydite.formats.units import regroup
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.cluster import Cluster, Partition

_BEGIN = re.compile(rb"#\s*begin document (.*)", re.DOTALL)
_END = re.compile(rb"#\s*end document")
_ITEM = re.compile(
    rb"\(([0-9]+)\)"  # a mention of one token
    rb"|\([0-9]+\+[0-9]\)"  # two antecedents: dropped
    rb"|\(([0-9]+)(?=[(|]|$)"  # opens
    rb"|(?<![^()|0-9])([0-9]+)\)"  # closes
)
MARK = b"\0"
"""Stands for a token line without mention while a document is read; a document that holds this byte is read plainly."""

_NOTHING = (b"-", b"_", b"")
"""Cells without a mention."""


@dataclass(slots=True)
class _Block:
    """The lines of one document: where they lie and the number of the first one."""

    part: Part
    start: int
    end: int
    line: int


@dataclass(slots=True)
class _Index:
    """Where each document of a source lies, and what is odd about the frame around the documents."""

    blocks: dict[str, _Block] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def remark(self, code: str, message: str, place: Location, doc_id: str, hint: str) -> None:
        self.findings.append(Finding(code, "warning", message, place, doc_id, hint=hint))


class _Items(NamedTuple):
    """What one cell says: ids of one-token mentions, of spans that open, of spans that close.

    ``plain`` is false if there is something to remark about the cell.
    """

    single: tuple[str, ...]
    opened: tuple[str, ...]
    closed: tuple[str, ...]
    plain: bool


def read(source: Source, options: Mapping[str, Any]) -> Corpus:
    """The corpus in a column file (or all column files of a folder or archive).

    ``options["column"]`` counts columns from 0 (-1, the last one, by default); ``options["crossing"]`` is ``stack`` or
    ``fifo`` (closes before opens, a close takes the earliest span); ``options["unit"]`` joins documents.
    """
    index, digest = _Index(), sha256()
    for part in source.parts:
        with part.open() as stream:
            _index_part(part, stream, index, digest)
    if not index.blocks:
        message = "expected a line '#begin document <name>', found none"
        index.findings.append(Finding("no-document", "error", message, Location(source.path, 1)))
    reader = _Reader(index.blocks, options)
    corpus = Corpus(
        name=source.name,
        documents=LazyDocuments(tuple(index.blocks), reader.load),
        path=source.path,
        format="conll",
        sha256=digest.hexdigest(),
        findings=tuple(index.findings),
    )
    return regroup(corpus, options)


# ---------------------------------------------------------------------------------------------------- the frame


def _index_part(part: Part, stream: BinaryIO, index: _Index, digest: Any) -> None:
    name: str | None = None
    block = _Block(part, 0, 0, 0)
    for offset, line, content in _marker_lines(stream, digest):
        opened = _BEGIN.match(content)
        if name is None and opened:
            name = _decode(opened.group(1).removesuffix(b"\r"))
            block = _Block(part, offset + len(content) + 1, 0, line + 1)
        elif name is not None and _END.search(content):
            _close(index, name, block, offset)
            name = None
        elif name is not None and opened:
            index.remark(
                "nested-document",
                f"document {name!r} (line {block.line - 1}) is not closed before this line",
                Location(part.path, line),
                name,
                "add a line '#end document' before it",
            )
    if name is not None:
        index.remark(
            "missing-end",
            f"document {name!r} is not closed: the file ends without '#end document'",
            Location(part.path, block.line - 1),
            name,
            "is the file cut off? add the line if it is complete",
        )
        _close(index, name, block, stream.tell())


def _close(index: _Index, name: str, block: _Block, end: int) -> None:
    block.end = end
    if name in index.blocks:
        index.remark(
            "repeated-document",
            f"document {name!r} occurs twice (before: line {index.blocks.pop(name).line - 1}); the last one counts",
            Location(block.part.path, block.line - 1),
            name,
            "give every document a name of its own; parts of one document differ in 'part 000', 'part 001'",
        )
    index.blocks[name] = block


def _marker_lines(stream: BinaryIO, digest: Any) -> Iterator[tuple[int, int, bytes]]:
    """(offset, line number, line) of every line with a ``#`` and the word ``document``, chunk by chunk."""
    base, line, rest = 0, 1, b""
    while True:
        chunk = stream.read(CHUNK)
        digest.update(chunk)
        data = rest + chunk
        cut = data.rfind(b"\n") + 1 if chunk else len(data)
        at = counted = 0
        while (at := data.find(b" document", at, cut)) >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            content = data[start:end]
            if b"#" in content:
                line += data.count(b"\n", counted, start)
                counted = start
                yield base + start, line, content
            at = end
        line += data.count(b"\n", counted, cut)
        base, rest = base + cut, data[cut:]
        if not chunk:
            return


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


# ------------------------------------------------------------------------------------------------ one document


class _Reader:
    """Reads a document when it is asked for; cells that were seen before are not parsed again."""

    def __init__(self, blocks: Mapping[str, _Block], options: Mapping[str, Any]) -> None:
        self._blocks = blocks
        column = int(options.get("column", -1))
        self._column = None if column < 0 else column
        self._count_comments = bool(options.get("count-comment-lines", True))
        self._fifo = options.get("crossing") == "fifo"
        self._items: dict[bytes, _Items] = {}

    def load(self, doc_id: str) -> Document:
        """The document of that name."""
        block = self._blocks[doc_id]
        with block.part.open() as stream:
            stream.seek(block.start)
            data = stream.read(block.end - block.start)
        data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
        findings = (
            [] if b"#" not in data else list(_comments(data, block, doc_id, counted=self._count_comments))
        )
        spans = _Spans(doc_id, block.part.path, fifo=self._fifo)
        if self._column is None and (self._count_comments or not findings) and MARK not in data:
            token_count = self._read_pieces(data, block.line, spans)
        else:
            token_count = self._read_lines(data, block.line, spans)
        findings.extend(spans.finish())
        return Document(
            doc_id,
            path=block.part.path,
            line=block.line - 1,
            layers={"clusters": spans.clusters(), "token-count": token_count},
            findings=tuple(findings),
        )

    def _read_lines(self, data: bytes, first_line: int, spans: _Spans) -> int:
        """Line by line, for layouts with another column or with comments to skip; the number of tokens."""
        token = -1
        for number, line in enumerate(data.split(b"\n"), first_line):
            text = line.rstrip()
            if text and (self._count_comments or not text.startswith(b"#")):
                token += 1
                cell = _cell(text, self._column)
                spans.add(token, number, cell, self._items.get(cell) or self._learn(cell))
        return token + 1

    def _read_pieces(self, data: bytes, first_line: int, spans: _Spans) -> int:
        """The same, fast: lines without mention shrink to a mark, so only the others become objects of their own."""
        pieces = data.replace(b"\t_\n" if b"\t_\n" in data[:4096] else b"\t-\n", MARK).split(b"\n")
        whole = not pieces[-1].rpartition(MARK)[2].rstrip()
        tail = pieces.pop().count(MARK) if whole else 0
        token, line = 0, first_line
        find, take = self._items.get, spans.take
        for piece in pieces:
            passed = piece.count(MARK)
            token += passed
            line += passed
            cell = piece[piece.rfind(b"\t") + 1 :]
            items = find(cell)
            if items is None:
                text = piece[piece.rfind(MARK) + 1 :].rstrip()
                if not text:
                    line += 1
                    continue
                cell = _cell(text, None)
                items = find(cell) or self._learn(cell)
            if items.plain:
                take(token, line, items)
            else:
                spans.add(token, line, cell, items)
            token += 1
            line += 1
        return token + tail

    def _learn(self, cell: bytes) -> _Items:
        items = self._items[cell] = _parse_cell(cell)
        return items


def _cell(text: bytes, column: int | None) -> bytes:
    """The coreference cell of a token line: fields end at TABs, or at blanks in a line without TAB."""
    if column is None:
        tab = text.rfind(b"\t")
        if tab >= 0:
            return text[tab + 1 :].strip()
        return text.split()[-1]
    fields = text.split(b"\t") if b"\t" in text else text.split()
    return fields[column].strip() if column < len(fields) else b""


def _comments(data: bytes, block: _Block, doc_id: str, *, counted: bool) -> Iterator[Finding]:
    fate = "counts as a token" if counted else "is skipped"
    for number, line in enumerate(data.split(b"\n"), block.line):
        if line.startswith(b"#"):
            yield Finding(
                "comment-in-document",
                "warning",
                f"a comment line inside a document {fate}",
                Location(block.part.path, number, 1),
                doc_id,
                hint="remove it, or move it between documents",
            )


def _parse_cell(cell: bytes) -> _Items:
    single, opened, closed = [], [], []
    odd = cell not in _NOTHING and _ITEM.sub(b"", cell).replace(b"|", b"") != b""
    for one, begin, end in _ITEM.findall(cell):
        if one:
            single.append(one.decode())
        elif begin:
            opened.append(begin.decode())
        elif end:
            closed.append(end.decode())
    touching = not set(opened).isdisjoint(closed)
    return _Items(tuple(single), tuple(opened), tuple(closed), plain=not odd and not touching)


class _Spans:
    """The spans of a document while its tokens go by."""

    def __init__(self, doc_id: str, path: str, *, fifo: bool) -> None:
        self._doc_id, self._path, self._fifo = doc_id, path, fifo
        self._members: dict[str, list[tuple[int, int]]] = {}
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._findings: list[Finding] = []

    def add(self, token: int, line: int, cell: bytes, items: _Items) -> None:
        """Read one cell, and remark on what is odd about it."""
        self.take(token, line, items)
        if not items.plain:
            shared = set(items.opened).intersection(items.closed)
            if shared:
                self._remark_touching(line, shared)
            if _ITEM.sub(b"", cell).replace(b"|", b""):
                self._remark_odd(cell, line)

    def take(self, token: int, line: int, items: _Items) -> None:
        """Read one cell: one-token mentions, then spans that open, then spans that close."""
        single, opened, closed, _ = items
        members = self._members
        for name in single:
            if name in members:
                members[name].append((token, token + 1))
            else:
                members[name] = [(token, token + 1)]
        if closed and self._fifo:
            self._close(token, line, closed)
        for name in opened:
            if name not in members:
                members[name] = []
            if name in self._open:
                self._open[name].append((token, line))
            else:
                self._open[name] = [(token, line)]
        if closed and not self._fifo:
            self._close(token, line, closed)

    def _close(self, token: int, line: int, names: Sequence[str]) -> None:
        for name in names:
            started = self._open.get(name)
            if not started:
                self._remark(
                    "mention-not-opened", f"cluster {name}: a mention ends that did not begin", line, name
                )
                continue
            first, _ = started.pop(0 if self._fifo else -1)
            self._members[name].append((first, token + 1))

    def finish(self) -> list[Finding]:
        """The findings, with those about spans that are still open."""
        for name, started in self._open.items():
            for _, line in started:
                message = f"cluster {name}: a mention begins here and does not end"
                self._remark("mention-not-closed", message, line, name)
        return self._findings

    def clusters(self) -> Partition:
        """Clusters in the order in which their ids first show up, members in the order in which they are complete."""
        return Partition(Cluster(name, tuple(members)) for name, members in self._members.items() if members)

    def _remark_odd(self, cell: bytes, line: int) -> None:
        message = f"expected items such as (12), (12 and 12) joined by '|', or '-', found {_decode(cell)!r}"
        hint = "cluster ids are digits; the coreference column is the last one unless --column says otherwise"
        self._remark("odd-cell", message, line, None, hint)

    def _remark_touching(self, line: int, names: Iterable[str]) -> None:
        for name in sorted(names):
            message = f"cluster {name}: one mention ends and another begins at the same token; which is which is a guess"
            hint = "the span that began last ends here; --crossing fifo ends the one that began first"
            self._remark("touching-mentions", message, line, name, hint)

    def _remark(self, code: str, message: str, line: int, item: str | None, hint: str | None = None) -> None:
        place = Location(self._path, line)
        self._findings.append(Finding(code, "warning", message, place, self._doc_id, item, hint))


# ---------------------------------------------------------------------------------------------------- writing


def write(corpus: Corpus) -> bytes:
    """The corpus as columns: document, part, token number, word (not known: ``_``), clusters numbered from 0."""
    return b"".join(
        _write_document(document, _columns_of(document.doc_id), "-", "#end document")
        for document in corpus.documents.values()
    )


def write_semeval(corpus: Corpus) -> bytes:
    """The corpus as SemEval-2010 columns: token number, word (not known: ``_``), clusters."""
    return b"".join(
        _write_document(document, (), "_", f"#end document {document.doc_id}")
        for document in corpus.documents.values()
    )


def _columns_of(doc_id: str) -> tuple[str, ...]:
    named = re.fullmatch(r"\((.*)\); part ([0-9]+)", doc_id)
    name, part = (named.group(1), str(int(named.group(2)))) if named else (doc_id, "0")
    return "_".join(name.split()) or "_", part


def _write_document(document: Document, columns: tuple[str, ...], nothing: str, end: str) -> bytes:
    cells = _written_cells(document)
    size = max(document.layers.get("token-count", 0), max(cells, default=-1) + 1)
    rows = ("\t".join((*columns, str(token), "_", cells.get(token, nothing))) for token in range(size))
    lines = [f"#begin document {document.doc_id}", *rows]
    return "\n".join([*lines, "", end, ""]).encode("utf-8", "surrogateescape")


def _written_cells(document: Document) -> dict[int, str]:
    """Per token: opens, longest first, then one-token items, then closes, innermost first."""
    opens: dict[int, list[tuple[int, int]]] = {}
    singles: dict[int, list[int]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for number, cluster in enumerate(document.layers.get("clusters", ())):
        _refuse_crossing(document, cluster)
        for first, end in _pairs(cluster):
            if end - first == 1:
                singles.setdefault(first, []).append(number)
            else:
                opens.setdefault(first, []).append((-end, number))
                closes.setdefault(end - 1, []).append((-first, number))
    tokens = {*opens, *singles, *closes}
    return {
        token: "|".join(
            [
                *(f"({number}" for _, number in sorted(opens.get(token, ()))),
                *(f"({number})" for number in singles.get(token, ())),
                *(f"{number})" for _, number in sorted(closes.get(token, ()))),
            ]
        )
        for token in sorted(tokens)
    }


def _pairs(cluster: Cluster) -> list[tuple[int, int]]:
    """The members that columns can hold: runs of tokens.  Ids and discontinuous mentions have no place."""
    return [
        member
        for member in cluster.members
        if isinstance(member, tuple) and len(member) == 2 and all(isinstance(part, int) for part in member)
    ]


def _refuse_crossing(document: Document, cluster: Cluster) -> None:
    """Spans of one cluster that cross or touch cannot be told apart in this notation."""
    spans: Iterable[tuple[int, int]] = _pairs(cluster)
    enclosing: list[int] = []
    for first, minus_end in sorted((first, -end) for first, end in spans if end - first > 1):
        while enclosing and enclosing[-1] <= first:
            enclosing.pop()
        if enclosing and enclosing[-1] < -minus_end:
            message = f"two mentions of cluster {cluster.id!r} cross: columns cannot say which ends first"
            place = Location(document.path)
            raise FormatError(
                [Finding("touching-mentions", "error", message, place, document.doc_id, cluster.id)]
            )
        enclosing.append(-minus_end)


def recognise(head: bytes) -> bool:
    """A line that begins a document."""
    return re.search(rb"^#\s*begin document ", head, re.MULTILINE) is not None


def _recognise_semeval(head: bytes) -> bool:
    return recognise(head) and re.search(rb"\t_\r?\n", head) is not None and b"\t-\n" not in head


CONLL = Format(
    name="conll",
    title="CoNLL-2011/2012 coreference columns",
    extensions=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".v9_gold_conll", ".key", ".response"),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("clusters",),
    holds_many=True,
)

SEMEVAL = Format(
    name="semeval",
    title="SemEval-2010 coreference columns",
    extensions=(".txt", ".semeval", ".conll"),
    tasks=("coref",),
    recognise=_recognise_semeval,
    read=read,
    write=write_semeval,
    layers=("clusters",),
    holds_many=True,
)
