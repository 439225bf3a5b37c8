"""CorefUD: clusters in the ``Entity=`` attribute of CoNLL-U.

::

    # newdoc id = wsj_0001
    # global.Entity = eid-etype-head-other
    1 <TAB> Pierre <TAB> … <TAB> Entity=(e1-person-1-
    2 <TAB> Vinken <TAB> … <TAB> Entity=e1)
    3 <TAB> himself <TAB> … <TAB> Entity=(e1-person-1-)

``(eid-…`` opens a mention, ``eid)`` closes it, ``(eid-…)`` is one of a single word, without separators between them; a
discontinuous mention writes its parts as ``eid[1/2]``.  A mention is its set of words.  Words count through the document;
empty nodes (``7.1``) do not count, and a mention of empty nodes alone (a zero) is left out with a note.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Any

from lydite.errors import Finding, Location
from lydite.formats.base import Format
from lydite.formats.names import is_misspelt
from lydite.formats.source import Part, Source, read_block
from lydite.formats.units import regroup
from lydite.formats.words import UNKNOWN, Words, written_words
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition

_PIECE = re.compile(r"\(([^()]*)(\))?|([^()]+)\)")
_PART = re.compile(r"(.*)\[([0-9]+)/([0-9]+)\]")
_NEW_DOCUMENT = re.compile(rb"#\s*newdoc(?:\s+id\s*=\s*(.*))?")
_JOINED = re.compile(rb"[\t\0\r\x0b\x0c]")
"""What no comment holds, unless the line end behind it was lost."""
_FIELDS = re.compile(rb"#\s*global\.Entity\s*=\s*(.*)")


def read(source: Source, options: Mapping[str, Any]) -> Corpus:
    """The corpus in a CoNLL-U file (or all of a folder or archive)."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    digest = sha256()
    together = (options.get("unit") or "document") != "document"
    for part in source.parts:
        for document in _documents(part, digest, together=together):
            if document.doc_id in documents:
                message = f"document {document.doc_id!r} occurs twice; the last one counts"
                place = Location(part.path, document.line)
                findings.append(Finding("repeated-document", "warning", message, place, document.doc_id))
            documents[document.doc_id] = document
    if not documents:
        message = "expected CoNLL-U lines with ten columns, found none"
        findings.append(Finding("no-document", "error", message, Location(source.path, 1)))
    corpus = Corpus(
        name=source.name,
        documents=documents,
        path=source.path,
        format="corefud",
        sha256=digest.hexdigest(),
        findings=tuple(findings),
    )
    return regroup(corpus, options)


def _documents(part: Part, digest: Any, *, together: bool) -> Iterator[Document]:
    document: _Document | None = None
    eid_at = offset = 0
    with part.open() as stream:
        for number, raw in enumerate(stream, 1):
            digest.update(raw)
            start, offset = offset, offset + len(raw)
            line = raw.rstrip(b"\r\n")
            if line.startswith(b"#"):
                if _JOINED.search(line):
                    document = document or _Document(part, "", number, start, eid_at)
                    document.remark_joined(number)
                named, fields = _NEW_DOCUMENT.match(line), _FIELDS.match(line)
                if named:
                    if document is not None:
                        yield document.finish(start, together=together)
                    document = _Document(part, _decode(named.group(1) or b"").strip(), number, start, eid_at)
                elif fields:
                    names = _decode(fields.group(1)).strip().split("-")
                    eid_at = names.index("eid") if "eid" in names else 0
                    if document is not None:
                        document.eid_at = eid_at
            elif line.strip():
                document = document or _Document(part, "", number, start, eid_at)
                document.add(number, line.split(b"\t"))
    if document is not None:
        yield document.finish(offset, together=together)


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


