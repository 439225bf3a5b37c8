"""Documents over a Dask cluster: a real one, of two processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import lydite
from in_blocks import EVERYTHING
from lydite import dask_cluster, parallel
from lydite.cli import run
from lydite.errors import FormatError, UsageError
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides

distributed: Any = pytest.importorskip("distributed", reason="the extra [distributed] is not installed")

Capture = pytest.CaptureFixture[str]
GOLD, ALDER, BIRCH = (
    Path("examples", *name) for name in (("gold.tbf",), ("systems", "alder.tbf"), ("systems", "birch.tbf"))
)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with dask_cluster._local(distributed, 2) as started:
        yield started


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of two documents, so that small corpora have several."""
    monkeypatch.setattr(dask_cluster, "LEAST_DOCUMENTS", 2)


def test_the_library_scores_on_the_cluster_of_a_context(client: Any) -> None:
    ace = "examples/ace/gold", "examples/ace/systems/birch"
    alone = lydite.score(GOLD, ALDER, BIRCH), lydite.score(*ace, task="ace")
    with lydite.distributed(client):
        assert lydite.score(GOLD, ALDER, BIRCH) == alone[0]
        assert lydite.score(*ace, task="ace") == alone[1]
    assert parallel.AMBIENT_WORKERS.get() is None


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_the_command_gives_the_bytes_of_one_process(verb: str, client: Any, capsys: Capture) -> None:
    address = client.scheduler.address
    words = [verb, str(GOLD), str(ALDER), str(BIRCH), "--format", "json", "-v"]
    if verb == "compare":
        words += ["--resamples", "100"]
    said = []
    for more in ([], ["--cluster", address]):
        assert run([*words, *more]) == 0
        said.append(capsys.readouterr())
    assert said[1] == said[0]


@pytest.mark.parametrize("by", [[], ["--by", "doc"]], ids=["totals", "documents"])
def test_tables_give_the_bytes_of_one_process(
    by: list[str], client: Any, tmp_path: Path, capsys: Capture
) -> None:
    pytest.importorskip("pyarrow", reason="the extra [tables] is not installed")
    table = tmp_path / "gold.csv"
    rows = (f"d{n},{place},{place + 1},c{n}" for n in range(6) for place in (0, 3))
    table.write_text("\n".join(["document,start,end,cluster", *rows]), encoding="utf-8")
    words = ["score", "coref", str(table), str(table), "--metrics", "muc", *by]
    said = []
    for more in ([], ["--cluster", client.scheduler.address]):
        assert run([*words, *more]) == 0
        said.append(capsys.readouterr())
    assert said[1] == said[0]


def test_a_killed_worker_changes_nothing(client: Any) -> None:
    asked, read = read_sides(UserChoice(), str(GOLD), [str(ALDER)])
    alone = score_sides(asked, read, detail=EVERYTHING)
    victims = list(client.run(os.getpid).values())
    told = []

    def kill(done: int, total: int) -> None:
        told.append((done, total))
        if victims:
            with suppress(ProcessLookupError):
                os.kill(victims.pop(), signal.SIGKILL)

    # Both workers die, one after the other, while blocks are under way.
    workers = dask_cluster.DaskCluster(client)
    assert score_sides(asked, read, detail=EVERYTHING, workers=workers, progress=kill) == alone
    assert not victims
    assert told[-1] == (20, 20)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_what_a_worker_cannot_read_is_told_with_its_document(client: Any, tmp_path: Path) -> None:
    system = tmp_path / "system.tbf"
    system.write_bytes(ALDER.read_bytes())
    asked, read = read_sides(UserChoice(), str(GOLD), [str(system)])
    system.unlink()
    with pytest.raises(FormatError, match=r"on a worker: cannot be read: .*\(document '") as refused:
        score_sides(asked, read, workers=dask_cluster.DaskCluster(client))
    assert "absolute paths" in str(refused.value.findings[0].hint)


def test_another_version_on_a_worker_is_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "__version__", "0.0.1")
    with lydite.distributed(client), pytest.raises(UsageError, match="a worker of the cluster has lydite"):
        lydite.score(GOLD, ALDER)


def test_few_documents_stay_here_and_it_is_said(
    client: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(dask_cluster, "LEAST_DOCUMENTS", 1000)
    assert run(["score", str(GOLD), str(ALDER), "--cluster", client.scheduler.address]) == 0
    assert "a cluster gets blocks of at least 1,000 documents or 8 MB" in capsys.readouterr().err


def test_a_cluster_of_processes_ends_with_the_command(capsys: Capture) -> None:
    before = set(multiprocessing.active_children())
    assert run(["score", str(GOLD), str(ALDER), "--cluster", "local:1", "-q"]) == 0
    assert set(multiprocessing.active_children()) == before
    assert "type+realis" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers there"),
        ("somewhere", "no scheduler answers there"),
        ("local:none", "expected local:N with N processes, found 'none'"),
        ("local:0", "expected local:N with N processes, found '0'"),
    ],
)
def test_a_bad_address_is_wrong_usage(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(dask_cluster, "TIMEOUT", 0.2)
    assert run(["score", str(GOLD), str(ALDER), "--cluster", address]) == 2
    assert f"--cluster {address}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["auto", "dask"])
def test_an_address_where_nobody_answers_is_no_cluster_for_later_tables(tmp_path: Path, engine: str) -> None:
    pytest.importorskip("pyarrow", reason="the extra [tables] is not installed")
    with pytest.raises(UsageError), dask_cluster.connected("somewhere"):
        pass
    table = tmp_path / "gold.csv"
    table.write_text("mention,cluster\nd#1,a\nd#2,a\n", encoding="utf-8")
    assert lydite.coref.score_tables(table, table, engine=engine)["muc"].f1 == 1


def test_processes_that_do_not_start_are_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(**_settings: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fail)
    assert run(["score", str(GOLD), str(ALDER), "--cluster", "local:2"]) == 2
    assert "the processes do not start: Nanny failed to start." in capsys.readouterr().err


def test_processes_and_a_cluster_exclude_each_other(capsys: Capture) -> None:
    assert run(["score", str(GOLD), str(ALDER), "--cluster", "local:2", "-j", "2"]) == 2
    assert "exclude each other" in capsys.readouterr().err


def test_a_context_wants_a_client() -> None:
    refused = pytest.raises(UsageError, match=r"expected a dask\.distributed\.Client, found str")
    with refused, lydite.distributed("tcp://127.0.0.1:8786"):
        pass
