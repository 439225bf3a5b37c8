"""Options for the place of a workbench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.parameters import TEXT, NumberRange, options
from lydite.errors import UsageError
from lydite.registry import did_you_mean

if TYPE_CHECKING:
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.installation import Installation


LEASE = NumberRange(1, 366 * 24 * 3600)
"""Seconds after which a job of a silent worker is given to another; at most a year."""


installation_options = options(
    click.option(
        "--folder",
        type=TEXT,
        metavar="DIR",
        help="folder with everything: database and files  [default: lydite-workbench]",
    ),
    click.option(
        "--database",
        type=TEXT,
        metavar="URL",
        help="postgresql://USER@HOST/NAME instead of SQLite in the folder",
    ),
    click.option(
        "--files",
        type=TEXT,
        metavar="DIR",
        help="folder of uploads, documents and the secret key  [default: DIR/files]",
    ),
)
"""The place of a workbench."""


def installation_from(folder: str | None, database: str | None, files: str | None) -> Installation:
    """The workbench named by options, else by ``LYDITE_WORKBENCH_*``, else the one in the working folder."""
    from lydite_workbench.installation import embedded, from_environment

    installation = from_environment()
    if folder:
        in_folder = embedded(Path(folder))
        installation = installation._replace(database=in_folder.database, files=in_folder.files)
    if database:
        installation = installation._replace(database=database)
    if files:
        installation = installation._replace(files=Path(files))
    return installation


def begin(installation: Installation, *, may_be_empty: bool = False) -> None:
    """Connect this process to the workbench; its database must be of this version, unless it may be empty."""
    from lydite_workbench.project import start

    if not may_be_empty and installation.is_embedded and not Path(installation.database).exists():
        # A mistyped folder must not become a new workbench.
        hint = "lydite workbench migrate or lydite serve creates one"
        raise UsageError(f"{installation.database}: there is no workbench here", hint=hint)
    start(installation)
    if not may_be_empty:
        from lydite_workbench.serving import expect_this_version

        expect_this_version()


def campaign_named(slug: str) -> Campaign:
    """The campaign of that short name."""
    from lydite_workbench.campaigns.models import Campaign

    found = Campaign.objects.filter(slug=slug).first()
    if found is None:
        known = list(Campaign.objects.values_list("slug", flat=True))
        raise UsageError(f"no campaign {slug!r}", hint=did_you_mean(slug, known))
    return found
