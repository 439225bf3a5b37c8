"""The pages that show a campaign: for everybody, for its members, and for organisers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from lydite.errors import LyditeError
from lydite_workbench.accounts.models import CampaignRole, Role
from lydite_workbench.campaigns.boards import boards_of, published_board, scoring_count, unscored_count
from lydite_workbench.campaigns.forms import phase_choices
from lydite_workbench.campaigns.gold import changes_of, difference_of
from lydite_workbench.campaigns.messages import messages_for
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.campaigns.runs import allowance_or_refusal, run_lines, runs_for
from lydite_workbench.pages import CSV, download, page
from lydite_workbench.records import sheet_lines
from lydite_workbench.rights import ADJUDICATE, EXPLORE, SEE_CAMPAIGN, Caller, WebRequest, may


def campaigns_for(caller: Caller) -> list[Campaign]:
    """The campaigns that the caller may see, the newest first."""
    every = Campaign.objects.prefetch_related("phases").order_by("-created", "slug")
    return [campaign for campaign in every if may(caller, SEE_CAMPAIGN, campaign)]


def home(request: WebRequest) -> HttpResponse:
    """The campaigns that the caller may see."""
    return page(request, "campaigns/home.html", {"campaigns": campaigns_for(request.caller)})


def campaign(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """A campaign: its phases, what is published, and what the caller can do in it."""
    caller = request.caller
    teams = caller.teams_in(campaign)
    context = {
        "campaign": campaign,
        "phases": campaign.phases.all(),
        "now": timezone.now(),
        "board": published_board(campaign),
        "organises": caller.organises(campaign),
        "adjudicates": may(caller, ADJUDICATE, campaign),
        "explores": may(caller, EXPLORE, campaign),
        "takes_part": caller.takes_part(campaign),
        "teams": [(team, allowance_or_refusal(team)) for team in teams],
        "runs": run_lines(request, runs_for(caller, campaign)),
        "messages": messages_for(caller, campaign)[:5],
    }
    return page(request, "campaigns/campaign.html", context)


def manage(
    request: WebRequest, campaign: Campaign, error: LyditeError | None = None, **more: object
) -> HttpResponse:
    """The page from which an organiser runs a campaign."""
    gold = campaign.gold
    difference = difference_of(gold) if gold is not None else None
    roles = CampaignRole.objects.filter(campaign=campaign).select_related("user")
    context = {
        "campaign": campaign,
        "phases": campaign.phases.all(),
        "teams": campaign.teams.prefetch_related("members"),
        "roles": roles.order_by("role", "user__name"),
        "role_names": Role.values,
        "golds": campaign.golds.select_related("created_by"),
        "difference": difference,
        "changes": changes_of(difference) if difference is not None else [],
        "boards": boards_of(campaign),
        "scored_again": scoring_count(campaign),
        "unscored": unscored_count(campaign),
        "figures": "\n".join(campaign.figures),
        **phase_choices(),
        **more,
    }
    return page(request, "campaigns/manage.html", context, refusal=error)


def audit(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The newest lines of the audit log."""
    entries = [
        (
            entry,
            [
                f"{name}: {_detail_text(value)}"
                for name, value in sorted(entry.details.items())
                if value not in EMPTY_DETAILS
            ],
        )
        for entry in campaign.audit.all()[:500]
    ]
    return page(request, "campaigns/audit.html", {"campaign": campaign, "entries": entries})


EMPTY_DETAILS: Sequence[object] = (None, "", [])
"""Values of details that the page leaves out."""


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
