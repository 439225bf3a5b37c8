"""The format ``table``: mentions and clusters as Parquet, Arrow IPC or CSV, read as documents like any other format."""

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
    open_table,
    repeat_findings,
    row_findings,
    total_findings,
)

if TYPE_CHECKING:
    import dask.dataframe as dd

CONTENT: Final = "content-sum"
"""The layer that holds the content number of a table (:func:`content_of`), for the signature."""


class TableDocuments(Mapping[str, Document]):
    """The documents of a table, made when they are first asked for, which an engine that only counts never does."""

    def __init__(self, table: MentionTable, options: Options) -> None:
        self.table = table
        self._options = {name: options.get(name) for name in ("unit", "topic-of", "repeats", "reading")}
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
            self._made = _make_documents(self.table, self._options)
        return self._made


def refuses_repeats(options: Options) -> bool:
    """Whether a mention in two clusters refuses a table: under ``error``, and under ``v8.01`` unless read as-official."""
    policy = options.get("repeats")
    return policy == "error" or (policy == "v8.01" and options.get("reading") != "as-official")


def _make_documents(table: MentionTable, options: Options) -> dict[str, Document]:
    clusters: dict[str, list[tuple[str, Hashable]]] = {}
    seen: Counter[Identity] = Counter()
    content = bad_rows = 0
    for batch in table.batches():
        content += content_of(batch)
        for row in batch.to_pylist():
            if None in row.values():
                bad_rows += 1
                continue
            *identity, cluster = row.values()
            seen[tuple(identity)] += 1
            clusters.setdefault(str(cluster), []).append(_document_and_mention(row))
    bad_rows += table.uneven_rows
    findings = row_findings(table) if bad_rows else []
    findings += total_findings("null-cell", table.path, bad_rows, "rows lack a value")
    repeated = [mention for mention, times in seen.items() if times > 1] if refuses_repeats(options) else []
    unit, repeats = unit_of(options), repeat_findings(table, repeated, frozenset()) if repeated else ()
    repeats_by_unit = grouped((unit(finding.document or ""), finding) for finding in repeats)
    # A table without mentions has a document only if there are findings about it.
    whole = options.get("unit") == WHOLE_CORPUS or (findings and not clusters)
    placed_clusters = (PlacedCluster.of(name, members) for name, members in clusters.items())
    documents, cut = documents_by_unit(placed_clusters, options, table.path, doc_ids=("",) if whole else ())
    findings += [cut_finding(len(cut), table.path)] if cut else []
    for number, (doc_id, document) in enumerate(documents.items()):
        # The content numbers of documents are added up, so the first has that of the table, and the findings about it.
        # Repeats stay with their documents: they do no harm in one that is not scored.
        layers: Layers = {**document.layers, CONTENT: 0 if number else content}
        of_document = (*(() if number else findings), *repeats_by_unit.get(doc_id, ()))
        documents[doc_id] = document._replace(layers=layers, findings=of_document)
    return documents


def _document_and_mention(row: Mapping[str, object]) -> tuple[str, Hashable]:
    if MENTION in row:
        address = str(row[MENTION])
        return document_of(address), mention_at(address)
    document, start, end = (row[role] for role in BY_SPAN)
    return str(document), (start, end)


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a table of mentions; its rows are read when its documents, or counts over them, are asked for."""
    pieces = pieces_of_files(source)
    findings = [finding for piece in pieces if piece.untyped for finding in encoding_findings(piece.part)]
    return _corpus_of_pieces(pieces, source.name, source.path, options, findings=findings)


def corpus_of_object(table: object, name: str, options: Options) -> Corpus:
    """A path, several paths, or a table in memory, as a corpus of that name."""
    if isinstance(table, str | os.PathLike):
        return read(open_source(table), options)
    if isinstance(table, Sequence) and all(isinstance(path, str | os.PathLike) for path in table):
        sources = [open_source(path) for path in table]
        return read(Source(name, tuple(part for source in sources for part in source.parts)), options)
    # The module of the class tells without an import of Dask, which most tables do not need.
    frame = cast("dd.DataFrame", table) if type(table).__module__.startswith("dask") else None
    return _corpus_of_pieces(pieces_of_object(table, name), name, name, options, frame=frame)


def _corpus_of_pieces(
    pieces: Sequence[Piece],
    name: str,
    path: str,
    options: Options,
    *,
    frame: dd.DataFrame | None = None,
    findings: Sequence[Finding] = (),
) -> Corpus:
    """The corpus of these pieces; one without documents if there are ``findings``, or findings on the columns."""
    names = parse_columns(list_option(options, "table-columns"))
    table, findings = (None, findings) if findings else open_table(pieces, path, names, frame)
    if table is None:
        return Corpus(name, {}, path, "table", findings=tuple(findings))
    sha256 = _hash_of_address(path) if is_address(path) else ""
    return Corpus(name, TableDocuments(table, options), path, "table", sha256)


def _hash_of_address(path: str) -> str:
    """The hash of what a store tells about the files at an address, which are not fetched for a hash alone."""
    from hashlib import sha256

    from lydite.optional_libraries import library

    store, inside = library("fsspec", "tables", "reading addresses").core.url_to_fs(path)
    names = store.glob(inside) if re.search(r"[*?\[]", inside) else [inside]
    return sha256("\n".join([f"{name} {store.ukey(name)}" for name in sorted(names)]).encode()).hexdigest()


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
)
