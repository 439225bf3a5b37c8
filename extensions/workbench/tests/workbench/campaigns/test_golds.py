"""Gold is replaced, never edited: everything is scored again, and the difference is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lydite.writing import archive_bytes
from workbench_world import ON_SQLITE, World, some_documents, upload


@ON_SQLITE
def test_a_new_gold_scores_everything_again_and_tells_each_team_its_part(workbench: World) -> None:
    from lydite_workbench.campaigns.boards import scoring_count
    from lydite_workbench.campaigns.gold import changes_of, difference_of, replace_gold, send_differences
    from lydite_workbench.campaigns.models import Message, Score
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, score_of
    from lydite_workbench.problems import Refused

    campaign = workbench.scored_campaign()
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    before = score_of(run)
    assert before is not None
    changed = some_documents("examples/gold.tbf").replace(b"\tActual\n", b"\tOther\n", 1)
    gold = replace_gold(campaign, upload("gold-2.tbf", changed), note="one realis", actor="test")
    run.refresh_from_db()
    assert (gold.number, run.state, scoring_count(campaign)) == (2, "valid", 1)
    workbench.work()
    run.refresh_from_db()
    after = score_of(run)
    assert after is not None
    assert (run.state, scoring_count(campaign)) == ("scored", 0)
    assert after.value != before.value
    assert Score.objects.filter(run=run, job_state="done").count() == 2
    difference = difference_of(gold)
    assert difference is not None
    (change,) = changes_of(difference)
    assert (change.before, change.after, change.run) == (before.value, after.value, run)
    (message,) = send_differences(difference, actor="test")
    assert message == Message.objects.get(team=run.team)
    assert "df01-boots" not in message.text
    with pytest.raises(Refused, match="sent to the teams already"):
        send_differences(difference, actor="test")
    olga = workbench.client(workbench.user("olga", administrator=True))
    assert "The changes were sent to the teams on" in olga.get("/campaigns/spring/manage").text


@ON_SQLITE
def test_a_new_gold_counts_under_the_signature_that_the_campaign_has(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, score_of

    campaign = workbench.scored_campaign()
    # As an older version of lydite may have signed it.
    Campaign.objects.update(signature="lydite|t:nugget|p:kbp2017|older")
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    replace_gold(
        Campaign.objects.get(),
        upload("gold-2.tbf", some_documents("examples/gold.tbf")),
        note="",
        actor="test",
    )
    workbench.work()
    run.campaign.refresh_from_db()
    score = score_of(run)
    assert score is not None
    assert (score.gold.number, score.job_state) == (2, "done")


@ON_SQLITE
def test_a_team_that_sees_no_figure_is_sent_none(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import difference_of, replace_gold, send_differences
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.scored_campaign(phase={"teams_see": "nothing"})
    data = some_documents("examples/systems/alder.tbf")
    accept_run(workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test")
    workbench.work()
    gold = replace_gold(
        campaign, upload("gold-2.tbf", some_documents("examples/gold.tbf", 2)), note="", actor="test"
    )
    workbench.work()
    difference = difference_of(gold)
    assert difference is not None
    (message,) = send_differences(difference, actor="test")
    assert message.text == "Run 1 was scored again."


@pytest.mark.parametrize("act", ["run", "score"])
def test_a_run_that_is_worked_on_while_gold_is_replaced_is_scored_under_the_new_one(
    act: str, workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.campaigns import jobs
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.scored_campaign()
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test"
    )
    states, run_errand, gold_before = [], jobs.run_errand, 1
    if act == "score":
        workbench.work()
        gold = upload("gold.tbf", some_documents("examples/gold.tbf", 1))
        gold_before = replace_gold(campaign, gold, note="", actor="test").number

    def send_while_gold_is_replaced(errand: Any, *arguments: Any, **more: Any) -> Any:
        run.refresh_from_db()
        states.append((errand.act, run.state))
        if [one for one, _ in states].count(act) == 1 and errand.act == act:
            gold = upload("gold.tbf", some_documents("examples/gold.tbf", 2))
            replace_gold(Campaign.objects.get(), gold, note="", actor="test")
        return run_errand(errand, *arguments, **more)

    monkeypatch.setattr(jobs, "run_errand", send_while_gold_is_replaced)
    while jobs.work_once():
        run.refresh_from_db()
        is_scored = run.scores.filter(gold__number=gold_before + 1, job_state="done").exists()
        assert (run.state == "scored") == is_scored
    assert run.state == "scored"


@ON_SQLITE
def test_a_run_that_could_not_be_scored_keeps_no_other_from_being_compared(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import changes_of, difference_of, replace_gold
    from lydite_workbench.campaigns.models import Campaign, Run
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.scored_campaign()
    for name in ("alder", "birch"):
        data = some_documents(f"examples/systems/{name}.tbf")
        accept_run(
            workbench.team(campaign, name), upload(f"{name}.tbf", data), RunDescription(), actor="test"
        )
    workbench.work()
    gold = upload("gold.tbf", some_documents("examples/gold.tbf", 2))
    made = replace_gold(Campaign.objects.get(), gold, note="", actor="test")
    Run.objects.filter(team__slug="birch").update(state="failed")
    Run.objects.get(team__slug="birch").scores.filter(gold=made).update(job_state="failed", reason="memory")
    workbench.work()
    difference = difference_of(made)
    assert difference is not None
    assert [change.run.label for change in changes_of(difference)] == ["alder-1"]


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_a_gold_that_is_not_sound_replaces_nothing(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.problems import Refused

    campaign = workbench.scored_campaign()
    broken = some_documents("examples/gold.tbf").replace(b"\t", b" ", 7)
    with pytest.raises(Refused, match=r"gold\.tbf:2.*too-few-columns"):
        replace_gold(campaign, upload("gold.tbf", broken), note="", actor="test")
    campaign.refresh_from_db()
    assert campaign.gold is not None
    assert campaign.gold.number == 1


@ON_SQLITE
def test_runs_wait_for_gold_where_there_is_none_yet(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, score_of

    campaign = workbench.scored_campaign(gold=None)
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    run.refresh_from_db()
    assert (run.state, score_of(run)) == ("valid", None)
    gold = upload("gold.tbf", some_documents("examples/gold.tbf"))
    replace_gold(campaign, gold, note="", actor="test")
    workbench.work()
    run.refresh_from_db()
    assert run.state == "scored"


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_what_is_not_judged_yet_makes_an_interval_of_an_argument_score(
    workbench: World, tmp_path: Path
) -> None:
    from lydite_workbench.campaigns.declarations import pack_folder
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, score_of

    (tmp_path / "annotation").mkdir()
    for file in Path("examples/arguments/annotation").iterdir():
        judged = file.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
        (tmp_path / "annotation" / file.name).write_text("".join(judged), encoding="utf-8")
    gold = upload("annotation.zip", pack_folder(tmp_path / "annotation"))
    campaign = workbench.scored_campaign(task="arguments", profile="kbp2014", gold=gold)
    systems = sorted(Path("examples/arguments/systems").iterdir())
    data = pack_folder(systems[0])
    run = accept_run(
        workbench.team(campaign, "alder"), upload("alder.zip", data), RunDescription(), actor="test"
    )
    workbench.work()
    run.refresh_from_db()
    assert run.state == "scored", run.messages.values_list("text", flat=True)
    score = score_of(run)
    assert score is not None
    assert score.optimistic is not None
    assert score.value is not None
    assert score.pessimistic == score.value < score.optimistic


@ON_SQLITE
def test_a_finding_in_an_archive_of_arguments_shows_its_line(workbench: World) -> None:
    from lydite_workbench.campaigns.declarations import pack_folder
    from lydite_workbench.campaigns.models import Validation
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.scored_campaign(task="arguments", profile="kbp2014", gold=None)
    data = pack_folder(Path("examples/arguments/systems/birch"))
    team = workbench.team(campaign, "birch")
    run = accept_run(team, upload("birch.zip", data), RunDescription(), actor="test")
    workbench.work()
    (found,) = (one for one in Validation.objects.get(run=run).findings if one["severity"] == "error")
    assert found["code"] == "time-format"
    assert "last Saturday" in found["excerpt"]


@ON_SQLITE
def test_a_leaderboard_waits_for_every_run_that_belongs_on_it(workbench: World) -> None:
    from lydite_workbench.campaigns.boards import draft_board
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.jobs import work_once
    from lydite_workbench.campaigns.models import Phase
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run
    from lydite_workbench.problems import Refused

    campaign = workbench.scored_campaign()
    team = workbench.team(campaign, "alder")
    for name, rank in (("alder", 2), ("birch", 1)):
        run = upload(f"{name}.tbf", some_documents(f"examples/systems/{name}.tbf"))
        accept_run(team, run, RunDescription(rank=rank), actor="test")
    workbench.work()
    replace_gold(
        campaign, upload("gold-2.tbf", some_documents("examples/gold.tbf", 2)), note="", actor="test"
    )
    assert work_once()
    with pytest.raises(Refused, match="these runs are not scored with the current gold yet: alder-2"):
        draft_board(Phase.objects.get(), actor="test")
    workbench.work()
    assert [run.label for run in draft_board(Phase.objects.get(), actor="test").runs.all()] == ["alder-2"]


@ON_SQLITE
def test_after_an_upgrade_an_organiser_lets_runs_be_scored_again(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.campaigns import boards, jobs, runs
    from lydite_workbench.campaigns.models import LeaderboardVersion
    from lydite_workbench.campaigns.rules import RunDescription

    campaign = workbench.scored_campaign()
    data = some_documents("examples/systems/alder.tbf")
    run = runs.accept_run(
        workbench.team(campaign, "alder"), upload("alder.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    for module in (boards, jobs, runs):
        monkeypatch.setattr(module, "__version__", "99.0")
    olga = workbench.client(workbench.user("olga", administrator=True))
    assert "This run was scored by another version of lydite" in olga.get(f"/runs/{run.public_id}").text
    page = olga.get("/campaigns/spring/manage").text
    assert "1 valid run has no score" in page
    refused = olga.post("/campaigns/spring/phases/test/board")
    assert (refused.status_code, "not scored with the current gold yet: alder-1" in refused.text) == (
        409,
        True,
    )
    assert olga.post("/campaigns/spring/score-again").status_code == 302
    workbench.work()
    assert "has no score" not in olga.get("/campaigns/spring/manage").text
    assert olga.post("/campaigns/spring/phases/test/board").status_code == 302
    workbench.work()
    board = LeaderboardVersion.objects.get()
    assert board.lydite_version == "99.0"


@ON_SQLITE
def test_a_leaderboard_is_not_published_with_a_run_that_was_withdrawn_since(workbench: World) -> None:
    from lydite_workbench.campaigns.boards import draft_board, publish_board
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, withdraw
    from lydite_workbench.problems import Refused

    campaign = workbench.scored_campaign()
    runs = [
        accept_run(
            workbench.team(campaign, name), upload(f"{name}.tbf", data), RunDescription(), actor="test"
        )
        for name in ("alder", "birch")
        if (data := some_documents(f"examples/systems/{name}.tbf"))
    ]
    workbench.work()
    board = draft_board(campaign.phases.get(), actor="test")
    withdraw(runs[1], actor="test")
    workbench.work()
    with pytest.raises(Refused, match="were withdrawn since it was made: birch-1"):
        publish_board(board, actor="test")
    again = draft_board(campaign.phases.get(), actor="test")
    workbench.work()
    assert publish_board(again, actor="test").published is not None
    olga = workbench.client(workbench.user("olga", administrator=True))
    assert "withdrawn" not in olga.get("/campaigns/spring/leaderboard").text
    withdraw(runs[0], actor="test")
    assert '<span class="warn">withdrawn</span>' in olga.get("/campaigns/spring/leaderboard").text


@ON_SQLITE
def test_a_withdrawn_run_is_not_said_to_be_of_another_version_because_gold_is(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, withdraw

    campaign = workbench.scored_campaign()
    member = workbench.user("anna")
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder", member), upload("a.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    withdraw(run, actor="test")
    gold = upload("gold-2.tbf", some_documents("examples/gold.tbf", 2))
    replace_gold(campaign, gold, note="", actor="test")
    assert "Another version of lydite" not in workbench.client(member).get(f"/runs/{run.public_id}").text


TWO_OF_GOLD = b"""#begin document (d1); part 000
d1\t0\t0\ta\t(0)
d1\t0\t1\tb\t-
d1\t0\t2\tc\t(0)

