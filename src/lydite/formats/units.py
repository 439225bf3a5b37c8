"""Units of coreference: the documents, the topics, or the corpus as a whole.

Cross-document formats give the clusters of a corpus; scoring needs partitions of units.  A cluster that crosses the
boundary of a unit is cut there, with a finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from lydite.errors import Finding, FormatError, Location, UsageError, refuse
from lydite.escaping import first_of
from lydite.formats.base import Options, text_option
from lydite.grouping import grouped
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Layers
from lydite.model.settings import TOPIC

WHOLE_CORPUS = "corpus"
"""The name of the only unit when the corpus is scored as one document."""


class PlacedCluster(NamedTuple):
    """A cluster of a corpus: its mentions, and the document of each mention at the same position in ``homes``."""

    id: str
    homes: Sequence[str]
    mentions: Sequence[Hashable]

    @classmethod
    def of(cls, cluster_id: str, members: Sequence[tuple[str, Hashable]]) -> PlacedCluster:
        """A cluster from members with their documents."""
        return cls(cluster_id, [home for home, _ in members], [mention for _, mention in members])


def unit_of(options: Options) -> Callable[[str], str]:
    """The function from the name of a document to its unit."""
    unit = options.get("unit") or "document"
    if unit == "corpus":
        return lambda _doc_id: WHOLE_CORPUS
    if unit == "topic":
        return topics(text_option(options, "topic-of", TOPIC))
    return lambda doc_id: doc_id


def topics(expression: str) -> Callable[[str], str]:
    """The function from the name of a document to its topic, by a regular expression."""
    try:
        pattern = re.compile(expression)
    except re.error as error:
        raise UsageError(f"setting 'topic-of': {expression!r} is no regular expression: {error}") from None

    def topic(doc_id: str) -> str:
        found = pattern.search(doc_id)
        if found is None:
            return doc_id
        return found.group(1) if pattern.groups else found.group()

    return topic


_RUN_ADDRESS = r"(?:0|[1-9][0-9]{0,17})(?:-(?:0|[1-9][0-9]{0,17}))+"


def address_of(doc_id: str, mention: Hashable) -> str:
    """The address of a mention: itself if it is an address, else its document, ``#``, and its id or runs of tokens.

    Runs of tokens are written ``first-end``, and ``first-end-first-end`` if there are several; ends are exclusive.
    Several addresses of one mention are joined by ``+``.
    """
    if is_address(mention):
        return "+".join(mention) if isinstance(mention, tuple) else str(mention)
    if isinstance(mention, tuple) and len(mention) == 2 and isinstance(mention[0], str):
        return address_of(*mention)
    if isinstance(mention, str) and doc_id in {mention, document_of(mention)}:
        # An id without "#" names its document by the text before its last slash, or by all of it.
        return mention
    return f"{doc_id}#{'-'.join(map(str, mention)) if isinstance(mention, tuple) else str(mention)}"


def document_of(address: str) -> str:
    """The document in an address: the text before ``#``, or before the last slash if there is no ``#``."""
    document, mark, _ = address.partition("#")
    return document if mark else address.rpartition("/")[0]


_NAME_SPACE = r"^[^:/#]*:(?!//)"
"""A prefix before the address of a mention; ``http://`` is not one."""


def without_name_space(name: str) -> str:
    """The name of a document without its prefix, which need not be declared."""
    return re.sub(_NAME_SPACE, "", name)


def two_name_spaces(path: str, prefix: str, address: str, before: str) -> FormatError:
    """The error for a prefix that stands for two name spaces: different mentions would look the same."""
    message = f"prefix {prefix!r} stands for {address!r} here, and for {before!r} before"
    hint = "mentions are compared by prefix and name: give each name space a prefix of its own"
    return refuse(path, "prefix-of-two-name-spaces", message, hint=hint)


def mention_at(address: str) -> Hashable:
    """The inverse of :func:`address_of`: the runs of tokens that an address names, else the address itself."""
    _, _, place = address.partition("#")
    if re.fullmatch(_RUN_ADDRESS, place) is None:
        return address
    edges = tuple(map(int, place.split("-")))
    rising = all(one < other for one, other in pairwise(edges))
    return edges if len(edges) % 2 == 0 and rising else address


def is_address(mention: Hashable) -> bool:
    """Whether a mention names its document itself, so that it is the same mention in every unit."""
    names = mention if isinstance(mention, tuple) else (mention,)
    return bool(names) and all(isinstance(name, str) and "#" in name for name in names)


def _is_address_in(doc_id: str, mention: Hashable) -> bool:
    """Whether a mention is an address in this document, or in one of those that were joined to it.

    A local id with ``#`` is none: two documents may use the same one.
    """
    if not is_address(mention):
        return False
    name = str(mention[0] if isinstance(mention, tuple) else mention).partition("#")[0]
    if doc_id == name or doc_id in {name.partition(":")[2], WHOLE_CORPUS, ""}:
        return True
    topic = re.match(TOPIC, name)
    return topic is not None and topic.group(1) == doc_id


