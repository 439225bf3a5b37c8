"""Clusters as a table: one mention and its cluster per line, the fast road for cross-document sets.

::

    topic1/doc1#m1 <TAB> c7
    topic1/doc2#m4 <TAB> c7
    topic1/doc2#m5 <TAB> c8

A mention is its id; what stands before ``#`` is its document (before the last slash, if there is no ``#``).  Lines that begin with ``#`` and blank lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator
from hashlib import sha256

from lydite.errors import Finding, Location
from lydite.formats.base import Format, Options
from lydite.formats.source import Digest, Part, Source
from lydite.formats.text import not_utf_8
from lydite.formats.units import Placed, address_of, document_of, group, mention_at
from lydite.model import Corpus
from lydite.model.cluster import Cluster


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a table of mentions and clusters; ``unit`` says what counts as one document."""
    clusters: dict[str, list[tuple[str, Hashable]]] = {}
    findings: list[Finding] = []
    digest = sha256()
    for part in source.parts:
        findings.extend(not_utf_8(part))
        for mention, cluster in _rows(part, digest, findings):
            clusters.setdefault(cluster, []).append((document_of(mention), mention_at(mention)))
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


def _rows(part: Part, digest: Digest, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    with part.open() as stream:
        for number, raw in enumerate(stream, 1):
            digest.update(raw)
            line = raw.decode("utf-8", "surrogateescape").rstrip("\r\n")
            if not line.strip() or (line.startswith("#") and "\t" not in line):
                continue
            mention, tab, cluster = line.partition("\t")
            if not (mention and tab and cluster) or "\t" in cluster or line.startswith("#"):
                message = f"expected a mention, a TAB and a cluster, found {line!r}"
                findings.append(Finding("odd-table-line", "error", message, Location(part.path, number)))
                continue
            yield mention, cluster


def write(corpus: Corpus) -> bytes:
    """The corpus as a table; mentions that are runs of tokens get the id ``document#first-end``.

    Every cluster gets a name of its own; a mention whose id would break its line is left out.
    """
    lines: list[str] = []
    several = len(corpus) > 1 or bool(corpus.facts.get("folder", False))
    for document in corpus.documents.values():
        names: set[str] = set()
        for number, cluster in enumerate(document.layers.get("clusters", ())):
            name = _name(cluster, number, names)
            names.add(name)
            named = f"{_on_one_line(document.doc_id)}:{name}" if several else name
            addresses = (address_of(document.doc_id, member) for member in cluster.members)
            lines.extend(f"{address}\t{named}\n" for address in addresses if _fits(address))
    return "".join(lines).encode("utf-8", "surrogateescape")


def _name(cluster: Cluster, number: int, taken: Collection[str]) -> str:
    name = _on_one_line(cluster.id)
    return name if name and name not in taken else f"{name}#{number}"


def _on_one_line(name: str) -> str:
    return re.sub(r"[\t\r\n]", " ", name).strip()


def _fits(address: str) -> bool:
    return _on_one_line(address) == address and not address.startswith("#")


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
    limits={
        "clusters": "a mention of several targets becomes one id, and an id fits on a line and begins with no #",
        "documents": "a document is known by its mentions: without any it is not there",
        "document names": "the document of a mention is what stands before the first #",
    },
)
