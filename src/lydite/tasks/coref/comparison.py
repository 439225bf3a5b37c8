"""Two documents side by side: their clusters over shared integers, and what was repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lydite.align.clusters import Repeat, align_clusters, repeats, same_names
from lydite.model import DocumentPair
from lydite.model.cluster import Cluster, ClusterAlignment
from lydite.profile import Profile


class Coreference(NamedTuple):
    """What all measurements of a document share."""

    pair: DocumentPair
    gold: Sequence[Cluster]
    system: Sequence[Cluster]
    alignment: ClusterAlignment
    repeats: Sequence[Repeat]
    echoed: bool = False
    """Whether the report shows the clusters as they were read."""


def compare(pair: DocumentPair, profile: Profile) -> Coreference:
    """Number the mentions, treat repeats, drop singletons: in this order."""
    gold, system = same_names(pair.gold, pair.system)
    policy = profile["repeats"]
    return Coreference(
        pair,
        gold,
        system,
        align_clusters(gold, system, repeats=policy, singletons=profile["singletons"] == "keep"),
        repeats(gold, system, policy),
        echoed=profile["official-layout"] == "v8.01-documents",
    )
