"""Pages of organisers: teams, phases, gold, leaderboards, messages, the audit log."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from lydite.errors import LyditeError
from lydite.profile import profile_names
from lydite.tasks import TASKS
from lydite_workbench.accounts import services as accounts
from lydite_workbench.accounts.models import CampaignRole, Role, Token
from lydite_workbench.campaigns import boards, services
from lydite_workbench.campaigns.models import (
    BoardNames,
    BoardOf,
    Campaign,
    GoldVersion,
    Phase,
    Shown,
    Team,
)
from lydite_workbench.campaigns.rules import instant_of
from lydite_workbench.campaigns.services import NewCampaign
from lydite_workbench.campaigns.templatetags.figures import local
from lydite_workbench.campaigns.views import run_lines
from lydite_workbench.pages import CSV, download, page, refused_on, whole_number
from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.records import sheet_lines
from lydite_workbench.rights import WebRequest
from lydite_workbench.uploads import required_file, sent_file


def manage(
    request: WebRequest, campaign: Campaign, error: LyditeError | None = None, **more: object
) -> HttpResponse:
    """The page from which an organiser runs a campaign."""
    gold = campaign.gold
    difference = services.difference_of(gold) if gold is not None else None
    roles = CampaignRole.objects.filter(campaign=campaign).select_related("user")
    context = {
        "campaign": campaign,
        "phases": campaign.phases.all(),
        "teams": campaign.teams.prefetch_related("members"),
        "roles": roles.order_by("role", "user__name"),
        "role_names": Role.values,
        "golds": campaign.golds.select_related("created_by"),
        "difference": difference,
        "changes": services.changes_of(difference) if difference is not None else [],
        "boards": boards.boards_of(campaign),
        "scored_again": boards.scoring_count(campaign),
        "unscored": boards.unscored_count(campaign),
        "figures": "\n".join(campaign.figures),
        **_phase_choices(),
        **more,
    }
    return page(request, "campaigns/manage.html", context, refusal=error)


def _phase_choices() -> dict[str, list[str]]:
    """The choices of the fields of a phase."""
    return {
        "see_choices": Shown.values,
        "board_choices": BoardNames.values,
        "zones": sorted(available_timezones()),
    }


form = refused_on(manage, then="campaigns:manage")


# ------------------------------------------------------------------------------------------------- new campaigns


def new_campaign(request: WebRequest) -> HttpResponse:
    """The form of a new campaign, and its answer."""
    if request.method != "POST":
        return _new_campaign(request)
    try:
        campaign = services.create_campaign(_campaign_from_form(request), actor=request.caller)
    except LyditeError as error:
        return _new_campaign(request, error)
    return redirect("campaigns:manage", campaign=campaign.slug)


def _new_campaign(request: WebRequest, error: LyditeError | None = None) -> HttpResponse:
    boxes = ("is_test", "gold_documents_are_known")
    context = {
        "tasks": {name: profile_names(name) for name in TASKS},
        "fields": request.POST,
        **{name: name in request.POST or not request.POST for name in boxes},
        **_phase_choices(),
    }
    return page(request, "campaigns/new.html", context, refusal=error)


def _campaign_from_form(request: WebRequest) -> NewCampaign:
    fields = request.POST
    texts = sent_file(request, "documents")
    campaign = Campaign(
        slug=fields.get("slug", ""),
        title=fields.get("title", "") or fields.get("slug", ""),
        task=fields.get("task", ""),
        profile=fields.get("profile", ""),
        description=fields.get("description", ""),
        is_public="is_public" in fields,
        settings=_settings(fields.get("settings", "")),
        needs_run_without_web="needs_run_without_web" in fields,
        needs_ranks="needs_ranks" in fields,
        **_board_fields(request),
    )
    files = {"documents": texts} if texts else {}
    return NewCampaign(campaign, sent_file(request, "gold"), files, [Phase(**_phase_fields(request))])


def _board_fields(request: WebRequest) -> dict[str, object]:
    """The fields of a form about leaderboards and about what teams may know."""
    fields = request.POST
    return {
        "figures": [line.strip() for line in fields.get("figures", "").splitlines() if line.strip()],
        "board_of": fields.get("board_of", BoardOf.BEST),
        "gold_documents_are_known": "gold_documents_are_known" in fields,
    }


@form
def change_campaign(request: WebRequest, campaign: Campaign) -> None:
    """Change title, visibility, leaderboards and limits of a campaign."""
    fields = request.POST
    services.change_campaign(
        campaign,
        actor=request.caller,
        title=fields.get("title", "").strip(),
        description=fields.get("description", ""),
        is_public="is_public" in fields,
        **_board_fields(request),
        **{
            name: whole_number(fields, name, getattr(campaign, name), digits=len(str(most)))
            for name, most in services.LIMITS.items()
        },
    )


def _settings(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput("bad-settings", f"settings: not valid TOML: {error}") from None


# -------------------------------------------------------------------------------------------------------- phases


def _phase_fields(request: WebRequest, phase: Phase | None = None) -> dict[str, object]:
    """The fields of a new or changed phase in a form."""
    fields = request.POST
    zone = accounts.zone_named(fields.get("zone", "UTC"))
    rejected = whole_number(fields, "rejected_per_team", None)
    ends = ("opens", "closes")
    return {
        **({} if rejected is None else {"rejected_per_team": rejected}),
        "slug": fields.get("phase", "") or "test",
        "title": fields.get("phase_title", "") or fields.get("phase", "") or getattr(phase, "title", "Test"),
        **{word: _instant(fields.get(word, ""), zone, getattr(phase, word, None)) for word in ends},
        "zone": zone.key,
        "is_test": "is_test" in fields,
        "runs_per_team": whole_number(fields, "runs_per_team", None),
        "teams_see": fields.get("teams_see", Shown.HEADLINE),
        "board": fields.get("board", BoardNames.NAMES),
        "takes_late_runs": "takes_late_runs" in fields,
    }


def _instant(text: str, zone: ZoneInfo, before: datetime | None) -> datetime:
    """The instant in a form: a time with an offset, or a time of the zone that the form names."""
    if before is not None and text == local(before, zone.key):
        # A form shows no fractions of a second, nor which of two equal local times is meant: unchanged, it keeps them.
        return before
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        sentence = f"expected date and time as in 2026-05-01T23:59, found {text!r}"
        raise BadInput("bad-instant", sentence) from None
    return instant_of(time, zone)


@form
def add_phase(request: WebRequest, campaign: Campaign) -> None:
    """Add a phase."""
    services.add_phase(campaign, Phase(**_phase_fields(request)), actor=request.caller)


@form
def change_phase(request: WebRequest, campaign: Campaign, phase: Phase) -> None:  # noqa: ARG001 - a view
    """Change a phase."""
    changes = _phase_fields(request, phase)
    del changes["slug"]
    services.change_phase(phase, actor=request.caller, **changes)


# ------------------------------------------------------------------------------------------------ teams and people


@form
def add_team(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Add a team, and show the link for its first member."""
    name, slug = request.POST.get("name", ""), request.POST.get("slug", "")
    team = services.add_team(campaign, name, slug=slug, actor=request.caller)
    return invite_to_team(request, team=team)


