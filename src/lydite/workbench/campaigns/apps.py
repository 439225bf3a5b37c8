"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.campaigns"
    label = "campaigns"
