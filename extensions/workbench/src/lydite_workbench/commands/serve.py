"""``lydite serve``: the workbench in the browser."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import OptionRecord, option, option_group, options_from
from lydite.cli.output import print_line
from lydite.errors import UsageError
from lydite_workbench.commands.options import LEASE, InstallationOptions, installation_from

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from lydite_workbench.installation import Installation

EPILOG = """\b
Examples:
  lydite serve                                     a folder of its own, http://127.0.0.1:8000
  lydite serve --demo                              example campaigns in a folder that goes away
  lydite serve --folder spring-campaign --port 8080
  lydite serve --database postgresql://lydite@db/lydite --files /srv/lydite --no-worker --proxy --hosts eval.example.org
"""


class _Options(OptionRecord):
    installed: InstallationOptions = option_group(InstallationOptions)
    host: str = option("address to listen on", default="127.0.0.1", metavar="ADDRESS")
    port: int = option("port to listen on", type=click.IntRange(1, 65535), default=8000)
    hosts: str | None = option(
        "names under which browsers reach it  [default: this machine]", metavar="A,B,…"
    )
    proxy: bool = option("run behind a proxy with TLS: trust its headers, use secure cookies")
    demo: bool = option("use a temporary folder, filled with example campaigns")
    no_worker: bool = option("do not run jobs here; lydite worker runs them elsewhere")
    lease: float = option("as for lydite worker", type=LEASE, default=60.0, hidden=True)


@click.command("serve", epilog=EPILOG)
@options_from(_Options)
def command(options: _Options) -> None:
    """Serve the workbench: campaigns, runs, leaderboards and judgements in the browser.

    Without options it keeps everything in one folder, with SQLite, and prints a link with which the organiser makes an
    account.
    """
    installed, demo, proxy = options.installed, options.demo, options.proxy
    if demo and (installed.database or installed.files or proxy):
        raise UsageError("--demo is for this machine alone", hint="leave --database, --files and --proxy out")
    with _fresh_folder() if demo and not installed.folder else nullcontext(installed.folder) as folder:
        installation = installation_from(installed, folder)
        if proxy or demo:
            installation = installation._replace(secure=proxy, behind_proxy=proxy)
        if options.hosts:
            from lydite_workbench.installation import host_names

            hosts = (*host_names(options.hosts), *installation.hosts)
            installation = installation._replace(hosts=hosts)
        elif options.host not in installation.hosts:
            installation = installation._replace(hosts=(*installation.hosts, options.host))
        lease = None if options.no_worker else options.lease
        _serve(installation, options.host, options.port, demo=demo, lease=lease)


def _fresh_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory

    # A worker that is about to end may still write to it.
    return TemporaryDirectory(prefix="lydite-demo-", ignore_cleanup_errors=True)


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
