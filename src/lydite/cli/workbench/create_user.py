"""``lydite workbench create-user``."""

from __future__ import annotations

from typing import IO

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options

EPILOG = """\b
Examples:
  lydite workbench create-user olga --administrator
  lydite workbench create-user anna --shown-name "Anna Berg" --password-file -
"""


@click.command("create-user", epilog=EPILOG)
@installation_options
@click.argument("name")
@click.option(
    "--administrator", is_flag=True, help="who runs the workbench: makes campaigns, organises all of them"
)
@click.option("--shown-name", metavar="NAME", help="what others see")
@click.option(
    "--password-file",
    type=click.File("r"),
    metavar="FILE",
    help="its first line is the password; - is stdin  [default: asked for]",
)
def command(
    name: str,
    administrator: bool,
    shown_name: str | None,
    password_file: IO[str] | None,
    **options: str | None,
) -> int:
    """Make an account; its password is asked for, unless a file has it."""
    begin(options)
    from lydite.workbench.accounts.services import create_user

    if password_file is not None:
        password = password_file.readline().rstrip("\r\n")
    else:
        password = click.prompt("password", hide_input=True, confirmation_prompt=True, err=True)
    user = create_user(name, password, shown_name=shown_name or "", administrator=administrator)
    say(f"made the account {user.name}")
    return 0
