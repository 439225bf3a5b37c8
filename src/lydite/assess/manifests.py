"""The manifest of a pool: which systems gave which arguments, what was left out and why, and the digest of its store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from lydite.assess.writing import manifest_path, store_digest
from lydite.errors import Finding, InvalidInput, Location

CODE = "pool-manifest"


class Origin(TypedDict):
    """A system that gave an argument: its confidence, and the rank among all that it gave in the document."""

    system: str
    confidence: float
    rank: int


class PooledArgument(TypedDict):
    """An argument of a pool: the systems that gave it, and those of whose redundant arguments it is the representative."""

    id: int
    argument: str
    systems: list[Origin]
    represents: list[str]


class LeftOut(TypedDict):
    """An argument that a system gave and that was left out, with its origin if that is known."""

    system: str
    argument: str
    why: str
    representative: NotRequired[str]
    confidence: NotRequired[float]
    rank: NotRequired[int]


class DocumentEntry(TypedDict, total=False):
    """The entry of a document in a manifest; empty for an unknown document."""

    pooled: int
    arguments: list[PooledArgument]
    left_out: list[LeftOut]


class PooledSystem(TypedDict):
    """A system of a pool."""

    name: str
    path: str
    human: bool
    earlier_pool: bool


class PoolHead(TypedDict, total=False):
    """A document of schema ``lydite.pool/1`` without its documents."""

    schema: str
    rules: dict[str, object]
    quote_filter: bool
    systems: list[PooledSystem]
    appended: list[dict[str, object]]
    store: str


class PoolManifest:
    """A manifest that was read: its head, and the entries of documents, each decoded when it is asked for."""

    def __init__(self, head: PoolHead, documents: Mapping[str, bytes], path: Path) -> None:
        self.head, self._documents, self._path = head, documents, path

    def document(self, doc_id: str) -> DocumentEntry:
        """The entry of a document; empty for an unknown one, refused if something is missing in it."""
        import msgspec

        if doc_id not in self._documents:
            return {}
        try:
            return msgspec.json.decode(self._documents[doc_id], type=DocumentEntry)
        except msgspec.DecodeError as error:
            raise _refused(self._path, f"has a broken entry of document {doc_id!r} ({error})") from None


NO_MANIFEST = PoolManifest({}, {}, Path())
"""Stands for the manifest of a pool that has none."""


def read_manifest(store: str) -> PoolManifest:
    """The manifest beside a pool, if there is one; refused if the pool was changed since."""
    path = manifest_path(store)
    if not path.is_file():
        return NO_MANIFEST
    head, documents = _read_parts(path)
    named = head.pop("store", None)
    if named is not None and named != store_digest(store):
        raise _refused(path, f"does not belong to {store}, which was changed since the manifest was written")
    return PoolManifest(head, documents, path)


def _read_parts(path: Path) -> tuple[PoolHead, dict[str, bytes]]:
    import msgspec

    try:
        parts = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
        documents = msgspec.json.decode(parts.pop("documents"), type=dict[str, msgspec.Raw])
        head = {key: msgspec.json.decode(part) for key, part in parts.items()}
        is_complete = {"name", "path"} <= set.intersection(*(set(system) for system in head["systems"]))
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise _refused(path, f"is no manifest of a pool ({error})") from None
    if not is_complete:
        raise _refused(path, "is no manifest of a pool (a system without name or path)")
    # Only what was just checked is certain; the rest is as lydite wrote it.
    return cast("PoolHead", head), {doc_id: bytes(entry) for doc_id, entry in documents.items()}


def _refused(path: Path, why: str) -> InvalidInput:
    hint = "pool all systems anew, or move the manifest away: the pool then counts as one system"
    return InvalidInput([Finding(CODE, "error", f"the manifest {why}", Location(str(path)), hint=hint)])
