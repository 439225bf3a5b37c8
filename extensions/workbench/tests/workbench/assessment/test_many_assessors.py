"""Assessors at work together, and servers that die: no acknowledged judgement is lost, no seat is held by two."""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from workbench.assessment.test_assessment import RIGHT, WRONG, assessed
from workbench.campaigns.test_kills import KILLS, SEED, Served
from workbench_world import Live, World

FEW = 2


class Desk(NamedTuple):
    """Where an assessor works: calls of the API with their token."""

    url: str
    token: str

    def call(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.url}/api/v1/{path}", data=data)  # noqa: S310 - of this machine
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=30) as answer:  # noqa: S310 - of this machine
            return json.loads(answer.read())

    def judge(self, item: str, answers: dict[str, str]) -> int:
        """Add a judgement; its number."""
        number: int = self.call(f"items/{item}/judgements", {"answers": answers, "seconds": 1})["id"]
        return number

    def judge_everything(self) -> dict[int, str]:
        """Judge documents until there is none left: the items of what was acknowledged, by number."""
        acknowledged = {}
        while (work := self.call("items?assigned=me"))["document"] is not None:
            for item in work["items"]:
                acknowledged[self.judge(item["id"], RIGHT)] = item["id"]
            document = f"documents/{work['document']['id']}/strings"
            self.call(document, {"strings": self.call("items?assigned=me")["strings"]})
        return acknowledged


def token_of(person: Any) -> str:
    from lydite_workbench.accounts.services import new_token

    return new_token(user=person, actor="test")


@pytest.mark.parametrize("twice", [0, 100])
def test_assessors_who_work_at_once_lose_nothing_and_hold_no_seat_together(live: Live, twice: int) -> None:
    from django.db import connections

    from lydite_workbench.assessment.models import Judgement, PooledItem, Seat

    pool, people = assessed(live.world, "anna", "ben", "carl", twice=twice)
    desks = [Desk(live.url, token_of(person)) for person in people]
    connections.close_all()
    with ThreadPoolExecutor(len(desks)) as at_once:
        done = list(at_once.map(Desk.judge_everything, desks))
    times = 2 if twice else 1
    stored = dict(Judgement.objects.values_list("pk", "item__public_id"))
    assert {number: item for one in done for number, item in one.items()} == stored
    assert len(stored) == sum(len(one) for one in done) == times * PooledItem.objects.count()
    seats = list(Seat.objects.values_list("document", "assessor"))
    assert len(set(seats)) == len(seats) == times * pool.documents.count()
    held = {(judgement.item.document_id, judgement.assessor_id) for judgement in Judgement.objects.all()}
    assert held == set(seats), "who judged a document had a seat there"


class Assessor(threading.Thread):
    """Changes their mind again and again, and notes what was acknowledged."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(daemon=True)
        self.desk, self.over = desk, threading.Event()
        self.acknowledged: dict[int, tuple[str, dict[str, str]]] = {}
        self.refused: list[str] = []

    def run(self) -> None:
        while not self.over.is_set():
            try:
                for item in self.desk.call("items?assigned=me")["items"]:
                    answers = WRONG if item["judgement"] == {"answers": RIGHT} else RIGHT
                    self.acknowledged[self.desk.judge(item["id"], answers)] = item["id"], answers
            except HTTPError as error:
                self.refused.append(f"{error.code}: {error.read().decode()}")
            except (OSError, HTTPException):
                time.sleep(0.05)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ends processes as the other fault tests do")
def test_no_kill_loses_an_acknowledged_judgement(
    workbench: World, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from lydite_workbench.assessment.models import Judgement

    if "postgresql" in request.node.name and not KILLS:
        pytest.skip("kills on PostgreSQL are for make test-faults")
    _, people = assessed(workbench, "anna", "ben")
    served = Served(workbench, tmp_path / "log")
    at_work = [Assessor(Desk(served.url, token_of(person))) for person in people]
    for assessor in at_work:
        assessor.start()
    chance = random.Random(SEED)
    try:
        for _ in range(KILLS or FEW):
            before = len(at_work[0].acknowledged)
            until = time.monotonic() + 60
            while len(at_work[0].acknowledged) == before and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.5))
            served.kill_server()
    finally:
        for assessor in at_work:
            assessor.over.set()
            assessor.join(60)
        served.end()
    assert not any(assessor.refused for assessor in at_work)
    stored = {one.pk: (one.item.public_id, one.answers) for one in Judgement.objects.select_related("item")}
    for assessor in at_work:
        assert len(assessor.acknowledged) > (KILLS or FEW)
        assert assessor.acknowledged.items() <= stored.items()
