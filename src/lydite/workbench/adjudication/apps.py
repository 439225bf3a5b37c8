"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.adjudication"
    label = "adjudication"
