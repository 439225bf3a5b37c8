"""Coreference sets in XML, as NewsReader and GAF write them.

::

    <coreferences version="v1" xmlns:nwr="http://...">
      <coref cid="nwr:TOPIC_7">
        <target id="nwr:TOPIC/FILE#t5" head="yes"/>
        <target id="nwr:TOPIC/OTHER#t9"/>
      </coref>
    </coreferences>

A ``coref`` is one set, a ``target`` one mention: its whole ``id`` is its identity.  Sets that share a mention belong
together: the clusters are the connected components.  A target with ``head="no"`` is a further token of a mention and is
left out unless all targets are asked for.  In KAF and NAF layers the targets of one ``span`` are one mention.

The file is parsed as a stream; DTDs, entities and the network are off.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.errors import Finding, Location
from lydite.escaping import counted
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.names import xml_names
from lydite.formats.safe_xml import closed_elements, line_of, local_name, without_illegal_characters
from lydite.formats.source import Source, SourcePart
from lydite.formats.units import (
    PlacedCluster,
    address_of,
    group,
    mention_at,
    two_name_spaces,
    without_name_space,
)
from lydite.grouping import closure
from lydite.model import Corpus
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element


class _Set(NamedTuple):
    """One ``coref`` element: its id, its line, its mentions, each a tuple of target ids."""

    cid: str
    line: int
    mentions: Sequence[tuple[str, ...]]


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a coreference-set file; ``options["targets"]`` is ``heads`` or ``all``, ``unit`` cuts it up."""
    sets: list[_Set] = []
    findings: list[Finding] = []
    spaces: dict[str, list[str]] = {}
    homes: dict[tuple[str, ...], str] = {}
    for part in source.parts:
        found = list(_sets(part, spaces, keep_all=options.get("targets") == "all"))
        findings.extend(_repeated_ids(part, found))
        if len(source.parts) > 1:
            findings.extend(_joined(part, found, homes))
        sets.extend(found)
        if any(len(addresses) > 1 for addresses in spaces.values()):
            _refuse_two_meanings(part, sets, spaces)
    prefixes = {prefix: addresses[0] for prefix, addresses in spaces.items()}
    placed = list(_placed(sets))
    whole = options.get("unit") == "corpus" or not placed
    documents, crossing = group(placed, options, source.path, doc_ids=("",) if whole else ())
    documents = {
        name: document._replace(layers={**document.layers, "prefixes": prefixes})
        for name, document in documents.items()
    }
    findings.extend(crossing)
    return corpus_of(source, "coref-xml", documents, sha256=source.sha256(), findings=findings)


def _refuse_two_meanings(part: SourcePart, sets: Sequence[_Set], spaces: Mapping[str, Sequence[str]]) -> None:
    """A prefix of two name spaces makes different mentions look the same; one that no mention has does no harm."""
    used = {target.partition(":")[0] for one in sets for mention in one.mentions for target in mention}
    for prefix, (before, *others) in spaces.items():
        if others and prefix in used:
            raise two_name_spaces(part.path, prefix, others[0], before)


def _sets(part: SourcePart, spaces: dict[str, list[str]], *, keep_all: bool) -> Iterator[_Set]:
    """The sets of a file; ``spaces`` gets what the prefixes stand for that hold in one of them."""
    for element in closed_elements(part, "coref"):
        for inner in element.iter():
            for prefix, address in inner.nsmap.items():
                known = spaces.setdefault(prefix or "", [])
                if address not in known:
                    known.append(address)
        mentions = tuple(_mentions(element, keep_all=keep_all))
        yield _Set(element.get("cid") or element.get("id") or "", line_of(element) or 0, mentions)
        # Of the sets before it, which are empty by now, not even the elements stay in memory.
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]


def _mentions(element: _Element, *, keep_all: bool) -> Iterator[tuple[str, ...]]:
    """The targets of one ``span`` together, every other target by itself."""
    for child in element:
        name = local_name(child)
        if name == "span":
            ids = {target.get("id", "") for target in child.iter() if local_name(target) == "target"}
            if named := tuple(sorted(ids - {""})):
                yield named
            continue
        if name == "target" and child.get("id") and (keep_all or child.get("head") != "no"):
            yield (child.get("id", ""),)
        yield from _mentions(child, keep_all=keep_all)


def _repeated_ids(part: SourcePart, sets: Sequence[_Set]) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for cid, line, _ in sets:
        if cid and cid in first:
            message = f"cid {cid!r} occurs twice (before: line {first[cid]}); they are two sets"
            yield Finding("repeated-cluster-id", "warning", message, Location(part.path, line), item=cid)
        first.setdefault(cid, line)


