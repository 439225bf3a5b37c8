from __future__ import annotations

import os
import socket

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchmetrics")

import lydite  # noqa: E402
from lydite import coref  # noqa: E402
from lydite.integrations.torchmetrics import LyditeMetric  # noqa: E402

GOLD = [[[1, 2, 3], [4, 5]], [[1, 2]], [[7, 8, 9]], [[1, 4], [2, 3]], [[5, 6, 7]]]
SYSTEM = [[[1, 2], [3, 4, 5]], [[1, 2]], [[7, 8], [9]], [[1, 2], [4]], [[5, 7]]]
IDS = list("abcde")


def whole() -> dict[str, float]:
    metric = lydite.Metric("coref")
    metric.update(GOLD, SYSTEM, IDS)
    return metric.compute_dict()


def test_batches_give_the_figures_of_one_run() -> None:
    metric = LyditeMetric("coref")
    metric.update(SYSTEM[:2], GOLD[:2], IDS[:2])
    metric(SYSTEM[2:], GOLD[2:], IDS[2:])
    assert {name: float(value) for name, value in metric.compute().items()} == whole()
    metric.reset()
    with pytest.raises(lydite.UsageError, match="there are no documents yet"):
        metric.compute()


def _rank(rank: int, port: int, shares: list[list[int]], results: object) -> None:
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.distributed.init_process_group("gloo", rank=rank, world_size=len(shares))
    metric = LyditeMetric("coref")
    for at in shares[rank]:
        metric.update([SYSTEM[at]], [GOLD[at]], [IDS[at]])
    results[rank] = {name: float(value) for name, value in metric.compute().items()}  # type: ignore[index]
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize(
    "shares", [[[0, 2, 4], [1, 3, 0]], [[0, 1, 2, 3, 4], []]], ids=["padded", "empty rank"]
)
def test_two_processes_over_gloo_give_the_figures_of_one_run(shares: list[list[int]]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    manager = torch.multiprocessing.get_context("spawn").Manager()
    results = manager.dict()
    torch.multiprocessing.spawn(_rank, args=(port, shares, results), nprocs=2)
    assert results[0] == results[1] == whole()


def test_tensors_are_the_mentions_that_they_hold() -> None:
    gold = [[(0, 1), (2, 3)]]
    spans = torch.tensor([[0, 1], [2, 3]])
    for system in ([spans], [[tuple(span) for span in spans]], [[(int(a), b) for a, b in spans]]):
        assert coref.conll(gold, system).f1 == 1
        assert lydite.score([gold], [system], task="coref")["coref"]["conll"].f1 == 1
    mention = (torch.tensor(0), torch.tensor(5), "A")
    assert lydite.score([[mention]], [[(0, 5, "A")]], task="nugget")["type"].micro.f1 == 1


def test_a_setting_that_does_not_exist_is_refused_when_the_metric_is_made() -> None:
    with pytest.raises(lydite.UsageError, match="no setting 'nope'"):
        LyditeMetric("coref", settings={"nope": 1})
