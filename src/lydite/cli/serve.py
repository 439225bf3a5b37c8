"""``lydite serve``: the workbench in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from lydite.cli.output import say
from lydite.cli.workbench.options import installation_from, installation_options
from lydite.errors import UsageError

if TYPE_CHECKING:
    from lydite.workbench.installation import Installation

EPILOG = """\b
Examples:
  lydite serve                                     a folder of its own, http://127.0.0.1:8000
  lydite serve --demo                              example campaigns in a folder that goes away
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
@click.option(
    "--demo", is_flag=True, help="in a fresh folder that goes away at the end, filled with example campaigns"
)
@click.option("--no-worker", is_flag=True, help="do no jobs here; lydite worker does them elsewhere")
@click.option("--lease", type=click.FloatRange(1), default=60.0, hidden=True)
def command(
    host: str,
    port: int,
    hosts: str | None,
    proxy: bool,
    demo: bool,
    no_worker: bool,
    lease: float,
    **options: str | None,
) -> int:
    """Serve the workbench: campaigns, runs, leaderboards, judgements in the browser.

    Without options it lives in one folder, with SQLite, and makes the account of its organiser by a one-time link.
    """
    if demo and (options["database"] or options["files"] or proxy):
        raise UsageError("--demo is for this machine alone", hint="leave --database, --files and --proxy out")
    with _fresh_folder() if demo and not options["folder"] else nullcontext(options["folder"]) as folder:
        installation = installation_from({**options, "folder": folder})
        installation = installation._replace(secure=proxy, behind_proxy=proxy)
        if hosts:
            named = tuple(name.strip() for name in hosts.split(","))
            installation = installation._replace(hosts=(*named, *installation.hosts))
        elif host not in installation.hosts:
            installation = installation._replace(hosts=(*installation.hosts, host))
        _serve(installation, host, port, demo=demo, lease=None if no_worker else lease)
    return 0


@contextmanager
def _fresh_folder() -> Iterator[str]:
    from tempfile import TemporaryDirectory

    # A worker that is just ending may still write there.
    with TemporaryDirectory(prefix="lydite-demo-", ignore_cleanup_errors=True) as folder:
        yield folder


def _serve(installation: Installation, host: str, port: int, *, demo: bool, lease: float | None) -> None:
    """Answer until the process is stopped; without a lease no worker stands beside."""
    from lydite.workbench.project import start

    start(installation)
    from lydite.workbench.serving import answer, first_link, migrate, worker_beside

    migrate()
    address = f"http://{host}:{port}"
    if demo:
        _fill()
    elif link := first_link():
        say(f"make the organiser's account with this link, which works once: {address}{link}")
    say(f"the workbench is at {address}; Ctrl-C ends it")
    try:
        with nullcontext() if lease is None else worker_beside(installation, lease=lease):
            answer(host, port, behind_proxy=installation.behind_proxy)
    except OSError as error:
        raise UsageError(
            f"cannot listen at {host}:{port}: {error.strerror}", hint="--port names another one"
        ) from None


def _fill() -> None:
    from lydite.workbench.accounts.models import User
    from lydite.workbench.demo import PASSWORD, PEOPLE, fill

    if User.objects.exists():
        return
    fill(say)
    say(f"sign in as {', '.join(PEOPLE)}; the password of all is {PASSWORD}")
    say("olga organises, ada and ben assess, carla adjudicates, emil explores, the others are teams")
