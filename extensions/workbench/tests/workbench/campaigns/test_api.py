"""The API, as programs see it."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest

from workbench_world import ON_SQLITE, ROOT, World, some_documents, upload, zipped


def _file(data: bytes, name: str = "run.tbf") -> BytesIO:
    stream = BytesIO(data)
    stream.name = name
    return stream


@ON_SQLITE
def test_the_summary_of_a_test_phase_does_not_tell_which_documents_gold_has(workbench: World) -> None:
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    ace = ROOT / "examples" / "ace"
    campaign = workbench.scored_campaign(
        task="ace",
        profile="ace08-global",
        gold=upload("gold.zip", zipped(ace / "gold")),
        gold_documents_are_known=False,
        phase={"teams_see": "figures"},
    )
    team = workbench.team(campaign, "alder")
    run = accept_run(
        team, upload("alder.zip", zipped(ace / "systems" / "alder")), RunDescription(), actor="test"
    )
    workbench.work()
    told = workbench.program(team=team).get(f"/api/v1/runs/{run.public_id}/summary")
    assert told.status_code == 200
    # The run has it, gold does not.
    assert b"nw11-ambush" not in told.getvalue()


def _described(world: World) -> dict[str, Any]:
    """What the document of the API says of the answers to ``GET``."""
    paths = world.client().get("/api/v1/openapi.json").json()["paths"]
    return {
        path: calls["get"]["responses"]["200"]["content"]["application/json"].get("schema")
        for path, calls in paths.items()
        if "application/json" in calls.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    }


def test_the_whole_flow_from_an_upload_to_the_published_leaderboard(workbench: World) -> None:
    import jsonschema

    from lydite_workbench.campaigns.boards import draft_board, publish_board
    from lydite_workbench.campaigns.models import Phase

    campaign = workbench.scored_campaign(phase={"teams_see": "figures"}, is_public=True)
    teams = {name: workbench.team(campaign, name) for name in ("alder", "birch")}
    programs = {name: workbench.program(team=team) for name, team in teams.items()}
    ids = {}
    for name, program in programs.items():
        data = some_documents(f"examples/systems/{name}.tbf")
        form = {"file": _file(data, f"{name}.tbf"), "title": "first", "web_access": "false", "rank": "1"}
        answer = program.post("/api/v1/campaigns/spring/runs", form)
        assert answer.status_code == 201, answer.content
        assert set(answer.json()) == {"id", "state", "sha256"}
        assert answer.json()["state"] == "received"
        ids[name] = answer.json()["id"]
    broken = (
        programs["alder"].post("/api/v1/campaigns/spring/runs", {"file": _file(b"no run at all\n")}).json()
    )
    workbench.work()

    run = programs["alder"].get(f"/api/v1/runs/{ids['alder']}").json()
    assert (run["team"], run["title"], run["state"], run["findings"]) == ("Alder", "first", "scored", [])
    assert run["headline"]["low"] < run["headline"]["value"] < run["headline"]["high"]
    olga = workbench.client(workbench.user("olga", administrator=True))
    shown = olga.get(f"/runs/{ids['alder']}").content.decode()
    assert re.search(r'class="headline"><strong>[0-9.]+</strong> type\+realis F1 ', shown)
    described = _described(workbench)
    jsonschema.validate(run, described["/runs/{run}"])
    assert set(run) == set(described["/runs/{run}"]["properties"])
    (told,) = programs["alder"].get("/api/v1/campaigns").json()
    jsonschema.validate(told, described["/campaigns/{campaign}"])
    assert set(told) == set(described["/campaigns/{campaign}"]["properties"])
    (phase,) = told["phases"]
    assert set(phase) == set(
        described["/campaigns/{campaign}"]["properties"]["phases"]["items"]["properties"]
    )
    told = programs["alder"].get(f"/api/v1/runs/{broken['id']}").json()
    assert (told["state"], told["headline"], bool(told["findings"])) == ("invalid", None, True)

    summary = json.loads(programs["alder"].get(f"/api/v1/runs/{ids['alder']}/summary").getvalue())
    assert {row["scope"] for row in summary["scores"]} == {"corpus"}
    assert "df01-boots" not in json.dumps(summary)
    assert programs["birch"].get(f"/api/v1/runs/{ids['alder']}").status_code == 404
    assert programs["alder"].get(f"/api/v1/runs/{ids['alder']}/report").status_code == 404

    public = workbench.client()
    assert public.get("/api/v1/campaigns/spring/leaderboard").status_code == 404
    board = draft_board(Phase.objects.get(), actor="test")
    workbench.work()
    assert public.get("/api/v1/campaigns/spring/leaderboard").status_code == 404
    board.refresh_from_db()
    publish_board(board, actor="test")
    document = public.get("/api/v1/campaigns/spring/leaderboard").json()
    schema = json.loads((ROOT / "src/lydite/data/comparison.schema.json").read_bytes())
    jsonschema.validate(document, schema)
    assert [place["system"] for place in document["systems"]] == ["Alder", "Birch"]
    assert document["systems"][0]["figure"] == run["headline"]["value"]
    assert "df01-boots" not in json.dumps(document)
    assert b">type+realis F1 (%)</th>" in public.get("/campaigns/spring/leaderboard").content
    publish_board(board, actor="test", names="letters")
    answer = public.get("/api/v1/campaigns/spring/leaderboard")
    assert {place["system"] for place in answer.json()["systems"]} == {"A", "B"}
    assert b"lder" not in answer.content


def test_a_closed_phase_and_a_full_one_answer_409_before_the_file_is_read(workbench: World) -> None:
    from django.utils import timezone

    from lydite_workbench.campaigns.models import Phase, Run

    campaign = workbench.campaign()
    workbench.phase(campaign, runs_per_team=1)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    assert _send(program, b"a").status_code == 201
    answer = _send(program, b"b")
    assert (answer.status_code, answer.json()["title"]) == (409, "limit-reached")
    Phase.objects.update(runs_per_team=9, closes=timezone.now() - timedelta(seconds=1))
    answer = _send(program, b"c")
    assert (answer.status_code, answer.json()["title"]) == (409, "phase-closed")
    assert answer["Content-Type"] == "application/problem+json"
    assert Run.objects.count() == 1
    assert len(list((workbench.files / "by-hash").glob("*/*"))) == 1


def test_a_full_phase_does_not_close_another_one(workbench: World) -> None:
    campaign = workbench.campaign()
    workbench.phase(campaign, "first", runs_per_team=1)
    workbench.phase(campaign, "second", position=1)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    assert _send(program, b"a").status_code == 201
    assert _send(program, b"b").status_code == 409
    assert _send(program, b"b", phase="second").status_code == 201


def _send(program: Any, data: bytes, **more: str) -> Any:
    return program.post("/api/v1/campaigns/spring/runs", {"file": _file(data), **more})


def test_a_file_that_is_too_large_answers_413_and_leaves_nothing(workbench: World) -> None:
    from django.conf import settings

    from lydite_workbench.campaigns.models import Run

    campaign = workbench.campaign(limit_upload=1000)
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    assert _send(program, b"x" * 1001).status_code == 413
    assert _send(program, b"x" * 1_200_000).status_code == 413
    before, settings.LYDITE_MAX_UPLOAD = settings.LYDITE_MAX_UPLOAD, 500
    try:
        assert _send(program, b"x" * 501).status_code == 413
    finally:
        settings.LYDITE_MAX_UPLOAD = before
    assert not Run.objects.exists()
    assert not list((workbench.files / "incoming").iterdir())


def test_what_a_form_says_wrongly_answers_400(workbench: World) -> None:
    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    wrongs = {
        "rank": "first",
        "web_access": "perhaps",
        "phase": "other",
        "replaces": "nothing",
        "team": "birch",
    }
    for name, wrong in wrongs.items():
        assert _send(program, b"a run", **{name: wrong}).status_code == 400
    assert program.post("/api/v1/campaigns/spring/runs", {"title": "no file"}).status_code == 400
    answer = program.get("/api/v1/campaigns/spring/runs")
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


def test_of_two_files_none_is_dropped(workbench: World) -> None:
    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    files = [_file(b"a run", name) for name in ("one.tbf", "two.tbf")]
    answer = program.post("/api/v1/campaigns/spring/runs", {"file": files})
    assert (answer.status_code, answer.json()["title"]) == (400, "one-file")
    assert not campaign.runs.exists()


@pytest.mark.parametrize("path", ["/api/v1/campaigns", "/"])
def test_an_address_that_is_not_ours_is_told_so(
    workbench: World, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.conf import settings

    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["localhost"])
    answer = workbench.client().get(path, headers={"Host": "eval.example.org"})
    assert (answer.status_code, "--hosts" in answer.text) == (400, True)
    assert answer["Content-Type"].startswith("application/problem+json" if "api" in path else "text/plain")


def test_a_run_is_stored_under_its_hash_and_withdrawing_keeps_it(workbench: World) -> None:
    from hashlib import sha256

    from lydite_workbench.store import path_of

    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    sent = _send(program, b"a run").json()
    assert sent["sha256"] == sha256(b"a run").hexdigest()
    assert path_of(sent["sha256"]).read_bytes() == b"a run"
    assert program.post(f"/api/v1/runs/{sent['id']}/withdraw").json() == {
        "id": sent["id"],
        "state": "withdrawn",
    }
    assert path_of(sent["sha256"]).exists()


def test_a_run_is_automatic_unless_somebody_says_otherwise(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    for said in ({}, {"automatic": ""}, {"automatic": "no"}):
        program.post("/api/v1/campaigns/spring/runs", {"file": _file(b"a run"), **said})
    assert [run.automatic for run in Run.objects.order_by("number")] == [True, True, False]


def test_a_report_page_may_run_its_own_script_alone(workbench: World) -> None:
    from lydite_workbench.campaigns.api import page_response
    from lydite_workbench.store import store

    policy = b'<meta http-equiv="Content-Security-Policy" content="script-src \'sha256-abc\'">'
    answer = page_response(store(b"<!doctype html>" + policy).sha256)
    assert answer["Content-Security-Policy"] == "script-src 'sha256-abc'; sandbox allow-scripts allow-popups"
    answer.close()
    other = page_response(store(b"<p>").sha256)
    other.close()
    assert other["Content-Disposition"].startswith("attachment")
    assert workbench.files.exists()


def test_the_openapi_document_has_every_call(workbench: World) -> None:
    from lydite_workbench.urls import api

    document = workbench.client().get("/api/v1/openapi.json").json()
    assert len(document["paths"]) == len(api)
    assert document["paths"]["/campaigns/{campaign}/runs"]["post"]["requestBody"]["required"]
    page = (ROOT / "docs" / "workbench-api.md").read_text(encoding="utf-8")
    told = {re.sub(r"{\w+}", "{}", call) for call in re.findall(r"(?:GET|POST) (/[\w/{}]+)", page)}
    assert {re.sub(r"{\w+}", "{}", path) for path in document["paths"]} <= {*told, "/openapi.json"}
