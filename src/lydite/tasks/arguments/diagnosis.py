"""What is no score: the clusters behind true positives, false positives and misses, with their judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydite.formats.eal import assessment_columns, show_span, system_columns
from lydite.metrics.assessed import MEASURES, Outcome
from lydite.model.argument import Argument, Filler
from lydite.model.argument_alignment import ArgumentAlignment, Cluster
from lydite.tasks.arguments.documents import Comparison


def diagnose(comparison: Any) -> Mapping[str, Any]:
    """Lists of clusters per measurement; one cluster may be a false positive and a miss."""
    if not isinstance(comparison, Comparison):
        return dict(comparison.diagnosis())
    alignment = comparison.alignment
    order = {cluster.identity: _order(cluster) for cluster in alignment.clusters}
    classes: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name in MEASURES:
        lists = classes[name] = {"tp": [], "fp": [], "fn": []}
        for outcome in sorted(comparison.outcomes(name), key=lambda outcome: order[outcome.cluster.identity]):
            for verdict in ("tp", "fp", "fn"):
                if getattr(outcome, verdict):
                    lists[verdict].append(_entry(alignment, outcome, verdict))
    return {"classes": classes, "genre": comparison.genre, "rules": alignment.counts.as_dict()}


def _order(cluster: Cluster) -> tuple[str, str, str, list[Filler]]:
    return (*cluster.identity[:3], cluster.fillers)


def _entry(alignment: ArgumentAlignment, outcome: Outcome, verdict: str) -> dict[str, Any]:
    cluster = outcome.cluster
    event_type, role, realis, _ = cluster.identity
    shown = cluster.selected if verdict != "fn" else _right_argument(alignment, cluster.gold)
    return {
        "event_type": event_type,
        "role": role,
        "realis": realis,
        "fillers": [f"{show_span(span)}:{text}" for text, span in cluster.fillers],
        "argument": None if shown is None else "\t".join(system_columns(shown, 1.0)[1:10]),
        "assessment": None if shown is None else _judgement(alignment, shown),
    }


def _right_argument(alignment: ArgumentAlignment, gold: tuple[Argument, ...]) -> Argument | None:
    """One good argument of the pool: what could have been found."""
    good = [argument for argument in gold if alignment.assessments[argument].is_good(argument)]
    return min(good, default=None)


def _judgement(alignment: ArgumentAlignment, argument: Argument) -> str:
    assessment = alignment.assessment(argument)
    if assessment is None:
        return "not assessed"
    columns = assessment_columns(assessment, None)
    return " ".join([*columns[:4], *columns[5:]])
