"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.corpus"
    label = "corpus"
