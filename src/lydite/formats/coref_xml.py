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
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding, Location, refuse
from lydite.escaping import counted
from lydite.formats.addressed_words import read_addressed_words
from lydite.formats.base import Format, Options, corpus_of, text_option
from lydite.formats.names import xml_names
from lydite.formats.safe_xml import closed_elements, line_of, local_name, xml_safe
from lydite.formats.source import Source, SourcePart
from lydite.formats.units import (
    PlacedCluster,
    address_of,
    documents_by_unit,
    mention_at,
    two_name_spaces,
    without_name_space,
)
from lydite.grouping import closure
from lydite.model import Corpus
from lydite.model.document import Layers
from lydite.model.settings import TOPIC

if TYPE_CHECKING:
    from lxml.etree import _Element


class _Set(NamedTuple):
    """One ``coref`` element: its id, its line, its mentions, each a tuple of target ids."""

    cid: str
    line: int
    mentions: Sequence[tuple[str, ...]]


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a coreference-set file; ``options["targets"]`` is ``heads`` or ``all``, ``unit`` what is a document."""
    sets: list[_Set] = []
    findings: list[Finding] = []
    spaces: dict[str, list[str]] = {}
    files: dict[tuple[str, ...], str] = {}
    for part in source.parts:
        found = list(_sets(part, spaces, keep_all=options.get("targets") == "all"))
        findings.extend(_repeated_ids(part, found))
        if len(source.parts) > 1:
            findings.extend(_shared_mentions(part, found, files))
        sets.extend(found)
        if any(len(addresses) > 1 for addresses in spaces.values()):
            # Different mentions would look the same.
            used = {
                target.partition(":")[0] for one in sets for mention in one.mentions for target in mention
            }
            for prefix, (before, *others) in spaces.items():
                if others and prefix in used:
                    raise two_name_spaces(part.path, prefix, others[0], before)
    prefixes = {prefix: addresses[0] for prefix, addresses in spaces.items()}
    documents, crossing = documents_by_unit(_connected_clusters(sets), options, source.path)
    for name, document in documents.items():
        documents[name] = document._replace(
            layers={**document.layers, **_words(name, options), "prefixes": prefixes}
        )
    findings.extend(crossing)
    return corpus_of(source, "coref-xml", documents, findings=findings)


def _words(unit: str, options: Options) -> Layers:
    """The words of the documents of a unit, which are read when they are first asked for."""
    folder = text_option(options, "documents")
    if not folder:
        return {}
    kind, topic = text_option(options, "unit", "document"), text_option(options, "topic-of", TOPIC)
    return {"addressed-words": partial(read_addressed_words, folder, unit, kind, topic)}


def _sets(part: SourcePart, spaces: dict[str, list[str]], *, keep_all: bool) -> Iterator[_Set]:
    """Yield the sets of a file and add to ``spaces`` the addresses of their prefixes."""
    for element in closed_elements(part, "coref", at_end=partial(_refuse_other_format, part)):
        for inner in element.iter():
            for prefix, address in inner.nsmap.items():
                known = spaces.setdefault(prefix or "", [])
                if address not in known:
                    known.append(address)
        mentions = tuple(_mentions(element, keep_all=keep_all))
        yield _Set(element.get("cid") or element.get("id") or "", line_of(element) or 0, mentions)
        # The elements of the sets before it, which are empty by now, are removed from memory.
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]


def _refuse_other_format(part: SourcePart, root: _Element) -> None:
    """Refuse a file without an element of the format: it would be scored as one in which nothing was found."""
    names = set()
    for node in root.iter():
        names.add(local_name(node))
        if not names.isdisjoint({"coreferences", "coref"}):
            return
    written = str(root.tag).rpartition("}")[2]
    message = f"expected an element 'coreferences' or 'coref', found neither in {written!r}"
    hint = "a file in which nothing was found has an empty <coreferences/>"
    if "markables" in names:
        hint = "CAT files, as those of ECB+, are not read: write them as coreference sets, columns or a table of clusters"
    raise refuse(Location(part.path, line_of(root)), "no-coreferences", message, hint=hint)


def read_sets(part: SourcePart) -> Iterator[list[Hashable]]:
    """The sets of a file as written: the ids of their mentions, tuples of them for mentions of several targets."""
    for one in _sets(part, {}, keep_all=False):
        yield [mention[0] if len(mention) == 1 else mention for mention in one.mentions]


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


def _shared_mentions(
    part: SourcePart, sets: Sequence[_Set], files: dict[tuple[str, ...], str]
) -> Iterator[Finding]:
    """A finding if sets of two files share mentions; ``files`` has the file of every mention so far."""
    placed = ((line, mention) for _, line, mentions in sets for mention in mentions)
    shared = [
        (line, mention) for line, mention in placed if files.setdefault(mention, part.path) != part.path
    ]
    if shared:
        line, mention = shared[0]
        count = len({mention for _, mention in shared})
        message = (
            f"{counted(count, 'mention')} of this file also in sets of files before"
            f" ({'+'.join(mention)} in {files[mention]}); sets that share a mention are one cluster"
        )
        hint = "does the folder hold two versions of one file?"
        yield Finding("sets-joined", "warning", message, Location(part.path, line or None), hint=hint)


def _connected_clusters(sets: Sequence[_Set]) -> Iterator[PlacedCluster]:
    """The clusters: connected components of "occurs in one set", in the order of their first set.

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
        yield PlacedCluster(name, homes, [*map(_mention, mentions)])


