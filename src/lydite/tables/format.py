"""The format ``table``: mentions and clusters as Parquet, Arrow IPC or CSV, read as documents like any other file."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from lydite.errors import Finding
from lydite.formats.base import Format, Options, list_option
from lydite.formats.source import Source, is_address, open_source
from lydite.formats.text import encoding_findings
from lydite.formats.units import (
    WHOLE_CORPUS,
    PlacedCluster,
    document_of,
    documents_by_unit,
    mention_at,
    unit_of,
)
from lydite.grouping import grouped
from lydite.model import Corpus, Document
from lydite.model.document import Layers
from lydite.tables.columns import BY_SPAN, CLUSTER, MENTION, parse_columns
from lydite.tables.pieces import Piece, kind_of_file, pieces_of_files, pieces_of_object
from lydite.tables.plan import cut_finding
from lydite.tables.table import (
    Identity,
    MentionTable,
    content_of,
    more_rows,
    open_table,
    repeat_findings,
    row_findings,
)

if TYPE_CHECKING:
    import dask.dataframe as dd

CONTENT: Final = "content-sum"
"""The layer that holds the number of what a table says, for the signature."""


class TableDocuments(Mapping[str, Document]):
    """The documents of a table, made when they are first asked for; who only counts never asks."""

    def __init__(self, table: MentionTable, options: Options) -> None:
        self.table = table
        wanted = ("unit", "topic-of", "repeats", "reading")
        self._options = {name: options.get(name) for name in wanted}
        self._made: dict[str, Document] | None = None

    def __getitem__(self, doc_id: str) -> Document:
        return self._documents()[doc_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents())

    def __len__(self) -> int:
        return len(self._documents())

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_made": None}

    def _documents(self) -> dict[str, Document]:
        if self._made is None:
            self._made = _documents(self.table, self._options)
        return self._made


def refuses_repeats(options: Options) -> bool:
    """Whether a mention in two clusters refuses a table: unless it is to be read as the official program reads it."""
    policy = options.get("repeats")
    return policy == "error" or (policy == "v8.01" and options.get("reading") != "as-official")


def _documents(table: MentionTable, options: Options) -> dict[str, Document]:
    clusters: dict[str, list[tuple[str, Hashable]]] = {}
    seen: Counter[Identity] = Counter()
    content = bad = 0
    for batch in table.batches():
        content += content_of(batch)
        for row in batch.to_pylist():
            if None in row.values():
                bad += 1
                continue
            *identity, cluster = row.values()
            seen[tuple(identity)] += 1
            clusters.setdefault(str(cluster), []).append(_placed(row))
    bad += table.uneven_rows
    findings = row_findings(table) if bad else []
    findings += more_rows("null-cell", table.path, bad, "rows lack a value")
    again = [mention for mention, times in seen.items() if times > 1] if refuses_repeats(options) else []
    unit, told_of = unit_of(options), repeat_findings(table, again, frozenset()) if again else ()
    repeats = grouped((unit(finding.document or ""), finding) for finding in told_of)
    # Of a table without mentions there is no document, unless something is to be told of it.
    whole = options.get("unit") == WHOLE_CORPUS or (findings and not clusters)
    placed_clusters = (PlacedCluster.of(name, members) for name, members in clusters.items())
    documents, cut = documents_by_unit(placed_clusters, options, table.path, doc_ids=("",) if whole else ())
    findings += [cut_finding(len(cut), table.path)] if cut else []
    for number, (doc_id, document) in enumerate(documents.items()):
        # The sum over documents is what counts; what is wrong with the table is told once, repeats where they are:
        # they do no harm in a document that is not scored.
        layers: Layers = {**document.layers, CONTENT: 0 if number else content}
        told = (*(() if number else findings), *repeats.get(doc_id, ()))
        documents[doc_id] = document._replace(layers=layers, findings=told)
    return documents


def _placed(row: Mapping[str, object]) -> tuple[str, Hashable]:
    if MENTION in row:
        address = str(row[MENTION])
        return document_of(address), mention_at(address)
    document, start, end = (row[role] for role in BY_SPAN)
    return str(document), (start, end)


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a table of mentions; its rows are read when its documents, or counts over them, are asked for."""
    pieces = pieces_of_files(source)
    findings = [finding for piece in pieces if piece.untyped for finding in encoding_findings(piece.part)]
    return _opened(pieces, source.name, source.path, options, findings=findings)


def corpus_of_object(table: object, name: str, options: Options) -> Corpus:
    """A path, several paths, or a table in memory, as a corpus of that name."""
    if isinstance(table, str | os.PathLike):
        return read(open_source(table), options)
    if isinstance(table, Sequence) and all(isinstance(path, str | os.PathLike) for path in table):
        sources = [open_source(path) for path in table]
        return read(Source(name, tuple(part for source in sources for part in source.parts)), options)
    # Asking the class would import Dask, which most tables do not need: its module says what the table is.
    frame = cast("dd.DataFrame", table) if type(table).__module__.startswith("dask") else None
    return _opened(pieces_of_object(table, name), name, name, options, frame=frame)


def _opened(
    pieces: Sequence[Piece],
    name: str,
    path: str,
    options: Options,
    *,
    frame: dd.DataFrame | None = None,
    findings: Sequence[Finding] = (),
) -> Corpus:
    """The corpus of these pieces, without documents if ``findings``, or what is wrong with columns, refuse it."""
    said = parse_columns(list_option(options, "table-columns"))
    table, odd = (None, findings) if findings else open_table(pieces, path, said, frame)
    if table is None:
        return Corpus(name, {}, path, "table", findings=tuple(odd))
    sha256 = _marks(path) if is_address(path) else ""
    return Corpus(name, TableDocuments(table, options), path, "table", sha256)


def _marks(path: str) -> str:
    """The hash of what a store says about the files of an address: nobody fetches them for a hash alone."""
    from hashlib import sha256

    from lydite.extras import library

    store, inside = library("fsspec", "tables", "reading addresses").core.url_to_fs(path)
    names = store.glob(inside) if re.search(r"[*?\[]", inside) else [inside]
    told = [f"{name} {store.ukey(name)}" for name in sorted(names)]
    return sha256("\n".join(told).encode()).hexdigest()


_HEADING = re.compile(rb"[^\n]*")


def recognise(head: bytes) -> bool:
    """Parquet and Arrow by their first bytes, CSV by the columns of its heading."""
    if kind_of_file(head) != "csv":
        return True
    heading = _HEADING.match(head)
    cells = re.split(rb"[,\t]", heading[0].strip().removeprefix(b"\xef\xbb\xbf")) if heading else []
    names = {cell.strip(b' "').decode("utf-8", "replace") for cell in cells}
    return CLUSTER in names and (MENTION in names or names.issuperset(BY_SPAN))


TABLE = Format(
    name="table",
    title="Table of mentions and clusters: Parquet, Arrow IPC, CSV",
    extensions=(".parquet", ".pq", ".arrow", ".feather", ".csv"),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    layers=("clusters",),
    holds_many=True,
    unread="columns beside those of mentions and clusters",
)
