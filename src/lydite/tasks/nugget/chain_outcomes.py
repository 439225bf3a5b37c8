"""Why each event mention counts or not in coreference: the outcomes of coreference over the elements of nuggets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from lydite.align.chains import cluster_labels
from lydite.align.comparison import MentionComparison
from lydite.errors import UsageError
from lydite.model import Document, Mention
from lydite.model.cluster import Members
from lydite.model.outcome import Outcome
from lydite.model.verdict import GOLD, SYSTEM, Explained, Side
from lydite.model.word_text import Ranges
from lydite.tasks.coref.outcomes import ClusterMember, LocatedClusters, locate_members
from lydite.tasks.coref.verdicts import CAUSES, NO_CREDIT, ClusterOutcomes
from lydite.tasks.nugget.coreference import is_left_out
from lydite.tasks.nugget.outcomes import MentionPlaces, filtered_mentions, left_out_mention, sides_of
from lydite.tasks.nugget.settings import NuggetSettings

__all__ = ["CAUSES", "outcomes"]


def outcomes(explained: Explained[MentionComparison], settings: NuggetSettings) -> Iterator[Outcome]:
    """The outcomes of the mentions that are elements of clusters, gold first; credit is B³ credit."""
    if not settings.measures_coreference:
        raise UsageError("--measurement coref: coreference is not measured", hint="--coref on measures it")
    comparison = explained.comparison
    counted = None if is_left_out(comparison, settings) else _cluster_outcomes(comparison)
    in_clusters = {at for cluster in comparison.clusters.gold for at in cluster}
    zero_average = f"the coreference average of {explained.doc_id} is 0 (quirk drop-zero-documents)"
    unpaired = (
        "no system mention is paired with it, and gold's clusters are without it (quirk drop-unpaired-gold)"
    )
    for side, document, compared in sides_of(explained):
        if counted is not None:
            yield from counted.of_side(side)
        for at, mention in enumerate(compared.mentions):
            if counted is None or (side == GOLD and at not in in_clusters):
                why = zero_average if counted is None else unpaired
                yield left_out_mention(side, mention, why, nothing=NO_CREDIT)
        yield from filtered_mentions(document, side, settings, nothing=NO_CREDIT)


def _cluster_outcomes(comparison: MentionComparison) -> ClusterOutcomes:
    places = MentionPlaces(comparison)
    mentions: dict[tuple[str, Hashable, str], Mention] = {
        (side, _key(mention), mention.id): mention
        for side, document in ((GOLD, comparison.gold), (SYSTEM, comparison.system))
        for mention in document.mentions
    }

    def words_of(side: Side, item: ClusterMember) -> tuple[str, Ranges]:
        mention = mentions[side, item.key, item.name]
        return mention.text, places.ranges_of(mention)

    return ClusterOutcomes(_locate_clusters(comparison), words_of)


def _locate_clusters(comparison: MentionComparison) -> LocatedClusters:
    """The elements of both sides under the names of their mentions."""
    clusters = comparison.clusters
    gold_mentions = dict(enumerate(comparison.gold.mentions))
    mentions = comparison.system.mentions
    system_mentions = {at: mentions[partner] for at, partner in comparison.elements.items()}
    system_mentions.update(enumerate(mentions, len(gold_mentions)))
    named = (
        {at: (_key(mention), mention.id) for at, mention in side.items()}
        for side in (gold_mentions, system_mentions)
    )
    gold, system = locate_members(clusters, *named)
    return LocatedClusters(
        gold,
        system,
        tuple(_cluster_names(comparison.gold, clusters.gold, gold_mentions)),
        tuple(_cluster_names(comparison.system, clusters.system, system_mentions)),
    )


def _key(mention: Mention) -> tuple[int, ...] | str:
    """The place of a mention, by which overlaps and the order of the text are known; its id where spans are token ids."""
    ranges = mention.span.merged()
    return tuple(offset for one in ranges for offset in one) if ranges else mention.id


def _cluster_names(
    document: Document, clusters: Sequence[Members], mentions: Mapping[int, Mention]
) -> Iterator[str]:
    """The names of clusters: the id of their relation, or of their only mention."""
    labels = dict(zip((mention.id for mention in document.mentions), cluster_labels(document), strict=True))
    for cluster in clusters:
        first = mentions[cluster[0]].id
        label = labels[first]
        yield document.relations[label].id or first if label < len(document.relations) else first
