"""Which workbench a command is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lydite.cli.option_records import NumberRange, OptionRecord, option
from lydite.errors import UsageError
from lydite.registry import did_you_mean

if TYPE_CHECKING:
    from lydite.workbench.campaigns.models import Campaign
    from lydite.workbench.installation import Installation


LEASE = NumberRange(1, 366 * 24 * 3600)
"""Seconds that a job may be left alone; a year is more than any takes."""


class InstallationOptions(OptionRecord):
    """Where a workbench lives."""

    folder: str | None = option(
        "where an embedded workbench lives  [default: lydite-workbench]", metavar="DIR"
    )
    database: str | None = option(
        "postgresql://USER@HOST/NAME instead of SQLite in the folder", metavar="URL"
    )
    files: str | None = option(
        "folder of uploads, documents and the secret key  [default: DIR/files]", metavar="DIR"
    )


def installation_from(options: InstallationOptions, folder: str | None) -> Installation:
    """The workbench that is meant: by options, else by ``LYDITE_WORKBENCH_*``, else in the working folder."""
    from lydite.workbench.installation import embedded, from_environment

    said = from_environment()
    if folder:
        plain = embedded(Path(folder))
        said = said._replace(database=plain.database, files=plain.files)
    if options.database:
        said = said._replace(database=options.database)
    if options.files:
        said = said._replace(files=Path(options.files))
    return said


def begin(options: InstallationOptions, *, may_be_empty: bool = False) -> None:
    """Make this process one of the workbench that is meant; its database is of this version, unless it may be empty."""
    from lydite.workbench.project import start

    installation = installation_from(options, options.folder)
    if not may_be_empty and installation.is_embedded and not Path(installation.database).exists():
        # Who mistypes a folder finds no new workbench there.
        raise UsageError(
            f"{installation.database}: no workbench lives here",
            hint="lydite workbench migrate makes a new one, and so does lydite serve",
        )
    start(installation)
    if not may_be_empty:
        from lydite.workbench.serving import expect_this_version

        expect_this_version()


def campaign_named(slug: str) -> Campaign:
    """The campaign of that short name."""
    from lydite.workbench.campaigns.models import Campaign

    found = Campaign.objects.filter(slug=slug).first()
    if found is None:
        known = list(Campaign.objects.values_list("slug", flat=True))
        raise UsageError(f"no campaign {slug!r}", hint=did_you_mean(slug, known))
    return found
