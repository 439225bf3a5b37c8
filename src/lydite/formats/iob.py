"""Columns of tokens and tags, as the CoNLL-2003 shared task has them.

::

    -DOCSTART- -X- O O

    EU NNP B-NP B-ORG
    rejects VBZ B-VP O

Columns are separated by blanks or tabs; the first one is the word, the last one the tag.  An empty line ends a
sentence, ``-DOCSTART-`` begins a document; a file without that line is one document.  Documents are numbered, unless
they have a name in parentheses, as in AIDA: ``-DOCSTART- (1 EU)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.base import Format, corpus_of
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import text_of
from lydite.formats.words import UNKNOWN
from lydite.model import Corpus, Document
from lydite.model.tags import TAGS_LAYER, PlacedTags, is_tag

DOCUMENT_MARK = "-DOCSTART-"
EMPTY_COLUMNS = frozenset({"-X-", "O", "-", "_", "X"})
"""Values without meaning in the other columns of the line that begins a document."""
_COLUMNS = re.compile(r"[^ \t]+")
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f]")
_NAME = re.compile(r"\((.+)\)")
_HINT = "the word stands in the first column, the tag in the last one"


def read(source: Source, _options: Mapping[str, object]) -> Corpus:
    """The corpus of a file, or of all files of a folder, whose documents are then named after their files."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    has_several_files = len(source.parts) > 1
    for part in source.parts:
        reader = _Reader(part, part.name.partition(".")[0] if has_several_files else "")
        reader.read()
        findings += reader.findings
        for document in reader.documents:
            if document.doc_id in documents:
                message = f"document {document.doc_id!r} occurs twice"
                place = Location(part.path, document.line)
                findings.append(Finding("repeated-document", "error", message, place, document.doc_id))
            documents[document.doc_id] = document
    if not documents and not findings:
        message = "expected words with tags, found none"
        findings.append(Finding("no-document", "error", message, Location(source.parts[0].path, 1)))
    if findings:
        raise FormatError(findings)
    return corpus_of(source, "iob", documents, facts={"unit": "word", "folder": len(documents) > 1})


class _Reader:
    """The documents of one file."""

    def __init__(self, part: SourcePart, prefix: str) -> None:
        self._part, self._prefix = part, prefix
        self.documents: list[Document] = []
        self.findings: list[Finding] = []
        self._width = 0
        self._begin_document(1, None)

    def _begin_document(self, line: int, header: str | None) -> None:
        self._line, self._header = line, header
        self._words: list[str] = []
        self._sentences: list[tuple[int, list[tuple[str, int]]]] = [(line, [])]

    def read(self) -> None:
        """Read every line."""
        for number, line in enumerate(re.split("\r\n|[\r\n]", text_of(self._part)), 1):
            columns = _COLUMNS.findall(line)
            if found := _CONTROL_CHARACTER.search(line):
                message = f"expected words and blanks, found the control character {found[0]!r}"
                self._add_error("lines-joined", message, number, "did it replace the end of a line?")
            elif not columns:
                self._sentences.append((number + 1, []))
            elif line.endswith("\t"):
                message = "expected a tag in the last column, found a tab at the end of the line"
                self._add_error("lines-joined", message, number, "did it replace the end of a line?")
            elif columns[0] == DOCUMENT_MARK:
                beside_name = _COLUMNS.findall(_NAME.sub("", " ".join(columns[1:])))
                if odd := next((column for column in beside_name if column not in EMPTY_COLUMNS), None):
                    message = f"expected {DOCUMENT_MARK} alone, found {odd!r} beside it"
                    self._add_error("lines-joined", message, number, "did it lose the end of its line?")
                self._end_document()
                self._begin_document(number, line)
                self._sentences = [(number + 1, [])]
            elif len(columns) < 2:
                message = f"expected a word and a tag, found one column: {line.strip()!r}"
                self._add_error("too-few-columns", message, number)
            else:
                self._add_row(columns, line, number)
        self._end_document()

    def _add_row(self, columns: list[str], line: str, number: int) -> None:
        word, tag = columns[0], columns[-1]
        self._width = self._width or len(columns)
        if len(columns) != self._width:
            message = f"expected {counted(self._width, 'column')} as in the rows before, found {len(columns)}"
            self._add_error("uneven-columns", message, number, "did two rows become one?")
        elif not is_tag(tag):
            message = f"expected O or a tag such as B-PER or I-PER, found {tag!r}"
            self._add_error("odd-tag", message, number)
        self._words.append(word)
        self._sentences[-1][1].append((tag, len(line.rstrip(" \t")) - len(tag) + 1))

    def _add_error(self, code: str, message: str, number: int, hint: str = _HINT) -> None:
        self.findings.append(Finding(code, "error", message, Location(self._part.path, number), hint=hint))

    def _end_document(self) -> None:
        if self._header is None and not self._words:
            return
        named = _NAME.search(self._header or "")
        known = any(word != UNKNOWN for word in self._words)
        count = len(self.documents) + 1
        default_name = f"{self._prefix}#{count}" if self._prefix and count > 1 else self._prefix or str(count)
        self.documents.append(
            Document(
                named[1] if named else default_name,
                path=self._part.path,
                line=self._line,
                tokens={str(at): word for at, word in enumerate(self._words)} if known else None,
                layers={TAGS_LAYER: tuple(PlacedTags.at(line, one) for line, one in self._sentences if one)},
            )
        )


def write(corpus: Corpus) -> bytes:
    """Words and tags; ``_`` stands for unknown words, and for white space in a word or tag."""
    lines = []
    for document in corpus.documents.values():
        name = re.sub(r"[\x00-\x1f]", "_", document.doc_id)
        lines += [f"{DOCUMENT_MARK} ({name}) O", ""]
        words = iter((document.tokens or {}).values())
        for sentence in document.layers.get(TAGS_LAYER, ()):
            lines += [f"{_one_cell(next(words, ''))} {_one_cell(tag)}" for tag in sentence]
            lines.append("")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _one_cell(word: str) -> str:
    return re.sub(r"[\x00-\x20]", "_", word.removeprefix(DOCUMENT_MARK)) or UNKNOWN


def recognise(head: bytes) -> bool:
    """Whether the last column of the first lines is a tag."""
    rows = [line.split() for line in head.decode("utf-8", "replace").splitlines()[:50] if line.strip()]
    body = [row for row in rows if row[0] != DOCUMENT_MARK]
    return bool(rows) and all(len(row) > 1 and is_tag(row[-1]) for row in body[:-1] or body)


IOB = Format(
    name="iob",
    title="Words with tags in columns (CoNLL-2003)",
    extensions=(".iob", ".bio", ".iob2", ".conll", ".txt"),
    tasks=("spans",),
    recognise=recognise,
    read=read,
    write=write,
    layers=(TAGS_LAYER,),
    holds_many=True,
    has_words=True,
)
