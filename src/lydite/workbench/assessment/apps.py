"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class AssessmentConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.assessment"
    label = "assessment"

    def ready(self) -> None:
        """Be told when jobs end."""
        from lydite.workbench.assessment.services import draft_when_scored
        from lydite.workbench.campaigns.jobs import job_ended

        job_ended.connect(draft_when_scored)