def invite_to_team(request: WebRequest, team: Team) -> HttpResponse:
    """Show a link for another member of a team."""
    path = accounts.invite(accounts.TEAM, team=team, actor=request.caller)
    return _show_link(request, team.campaign, path, f"a member of the team {team.name}")


@form
def invite(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Show a link for somebody with a role."""
    role = request.POST.get("role", "")
    path = accounts.invite(role, campaign=campaign, actor=request.caller)
    return _show_link(request, campaign, path, f"one {role}")


def _show_link(request: WebRequest, campaign: Campaign, path: str, invited_as: str) -> HttpResponse:
    return manage(request, campaign, link=request.build_absolute_uri(path), link_for=invited_as)


def team(request: WebRequest, team: Team, error: LyditeError | None = None) -> HttpResponse:
    """A team with its members, tokens and runs."""
    context = {
        "campaign": team.campaign,
        "team": team,
        "tokens": team.tokens.filter(revoked__isnull=True).select_related("created_by"),
        "runs": run_lines(request, list(team.runs.select_related("phase", "campaign", "team"))),
        "organises": request.caller.organises(team.campaign),
    }
    return page(request, "campaigns/team.html", context, refusal=error)


@refused_on(team, "team")
def team_token(request: WebRequest, team: Team) -> HttpResponse:
    """Make a token of a team, and show it once."""
    secret = accounts.new_token(team=team, label=request.POST.get("label", ""), actor=request.caller)
    context = {"campaign": team.campaign, "team": team, "secret": secret}
    return page(request, "accounts/token.html", context, status=201)


def revoke_token(request: WebRequest, token: Token) -> HttpResponse:
    """Revoke a token."""
    accounts.revoke(token, actor=request.caller)
    if token.team is None:
        return redirect("accounts:account")
    return redirect("campaigns:team", team=token.team.public_id)


# ---------------------------------------------------------------------------------------------------------- gold


@form
def replace_gold(request: WebRequest, campaign: Campaign) -> None:
    """Replace gold by a new version; all runs are scored again."""
    note = request.POST.get("note", "")
    services.replace_gold(campaign, required_file(request), note=note, actor=request.caller)


@form
def score_again(request: WebRequest, campaign: Campaign) -> None:
    """Queue the scoring of all runs that have no current score."""
    services.score_again(campaign, actor=request.caller)


@form
def send_differences(request: WebRequest, gold: GoldVersion) -> None:
    """Send every team what a new gold changed for its runs."""
    difference = services.difference_of(gold)
    if difference is None:
        raise Refused("no-difference", "there is no earlier version to compare this one with")
    services.send_differences(difference, actor=request.caller)


# ------------------------------------------------------------------------------------------- messages and the log


@form
def send_message(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Send a message to one team, or to all."""
    subject, text = request.POST.get("subject", "").strip(), request.POST.get("text", "").strip()
    team_id = request.POST.get("team", "")
    team = campaign.teams.filter(public_id=team_id).first()
    if not subject or not text:
        raise BadInput("no-text", "a message needs a subject and a text")
    if team_id and team is None:
        raise BadInput("no-such-team", "choose a team of this campaign, or all")
    services.send_message(campaign, subject, text, team=team, actor=request.caller)
    return redirect("campaigns:messages", campaign=campaign.slug)


def audit(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The newest lines of the audit log."""
    entries = [(entry, _detail_lines(entry.details)) for entry in campaign.audit.all()[:500]]
    return page(request, "campaigns/audit.html", {"campaign": campaign, "entries": entries})


EMPTY_DETAILS: Sequence[object] = (None, "", [])
"""Values of details that the page leaves out."""


def _detail_lines(details: Mapping[str, object]) -> list[str]:
    filled = ((name, value) for name, value in sorted(details.items()) if value not in EMPTY_DETAILS)
    return [f"{name}: {_detail_text(value)}" for name, value in filled]


def _detail_text(value: object) -> str:
    """A detail of the audit log as text."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {inner}" for name, inner in sorted(value.items()))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def audit_file(request: WebRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """Download the audit log as CSV."""
    rows = (
        [entry.at.isoformat(), entry.actor, entry.act, entry.about, json.dumps(entry.details, sort_keys=True)]
        for entry in campaign.audit.iterator()
    )
    lines = sheet_lines(chain([["at", "actor", "act", "about", "details"]], rows))
    return download(lines, f"{campaign.slug}-audit.csv", CSV)
