"""Campaigns, teams, runs, golds, leaderboards, messages; the only door of this app to the library."""

from __future__ import annotations

from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.rights import SEE_CAMPAIGN, Caller, may


def campaigns_for(caller: Caller) -> list[Campaign]:
    """The campaigns that the caller may see, the newest first."""
    every = Campaign.objects.prefetch_related("phases").order_by("-created")
    return [campaign for campaign in every if may(caller, SEE_CAMPAIGN, campaign)]