#end document
"""
EACH_TWICE = TWO_OF_GOLD.replace(b"a\t(0)", b"a\t(0)|(5)").replace(b"b\t-", b"b\t(1)|(6)")
"""The first word is in gold, the second is not: the official scorer drops a copy of the first alone."""


@ON_SQLITE
@pytest.mark.parametrize(
    ("phase", "sees"),
    [
        ({"is_test": True, "teams_see": "figures"}, False),
        ({"is_test": False, "teams_see": "headline"}, False),
        ({"is_test": False, "teams_see": "figures"}, True),
    ],
)
def test_a_team_is_told_what_scoring_found_beside_gold_where_it_sees_figures_by_document(
    workbench: World, phase: dict[str, Any], sees: bool
) -> None:
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    gold = upload("gold.conll", TWO_OF_GOLD)
    campaign = workbench.scored_campaign(task="coref", gold=gold, phase=phase)
    member, olga = workbench.user("anna"), workbench.user("olga", administrator=True)
    team = workbench.team(campaign, "alder", member)
    run = accept_run(team, upload("run.conll", EACH_TWICE), RunDescription(), actor="test")
    workbench.work()
    told = [
        [one["code"] for one in workbench.client(who).get(f"/api/v1/runs/{run.public_id}").json()["findings"]]
        for who in (member, olga)
    ]
    both = ["repeat-dropped", "repeated-mention"]
    assert told == [both if sees else [], both]


@ON_SQLITE
def test_a_leaderboard_under_letters_names_neither_runs_nor_what_gold_has(workbench: World) -> None:
    import json

    from lydite_workbench.campaigns.boards import draft_board, publish_board
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    shared = {f"{name}.apf.xml": _one_entity(name) for name in ("d1", "d2")}
    gold = upload("gold.zip", archive_bytes(shared.items()))
    campaign = workbench.scored_campaign(
        task="ace", profile="ace05", gold=gold, phase={"board": "letters"}, is_public=True
    )
    for name in ("alder", "birch"):
        accept_run(
            workbench.team(campaign, name), gold._replace(name=f"{name}.zip"), RunDescription(), actor="test"
        )
    workbench.work()
    board = draft_board(campaign.phases.get(), actor="test")
    workbench.work()
    publish_board(board, actor="test")
    told = workbench.client().get("/api/v1/campaigns/spring/leaderboard").json()
    assert [one["code"] for one in told["findings"]] == [
        "units-share-elements",
        "few-units",
        "bound-by-units",
    ]
    assert not [word for word in ("alder", "birch", "E1") if word in json.dumps(told)]


@ON_SQLITE
def test_a_leaderboard_does_not_name_the_only_document_of_gold(workbench: World) -> None:
    from lydite_workbench.campaigns.boards import draft_board, publish_board
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    gold = upload("gold.tbf", some_documents("examples/gold.tbf", 1))
    campaign = workbench.scored_campaign(gold=gold, is_public=True)
    accept_run(
        workbench.team(campaign, "alder"), gold._replace(name="run.tbf"), RunDescription(), actor="test"
    )
    workbench.work()
    board = draft_board(campaign.phases.get(), actor="test")
    workbench.work()
    publish_board(board, actor="test")
    (name,) = re.findall(r"#BeginOfDocument (\S+)", gold.path.read_text())
    client, here = workbench.client(), f"/boards/{board.public_id}/table"
    for page in (f"{here}.json", f"{here}.latex", f"{here}.csv"):
        assert name not in client.get(page).text
    assert "only document" in client.get(f"{here}.latex").text


def _one_entity(name: str) -> bytes:
    """A document of ACE with an entity that all documents share."""
    return f"""<?xml version="1.0"?>