def _joined(part: SourcePart, sets: Sequence[_Set], homes: dict[tuple[str, ...], str]) -> Iterator[Finding]:
    """A word where sets of two files share a mention; ``homes`` has the file of every mention so far."""
    shared = [
        (line, mention)
        for _, line, mentions in sets
        for mention in mentions
        if homes.setdefault(mention, part.path) != part.path
    ]
    if shared:
        line, mention = shared[0]
        count = len({mention for _, mention in shared})
        message = (
            f"{counted(count, 'mention')} of this file also in sets of files before"
            f" ({'+'.join(mention)} in {homes[mention]}); sets that share a mention are one cluster"
        )
        hint = "does the folder hold two versions of one file?"
        yield Finding("sets-joined", "warning", message, Location(part.path, line or None), hint=hint)


def _placed(sets: Sequence[_Set]) -> Iterator[PlacedCluster]:
    """The connected components of "occurs in one set", in the order of their first set.

    Each has an id of its own: where documents are joined later, equal ids are one cluster.
    """
    written = {cid for cid, _, _ in sets}
    copies: Counter[str] = Counter()
    for number, mentions in closure(mentions for _, _, mentions in sets):
        cid = sets[number].cid
        copies[cid] += 1
        name = cid
        while cid and copies[cid] > 1 and (name := f"{cid}#{copies[cid]}") in written:
            copies[cid] += 1
        homes = [_document_of(mention[0]) for mention in mentions]
        yield PlacedCluster(name, homes, [*map(_bare, mentions)])


def _document_of(target: str) -> str:
    """The document of a mention: what stands between the name space and ``#``, with its topic folder."""
    return without_name_space(target.partition("#")[0])


def _bare(mention: tuple[str, ...]) -> Hashable:
    """The address of a mention, several if it has several targets; an address of runs of tokens as these."""
    if len(mention) > 1:
        return mention
    (target,) = mention
    # With a name space the same document has two names: such an address stands for itself.
    return mention_at(target) if target.startswith(f"{_document_of(target)}#") else target


def write(corpus: Corpus) -> bytes:
    """The corpus as coreference sets, one ``coref`` per cluster."""
    from xml.sax.saxutils import quoteattr

    prefixes: dict[str, str] = {}
    lines = []
    for document in corpus.documents.values():
        prefixes.update(document.layers.get("prefixes", {}))
        for number, cluster in enumerate(document.layers.get("clusters", ()), 1):
            cid = cluster.id or f"{document.doc_id}_{number}"
            lines.append(f"  <coref cid={quoteattr(cid)}>")
            lines.extend(f"    {_written(document.doc_id, member)}" for member in cluster.members)
            lines.append("  </coref>")
    spaces = "".join(
        f" xmlns{':' if prefix else ''}{prefix}={quoteattr(address)}"
        for prefix, address in sorted(prefixes.items())
    )
    head = ['<?xml version="1.0" encoding="UTF-8"?>', f'<coreferences version="v1"{spaces}>']
    text = "\n".join([*head, *lines, "</coreferences>", ""])
    return without_illegal_characters(text).encode("utf-8")


def _written(doc_id: str, member: Hashable) -> str:
    from xml.sax.saxutils import quoteattr

    targets = _targets(doc_id, member)
    if len(targets) == 1:
        return f'<target id={quoteattr(targets[0])} head="yes"/>'
    return "<span>" + "".join(f"<target id={quoteattr(target)}/>" for target in targets) + "</span>"


def _targets(doc_id: str, member: object) -> tuple[str, ...]:
    """The target ids of a mention: as read, or made from its document and its tokens."""
    if isinstance(member, tuple) and len(member) == 2 and isinstance(member[1], tuple):
        doc_id, member = member
    if (
        isinstance(member, tuple)
        and all(isinstance(name, str) for name in member)
        and member[0] != member[-1]
    ):
        return member
    return (address_of(doc_id, member),)


def recognise(head: bytes) -> bool:
    """A root element ``coreferences``."""
    return re.search(rb"<(\w+:)?coreferences[\s>/]", head) is not None


_NAMES = xml_names(
    "coreferences coref target span cid id head",
    "document documents doc type name topic version references eid lid mid oid pid rid sid tid wid",
    closed=True,
)

COREF_XML = Format(
    name="coref-xml",
    title="Coreference sets in XML (NewsReader, GAF)",
    extensions=(".xml", ".coref"),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    layers=("clusters",),
    limits={
        "clusters": "sets that share a mention are one set, and an id holds no control characters",
        "documents": "a document is known by its mentions: without any it is not there",
        "document names": "the document of a mention is what stands before the first #",
    },
    unread='types of sets, words, and tokens with head="no" (except with --targets all)',
    names=_NAMES,
)
