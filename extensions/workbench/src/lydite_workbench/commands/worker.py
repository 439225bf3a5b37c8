"""``lydite worker``: do the jobs of a workbench."""

from __future__ import annotations

import click

from lydite.cli.output import print_line
from lydite.escaping import counted
from lydite_workbench.commands.options import LEASE, begin, installation_from, installation_options

EPILOG = """\b
Examples:
  lydite worker --database postgresql://lydite@db/lydite --files /srv/lydite
  lydite worker --folder spring-campaign --until-idle       do all waiting jobs, then end
"""


@click.command("worker", epilog=EPILOG)
@installation_options
@click.option("--until-idle", is_flag=True, help="end when no job is waiting")
@click.option(
    "--lease",
    type=LEASE,
    default=60.0,
    metavar="SECONDS",
    help="time after which the job of a silent worker is given to another",
)
@click.option("--with-parent", type=int, hidden=True)
def command(
    *,
    folder: str | None,
    database: str | None,
    files: str | None,
    until_idle: bool,
    lease: float,
    with_parent: int | None,
) -> None:
    """Validate, score and compare the runs that wait in a workbench; any number of workers may run."""
    from datetime import timedelta

    begin(installation_from(folder, database, files))
    from lydite_workbench.campaigns import worker
    from lydite_workbench.campaigns.jobs import adopt_jobs, work_once

    lease_time = timedelta(seconds=lease)
    if until_idle:
        adopt_jobs()
        count = 0
        while work_once(lease=lease_time):
            count += 1
        print_line(f"{counted(count, 'job')} done")
        return
    worker.work(worker.is_parent_gone(with_parent) if with_parent else lambda: False, lease=lease_time)
