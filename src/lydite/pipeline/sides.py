"""Gold and systems while they stream by: documents as they are asked for, findings as they come up, content hashes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from lydite.errors import Finding, FormatError, InvalidInput, Location, NoCommonDocument, errors_among
from lydite.escaping import in_bytes
from lydite.formats.unplaced import finding_on_side
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.cluster import Partition
from lydite.model.mention import SYSTEM_LAYER, WRITTEN_LAYER
from lydite.parallel import Progress
from lydite.pipeline.settings import C, S
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from lydite.pipeline import Task

T = TypeVar("T")

CONTENT_SUM: Final = "content-sum"
"""The layer of a document whose reader knows a number for what it says: such numbers are added over documents."""

NO_COMMON_DOCUMENT = "no-common-document"


class SideBlock(NamedTuple):
    """What came up in a block of the documents of a side, as it comes from another process."""

    read: Sequence[Finding]
    """The findings of the reader about files."""
    scored: Sequence[Finding]
    unscored: Sequence[Finding]
    whole: Sequence[Finding]
    """What shows only in all documents of the block together."""
    compared: Sequence[Finding]
    content: int
    complete: bool
    """Whether the block was looked at as a whole."""


class Side(Generic[S, C]):
    """One side while it streams by: findings as they come up, and the hash of its normalised content."""

    def __init__(self, corpus: Corpus, role: str, task: Task[S, C], settings: S) -> None:
        self.corpus, self.role, self.task, self.settings = corpus, role, task, settings
        self.findings: list[Finding] = [self._with_severity(finding) for finding in corpus.findings]
        self.compared: list[Finding] = []
        """What came up when documents of this side, a system, were compared with gold."""
        self.last_read = ""
        """The document that was asked for last: if something goes wrong, it is likely there."""
        self._seen = _Seen(corpus.documents)
        self._content = 0
        self.digests: dict[str, int] | None = None
        """The hash of every document by itself, where someone asks for it."""
        self._scored: int | None = None
        self._in_parts: int | None = None
        """How many of the findings were made before unscored documents were read, and before all were looked at."""
        self._is_complete = False

    def load(self, doc_id: str) -> Document:
        """The document as read, or an empty one if this side lacks it; checks it and hashes it the first time."""
        if doc_id not in self.corpus.documents:
            return Document(doc_id, path=self.corpus.path, present=False)
        self.last_read = doc_id
        document = _read(self.corpus, doc_id)
        if self._seen.add(doc_id):
            digest = content_digest(document, self.task, self.settings)
            self._content += digest
            if self.digests is not None:
                self.digests[doc_id] = digest
            if document.findings:
                self.findings.extend(map(self._with_severity, document.findings))
            self._look_at(document, self.task.checks.document)
        return document

    def _look_at(self, what: T, checks: Iterable[Callable[[T, str, S], Iterable[Finding]]]) -> None:
        for check in checks:
            self.findings.extend(map(self._with_severity, check(what, self.role, self.settings)))

    def check_submission(self) -> None:
        """Look at this side as validation does."""
        self._look_at(self.corpus, self.task.checks.submission)

    def check_sound(self) -> None:
        """Look at this side once more as validation does, if nothing is wrong with it."""
        if not errors_among(self.findings):
            self._look_at(self.corpus, self.task.checks.sound)

    def load_unscored(self, doc_ids: Iterable[str] | None = None) -> None:
        """Read what was not compared: it is part of the content, and what is wrong there may be less severe."""
        scored = self._scored = len(self.findings)
        self.load_all(doc_ids)
        for position, finding in enumerate(self.findings[scored:], scored):
            severity = self.task.checks.severity_unscored(finding, self.settings)
            if severity != finding.severity:
                self.findings[position] = finding._replace(severity=severity)

    def load_all(self, doc_ids: Iterable[str] | None = None, progress: Progress | None = None) -> None:
        """Read the documents that were not read yet, of these or of all."""
        if len(self._seen) == len(self.corpus) and progress is None:
            return
        for done, doc_id in enumerate(self.corpus.documents if doc_ids is None else doc_ids, 1):
            if doc_id not in self._seen:
                self.load(doc_id)
            if progress is not None:
                progress(done, len(self.corpus))

    def complete(self, progress: Progress | None = None) -> None:
        """Read what was not read yet; then look at the side as a whole."""
        if self._is_complete:
            return
        self._is_complete = True
        self.load_all(progress=progress)
        self.look_at_all()
        self.findings.extend(map(self._with_severity, list(self._taken_together(self.findings))))

    def look_at_all(self) -> None:
        """Look at the side as a whole."""
        self._in_parts = len(self.findings)
        self._look_at(self.corpus, self.task.checks.corpus)

    def block(self) -> SideBlock:
        """What came up, to be taken elsewhere."""
        read = len(self.corpus.findings)
        in_parts = len(self.findings) if self._in_parts is None else self._in_parts
        scored = in_parts if self._scored is None else self._scored
        return SideBlock(
            self.findings[:read],
            self.findings[read:scored],
            self.findings[scored:in_parts],
            self.findings[in_parts:],
            self.compared,
            self._content,
            self._in_parts is not None,
        )

    def take_blocks(self, blocks: Sequence[SideBlock]) -> None:
        """Take in all documents of the side, block by block, in the order in which one process would have read them."""
        # Remarks of readers come before those that were made here about the same files.
        self.findings[:0] = [finding for block in blocks for finding in block.read]
        for name in ("scored", "unscored", "whole"):
            self.findings.extend(finding for block in blocks for finding in getattr(block, name))
        self.compared.extend(finding for block in blocks for finding in block.compared)
        self._content += sum(block.content for block in blocks)
        for doc_id in self.corpus.documents:
            self._seen.add(doc_id)
        if any(block.complete for block in blocks):
            self._is_complete = True
            self.findings.extend(map(self._with_severity, list(self._taken_together(self.findings))))

    def against(self, gold: Corpus) -> Iterator[Finding]:
        """What is to be said of this side, a system, and gold."""
        common = list(no_common_document(gold, self.corpus))
        for check in self.task.checks.corpora:
            yield from map(self._with_severity, check(gold, self.corpus, self.settings))
        if len(self.corpus):
            yield from map(self._with_severity, common)
        yield from map(self._with_severity, self.compared)
        yield from map(self._with_severity, self._taken_together(self.compared))
        if not len(self.corpus) and not errors_among(self.corpus.findings):
            # A system that found nothing shares nothing; it scores zero.
            yield from (finding._replace(severity="warning") for finding in common)

    def _taken_together(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        ordered = in_order(findings)
        for check in self.task.checks.findings:
            yield from check(ordered, self.settings)

    @property
    def content_hash(self) -> str:
        """Seven hexadecimal digits of the content: digests of documents are added, so their order does not matter."""
        return hash_of_content(self._content)

    def _with_severity(self, finding: Finding) -> Finding:
        severity = self.task.checks.severity(finding, self.settings)
        return finding if severity == finding.severity else finding._replace(severity=severity)


class _Seen:
    """Which documents of a corpus were read: a bit for each, where their ids are not in memory."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._ids: set[str] = set()
        self._table = documents.table if isinstance(documents, LazyDocuments) else None
        self._bits = bytearray(0 if self._table is None else self._table.numbers // 8 + 1)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, doc_id: str) -> bool:
        if self._table is None:
            return doc_id in self._ids
        number = self._table.number(doc_id)
        return bool(self._bits[number >> 3] >> (number & 7) & 1)

    def add(self, doc_id: str) -> bool:
        """Whether it was not read before."""
        if doc_id in self:
            return False
        self._count += 1
        if self._table is None:
            self._ids.add(doc_id)
        else:
            number = self._table.number(doc_id)
            self._bits[number >> 3] |= 1 << (number & 7)
        return True


def _read(corpus: Corpus, doc_id: str) -> Document:
    """The document of that id; what cannot be read says which document it is of."""
    try:
        return corpus.documents[doc_id]
    except FormatError as error:
        raise FormatError(
            [one if one.document else one._replace(document=doc_id) for one in error.findings]
        ) from None


class Sides(Generic[S, C]):
    """Gold and the systems that are compared with it."""

    def __init__(self, gold: Side[S, C], systems: Sequence[Side[S, C]], progress: Progress | None) -> None:
        self.gold, self.systems = gold, systems
        self._progress = progress

    def __iter__(self) -> Iterator[Side[S, C]]:
        """Gold, then the systems."""
        return iter((self.gold, *self.systems))

    @property
    def last_read(self) -> str:
        """The document that was read last."""
        return self.gold.last_read or next((side.last_read for side in self.systems if side.last_read), "")

    def progress(self, done: int, total: int) -> None:
        """Tell how far the comparison is."""
        if self._progress is not None:
            self._progress(done, total)

    def complete(self) -> None:
        """Read what was not compared, and look at every side as a whole."""
        for side in self:
            side.load_unscored()
            side.complete()

    def refuse_unsound(self) -> None:
        """Read and check everything; raise if there is an error."""
        for side in self:
            side.complete()
        refuse_errors(self.findings())

    def findings(self) -> list[Finding]:
        """All findings so far, in the order of their places."""
        together = [finding_on_side(finding, side.role) for side in self for finding in side.findings]
        for side in self.systems:
            together.extend(side.against(self.gold.corpus))
        return in_order(dict.fromkeys(together))


def hash_of_content(digests: int) -> str:
    """What stands in the signature for a side: seven hexadecimal digits of the sum of its documents' digests."""
    return sha256(str(digests).encode()).hexdigest()[:7]


def content_digest(document: Document, task: Task[S, C], settings: S) -> int:
    """Hash of what a document says, independent of file layout, encoding and line numbers: a number that is added up."""
    if CONTENT_SUM in document.layers:
        return int(document.layers[CONTENT_SUM])
    if document.content is not None:
        digest = _digest_of_pieces(document.doc_id, document.content)
    else:
        said = "\x1e".join(task.reading.content(document, settings))
        digest = _digest(f"{document.doc_id}\x1e{said}")
    return int.from_bytes(digest, "big")


def content_of(document: Document, _settings: object) -> Iterator[str]:
    """Mentions and relations, in the normal form that readers of many lines give piece by piece, then the layers."""
    said = [
        f"{mention.id}\t{mention.span}\t{mention.text}\t{mention.type}\t{mention.realis}"
        for mention in document.mentions or ()
    ]
    if document.relations:
        said += [f"@{relation.name}\t{','.join(relation.members)}" for relation in document.relations]
    if said:
        yield "\n".join(said)
    for name, layer in sorted(document.layers.items()):
        if name not in _ABOUT_FILES:
            yield f"{name}\x1f{layer.digest if type(layer) is Partition else repr(layer)}"


_ABOUT_FILES = frozenset({SYSTEM_LAYER, WRITTEN_LAYER})
"""Layers that say how a document is written, and by whom."""


def _digest_of_pieces(doc_id: str, content: Callable[[], Iterable[str]]) -> bytes:
    """The digest of all pieces together, which are never there together: a document may be large."""
    digest = sha256()
    try:
        for piece in chain((f"{doc_id}\x1e",), content()):
            digest.update(piece.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        # Another half of a surrogate pair in one piece decides how all of them are encoded.
        return _digest(f"{doc_id}\x1e{''.join(content())}")
    return digest.digest()


def _digest(said: str) -> bytes:
    return sha256(in_bytes(said)).digest()


def in_official_order(doc_ids: Collection[str]) -> Sequence[str]:
    """By the bytes of the ids; those of plain text lie in the same order as the text, and need not be made."""
    if isinstance(doc_ids, LazyDocuments) and doc_ids.table is not None:
        return doc_ids.table.in_order(in_bytes)
    return sorted(doc_ids, key=None if all(map(str.isascii, doc_ids)) else in_bytes)


def documents_of(
    gold: Corpus, system: Corpus, *, either_side: bool, only: str | None = None
) -> Collection[str]:
    """``only`` one of gold, or all of gold or of either side: gold's own mapping, where the system has no others."""
    if only is not None:
        return [only] if only in gold.documents else []
    if not either_side or all(doc_id in gold.documents for doc_id in system.documents):
        return gold.documents
    return frozenset().union(gold.documents, system.documents)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings sorted by file, line and column; those without a place come first."""

    def place(finding: Finding) -> tuple[str, int, int]:
        location = finding.location or Location("")
        return location.path, location.line or 0, location.column or 0

    return sorted(findings, key=place)


def refuse_errors(findings: Sequence[Finding]) -> None:
    """Raise if an error is among the findings, with all of them."""
    errors = errors_among(findings)
    if not errors:
        return
    if all(finding.code == NO_COMMON_DOCUMENT for finding in errors):
        raise NoCommonDocument(findings)
    raise InvalidInput(findings)


def no_common_document(gold: Corpus, system: Corpus) -> Iterator[Finding]:
    """One finding if gold and system share no document."""
    if any(doc_id in gold.documents for doc_id in system.documents):
        return
    examples = f"gold has {_first_ids(gold.doc_ids)}; {system.name} has {_first_ids(system.doc_ids)}"
    yield Finding(
        NO_COMMON_DOCUMENT,
        "error",
        f"gold and system share no document: {examples}",
        Location(system.path),
        hint="are these files of the same collection, and is the first one the gold file?",
    )


def _first_ids(doc_ids: Sequence[str]) -> str:
    if not doc_ids:
        return "none"
    shown = ", ".join(repr(doc_id) for doc_id in doc_ids[:3])
    return f"{shown}, … ({len(doc_ids)} in all)" if len(doc_ids) > 3 else shown
