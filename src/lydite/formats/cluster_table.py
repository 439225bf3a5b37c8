"""Clusters as a table: one mention and its cluster per line, the fast road for cross-document sets.

::

    topic1/doc1#m1 <TAB> c7
    topic1/doc2#m4 <TAB> c7
    topic1/doc2#m5 <TAB> c8

A mention is its id; what stands before ``#`` is its document (before the last slash, if there is no ``#``).  Lines that begin with ``#`` and blank lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from lydite.errors import Finding, Location
from lydite.formats.base import Format
from lydite.formats.source import Part, Source
from lydite.formats.units import Placed, group
from lydite.model import Corpus


def read(source: Source, options: Mapping[str, Any]) -> Corpus:
    """The corpus in a table of mentions and clusters; ``unit`` says what counts as one document."""
    clusters: dict[str, list[tuple[str, str]]] = {}
    findings: list[Finding] = []
    digest = sha256()
    for part in source.parts:
        for mention, cluster in _rows(part, digest, findings):
            clusters.setdefault(cluster, []).append((_document_of(mention), mention))
    placed = (Placed(name, members) for name, members in clusters.items())
    whole = options.get("unit") == "corpus" or not clusters
    documents, cut = group(placed, options, source.path, doc_ids=("",) if whole else ())
    return Corpus(
        name=source.name,
        documents=documents,
        path=source.path,
        format="cluster-table",
        sha256=digest.hexdigest(),
        findings=(*findings, *cut),
    )


def _document_of(mention: str) -> str:
    document, mark, _ = mention.partition("#")
    return document if mark else mention.rpartition("/")[0]


def _rows(part: Part, digest: Any, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    with part.open() as stream:
        for number, raw in enumerate(stream, 1):
            digest.update(raw)
            line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
            if not line.strip() or line.startswith("#"):
                continue
            mention, tab, cluster = line.partition("\t")
            if not (mention and tab and cluster) or "\t" in cluster:
                message = f"expected a mention, a TAB and a cluster, found {line!r}"
                findings.append(Finding("odd-table-line", "error", message, Location(part.path, number)))
                continue
            yield mention, cluster


def write(corpus: Corpus) -> bytes:
    """The corpus as a table; mentions that are spans of tokens get the id ``document#first-end``."""
    lines: list[str] = []
    several = len(corpus) > 1 or bool(corpus.facts.get("folder", False))
    for document in corpus.documents.values():
        for number, cluster in enumerate(document.layers.get("clusters", ())):
            name = f"{document.doc_id}:{cluster.id or number}" if several else cluster.id or str(number)
            lines.extend(f"{_id_of(document.doc_id, member)}\t{name}\n" for member in cluster.members)
    return "".join(lines).encode("utf-8", "surrogateescape")


def _id_of(doc_id: str, member: Any) -> str:
    if isinstance(member, tuple) and len(member) == 2 and isinstance(member[0], str):
        doc_id, member = member
    if isinstance(member, tuple):
        return f"{doc_id}#" + "-".join(map(str, member))
    return member if "#" in str(member) else f"{doc_id}#{member}"


def recognise(head: bytes) -> bool:
    """Two columns in the first line that is no comment."""
    first = next((line for line in head.split(b"\n") if line.strip() and not line.startswith(b"#")), b"")
    return re.fullmatch(rb"[^\t]+#[^\t]*\t[^\t]+", first.rstrip(b"\r")) is not None


CLUSTER_TABLE = Format(
    name="cluster-table",
    title="Table of mentions and clusters",
    extensions=(".clusters",),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("clusters",),
    holds_many=True,
)
