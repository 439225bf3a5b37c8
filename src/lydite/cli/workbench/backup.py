"""``lydite workbench backup``."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options

EPILOG = """\b
Examples:
  lydite workbench backup -o workbench.zip
"""


@click.command("backup", epilog=EPILOG)
@installation_options
@click.option("-o", "--output", required=True, metavar="FILE.zip", help="archive to write")
def command(output: str, **options: str | None) -> int:
    """Write a copy of the whole workbench, consistent while it runs."""
    begin(options)
    from lydite.workbench.backups import backup

    files = backup(Path(output))
    say(f"wrote {output}: the database and {files} files")
    return 0
