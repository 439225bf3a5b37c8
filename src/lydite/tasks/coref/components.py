"""Connected components of a corpus with one partition: the smallest sets of documents that no cluster leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from lydite.escaping import in_bytes
from lydite.formats.units import WHOLE_CORPUS, document_of, is_address, without_name_space
from lydite.grouping import closure
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import NO_LAYERS, some_layers
from lydite.pipeline.task import SamplingUnit
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.settings import CorefSettings


def sampling_unit(settings: CorefSettings) -> SamplingUnit[Coreference]:
    """Components where the whole corpus is scored as one document, else documents."""
    return SamplingUnit("component", split) if settings.unit == WHOLE_CORPUS else SamplingUnit()


def split(corpora: Sequence[Corpus], group: Callable[[str], str]) -> list[Corpus]:
    """The corpora, gold first, with a document for each set of groups that no cluster of any corpus leaves.

    ``group`` names the group that a document belongs to anyway.  A set has the first of its names in byte order.
    """
    documents = (document for corpus in corpora for document in corpus.documents.values())
    # Some formats also name documents without a mention.
    doc_ids = (doc_id for document in documents for doc_id in document.layers.get("token-counts", ()))
    connected: list[tuple[str, ...]] = [(group(doc_id),) for doc_id in doc_ids]
    connected += [tuple(dict.fromkeys(map(group, names))) for one in corpora for _, names in _clusters(one)]
    home = {name: min(names, key=in_bytes) for _, names in closure(connected) for name in names}
    units = sorted(set(home.values()), key=in_bytes)
    return [_split(corpus, lambda doc_id: home[group(doc_id)], units) for corpus in corpora]


def _split(corpus: Corpus, unit_of: Callable[[str], str], units: Sequence[str]) -> Corpus:
    parts: dict[str, list[Cluster]] = {name: [] for name in units}
    for cluster, doc_ids in _clusters(corpus):
        parts[unit_of(doc_ids[0])].append(cluster)
    # Prefixes decide which mentions of two sides are the same.
    declared = [some_layers(document.layers, ("prefixes",)) for document in corpus.documents.values()]
    layers = declared[0] if declared else NO_LAYERS
    documents = {
        name: Document(name, path=corpus.path, layers={**layers, "clusters": Partition(clusters)})
        for name, clusters in parts.items()
    }
    return replace(corpus, documents=documents, findings=())


def _clusters(corpus: Corpus) -> Iterable[tuple[Cluster, Sequence[str]]]:
    """The clusters, each with the documents of its mentions, whose names are without the prefix of a name space."""
    for document in corpus.documents.values():
        name_of = without_name_space if "prefixes" in document.layers else str
        for cluster in document.layers["clusters"]:
            if cluster.members:
                yield cluster, [name_of(name) for member in cluster.members for name in documents_of(member)]


def documents_of(member: Hashable) -> list[str]:
    """The documents that a mention of a joined corpus stands in."""
    if isinstance(member, tuple) and member and not is_address(member) and isinstance(member[0], str):
        return [member[0]]
    return [document_of(str(address)) for address in (member if isinstance(member, tuple) else (member,))]
