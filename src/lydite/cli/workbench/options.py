"""Which workbench a command is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.errors import UsageError
from lydite.registry import did_you_mean

if TYPE_CHECKING:
    from lydite.workbench.campaigns.models import Campaign
    from lydite.workbench.installation import Installation


def installation_options(function: Callable[..., object]) -> Callable[..., object]:
    """``--folder``, ``--database``, ``--files``."""
    for option in (
        click.option(
            "--files",
            metavar="DIR",
            help="folder of uploads, documents and the secret key  [default: DIR/files]",
        ),
        click.option(
            "--database", metavar="URL", help="postgresql://USER@HOST/NAME instead of SQLite in the folder"
        ),
        click.option(
            "--folder", metavar="DIR", help="where an embedded workbench lives  [default: lydite-workbench]"
        ),
    ):
        function = option(function)
    return function


def installation_from(options: Mapping[str, str | None]) -> Installation:
    """The workbench that is meant: by options, else by ``LYDITE_WORKBENCH_*``, else in the working folder."""
    from lydite.workbench.installation import embedded, from_environment

    said = from_environment()
    if options["folder"]:
        plain = embedded(Path(options["folder"]))
        said = said._replace(database=plain.database, files=plain.files)
    if options["database"]:
        said = said._replace(database=options["database"])
    if options["files"]:
        said = said._replace(files=Path(options["files"]))
    return said


def begin(options: Mapping[str, str | None]) -> Installation:
    """Make this process one of the workbench that is meant."""
    from lydite.workbench.project import start

    installation = installation_from(options)
    start(installation)
    return installation


def campaign_named(slug: str) -> Campaign:
    """The campaign of that short name."""
    from lydite.workbench.campaigns.models import Campaign

    found = Campaign.objects.filter(slug=slug).first()
    if found is None:
        known = list(Campaign.objects.values_list("slug", flat=True))
        raise UsageError(f"no campaign {slug!r}", hint=did_you_mean(slug, known))
    return found
