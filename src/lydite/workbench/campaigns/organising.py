"""Pages of organisers: teams, phases, gold, leaderboards, messages, the log."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from lydite.errors import LyditeError
from lydite.profile import profile_names
from lydite.tasks import TASKS
from lydite.workbench.accounts import services as accounts
from lydite.workbench.accounts.models import CampaignRole, Role, Token
from lydite.workbench.campaigns import services
from lydite.workbench.campaigns.models import (
    BoardNames,
    BoardOf,
    Campaign,
    GoldVersion,
    LeaderboardVersion,
    Phase,
    Shown,
    Team,
)
from lydite.workbench.campaigns.rules import instant_of
from lydite.workbench.campaigns.services import NewCampaign
from lydite.workbench.campaigns.templatetags.figures import local
from lydite.workbench.campaigns.views import run_lines
from lydite.workbench.pages import CSV, download, page, refused_on, whole_number
from lydite.workbench.problems import Refused
from lydite.workbench.records import sheet_lines
from lydite.workbench.rights import WorkbenchRequest
from lydite.workbench.uploads import needed_file, sent_file


def manage(
    request: WorkbenchRequest, campaign: Campaign, error: LyditeError | None = None, **more: object
) -> HttpResponse:
    """Everything that an organiser does, on one page."""
    gold = campaign.gold
    difference = services.difference_of(gold) if gold is not None else None
    shown = {
        "campaign": campaign,
        "phases": campaign.phases.all(),
        "teams": campaign.teams.prefetch_related("members"),
        "roles": CampaignRole.objects.filter(campaign=campaign)
        .select_related("user")
        .order_by("role", "user__name"),
        "role_names": Role.values,
        "golds": campaign.golds.select_related("created_by"),
        "difference": difference,
        "changes": services.changes_of(difference) if difference is not None else [],
        "boards": services.boards_of(campaign),
        "scored_again": services.scored_again(campaign),
        "unscored": services.unscored(campaign),
        "figures": "\n".join(campaign.figures),
        **_phase_choices(),
        **more,
    }
    return page(request, "campaigns/manage.html", shown, refusal=error)


def _phase_choices() -> dict[str, list[str]]:
    """What the fields of a phase offer."""
    return {
        "see_choices": Shown.values,
        "board_choices": BoardNames.values,
        "zones": sorted(available_timezones()),
    }


form = refused_on(manage, then="campaigns:manage")


# ------------------------------------------------------------------------------------------------- new campaigns


def new_campaign(request: WorkbenchRequest) -> HttpResponse:
    """The form of a new campaign, and its answer."""
    if request.method != "POST":
        return _new_campaign(request)
    try:
        campaign = services.create_campaign(_declared(request), actor=request.caller)
    except LyditeError as error:
        return _new_campaign(request, error)
    return redirect("campaigns:manage", campaign=campaign.slug)


def _new_campaign(request: WorkbenchRequest, error: LyditeError | None = None) -> HttpResponse:
    shown = {
        "tasks": {name: profile_names(name) for name in TASKS},
        "said": request.POST,
        **{
            name: name in request.POST or not request.POST for name in ("is_test", "gold_documents_are_known")
        },
        **_phase_choices(),
    }
    return page(request, "campaigns/new.html", shown, refusal=error)


def _declared(request: WorkbenchRequest) -> NewCampaign:
    said = request.POST
    texts = sent_file(request, "documents")
    campaign = Campaign(
        slug=said.get("slug", ""),
        title=said.get("title", "") or said.get("slug", ""),
        task=said.get("task", ""),
        profile=said.get("profile", ""),
        description=said.get("description", ""),
        is_public="is_public" in said,
        settings=_settings(said.get("settings", "")),
        needs_run_without_web="needs_run_without_web" in said,
        needs_ranks="needs_ranks" in said,
        **_boards(request),
    )
    files = {"documents": texts} if texts else {}
    return NewCampaign(campaign, sent_file(request, "gold"), files, [Phase(**_phase(request))])


def _boards(request: WorkbenchRequest) -> dict[str, object]:
    """What a form says of leaderboards, and of what teams are told."""
    said = request.POST
    return {
        "figures": [line.strip() for line in said.get("figures", "").splitlines() if line.strip()],
        "board_of": said.get("board_of", BoardOf.BEST),
        "gold_documents_are_known": "gold_documents_are_known" in said,
    }


@form
def change_campaign(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Change what a campaign is called, who sees it, what its leaderboards have and what its jobs may take."""
    said = request.POST
    services.change_campaign(
        campaign,
        actor=request.caller,
        title=said.get("title", "").strip(),
        description=said.get("description", ""),
        is_public="is_public" in said,
        **_boards(request),
        **{
            name: whole_number(said, name, getattr(campaign, name), digits=len(str(most)))
            for name, most in services.LIMITS.items()
        },
    )


