"""The diagnosis beside the scores: the clusters behind true positives, false positives and misses, with judgements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from operator import itemgetter

from lydite.align.arguments import GoldSide
from lydite.formats.eal import argument_columns, assessment_columns, span_text
from lydite.metrics.assessed import MEASURES, ClusterOutcome
from lydite.model.argument import Argument, Assessment, Filler
from lydite.model.argument_alignment import ArgumentCluster, ClusterCase
from lydite.tasks.arguments.documents import ArgumentComparison, Entry, Listed
from lydite.tasks.arguments.exact import EventComparison
from lydite.tasks.arguments.items import ItemComparison


def diagnose(comparison: EventComparison) -> Mapping[str, object]:
    """Lists of clusters per measurement; one cluster may be a false positive and a miss."""
    if isinstance(comparison, ItemComparison):
        from lydite.tasks.arguments.item_verdicts import diagnose as diagnose_items

        return diagnose_items(comparison)
    if not isinstance(comparison, ArgumentComparison):
        return comparison.diagnosis()
    known, clusters = comparison.listed, comparison.alignment.clusters
    listed = [known.get(cluster) or _list_cluster(cluster, comparison) for cluster in clusters]
    lists: list[list[Entry]] = [[] for _ in _LISTS]
    for _, entries in sorted(listed, key=itemgetter(0)):
        for place, entry in entries:
            lists[place].append(entry)
    classes: dict[str, dict[str, list[Entry]]] = {name: {} for name in MEASURES}
    for (name, kind), entries_of_list in zip(_LISTS, lists, strict=True):
        classes[name][kind] = entries_of_list
    return {"classes": classes, "genre": comparison.genre, "rules": comparison.alignment.counts.as_dict()}


_LISTS = [(name, kind) for name in MEASURES for kind in ClusterOutcome._fields]
"""The lists of clusters: the measure, and the count (tp, fp, fn) that puts a cluster there."""


def _list_cluster(cluster: ArgumentCluster, comparison: ArgumentComparison) -> Listed:
    """The sort key of a cluster (type, role, realis, fillers), and its entries with the numbers of their lists."""
    gold, fillers = comparison.gold, cluster.fillers
    answers, misses = _lists_of(cluster.case)
    entries: list[tuple[int, Entry]] = []
    if answers:
        answered = _entry(cluster, fillers, cluster.selected, gold)
        entries += [(place, answered) for place in answers]
    if misses:
        # A good argument of the pool in this cluster, which the system could have given.
        good = min([one for one in cluster.gold if one in gold.good.arguments], default=None)
        missed = _entry(cluster, fillers, good, gold)
        entries += [(place, missed) for place in misses]
    listed = comparison.listed[cluster] = (*cluster.identity[:3], fillers), entries
    return listed


@cache
def _lists_of(case: ClusterCase) -> tuple[list[int], list[int]]:
    """The numbers of the lists that show a cluster with the system's answer, and of those that show it as missed."""
    counted = [place for place, (name, kind) in enumerate(_LISTS) if getattr(MEASURES[name](case), kind)]
    misses = [place for place in counted if _LISTS[place][1] == "fn"]
    return [place for place in counted if place not in misses], misses


def _entry(
    cluster: ArgumentCluster, fillers: list[Filler], example: Argument | None, gold: GoldSide
) -> Entry:
    """The cluster as lists show it, with the argument that represents it."""
    event_type, role, realis, _ = cluster.identity
    return {
        "event_type": event_type,
        "role": role,
        "realis": realis,
        "fillers": [f"{span_text(span)}:{text}" for text, span in fillers],
        "argument": None if example is None else "\t".join(argument_columns(example)),
        "assessment": None if example is None else _judgement(gold.assessments.get(example)),
    }


@lru_cache(maxsize=4096)
@lru_cache(maxsize=1024)
def _judgement(assessment: Assessment | None) -> str:
    if assessment is None:
        return "not assessed"
    columns = assessment_columns(assessment, None)
    return " ".join([*columns[:4], *columns[5:]])
