"""Teams: their members, tokens and pages."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify

from lydite.errors import LyditeError
from lydite_workbench.accounts import services as accounts
from lydite_workbench.accounts.models import Token
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.forms import manage_page, on_manage_page
from lydite_workbench.campaigns.models import Campaign, Team
from lydite_workbench.campaigns.runs import run_lines
from lydite_workbench.pages import page, refused_on
from lydite_workbench.problems import BadInput, Refused, refuse_bad_row
from lydite_workbench.rights import Actor, WebRequest

LONGEST_SLUG = 60


@transaction.atomic
def add_team(campaign: Campaign, name: str, *, slug: str = "", actor: Actor) -> Team:
    """Add a team to a campaign; its short name is made from its name if none is given."""
    word = slug or slugify(name)[:LONGEST_SLUG].rstrip("-")
    if not word:
        raise BadInput("bad-slug", f"no short name can be made from {name!r}; give one of letters and digits")
    # The lock keeps the name free until the transaction ends.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if Team.objects.filter(campaign=campaign, slug=word).exists():
        raise Refused("team-exists", f"there is a team {word!r} already")
    team = Team(campaign=campaign, slug=word, name=name)
    refuse_bad_row(team)
    team.save()
    record(actor, "team.add", team.slug, campaign=campaign)
    return team


# --------------------------------------------------------------------------------------------------------- pages


@on_manage_page
def add_team_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Add a team, and show the link for its first member."""
    name, slug = request.POST.get("name", ""), request.POST.get("slug", "")
    team = add_team(campaign, name, slug=slug, actor=request.caller)
    return invite_to_team_view(request, team=team)


def invite_to_team_view(request: WebRequest, team: Team) -> HttpResponse:
    """Show a link for another member of a team."""
    path = accounts.invite(accounts.TEAM, team=team, actor=request.caller)
    return _show_link(request, team.campaign, path, f"a member of the team {team.name}")


@on_manage_page
def invite_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Show a link for somebody with a role."""
    role = request.POST.get("role", "")
    path = accounts.invite(role, campaign=campaign, actor=request.caller)
    return _show_link(request, campaign, path, f"one {role}")


def _show_link(request: WebRequest, campaign: Campaign, path: str, invited_as: str) -> HttpResponse:
    return manage_page(request, campaign, link=request.build_absolute_uri(path), link_for=invited_as)


def team_view(request: WebRequest, team: Team, error: LyditeError | None = None) -> HttpResponse:
    """A team with its members, tokens and runs."""
    context = {
        "campaign": team.campaign,
        "team": team,
        "tokens": team.tokens.filter(revoked__isnull=True).select_related("created_by"),
        "runs": run_lines(request, list(team.runs.select_related("phase", "campaign", "team"))),
        "organises": request.caller.organises(team.campaign),
    }
    return page(request, "campaigns/team.html", context, refusal=error)


@refused_on(team_view, "team")
def team_token_view(request: WebRequest, team: Team) -> HttpResponse:
    """Make a token of a team, and show it once."""
    secret = accounts.new_token(team=team, label=request.POST.get("label", ""), actor=request.caller)
    context = {"campaign": team.campaign, "team": team, "secret": secret}
    return page(request, "accounts/token.html", context, status=201)


def revoke_token_view(request: WebRequest, token: Token) -> HttpResponse:
    """Revoke a token."""
    accounts.revoke(token, actor=request.caller)
    if token.team is None:
        return redirect("accounts:account")
    return redirect("campaigns:team", team=token.team.public_id)
