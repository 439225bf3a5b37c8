"""``lydite workbench``: administer a workbench without a browser."""

from __future__ import annotations

import click

from lydite.cli.verbs import LazyVerbs
from lydite_workbench.commands.options import installation_from, installation_options

VERBS = {
    "migrate": (
        "lydite_workbench.commands.commands:migrate",
        "Create the database, or update it to this version of lydite.",
    ),
    "create-user": ("lydite_workbench.commands.commands:create_user", "Create an account."),
    "create-campaign": (
        "lydite_workbench.commands.commands:create_campaign",
        "Create a campaign from a file.",
    ),
    "add-team": ("lydite_workbench.commands.commands:add_team", "Add a team to a campaign."),
    "token": ("lydite_workbench.commands.commands:token", "Create or revoke a token for the API."),
    "export": ("lydite_workbench.commands.commands:export", "Write a campaign to an archive."),
    "import": ("lydite_workbench.commands.commands:import_", "Read an exported campaign."),
    "backup": ("lydite_workbench.commands.commands:backup", "Write a backup of the whole workbench."),
    "restore": ("lydite_workbench.commands.commands:restore", "Fill an empty workbench from a backup."),
}
"""Verb, its command, one sentence."""


EPILOG = """\b
Examples:
  lydite workbench create-user olga --administrator
  lydite workbench create-campaign spring.toml
  lydite workbench export spring -o spring.zip
  lydite workbench backup -o workbench.zip
"""


@click.group("workbench", cls=LazyVerbs, verbs=VERBS, noun="command", epilog=EPILOG)
@installation_options
@click.pass_context
def command(ctx: click.Context, folder: str | None, database: str | None, files: str | None) -> None:
    """Administer a workbench: accounts, campaigns, teams, tokens, backups."""
    ctx.obj = installation_from(folder, database, files)