class _Document:
    """A document while its lines go by."""

    def __init__(self, part: Part, doc_id: str, line: int, offset: int, eid_at: int) -> None:
        self._part, self._path, self._doc_id, self._line = part, part.path, doc_id, line
        self._offset = offset
        self.eid_at = eid_at
        self._words = 0
        self._known = False
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._parts: dict[str, list[tuple[int, int]]] = {}
        self._part_lines: dict[str, int] = {}
        self._members: dict[str, list[Hashable]] = {}
        self._findings: list[Finding] = []

    def add(self, line: int, columns: list[bytes]) -> None:
        """One word, empty node or multiword token."""
        if len(columns) != 10:
            self._remark(
                "too-few-columns", f"expected 10 columns separated by TABs, found {len(columns)}", line
            )
            return
        number, attributes = columns[0], columns[9]
        if b"-" in number:
            return
        self._words += b"." not in number
        self._known = self._known or columns[1] != UNKNOWN.encode()
        for attribute in attributes.split(b"|"):
            if attribute.startswith(b"Entity="):
                # An empty node stands after the word before it and covers no word of its own.
                self._read(line, _decode(attribute[7:]), empty=b"." in number)
            elif b"=(" in attribute and is_misspelt(_decode(attribute).partition("=")[0].lower(), "entity"):
                self._remark(
                    "unknown-name", f"expected the attribute Entity=, found {_decode(attribute)!r}", line
                )

    def remark_joined(self, line: int) -> None:
        """A comment that goes on where it should end."""
        self._remark(
            "lines-joined", "a comment holds columns, which are not read; was a line end lost?", line
        )

    def _read(self, line: int, text: str, *, empty: bool) -> None:
        here = self._words if empty else self._words - 1
        if _PIECE.sub("", text):
            message = f"expected items such as (e1-…, e1) and (e1-…), found {text!r}"
            self._remark("odd-cell", message, line)
        for opened, single, closed in _PIECE.findall(text):
            if closed:
                self._close(line, closed.split("-")[0], self._words)
                continue
            fields = opened.split("-")
            eid = fields[self.eid_at] if self.eid_at < len(fields) else fields[0]
            self._open.setdefault(eid, []).append((here, line))
            self._members.setdefault(_PART.sub(r"\1", eid), [])
            if single:
                self._close(line, eid, self._words)

    def _close(self, line: int, eid: str, end: int) -> None:
        if not self._open.get(eid):
            self._remark("mention-not-opened", f"cluster {eid}: a mention ends that did not begin", line, eid)
            return
        first, opened_at = self._open[eid].pop()
        part = _PART.fullmatch(eid)
        if part is None:
            self._keep(eid, [(first, end)], line)
            return
        name = part.group(1)
        pieces = self._parts.setdefault(name, [])
        self._part_lines.setdefault(name, opened_at)
        pieces.append((first, end))
        if len(pieces) >= int(part.group(3)):
            del self._part_lines[name]
            self._keep(name, self._parts.pop(name), line)

    def _keep(self, eid: str, pieces: list[tuple[int, int]], line: int) -> None:
        ranges: list[int] = []
        for first, end in sorted(piece for piece in pieces if piece[0] < piece[1]):
            if ranges and first <= ranges[-1]:
                ranges[-1] = max(ranges[-1], end)
            else:
                ranges.extend((first, end))
        if ranges:
            self._members[eid].append(tuple(ranges))
        else:
            message = f"cluster {eid}: a mention of empty nodes alone (a zero) is left out"
            self._findings.append(
                Finding("zero-mention", "note", message, Location(self._path, line), self._doc_id, eid)
            )

    def finish(self, end: int, *, together: bool) -> Document:
        """The document, with findings about mentions that are still open; ``end`` is where its bytes end.

        Clusters never cross documents: where documents are scored ``together``, equal ids are kept apart.
        """
        for eid, started in self._open.items():
            for _, line in started:
                message = f"cluster {eid}: a mention begins here and does not end"
                self._remark("mention-not-closed", message, line, eid)
        for eid, line in self._part_lines.items():
            message = f"cluster {eid}: a mention of several parts begins here, and parts of it are missing"
            self._remark("mention-not-closed", message, line, eid)
        apart = f"{self._doc_id} " if together else ""
        clusters = (
            Cluster(f"{apart}{eid}", tuple(members)) for eid, members in self._members.items() if members
        )
        return Document(
            self._doc_id,
            path=self._path,
            line=self._line,
            tokens=Words(self._words, partial(_words, self._part, self._offset, end))
            if self._known
            else None,
            layers={"clusters": Partition(clusters), "token-count": self._words},
            findings=tuple(self._findings),
        )

    def _remark(self, code: str, message: str, line: int, item: str | None = None) -> None:
        self._findings.append(
            Finding(code, "warning", message, Location(self._path, line), self._doc_id, item)
        )


def _words(part: Part, start: int, end: int) -> list[str]:
    """The words in these bytes of a file; empty nodes and multiword tokens are none."""
    with part.open() as stream:
        lines = read_block(part, stream, start, end).split(b"\n")
    rows = (line.rstrip(b"\r").split(b"\t") for line in lines if not line.startswith(b"#"))
    return [_decode(row[1]) for row in rows if len(row) == 10 and b"-" not in row[0] and b"." not in row[0]]


def write(corpus: Corpus) -> bytes:
    """The corpus as CoNLL-U with words (``_`` if not known) and clusters alone, one sentence per document."""
    lines = []
    first = 1
    for document in corpus.documents.values():
        cells = _written_cells(document, first)
        first += len(document.layers.get("clusters", ()))
        size = max(document.layers.get("token-count", 0), max(cells, default=-1) + 1)
        lines.append(f"# newdoc id = {document.doc_id}\n# global.Entity = eid-etype-head-other\n")
        for token, word in enumerate(written_words(document, size)):
            entity = f"Entity={cells[token]}" if token in cells else "_"
            lines.append(f"{token + 1}\t{word}\t" + "_\t" * 4 + "0\t_\t_\t" + entity + "\n")
        lines.append("\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def _written_cells(document: Document, first_id: int) -> dict[int, str]:
    """Per word: closes, innermost first, then opens, longest first, then mentions of one word.

    Ids are numbers that no other document of the file has.
    """
    items: dict[int, list[tuple[int, int, str]]] = {}
    for number, cluster in enumerate(document.layers.get("clusters", ()), first_id):
        for member in cluster.members:
            if not isinstance(member, tuple) or not all(isinstance(part, int) for part in member):
                continue  # an id has no place among words; the loss report names it
            ranges = list(zip(member[::2], member[1::2], strict=True))
            for place, (first, end) in enumerate(ranges, 1):
                name = f"e{number}" if len(ranges) == 1 else f"e{number}[{place}/{len(ranges)}]"
                if end - first == 1:
                    items.setdefault(first, []).append((2, 0, f"({name}-x-1-)"))
                else:
                    items.setdefault(first, []).append((1, -end, f"({name}-x-1-"))
                    items.setdefault(end - 1, []).append((0, -first, f"{name})"))
    return {token: "".join(text for _, _, text in sorted(found)) for token, found in items.items()}


def recognise(head: bytes) -> bool:
    """CoNLL-U with clusters: the declaration of the Entity fields, or an Entity attribute."""
    return b"# global.Entity" in head or re.search(rb"\tEntity=\S", head) is not None


COREFUD = Format(
    name="corefud",
    title="CorefUD (CoNLL-U with Entity=)",
    extensions=(".conllu",),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("clusters",),
    holds_many=True,
    has_words=True,
    limits={
        "clusters": "words hold runs of words: an id has no place",
        "tokens": "a column holds no white space",
    },
)
