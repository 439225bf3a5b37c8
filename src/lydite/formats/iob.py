"""Columns of tokens and tags, as the CoNLL-2003 shared task has them.

::

    -DOCSTART- -X- O O

    EU NNP B-NP B-ORG
    rejects VBZ B-VP O

Columns are separated by white space; the first one is the word, the last one the tag.  An empty line ends a sentence,
``-DOCSTART-`` begins a document; a file without that line is one document.  Documents are numbered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydite.errors import Finding, FormatError, Location
from lydite.formats.base import Format
from lydite.formats.source import Part, Source
from lydite.formats.text import text_pieces
from lydite.model import Corpus, Document
from lydite.model.tags import TAGS_LAYER

DOCUMENT = "-DOCSTART-"
_LETTERS = frozenset("BIOESLU")


def read(source: Source, _options: Mapping[str, Any]) -> Corpus:
    """The corpus of a file, or of all files of a folder, whose documents are then named after their files."""
    documents: dict[str, Document] = {}
    findings: list[Finding] = []
    several = len(source.parts) > 1
    for part in source.parts:
        reader = _Reader(part, part.name.partition(".")[0] if several else "")
        reader.read()
        findings += reader.findings
        documents.update({one.doc_id: one for one in reader.documents})
    if not documents and not findings:
        findings.append(
            Finding("no-document", "error", "expected words with tags, found none", Location(source.path, 1))
        )
    if findings:
        raise FormatError(findings)
    return Corpus(
        source.name, documents, source.path, "iob", facts={"unit": "word", "folder": len(documents) > 1}
    )


class _Reader:
    """The documents of one file."""

    def __init__(self, part: Part, prefix: str) -> None:
        self._part, self._prefix = part, prefix
        self.documents: list[Document] = []
        self.findings: list[Finding] = []
        self._begin(1)

    def _begin(self, line: int) -> None:
        self._line = line
        self._words: list[str] = []
        self._lines: list[int] = []
        self._sentences: list[list[str]] = [[]]

    def read(self) -> None:
        """Take every line."""
        number = 0
        for number, line in enumerate("".join(text_pieces(self._part)).removeprefix("\ufeff").split("\n"), 1):
            columns = line.split()
            if not columns:
                self._sentences.append([])
            elif columns[0] == DOCUMENT:
                self._finish()
                self._begin(number)
            elif len(columns) < 2:
                message = f"expected a word and a tag, found one column: {line.strip()!r}"
                self._refuse("too-few-columns", message, number)
            else:
                self._take(columns[0], columns[-1], number)
        self._finish()

    def _take(self, word: str, tag: str, number: int) -> None:
        if tag != "O" and (tag[0] not in _LETTERS or tag[1:2] not in {"", "-"} or (tag[0] == "O")):
            message = f"expected O or a tag such as B-PER or I-PER, found {tag!r}"
            self._refuse("odd-tag", message, number)
        self._words.append(word)
        self._lines.append(number)
        self._sentences[-1].append(tag)

    def _refuse(self, code: str, message: str, number: int) -> None:
        hint = "the word stands in the first column, the tag in the last one"
        self.findings.append(Finding(code, "error", message, Location(self._part.path, number), hint=hint))

    def _finish(self) -> None:
        if not self._words:
            return
        number = len(self.documents) + 1
        doc_id = f"{self._prefix}#{number}" if self._prefix and number > 1 else self._prefix or str(number)
        self.documents.append(
            Document(
                doc_id,
                path=self._part.path,
                line=self._lines[0],
                tokens={str(at): word for at, word in enumerate(self._words)},
                layers={TAGS_LAYER: tuple(tuple(one) for one in self._sentences if one)},
            )
        )


def write(corpus: Corpus) -> bytes:
    """Words and tags; words that are not known are ``_``."""
    lines = []
    for document in corpus.documents.values():
        lines += [f"{DOCUMENT} O", ""]
        words = iter((document.tokens or {}).values())
        for sentence in document.layers.get(TAGS_LAYER, ()):
            lines += [f"{next(words, '_')} {tag}" for tag in sentence]
            lines.append("")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def recognise(head: bytes) -> bool:
    """Lines of columns of which the last one is a tag."""
    lines = [line.split() for line in head.splitlines()[:50] if line.strip()]
    body = [line for line in lines if line[0] != DOCUMENT.encode()]
    return bool(body or lines) and all(
        len(line) > 1 and (line[-1] == b"O" or (line[-1][:1] in b"BIESLU" and line[-1][1:2] in {b"", b"-"}))
        for line in body[:-1] or body
    )


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
    limits={"tags": "a file holds words and tags, and no spans of characters"},
)
