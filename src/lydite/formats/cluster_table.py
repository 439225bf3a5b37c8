"""Clusters as a table: one mention and its cluster per line, which is read fast for cross-document sets.

::

    topic1/doc1#m1 <TAB> c7
    topic1/doc2#m4 <TAB> c7
    topic1/doc2#m5 <TAB> c8

A mention is its id; the text before ``#`` (before the last slash, if there is no ``#``) is its document.  Lines that
begin with ``#`` and blank lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain, compress, pairwise, starmap
from operator import lt, ne

from lydite.errors import Finding, Location
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.source import Source, SourcePart
from lydite.formats.text import BYTE_ORDER_MARK, encoding_findings
from lydite.formats.units import (
    PlacedCluster,
    address_of,
    document_of,
    documents_by_unit,
    has_local_clusters,
    is_of_several,
    mention_at,
)
from lydite.memory import without_garbage_collection
from lydite.model import Corpus
from lydite.model.cluster import Cluster
from lydite.numerals import MOST_DIGITS

Members = dict[str, tuple[list[str], list[Hashable]]]
"""By cluster, the documents of its mentions, and the mentions."""

_NUMBER = f"[1-9][0-9]{{0,{MOST_DIGITS - 1}}}+"
_RUN = re.compile(rf"^([^\t\n\r#]++)#(0|{_NUMBER})-({_NUMBER})\t([^\t\n\r]++)\n", re.ASCII | re.MULTILINE)
"""A line whose mention is a run of tokens: document, first token, end, cluster.

It is anchored at line beginnings: otherwise a long line that is none would be searched from each of its characters.
"""

COLUMNS = _RUN.groups + 1
"""Splitting a text at such lines gives so many pieces for each: the text before it, mostly empty, and its groups."""

CHUNK = 1 << 20
"""How many bytes of lines are decoded at once."""


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a table of mentions and clusters; ``unit`` says what counts as one document."""
    clusters: Members = {}
    findings: list[Finding] = []
    with without_garbage_collection():
        for part in source.parts:
            findings.extend(encoding_findings(part))
            number = 1
            for text in _text_pieces(part):
                columns = _RUN.split(text)
                if any(columns[::COLUMNS]):
                    _add_lines(text.removesuffix("\n").split("\n"), number, part, clusters, findings)
                else:
                    _add_runs(columns, clusters)
                number += text.count("\n")
        placed_clusters = (PlacedCluster(name, *members) for name, members in clusters.items())
        documents, cuts = documents_by_unit(placed_clusters, options, source.path)
    findings.extend(cuts)
    return corpus_of(source, "cluster-table", documents, findings=findings)


def _add_runs(columns: list[str], clusters: Members) -> None:
    """Add lines of runs of tokens, already split: nearly all large tables consist of them."""
    documents, firsts, ends, names = (columns[field::COLUMNS] for field in range(1, COLUMNS))
    spans = [*zip(map(int, firsts), map(int, ends), strict=True)]
    mentions: Sequence[Hashable] = spans
    if not all(starmap(lt, spans)):
        mentions = [
            (first, end) if first < end else f"{document}#{first}-{end}"
            for document, (first, end) in zip(documents, spans, strict=True)
        ]
    begins = compress(range(len(names)), map(ne, names, chain(("",), names)))
    for begin, end in pairwise([*begins, len(names)]):
        name = names[begin]
        if name in clusters:
            homes, members = clusters[name]
            homes += documents[begin:end]
            members += mentions[begin:end]
        else:
            clusters[name] = documents[begin:end], [*mentions[begin:end]]


def _add_lines(
    lines: Iterable[str], number: int, part: SourcePart, clusters: Members, findings: list[Finding]
) -> None:
    for line_number, line in enumerate(lines, number):
        text = line.rstrip("\r")
        mention, tab, cluster = text.partition("\t")
        if not text.strip() or (text.startswith("#") and not tab):
            continue
        if not (mention and tab and cluster) or "\t" in cluster or text.startswith("#"):
            message = f"expected a mention, a TAB and a cluster, found {text!r}"
            findings.append(Finding("odd-table-line", "error", message, Location(part.path, line_number)))
            continue
        homes, members = clusters.setdefault(cluster, ([], []))
        homes.append(document_of(mention))
        members.append(mention_at(mention))


def _text_pieces(part: SourcePart) -> Iterator[str]:
    """The text in pieces of many whole lines; a line end is added to the last one, a byte-order mark removed."""
    start = BYTE_ORDER_MARK
    with part.open() as stream:
        while data := stream.read(CHUNK):
            data += stream.readline()
            text = data.decode("utf-8", "surrogateescape").removeprefix(start)
            start = ""
            yield text if text.endswith("\n") else f"{text}\n"


def write(corpus: Corpus) -> bytes:
    """The corpus as a table; mentions that are runs of tokens get the id ``document#first-end``.

    Every cluster gets a name of its own, unless its id is shared with other documents; a mention whose id does not fit on
    a line is left out.
    """
    lines: list[str] = []
    several = is_of_several(corpus)
    for document in corpus.documents.values():
        names: set[str] = set()
        is_local = several and has_local_clusters(document)
        for number, cluster in enumerate(document.layers.get("clusters", ())):
            name = _name(cluster, number, names)
            names.add(name)
            is_made_up = several and name != cluster.id
            cluster_name = f"{_on_one_line(document.doc_id)}:{name}" if is_local or is_made_up else name
            addresses = (address_of(document.doc_id, member) for member in cluster.members)
            lines.extend(
                f"{address}\t{cluster_name}\n"
                for address in addresses
                if _on_one_line(address) == address and not address.startswith("#")
            )
    return "".join(lines).encode("utf-8", "surrogateescape")


def _name(cluster: Cluster, number: int, used_names: Collection[str]) -> str:
    name = _on_one_line(cluster.id)
    return name if name and name not in used_names else f"{name}#{number}"


def _on_one_line(name: str) -> str:
    return re.sub(r"[\t\r\n]", " ", name).strip()


def recognise(head: bytes) -> bool:
    """Whether the first line that is not a comment has two columns, with ``#`` in the first one."""
    lines = head.removeprefix(BYTE_ORDER_MARK.encode()).split(b"\n")
    first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
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
