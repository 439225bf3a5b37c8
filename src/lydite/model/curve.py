"""Curves over confidence: the figures of a system if only items at or above a threshold are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import NamedTuple, TypeVar

Value = TypeVar("Value")


class CurvePoint(NamedTuple):
    """The headline without the items below the threshold; ``accuracy`` where every item is either right or wrong."""

    threshold: float
    kept: int
    coverage: float
    precision: float | None
    recall: float | None
    f1: float | None
    accuracy: float | None


class Bin(NamedTuple):
    """Items of about the same confidence, how many of them are right, and their mean confidence."""

    low: float
    high: float
    items: int
    right: int
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of a system over falling thresholds."""

    system: str
    items: int
    distinct: int
    """The number of distinct confidences; if it is larger than that of the points, thresholds are quantiles."""
    points: tuple[CurvePoint, ...]
    confidence: str = "confidence"
    """The name of the confidence, of those that an item has."""

    @property
    def best(self) -> CurvePoint | None:
        """The point with the best F1; of several, the one that keeps most items."""
        defined = [point for point in self.points if point.f1 is not None]
        return max(defined, key=lambda point: (point.f1 or 0.0, point.kept), default=None)

    @property
    def average_precision(self) -> float | None:
        """Σ (R_k − R_{k−1})·P_k over falling thresholds; None for a figure without precision and recall."""
        if all(point.recall is None for point in self.points):
            return None
        recalls = [0.0, *(point.recall or 0.0 for point in self.points)]
        steps = zip(self.points, pairwise(recalls), strict=True)
        return fsum((recall - last) * (point.precision or 0.0) for point, (last, recall) in steps)

    def to_dict(self) -> dict[str, object]:
        """The curve in the diagnosis of a summary document."""
        best = self.best
        return {
            "system": self.system,
            "confidence": self.confidence,
            "items": self.items,
            "distinct": self.distinct,
            "quantiles": self.distinct > len(self.points),
            "best": None if best is None else {"threshold": best.threshold, "f1": best.f1},
            "average_precision": self.average_precision,
            "points": [point._asdict() for point in self.points],
        }


def evenly(values: Sequence[Value], most: int) -> list[Value]:
    """All values, or at most so many at even distances, with the first and the last."""
    if len(values) <= most:
        return list(values)
    return [values[round(place * (len(values) - 1) / (most - 1))] for place in range(most)]
