"""``lydite serve``: the workbench in the browser."""

from __future__ import annotations

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import installation_from, installation_options
from lydite.errors import UsageError

EPILOG = """\b
Examples:
  lydite serve                                     a folder of its own, http://127.0.0.1:8000
  lydite serve --folder spring-campaign --port 8080
  lydite serve --database postgresql://lydite@db/lydite --files /srv/lydite --no-worker --proxy --hosts eval.example.org
"""


@click.command("serve", epilog=EPILOG)
@installation_options
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="address to listen at"
)
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="port to listen at"
)
@click.option("--hosts", metavar="A,B,…", help="names by which browsers reach it  [default: this machine]")
@click.option(
    "--proxy", is_flag=True, help="a proxy with TLS stands before it: trust its headers, secure cookies"
)
@click.option("--no-worker", is_flag=True, help="do no jobs here; lydite worker does them elsewhere")
@click.option("--lease", type=click.FloatRange(1), default=60.0, hidden=True)
def command(
    host: str, port: int, hosts: str | None, proxy: bool, no_worker: bool, lease: float, **options: str | None
) -> int:
    """Serve the workbench: campaigns, runs, leaderboards, judgements in the browser.

    Without options it lives in one folder, with SQLite, and makes the account of its organiser by a one-time link.
    """
    from lydite.workbench.project import start

    installation = installation_from(options)._replace(secure=proxy, behind_proxy=proxy)
    if hosts:
        installation = installation._replace(
            hosts=(*(name.strip() for name in hosts.split(",")), *installation.hosts)
        )
    elif host not in installation.hosts:
        installation = installation._replace(hosts=(*installation.hosts, host))
    start(installation)
    from contextlib import nullcontext

    from lydite.workbench.serving import answer, first_link, migrate, worker_beside

    migrate()
    address = f"http://{host}:{port}"
    if link := first_link():
        say(f"make the organiser's account with this link, which works once: {address}{link}")
    say(f"the workbench is at {address}; Ctrl-C ends it")
    try:
        with nullcontext() if no_worker else worker_beside(installation, lease=lease):
            answer(host, port, behind_proxy=proxy)
    except OSError as error:
        raise UsageError(
            f"cannot listen at {host}:{port}: {error.strerror}", hint="--port names another one"
        ) from None
    return 0
