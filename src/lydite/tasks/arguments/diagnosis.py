"""What stands beside the scores: the clusters behind true positives, false positives and misses, with their judgements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from lydite.formats.eal import argument_columns, assessment_columns, show_span
from lydite.metrics.assessed import MEASURES
from lydite.model.argument import Argument, Assessment, Filler
from lydite.model.argument_alignment import ArgumentAlignment, Cluster
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.exact import EventComparison


def diagnose(comparison: EventComparison) -> Mapping[str, object]:
    """Lists of clusters per measurement; one cluster may be a false positive and a miss."""
    if not isinstance(comparison, ArgumentComparison):
        return dict(comparison.diagnosis())
    alignment = comparison.alignment
    classes: dict[str, dict[str, list[Entry]]] = {}
    measured = []
    for name in MEASURES:
        lists = classes[name] = {"tp": [], "fp": [], "fn": []}
        measured.append((lists, {outcome[0][0]: outcome for outcome in comparison.outcomes(name)}))
    for cluster, fillers in _in_order(alignment):
        answered = missed = None  # what stands in the lists of several measurements is made once
        for lists, outcomes in measured:
            _, tp, fp, fn = outcomes.get(cluster.identity, _NOTHING)
            if tp or fp:
                if answered is None:
                    answered = _entry(cluster, fillers, cluster.selected, alignment)
                lists["tp" if tp else "fp"].append(answered)
            if fn:
                if missed is None:
                    missed = _entry(cluster, fillers, _right(cluster, alignment), alignment)
                lists["fn"].append(missed)
    return {"classes": classes, "genre": comparison.genre, "rules": alignment.counts.as_dict()}


Entry = dict[str, object]
_NOTHING = None, False, False, False
"""The outcome of a cluster that counts as nothing."""


def _in_order(alignment: ArgumentAlignment) -> list[tuple[Cluster, list[Filler]]]:
    """Clusters as the lists have them, by type, role, realis and fillers, and their fillers."""
    clusters = [(cluster, cluster.fillers) for cluster in alignment.clusters]
    return sorted(clusters, key=lambda one: (*one[0].identity[:3], one[1]))


def _right(cluster: Cluster, alignment: ArgumentAlignment) -> Argument | None:
    """One good argument of the pool: what could have been found."""
    return min(alignment.good.arguments.intersection(cluster.gold), default=None)


def _entry(
    cluster: Cluster, fillers: list[Filler], shown: Argument | None, alignment: ArgumentAlignment
) -> Entry:
    """The cluster as lists show it, with the argument that speaks for it."""
    event_type, role, realis, _ = cluster.identity
    return {
        "event_type": event_type,
        "role": role,
        "realis": realis,
        "fillers": [f"{show_span(span)}:{text}" for text, span in fillers],
        "argument": None if shown is None else _argument(shown),
        "assessment": None if shown is None else _judgement(alignment.assessment(shown)),
    }


@lru_cache(maxsize=4096)
def _argument(argument: Argument) -> str:
    return "\t".join(argument_columns(argument))


@lru_cache(maxsize=1024)
def _judgement(assessment: Assessment | None) -> str:
    if assessment is None:
        return "not assessed"
    columns = assessment_columns(assessment, None)
    return " ".join([*columns[:4], *columns[5:]])
