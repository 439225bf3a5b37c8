"""Stores as the workflow uses them: read, checked, and ready to be written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from lydite.assess.writing import recover_path
from lydite.checks import arguments as checks
from lydite.errors import Finding, InvalidInput, UsageError, errors_among
from lydite.formats.eal import ArgumentStore, load_document, open_argument_store
from lydite.formats.store import Store
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.argument import Argument, ArgumentRow, highest
from lydite.model.argument_lines import lines_of
from lydite.records import dataclass
from lydite.writing import real_place

Answers = dict[Argument, float]
"""The arguments of a document, each with its highest confidence."""


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """A store whose documents are read one at a time; a broken document is refused with all its findings."""

    store: ArgumentStore
    side: str

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.store.store.name

    @property
    def path(self) -> str:
        """Where it lies."""
        return self.store.store.path

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """Its documents, sorted."""
        return self.store.doc_ids

    def document(self, doc_id: str) -> Document:
        """One document, checked as far as its form goes; an empty one if the store lacks it.

        A broken document refuses the store, with the findings of all its documents.
        """
        if doc_id not in self.store.arguments:
            return Document(doc_id, path=f"{self.path}/{doc_id}", present=False)
        document = load_document(self.store, doc_id)
        if errors_among(self._findings(document)):
            everything = (self._findings(load_document(self.store, other)) for other in self.doc_ids)
            raise InvalidInput(finding for findings in everything for finding in findings)
        return document

    def _findings(self, document: Document) -> list[Finding]:
        # Ids of lines mean nothing here: written stores get identifiers of their own.
        said = checks.problems(document, self.side, integer_ids=False)
        findings = [finding for finding in said if finding.code != "duplicate-id"]
        if self.side == "gold":
            findings.extend(checks.consistency_findings(document, checks.faulty_lines(findings)))
        return findings

    def rows(self, doc_id: str) -> tuple[ArgumentRow, ...]:
        """The lines of a document."""
        return lines_of(self.document(doc_id)).rows

    def answers(self, doc_id: str) -> Answers:
        """The arguments of a document of system output; of a repeated one the highest confidence counts."""
        return highest((row.argument, row.confidence) for row in self.rows(doc_id))


def open_system(path: str | os.PathLike[str]) -> OpenedStore:
    """A store of system output."""
    return _opened(path, "system")


def open_systems(paths: Iterable[str]) -> list[OpenedStore]:
    """Several stores of system output; one that is named twice, under whatever path, is refused."""
    named = grouped((real_place(path), path) for path in paths)
    for same in named.values():
        if len(same) > 1:
            message = f"one store is named {len(same)} times: {', '.join(same)}"
            raise UsageError(message, hint="name each system once")
    return [open_system(path) for path, *_ in named.values()]


def open_annotation(path: str | os.PathLike[str], *, missing_is_empty: bool = False) -> OpenedStore:
    """A store of assessments; one that is not there yet is empty where that makes sense."""
    if missing_is_empty and not os.path.exists(path):  # noqa: PTH110 - text or path alike
        return OpenedStore(ArgumentStore(Store(os.fspath(path), ()), {}, None), "gold")
    return _opened(path, "gold")


def _opened(path: str | os.PathLike[str], side: str) -> OpenedStore:
    recover_path(path)
    store = open_argument_store(os.fspath(path))
    if errors_among(store.findings):
        raise InvalidInput(store.findings)
    return OpenedStore(store, side)


def refuse_linking(*stores: OpenedStore) -> None:
    """Refuse stores whose linking would be lost: nothing says what becomes of frames whose arguments change."""
    for opened in stores:
        if opened.store.linking:
            message = f"{opened.path}: the store has a linking, which would be lost; no rule says what becomes of frames"
            hint = "name the folder arguments/ inside it; frames that no longer fit are yours to mend"
            is_folder = os.path.isdir(opened.path)  # noqa: PTH112 - text in, text out
            raise UsageError(message, hint=hint if is_folder else f"unpack it, and {hint}")


def all_documents(stores: Iterable[OpenedStore]) -> list[str]:
    """The documents of any of the stores, sorted."""
    return sorted({doc_id for store in stores for doc_id in store.doc_ids})


def names_apart(stores: Sequence[OpenedStore], known: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """What tables call stores: a name that another one has, also one of the ``known`` paths by name, gives way to the path."""
    numbers = Counter(store.name for store in stores)

    def is_free(store: OpenedStore) -> bool:
        return numbers[store.name] == 1 and known.get(store.name, store.path) == store.path

    return [store.name if is_free(store) else store.path for store in stores]


def settled_rows(rows: Iterable[ArgumentRow]) -> dict[Argument, ArgumentRow]:
    """One row per argument: an assessed line beats an unassessed one; the first coreference id and comment are kept."""
    settled: dict[Argument, ArgumentRow] = {}
    for row in rows:
        known = settled.get(row.argument, row)
        kept = row if known.assessment is None and row.assessment is not None else known
        cluster = row.cluster if known.cluster is None else known.cluster
        settled[row.argument] = kept._replace(cluster=cluster, remark=known.remark or row.remark)
    return settled


def cluster_ids(rows: Iterable[ArgumentRow]) -> dict[tuple[str, tuple[int, int]], int]:
    """The coreference id of each canonical argument string, on whatever line it stands; the first one counts."""
    ids: dict[tuple[str, tuple[int, int]], int] = {}
    for row in rows:
        if row.cluster is not None:
            ids.setdefault(row.argument.canonical, row.cluster)
    return ids


def next_id(taken: Collection[int]) -> int:
    """A coreference id that is free: 1 + the largest, 1 without any; the least where no file holds that number."""
    following = max(taken, default=0) + 1
    return following if following < 2**31 else next(free for free in count(1) if free not in taken)
