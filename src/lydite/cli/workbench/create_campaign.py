"""``lydite workbench create-campaign``."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options

EPILOG = """\b
Examples:
  lydite workbench create-campaign spring.toml
"""


@click.command("create-campaign", epilog=EPILOG)
@installation_options
@click.argument("declaration", metavar="FILE.toml")
def command(declaration: str, **options: str | None) -> int:
    """Make a campaign from a file: task, profile, settings, gold, rules and phases."""
    begin(options)
    from lydite.workbench.accounts.services import COMMAND
    from lydite.workbench.campaigns.declarations import read_declaration
    from lydite.workbench.campaigns.services import create_campaign

    campaign = create_campaign(read_declaration(Path(declaration)), actor=COMMAND)
    say(f"made the campaign {campaign.slug}: {campaign.signature}")
    return 0
