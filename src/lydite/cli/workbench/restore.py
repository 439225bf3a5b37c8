"""``lydite workbench restore``."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options

EPILOG = """\b
Examples:
  lydite workbench restore workbench.zip --folder elsewhere
"""


@click.command("restore", epilog=EPILOG)
@installation_options
@click.argument("archive", metavar="FILE.zip")
def command(archive: str, **options: str | None) -> int:
    """Fill an empty workbench from a copy, of SQLite or PostgreSQL alike; sessions are not in it."""
    begin(options)
    from lydite.workbench.backups import restore
    from lydite.workbench.serving import migrate

    migrate()
    rows = restore(Path(archive))
    say(f"restored {rows} rows")
    return 0
