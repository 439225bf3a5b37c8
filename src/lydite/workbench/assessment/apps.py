"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.assessment"
    label = "assessment"
