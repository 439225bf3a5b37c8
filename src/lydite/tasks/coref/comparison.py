"""Two documents side by side: their clusters over shared integers, and what was repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from lydite.align.clusters import Repeat, align_clusters, clusters_of, find_repeats, with_common_prefixes
from lydite.model import Document, DocumentPair
from lydite.model.cluster import Cluster, ClusterAlignment, Partition
from lydite.model.event_pairs import as_clusters, complete_clusters
from lydite.tasks.coref.settings import SAME, CorefSettings

if TYPE_CHECKING:
    from lydite.align.nodes import NodePairing
    from lydite.model.nodes import NodeCluster


COUNTS: Final = "counts"
"""The layer of a system's only document that holds the counts of whole tables."""


class Coreference(NamedTuple):
    """What all measurements of a document share."""

    pair: DocumentPair
    gold: Sequence[Cluster]
    system: Sequence[Cluster]
    alignment: ClusterAlignment
    repeats: Sequence[Repeat]
    echoed: bool = False
    """Whether the report shows the clusters as they were read."""
    copies_stay: bool = False
    """Whether repeats are treated as the CoNLL scorer does, which prints lines about them."""
    paired: NodePairing | None = None
    """How mentions over nodes were paired."""


def compare(pair: DocumentPair, settings: CorefSettings) -> Coreference:
    """Number the mentions, treat repeats, drop singletons: in this order."""
    counts = pair.system.layers.get(COUNTS)
    if counts is not None:
        return Coreference(pair, (), (), ClusterAlignment(counts=counts), ())
    singletons = settings.singletons == "keep"
    if settings.mentions == "gold":
        pair = _over_gold_mentions(pair)
    if settings.match != SAME:
        return _compare_nodes(pair, settings, singletons=singletons)
    gold, system = with_common_prefixes(pair.gold, pair.system)
    policy = settings.repeats
    alignment = align_clusters(gold, system, repeats=policy, singletons=singletons)
    return Coreference(
        pair,
        gold,
        system,
        alignment,
        () if alignment.as_given else find_repeats(gold, system, policy),
        echoed=settings.official_layout == "v8.01-documents",
        copies_stay=policy == "v8.01",
    )


def _over_gold_mentions(pair: DocumentPair) -> DocumentPair:
    """The pair with the system's clusters over the mentions of gold."""
    mentions = [member for cluster in clusters_of(pair.gold) for member in cluster.members]
    members = complete_clusters((cluster.members for cluster in clusters_of(pair.system)), mentions)
    layers = {**pair.system.layers, "clusters": Partition(as_clusters(members), local=True)}
    return pair._replace(system=pair.system._replace(layers=layers))  # type: ignore[arg-type]


def _compare_nodes(pair: DocumentPair, settings: CorefSettings, *, singletons: bool) -> Coreference:
    from lydite.align.nodes import align_nodes
    from lydite.model.nodes import node_mention_text

    gold, system = (over_nodes(side) for side in (pair.gold, pair.system))
    paired = align_nodes(
        gold,
        system,
        match=settings.match,
        dependent_zeros=settings.zeros == "dependent",
        singletons=singletons,
    )
    # A system mention goes by the name of its partner, so that names tell what became of a cluster.
    partner_names = {theirs: node_mention_text(ours) for ours, theirs in paired.pairs}
    gold_by_name, system_by_name = (
        [
            Cluster(
                cluster.id,
                tuple(names.get(mention, node_mention_text(mention)) for mention in cluster.members),
            )
            for cluster in clusters
        ]
        for clusters, names in ((gold, {}), (system, partner_names))
    )
    return Coreference(pair, gold_by_name, system_by_name, paired.alignment, paired.repeats, paired=paired)


def over_nodes(document: Document) -> Sequence[NodeCluster]:
    """The clusters of a document whose mentions are sets of nodes."""
    trees = document.layers.get("trees")
    return trees.clusters if trees is not None else ()
