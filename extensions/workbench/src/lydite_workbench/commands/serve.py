"""``lydite serve``: the workbench in the browser."""

from __future__ import annotations

from contextlib import nullcontext
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from lydite.cli.output import print_line
from lydite.cli.parameters import TEXT
from lydite.errors import UsageError
from lydite_workbench.commands.options import LEASE, installation_from, installation_options

if TYPE_CHECKING:
    from lydite_workbench.installation import Installation

EPILOG = """\b
Examples:
  lydite serve                                     a folder of its own, http://127.0.0.1:8000
  lydite serve --demo                              example campaigns in a folder that goes away
  lydite serve --folder spring-campaign --port 8080
  lydite serve --database postgresql://lydite@db/lydite --files /srv/lydite --no-worker --proxy --hosts eval.example.org
"""


@click.command("serve", epilog=EPILOG)
@installation_options
@click.option("--host", type=TEXT, default="127.0.0.1", metavar="ADDRESS", help="address to listen on")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, help="port to listen on")
@click.option(
    "--hosts", type=TEXT, metavar="A,B,…", help="names under which browsers reach it  [default: this machine]"
)
@click.option(
    "--proxy", is_flag=True, help="run behind a proxy with TLS: trust its headers, use secure cookies"
)
@click.option("--demo", is_flag=True, help="use a temporary folder, filled with example campaigns")
@click.option("--no-worker", is_flag=True, help="do not run jobs here; lydite worker runs them elsewhere")
@click.option("--lease", type=LEASE, default=60.0, hidden=True, help="as for lydite worker")
def command(
    *,
    folder: str | None,
    database: str | None,
    files: str | None,
    host: str,
    port: int,
    hosts: str | None,
    proxy: bool,
    demo: bool,
    no_worker: bool,
    lease: float,
) -> None:
    """Serve the workbench: campaigns, runs, leaderboards and judgements in the browser.

    Without options it keeps everything in one folder, with SQLite, and prints a link with which the organiser makes an
    account.
    """
    if demo and (database or files or proxy):
        raise UsageError("--demo is for this machine alone", hint="leave --database, --files and --proxy out")
    # A worker that is about to end may still write to the folder of the demonstration.
    fresh = (
        TemporaryDirectory(prefix="lydite-demo-", ignore_cleanup_errors=True) if demo and not folder else None
    )
    with fresh or nullcontext(folder) as place:
        installation = installation_from(place, database, files)
        if proxy or demo:
            installation = installation._replace(secure=proxy, behind_proxy=proxy)
        if hosts:
            from lydite_workbench.installation import host_names

            installation = installation._replace(hosts=(*host_names(hosts), *installation.hosts))
        elif host not in installation.hosts:
            installation = installation._replace(hosts=(*installation.hosts, host))
        _serve(installation, host, port, demo=demo, lease=None if no_worker else lease)


def _serve(installation: Installation, host: str, port: int, *, demo: bool, lease: float | None) -> None:
    """Answer requests until the process is stopped; with a lease, also run a worker."""
    from lydite_workbench.project import start

    start(installation)
    from lydite_workbench.serving import listen, migrate, organiser_link, worker_beside

    answer = listen(host, port, behind_proxy=installation.behind_proxy)
    migrate()
    address = f"http://{host}:{port}"
    if demo:
        _fill_with_examples()
    elif link := organiser_link():
        print_line(f"make the organiser's account with this link, which works once: {address}{link}")
    print_line(f"the workbench is at {address}; Ctrl-C ends it")
    with nullcontext() if lease is None else worker_beside(installation, lease=lease):
        answer()


def _fill_with_examples() -> None:
    from lydite_workbench.accounts.models import User
    from lydite_workbench.demo import PASSWORD, PEOPLE, fill

    if User.objects.exists():
        return
    fill(print_line)
    print_line(f"sign in as {', '.join(PEOPLE)}; the password of all is {PASSWORD}")
    print_line("olga organises, ada and ben assess, carla adjudicates, emil explores, the others are teams")
