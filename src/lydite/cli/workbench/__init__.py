"""``lydite workbench``: administration without a browser."""

from __future__ import annotations

import click

from lydite.cli.verbs import LazyVerbs

VERBS = {
    "migrate": ("lydite.cli.workbench.migrate", "Bring the database to this version of lydite."),
    "create-user": ("lydite.cli.workbench.create_user", "Make an account."),
}
"""Verb, module with a command of that name, one sentence."""


@click.group("workbench", cls=LazyVerbs, verbs=VERBS, noun="command")
def command() -> None:
    """Administer a workbench: accounts, campaigns, teams, tokens, copies."""
