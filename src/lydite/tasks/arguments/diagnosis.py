"""What stands beside the scores: the clusters behind true positives, false positives and misses, with their judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from lydite.formats.eal import argument_columns, assessment_columns, show_span
from lydite.metrics.assessed import MEASURES, ClusterOutcome
from lydite.model.argument import Argument, Assessment
from lydite.model.argument_alignment import ArgumentAlignment, Cluster, Identity
from lydite.tasks.arguments.documents import ArgumentComparison


def diagnose(comparison: Any) -> Mapping[str, object]:
    """Lists of clusters per measurement; one cluster may be a false positive and a miss."""
    if not isinstance(comparison, ArgumentComparison):
        return dict(comparison.diagnosis())
    alignment = comparison.alignment
    entries = _Entries(alignment)
    classes: dict[str, dict[str, list[Entry]]] = {}
    for name in MEASURES:
        lists = classes[name] = {"tp": [], "fp": [], "fn": []}
        for cluster, tp, fp, fn in entries.in_order(comparison.outcomes(name)):
            if tp or fp:
                lists["tp" if tp else "fp"].append(entries.answered(cluster))
            if fn:
                lists["fn"].append(entries.missed(cluster))
    return {"classes": classes, "genre": comparison.genre, "rules": alignment.counts.as_dict()}


Entry = dict[str, object]


class _Entries:
    """Clusters as lists show them; a cluster that stands in the lists of several measurements is made once."""

    def __init__(self, alignment: ArgumentAlignment) -> None:
        self._alignment = alignment
        fillers = {cluster.identity: cluster.fillers for cluster in alignment.clusters}
        self._ordered = sorted(fillers, key=lambda identity: (*identity[:3], fillers[identity]))
        self._fillers = fillers
        self._answered: dict[Identity, Entry] = {}
        self._missed: dict[Identity, Entry] = {}

    def in_order(self, outcomes: Iterable[ClusterOutcome]) -> Iterator[ClusterOutcome]:
        """The outcomes as the lists have them: by type, role, realis and fillers of their clusters."""
        found = {outcome[0][0]: outcome for outcome in outcomes}
        return (found[identity] for identity in self._ordered if identity in found)

    def answered(self, cluster: Cluster) -> Entry:
        """The cluster with the system's argument that counts."""
        entry = self._answered.get(cluster.identity)
        if entry is None:
            entry = self._answered[cluster.identity] = self._made(cluster, cluster.selected)
        return entry

    def missed(self, cluster: Cluster) -> Entry:
        """The cluster with one good argument of the pool: what could have been found."""
        entry = self._missed.get(cluster.identity)
        if entry is None:
            right = min(self._alignment.good.arguments.intersection(cluster.gold), default=None)
            entry = self._missed[cluster.identity] = self._made(cluster, right)
        return entry

    def _made(self, cluster: Cluster, shown: Argument | None) -> Entry:
        event_type, role, realis, _ = cluster.identity
        return {
            "event_type": event_type,
            "role": role,
            "realis": realis,
            "fillers": [f"{show_span(span)}:{text}" for text, span in self._fillers[cluster.identity]],
            "argument": None if shown is None else _argument(shown),
            "assessment": None if shown is None else _judgement(self._alignment.assessment(shown)),
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
