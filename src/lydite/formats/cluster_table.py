"""Clusters as a table: one mention and its cluster per line, the fast road for cross-document sets.

::

    topic1/doc1#m1 <TAB> c7
    topic1/doc2#m4 <TAB> c7
    topic1/doc2#m5 <TAB> c8

A mention is its id; what stands before ``#`` is its document (before the last slash, if there is no ``#``).  Lines that begin with ``#`` and blank lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from hashlib import sha256

from lydite.errors import Finding, Location
from lydite.formats.base import Format, Options
from lydite.formats.source import Digest, Part, Source
from lydite.formats.text import not_utf_8
from lydite.formats.units import Placed, address_of, document_of, group, mention_at
from lydite.model import Corpus
from lydite.model.cluster import Cluster

Members = dict[str, list[tuple[str, Hashable]]]
"""Of every cluster the members, each with its document."""

_RUNS = re.compile(
    r"^([^\t\n\r#]+)#(0|[1-9][0-9]{0,17})-([1-9][0-9]{0,17})\t([^\t\n\r]+)$", re.MULTILINE | re.ASCII
)
"""A line whose mention is a run of tokens: document, first token, end, cluster."""

CHUNK = 1 << 20
"""How many bytes of lines are decoded at once."""


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a table of mentions and clusters; ``unit`` says what counts as one document."""
    clusters: Members = {}
    findings: list[Finding] = []
    digest = sha256()
    for part in source.parts:
        findings.extend(not_utf_8(part))
        number = 1
        for text in _pieces(part, digest):
            runs = _RUNS.findall(text)
            count = text.count("\n") + (not text.endswith("\n"))
            if len(runs) == count:
                _take_runs(runs, clusters)
            else:
                _take_lines(text.removesuffix("\n").split("\n"), number, part, clusters, findings)
            number += count
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


def _take_runs(runs: Iterable[tuple[str, str, str, str]], clusters: Members) -> None:
    """Lines of runs of tokens, already taken apart: what nearly all large tables hold."""
    last = ""
    members: list[tuple[str, Hashable]] = []
    for document, first, end, cluster in runs:
        if cluster != last:
            last, members = cluster, clusters.setdefault(cluster, [])
        run = int(first), int(end)
        members.append((document, run if run[0] < run[1] else f"{document}#{first}-{end}"))


def _take_lines(
    lines: Iterable[str], number: int, part: Part, clusters: Members, findings: list[Finding]
) -> None:
    for at, line in enumerate(lines, number):
        text = line.rstrip("\r")
        mention, tab, cluster = text.partition("\t")
        if not text.strip() or (text.startswith("#") and not tab):
            continue
        if not (mention and tab and cluster) or "\t" in cluster or text.startswith("#"):
            message = f"expected a mention, a TAB and a cluster, found {text!r}"
            findings.append(Finding("odd-table-line", "error", message, Location(part.path, at)))
            continue
        clusters.setdefault(cluster, []).append((document_of(mention), mention_at(mention)))


def _pieces(part: Part, digest: Digest) -> Iterator[str]:
    """Whole lines, many at once, and never the whole file."""
    with part.open() as stream:
        while lines := stream.readlines(CHUNK):
            data = b"".join(lines)
            digest.update(data)
            yield data.decode("utf-8", "surrogateescape")


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
