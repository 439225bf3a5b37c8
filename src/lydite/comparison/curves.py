"""Curves over confidence: a system is cut at a threshold, and what is left is scored again along the official path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lydite.errors import UsageError
from lydite.facade.choosing import Request
from lydite.model import Corpus, Document, ScoreRow
from lydite.model.curve import Curve, CurvePoint, evenly
from lydite.model.settings import TaskSettings
from lydite.model.summary import is_headline
from lydite.pipeline.running import run
from lydite.pipeline.task import Confidence

MOST_THRESHOLDS = 200


def curve(request: Request, gold: Corpus, system: Corpus) -> Curve:
    """The curve of one system: it is cut at every distinct confidence, or at 200 of them."""
    task, confidence = request.task, _confidence_of(request)
    settings = request.profile.settings
    documents = {doc_id: system.documents[doc_id] for doc_id in system.documents}
    confidences = sorted(_confidences(request, documents.values(), system), reverse=True)
    distinct = list(dict.fromkeys(confidences))
    thresholds = evenly(distinct, MOST_THRESHOLDS)
    cuts = [
        replace(
            system,
            name=f"{system.name} >= {threshold!r}",
            documents={
                doc_id: confidence.cut(document, threshold, settings)
                for doc_id, document in documents.items()
            },
        )
        for threshold in thresholds
    ]
    summary = run(task, gold, cuts, request.profile)
    rows = {row.system: row for row in summary.corpus_rows() if is_headline(row, summary.headline)}
    # Where every item earned all or nothing, precision is the share of right items.
    credit_of_systems = [row.counts.get("system_credit", row.counts.get("correct")) for row in rows.values()]
    whole = all(credit is not None and float(credit).is_integer() for credit in credit_of_systems)
    kept = [sum(one >= threshold for one in confidences) for threshold in thresholds]
    points = tuple(
        _point(threshold, count, len(confidences), rows[cut.name], whole=whole)
        for threshold, count, cut in zip(thresholds, kept, cuts, strict=True)
    )
    return Curve(system.name, len(confidences), len(distinct), points, confidence.name(settings))


def curve_effort(request: Request, system: Corpus) -> int:
    """The number of items that are scored for a curve, all thresholds together; 0 where there is no curve to draw."""
    try:
        confidences = list(_confidences(request, system.documents.values(), system))
    except UsageError:
        return 0
    distinct = len(set(confidences))
    return min(distinct, MOST_THRESHOLDS) * len(confidences) if distinct > 1 else 0


def _confidence_of(request: Request) -> Confidence[TaskSettings]:
    if request.task.confidence is None:
        raise UsageError(
            f"--curve: the items of task {request.task.name} carry no confidence in any format",
            hint="those of nugget, arguments and triples can",
        )
    return request.task.confidence


def _confidences(request: Request, documents: Iterable[Document], system: Corpus) -> Iterable[float]:
    confidence, settings = _confidence_of(request), request.profile.settings
    confidences = [one for document in documents for one in confidence.of(document, settings)]
    known = [one for one in confidences if one is not None]
    if len(known) < len(confidences) or not known:
        name = confidence.name(settings)
        problem = f"it has no items with a {name}"
        if confidences:
            problem = f"{len(confidences) - len(known)} of {len(confidences)} items have no {name}"
        raise UsageError(f"--curve: {system.name}: {problem}", hint="a curve needs a number for every item")
    return known


def _point(threshold: float, kept: int, items: int, row: ScoreRow, *, whole: bool) -> CurvePoint:
    score = row.score
    f1 = score.value if score.f1 is None else score.f1
    accuracy = score.precision if whole else None
    return CurvePoint(threshold, kept, kept / items, score.precision, score.recall, f1, accuracy)
