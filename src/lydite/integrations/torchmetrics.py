"""A ``torchmetrics.Metric``: states are bytes, ranks gather them, and merging them is exact.

>>> from lydite.integrations.torchmetrics import LyditeMetric  # doctest: +SKIP
>>> metric = LyditeMetric("coref")  # doctest: +SKIP
>>> metric.update(predictions, gold)  # doctest: +SKIP
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
import torchmetrics

from lydite.model import Summary
from lydite.streaming.metric import Metric, MetricState

_SIZE = 8
"""The number of bytes before every state that hold its length."""


class LyditeMetric(torchmetrics.Metric):
    """Every task of lydite as a metric of torchmetrics.

    ``update(preds, target, ids)`` takes lists of documents; ``compute()`` gives every corpus figure as a tensor, under
    the names of :meth:`lydite.Metric.compute_dict`, and :meth:`summary` the whole.  A document that a sampler gave to
    two ranks counts once if ``ids`` are given.
    """

    full_state_update = False
    higher_is_better = True
    is_differentiable = False
    chunks: list[torch.Tensor]

    def __init__(
        self,
        task: str,
        profile: str | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        **options: object,
    ) -> None:
        super().__init__(**options)
        self._arguments = (task, profile, dict(settings or {}))
        self._new_metric()  # Refuses wrong settings now, not after an epoch.
        self.add_state("chunks", default=[], dist_reduce_fx=None)

    def _new_metric(self) -> Metric:
        task, profile, settings = self._arguments
        return Metric(task, profile, **settings)

    def update(
        self, preds: Iterable[object], target: Iterable[object], ids: Iterable[str] | None = None
    ) -> None:
        """Add system documents (``preds``) and gold documents (``target``), which belong together by position."""
        metric = self._new_metric()
        metric.update(gold=target, system=preds, ids=ids)
        data = json.dumps(metric.state()).encode()
        chunk = len(data).to_bytes(_SIZE, "big") + data
        self.chunks.append(torch.frombuffer(bytearray(chunk), dtype=torch.uint8).to(self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """Every corpus figure of all documents of all ranks."""
        figures = self._merged().compute_dict()
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in figures.items()}

    def summary(self) -> Summary:
        """The summary of the documents of this process; inside ``sync_context()``, of all ranks."""
        return self._merged().compute()

    def _merged(self) -> Metric:
        total = self._new_metric()
        for state in self._states():
            total.merge(Metric.from_state(state))
        return total

    def _states(self) -> Iterator[MetricState]:
        for tensor in self.chunks:
            data, end = bytes(tensor.cpu().tolist()), 0
            while end < len(data):
                begin = end + _SIZE
                end = begin + int.from_bytes(data[end:begin], "big")
                yield json.loads(data[begin:end])

    def _sync_dist(self, *args: object, **options: object) -> None:
        # Ranks gather tensor by tensor, so every rank must have the same number of them: one, which may be empty.
        empty = torch.zeros(0, dtype=torch.uint8, device=self.device)
        self.chunks = [torch.cat([empty, *self.chunks])]
        super()._sync_dist(*args, **options)
