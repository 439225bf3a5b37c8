"""``lydite workbench add-team``."""

from __future__ import annotations

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, campaign_named, installation_options

EPILOG = """\b
Examples:
  lydite workbench add-team spring "Harbour Lab" --address https://eval.example.org
"""


@click.command("add-team", epilog=EPILOG)
@installation_options
@click.argument("campaign")
@click.argument("name")
@click.option("--slug", metavar="WORD", help="short name, in labels of runs  [default: made from the name]")
@click.option("--address", metavar="URL", default="", help="address of the workbench, for the link")
def command(campaign: str, name: str, slug: str | None, address: str, **options: str | None) -> int:
    """Let a team take part; prints a one-time link for its first member."""
    begin(options)
    from lydite.workbench.accounts.services import COMMAND, TEAM, invite
    from lydite.workbench.campaigns.services import add_team

    team = add_team(campaign_named(campaign), name, slug=slug or "", actor=COMMAND)
    link = invite(TEAM, team=team, actor=COMMAND).path
    say(f"the team {team.slug} takes part; its first member joins with this link, which works once:")
    say(f"{address.rstrip('/')}{link}")
    return 0
