"""When runs are taken, how many, and what a rule says about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workbench_world import ON_SQLITE, World, upload

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def _team(world: World, phase: dict[str, Any] | None = None, **campaign: Any) -> Any:
    made = world.campaign(**campaign)
    world.phase(made, **(phase or {}))
    return world.team(made, "alder")


def _send(team: Any, **more: Any) -> Any:
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    given = {name: more.pop(name) for name in ("now", "replaces", "phase") if name in more}
    return accept_run(team, upload("run.tbf", b"a run"), RunDescription(**more), actor="test", **given)


def _refusal(team: Any, **more: Any) -> str:
    from lydite_workbench.problems import Refused

    with pytest.raises(Refused) as caught:
        _send(team, **more)
    return caught.value.code


def test_a_phase_takes_runs_from_the_instant_it_opens_to_the_one_it_closes(workbench: World) -> None:
    team = _team(workbench, {"opens": NOON, "closes": NOON + timedelta(hours=1)})
    moment = timedelta(microseconds=1)
    assert _refusal(team, now=NOON - moment) == "phase-closed"
    assert not _send(team, now=NOON).is_late
    assert not _send(team, now=NOON + timedelta(hours=1) - moment).is_late
    assert _refusal(team, now=NOON + timedelta(hours=1)) == "phase-closed"


def test_a_late_run_goes_to_the_last_phase_that_takes_it_on_the_page_as_by_the_api(workbench: World) -> None:
    from lydite_workbench.campaigns.runs import phases_taking_runs

    past = {"opens": NOON, "closes": NOON + timedelta(hours=1), "takes_late_runs": True}
    team = _team(workbench, {**past, "slug": "first"})
    workbench.phase(team.campaign, "second", **past, position=1)
    assert _send(team).phase.slug == "second"
    assert [phase.slug for phase in phases_taking_runs(team.campaign)] == ["second", "first"]


def test_who_comes_too_late_is_told_when_the_last_phase_closed(workbench: World) -> None:
    from lydite_workbench.problems import Refused

    team = _team(workbench, {"opens": NOON, "closes": NOON + timedelta(hours=9)})
    workbench.phase(team.campaign, "other", opens=NOON, closes=NOON + timedelta(hours=1), position=1)
    with pytest.raises(Refused, match="until 2026-05-01 21:00 UTC"):
        _send(team, now=NOON + timedelta(days=1))


def test_a_late_run_is_taken_and_marked_where_the_phase_says_so(workbench: World) -> None:
    team = _team(workbench, {"opens": NOON, "closes": NOON + timedelta(hours=1), "takes_late_runs": True})
    assert _send(team, now=NOON + timedelta(days=9)).is_late


def test_a_run_that_came_before_a_deadline_that_was_put_off_is_not_late_any_more(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Run
    from lydite_workbench.campaigns.phases import change_phase

    team = _team(workbench, {"opens": NOON, "closes": NOON + timedelta(hours=1), "takes_late_runs": True})
    run = _send(team, now=NOON + timedelta(hours=2))
    change_phase(run.phase, actor="test", closes=NOON + timedelta(hours=3))
    assert not Run.objects.get(pk=run.pk).is_late


@pytest.mark.usefixtures("_project")
def test_deadlines_are_shown_in_the_readers_zone_in_utc_and_anywhere_on_earth() -> None:
    from lydite_workbench.campaigns.rules import format_instant

    shown = format_instant(NOON, "Asia/Tokyo")
    assert shown == "2026-05-01 21:00 Asia/Tokyo, 2026-05-01 12:00 UTC (2026-05-01 00:00 AoE)"
    on_the_second = format_instant(NOON - timedelta(seconds=1))
    assert on_the_second == "2026-05-01 11:59:59 UTC (2026-04-30 23:59:59 AoE)"


@ON_SQLITE
@pytest.mark.parametrize("path", ["/", "/campaigns/spring"])
def test_pages_show_deadlines_in_the_zone_of_who_reads_them(workbench: World, path: str) -> None:
    reader = workbench.user("olga", administrator=True)
    reader.zone = "Asia/Tokyo"
    reader.save()
    workbench.phase(workbench.campaign(), closes=NOON.replace(year=2040), zone="Europe/Berlin")
    assert "2040-05-01 21:00 Asia/Tokyo, 2040-05-01 12:00 UTC" in workbench.client(reader).get(path).text


def test_an_invalid_run_does_not_count_and_can_be_replaced(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Run

    team = _team(workbench, {"runs_per_team": 1})
    first = _send(team)
    assert _refusal(team) == "limit-reached"
    assert _refusal(team, replaces=first) == "limit-reached"
    Run.objects.update(state="invalid")
    first.refresh_from_db()
    second = _send(team, replaces=first)
    assert (second.number, second.replaces) == (2, first)


def test_a_withdrawn_run_stays_and_still_counts(workbench: World) -> None:
    from lydite_workbench.campaigns.runs import withdraw

    team = _team(workbench, {"runs_per_team": 1})
    run = withdraw(_send(team), actor="test")
    assert run.shown_state == "withdrawn"
    assert _refusal(team) == "limit-reached"


def test_rejected_uploads_have_a_larger_limit_of_their_own(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Run

    team = _team(workbench, {"rejected_per_team": 2})
    for _ in range(2):
        _send(team)
    Run.objects.update(state="invalid")
    assert _refusal(team) == "too-many-rejected"


def test_ranks_are_all_used_once(workbench: World) -> None:
    from lydite_workbench.campaigns.runs import allowance_of

    team = _team(workbench, {"runs_per_team": 3}, needs_ranks=True)
    assert _refusal(team) == "needs-rank"
    assert _refusal(team, rank=4) == "needs-rank"
    _send(team, rank=2)
    assert _refusal(team, rank=2) == "rank-taken"
    assert allowance_of(team).remarks == ("the ranks 1 to 1 must all be used, once",)
    _send(team, rank=1)
    assert allowance_of(team).remarks == ()


def test_the_last_run_must_be_without_web_access_if_no_other_is(workbench: World) -> None:
    from lydite_workbench.campaigns.runs import allowance_of

    team = _team(workbench, {"runs_per_team": 2}, needs_run_without_web=True)
    _send(team, web_access=True)
    assert allowance_of(team).must_be_without_web
    assert _refusal(team, web_access=True) == "needs-run-without-web"
    _send(team, web_access=False)


def test_a_run_that_is_too_large_is_refused_as_such(workbench: World) -> None:
    assert _refusal(_team(workbench, limit_upload=3)) == "too-large"


def test_an_organiser_changes_what_a_campaign_says_and_what_its_jobs_may_take(workbench: World) -> None:
    from lydite_workbench.accounts.models import AuditEntry

    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    here = f"/campaigns/{campaign.slug}"
    said = {"title": "Harbour, again", "description": "New words.", "is_public": "on", "limit_seconds": "90"}
    assert organiser.post(f"{here}/about", said)["Location"] == f"{here}/manage"
    kept_upload = campaign.limit_upload
    campaign.refresh_from_db()
    assert (campaign.title, campaign.description, campaign.is_public) == (
        "Harbour, again",
        "New words.",
        True,
    )
    assert (campaign.limit_seconds, campaign.limit_upload) == (90, kept_upload)
    assert AuditEntry.objects.get(act="campaign.change").details["before"]["limit_seconds"] == "600"


@pytest.mark.parametrize(
    "said",
    [
        {"title": " "},
        {"title": "A", "limit_seconds": "0"},
        {"title": "A", "limit_megabytes": "9" * 12},
        {"title": "A", "limit_upload": "a"},
    ],
)
def test_a_campaign_without_a_title_or_with_impossible_limits_is_refused(
    said: dict[str, str], workbench: World
) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    assert organiser.post(f"/campaigns/{campaign.slug}/about", said).status_code == 400
    before = campaign.title, campaign.limit_seconds
    campaign.refresh_from_db()
    assert (campaign.title, campaign.limit_seconds) == before


def test_uploads_may_be_as_large_as_a_campaign_can_say(workbench: World) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    said = {"title": "A", "limit_upload": "1000000000000"}
    assert organiser.post(f"/campaigns/{campaign.slug}/about", said).status_code == 302
    campaign.refresh_from_db()
    assert campaign.limit_upload == 10**12


def test_a_changed_campaign_keeps_the_gold_that_came_meanwhile(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Campaign, GoldVersion
    from lydite_workbench.campaigns.setup import change_campaign

    campaign = workbench.campaign()
    file = upload("gold.tbf", b"").row
    gold = GoldVersion.objects.create(campaign=campaign, number=1, name="gold.tbf", file=file)
    Campaign.objects.filter(pk=campaign.pk).update(gold=gold)
    change_campaign(campaign, actor="olga", title="Another")
    campaign.refresh_from_db()
    assert (campaign.title, campaign.gold) == ("Another", gold)


@ON_SQLITE
def test_forms_choose_what_leaderboards_have_and_what_teams_are_told(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Campaign, Phase

    organiser = workbench.client(workbench.user("olga", administrator=True))
    window = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}
    about = {"slug": "spring", "title": "Spring", "task": "nugget", "rejected_per_team": "7", **window}
    refused = organiser.post("/new-campaign", {**about, "figures": "span.f1\nspam.f1"})
    assert (refused.status_code, "no figure &#x27;spam.f1&#x27;" in refused.text) == (400, True)
    assert "span.f1\nspam.f1</textarea>" in refused.text
    said = {"figures": "span.f1\n\n type.f1 ", "board_of": "all", "gold_documents_are_known": "on"}
    assert organiser.post("/new-campaign", {**about, **said}).status_code == 302
    campaign = Campaign.objects.get()
    assert (campaign.figures, campaign.board_of) == (["span.f1", "type.f1"], "all")
    assert campaign.gold_documents_are_known
    assert Phase.objects.get().rejected_per_team == 7
    assert "span.f1\ntype.f1</textarea>" in organiser.get("/campaigns/spring/manage").text
    refused = organiser.post("/campaigns/spring/about", {"title": "Spring", "figures": "spam.f1"})
    assert (refused.status_code, "no figure &#x27;spam.f1&#x27;" in refused.text) == (400, True)
    assert (
        organiser.post("/campaigns/spring/about", {"title": "Spring", "figures": "realis.f1"}).status_code
        == 302
    )
    campaign.refresh_from_db()
    assert (campaign.figures, campaign.board_of) == (["realis.f1"], "all")
    assert not campaign.gold_documents_are_known
    organiser.post("/campaigns/spring/phases/test", {"phase_title": "Test", **window})
    assert Phase.objects.get().rejected_per_team == 7


@ON_SQLITE
def test_a_changed_phase_keeps_the_title_that_its_form_leaves_empty(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Phase

    workbench.phase(workbench.campaign(), "dev", title="Development")
    organiser = workbench.client(workbench.user("olga", administrator=True))
    window = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}
    assert organiser.post("/campaigns/spring/phases/dev", {"phase_title": "", **window}).status_code == 302
    assert Phase.objects.get().title == "Development"
    answer = organiser.post("/campaigns/spring/phases/dev", {**window, "rejected_per_team": "0"})
    assert (answer.status_code, "at least one invalid upload of a team must be allowed" in answer.text) == (
        400,
        True,
    )


def test_the_log_shows_its_details(workbench: World) -> None:
    from lydite_workbench.accounts.services import record

    campaign = workbench.campaign()
    record("worker", "job.fail", "a run", campaign=campaign, reason="timeout", items=3, gold=[], said="")
    record(
        "olga", "x.y", "a board", campaign=campaign, runs=["a-1", "b-1"], before={"title": "A", "zone": "UTC"}
    )
    page = workbench.client(workbench.user("olga", administrator=True)).get("/campaigns/spring/audit").text
    for details in ("items: 3; reason: timeout", "before: title: A, zone: UTC; runs: a-1, b-1"):
        assert f'<td class="details">{details}</td>' in page


def test_what_a_team_says_of_a_run_is_shown_with_who_sent_it(workbench: World) -> None:
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run
    from lydite_workbench.rights import Caller

    campaign, anna = workbench.campaign(), workbench.user("anna")
    workbench.phase(campaign)
    about = RunDescription(
        web_access=True, web_access_text="word lists", automatic=False, automatic_text="two dates"
    )
    run = accept_run(
        workbench.team(campaign, "alder", anna), upload("run.tbf", b"a run"), about, actor=Caller(anna)
    )
    page = workbench.client(anna).get(f"/runs/{run.public_id}").text
    assert "The web was used for: word lists" in page
    assert "Done by hand: two dates" in page
    assert "from anna" in page


def test_what_was_refused_is_not_shown_as_what_the_campaign_is(workbench: World) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    said = {"title": "Refused title", "is_public": "on", "limit_seconds": "0"}
    answer = organiser.post(f"/campaigns/{campaign.slug}/about", said)
    assert answer.status_code == 400
    assert "Refused title" not in answer.content.decode()


@pytest.mark.parametrize(
    ("place", "said", "why"),
    [
        ("phases", {"phase": "test"}, "there is a phase &#x27;test&#x27; already"),
        ("phases", {"phase": "final test"}, "slug: Enter a valid"),
        (
            "phases",
            {"phase": "final", "teams_see": "all"},
            "teams_see: Select a valid choice",
        ),
        ("phases", {"phase": "final", "phase_title": "x" * 201}, "title: Ensure this value has at most 200"),
        ("teams", {"name": "x" * 201}, "name: Ensure this value has at most 200"),
        ("about", {"title": "x" * 201}, "title: Ensure this value has at most 200"),
        ("phases", {"phase": "final", "opens": "0001-01-01T00:00"}, "expected a year from 1900 to 9998"),
        ("phases", {"phase": "final", "closes": "9999-12-31T23:59"}, "expected a year from 1900 to 9998"),
        (
            "phases",
            {"phase": "final", "opens": "0001-01-01T00:00", "zone": "Europe/Amsterdam"},
            "expected a year from 1900 to 9998",
        ),
        ("message", {"team": "gone", "subject": "a", "text": "b"}, "choose a team of this campaign, or all"),
    ],
)
def test_words_that_cannot_be_kept_are_refused_on_the_page(
    place: str, said: dict[str, str], why: str, workbench: World
) -> None:
    campaign = workbench.campaign()
    workbench.phase(campaign, "test")
    organiser = workbench.client(workbench.user("olga", administrator=True))
    window = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}
    answer = organiser.post(f"/campaigns/{campaign.slug}/{place}", {**window, **said})
    assert answer.status_code in {400, 409}
    assert why in answer.content.decode()


def test_an_invalid_run_is_replaced_in_its_phase_until_that_closes(workbench: World) -> None:
    anna = workbench.user("anna")
    campaign = workbench.campaign()
    now = datetime.now(UTC)
    practice = workbench.phase(campaign, "practice", position=0, closes=now + timedelta(hours=1))
    workbench.phase(campaign, "test", position=1)
    team = workbench.team(campaign, "alder", anna)
    first = _send(team)
    first.state = "invalid"
    first.save()
    assert _send(team, replaces=first).phase == practice
    later = now + timedelta(hours=1)
    assert _refusal(team, replaces=first, now=later) == "phase-closed"
    assert _refusal(team, replaces=first, phase=campaign.phases.get(slug="test")) == "not-replaceable"
    offer = f'<option value="{first.public_id}"'.encode()
    client = workbench.client(anna)
    page = client.get(f"/campaigns/spring/send?replaces={first.public_id}").content
    assert offer + b" selected" in page
    assert b'<option value="practice" selected' in page
    practice.closes, practice.takes_late_runs = now - timedelta(seconds=1), True
    practice.save()
    assert _refusal(team, replaces=first, phase=practice) == "not-replaceable"
    assert offer not in client.get("/campaigns/spring/send").content
    assert b"in its place" not in client.get(f"/runs/{first.public_id}").content


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ({"name": "\u6797\u6a39 \u30e9\u30dc", "slug": "jurin"}, "jurin"),
        ({"name": "?!", "slug": "odd"}, "odd"),
        ({"name": f"{'x' * 59} {'y' * 100}"}, "x" * 59),
        ({"name": "Älder"}, "alder"),
    ],
)
def test_a_team_of_any_name_can_be_added_in_the_browser(
    workbench: World, said: dict[str, str], slug: str
) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    without = organiser.post("/campaigns/spring/teams", {"name": "\u6797\u6a39"})
    assert (without.status_code, b"no short name can be made from" in without.content) == (400, True)
    assert organiser.post("/campaigns/spring/teams", said).status_code == 200
    assert [(team.name, team.slug) for team in campaign.teams.all()] == [(said["name"], slug)]
    again = organiser.post("/campaigns/spring/teams", {"name": "Other", "slug": slug})
    assert (again.status_code, b"already" in again.content) == (409, True)


def test_the_form_of_a_phase_keeps_the_seconds_of_its_deadline(workbench: World) -> None:
    campaign = workbench.campaign()
    closes = datetime(2031, 5, 1, 23, 59, 59, tzinfo=UTC)
    workbench.phase(campaign, closes=closes)
    organiser = workbench.client(workbench.user("olga", administrator=True))
    assert (
        'name="closes" value="2031-05-01T23:59:59"'
        in organiser.get("/campaigns/spring/manage").content.decode()
    )


def test_a_form_that_was_refused_still_names_the_team_and_the_phase_that_were_chosen(
    workbench: World,
) -> None:
    campaign, anna = workbench.campaign(), workbench.user("anna")
    for name in ("first", "second"):
        workbench.phase(campaign, name)
        workbench.team(campaign, f"team-{name}", anna)
    chosen = {"team": "team-second", "phase": "second"}
    answer = workbench.client(anna).post("/campaigns/spring/send", chosen)
    assert answer.status_code == 400
    for word in chosen.values():
        assert f'<option value="{word}" selected>' in answer.content.decode()


@ON_SQLITE
@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        ({"settings": "coref_threshold = 1"}, 302, ""),
        ({"settings": "coref_threshold = 2"}, 400, "expected a number from 0 to 1"),
        ({"settings": "measures = ['multiplicative']"}, 400, "is a product of the figures of original"),
        ({"settings": "relation_lines = false"}, 400, "relation-lines: only a profile can set this"),
        ({"settings": "type_list = 'types.txt'"}, 400, "type-list: the workbench takes files that are sent"),
        ({"title": "  "}, 400, "title: This field is required"),
    ],
)
def test_settings_of_the_form_are_looked_at_however_they_are_spelt(
    workbench: World, said: dict[str, str], status: int, told: str
) -> None:
    from lydite_workbench.campaigns.models import Campaign

    window = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}
    organiser = workbench.client(workbench.user("olga", administrator=True))
    form = {"slug": "spring", "title": "Spring", "task": "nugget", **window, **said}
    answer = organiser.post("/new-campaign", form)
    assert (answer.status_code, told in answer.content.decode()) == (status, True)
    kept = [campaign.settings for campaign in Campaign.objects.all()]
    assert kept == ([{"coref-threshold": 1}] if status == 302 else [])


def test_a_deadline_stays_the_same_instant_when_something_else_of_its_phase_is_changed(
    workbench: World,
) -> None:
    campaign = workbench.campaign()
    # Half past two comes twice in this night; this is the second one.
    closes = datetime(2031, 10, 26, 1, 30, 0, 500_000, tzinfo=UTC)
    phase = workbench.phase(campaign, closes=closes, zone="Europe/Berlin")
    organiser = workbench.client(workbench.user("olga", administrator=True))
    page = organiser.get("/campaigns/spring/manage").content.decode()
    assert 'name="closes" value="2031-10-26T02:30"' in page
    form = {"phase_title": "Other", "opens": "2031-01-01T00:00", "zone": "Europe/Berlin"}
    organiser.post("/campaigns/spring/phases/test", {**form, "closes": "2031-10-26T02:30"})
    phase.refresh_from_db()
    assert (phase.title, phase.closes) == ("Other", closes)
    organiser.post("/campaigns/spring/phases/test", {**form, "closes": "2031-10-26T03:30"})
    phase.refresh_from_db()
    assert phase.closes == datetime(2031, 10, 26, 2, 30, tzinfo=UTC)


@ON_SQLITE
def test_the_form_of_a_new_campaign_that_was_refused_still_has_what_was_chosen(workbench: World) -> None:
    organiser = workbench.client(workbench.user("olga", administrator=True))
    assert 'name="is_test" checked' in organiser.get("/new-campaign").content.decode()
    switches = ("needs_run_without_web", "needs_ranks", "is_public", "takes_late_runs")
    window = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}
    said = {"title": "Spring", "task": "nugget", "teams_see": "report", "board": "letters", **window}
    page = organiser.post("/new-campaign", {**said, **dict.fromkeys(switches, "on")}).content.decode()
    assert "<option selected>report</option>" in page
    assert "<option selected>letters</option>" in page
    assert all(f'name="{name}" checked' in page for name in switches)
    assert 'name="is_test" checked' not in page


def test_a_time_with_its_offset_is_that_instant_whatever_zone_the_form_names(workbench: World) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    said = {"phase": "test", "opens": "2031-01-01T00:00+02:00", "closes": "2031-02-01T00:00"}
    organiser.post("/campaigns/spring/phases", {**said, "zone": "Asia/Tokyo"})
    phase = campaign.phases.get()
    shown = [f"{one:%d %H:%M %Z}" for one in (phase.opens, phase.closes)]
    assert shown == ["31 22:00 UTC", "31 15:00 UTC"]


@pytest.mark.parametrize(
    ("closes", "why"),
    [
        ("2031-03-30T02:30", "the clocks of Europe/Berlin never show it that day"),
        ("2031-10-26T02:30", "the clocks of Europe/Berlin show it twice that day"),
    ],
)
def test_a_deadline_that_clocks_never_show_or_show_twice_is_refused(
    workbench: World, closes: str, why: str
) -> None:
    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    said = {"phase": "test", "opens": "2031-01-01T00:00", "closes": closes}
    answer = organiser.post("/campaigns/spring/phases", {**said, "zone": "Europe/Berlin"})
    assert (answer.status_code, why in answer.text, campaign.phases.count()) == (400, True, 0)


def test_a_form_takes_a_deadline_anywhere_on_earth(workbench: World) -> None:
    campaign = workbench.campaign(is_public=True)
    organiser = workbench.client(workbench.user("olga", administrator=True))
    said = {"phase": "test", "opens": "2031-01-01T00:00", "closes": "2031-02-01T23:59", "zone": "AoE"}
    organiser.post("/campaigns/spring/phases", said)
    assert campaign.phases.get().closes == datetime(2031, 2, 2, 11, 59, tzinfo=UTC)
    assert "2031-02-02 11:59 UTC (2031-02-01 23:59 AoE)" in workbench.client().get("/campaigns/spring").text


@pytest.mark.usefixtures("_project")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\a b.tbf", "a_b.tbf"),
        ("-", "run"),
        (".hidden", "hidden"),
        ("a\nb\x00.tbf", "a_b_.tbf"),
        ("x" * 300 + ".tar.gz", "x" * 143 + ".tar.gz"),
        ("字" * 200 + ".tbf", "字" * 48 + ".tbf"),
    ],
)
def test_the_name_of_an_upload_leads_nowhere(given: str, kept: str) -> None:
    from lydite_workbench.store import Upload

    assert Upload("", 0, given).safe_name == kept


@ON_SQLITE
def test_the_log_of_a_campaign_is_sent_line_by_line_as_csv_that_a_spreadsheet_only_shows(
    workbench: World,
) -> None:
    from lydite_workbench.accounts.services import record

    campaign = workbench.campaign()
    record("command", "team.add", "=2+3", campaign=campaign, name="Alder")
    record("command", "team.add", "-1", campaign=campaign)
    answer = workbench.client(workbench.user("olga", administrator=True)).get("/campaigns/spring/audit.csv")
    head, number, formula = answer.getvalue().decode().splitlines()
    assert head == "at,actor,act,about,details"
    assert number.endswith(",command,team.add,-1,{}")
    assert formula.endswith(',command,team.add, =2+3,"{""name"": ""Alder""}"')
