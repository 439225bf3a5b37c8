"""``lydite workbench import``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import begin, installation_options
from lydite.errors import UsageError

EPILOG = """\b
Examples:
  lydite workbench import spring.zip --slug spring-again
"""


@click.command("import", epilog=EPILOG)
@installation_options
@click.argument("archive", metavar="FILE.zip")
@click.option("--slug", metavar="WORD", help="short name of the campaign here  [default: as it was]")
def command(archive: str, slug: str | None, **options: str | None) -> int:
    """Read an exported campaign into a workbench; its runs are validated and scored anew."""
    begin(options)
    from lydite.workbench.accounts.services import COMMAND
    from lydite.workbench.campaigns.exporting import import_campaign

    with tempfile.TemporaryDirectory(prefix="lydite-import-") as folder:
        _unpack(Path(archive), Path(folder))
        campaign = import_campaign(Path(folder), actor=COMMAND, slug=slug)
    say(f"made the campaign {campaign.slug} with {campaign.runs.count()} runs, which wait to be validated")
    return 0


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive; names that lead out of it are refused by the same checks as for any archive."""
    from lydite.formats.source import open_source

    if archive.is_dir() or not archive.exists():
        raise UsageError(f"{archive}: expected an archive that lydite workbench export wrote")
    for part in open_source(str(archive)).parts:
        place = folder / part.path.partition("!")[2]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(part.read_bytes())