def _settings(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused("bad-settings", f"settings: not valid TOML: {error}", status=400) from None


# -------------------------------------------------------------------------------------------------------- phases


def _phase(request: WorkbenchRequest, phase: Phase | None = None) -> dict[str, object]:
    """The fields of a phase, as a form says them: a new one, or one that is changed."""
    said = request.POST
    zone = accounts.zone_named(said.get("zone", "UTC"))
    rejected = whole_number(said, "rejected_per_team", None)
    return {
        **({} if rejected is None else {"rejected_per_team": rejected}),
        "slug": said.get("phase", "") or "test",
        "title": said.get("phase_title", "") or said.get("phase", "") or getattr(phase, "title", "Test"),
        **{
            word: _instant(said.get(word, ""), zone, getattr(phase, word, None))
            for word in ("opens", "closes")
        },
        "zone": zone.key,
        "is_test": "is_test" in said,
        "runs_per_team": whole_number(said, "runs_per_team", None),
        "teams_see": said.get("teams_see", Shown.HEADLINE),
        "board": said.get("board", BoardNames.NAMES),
        "takes_late_runs": "takes_late_runs" in said,
    }


def _instant(text: str, zone: ZoneInfo, before: datetime | None) -> datetime:
    """What a form says as an instant: a time with its offset, or a time of the zone that the form names."""
    if before is not None and text == local(before, zone.key):
        # A form shows neither parts of a second nor which of two hours of one name is meant: what it shows, it keeps.
        return before
    try:
        said = datetime.fromisoformat(text)
    except ValueError:
        raise Refused(
            "bad-instant", f"expected date and time as in 2026-05-01T23:59, found {text!r}", status=400
        ) from None
    return instant_of(said, zone)


@form
def add_phase(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Add a phase."""
    services.add_phase(campaign, Phase(**_phase(request)), actor=request.caller)


@form
def change_phase(request: WorkbenchRequest, campaign: Campaign, phase: Phase) -> None:  # noqa: ARG001 - a view
    """Change a phase."""
    changes = _phase(request, phase)
    del changes["slug"]
    services.change_phase(phase, actor=request.caller, **changes)


# ------------------------------------------------------------------------------------------------ teams and people


@form
def add_team(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """Add a team, and show the link for its first member, once."""
    said = request.POST
    team = services.add_team(campaign, said.get("name", ""), slug=said.get("slug", ""), actor=request.caller)
    return invite_to_team(request, team=team)


def invite_to_team(request: WorkbenchRequest, team: Team) -> HttpResponse:
    """A link for another member of a team."""
    path = accounts.invite(accounts.TEAM, team=team, actor=request.caller)
    return _invited(request, team.campaign, path, f"the team {team.name}")


@form
def invite(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """A link for somebody with a role."""
    role = request.POST.get("role", "")
    path = accounts.invite(role, campaign=campaign, actor=request.caller)
    return _invited(request, campaign, path, f"one {role}")


def _invited(request: WorkbenchRequest, campaign: Campaign, path: str, whom: str) -> HttpResponse:
    return manage(request, campaign, link=request.build_absolute_uri(path), link_for=whom)


def team(request: WorkbenchRequest, team: Team, error: LyditeError | None = None) -> HttpResponse:
    """A team: its members, tokens and runs."""
    shown = {
        "campaign": team.campaign,
        "team": team,
        "tokens": team.tokens.filter(revoked__isnull=True).select_related("created_by"),
        "runs": run_lines(request, list(team.runs.select_related("phase", "campaign", "team"))),
        "organises": request.caller.organises(team.campaign),
    }
    return page(request, "campaigns/team.html", shown, refusal=error)


@refused_on(team, "team")
def team_token(request: WorkbenchRequest, team: Team) -> HttpResponse:
    """A token of a team, shown once."""
    secret = accounts.new_token(team=team, label=request.POST.get("label", ""), actor=request.caller)
    shown = {"campaign": team.campaign, "team": team, "secret": secret}
    return page(request, "accounts/token.html", shown, status=201)


def revoke_token(request: WorkbenchRequest, token: Token) -> HttpResponse:
    """End a token."""
    accounts.revoke(token, actor=request.caller)
    if token.team is None:
        return redirect("accounts:account")
    return redirect("campaigns:team", team=token.team.public_id)


# ---------------------------------------------------------------------------------------------------------- gold


@form
def replace_gold(request: WorkbenchRequest, campaign: Campaign) -> None:
    """A new version of gold; all runs are scored again."""
    note = request.POST.get("note", "")
    services.replace_gold(campaign, needed_file(request), note=note, actor=request.caller)


@form
def score_again(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Let all runs be scored that have no score under what counts now."""
    services.score_again(campaign, actor=request.caller)


@form
def send_differences(request: WorkbenchRequest, gold: GoldVersion) -> None:
    """Tell every team what a new gold changed for it."""
    difference = services.difference_of(gold)
    if difference is None:
        raise Refused("no-difference", "there is no version before this one to compare it with")
    services.send_differences(difference, actor=request.caller)


# -------------------------------------------------------------------------------------------------- leaderboards


@form
def draft_board(request: WorkbenchRequest, campaign: Campaign, phase: Phase) -> HttpResponse:  # noqa: ARG001 - a view
    """Compare the runs of a phase; the draft is for organisers."""
    return _to(services.draft_board(phase, actor=request.caller))


@form
def publish_board(request: WorkbenchRequest, board: LeaderboardVersion) -> HttpResponse:
    """Show a leaderboard to everybody who sees the campaign."""
    names = request.POST.get("names") or None
    return _to(services.publish_board(board, actor=request.caller, names=names))


def retract_board(request: WorkbenchRequest, board: LeaderboardVersion) -> HttpResponse:
    """Take a leaderboard back."""
    return _to(services.retract_board(board, actor=request.caller))


def _to(board: LeaderboardVersion) -> HttpResponse:
    return redirect("campaigns:board", board=board.public_id)


# ------------------------------------------------------------------------------------------- messages and the log


@form
def send_message(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """A word to one team, or to all."""
    subject, text = request.POST.get("subject", "").strip(), request.POST.get("text", "").strip()
    whose = request.POST.get("team", "")
    team = campaign.teams.filter(public_id=whose).first()
    if not subject or not text:
        raise Refused("no-text", "a message has a subject and a text", status=400)
    if whose and team is None:
        raise Refused("no-such-team", "choose a team of this campaign, or all", status=400)
    services.send_message(campaign, subject, text, team=team, actor=request.caller)
    return redirect("campaigns:messages", campaign=campaign.slug)


def audit(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """Who did what, when."""
    entries = [
        (
            entry,
            [
                f"{name}: {_said(value)}"
                for name, value in sorted(entry.details.items())
                if value not in UNSAID
            ],
        )
        for entry in campaign.audit.all()[:500]
    ]
    return page(request, "campaigns/audit.html", {"campaign": campaign, "entries": entries})


UNSAID: Sequence[object] = (None, "", [])
"""Details of which the page says nothing."""


def _said(value: object) -> str:
    """A detail of the log for people."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {inner}" for name, inner in sorted(value.items()))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def audit_file(request: WorkbenchRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """The log of a campaign as CSV."""
    rows = (
        [entry.at.isoformat(), entry.actor, entry.act, entry.about, json.dumps(entry.details, sort_keys=True)]
        for entry in campaign.audit.iterator()
    )
    lines = sheet_lines(chain([["at", "actor", "act", "about", "details"]], rows))
    return download(lines, f"{campaign.slug}-audit.csv", CSV)
