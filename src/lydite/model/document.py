"""Documents, corpora, and the pairs that are compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, cast

from lydite.errors import Finding, Location, Severity
from lydite.model.mention import Mention, MentionColumns, Relation, columns_of
from lydite.records import NamedTuple, dataclass, field

if TYPE_CHECKING:
    from lydite.model.ace import Element, SourceFile
    from lydite.model.argument import Entity, Event
    from lydite.model.argument_lines import ArgumentLines
    from lydite.model.cluster import Cluster
    from lydite.model.nodes import Trees
    from lydite.model.triple import Triple
    from lydite.packed_table import PackedTable

# Types are written as types where they are known here: each text would be compiled when this module is loaded.
Layers = TypedDict(
    "Layers",
    {
        "ace": "tuple[Element, ...]",
        "ace-source": "SourceFile | None",
        "arguments": "ArgumentLines",
        "clusters": "Sequence[Cluster]",
        "discarded": Sequence[str],
        "entities": "tuple[Entity, ...]",
        "events": "tuple[Event, ...]",
        "grounding": Mapping[str, tuple[str, int]],
        "links": tuple[Relation, ...],
        "local-clusters": bool,
        "prefixes": Mapping[str, str],
        "system": str,
        "tags": Sequence[Sequence[str]],
        "times": tuple[Mention, ...],
        "token-count": int,
        "token-counts": Mapping[str, int | None],
        "trees": "Trees",
        "triples": "tuple[Triple, ...]",
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
    """What only the stages of a run ask of a file: the summary tells it in another place, or not at all."""

    documents: int
    named: bool
    predicted: bool
    """Whether it holds what a system predicted, under keys that say so."""


class Facts(InnerFacts, total=False):
    """What a reader knows of a file as a whole."""

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
    """Those of the layers that have one of these names."""
    # Each layer keeps its name, and so its type.
    return cast("Layers", {name: layer for name, layer in layers.items() if name in names})


class Document(NamedTuple):
    """What one side says about one document: one tuple per layer; a layer that the format lacks is empty.

    ``layers`` holds the layers of single tasks (event arguments, triples, ACE elements) under their names, which
    :class:`Layers` gives their types.  ``text`` and ``tokens`` (id to string) are there when they were given.
    ``findings`` are those of the reader; the profile decides their severity.
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
    """Gives what the document says in the reader's normal form, in pieces; it is hashed for the signature."""
    present: bool = True
    """False for the empty document that stands in for one that a side lacks."""

    @property
    def columns(self) -> MentionColumns:
        """The mentions column by column."""
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
        """A finding about this document, at a line of its file; without one, at the line where it begins."""
        line = (self.line if line is None else line) or None
        place = Location(self.path, line, column if line else None)
        return Finding(code, severity, message, place, self.doc_id, item, hint)


class LazyDocuments(Mapping[str, Document]):
    """Documents in file order, each read when it is asked for and kept by nobody.

    This is what makes memory independent of the number of documents: only names and places are held.
    """

    def __init__(self, doc_ids: Collection[str], load: Callable[[str], Document]) -> None:
        # A table that knows its keys at once is taken as it is; of a list a table is made, which keeps the order.
        self._known = doc_ids if isinstance(doc_ids, Mapping) else dict.fromkeys(doc_ids)
        self._load = load

    @property
    def table(self) -> PackedTable | None:
        """The table of the ids, where they are not in memory."""
        table: PackedTable | None = getattr(self._known, "table", None)
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

    ``name`` is what tables call it (the file's base name); ``sha256`` is of the bytes as they were given;
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
    """The two sides of one document; a side that lacks it has an empty document."""

    doc_id: str
    gold: Document
    system: Document
