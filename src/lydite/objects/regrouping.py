"""Corpora of clusters given as objects, by topic or as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lydite.formats.units import regroup
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition
from lydite.objects import FROM_OBJECTS


def regrouped(corpus: Corpus, options: Mapping[str, object]) -> Corpus:
    """The corpus in the units that the options say; a cluster without a name is no cluster of another document."""
    if corpus.facts.get(FROM_OBJECTS):
        documents = {doc_id: _with_own_names(document) for doc_id, document in corpus.documents.items()}
        corpus = replace(corpus, documents=documents)
    return regroup(corpus, options)


def _with_own_names(document: Document) -> Document:
    clusters = [
        Cluster(f"{document.doc_id} {cluster.id}", cluster.members)
        for cluster in document.layers.get("clusters", ())
    ]
    return document._replace(layers={**document.layers, "clusters": Partition(clusters)})
