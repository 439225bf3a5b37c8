"""What a format is, and how a reader says where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from lydite.errors import Finding
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.document import Facts
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from lydite.formats.names import FormatNames

NAMED_AFTER_DOCUMENT = (
    "a file is named after its document: the name holds no slash, begins with no dot and is not too long"
)
"""Why the name of a document may change where every document has a file of its own."""


ALL_LAYERS = "*"
"""The layer of a format that can hold all of them."""

Options: TypeAlias = Mapping[str, object]
"""The settings of a task by name; a format looks at those that it understands."""

TOPIC = r"^(?:[^:/]*:)?([^/]*)/"
"""The topic in the name of a document, unless a setting says otherwise: the text before the first slash, without a name space."""


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
    """Documents of which only the names are known yet, one in each file.

    They are read where they are needed, many at a time: by whoever has a share of them.
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
        wanted = frozenset(doc_ids)
        return Source(self._path, tuple(part for doc_id, part in self._parts.items() if doc_id in wanted))

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
    """How a path becomes a source, where that is not by single files with these extensions."""
    layers: tuple[str, ...] = ()
    """What it carries: ``mentions``, or names of layers, or :data:`ALL_LAYERS`."""
    also_read: tuple[str, ...] = ()
    """Layers that tasks make of what it says, though it is not written from them."""
    holds_many: bool = False
    """Whether one file holds many documents, so that the files of single documents, joined, are the file of all."""
    in_lines: bool = False
    """Whether document ids stand in lines and columns, so that none may hold a tab or a line break."""
    units: tuple[str, ...] = ()
    """What its spans can be made of where it holds mentions: ``char``, ``token``."""
    has_words: bool = False
    """Whether a file holds the words of a document."""
    called_after_file: bool = False
    """Whether a document is called after its file, extension and all, unless the file names it."""
    has_text: bool = False
    """Whether a file itself can hold the source text of a document, and not only one beside it."""
    limits: Mapping[str, str] = MappingProxyType({})
    """What it cannot always hold of the layers that it carries: kind of loss → why, a sentence about the format."""
    unread: str = ""
    """What its files may hold beside what is read, as people call it: no conversion can keep that."""
    write_in_folders: Callable[[Corpus], Callable[[Corpus], Mapping[str, bytes]] | None] = lambda _corpus: (
        None
    )
    """How a document of this corpus becomes several files, one in each of some folders; None if one file is enough."""
    open_unread: Callable[[Source, Options], Corpus | None] | None = None
    """The corpus with unread documents, where files tell at a glance which document they hold; None if they do not."""
    names: FormatNames | None = None
    """What elements, attributes or keys its files hold, where a misspelt one would be passed over."""
    task_of: Callable[[bytes], str | None] = lambda _head: None
    """The task that a file of this format is for, where its first bytes can tell."""
    hint: Callable[[bytes], str | None] = lambda _head: None
    """What to try with a file that is none of the known formats, where its first bytes could still be meant for this one."""