<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">
<source_file URI="{name}.sgm" SOURCE="newswire" TYPE="text" AUTHOR="a" ENCODING="UTF-8">
<document DOCID="{name}"><entity ID="E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
<entity_mention ID="{name}-1" TYPE="NAM"><extent><charseq START="0" END="3">Hval</charseq></extent>
<head><charseq START="0" END="3">Hval</charseq></head></entity_mention></entity></document></source_file>
""".encode()


@ON_SQLITE
@pytest.mark.parametrize("has_test_phase", [True, False])
def test_gold_of_a_test_phase_is_not_read_off_runs_of_the_phase_before(
    workbench: World, has_test_phase: bool
) -> None:
    from datetime import UTC, datetime, timedelta

    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.campaigns.models import Phase
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.scored_campaign(phase={"is_test": False, "teams_see": "report"})
    if has_test_phase:
        later = datetime.now(UTC) + timedelta(days=7)
        workbench.phase(campaign, "hidden", opens=later, closes=later + timedelta(days=1), position=1)
    member = workbench.user("anna")
    data = some_documents("examples/systems/alder.tbf")
    run = accept_run(
        workbench.team(campaign, "alder", member), upload("a.tbf", data), RunDescription(), actor="test"
    )
    workbench.work()
    client, here = workbench.client(member), f"/api/v1/runs/{run.public_id}"

    def report_status() -> int:
        answer = client.get(f"{here}/report")
        answer.close()
        return answer.status_code

    assert report_status() == 200
    Phase.objects.filter(slug="test").update(closes=datetime.now(UTC))
    assert report_status() == 200, "gold of the phase stays as it was"
    hidden = upload("hidden.tbf", some_documents("examples/gold.tbf", 5))
    replace_gold(campaign, hidden, note="", actor="test")
    workbench.work()
    assert report_status() == (404 if has_test_phase else 200)
    rows = json.loads(client.get(f"{here}/summary").getvalue())["scores"]
    assert any(row["document"] for row in rows) != has_test_phase
