"""The commands of ``lydite workbench``; what they need of the workbench is loaded when they are called."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from lydite.cli.output import print_line
from lydite.cli.parameters import utf8_text
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite_workbench.commands.options import begin, campaign_named

if TYPE_CHECKING:
    from lydite_workbench.campaigns.models import Team
    from lydite_workbench.installation import Installation


@click.command(
    "migrate",
    epilog=examples_epilog(
        "lydite workbench migrate",
        "lydite workbench --database postgresql://lydite@db/lydite --files /srv/lydite migrate",
    ),
)
@click.pass_obj
def migrate(installation: Installation) -> None:
    """Create the database, or update it to this version of lydite; if it is up to date, nothing changes."""
    begin(installation, may_be_empty=True)
    from lydite_workbench import serving

    serving.migrate()
    print_line("the database is up to date")


@click.command(
    "create-user",
    epilog=examples_epilog(
        "lydite workbench create-user olga --administrator",
        'lydite workbench create-user anna --shown-name "Anna Berg" --password-file -',
    ),
)
@click.argument("name", type=utf8_text)
@click.option("--administrator", is_flag=True, help="may create campaigns, and organises all of them")
@click.option("--shown-name", type=utf8_text, metavar="NAME", help="name that others see")
@click.option(
    "--password-file",
    type=click.File("r"),
    metavar="FILE",
    help="its first line is the password; - is stdin  [default: asked for]",
)
@click.pass_obj
def create_user(
    installation: Installation,
    name: str,
    administrator: bool,
    shown_name: str | None,
    password_file: IO[str] | None,
) -> None:
    """Create an account; its password is read from a file, or asked for."""
    begin(installation)
    from lydite_workbench.accounts import services

    if password_file is not None:
        try:
            password = password_file.readline().rstrip("\r\n")
        except UnicodeDecodeError:
            raise UsageError("--password-file: expected text in UTF-8") from None
    else:
        password = click.prompt("password", hide_input=True, confirmation_prompt=True, err=True)
    user = services.create_user(name, password, shown_name=shown_name or "", administrator=administrator)
    print_line(f"created the account {user.name}")


@click.command("create-campaign", epilog=examples_epilog("lydite workbench create-campaign spring.toml"))
@click.argument("declaration", metavar="FILE.toml")
@click.pass_obj
def create_campaign(installation: Installation, declaration: str) -> None:
    """Create a campaign from a file with its task, profile, settings, gold, rules and phases."""
    begin(installation)
    from lydite_workbench.accounts.services import COMMAND
    from lydite_workbench.campaigns import setup
    from lydite_workbench.campaigns.declarations import read_declaration

    campaign = setup.create_campaign(read_declaration(Path(declaration)), actor=COMMAND)
    print_line(f"created the campaign {campaign.slug}: {campaign.signature}")


@click.command(
    "add-team",
    epilog=examples_epilog(
        'lydite workbench add-team spring "Harbour Lab" --address https://eval.example.org'
    ),
)
@click.argument("campaign", type=utf8_text)
@click.argument("name", type=utf8_text)
@click.option(
    "--slug",
    type=utf8_text,
    metavar="WORD",
    help="short name, in labels of runs  [default: made from the name]",
)
@click.option(
    "--address", type=utf8_text, metavar="URL", default="", help="address of the workbench, for the link"
)
@click.pass_obj
def add_team(installation: Installation, campaign: str, name: str, slug: str | None, address: str) -> None:
    """Add a team to a campaign, and print a one-time link for its first member."""
    begin(installation)
    from lydite_workbench.accounts.services import COMMAND, TEAM, invite
    from lydite_workbench.campaigns import teams

    team = teams.add_team(campaign_named(campaign), name, slug=slug or "", actor=COMMAND)
    link = invite(TEAM, team=team, actor=COMMAND)
    print_line(f"the team {team.slug} takes part; its first member joins with this link, which works once:")
    print_line(f"{address.rstrip('/')}{link}")


@click.command(
    "token",
    epilog=examples_epilog(
        'lydite workbench token --team spring/harbour-lab --label "build server"',
        "lydite workbench token --revoke PUBLIC-ID",
    ),
)
@click.option("--user", type=utf8_text, metavar="NAME", help="with the rights of this person")
@click.option("--team", type=utf8_text, metavar="CAMPAIGN/TEAM", help="with the rights of this team")
@click.option("--label", type=utf8_text, default="", help="what the token is for")
@click.option("--revoke", type=utf8_text, metavar="ID", help="revoke the token with this id")
@click.pass_obj
def token(
    installation: Installation, user: str | None, team: str | None, label: str, revoke: str | None
) -> None:
    """Create a token for the API, which is shown only once, or revoke one."""
    if sum(map(bool, (user, team, revoke))) != 1:
        raise UsageError("lydite workbench token needs one of --user, --team, --revoke")
    begin(installation)
    from lydite_workbench.accounts import services
    from lydite_workbench.accounts.models import Token, User, account_key

    if revoke:
        found = Token.objects.filter(public_id=revoke).first()
        if found is None:
            raise UsageError(f"no token {revoke!r}")
        services.revoke(found, actor=services.COMMAND)
        print_line(f"revoked the token {revoke}")
        return
    person = User.objects.filter(name=account_key(user)).first() if user else None
    if user and person is None:
        raise UsageError(f"no account {user!r}")
    owner = _team(team) if team else None
    print_line(services.new_token(user=person, team=owner, label=label, actor=services.COMMAND))


def _team(name: str) -> Team:
    from lydite_workbench.campaigns.models import Team

    campaign_slug, slash, team_slug = name.partition("/")
    team = Team.objects.filter(campaign=campaign_named(campaign_slug), slug=team_slug).first()
    if not slash or team is None:
        raise UsageError(f"--team {name}: no such team", hint="CAMPAIGN/TEAM, by their short names")
    return team


@click.command("export", epilog=examples_epilog("lydite workbench export spring -o spring.zip"))
@click.argument("campaign", type=utf8_text)
@click.option("-o", "--output", required=True, metavar="FILE.zip", help="archive to write")
@click.pass_obj
def export(installation: Installation, campaign: str, output: str) -> None:
    """Write a campaign to an archive: gold, runs, settings, judgements, leaderboards, messages, log.

    ``lydite score`` on the files in it gives the figures of the leaderboard, digit for digit.
    Accounts are not included; the log, and records of collections, contain names of people.
    """
    begin(installation)
    from lydite_workbench.accounts.services import COMMAND
    from lydite_workbench.campaigns import exporting

    exporting.export(campaign_named(campaign), Path(output), actor=COMMAND)
    print_line(f"wrote {output}")


@click.command("import", epilog=examples_epilog("lydite workbench import spring.zip --slug spring-again"))
@click.argument("archive", metavar="FILE.zip")
@click.option(
    "--slug", type=utf8_text, metavar="WORD", help="new short name of the campaign  [default: unchanged]"
)
@click.pass_obj
def import_(installation: Installation, archive: str, slug: str | None) -> None:
    """Read an exported campaign into a workbench; its runs are validated and scored again."""
    begin(installation)
    from tempfile import TemporaryDirectory

    from lydite_workbench.accounts.services import COMMAND
    from lydite_workbench.campaigns.exporting import import_campaign

    with TemporaryDirectory(prefix="lydite-import-") as folder:
        _unpack(Path(archive), Path(folder))
        campaign = import_campaign(Path(folder), actor=COMMAND, slug=slug)
    runs = campaign.runs.count()
    waiting = f"{counted(runs, 'run')}, which {'waits' if runs == 1 else 'wait'} to be validated"
    print_line(f"created the campaign {campaign.slug} with {waiting}")


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive; unsafe names in it are refused as in any archive."""
    from lydite.formats.archives import ARCHIVES, archive_entries, damage_refused, file_names

    path = str(archive)
    if not archive.is_file() or not path.lower().endswith(ARCHIVES):
        raise UsageError(f"{archive}: expected an archive that lydite workbench export wrote")
    files = set(file_names(path))
    with damage_refused(path):
        for entry in archive_entries(path):
            if entry.name in files:
                place = folder / entry.name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("wb") as target:
                    target.writelines(entry.chunks())


@click.command("backup", epilog=examples_epilog("lydite workbench backup -o workbench.zip"))
@click.option("-o", "--output", required=True, metavar="FILE.zip", help="archive to write")
@click.pass_obj
def backup(installation: Installation, output: str) -> None:
    """Write a backup of the whole workbench; it is consistent even while the workbench runs."""
    begin(installation)
    from lydite_workbench import backups

    print_line(f"wrote {output}: the database and {counted(backups.backup(Path(output)), 'file')}")


@click.command("restore", epilog=examples_epilog("lydite workbench --folder elsewhere restore workbench.zip"))
@click.argument("archive", metavar="FILE.zip")
@click.pass_obj
def restore(installation: Installation, archive: str) -> None:
    """Fill an empty workbench, with SQLite or PostgreSQL, from a backup; sessions are not restored."""
    begin(installation, may_be_empty=True)
    from lydite_workbench import backups, serving

    serving.migrate()
    print_line(f"restored {counted(backups.restore(Path(archive)), 'row')}")