def _document_of(target: str) -> str:
    """The document of a mention: the text between name space and ``#``, with its topic folder."""
    return without_name_space(target.partition("#")[0])


def _mention(mention: tuple[str, ...]) -> Hashable:
    """A mention: the addresses of its targets, its address, or runs of tokens if it is the address of runs."""
    if len(mention) > 1:
        return mention
    (target,) = mention
    # With a name space a document has two names; such an address stays as it is.
    return mention_at(target) if target.startswith(f"{_document_of(target)}#") else target


def write(corpus: Corpus) -> bytes:
    """The corpus as coreference sets, one ``coref`` per cluster."""
    from xml.sax.saxutils import quoteattr

    prefixes: dict[str, str] = {}
    lines = []
    for document in corpus.documents.values():
        prefixes.update(document.layers.get("prefixes", {}))
        for number, cluster in enumerate(document.layers.get("clusters", ()), 1):
            lines.append(f"  <coref cid={quoteattr(cluster.id or f'{document.doc_id}_{number}')}>")
            lines.extend(f"    {_target_element(document.doc_id, member)}" for member in cluster.members)
            lines.append("  </coref>")
    declared = sorted(prefixes.items())
    spaces = "".join(f" xmlns{':' if prefix else ''}{prefix}={quoteattr(name)}" for prefix, name in declared)
    head = ['<?xml version="1.0" encoding="UTF-8"?>', f'<coreferences version="v1"{spaces}>']
    return xml_safe("\n".join([*head, *lines, "</coreferences>", ""])).encode("utf-8")


def _target_element(doc_id: str, member: Hashable) -> str:
    from xml.sax.saxutils import quoteattr

    targets = _targets(doc_id, member)
    if len(targets) == 1:
        return f'<target id={quoteattr(targets[0])} head="yes"/>'
    return "<span>" + "".join(f"<target id={quoteattr(target)}/>" for target in targets) + "</span>"


def _targets(doc_id: str, member: object) -> tuple[str, ...]:
    """The target ids of a mention: as read, or made from its document and its tokens."""
    if isinstance(member, tuple) and len(member) == 2 and isinstance(member[1], tuple):
        doc_id, member = member
    if isinstance(member, tuple) and all(isinstance(one, str) for one in member) and member[0] != member[-1]:
        return member
    return (address_of(doc_id, member),)


def recognise(head: bytes) -> bool:
    """Whether the first bytes have an element ``coreferences``."""
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
    names=_NAMES,
)
