"""What stands beside the scores: the clusters behind true positives, false positives and misses, with their judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter

from lydite.formats.eal import argument_columns, assessment_columns, show_span
from lydite.metrics.assessed import MEASURES
from lydite.model.argument import Argument, Assessment, Filler
from lydite.model.argument_alignment import ArgumentAlignment, Case, Cluster
from lydite.tasks.arguments.documents import ArgumentComparison, Entry, Shown
from lydite.tasks.arguments.exact import EventComparison


def diagnose(comparison: EventComparison) -> Mapping[str, object]:
    """Lists of clusters per measurement; one cluster may be a false positive and a miss."""
    if not isinstance(comparison, ArgumentComparison):
        return dict(comparison.diagnosis())
    alignment = comparison.alignment
    classes: dict[str, dict[str, list[Entry]]] = {name: {"tp": [], "fp": [], "fn": []} for name in MEASURES}
    known = comparison.shown
    shown = [known.get(cluster) or _shown(cluster, comparison) for cluster in alignment.clusters]
    for _, entries in sorted(shown, key=itemgetter(0)):
        for name, kind, entry in entries:
            classes[name][kind].append(entry)
    return {"classes": classes, "genre": comparison.genre, "rules": alignment.counts.as_dict()}


def _shown(cluster: Cluster, comparison: ArgumentComparison) -> Shown:
    """A cluster by type, role, realis and fillers, which is the order of lists, and its entries in them."""
    alignment, fillers, lists = comparison.alignment, cluster.fillers, _lists(cluster.case)
    made = {
        is_missed: _entry(
            cluster, fillers, _right(cluster, alignment) if is_missed else cluster.selected, alignment
        )
        for is_missed in {is_missed for is_missed, _, _ in lists}
    }
    entries = [(name, kind, made[is_missed]) for is_missed, name, kind in lists]
    shown = comparison.shown[cluster] = (*cluster.identity[:3], fillers), entries
    return shown


@cache
def _lists(case: Case) -> Sequence[tuple[bool, str, str]]:
    """The lists that a cluster stands in: whether it is one of misses, the measure, and its name."""
    return [
        (kind == "fn", name, kind)
        for name, measure in MEASURES.items()
        for kind, holds in measure(case)._asdict().items()
        if holds
    ]


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
