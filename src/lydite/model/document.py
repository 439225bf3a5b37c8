"""Documents, corpora, and the pairs that are compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from lydite.errors import Finding, Location, Severity
from lydite.model.mention import Mention, MentionColumns, Relation, columns_of

if TYPE_CHECKING:
    from lydite.id_table import IdTable
    from lydite.model.ace import Element, SourceFile
    from lydite.model.answer import RecordAnswer
    from lydite.model.argument import Entity, Event
    from lydite.model.argument_lines import ArgumentLines
    from lydite.model.cluster import Cluster
    from lydite.model.event_pairs import EventPairs
    from lydite.model.facts import FactSheet
    from lydite.model.graphs import SentenceGraph
    from lydite.model.nodes import Trees
    from lydite.model.roles import RoleLinks, RoleStrings
    from lydite.model.string_items import StringItems
    from lydite.model.triple import Triple
    from lydite.model.windows import Sentences, Windows
    from lydite.model.word_text import AddressedWords

# Types are written as types where they are known here: each text would be compiled when this module is loaded.
Layers = TypedDict(
    "Layers",
    {
        "ace": "tuple[Element, ...]",
        "addressed-words": "Callable[[], AddressedWords]",
        "ace-source": "SourceFile | None",
        "arguments": "ArgumentLines",
        "clusters": "Sequence[Cluster]",
        "discarded": Sequence[str],
        "entities": "tuple[Entity, ...]",
        "event-pairs": "EventPairs",
        "events": "tuple[Event, ...]",
        "facts": "FactSheet",
        "graphs": "tuple[SentenceGraph, ...]",
        "grounding": Mapping[str, tuple[str, int]],
        "links": tuple[Relation, ...],
        "local-clusters": bool,
        "prefixes": Mapping[str, str],
        "filled-templates": tuple[str, ...],
        "role-links": "RoleLinks",
        "role-strings": "RoleStrings",
        "record": "RecordAnswer",
        "sentences": "Sentences",
        "strings": "StringItems",
        "system": str,
        "tags": Sequence[Sequence[str]],
        "times": tuple[Mention, ...],
        "token-count": int,
        "token-counts": Mapping[str, int | None],
        "trees": "Trees",
        "triples": "tuple[Triple, ...]",
        "windows": "Windows",
        "written": Callable[[], Sequence[str]],
        # What tasks keep with a document between their stages.
        "attributes": Mapping[str, tuple[str, ...]],
        "content-sum": int,
        "counts": object,
        "prepared": object,
    },
    total=False,
)
"""The layers of single tasks, by name; those of plug-ins may stand beside them."""


class InnerFacts(TypedDict, total=False):
    """Facts about a file for the stages of a run; the summary does not list them among its facts."""

    documents: int
    mapped: bool
    """Whether the setting ``map`` told how to read it."""
    named: bool
    key: str
    """The key of its records that the scored layer was read from, where gold and systems may have different keys."""
    records: dict[str, tuple[str, ...]]
    """The names of the records of each document; none if a document is a record, or if records have no names."""
    untyped_ends: bool
    """Whether relations are read without the entities that they join."""


class Facts(InnerFacts, total=False):
    """Facts about a file as a whole, from its reader."""

    attributes: Sequence[str]
    clusters_before: int
    folder: bool
    folders: Sequence[str]
    kinds: Sequence[str]
    layout: str
    relations: Sequence[str]
    unit: str | None


NO_LAYERS: Layers = {}


def some_layers(layers: Layers, names: Collection[str]) -> Layers:
    """Return the layers that have one of these names."""
    # Each layer keeps its name, and so its type.
    return cast("Layers", {name: layer for name, layer in layers.items() if name in names})


class Document(NamedTuple):
    """The annotation of one document on one side: one tuple per layer; a layer that the format lacks is empty.

    ``layers`` are the layers of single tasks (event arguments, triples, ACE elements) by name; :class:`Layers` has their
    types.  ``text`` and ``tokens`` (id to string) are set if they were given.  ``findings`` are those of the reader; the
    profile decides their severity.
    """

    doc_id: str
    mentions: Sequence[Mention] = ()
    relations: tuple[Relation, ...] = ()
    path: str = ""
    line: int = 0
    text: str | None = None
    tokens: Mapping[str, str] | None = None
    layers: Layers = NO_LAYERS
    findings: tuple[Finding, ...] = ()
    content: Callable[[], Iterable[str]] | None = None
    """Returns the annotation in the reader's normal form, in pieces, to be hashed for the signature."""
    present: bool = True
    """False for an empty document that replaces one that a side lacks."""

    @property
    def columns(self) -> MentionColumns:
        """The mentions as columns."""
        return columns_of(self.mentions)

    def finding(
        self,
        code: str,
        severity: Severity,
        message: str,
        line: int | None = None,
        item: str | None = None,
        *,
        column: int | None = None,
        hint: str | None = None,
    ) -> Finding:
        """Make a finding about this document, at a line of its file or at its first line."""
        line = (self.line if line is None else line) or None
        place = Location(self.path, line, column if line else None)
        return Finding(code, severity, message, place, self.doc_id, item, hint)


class LazyDocuments(Mapping[str, Document]):
    """Documents in file order, each read when it is needed and not kept.

    Only ids and positions are in memory, so that memory hardly depends on the number of documents.
    """

    def __init__(self, doc_ids: Collection[str], load: Callable[[str], Document]) -> None:
        # A mapping is used as it is; a list becomes a dict, which keeps the order.
        self._known = doc_ids if isinstance(doc_ids, Mapping) else dict.fromkeys(doc_ids)
        self._load = load

    @property
    def table(self) -> IdTable | None:
        """The table of the ids if they are not in memory, else None."""
        table: IdTable | None = getattr(self._known, "table", None)
        return table

    def __getitem__(self, doc_id: str) -> Document:
        if doc_id not in self._known:
            raise KeyError(doc_id)
        return self._load(doc_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._known


@dataclass(frozen=True, slots=True)
class Corpus:
    """One side of a comparison: documents by id, in file order.

    ``name`` is the base name of the file, as shown in tables; ``sha256`` is of the bytes as they were given;
    ``findings`` are those about the file as a whole.
    """

    name: str
    documents: Mapping[str, Document]
    path: str = ""
    format: str = ""
    sha256: str = ""
    findings: tuple[Finding, ...] = ()
    facts: Facts = field(default_factory=Facts)

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The document ids, in file order."""
        return tuple(self.documents)

    def __len__(self) -> int:
        return len(self.documents)


class DocumentPair(NamedTuple):
    """The two sides of a document; a side that lacks it has an empty document."""

    doc_id: str
    gold: Document
    system: Document
