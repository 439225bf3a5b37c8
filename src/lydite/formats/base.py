"""What a format is, and what readers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lydite.errors import Finding
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.document import Facts

if TYPE_CHECKING:
    from lydite.formats.names import FormatNames

ALL_LAYERS = "*"
"""The layer of a format that can hold all of them."""

Options: TypeAlias = Mapping[str, object]
"""The settings of a task by name; a format uses those that it knows."""

SIDE, SCORED_LAYERS = "side", "scored-layers"
"""Options of a reader beside the settings: ``gold`` or ``system`` (not given if a file is read by itself), and the layers that are scored."""


def text_option(options: Options, name: str, default: str = "") -> str:
    """A setting that is a text or a path; the default where it is empty or not given."""
    value = options.get(name)
    return str(value) if value else default


def list_option(options: Options, name: str) -> tuple[str, ...]:
    """A setting that is a list of texts; nothing where it is not given."""
    value = options.get(name)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def corpus_of(
    source: Source,
    name: str,
    documents: Mapping[str, Document],
    *,
    sha256: str = "",
    findings: Iterable[Finding] = (),
    facts: Facts | None = None,
) -> Corpus:
    """The corpus that the reader of this format makes of a source."""
    return Corpus(source.name, documents, source.path, name, sha256, tuple(findings), facts or {})


class UnreadDocuments(LazyDocuments):
    """Documents, one in each file, of which only the names are known yet.

    A worker reads its share of them at once.
    """

    def __init__(
        self,
        path: str,
        parts: Mapping[str, SourcePart],
        read: Callable[[Source, Options], Corpus],
        options: Options,
    ) -> None:
        super().__init__(parts, self._document)
        self._path, self._parts, self._read, self.options = path, parts, read, options

    def source(self, doc_ids: Iterable[str]) -> Source:
        """The files of these documents, in their order in the whole source."""
        selected = frozenset(doc_ids)
        return Source(self._path, tuple(part for doc_id, part in self._parts.items() if doc_id in selected))

    def _document(self, doc_id: str) -> Document:
        return self._read(self.source([doc_id]), self.options).documents[doc_id]


class Format(NamedTuple):
    """A file format: how to recognise it, read it and, where that makes sense, write it.

    ``recognise`` looks at the first bytes of a file.  ``read`` takes the source and the settings that the format
    declares to understand (``unit`` for instance); it raises :class:`~lydite.errors.FormatError` only if nothing at
    all can be read, and otherwise leaves findings in the corpus.  ``write`` returns the bytes of a file.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    tasks: tuple[str, ...]
    recognise: Callable[[bytes], bool]
    read: Callable[[Source, Options], Corpus]
    write: Callable[[Corpus], bytes] | None = None
    open: Callable[[str], Source] | None = None
    """Makes a source of a path, if that is not a file or a folder of files with these extensions."""
    layers: tuple[str, ...] = ()
    """The layers that it holds; ``mentions`` is one, :data:`ALL_LAYERS` stands for all."""
    also_read: tuple[str, ...] = ()
    """Layers that tasks make of its content; it is not written from them."""
    holds_many: bool = False
    """Whether one file can hold many documents: joined, the files of single documents are the file of all."""
    in_lines: bool = False
    """Whether document ids stand in lines and columns, so that none may hold a tab or a line break."""
    units: tuple[str, ...] = ()
    """The units of its spans if it holds mentions: ``char``, ``token``."""
    has_words: bool = False
    """Whether a file holds the words of a document."""
    needs_task: bool = False
    """Whether so much has its form that it is recognised only where its task is named."""
    called_after_file: bool = False
    """Whether a document is called after its file, extension and all, unless the file names it."""
    has_text: bool = False
    """Whether a file itself can hold the source text of a document, and not only one beside it."""
    limits: Mapping[str, str] = MappingProxyType({})
    unread: str = ""
    """Not read any more, as a conversion measures what it loses; formats of other packages may still name both."""
    folder_writer: Callable[[Corpus], Callable[[Corpus], Mapping[str, bytes]] | None] = lambda _corpus: None
    """Returns the function that writes a document of this corpus as files by folder; None if it is one file."""
    open_unread: Callable[[Source, Options], Corpus | None] | None = None
    """Returns the corpus with unread documents, if the ids of documents are found without parsing; else None."""
    names: FormatNames | None = None
    """The names of elements, attributes or keys in its files, if a misspelt one would be skipped silently."""
    task_of: Callable[[bytes], str | None] = lambda _head: None
    """Returns the task that a file of this format is for, by its first bytes; None if they do not tell."""
    tasks_by_layer: Callable[[bytes], Mapping[str, tuple[str, ...]]] | None = None
    """Returns the layers in a file by its first bytes, each with the tasks that score it; None if files hold one layer."""
    hint: Callable[[bytes], str | None] = lambda _head: None
    """Returns what to try with a file that no format recognises, if its first bytes could be meant for this one."""
