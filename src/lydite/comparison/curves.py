"""How figures move if only items above a confidence are kept: the system is cut, and scored again as it always is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from lydite.errors import UsageError
from lydite.facade import Request
from lydite.model import Corpus, Document, ScoreRow, Summary
from lydite.pipeline import Confidence, run

MOST_THRESHOLDS = 200
Value = TypeVar("Value")


class Point(NamedTuple):
    """The headline if items below the threshold are dropped; ``accuracy`` where an item is right or wrong."""

    threshold: float
    kept: int
    coverage: float
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of a system over falling thresholds."""

    system: str
    items: int
    distinct: int
    """How many confidences there are; if they are more than the points, thresholds are quantiles of them."""
    points: tuple[Point, ...]

    @property
    def best(self) -> Point | None:
        """The point of the best F1; of equal ones that which keeps most."""
        defined = [point for point in self.points if point.f1 is not None]
        return max(defined, key=lambda point: (point.f1 or 0.0, point.kept), default=None)

    @property
    def average_precision(self) -> float | None:
        """Σ (R_k − R_{k−1})·P_k over falling thresholds; None for a figure without precision and recall."""
        if all(point.recall is None for point in self.points):
            return None
        total, last = 0.0, 0.0
        for point in self.points:
            recall = point.recall or 0.0
            total += (recall - last) * (point.precision or 0.0)
            last = recall
        return total

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the diagnosis of a summary document."""
        best = self.best
        return {
            "system": self.system,
            "items": self.items,
            "distinct": self.distinct,
            "quantiles": self.distinct > len(self.points),
            "best": None if best is None else {"threshold": best.threshold, "f1": best.f1},
            "average_precision": self.average_precision,
            "points": [point._asdict() for point in self.points],
        }


def curve(asked: Request, gold: Corpus, system: Corpus) -> Curve:
    """The curve of one system: it is cut at every distinct confidence, or at 200 of them."""
    task = asked.task
    if task.confidence is None:
        raise UsageError(
            f"--curve: the items of task {task.name} carry no confidence",
            hint="nugget, arguments and triples do",
        )
    documents = {doc_id: system.documents[doc_id] for doc_id in system.documents}
    confidences = sorted(_confidences(task.confidence, documents.values(), system), reverse=True)
    distinct = list(dict.fromkeys(confidences))
    thresholds = evenly(distinct, MOST_THRESHOLDS)
    cuts = [_cut(task.confidence, system, documents, threshold) for threshold in thresholds]
    summary = run(task, gold, cuts, asked.profile)
    rows = {row.system: row for row in summary.corpus_rows() if _is_headline(row, summary)}
    whole = all(_is_whole(row) for row in rows.values())
    points = tuple(
        _point(
            threshold,
            sum(one >= threshold for one in confidences),
            len(confidences),
            rows[cut.name],
            whole=whole,
        )
        for threshold, cut in zip(thresholds, cuts, strict=True)
    )
    return Curve(system.name, len(confidences), len(distinct), points)


def evenly(values: Sequence[Value], most: int) -> list[Value]:
    """All values, or so many of them at even places, the first and the last included."""
    if len(values) <= most:
        return list(values)
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]


def _confidences(confidence: Confidence, documents: Iterable[Document], system: Corpus) -> Iterable[float]:
    found = [one for document in documents for one in confidence.of(document)]
    missing = sum(one is None for one in found)
    if missing or not found:
        said = f"{missing} of {len(found)} items have no confidence" if found else "it has no items"
        raise UsageError(f"--curve: {system.name}: {said}", hint="a curve needs a number for every item")
    return [one for one in found if one is not None]


def _cut(confidence: Confidence, system: Corpus, documents: dict[str, Document], threshold: float) -> Corpus:
    kept = {doc_id: confidence.cut(document, threshold) for doc_id, document in documents.items()}
    return replace(system, name=f"{system.name} >= {threshold!r}", documents=kept)


def _is_headline(row: ScoreRow, summary: Summary) -> bool:
    lead = summary.headline
    return (row.measurement, row.metric, row.average or "") == (
        lead["measurement"],
        lead["metric"],
        lead["average"],
    )


def _is_whole(row: ScoreRow) -> bool:
    credit = row.tally.get("system_credit", row.tally.get("correct"))
    return credit is not None and float(credit).is_integer()


def _point(threshold: float, kept: int, items: int, row: ScoreRow, *, whole: bool) -> Point:
    score = row.score
    f1 = score.value if score.f1 is None else score.f1
    accuracy = score.precision if whole else None
    return Point(threshold, kept, kept / items, score.precision, score.recall, f1, accuracy)
