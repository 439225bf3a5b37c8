"""Stores of the assessment workflow: read, checked, and compared line by line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from lydite.assess.writing import recover_path
from lydite.checks import arguments as checks
from lydite.errors import Finding, InvalidInput, UsageError, errors_among
from lydite.formats.eal import ArgumentStore, load_document, open_argument_store
from lydite.formats.store import Store
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.argument import Argument, ArgumentRow, Filler, highest
from lydite.model.argument_lines import lines_of
from lydite.writing import real_place

Answers = dict[Argument, float]
"""The arguments of a document, each with its highest confidence."""


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """A store whose documents are read and checked one at a time."""

    store: ArgumentStore
    side: str

    @property
    def name(self) -> str:
        """The name of the store in tables."""
        return self.store.store.name

    @property
    def path(self) -> str:
        """The path of the store."""
        return self.store.store.path

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The ids of its documents, sorted."""
        return self.store.doc_ids

    def document(self, doc_id: str) -> Document:
        """One document; an empty one if the store lacks it.

        Its form is checked: an error in it refuses the store, with the findings of all documents.
        """
        if doc_id not in self.store.arguments:
            return Document(doc_id, path=f"{self.path}/{doc_id}", present=False)
        document = load_document(self.store, doc_id)
        if errors_among(self._findings(document)):
            documents = (load_document(self.store, other) for other in self.doc_ids)
            raise InvalidInput(finding for one in documents for finding in self._findings(one))
        return document

    def _findings(self, document: Document) -> list[Finding]:
        # Ids of lines do not matter: written stores get new ones.
        problems = checks.reader_findings(document, self.side, integer_ids=False)
        findings = [finding for finding in problems if finding.code != "duplicate-id"]
        if self.side == "gold":
            findings.extend(checks.consistency_findings(document, checks.faulty_lines(findings)))
        return findings

    def rows(self, doc_id: str) -> tuple[ArgumentRow, ...]:
        """The lines of a document."""
        return lines_of(self.document(doc_id)).rows

    def answers(self, doc_id: str) -> Answers:
        """The arguments of a document of system output, each with its highest confidence."""
        return highest((row.argument, row.confidence) for row in self.rows(doc_id))


def open_system(path: str | os.PathLike[str]) -> OpenedStore:
    """A store of system output."""
    return _open(path, "system")


def open_systems(paths: Iterable[str]) -> list[OpenedStore]:
    """Several stores of system output; one that is named twice, under whatever path, is refused."""
    named = grouped((real_place(path), path) for path in paths)
    for same in named.values():
        if len(same) > 1:
            message = f"one store is named {len(same)} times: {', '.join(same)}"
            raise UsageError(message, hint="name each system once")
    return [open_system(path) for path, *_ in named.values()]


def open_annotation(path: str | os.PathLike[str], *, missing_is_empty: bool = False) -> OpenedStore:
    """A store of assessments; with ``missing_is_empty`` one that does not exist is an empty store."""
    if missing_is_empty and not os.path.exists(path):  # noqa: PTH110 - text or path alike
        return OpenedStore(ArgumentStore(Store(os.fspath(path), ()), {}, None), "gold")
    return _open(path, "gold")


def _open(path: str | os.PathLike[str], side: str) -> OpenedStore:
    recover_path(path)
    store = open_argument_store(os.fspath(path))
    if errors_among(store.findings):
        raise InvalidInput(store.findings)
    return OpenedStore(store, side)


def refuse_linking(*stores: OpenedStore) -> None:
    """Refuse stores with a linking: no rule says how frames change with their arguments."""
    for opened in stores:
        if opened.store.linking:
            message = f"{opened.path}: the store has a linking, which would be lost: no rule says how its frames change"
            hint = "name the folder arguments/ inside it, and adapt the frames by hand afterwards"
            is_folder = os.path.isdir(opened.path)  # noqa: PTH112 - text in, text out
            raise UsageError(message, hint=hint if is_folder else f"unpack it, and {hint}")


def all_documents(stores: Iterable[OpenedStore]) -> list[str]:
    """The documents of any of the stores, sorted."""
    return sorted({doc_id for store in stores for doc_id in store.doc_ids})


def distinct_names(
    stores: Sequence[OpenedStore], known: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Names of stores for tables: the path of a store whose name another one has, be it among the ``known`` paths by name."""
    counts = Counter(store.name for store in stores)

    return [
        store.name
        if counts[store.name] == 1 and known.get(store.name, store.path) == store.path
        else store.path
        for store in stores
    ]


def row_per_argument(rows: Iterable[ArgumentRow]) -> dict[Argument, ArgumentRow]:
    """One row per argument: the first assessed one, else the first; with the first coreference id and the first comment."""
    row_of: dict[Argument, ArgumentRow] = {}
    for row in rows:
        known = row_of.get(row.argument, row)
        kept = row if known.assessment is None and row.assessment is not None else known
        cluster = row.cluster if known.cluster is None else known.cluster
        row_of[row.argument] = kept._replace(cluster=cluster, remark=known.remark or row.remark)
    return row_of


def cluster_ids(rows: Iterable[ArgumentRow]) -> dict[Filler, int]:
    """The coreference id of each canonical argument string: the first one on any of its lines."""
    ids: dict[Filler, int] = {}
    for row in rows:
        if row.cluster is not None:
            ids.setdefault(row.argument.canonical, row.cluster)
    return ids


def next_id(taken: Collection[int]) -> int:
    """A free coreference id: 1 + the largest (1 if there is none), or the least free one if that exceeds 32 bits."""
    following = max(taken, default=0) + 1
    return following if following < 2**31 else next(free for free in count(1) if free not in taken)
