"""Why each event mention counts or not in coreference: the verdicts of coreference over the elements of nuggets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.align.chains import cluster_labels
from lydite.align.comparison import MentionComparison
from lydite.errors import UsageError
from lydite.model import Document, Mention
from lydite.model.cluster import Members
from lydite.model.verdict import GOLD, SYSTEM, Explained, Side, Verdict, uncounted
from lydite.model.word_text import Ranges
from lydite.tasks.coref.fates import ClusterMember, Fates, judged
from lydite.tasks.coref.verdicts import CAUSES, NO_CREDIT, MentionJudge
from lydite.tasks.nugget.coreference import is_left_out
from lydite.tasks.nugget.fates import Places
from lydite.tasks.nugget.settings import NuggetSettings

__all__ = ["CAUSES", "verdicts"]


def verdicts(explained: Explained[MentionComparison], settings: NuggetSettings) -> Iterator[Verdict]:
    """A verdict for every mention that is an element of a cluster, gold first; credit is B³ credit."""
    if not settings.measures_coreference:
        raise UsageError("--measurement coref: coreference is not measured", hint="--coref on measures it")
    comparison = explained.comparison
    if is_left_out(comparison, settings):
        why = f"the coreference average of {explained.doc_id} is 0 (quirk drop-zero-documents)"
        for side, document in ((GOLD, comparison.gold), (SYSTEM, comparison.system)):
            yield from (_left_out(explained.doc_id, side, mention, why) for mention in document.mentions)
        return
    fates = _fates(comparison)
    places = Places(comparison)
    mentions = {
        (side, mention.id): mention
        for side, document in ((GOLD, comparison.gold), (SYSTEM, comparison.system))
        for mention in document.mentions
    }

    def words_of(side: Side, item: ClusterMember) -> tuple[str, Ranges]:
        mention = mentions[side, item.name]
        return mention.text, places.of(mention)

    judge = MentionJudge(explained.doc_id, fates, words_of)
    yield from judge.side(GOLD)
    counted = {item.name for cluster in fates.gold for item in cluster}
    why = "no system mention is paired with it, and gold's clusters are without it (quirk drop-unpaired-gold)"
    for mention in comparison.gold.mentions:
        if mention.id not in counted:
            yield _left_out(explained.doc_id, GOLD, mention, why)
    yield from judge.side(SYSTEM)


def _left_out(doc_id: str, side: Side, mention: Mention, why: str) -> Verdict:
    return uncounted(doc_id, side, mention.id, why, nothing=NO_CREDIT, line=mention.line, type=mention.type)


def _fates(comparison: MentionComparison) -> Fates:
    """The elements of both sides under the names of their mentions."""
    clusters = comparison.clusters
    own = dict(enumerate(comparison.gold.mentions))
    mentions = comparison.system.mentions
    theirs = {at: mentions[partner] for at, partner in comparison.elements.items()}
    theirs.update(enumerate(mentions, len(own)))
    named = ({at: (_key(one), one.id) for at, one in side.items()} for side in (own, theirs))
    gold, system = judged(clusters, *named)
    return Fates(
        gold,
        system,
        tuple(_names(comparison.gold, clusters.gold, own)),
        tuple(_names(comparison.system, clusters.system, theirs)),
    )


def _key(mention: Mention) -> tuple[int, ...] | str:
    """Where it stands, for what overlaps and for the order of the text; token ids tell neither."""
    ranges = mention.span.merged()
    return tuple(offset for one in ranges for offset in one) if ranges else mention.id


def _names(document: Document, clusters: Sequence[Members], mentions: Mapping[int, Mention]) -> Iterator[str]:
    """What clusters are called: the id of their relation, or their only mention."""
    labels = dict(zip((mention.id for mention in document.mentions), cluster_labels(document), strict=True))
    for cluster in clusters:
        first = mentions[cluster[0]].id
        label = labels[first]
        yield document.relations[label].id or first if label < len(document.relations) else first
