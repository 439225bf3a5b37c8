"""Gold and systems while their documents are read one by one: documents, findings, content hashes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from lydite.errors import Finding, FormatError, InvalidInput, Location, NoCommonDocument, errors_among
from lydite.escaping import in_bytes
from lydite.formats.unplaced import finding_on_side
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.cluster import Partition
from lydite.model.mention import SYSTEM_LAYER, WRITTEN_LAYER
from lydite.model.settings import C, S
from lydite.model.windows import SENTENCES, WINDOWS
from lydite.parallel import Progress

if TYPE_CHECKING:
    from lydite.pipeline.task import Task

T = TypeVar("T")

CONTENT_SUM: Final = "content-sum"
"""The layer with a document's content digest, where its reader has computed one; digests are added over documents."""

NO_COMMON_DOCUMENT = "no-common-document"


class SideFindings(NamedTuple):
    """The findings and the content digest of a block of one side's documents, as a worker returns them."""

    read: Sequence[Finding]
    """The findings of the reader about files."""
    scored: Sequence[Finding]
    unscored: Sequence[Finding]
    whole: Sequence[Finding]
    """The findings about all documents of the block together."""
    compared: Sequence[Finding]
    content: int
    complete: bool
    """Whether the block was also checked as a whole."""


class Side(Generic[S, C]):
    """One side while its documents are read: collects findings and the digest of the normalised content."""

    def __init__(self, corpus: Corpus, role: str, task: Task[S, C], settings: S) -> None:
        self.corpus, self.role, self.task, self.settings = corpus, role, task, settings
        self.findings: list[Finding] = [self._with_severity(finding) for finding in corpus.findings]
        self.compared: list[Finding] = []
        """The findings of comparing documents of this side, a system, with gold."""
        self.last_read = ""
        """The document that was read last: if something goes wrong, it is likely there."""
        self.scored_documents: int | None = None
        """How many documents of this side, gold, are compared; None if all are."""
        self._read_documents = _ReadDocuments(corpus.documents)
        self._content = 0
        self.digests: dict[str, int] | None = None
        """Gets the digest of every document, if it is set to a dict."""
        self._scored_count: int | None = None
        """How many findings there were before unscored documents were read."""
        self._single_count: int | None = None
        """How many findings there were before the side was checked as a whole."""
        self._is_complete = False

    def load(self, doc_id: str) -> Document:
        """Read a document; it is checked and hashed the first time.  If the side lacks it, return an empty one."""
        if doc_id not in self.corpus.documents:
            return Document(doc_id, path=self.corpus.path, present=False)
        self.last_read = doc_id
        try:
            document = self.corpus.documents[doc_id]
        except FormatError as error:
            findings = [one if one.document else one._replace(document=doc_id) for one in error.findings]
            raise FormatError(findings) from None
        if self._read_documents.add(doc_id):
            digest = content_digest(document, self.task, self.settings)
            self._content += digest
            if self.digests is not None:
                self.digests[doc_id] = digest
            if document.findings:
                self.findings.extend(map(self._with_severity, document.findings))
            self._check(document, self.task.checks.document)
        return document

    def _check(self, what: T, checks: Iterable[Callable[[T, str, S], Iterable[Finding]]]) -> None:
        for check in checks:
            self.findings.extend(map(self._with_severity, check(what, self.role, self.settings)))

    def check_submission(self, progress: Progress | None = None) -> None:
        """Run all checks, also those of whole submissions, which only validation runs."""
        self._check(self.corpus, self.task.checks.submission)
        self.complete(progress)
        if not errors_among(self.findings):
            self._check(self.corpus, self.task.checks.sound)

    def load_unscored(self, doc_ids: Iterable[str] | None = None) -> None:
        """Read the documents that were not compared: they belong to the content, and their findings may be less severe."""
        scored = self._scored_count = len(self.findings)
        self.load_all(doc_ids)
        for position, finding in enumerate(self.findings[scored:], scored):
            severity = self.task.checks.severity_unscored(finding, self.settings)
            if severity != finding.severity:
                self.findings[position] = finding._replace(severity=severity)

    def load_all(self, doc_ids: Iterable[str] | None = None, progress: Progress | None = None) -> None:
        """Read those of the documents, or of all, that were not read yet."""
        if len(self._read_documents) == len(self.corpus) and progress is None:
            return
        for done, doc_id in enumerate(self.corpus.documents if doc_ids is None else doc_ids, 1):
            if doc_id not in self._read_documents:
                self.load(doc_id)
            if progress is not None:
                progress(done, len(self.corpus))

    def complete(self, progress: Progress | None = None) -> None:
        """Read what was not read yet; then check the side as a whole."""
        if self._is_complete:
            return
        self._is_complete = True
        self.load_all(progress=progress)
        self.check_whole()
        self.findings.extend(map(self._with_severity, list(self._check_findings_together(self.findings))))

    def check_whole(self) -> None:
        """Run the checks of whole corpora."""
        self._single_count = len(self.findings)
        self._check(self.corpus, self.task.checks.corpus)

    def block_findings(self) -> SideFindings:
        """The findings and the content digest of this side, a block, for the main process."""
        read = len(self.corpus.findings)
        single = len(self.findings) if self._single_count is None else self._single_count
        scored = single if self._scored_count is None else self._scored_count
        return SideFindings(
            self.findings[:read],
            self.findings[read:scored],
            self.findings[scored:single],
            self.findings[single:],
            self.compared,
            self._content,
            self._single_count is not None,
        )

    def add_blocks(self, blocks: Sequence[SideFindings]) -> None:
        """Add the findings and digests of all blocks, in the order in which one process would have collected them."""
        # The findings of readers come before those of checks on the same files.
        self.findings[:0] = [finding for block in blocks for finding in block.read]
        for name in ("scored", "unscored", "whole"):
            self.findings.extend(finding for block in blocks for finding in getattr(block, name))
        self.compared.extend(finding for block in blocks for finding in block.compared)
        self._content += sum(block.content for block in blocks)
        for doc_id in self.corpus.documents:
            self._read_documents.add(doc_id)
        if any(block.complete for block in blocks):
            self._is_complete = True
            self.findings.extend(map(self._with_severity, list(self._check_findings_together(self.findings))))

    def findings_against(self, gold: Corpus) -> Iterator[Finding]:
        """The findings of comparing this side, a system, with gold."""
        no_common = list(no_common_document(gold, self.corpus))
        for check in self.task.checks.corpora:
            yield from map(self._with_severity, check(gold, self.corpus, self.settings))
        if len(self.corpus):
            yield from map(self._with_severity, no_common)
        for check_comparisons in self.task.checks.comparisons:
            found = check_comparisons(gold, self.corpus, self.compared, self.settings)
            yield from map(self._with_severity, found)
        yield from map(self._with_severity, self.compared)
        yield from map(self._with_severity, self._check_findings_together(self.compared))
        if not len(self.corpus) and not errors_among(self.corpus.findings):
            # A system that found nothing shares no document with gold; it scores zero.
            yield from (finding._replace(severity="warning") for finding in no_common)

    def _check_findings_together(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        ordered = in_order(findings)
        for check in self.task.checks.findings:
            yield from check(ordered, self.settings)

    @property
    def content_hash(self) -> str:
        """Seven hexadecimal digits for the content: digests of documents are added, so their order does not matter."""
        return hash_of_content(self._content)

    def _with_severity(self, finding: Finding) -> Finding:
        severity = self.task.checks.severity(finding, self.settings)
        return finding if severity == finding.severity else finding._replace(severity=severity)


class _ReadDocuments:
    """The set of documents of a corpus that were read; a bit for each, where their ids are not in memory."""

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
        """Add a document; False if it was there."""
        if doc_id in self:
            return False
        self._count += 1
        if self._table is None:
            self._ids.add(doc_id)
        else:
            number = self._table.number(doc_id)
            self._bits[number >> 3] |= 1 << (number & 7)
        return True


class Sides(Generic[S, C]):
    """Gold and the systems that are compared with it."""

    def __init__(self, gold: Side[S, C], systems: Sequence[Side[S, C]], progress: Progress | None) -> None:
        self.gold, self.systems = gold, systems
        self.all = (gold, *systems)
        self.progress: Progress = progress or (lambda _done, _total: None)
        """Is told how far the comparison has got."""

    @property
    def last_read(self) -> str:
        """The document that was read last, for an error report."""
        return self.gold.last_read or next((side.last_read for side in self.systems if side.last_read), "")

    def complete(self) -> None:
        """Read what was not compared, and check every side as a whole."""
        for side in self.all:
            side.load_unscored()
            side.complete()

    def findings(self) -> list[Finding]:
        """All findings so far, in the order of their places."""
        findings = [finding_on_side(finding, side.role) for side in self.all for finding in side.findings]
        for side in self.systems:
            findings.extend(side.findings_against(self.gold.corpus))
        return in_order(dict.fromkeys(findings))


def hash_of_content(digests: int) -> str:
    """The hash of a side in the signature: seven hexadecimal digits of the sum of its documents' digests."""
    return sha256(str(digests).encode()).hexdigest()[:7]


def content_digest(document: Document, task: Task[S, C], settings: S) -> int:
    """Hash of a document's content, independent of file layout, encoding and line numbers: a number that is added up."""
    if CONTENT_SUM in document.layers:
        return int(document.layers[CONTENT_SUM])
    if document.content is not None:
        digest = _digest_of_pieces(document.doc_id, document.content)
    else:
        content = "\x1e".join(task.reading.content(document, settings))
        digest = sha256(in_bytes(f"{document.doc_id}\x1e{content}")).digest()
    return int.from_bytes(digest, "big")


def content_of(document: Document, _settings: object) -> Iterator[str]:
    """The mentions and relations of a document, then its layers, in a normal form; some readers write the same piece by piece."""
    lines = [
        f"{mention.id}\t{mention.span}\t{mention.text}\t{mention.type}\t{mention.realis}"
        for mention in document.mentions or ()
    ]
    if document.relations:
        lines += [f"@{relation.name}\t{','.join(relation.members)}" for relation in document.relations]
    if lines:
        yield "\n".join(lines)
    for name, layer in sorted(document.layers.items()):
        if name not in _ABOUT_FILES:
            yield f"{name}\x1f{layer.digest if type(layer) is Partition else repr(layer)}"


_ABOUT_FILES = frozenset({SENTENCES, SYSTEM_LAYER, WINDOWS, WRITTEN_LAYER, "addressed-words"})
"""Layers about the file, not the content: how a document is written and cut into records, and by which system, and what words are beside it."""


def _digest_of_pieces(doc_id: str, content: Callable[[], Iterable[str]]) -> bytes:
    """The digest of all pieces of a document, which may be too large to be in memory at once."""
    digest = sha256()
    try:
        for piece in chain((f"{doc_id}\x1e",), content()):
            digest.update(piece.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        # A lone half of a surrogate pair in one piece decides how all of them are encoded.
        return sha256(in_bytes(f"{doc_id}\x1e{''.join(content())}")).digest()
    return digest.digest()


def in_official_order(doc_ids: Collection[str]) -> Sequence[str]:
    """The ids in the order of their bytes, which for ASCII is that of the text."""
    if isinstance(doc_ids, LazyDocuments) and doc_ids.table is not None:
        return doc_ids.table.sorted()
    return sorted(doc_ids, key=None if all(map(str.isascii, doc_ids)) else in_bytes)


def documents_of(
    gold: Corpus, system: Corpus, *, either_side: bool, only: str | None = None
) -> Collection[str]:
    """The documents to compare: ``only`` one, all of gold (its own mapping), or all of either side."""
    if only is not None:
        return [only] if only in gold.documents else []
    if not either_side or all(doc_id in gold.documents for doc_id in system.documents):
        return gold.documents
    return frozenset().union(gold.documents, system.documents)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings sorted by file, line and column; those without a place come first."""
    nowhere = Location("")
    places = [(one, one.location or nowhere) for one in findings]
    places.sort(key=lambda placed: (placed[1].path, placed[1].line or 0, placed[1].column or 0))
    return [one for one, _ in places]


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
    message = f"gold and system share no document: {examples}"
    hint = "are these files of the same collection, and is the first one the gold file?"
    yield Finding(NO_COMMON_DOCUMENT, "error", message, Location(system.path), hint=hint)


def _first_ids(doc_ids: Sequence[str]) -> str:
    if not doc_ids:
        return "none"
    examples = ", ".join(repr(doc_id) for doc_id in doc_ids[:3])
    return f"{examples}, … ({len(doc_ids)} in all)" if len(doc_ids) > 3 else examples
