"""Which gold arguments a system has right."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter

from lydite.metrics.assessed import standard
from lydite.model.argument_alignment import Cluster
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.exact import EventComparison
from lydite.tasks.arguments.settings import ArgumentSettings


def standing(comparison: EventComparison, _settings: ArgumentSettings) -> Iterable[tuple[str, bool]]:
    """Clusters of gold with a good answer, right if the system's is good; for spans the arguments with their roles."""
    if isinstance(comparison, ArgumentComparison):
        return filter(None, map(_item, comparison.alignment.clusters))
    gold, system = comparison.members("ac")
    return ((comparison.shown_item(member), member in system) for member in sorted(gold))


@lru_cache(maxsize=1024)  # systems share the clusters of a document
def _item(cluster: Cluster) -> tuple[str, bool] | None:
    tp, _, fn = standard(cluster.case)
    return (_cluster_name(cluster), tp) if tp or fn else None


def _cluster_name(cluster: Cluster) -> str:
    event_type, role, realis, filler = cluster.identity
    if isinstance(filler, int) and cluster.gold:
        text, (start, _) = cluster.gold[0].canonical
        if len(cluster.gold) > 1:
            text, (start, _) = min([argument.canonical for argument in cluster.gold], key=itemgetter(1))
        return f"{event_type}.{role} {realis} {text!r} at {start} ({filler})"
    return f"{event_type}.{role} {realis} {filler}"
