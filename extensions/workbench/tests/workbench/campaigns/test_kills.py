"""``kill -9`` of server and worker at random moments: no acknowledged run is lost, and every job ends.

A few kills in every run of the tests; ``LYDITE_KILLS=50`` (``make test-faults``) for many, on both databases.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from workbench_world import World, some_documents, upload

KILLS = int(os.environ.get("LYDITE_KILLS", "0"))
FEW = 2
SEED = int(os.environ.get("LYDITE_SEED", "1"))
LEASE = 5
PATIENCE = 300.0


class Served:
    """``lydite serve`` in a process of its own, with its worker."""

    def __init__(self, world: World, log: Path) -> None:
        self._world, self._log = world, log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = self._begin()

    def _begin(self) -> subprocess.Popen[bytes]:
        words = ["serve", "--database", self._world.database, "--files", str(self._world.files)]
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "lydite", *words, "--port", str(self.port), "--lease", str(LEASE)],
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert process.poll() is None, self._log.read_text()
            try:
                with urlopen(f"{self.url}/readyz", timeout=5) as answer:  # noqa: S310 - of this machine
                    if answer.status == 200:
                        return process
            except (URLError, OSError):
                time.sleep(0.1)
        raise TimeoutError(self._log.read_text())

    def kill_server(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self._begin()

    def kill_worker(self) -> None:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}")
        for task in children.parent.iterdir():
            for pid in (task / "children").read_text().split():
                os.kill(int(pid), signal.SIGKILL)

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Sender(threading.Thread):
    """A team that sends runs, good ones and broken ones, and notes what was acknowledged."""

    def __init__(self, url: str, token: str, folder: Path) -> None:
        super().__init__(daemon=True)
        self.url, self.token = url, token
        self.acknowledged: dict[str, tuple[str, str]] = {}
        good = some_documents("examples/systems/alder.tbf", 1)
        self.files = {"scored": folder / "good.tbf", "invalid": folder / "broken.tbf"}
        self.files["scored"].write_bytes(good)
        self.files["invalid"].write_bytes(good.replace(b"\t", b" ", 7))
        self.wanted = 0
        self.over = threading.Event()

    def run(self) -> None:
        from lydite.errors import LyditeError
        from lydite_workbench.submitting import Workbench, submit

        while not self.over.is_set():
            if len(self.acknowledged) >= self.wanted:
                time.sleep(0.02)
                continue
            outcome = "scored" if len(self.acknowledged) % 2 == 0 else "invalid"
            try:
                sent = submit(Workbench(self.url, self.token), "spring", self.files[outcome], {})
            except LyditeError:
                time.sleep(0.05)
                continue
            self.acknowledged[sent["id"]] = sent["sha256"], outcome


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the children of a process from /proc")
def test_no_kill_loses_an_acknowledged_run_and_every_job_ends(
    workbench: World, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from lydite_workbench.accounts.services import new_token

    if "postgresql" in request.node.name and not KILLS:
        pytest.skip("kills on PostgreSQL are for make test-faults")
    gold = some_documents("examples/gold.tbf", 1)
    campaign = workbench.scored_campaign(gold=upload("gold.tbf", gold), phase={"rejected_per_team": 10_000})
    token = new_token(team=workbench.team(campaign, "alder"), actor="test")
    served = Served(workbench, tmp_path / "log")
    sender = Sender(served.url, token, tmp_path)
    sender.start()
    chance = random.Random(SEED)
    try:
        for number in range(KILLS or FEW):
            sender.wanted += 1
            time.sleep(chance.uniform(0, 2.0))
            if number % 2 == 0:
                served.kill_worker()
            else:
                served.kill_server()
        _wait_until_all_ended(sender)
    finally:
        sender.over.set()
        sender.join(60)
        served.end()
    _nothing_is_lost(sender)


def _wait_until_all_ended(sender: Sender) -> None:
    from lydite_workbench.campaigns.models import Run

    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if len(sender.acknowledged) >= sender.wanted and not _unfinished():
            return
        time.sleep(0.2)
    states = list(Run.objects.values_list("number", "state"))
    raise TimeoutError(
        f"jobs did not end: {states}, {len(sender.acknowledged)} of {sender.wanted} acknowledged"
    )


def _unfinished() -> int:
    """How many jobs have not ended."""
    from lydite_workbench.campaigns.jobs import job_kinds
    from lydite_workbench.campaigns.models import JobState

    waiting = (JobState.WAITING, JobState.RUNNING)
    return sum(kind.model.objects.filter(job_state__in=waiting).count() for kind in job_kinds())


def _nothing_is_lost(sender: Sender) -> None:
    from lydite_workbench.campaigns.models import Run, Score, Validation
    from lydite_workbench.store import path_of

    lost_again = {
        job.run.public_id
        for model in (Validation, Score)
        for job in model.objects.filter(reason="worker-lost").select_related("run")
    }
    for public_id, (digest, outcome) in sender.acknowledged.items():
        run = Run.objects.get(public_id=public_id)
        assert run.file_id == digest
        assert path_of(digest).read_bytes() == (sender.files[outcome]).read_bytes()
        assert run.state == outcome or public_id in lost_again, (run.number, run.state)
    assert set(Run.objects.values_list("state", flat=True)) <= {"scored", "invalid", "failed"}
    # A worker that is killed at every turn is rare; if it is not, something keeps killing it.
    assert len(lost_again) <= len(sender.acknowledged) // 10
