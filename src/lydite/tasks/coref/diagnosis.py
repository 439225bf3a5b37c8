"""What is reported beside scores: the fate of every cluster, and the running sums of the official program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.model.cluster import (
    Cluster,
    ClusterAlignment,
    OverlapTable,
    mention_text,
    overlap_table_of_copies,
)
from lydite.tasks.coref.comparison import Coreference

if TYPE_CHECKING:
    # Only types, and slow to load.
    from lydite.model.diagnosis import RunningSums


def diagnose(comparison: Coreference) -> Mapping[str, object]:
    """Counts, every cluster with what became of it, and the running sums behind the official percentages."""
    alignment = comparison.alignment
    return {
        "counts": {
            "gold_clusters": len(alignment.gold),
            "system_clusters": len(alignment.system),
            "gold_mentions": sum(map(len, alignment.gold)),
            "system_mentions": sum(map(len, alignment.system)),
            "repeats_dropped": sum(repeat.dropped for repeat in comparison.repeats),
        },
        "clusters": {
            "gold": _describe_clusters(comparison.gold, comparison.system, ("missed", "split")),
            "system": _describe_clusters(comparison.system, comparison.gold, ("spurious", "merged")),
        },
        "agreement": {}
        if alignment.repeated or alignment.found is not None
        else {"link": _links(alignment.table)},
        **({} if alignment.found is not None else {"running": running_sums(alignment)}),
        **_official_lines(comparison),
    }


def _official_lines(comparison: Coreference) -> dict[str, object]:
    """What the CoNLL scorer prints about single documents, and their place in the order of gold's files."""
    lines: dict[str, object] = {}
    if comparison.repeats and comparison.copies_stay:
        lines["copies"] = _copies(comparison)
    if comparison.echoed:
        lines["echo"] = _echo(comparison)
    gold = comparison.pair.gold
    return {"place": [gold.path, gold.line], **lines} if lines else {}


def running_sums(alignment: ClusterAlignment) -> RunningSums:
    """Credits as the CoNLL scorer adds them up, one by one."""
    from lydite.metrics.coreference_repeats import running_b_cubed, running_ceaf_e

    sides = alignment.gold, alignment.system
    for_recall, for_precision = running_b_cubed(*sides)
    table = overlap_table_of_copies(*sides) if alignment.repeated else alignment.table
    return {
        "b-cubed": {"gold_credit": for_recall, "system_credit": for_precision},
        "ceaf-e": {"credit": running_ceaf_e(table)},
    }


def _echo(comparison: Coreference) -> dict[str, object]:
    """The clusters as they were read, and what was discarded; None for a system that lacks the document."""
    pair = comparison.pair
    sides = ("gold", pair.gold, comparison.gold), ("system", pair.system, comparison.system)
    return {
        side: {
            "discarded": list(document.layers.get("discarded", ())),
            "clusters": [[_official_mention(mention) for mention in cluster.members] for cluster in clusters],
        }
        if document.present
        else None
        for side, document, clusters in sides
    }


def _copies(comparison: Coreference) -> dict[str, list[list[object]]]:
    """Mentions that are written again, with the numbers that the CoNLL scorer gives to copies of gold mentions.

    Gold mentions are numbered from 0, cluster by cluster.  ``gold``: first and last token, the number of the copy before
    and of this one; ``system``: of a copy that is dropped first and last token, and the number of gold's last copy.
    """
    last: dict[Hashable, int] = {}
    gold = []
    for number, mention in enumerate(mention for cluster in comparison.gold for mention in cluster.members):
        if mention in last:
            gold.append([*_first_and_last(mention), last[mention], number])
        last[mention] = number
    system = [
        [*_first_and_last(repeat.mention), last[repeat.mention]]
        for repeat in comparison.repeats
        if repeat.side == "system" and repeat.dropped
    ]
    return {"gold": gold, "system": system}


def _first_and_last(mention: Hashable) -> tuple[object, object]:
    """First and last token of a mention; of a mention of another kind its text, twice."""
    if isinstance(mention, tuple) and len(mention) == 2 and all(isinstance(part, int) for part in mention):
        return mention[0], mention[1] - 1
    return mention_text(mention), mention_text(mention)


def _official_mention(mention: Hashable) -> str:
    """A mention as the CoNLL scorer writes it: first and last token; another kind of mention by its text."""
    first, last = _first_and_last(mention)
    return str(first) if isinstance(first, str) else f"({first},{last})"


def _links(table: OverlapTable) -> dict[str, dict[str, int]]:
    """Numbers of pairs of mentions that both sides have: linked or apart in gold, and in the system."""
    from lydite.metrics.cluster_counts import count_table
    from lydite.metrics.coreference import blanc_of_common_mentions

    links = blanc_of_common_mentions(count_table(table))
    both = links.common_coreference
    return {
        "linked": {"linked": both, "apart": links.gold_coreference - both},
        "apart": {"linked": links.system_coreference - both, "apart": links.common_other},
    }


def _describe_clusters(
    ours: Sequence[Cluster], theirs: Sequence[Cluster], words: tuple[str, str]
) -> list[dict[str, object]]:
    """For each cluster whether it is found whole, in part, in several clusters of the other side, or in none.

    ``words`` are what the last two are called: ``missed`` for none and ``split`` for several, for instance.
    """
    home = {mention: position for position, cluster in enumerate(theirs) for mention in cluster.members}
    none, several = words
    entries = []
    for cluster in ours:
        parts = Counter(home[mention] for mention in cluster.members if mention in home)
        absent = [mention_text(mention) for mention in cluster.members if mention not in home]
        fate = none if not parts else several if len(parts) > 1 else "partial"
        if len(parts) == 1 and not absent:
            (at,) = parts
            fate = "whole" if len(theirs[at].members) == len(cluster.members) else "partial"
        entries.append(
            {
                "id": cluster.id,
                "size": len(cluster.members),
                "fate": fate,
                "parts": {cluster_name(theirs[at], at): common for at, common in parts.items()},
                none: absent,
            }
        )
    return entries


def cluster_name(cluster: Cluster, position: int) -> str:
    """The id of a cluster, or its place in the file."""
    return cluster.id or f"#{position + 1}"
