"""``lydite workbench export``."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, campaign_named, installation_options

EPILOG = """\b
Examples:
  lydite workbench export spring -o spring.zip
"""


@click.command("export", epilog=EPILOG)
@installation_options
@click.argument("campaign")
@click.option("-o", "--output", required=True, metavar="FILE.zip", help="archive to write")
def command(campaign: str, output: str, **options: str | None) -> int:
    """Write a campaign as an archive: gold, runs, settings, judgements, leaderboards, messages, log.

    ``lydite score`` on what is in it gives the figures of the leaderboard, digit for digit.  Persons are not in it.
    """
    begin(options)
    from lydite.workbench.accounts.services import COMMAND
    from lydite.workbench.campaigns.exporting import export

    export(campaign_named(campaign), Path(output), actor=COMMAND)
    say(f"wrote {output}")
    return 0
