"""``lydite workbench migrate``."""

from __future__ import annotations

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options

EPILOG = """\b
Examples:
  lydite workbench migrate
  lydite workbench migrate --database postgresql://lydite@db/lydite --files /srv/lydite
"""


@click.command("migrate", epilog=EPILOG)
@installation_options
def command(**options: str | None) -> int:
    """Bring the database to this version of lydite; one that is up to date stays as it is."""
    begin(options)
    from lydite.workbench.serving import migrate

    migrate()
    say("the database is of this version")
    return 0
