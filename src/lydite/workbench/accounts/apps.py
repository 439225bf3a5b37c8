"""What Django knows this app by."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The app."""

    name = "lydite.workbench.accounts"
    label = "accounts"
