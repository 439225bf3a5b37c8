"""What counts as one document when clusters cross documents: the document, the topic, or the whole corpus.

Cross-document formats say which clusters a corpus has; scoring needs partitions of units.  A cluster that crosses the
boundary of a unit is cut there, and a finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from lydite.errors import Finding, Location, UsageError
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition

Member = TypeVar("Member", bound=Hashable)

WHOLE_CORPUS = "corpus"
"""The name of the only unit when the corpus is scored as one document."""

TOPIC = r"^(?:[^:/]*:)?([^/]*)/"
"""The text before the first slash, without a name space."""


class Placed(NamedTuple):
    """A cluster of a corpus: every member as (document, mention)."""

    id: str
    members: Sequence[tuple[str, Hashable]]


def unit_of(options: Mapping[str, Any]) -> Callable[[str], str]:
    """The unit that a document belongs to, by its name."""
    unit = options.get("unit") or "document"
    if unit == "corpus":
        return lambda _doc_id: WHOLE_CORPUS
    if unit == "topic":
        return _topics(options.get("topic-of") or TOPIC)
    return lambda doc_id: doc_id


def _topics(expression: str) -> Callable[[str], str]:
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


def group(
    clusters: Iterable[Placed], options: Mapping[str, Any], path: str, *, doc_ids: Iterable[str] = ()
) -> tuple[dict[str, Document], list[Finding]]:
    """Documents by unit; members keep the name of their document, so equal mentions of two documents stay apart.

    ``doc_ids`` are documents that exist although they may hold no mention.
    """
    unit = unit_of(options)
    units: dict[str, list[Cluster]] = {unit(doc_id): [] for doc_id in doc_ids}
    findings = []
    for cluster in clusters:
        parts: dict[str, list[Hashable]] = {}
        for member in cluster.members:
            parts.setdefault(unit(member[0]), []).append(member)
        if len(parts) > 1:
            findings.append(_crossing(cluster, sorted(parts), path))
        for name, members in parts.items():
            units.setdefault(name, []).append(Cluster(cluster.id, tuple(members)))
    documents = {
        name: Document(name, path=path, layers={"clusters": Partition(parts)})
        for name, parts in units.items()
    }
    return documents, findings


def _crossing(cluster: Placed, units: Sequence[str], path: str) -> Finding:
    shown = ", ".join(map(repr, units[:3])) + (", …" if len(units) > 3 else "")
    return Finding(
        "cluster-cut",
        "warning",
        f"cluster {cluster.id!r} crosses {len(units)} units ({shown}) and is cut at their boundaries",
        Location(path),
        item=cluster.id,
        hint="score with --unit corpus to keep clusters whole",
    )


def regroup(corpus: Corpus, options: Mapping[str, Any]) -> Corpus:
    """A corpus of documents scored by topic or as a whole: clusters with the same id become one.

    A unit keeps the number of tokens of each of its documents (None where the format has no tokens), so that the two
    sides can still be held together.
    """
    if (options.get("unit") or "document") == "document":
        return corpus
    unit = unit_of(options)
    joined: dict[tuple[str, str], list[tuple[str, Hashable]]] = {}
    findings = list(corpus.findings)
    tokens: dict[str, dict[str, int | None]] = {}
    for doc_id, document in corpus.documents.items():
        findings.extend(document.findings)
        tokens.setdefault(unit(doc_id), {})[doc_id] = document.layers.get("token-count")
        for cluster in document.layers["clusters"]:
            place = joined.setdefault((unit(doc_id), cluster.id), [])
            place.extend((doc_id, member) for member in cluster.members)
    placed = (Placed(cluster_id, members) for (_, cluster_id), members in joined.items())
    documents, _ = group(placed, options, corpus.path, doc_ids=corpus.documents)
    documents = {
        name: replace(
            document, layers={**document.layers, "token-counts": dict(sorted(tokens[name].items()))}
        )
        for name, document in documents.items()
    }
    return Corpus(
        name=corpus.name,
        documents=documents,
        path=corpus.path,
        format=corpus.format,
        sha256=corpus.sha256,
        findings=tuple(findings),
        facts=corpus.facts,
    )


def closure(sets: Iterable[tuple[str, Sequence[Member]]]) -> list[tuple[str, list[Member]]]:
    """Sets that share a member joined, each under the id of its first set and with every member once."""
    numbered = list(sets)
    parent = list(range(len(numbered)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    first: dict[Member, int] = {}
    for number, (_, members) in enumerate(numbered):
        for member in members:
            one, other = root(first.setdefault(member, number)), root(number)
            parent[max(one, other)] = min(one, other)
    joined: dict[int, dict[Member, None]] = {}
    for number, (_, members) in enumerate(numbered):
        joined.setdefault(root(number), {}).update(dict.fromkeys(members))
    return [(numbered[number][0], list(members)) for number, members in joined.items() if members]
