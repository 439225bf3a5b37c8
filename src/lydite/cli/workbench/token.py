"""``lydite workbench token``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, campaign_named, installation_options
from lydite.errors import UsageError

if TYPE_CHECKING:
    from lydite.workbench.campaigns.models import Team


EPILOG = """\b
Examples:
  lydite workbench token --team spring/harbour-lab --label "build server"
  lydite workbench token --revoke PUBLIC-ID
"""


@click.command("token", epilog=EPILOG)
@installation_options
@click.option("--user", metavar="NAME", help="with the rights of this person")
@click.option("--team", metavar="CAMPAIGN/TEAM", help="with the rights of this team")
@click.option("--label", default="", help="what it is for")
@click.option("--revoke", metavar="ID", help="end the token of this id")
def command(user: str | None, team: str | None, label: str, revoke: str | None, **options: str | None) -> int:
    """Make a token for the API, which is shown once; or end one."""
    if sum(map(bool, (user, team, revoke))) != 1:
        raise UsageError("lydite workbench token needs one of --user, --team, --revoke")
    begin(options)
    from lydite.workbench.accounts.models import Token, User, plain_name
    from lydite.workbench.accounts.services import COMMAND, new_token
    from lydite.workbench.accounts.services import revoke as end

    if revoke:
        token = Token.objects.filter(public_id=revoke).first()
        if token is None:
            raise UsageError(f"no token {revoke!r}")
        end(token, actor=COMMAND)
        say(f"the token {revoke} has ended")
        return 0
    person = User.objects.filter(name=plain_name(user)).first() if user else None
    if user and person is None:
        raise UsageError(f"no account {user!r}")
    found = _team(team) if team else None
    made = new_token(user=person, team=found, label=label, actor=COMMAND)
    say(made.secret)
    return 0


def _team(said: str) -> Team:
    from lydite.workbench.campaigns.models import Team

    slug, slash, word = said.partition("/")
    team = Team.objects.filter(campaign=campaign_named(slug), slug=word).first()
    if not slash or team is None:
        raise UsageError(f"--team {said}: no such team", hint="CAMPAIGN/TEAM, by their short names")
    return team
