"""An object with the methods of ``evaluate.Metric``: ``add``, ``add_batch``, ``compute``.

>>> from lydite.integrations.evaluate import load
>>> metric = load("coref", metrics=("muc", "b-cubed", "ceaf-e"))
>>> metric.add_batch(predictions=[[[1, 2], [3]]], references=[[[1, 2, 3]]])
>>> round(metric.compute()["coref/muc/recall"], 2)
0.5
"""

from __future__ import annotations

from collections.abc import Iterable

from lydite.streaming.metric import Metric


class EvaluateMetric:
    """A metric of lydite with the methods of ``evaluate.Metric``, without its Arrow files and features."""

    def __init__(self, task: str, profile: str | None = None, **settings: object) -> None:
        self.name = f"lydite/{task}"
        self.metric = Metric(task, profile, **settings)  # type: ignore[arg-type]

    def add(self, *, prediction: object = None, reference: object = None, ids: object = None) -> None:
        """Add one document of both sides; ``ids`` is its id."""
        doc_ids = None if ids is None else [str(ids)]
        self.add_batch(predictions=[prediction], references=[reference], ids=doc_ids)

    def add_batch(
        self,
        *,
        predictions: Iterable[object] | None = None,
        references: Iterable[object] | None = None,
        ids: Iterable[str] | None = None,
    ) -> None:
        """Add documents of both sides, which belong together by position."""
        self.metric.update(
            gold=() if references is None else references,
            system=() if predictions is None else predictions,
            ids=ids,
        )

    def compute(
        self, *, predictions: Iterable[object] | None = None, references: Iterable[object] | None = None
    ) -> dict[str, float]:
        """All corpus figures, after adding the given documents; as in ``evaluate``, the metric is empty afterwards."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        try:
            return self.metric.compute_dict()
        finally:
            self.metric.reset()


def load(task: str, profile: str | None = None, **settings: object) -> EvaluateMetric:
    """The metric of a task, as ``evaluate.load`` would return it."""
    return EvaluateMetric(task, profile, **settings)
