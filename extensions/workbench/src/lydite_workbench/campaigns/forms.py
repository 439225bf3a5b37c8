"""What the forms of organisers share: where a refusal of a form is shown."""

from __future__ import annotations

from django.http import HttpResponse

from lydite.errors import LyditeError
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.pages import refused_on
from lydite_workbench.rights import WebRequest


def _manage(request: WebRequest, campaign: Campaign, error: LyditeError) -> HttpResponse:
    # That page shows every noun, and each noun has forms on it.
    from lydite_workbench.campaigns.organising import manage

    return manage(request, campaign, error)


on_manage_page = refused_on(_manage, then="campaigns:manage")
"""A decorator of views for forms on the page from which an organiser runs a campaign."""
