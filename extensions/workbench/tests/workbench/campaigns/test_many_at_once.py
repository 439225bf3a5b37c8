"""Many teams at once: nothing is lost, nothing is counted twice, and a copy made meanwhile is consistent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from workbench_world import PASSWORD, Live, World, upload

TEAMS = 50


def test_fifty_uploads_at_once_lose_nothing(live: Live, tmp_path: Path) -> None:
    from django.db import connections

    from lydite_workbench.accounts.services import new_token
    from lydite_workbench.campaigns.models import Run, Validation
    from lydite_workbench.store import path_of
    from lydite_workbench.submitting import Workbench, submit

    campaign = live.world.campaign()
    live.world.phase(campaign)
    tokens = []
    for number in range(TEAMS):
        tokens.append(new_token(team=live.world.team(campaign, f"team{number}"), actor="test"))
        (tmp_path / f"{number}.tbf").write_bytes(b"%d\n" % number * 20_000)
    connections.close_all()

    def send(number: int) -> dict[str, Any]:
        return submit(
            Workbench(live.url, tokens[number]), "spring", tmp_path / f"{number}.tbf", {"title": str(number)}
        )

    with ThreadPoolExecutor(TEAMS) as pool:
        answers = list(pool.map(send, range(TEAMS)))
    for number, answer in enumerate(answers):
        run = Run.objects.get(public_id=answer["id"])
        assert (run.title, run.team.slug, run.file_id) == (str(number), f"team{number}", answer["sha256"])
        assert path_of(answer["sha256"]).read_bytes() == (tmp_path / f"{number}.tbf").read_bytes()
    assert Run.objects.count() == Validation.objects.count() == TEAMS


@pytest.mark.usefixtures("processes")
def test_what_several_people_do_at_the_same_moment_is_done_once_and_refused_to_the_others(
    workbench: World,
) -> None:
    from django.db import connections

    from lydite_workbench.accounts.models import User
    from lydite_workbench.accounts.services import invite

    campaign = workbench.campaign(task="arguments", profile="kbp2014-official")
    window = {"opens": "2031-01-01", "closes": "2031-02-01", "zone": "UTC"}
    organiser = workbench.user("olga", administrator=True)
    link = invite("assessor", campaign=campaign, actor="test")
    links = [invite("assessor", campaign=campaign, actor="test") for _ in range(2)]
    acts: list[tuple[list[str], dict[str, str], set[int]]] = [
        (["/new-campaign"] * 2, {"slug": "new", "title": "New", "task": "nugget", **window}, {302, 409}),
        (["/campaigns/spring/teams"] * 2, {"name": "Alder"}, {200, 409}),
        (["/campaigns/spring/phases"] * 2, {"phase": "test", **window}, {302, 409}),
        (links, {"name": "dora", "password": PASSWORD}, {302, 409}),
    ]
    for places, form, expected in acts:
        is_joining = "password" in form
        clients = [workbench.client(None if is_joining else organiser) for _ in places]
        connections.close_all()

        def send(number: int, places: Any = places, form: Any = form, clients: Any = clients) -> int:
            try:
                return int(clients[number].post(places[number], form).status_code)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            assert set(pool.map(send, range(2))) == expected
    assert workbench.client().post(link, {"name": "dora", "password": PASSWORD}).status_code == 409
    assert sorted(User.objects.values_list("name", flat=True)) == ["dora", "olga"]


def test_a_limit_holds_however_many_send_at_once(workbench: World) -> None:
    from django.db import connections

    from lydite_workbench.campaigns.models import Run, Team
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run
    from lydite_workbench.problems import Refused

    campaign = workbench.campaign()
    workbench.phase(campaign, runs_per_team=3)
    team = workbench.team(campaign, "alder")
    file = upload("run.tbf", b"a run")
    connections.close_all()

    def send(_number: int) -> str:
        try:
            accept_run(Team.objects.get(pk=team.pk), file, RunDescription(), actor="test")
        except Refused as error:
            return error.code
        finally:
            connections.close_all()
        return "accepted"

    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(send, range(12)))
    assert sorted(outcomes) == ["accepted"] * 3 + ["limit-reached"] * 9
    assert sorted(Run.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_one_job_is_claimed_by_one_of_many_workers(workbench: World) -> None:
    from django.db import connections

    from lydite_workbench.campaigns.jobs import claim
    from lydite_workbench.campaigns.models import Validation
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    team = workbench.team(campaign, "alder")
    for _ in range(10):
        accept_run(team, upload("run.tbf", b"a run"), RunDescription(), actor="test")
    connections.close_all()

    def take(_number: int) -> list[int]:
        taken = []
        try:
            while (job := claim(Validation)) is not None:
                taken.append(job.pk)
        finally:
            connections.close_all()
        return taken

    with ThreadPoolExecutor(6) as pool:
        claimed = [pk for part in pool.map(take, range(6)) for pk in part]
    assert sorted(claimed) == sorted(Validation.objects.values_list("pk", flat=True))
    assert set(Validation.objects.values_list("attempts", flat=True)) == {1}


def test_a_copy_made_while_runs_come_in_is_consistent(workbench: World, tmp_path: Path) -> None:
    import json
    import zipfile

    from django.db import connections

    from lydite_workbench.backups import ROWS, backup
    from lydite_workbench.campaigns.models import Team
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    team = workbench.team(campaign, "alder")
    connections.close_all()

    def send(count: int) -> None:
        try:
            for number in range(count):
                accept_run(
                    Team.objects.get(pk=team.pk),
                    upload("run.tbf", b"%d" % number),
                    RunDescription(),
                    actor="test",
                )
        finally:
            connections.close_all()

    def copy(number: int) -> Path:
        try:
            backup(tmp_path / f"{number}.zip")
        finally:
            connections.close_all()
        return tmp_path / f"{number}.zip"

    with ThreadPoolExecutor(4) as pool:
        sending = pool.submit(send, 25)
        copies = [pool.submit(copy, number) for number in range(3)]
        sending.result()
    for made in copies:
        with zipfile.ZipFile(made.result()) as archive:
            rows = [json.loads(line) for line in archive.read(ROWS).splitlines()]
            files = {name.rpartition("/")[2] for name in archive.namelist() if name.startswith("by-hash/")}
        by_model: dict[str, list[Any]] = {}
        for row in rows:
            by_model.setdefault(row["model"], []).append(row)
        runs = by_model.get("campaigns.run", [])
        assert {row["fields"]["run"] for row in by_model.get("campaigns.validation", [])} == {
            row["pk"] for row in runs
        }
        assert {row["fields"]["file"] for row in runs} <= files
        (sender,) = by_model["campaigns.team"]
        assert sender["fields"]["runs_sent"] == len(runs)