def documents_by_unit(
    clusters: Iterable[PlacedCluster], options: Options, path: str, *, doc_ids: Iterable[str] | None = None
) -> tuple[dict[str, Document], list[Finding]]:
    """A document for each unit, by name, and findings about clusters that are cut.

    Where documents are joined, mentions become (document, mention) unless they are addresses, so that equal runs of
    tokens of two documents stay apart.  ``doc_ids`` are documents that exist even if no cluster has a mention there; if
    they are not known, a source without clusters is one empty document.
    """
    unit = unit_of(options)
    joins_documents = (options.get("unit") or "document") != "document"
    units: dict[str, list[Cluster]] = {unit(doc_id): [] for doc_id in doc_ids or ()}
    findings = []
    for cluster in clusters:
        cluster_id, homes, mentions = cluster
        if not joins_documents and homes and homes.count(homes[0]) == len(homes):
            units.setdefault(homes[0], []).append(Cluster(cluster_id, tuple(mentions)))
            continue
        parts: dict[str, list[Hashable]] = {}
        for doc_id, mention in zip(homes, mentions, strict=True):
            apart = joins_documents and not _is_address_in(doc_id, mention)
            parts.setdefault(unit(doc_id), []).append((doc_id, mention) if apart else mention)
        if len(parts) > 1:
            findings.append(_crossing(cluster_id, sorted(parts), path))
        for name, mentions in parts.items():
            units.setdefault(name, []).append(Cluster(cluster_id, tuple(mentions)))
    if not units and doc_ids is None:
        units[unit("")] = []
    documents = {
        name: Document(name, path=path, layers={"clusters": Partition(parts)})
        for name, parts in units.items()
    }
    return documents, findings


def _crossing(cluster_id: str, units: Sequence[str], path: str) -> Finding:
    shown = first_of([repr(unit) for unit in units])
    message = f"cluster {cluster_id!r} crosses {len(units)} units ({shown}) and is cut at their boundaries"
    hint = "score with --unit corpus to keep clusters whole"
    return Finding("cluster-cut", "warning", message, Location(path), item=cluster_id, hint=hint)


def regroup(corpus: Corpus, options: Options) -> Corpus:
    """The corpus with one document for each unit, if ``unit`` is not ``document``.

    Clusters with the same id become one, which is cut at the boundaries of units.  A unit keeps the number of tokens of
    each of its documents (None if the format has no tokens), so that the two sides can still be compared by them.
    """
    if (options.get("unit") or "document") == "document":
        return corpus
    unit = unit_of(options)
    joined: dict[tuple[str, str], list[tuple[str, Hashable]]] = {}
    findings = list(corpus.findings)
    tokens: dict[str, dict[str, int | None]] = {}
    prefixes: dict[str, str] = {}
    for doc_id, document in corpus.documents.items():
        findings.extend(document.findings)
        for prefix, address in document.layers.get("prefixes", {}).items():
            if prefixes.setdefault(prefix, address) != address:
                raise two_name_spaces(corpus.path, prefix, address, prefixes[prefix])
        counts = document.layers.get("token-counts") or {doc_id: document.layers.get("token-count")}
        tokens.setdefault(unit(doc_id), {}).update(counts)
        seen = {""}
        for number, cluster in enumerate(document.layers.get("clusters", ())):
            # A cluster without an id, or with the id of one before it in its document, is joined to no other.
            name = f"{doc_id} #{number}" if cluster.id in seen else name_apart(document, cluster)
            seen.add(cluster.id)
            place = joined.setdefault((unit(doc_id), name), [])
            place.extend(_document_and_mention(doc_id, member) for member in cluster.members)
    in_units = grouped((name, unit_name) for unit_name, name in joined)
    crossing = ((name, sorted(names)) for name, names in in_units.items() if len(names) > 1)
    findings.extend(_crossing(name, names, corpus.path) for name, names in crossing)
    clusters_of_units = (PlacedCluster.of(cluster_id, members) for (_, cluster_id), members in joined.items())
    documents, _ = documents_by_unit(clusters_of_units, options, corpus.path, doc_ids=corpus.documents)
    declared: Layers = {"prefixes": prefixes} if prefixes else {}
    documents = {
        name: document._replace(
            layers={**document.layers, **declared, "token-counts": dict(sorted(tokens[name].items()))}
        )
        for name, document in documents.items()
    }
    return replace(corpus, documents=documents, findings=tuple(findings))


def is_of_several(corpus: Corpus) -> bool:
    """Whether the documents that are written are several, or one of several, so that ids must tell them apart."""
    return len(corpus) > 1 or bool(corpus.facts.get("folder", False))


def has_local_clusters(document: Document) -> bool:
    """Whether the ids of its clusters are not shared with other documents."""
    clusters = document.layers.get("clusters")
    return isinstance(clusters, Partition) and clusters.local


def name_apart(document: Document, cluster: Cluster) -> str:
    """An id for a cluster in a corpus: a local one behind the name of its document, any other as it is."""
    return f"{document.doc_id} {cluster.id}" if has_local_clusters(document) else cluster.id


def _document_and_mention(doc_id: str, one: object) -> tuple[str, Hashable]:
    """The document and the mention; a member of a unit that was joined before has its document with it."""
    if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) and not is_address(one):
        return one[0], one[1]
    return doc_id, one
