"""Jobs are claimed once, held by a lease, done in a limited process, and always end."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from workbench_world import ON_SQLITE, World, some_documents, upload

if TYPE_CHECKING:
    from lydite_workbench.campaigns.models import Campaign, Run


def _run(world: World, campaign: Campaign, data: bytes, name: str = "run.tbf", team: str = "alder") -> Run:
    from lydite_workbench.campaigns.models import Team
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    known = Team.objects.filter(campaign=campaign, slug=team).first() or world.team(campaign, team)
    return accept_run(known, upload(name, data), RunDescription(), actor="test")


def _plain(world: World) -> Any:
    """A job that waits, of a campaign that nobody scores."""
    campaign = world.campaign()
    world.phase(campaign)
    _run(world, campaign, b"")
    from lydite_workbench.campaigns.models import Validation

    return Validation


def test_a_job_is_claimed_once(workbench: World) -> None:
    from lydite_workbench.campaigns.jobs import claim

    model = _plain(workbench)
    job = claim(model)
    assert job is not None
    assert (job.attempts, job.run.state) == (1, "validating")
    assert claim(model) is None


def test_an_expired_lease_is_claimed_again_and_the_old_worker_has_no_say(workbench: World) -> None:
    from lydite_workbench.campaigns.jobs import claim, fail, lease_renewer

    model = _plain(workbench)
    lost = claim(model, lease=timedelta(seconds=-1))
    again = claim(model)
    assert lost is not None
    assert again is not None
    assert (again.pk, again.attempts) == (lost.pk, 2)
    assert not lease_renewer(lost, timedelta(0))()
    assert lease_renewer(again, timedelta(0))()
    fail(lost, "timeout")
    again.refresh_from_db()
    assert again.job_state == "running"


def test_what_a_worker_of_another_version_was_doing_is_done_when_its_lease_is_over(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.campaigns import jobs

    model = _plain(workbench)
    assert jobs.claim(model) is not None
    monkeypatch.setattr(jobs, "__version__", "99.0")
    jobs.adopt_jobs()
    assert jobs.claim(model) is None
    model.objects.update(lease_until=datetime.now(UTC) - timedelta(seconds=1))
    jobs.adopt_jobs()
    again = jobs.claim(model)
    assert again is not None
    assert (again.lydite_version, again.attempts) == ("99.0", 2)


def test_a_job_whose_workers_are_lost_again_and_again_ends(workbench: World) -> None:
    from lydite_workbench.campaigns.jobs import claim
    from lydite_workbench.campaigns.models import Message, Run

    model = _plain(workbench)
    for _ in range(5):
        assert claim(model, lease=timedelta(seconds=-1)) is not None
    assert claim(model) is None
    job = model.objects.get()
    assert (job.job_state, job.reason) == ("failed", "worker-lost")
    assert Run.objects.get().state == "invalid"
    assert "could not be validated" in Message.objects.get().subject


@ON_SQLITE
def test_the_page_of_a_campaign_asks_no_more_for_more_runs(workbench: World) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    campaign = workbench.scored_campaign()
    member = workbench.user("anna")
    client, asked_for = workbench.client(member), []
    for name in ("a.tbf", "b.tbf"):
        _run(workbench, campaign, b"a run", name).team.members.add(member)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/campaigns/{campaign.slug}").status_code == 200
        asked_for.append(len(asked))
    assert asked_for[0] == asked_for[1] <= 12


@ON_SQLITE
def test_the_page_of_a_run_asks_for_its_validation_and_its_score_once(workbench: World) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    campaign = workbench.scored_campaign(phase={"teams_see": "figures"})
    run = _run(workbench, campaign, some_documents("examples/systems/alder.tbf"), "alder.tbf")
    workbench.work()
    member = workbench.user("anna")
    run.team.members.add(member)
    organiser = workbench.user("olga", administrator=True)
    for person, most in ((member, 17), (organiser, 10)):
        client = workbench.client(person)
        for path in (
            f"/runs/{run.public_id}",
            f"/runs/{run.public_id}/state",
            f"/api/v1/runs/{run.public_id}",
        ):
            with CaptureQueriesContext(connection) as asked:
                assert client.get(path).status_code == 200
            statements = [query["sql"] for query in asked.captured_queries]
            for table in ("campaigns_validation", "campaigns_score"):
                assert sum(f'FROM "{table}"' in statement for statement in statements) == 1, path
            assert len(asked) <= most, path


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_a_broken_run_is_invalid_with_its_line_and_a_good_one_is_scored(workbench: World) -> None:
    from lydite import score
    from lydite_workbench.campaigns.runs import findings_of, score_of, validation_of
    from lydite_workbench.rights import PUBLIC
    from lydite_workbench.store import path_of

    campaign = workbench.scored_campaign()
    good = some_documents("examples/systems/alder.tbf")
    sent = _run(workbench, campaign, good, "alder.tbf")
    broken = _run(workbench, campaign, good.replace(b"\t", b" ", 7), "broken.tbf")
    workbench.work()
    for run in (sent, broken):
        run.refresh_from_db()
    assert (sent.state, broken.state) == ("scored", "invalid")
    finding = findings_of(validation_of(broken), score_of(broken), PUBLIC)[0]
    assert (finding["code"], finding["path"], finding["line"]) == ("too-few-columns", "broken.tbf", 2)
    assert finding["excerpt"].startswith("alder df01-boots")
    validation, found = validation_of(sent), score_of(sent)
    assert validation is not None
    assert not validation.errors
    assert found is not None
    gold, system = workbench.files / "gold.tbf", workbench.files / "system.tbf"
    gold.write_bytes(some_documents("examples/gold.tbf"))
    system.write_bytes(good)
    assert found.value == score(gold, system, profile="kbp2017")["type+realis"].micro.f1
    assert found.report is not None
    assert path_of(found.report.sha256).read_bytes().startswith(b"<!doctype html>")


@ON_SQLITE
def test_a_run_is_read_once_and_scored_once_until_it_is_on_a_leaderboard(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite.facade import scoring, sides
    from lydite_workbench.campaigns.boards import draft_board

    campaign = workbench.scored_campaign()
    calls: list[str] = []
    for module, name in ((sides, "read_corpus"), (scoring, "run")):
        counted = getattr(module, name)

        def count(*arguments: Any, _counted: Any = counted, _name: str = name, **more: Any) -> Any:
            calls.append(_name)
            return _counted(*arguments, **more)

        monkeypatch.setattr(module, name, count)
    for name in ("alder", "birch"):
        _run(workbench, campaign, some_documents(f"examples/systems/{name}.tbf"), f"{name}.tbf", name)
    assert workbench.work() == 2
    board = draft_board(campaign.phases.get(), actor="test")
    assert workbench.work() == 0
    assert board.tables["names"]["csv"]
    # Gold and run of each job; one scoring of each run.
    assert (calls.count("read_corpus"), calls.count("run")) == (4, 2)


@ON_SQLITE
def test_the_findings_of_a_run_count_if_its_scoring_does_not_end(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.campaigns import errands
    from lydite_workbench.campaigns.models import Validation

    def stop(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(errands, "_score", stop)
    campaign = workbench.scored_campaign()
    sent = _run(workbench, campaign, some_documents("examples/systems/alder.tbf"))
    workbench.work()
    sent.refresh_from_db()
    validation, score = Validation.objects.get(), sent.scores.get()
    assert (sent.state, validation.job_state, validation.errors) == ("failed", "done", 0)
    assert (score.job_state, score.reason) == ("failed", "memory")


@pytest.mark.usefixtures("processes")
def test_what_takes_too_long_or_too_much_memory_harms_nothing_and_is_told(workbench: World) -> None:
    from lydite_workbench.accounts.models import AuditEntry
    from lydite_workbench.campaigns.models import Campaign, Message, Validation

    campaign = workbench.scored_campaign()
    _run(workbench, campaign, some_documents("examples/systems/alder.tbf"))
    Campaign.objects.update(limit_seconds=0)
    workbench.work()
    _run(workbench, campaign, b"#BeginOfDocument d\n" + b"a" * 30_000_000)
    Campaign.objects.update(limit_seconds=60, limit_megabytes=60)
    workbench.work()
    assert set(Validation.objects.values_list("reason", flat=True)) == {"timeout", "memory"}
    assert Message.objects.count() == 2
    assert AuditEntry.objects.filter(act="job.fail", campaign=campaign).count() == 2
    assert set(campaign.runs.values_list("state", flat=True)) == {"invalid"}
    Campaign.objects.update(limit_megabytes=4096)
    first = campaign.runs.get(number=1)
    organiser = workbench.client(workbench.user("olga", administrator=True))
    page, again = f"/runs/{first.public_id}", f"/runs/{first.public_id}/try-again"
    assert b"Try again" in organiser.get(page).content
    assert organiser.post(again)["Location"] == page
    workbench.work()
    first.refresh_from_db()
    assert first.state == "scored"
    assert b"Try again" not in organiser.get(page).content
    assert organiser.post(again).status_code == 409


def test_the_page_of_a_run_that_waits_for_gold_says_so_and_rests(workbench: World) -> None:
    campaign = workbench.campaign()
    workbench.phase(campaign)
    run = _run(workbench, campaign, b"")
    type(run).objects.update(state="valid")
    page = workbench.client(workbench.user("olga", administrator=True)).get(f"/runs/{run.public_id}").text
    assert "It will be scored when there is gold." in page
    assert "This page reloads itself" not in page


def test_organisers_are_told_why_a_run_has_no_report_page(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Score

    campaign = workbench.scored_campaign()
    member = workbench.user("mira")
    workbench.team(campaign, "alder", member)
    sent = _run(workbench, campaign, some_documents("examples/systems/alder.tbf"))
    workbench.work()
    Score.objects.update(report=None, report_message="there was not enough memory to make the page")
    told = b"There is no report page: there was not enough memory to make the page."
    page = f"/runs/{sent.public_id}"
    assert told in workbench.client(workbench.user("olga", administrator=True)).get(page).content
    assert told not in workbench.client(member).get(page).content


@pytest.mark.usefixtures("workbench")
def test_a_worker_stops_when_who_began_it_is_gone_even_before_it_looks() -> None:
    from lydite_workbench.campaigns.worker import is_parent_gone

    assert not is_parent_gone(os.getppid())()
    assert is_parent_gone(os.getpid())()
